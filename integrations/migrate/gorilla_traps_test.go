package migrate

import (
	"net/http"

	"github.com/minio/mux"

	"github.com/muxwell/muxwell"
)

var gorillaTraps = []trap{
	{
		name: "`GET /x`", request: "HEAD /x",
		theirs:      onGorilla(func(r *mux.Router) { r.HandleFunc("/x", h).Methods("GET") }),
		ours:        onMux(func(m *muxwell.Mux) { m.HandleFunc("GET /x", h) }),
		theirAnswer: "405", ourAnswer: "200 h",
	},
	{
		name: "`/users/{id}`, then `/users/me` for `other`", request: "GET /users/me",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/users/{id}", h)
			r.HandleFunc("/users/me", other)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.HandleFunc("/users/{id}", h)
			m.HandleFunc("/users/me", other)
		}),
		theirAnswer: "200 h", ourAnswer: "200 other",
	},
	{
		name: "`/tree/`, with `StrictSlash(true)` in gorilla/mux", request: "GET /tree",
		theirs:      onGorilla(func(r *mux.Router) { r.StrictSlash(true).HandleFunc("/tree/", h) }),
		ours:        onMux(func(m *muxwell.Mux) { m.HandleFunc("/tree/{$}", h) }),
		theirAnswer: "301 /tree/", ourAnswer: "307 /tree/",
	},
	{
		name: "`/x`, with `StrictSlash(true)` in gorilla/mux", request: "GET /x/",
		theirs:      onGorilla(func(r *mux.Router) { r.StrictSlash(true).HandleFunc("/x", h) }),
		ours:        onMux(func(m *muxwell.Mux) { m.HandleFunc("/x", h) }),
		theirAnswer: "301 /x", ourAnswer: "404",
	},
	{
		name: "`/tree/`", request: "GET /tree",
		theirs:      onGorilla(func(r *mux.Router) { r.HandleFunc("/tree/", h) }),
		ours:        onMux(func(m *muxwell.Mux) { m.HandleFunc("/tree/{$}", h) }),
		theirAnswer: "404", ourAnswer: "307 /tree/",
	},
	{
		name: "`/a/b`", request: "GET /a//b",
		theirs:      onGorilla(func(r *mux.Router) { r.HandleFunc("/a/b", h) }),
		ours:        onMux(func(m *muxwell.Mux) { m.HandleFunc("/a/b", h) }),
		theirAnswer: "301 /a/b", ourAnswer: "307 /a/b",
	},
	{
		name: "the prefix `/doc`", request: "GET /documents",
		theirs:      onGorilla(func(r *mux.Router) { r.PathPrefix("/doc").HandlerFunc(h) }),
		ours:        onMux(func(m *muxwell.Mux) { m.HandleFunc("/doc/", h) }),
		theirAnswer: "200 h", ourAnswer: "404",
	},
	{
		name: "`/{a}-{b}`, which answers with `a`", request: "GET /1-2-3",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/{a}-{b}", show(func(r *http.Request) string { return mux.Vars(r)["a"] }))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.HandleFunc("/{a}-{b}", show(func(r *http.Request) string { return r.PathValue("a") }))
		}),
		theirAnswer: "200 1-2", ourAnswer: "200 1",
	},
	{
		name: "`/users/{id}`", request: "GET /users/a%2Fb",
		theirs:      onGorilla(func(r *mux.Router) { r.HandleFunc("/users/{id}", h) }),
		ours:        onMux(func(m *muxwell.Mux) { m.HandleFunc("/users/{id}", h) }),
		theirAnswer: "404", ourAnswer: "200 h",
	},
	{
		name: "`/users/{id}`, which answers with `id`, with `UseEncodedPath()` in gorilla/mux", request: "GET /users/a%2Fb",
		theirs: onGorilla(func(r *mux.Router) {
			r.UseEncodedPath().HandleFunc("/users/{id}", show(func(r *http.Request) string { return mux.Vars(r)["id"] }))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.HandleFunc("/users/{id}", show(func(r *http.Request) string { return r.PathValue("id") }))
		}),
		theirAnswer: "200 a%2Fb", ourAnswer: "200 a/b",
	},
	{
		name: "`/x` with a header `X-Beta` that matches `[0-9]`", request: "GET /x X-Beta:a1b",
		theirs: onGorilla(func(r *mux.Router) { r.HandleFunc("/x", h).HeadersRegexp("X-Beta", "[0-9]") }),
		ours: onMux(func(m *muxwell.Mux) {
			m.Add("/x", http.HandlerFunc(h), muxwell.HeadersRegexp("X-Beta", "[0-9]"))
		}),
		theirAnswer: "200 h", ourAnswer: "404",
	},
	{
		name: "`/x`, middleware that answers 403", request: "GET /y",
		theirs: onGorilla(func(r *mux.Router) {
			r.Use(deny)
			r.HandleFunc("/x", h)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Use(deny)
			m.HandleFunc("/x", h)
		}),
		theirAnswer: "404", ourAnswer: "403",
	},
}
