// Package cors lets pages of other origins read a mux's answers, with
// github.com/rs/cors.
//
// Before a browser sends a request that a form could not send, it sends a preflight, an
// OPTIONS request with Access-Control-Request-Method. A preflight has no credentials
// and matches no route. So the middleware belongs outside of authentication, on the mux
// or on a group:
//
//	m.Use(middleware.Log(logger, nil), cors.New("https://app.example.com"), auth)
//
// Middleware of a mux covers the 405 that a preflight would get, redirects, and the 401
// of auth, whose status a page can then read. Middleware of a group covers the same
// below the group's prefix.
//
// A request of another origin is not rejected. It is answered without the headers, and
// the browser does not show the answer to the page. To stop such a request, use
// [net/http.CrossOriginProtection].
package cors

import (
	"net/http"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/rs/cors"
)

// New returns middleware that lets pages of the given origins send requests with
// credentials, by the usual methods, and read X-Request-Id. An origin is written as
// "https://app.example.com" or "https://*.example.com". At least one is required:
// without any, the library allows all origins.
//
// OPTIONS requests that are not preflights go on to the mux, which answers 405, or 204
// under [muxwell.AutoOptions]. The allowed methods are not those of the route: a
// preflight for another method succeeds, and the request gets the mux's 405.
func New(origin string, more ...string) muxwell.Middleware {
	return cors.New(cors.Options{
		AllowedOrigins: append([]string{origin}, more...),
		AllowedMethods: []string{
			http.MethodHead, http.MethodGet, http.MethodPost,
			http.MethodPut, http.MethodPatch, http.MethodDelete,
		},
		AllowedHeaders:   []string{"Authorization", "Content-Type"},
		ExposedHeaders:   []string{"X-Request-Id"},
		AllowCredentials: true,
		MaxAge:           int((10 * time.Minute).Seconds()),
	}).Handler
}
