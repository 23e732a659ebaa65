package muxtest

import (
	"net/http"
	"strings"
)

// Mark returns middleware that adds a place to the header Trail, and to Seen what it
// can know of the match. If it were inlined, the name that Route.Middleware shows
// would be that of its caller.
//
//go:noinline
func Mark(place string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Add("Trail", place)
			w.Header().Add("Seen", Seen(r.Pattern, r.PathValue))
			next.ServeHTTP(w, r)
		})
	}
}

// Seen returns what middleware, or a handler, can know of the match: the pattern, and
// the values of some parameters.
func Seen(pattern string, value func(name string) string) string {
	line := pattern
	for _, name := range []string{"org", "tenant", "id"} {
		if v := value(name); v != "" {
			line += " " + name + "=" + v
		}
	}
	return strings.TrimSpace(line)
}

// Tells returns a handler that answers with a status and adds to Seen what it saw.
func Tells(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Seen", Seen(r.Pattern, r.PathValue))
		w.WriteHeader(status)
	}
}

// Replacing returns middleware that passes on what f makes of the request.
func Replacing(f func(*http.Request) *http.Request) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, f(r)) })
	}
}
