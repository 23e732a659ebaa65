// Package own has middleware that is not the module's.
package own

import "net/http"

// Logged returns a function literal. It is small, so that it is inlined.
func Logged() func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler { return handler{next} }
}

// Plain is middleware itself.
func Plain(next http.Handler) http.Handler { return handler{next} }

// A T has methods that are middleware, or return it.
type T struct{ name string }

// Wrap is middleware.
func (t *T) Wrap(next http.Handler) http.Handler { return handler{next} }

// WrapValue is middleware.
func (t T) WrapValue(next http.Handler) http.Handler { return handler{next} }

// Logged returns a function literal.
func (t *T) Logged() func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		_ = t.name
		return handler{next}
	}
}

// LoggedOf returns a function literal.
func LoggedOf[V any]() func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		var v V
		_ = any(v)
		return handler{next}
	}
}

type handler struct{ http.Handler }
