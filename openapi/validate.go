package openapi

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/compose"
)

// ValidateOptions are the options of [Validate].
type ValidateOptions struct {
	// Filter are the options of package openapi3filter. If it has no AuthenticationFunc,
	// security requirements are not checked.
	Filter *openapi3filter.Options
	// Responses validates responses too. They are kept in memory until the handler
	// returns, so it is for tests and for staging. An invalid response is replaced by a
	// 500. A response that is flushed, or whose connection is hijacked, is not validated.
	Responses bool
}

// Validate returns middleware for m, or for its groups, that validates requests against
// the operation of the description at the path of their route. It takes no second lookup:
// the route is known. A request for a route that the description does not have is passed
// on; [Check] finds such routes in a test.
//
// A request that is not valid is rejected before the handler is called, with an
// [muxwell.HTTPError] for the ErrorHandler of the mux, or in plain text without one:
//
//	400  invalid_request          a parameter or the body; Detail says which, and why
//	401  unauthorized             the security requirements
//	413  body_too_large           the body, if middleware.MaxBytes is around
//	415  unsupported_media_type   the Content-Type of the body
//	500  invalid_response         with the option Responses; Err says why
//
// The whole body is read into memory to be validated, and given to the handler again. So
// put middleware.MaxBytes around Validate. o may be nil.
func Validate(m *muxwell.Mux, spec *openapi3.T, o *ValidateOptions) muxwell.Middleware {
	v := &validator{mux: m, spec: spec, operations: operationsOf(spec), filter: openapi3filter.Options{}}
	if o != nil {
		v.responses = o.Responses
		if o.Filter != nil {
			v.filter = *o.Filter
		}
	}
	v.filter.IncludeResponseStatus = true // a status that is not described is invalid
	if v.filter.AuthenticationFunc == nil {
		v.filter.AuthenticationFunc = openapi3filter.NoopAuthenticationFunc
	}
	return func(next http.Handler) http.Handler { return &validating{v, next, plain} }
}

// A validator has what all handlers of a Validate share.
type validator struct {
	mux        *muxwell.Mux
	spec       *openapi3.T
	operations operations
	filter     openapi3filter.Options
	responses  bool
	known      sync.Map // from *muxwell.Route to *documented, which may be nil
}

// A documented is a route's path in the description.
type documented struct {
	path string
	item *openapi3.PathItem
	// The names of the path's parameters, in the description and in the route.
	names, routeNames []string
}

// documentedAt returns what the description has of a route, or nil.
func (v *validator) documentedAt(rt *muxwell.Route) *documented {
	if d, ok := v.known.Load(rt); ok {
		return d.(*documented)
	}
	var d *documented
	if t, err := newTemplate(rt.Path()); err == nil {
		if p := v.operations.find(t.shape); p != nil {
			d = &documented{p.path, p.item, p.names, t.names}
		}
	}
	v.known.Store(rt, d)
	return d
}

// A validating is the handler of Validate.
type validating struct {
	*validator
	next   http.Handler
	refuse func(http.ResponseWriter, *http.Request, compose.Refusal)
}

// Join implements [compose.Part].
func (h *validating) Join(c *compose.Chain) http.Handler {
	joined := *h
	if c.Refuse != nil {
		joined.refuse = c.Refuse
	}
	return &joined
}

// plain answers with the text of the status and the detail.
func plain(w http.ResponseWriter, _ *http.Request, f compose.Refusal) {
	text := http.StatusText(f.Status)
	if f.Detail != "" {
		text += ": " + f.Detail
	}
	http.Error(w, text, f.Status)
}

func (h *validating) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rt := h.mux.RouteOf(r)
	if rt == nil {
		h.next.ServeHTTP(w, r)
		return
	}
	d := h.documentedAt(rt)
	if d == nil || d.item.GetOperation(r.Method) == nil {
		h.next.ServeHTTP(w, r)
		return
	}
	values := make(map[string]string, len(d.names))
	for i, name := range d.names {
		values[name] = r.PathValue(d.routeNames[i])
	}
	in := &openapi3filter.RequestValidationInput{
		Request: r, PathParams: values, Options: &h.filter,
		Route: &routers.Route{Spec: h.spec, Path: d.path, PathItem: d.item, Method: r.Method, Operation: d.item.GetOperation(r.Method)},
	}
	if err := openapi3filter.ValidateRequest(r.Context(), in); err != nil {
		h.refuse(w, r, refusalOf(err))
		return
	}
	if !h.responses {
		h.next.ServeHTTP(w, r)
		return
	}
	kept := &keptResponse{ResponseWriter: w}
	h.next.ServeHTTP(kept, r)
	if err := kept.validate(r.Context(), in); err != nil {
		clear(w.Header())
		h.refuse(w, r, compose.Refusal{Status: http.StatusInternalServerError, Reason: "invalid_response", Err: err})
		return
	}
	kept.pass()
}

// refusalOf returns the refusal of a request that is not valid.
func refusalOf(err error) compose.Refusal {
	f := compose.Refusal{Status: http.StatusBadRequest, Reason: "invalid_request", Detail: detailOf(err), Err: err}
	var request *openapi3filter.RequestError
	if _, ok := errors.AsType[*openapi3filter.SecurityRequirementsError](err); ok {
		return compose.Refusal{Status: http.StatusUnauthorized, Err: err}
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return compose.Refusal{Status: http.StatusRequestEntityTooLarge, Reason: "body_too_large", Err: err}
	}
	if errors.As(err, &request) && request.RequestBody != nil && strings.Contains(request.Reason, "Content-Type") {
		f.Status, f.Reason = http.StatusUnsupportedMediaType, ""
	}
	return f
}

// detailOf returns what the client may be told about a request that is not valid: where
// the error is and what it is, without the schema.
func detailOf(err error) string {
	var many openapi3.MultiError
	if errors.As(err, &many) && len(many) > 0 {
		err = many[0]
	}
	where, reason := "", ""
	var request *openapi3filter.RequestError
	if errors.As(err, &request) {
		if where, reason = "body", request.Reason; reason == "" && errors.Is(err, openapi3filter.ErrInvalidRequired) {
			reason = "it is required"
		}
		if p := request.Parameter; p != nil {
			where = fmt.Sprintf("parameter %q in %s", p.Name, p.In)
		}
	}
	var parse *openapi3filter.ParseError
	if errors.As(err, &parse) {
		reason = "an invalid value"
	}
	var schema *openapi3.SchemaError
	if errors.As(err, &schema) {
		reason = schema.Reason
		if pointer := schema.JSONPointer(); len(pointer) > 0 {
			where += " at /" + strings.Join(pointer, "/")
		}
	}
	if where == "" || reason == "" {
		return where + reason
	}
	return where + ": " + reason
}

// A keptResponse is a response that is sent when it is known to be valid, or, once the
// handler flushes it or takes over its connection, without a check.
type keptResponse struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
	passed bool
}

func (k *keptResponse) WriteHeader(status int) {
	switch {
	case k.passed || status < 200 && status != http.StatusSwitchingProtocols:
		k.ResponseWriter.WriteHeader(status)
	case k.status == 0:
		k.status = status
	}
}

func (k *keptResponse) Write(p []byte) (int, error) {
	if k.passed {
		return k.ResponseWriter.Write(p)
	}
	k.WriteHeader(http.StatusOK)
	return k.body.Write(p)
}

// pass sends what was kept.
func (k *keptResponse) pass() {
	if k.passed {
		return
	}
	k.passed = true
	if k.status != 0 {
		k.ResponseWriter.WriteHeader(k.status)
	}
	_, _ = k.ResponseWriter.Write(k.body.Bytes()) // nobody can handle the error: the client has left
	k.body.Reset()
}

// FlushError is for [http.ResponseController].
func (k *keptResponse) FlushError() error {
	k.pass()
	return http.NewResponseController(k.ResponseWriter).Flush()
}

// Flush cannot return an error; a broken connection shows in Write.
func (k *keptResponse) Flush() { _ = k.FlushError() }

// Hijack is for [http.ResponseController].
func (k *keptResponse) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	k.passed = true
	return http.NewResponseController(k.ResponseWriter).Hijack()
}

// Unwrap is for [http.ResponseController].
func (k *keptResponse) Unwrap() http.ResponseWriter { return k.ResponseWriter }

// validate returns what is wrong with a response that was kept.
func (k *keptResponse) validate(ctx context.Context, in *openapi3filter.RequestValidationInput) error {
	if k.passed {
		return nil
	}
	status := k.status
	if status == 0 {
		status = http.StatusOK
	}
	out := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: status, Header: k.Header(), Options: in.Options,
		Body: io.NopCloser(bytes.NewReader(k.body.Bytes())),
	}
	return openapi3filter.ValidateResponse(ctx, out)
}
