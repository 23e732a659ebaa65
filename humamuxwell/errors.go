package humamuxwell

import (
	"errors"
	"log/slog"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/refuse"
	"github.com/muxwell/muxwell/internal/respwriter"
	"github.com/muxwell/muxwell/middleware"
)

// ErrorHandler returns a function for [muxwell.ErrorHandler] and
// [muxwell.Group.ErrorHandler], which answers what the mux refuses and what handlers
// and middleware outside of huma return as errors of huma: with its error model, in the
// format that the client prefers. These are the default responses that huma documents.
//
// It gets a pointer since the mux is made before the API, which must be set when the
// first request is served.
//
// A [huma.StatusError] is answered with its status, the message, and the details and
// headers that it has; any other error with what [muxwell.AsHTTPError] makes of it. An
// error of a handler with status 500 or more is written to the server's ErrorLog. If the
// response has begun, it is left as it is.
func ErrorHandler(api *huma.API) func(w http.ResponseWriter, r *http.Request, err error) {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		status, message, details := explain(err)
		if status >= http.StatusInternalServerError && !refuse.IsExpected(muxwell.AsHTTPError(err).Reason) {
			refuse.Log(r, err)
		}
		if muxwell.Began(w) {
			return
		}
		respwriter.DropBodyHeaders(w)
		var headers huma.HeadersError
		if errors.As(err, &headers) {
			for name, values := range headers.GetHeaders() {
				for _, value := range values {
					w.Header().Add(name, value)
				}
			}
		}
		op := &huma.Operation{Method: r.Method, Path: r.URL.Path}
		_ = huma.WriteErr(*api, humago.NewContext(op, r, w), status, message, details...) // which reports it
	}
}

// NewErrorWithContext is a function for huma's variable of the same name, which decides what
// clients get if an operation returns an error that is not a [huma.StatusError]:
//
//	huma.NewErrorWithContext = humamuxwell.NewErrorWithContext
//
// huma's own function answers with status 500 and sends the text of the error. This one
// answers with the status and the Detail of what [muxwell.AsHTTPError] makes of the error.
// If that is 500 or more, it writes the error to the server's ErrorLog, and adds it as "error"
// to the line of middleware.Log. All other errors are those of huma.NewError.
//
// The variable is global: set it before requests are served.
func NewErrorWithContext(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
	err := errors.Join(errs...)
	if status != http.StatusInternalServerError || err == nil {
		return huma.NewError(status, message, errs...)
	}
	e := muxwell.AsHTTPError(err)
	if e.Status >= http.StatusInternalServerError {
		op := ctx.Operation()
		r := &http.Request{Method: ctx.Method(), Pattern: op.Method + " " + op.Path}
		refuse.Log(r.WithContext(ctx.Context()), err)
		middleware.AddAttrs(ctx.Context(), slog.String("error", err.Error()))
	}
	return huma.NewError(e.Status, e.Detail)
}

// explain returns the status of an error and what the client may be told.
func explain(err error) (status int, message string, details []error) {
	var model *huma.ErrorModel
	if errors.As(err, &model) {
		for _, d := range model.Errors {
			details = append(details, d)
		}
		return model.GetStatus(), model.Detail, details
	}
	var own huma.StatusError
	if errors.As(err, &own) {
		return own.GetStatus(), own.Error(), nil
	}
	e := muxwell.AsHTTPError(err)
	return e.Status, e.Detail, nil
}
