package migrate

import (
	"io"
	"net/http"

	"github.com/julienschmidt/httprouter"

	"github.com/muxwell/muxwell"
)

var httprouterTraps = []trap{
	{
		name: "`GET /x`", request: "HEAD /x",
		theirs:      onHTTPRouter(func(r *httprouter.Router) { r.GET("/x", plain) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/x", h) }),
		theirAnswer: "405", ourAnswer: "200 h",
	},
	{
		name: "`GET /x`", request: "OPTIONS /x",
		theirs:      onHTTPRouter(func(r *httprouter.Router) { r.GET("/x", plain) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/x", h) }),
		theirAnswer: "200", ourAnswer: "405",
	},
	{
		name: "`GET /x`, with `AutoOptions()` in muxwell", request: "OPTIONS /x",
		theirs: onHTTPRouter(func(r *httprouter.Router) { r.GET("/x", plain) }),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.AutoOptions())
			m.Get("/x", h)
			return m
		},
		theirAnswer: "200", ourAnswer: "204",
	},
	{
		name: "`GET /x`", request: "GET /x/",
		theirs:      onHTTPRouter(func(r *httprouter.Router) { r.GET("/x", plain) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/x", h) }),
		theirAnswer: "301 /x", ourAnswer: "404",
	},
	{
		name: "`GET /`", request: "GET /nope",
		theirs:      onHTTPRouter(func(r *httprouter.Router) { r.GET("/", plain) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/", h) }),
		theirAnswer: "404", ourAnswer: "200 h",
	},
	{
		name: "`GET /tree/`", request: "GET /tree",
		theirs:      onHTTPRouter(func(r *httprouter.Router) { r.GET("/tree/", plain) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/tree/{$}", h) }),
		theirAnswer: "301 /tree/", ourAnswer: "307 /tree/",
	},
	{
		name: "`GET /x`", request: "GET /X",
		theirs:      onHTTPRouter(func(r *httprouter.Router) { r.GET("/x", plain) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/x", h) }),
		theirAnswer: "301 /x", ourAnswer: "404",
	},
	{
		name: "`GET /x`, with `CaseInsensitive()` in muxwell", request: "GET /X",
		theirs: onHTTPRouter(func(r *httprouter.Router) { r.GET("/x", plain) }),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.CaseInsensitive())
			m.Get("/x", h)
			return m
		},
		theirAnswer: "301 /x", ourAnswer: "200 h",
	},
	{
		name: "`GET /users/{id}/x`", request: "GET /users//x",
		theirs:      onHTTPRouter(func(r *httprouter.Router) { r.GET("/users/:id/x", plain) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/users/{id}/x", h) }),
		theirAnswer: "200 h", ourAnswer: "307 /users/x",
	},
	{
		name: "`GET /users/{id}`, which answers with `id`", request: "GET /users/a%2Fb",
		theirs: onHTTPRouter(func(r *httprouter.Router) {
			r.GET("/users/:id", func(w http.ResponseWriter, r *http.Request, p httprouter.Params) {
				io.WriteString(w, p.ByName("id"))
			})
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/users/{id}", show(func(r *http.Request) string { return r.PathValue("id") }))
		}),
		theirAnswer: "404", ourAnswer: "200 a/b",
	},
}
