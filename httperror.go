package muxwell

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
)

// An HTTPError is the reason why a request is not served. An [ErrorHandler] gets one from
// the mux for a request that no route matches, and from package middleware for a request
// that it rejects. A handler may return one too; see [ErrorFunc]. [AsHTTPError] converts
// any other error to one.
type HTTPError struct {
	Status int    // 400 to 599
	Reason string // for programs: the text of the status, such as "not_found", or a more precise reason; see AsHTTPError
	Detail string // an explanation for the client; may be ""
	// Allowed has the methods that the path allows, sorted, for a 405 of the mux. It
	// must not be modified.
	Allowed []string
	// Route is, for a 405, 406 or 415 of the mux, a route that matches the path, and for a
	// request that middleware rejects, the route that the request matches. It may be nil.
	Route *Route
	Err   error // the cause, which must not be sent to the client; may be nil
}

// Error returns the status, its text, and Detail or else Err.
func (e *HTTPError) Error() string {
	text := strconv.Itoa(e.Status) + " " + statusText(e.Status)
	switch {
	case e.Detail != "":
		return text + ": " + e.Detail
	case e.Err != nil:
		return text + ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns e.Err.
func (e *HTTPError) Unwrap() error { return e.Err }

// StatusCode returns e.Status.
func (e *HTTPError) StatusCode() int { return e.Status }

// AsHTTPError returns the HTTPError that err is or wraps, if its Status is 400 to 599.
// It converts other errors to a new one, with err as the cause:
//
//	*ParamError                 400, "invalid_parameter", and the error's text as Detail
//	*http.MaxBytesError         413, "body_too_large"
//	StatusCode() 400 to 599     that status, and its text as Reason
//	any other error             500, "internal_server_error"
//
// Package middleware has these reasons of its own:
//
//	413  body_too_large    MaxBytes
//	429  rate_limited      RateLimit
//	429  too_many_waiting  Throttle, for a client
//	500  panic             Recover; Err has the value, which is already logged
//	503  overloaded        Throttle
//	503  timeout           Timeout; the handler may still be running
//
// All other reasons are the [http.StatusText] of the status in lower case with
// underscores. The result is nil if err is nil. It must not be modified if it is err
// itself.
func AsHTTPError(err error) *HTTPError {
	if err == nil {
		return nil
	}
	var known *HTTPError
	var param *ParamError
	var body *http.MaxBytesError
	status := statusOf(err)
	switch {
	case errors.As(err, &known) && known.Status == status:
		if known.Reason == "" {
			filled := *known
			filled.Reason = reasonOf(status)
			return &filled
		}
		return known
	case errors.As(err, &param) && status == http.StatusBadRequest:
		return &HTTPError{Status: status, Reason: "invalid_parameter", Detail: strings.TrimPrefix(param.Error(), "muxwell: "), Err: err}
	case errors.As(err, &body) && status == http.StatusInternalServerError:
		return &HTTPError{Status: http.StatusRequestEntityTooLarge, Reason: "body_too_large", Err: err}
	}
	return &HTTPError{Status: status, Reason: reasonOf(status), Err: err}
}

// statusText returns the text of a status, also of one that has no name.
func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return text
	}
	return "status code " + strconv.Itoa(status)
}

// reasonOf returns the reason for a status that has no more precise one.
func reasonOf(status int) string {
	word := func(c rune) rune {
		switch {
		case 'a' <= c && c <= 'z':
			return c
		case 'A' <= c && c <= 'Z':
			return c | 0x20
		case c == ' ' || c == '-':
			return '_'
		case '0' <= c && c <= '9':
			return c
		}
		return -1 // the apostrophe of 418
	}
	return strings.Map(word, statusText(status))
}
