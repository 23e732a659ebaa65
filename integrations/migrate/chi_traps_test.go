package migrate

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/muxwell/muxwell"
)

var chiTraps = []trap{
	{
		name: "`GET /x`", request: "HEAD /x",
		theirs:      onChi(func(r *chi.Mux) { r.Get("/x", h) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/x", h) }),
		theirAnswer: "405", ourAnswer: "200 h",
	},
	{
		name: "`GET /`", request: "GET /nope",
		theirs:      onChi(func(r *chi.Mux) { r.Get("/", h) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/", h) }),
		theirAnswer: "404", ourAnswer: "200 h",
	},
	{
		name: "`GET /` of a router mounted at `/admin`", request: "GET /admin/nope",
		theirs: onChi(func(r *chi.Mux) {
			admin := chi.NewRouter()
			admin.Get("/", h)
			r.Mount("/admin", admin)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			admin := muxwell.New()
			admin.Get("/", h)
			m.Mount("/admin", admin)
		}),
		theirAnswer: "404", ourAnswer: "200 h",
	},
	{
		name: "`GET /tree/`", request: "GET /tree",
		theirs:      onChi(func(r *chi.Mux) { r.Get("/tree/", h) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/tree/{$}", h) }),
		theirAnswer: "404", ourAnswer: "307 /tree/",
	},
	{
		name: "`GET /x` of a router with a guard mounted at `/`", request: "GET /nope",
		theirs: onChi(func(r *chi.Mux) {
			guarded := chi.NewRouter()
			guarded.Use(deny)
			guarded.Get("/x", h)
			r.Mount("/", guarded)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			guarded := muxwell.New()
			guarded.Use(deny)
			guarded.Get("/x", h)
			m.Mount("/", guarded)
		}),
		theirAnswer: "403", ourAnswer: "404",
	},
	{
		name: "`GET /x` of a router with a guard mounted at `/admin`, and a catch-all outside", request: "GET /admin/nope",
		theirs: onChi(func(r *chi.Mux) {
			guarded := chi.NewRouter()
			guarded.Use(deny)
			guarded.Get("/x", h)
			r.Mount("/admin", guarded)
			r.Get("/*", h)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			guarded := muxwell.New()
			guarded.Use(deny)
			guarded.Get("/x", h)
			m.Mount("/admin", guarded)
			m.Get("/{path...}", h)
		}),
		theirAnswer: "403", ourAnswer: "200 h",
	},
	{
		name: "`GET /{x}/y`", request: "GET //y",
		theirs:      onChi(func(r *chi.Mux) { r.Get("/{x}/y", h) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/{x}/y", h) }),
		theirAnswer: "200 h", ourAnswer: "307 /y",
	},
	{
		name: "`GET /{a}-{b}`", request: "GET /-b",
		theirs:      onChi(func(r *chi.Mux) { r.Get("/{a}-{b}", h) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/{a}-{b}", h) }),
		theirAnswer: "200 h", ourAnswer: "404",
	},
	{
		name: "`GET /{name}.json`", request: "GET /a.b.json",
		theirs:      onChi(func(r *chi.Mux) { r.Get("/{name}.json", h) }),
		ours:        onMux(func(m *muxwell.Mux) { m.Get("/{name}.json", h) }),
		theirAnswer: "404", ourAnswer: "200 h",
	},
	{
		name: "`GET /users/{id}`, which answers with `id`", request: "GET /users/a%2Fb",
		theirs: onChi(func(r *chi.Mux) {
			r.Get("/users/{id}", show(func(r *http.Request) string { return chi.URLParam(r, "id") }))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/users/{id}", show(func(r *http.Request) string { return r.PathValue("id") }))
		}),
		theirAnswer: "200 a%2Fb", ourAnswer: "200 a/b",
	},
	{
		name: "`GET /users/{id}`, middleware that answers with the pattern", request: "GET /users/7",
		theirs: onChi(func(r *chi.Mux) {
			r.Use(func(http.Handler) http.Handler {
				return show(func(r *http.Request) string { return chi.RouteContext(r.Context()).RoutePattern() })
			})
			r.Get("/users/{id}", h)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Use(func(http.Handler) http.Handler {
				return show(func(r *http.Request) string { return m.RouteOf(r).Path() })
			})
			m.Get("/users/{id}", h)
		}),
		theirAnswer: "200", ourAnswer: "200 /users/{id}",
	},
}
