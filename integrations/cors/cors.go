// Package cors lets pages of other origins read a mux's answers, with
// github.com/rs/cors.
//
// A browser asks before it sends a request that a form could not send: the
// preflight, an OPTIONS request with Access-Control-Request-Method. It has no
// credentials, and it matches no route. So the middleware belongs outside of what
// asks for credentials, on the mux or on a group:
//
//	m.Use(middleware.Log(logger, nil), cors.New("https://app.example.com"), auth)
//
// What a mux uses covers the 405 that a preflight would get, its redirects and the
// 401 of auth, whose status a page may then read. A group's middleware covers the
// same below the group's prefix.
//
// A request of another origin is not refused, it is answered without the headers, and
// the browser keeps the answer from the page. What must not run is stopped by
// [net/http.CrossOriginProtection].
package cors

import (
	"net/http"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/rs/cors"
)

// New returns middleware that lets pages of the given origins, each as
// "https://app.example.com" or "https://*.example.com", send requests with
// credentials, by the usual methods, and read X-Request-Id. There is a first origin:
// without any the library allows all of them.
//
// OPTIONS requests that are no preflight go on to the mux, which answers 405, or 204
// under [muxwell.AutoOptions]. The methods are not those of the route: a preflight
// for another of them succeeds, and the request gets the mux's 405.
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
