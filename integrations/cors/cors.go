// Package cors lets pages of other origins read a mux's answers, with
// github.com/rs/cors.
//
// Before a browser sends a request that a form could not send, it sends a preflight: an
// OPTIONS request with Access-Control-Request-Method. A preflight has no credentials and
// matches no route. So put this middleware outside of authentication, on the mux or on a
// group:
//
//	m.Use(middleware.Log(logger, nil), cors.New("https://app.example.com"), auth)
//
// On the mux, it covers the 405 for a preflight, redirects, and the 401 of auth, whose
// status a page may then read. On a group, it covers the same below the group's prefix.
// A group without a prefix, as of m.With, covers its routes only, and a preflight matches
// none of them. Give such a path a route for OPTIONS, whose handler is never called:
//
//	g := m.With(cors.New("https://app.example.com"))
//	g.Put("/users/{id}", save)
//	g.Options("/users/{id}", http.NotFound)
//
// A request from another origin is not refused. It is answered without the headers, and
// the browser does not show the answer to the page. To prevent that such a request runs,
// use [net/http.CrossOriginProtection].
package cors

import (
	"net/http"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/rs/cors"
)

// New returns middleware that allows pages of the given origins to send requests with
// credentials, with the usual methods, and to read X-Request-Id. An origin is, for example,
// "https://app.example.com" or "https://*.example.com". At least one is required, because
// without any the library allows all of them.
//
// OPTIONS requests that are not a preflight go to the mux, which answers 405, or 204 with
// [muxwell.AutoOptions]. The allowed methods are not those of the route: a preflight for a
// method that the route lacks succeeds, and the request is answered with 405.
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
