package migrate

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"github.com/muxwell/muxwell"
)

func onChi(fill func(r *chi.Mux)) func() http.Handler {
	return func() http.Handler {
		r := chi.NewRouter()
		fill(r)
		return r
	}
}

var chiRows = []row{
	{
		name: "a router",
		theirs: func() http.Handler {
			r := chi.NewRouter()
			r.Get("/", h)
			return r
		},
		ours: func() http.Handler {
			m := muxwell.New()
			m.Get("/{$}", h)
			return m
		},
		requests: []string{"GET /", "GET /x"},
	},
	{
		name:     "the root",
		theirs:   onChi(func(r *chi.Mux) { r.Get("/", h) }),
		ours:     onMux(func(m *muxwell.Mux) { m.Get("/{$}", h) }),
		requests: []string{"GET /", "GET /x", "GET /x/y"},
	},
	{
		name:     "a route",
		theirs:   onChi(func(r *chi.Mux) { r.Get("/users/{id}", h) }),
		ours:     onMux(func(m *muxwell.Mux) { m.Get("/users/{id}", h) }),
		requests: []string{"GET /users/7", "GET /users/", "GET /users/7/x", "POST /users/7"},
	},
	{
		name:     "any method",
		theirs:   onChi(func(r *chi.Mux) { r.HandleFunc("/any", h) }),
		ours:     onMux(func(m *muxwell.Mux) { m.HandleFunc("/any", h) }),
		requests: []string{"GET /any", "POST /any", "DELETE /any"},
	},
	{
		name: "several methods",
		theirs: onChi(func(r *chi.Mux) {
			r.Get("/form", h)
			r.Post("/form", h)
		}),
		ours:     onMux(func(m *muxwell.Mux) { m.HandleFunc("GET,POST /form", h) }),
		requests: []string{"GET /form", "POST /form", "PUT /form"},
	},
	{
		name: "a custom method",
		theirs: onChi(func(r *chi.Mux) {
			chi.RegisterMethod("PROPFIND")
			r.MethodFunc("PROPFIND", "/dav", h)
		}),
		ours:     onMux(func(m *muxwell.Mux) { m.HandleFunc("PROPFIND /dav", h) }),
		requests: []string{"PROPFIND /dav", "GET /dav"},
	},
	{
		name: "reading a parameter",
		theirs: onChi(func(r *chi.Mux) {
			r.Get("/users/{id}", show(func(r *http.Request) string { return chi.URLParam(r, "id") }))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/users/{id}", show(func(r *http.Request) string { return r.PathValue("id") }))
		}),
		requests: []string{"GET /users/7", "GET /users/a.b"},
	},
	{
		name:     "a regular expression",
		theirs:   onChi(func(r *chi.Mux) { r.Get("/items/{id:[0-9]+}", h) }),
		ours:     onMux(func(m *muxwell.Mux) { m.Get("/items/{id:[0-9]+}", h) }),
		requests: []string{"GET /items/42", "GET /items/x", "GET /items/4x"},
	},
	{
		name:     "text and parameters in a segment",
		theirs:   onChi(func(r *chi.Mux) { r.Get("/v{version}/{name}.json", h) }),
		ours:     onMux(func(m *muxwell.Mux) { m.Get("/v{version}/{name}.json", h) }),
		requests: []string{"GET /v2/a.json", "GET /v2/a.xml", "GET /2/a.json"},
	},
	{
		name: "a catch-all, and reading it",
		theirs: onChi(func(r *chi.Mux) {
			r.Get("/files/*", show(func(r *http.Request) string { return chi.URLParam(r, "*") }))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/files/{path...}", show(func(r *http.Request) string { return r.PathValue("path") }))
		}),
		requests: []string{"GET /files/a/b.txt", "GET /files/", "GET /file"},
	},
	{
		name: "a group with a prefix",
		theirs: onChi(func(r *chi.Mux) {
			r.Route("/api", func(r chi.Router) { r.Get("/users", h) })
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Route("/api", func(g *muxwell.Group) { g.Get("/users", h) })
		}),
		requests: []string{"GET /api/users", "GET /users", "POST /api/users"},
	},
	{
		name: "the prefix itself",
		theirs: onChi(func(r *chi.Mux) {
			r.Route("/api", func(r chi.Router) { r.Get("/", h) })
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Route("/api", func(g *muxwell.Group) {
				g.Get("", h)
				g.Get("/{$}", h)
			})
		}),
		requests: []string{"GET /api", "GET /api/", "GET /api/x"},
	},
	{
		name: "a group without a prefix",
		theirs: onChi(func(r *chi.Mux) {
			r.Get("/open", h)
			r.Group(func(r chi.Router) {
				r.Use(mark)
				r.Get("/closed", h)
			})
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/open", h)
			m.Group(func(g *muxwell.Group) {
				g.Use(mark)
				g.Get("/closed", h)
			})
		}),
		requests: []string{"GET /open", "GET /closed", "GET /other"},
	},
	{
		name: "middleware",
		theirs: onChi(func(r *chi.Mux) {
			r.Use(mark)
			r.Get("/x", h)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Use(mark)
			m.Get("/x", h)
		}),
		requests: []string{"GET /x", "GET /y"},
	},
	{
		name: "chi's own middleware",
		theirs: onChi(func(r *chi.Mux) {
			r.Use(middleware.Heartbeat("/ping"))
			r.Get("/x", h)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Use(middleware.Heartbeat("/ping"))
			m.Get("/x", h)
		}),
		requests: []string{"GET /ping", "GET /x", "GET /y"},
	},
	{
		name: "middleware for one route",
		theirs: onChi(func(r *chi.Mux) {
			r.With(mark).Get("/x", h)
			r.Get("/y", h)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.With(mark).Get("/x", h)
			m.Get("/y", h)
		}),
		requests: []string{"GET /x", "GET /y"},
	},
	{
		name: "mounting a router",
		theirs: onChi(func(r *chi.Mux) {
			admin := chi.NewRouter()
			admin.Get("/users", h)
			r.Mount("/admin", admin)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			admin := muxwell.New()
			admin.Get("/users", h)
			m.Mount("/admin", admin)
		}),
		requests: []string{"GET /admin/users", "GET /users", "GET /admin/x"},
	},
	{
		name: "mounting another handler",
		theirs: onChi(func(r *chi.Mux) {
			debug := show(func(r *http.Request) string { return r.URL.Path })
			r.Mount("/debug", http.StripPrefix("/debug", debug))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			debug := show(func(r *http.Request) string { return r.URL.Path })
			m.Mount("/debug", debug)
		}),
		requests: []string{"GET /debug/pprof", "POST /debug/a/b"},
	},
	{
		name: "404",
		theirs: onChi(func(r *chi.Mux) {
			r.NotFound(notFound)
			r.Get("/x", h)
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.NotFound(http.HandlerFunc(notFound)))
			m.Get("/x", h)
			return m
		},
		requests: []string{"GET /x", "GET /y"},
	},
	{
		name: "405",
		theirs: onChi(func(r *chi.Mux) {
			r.MethodNotAllowed(notAllowed)
			r.Get("/x", h)
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.MethodNotAllowed(http.HandlerFunc(notAllowed)))
			m.Get("/x", h)
			return m
		},
		requests: []string{"GET /x", "POST /x", "POST /y"},
	},
	{
		name: "404 for a group",
		theirs: onChi(func(r *chi.Mux) {
			r.Route("/api", func(r chi.Router) {
				r.NotFound(notFound)
				r.Get("/x", h)
			})
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Route("/api", func(g *muxwell.Group) {
				g.NotFound(http.HandlerFunc(notFound))
				g.Get("/x", h)
			})
		}),
		requests: []string{"GET /api/x", "GET /api/y", "GET /y"},
	},
	{
		name: "HEAD for GET routes",
		theirs: onChi(func(r *chi.Mux) {
			r.Use(middleware.GetHead)
			r.Get("/x", h)
		}),
		ours:     onMux(func(m *muxwell.Mux) { m.Get("/x", h) }),
		requests: []string{"HEAD /x", "GET /x", "HEAD /y"},
	},
	{
		name: "with and without a trailing slash",
		theirs: onChi(func(r *chi.Mux) {
			r.Use(middleware.StripSlashes)
			r.Get("/x", h)
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.TrailingSlash(muxwell.SlashIgnore))
			m.Get("/x", h)
			return m
		},
		requests: []string{"GET /x", "GET /x/", "GET /x/y"},
	},
	{
		name: "a redirect from `/x/` to `/x`",
		theirs: onChi(func(r *chi.Mux) {
			r.Use(middleware.RedirectSlashes)
			r.Get("/x", h)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Use(middleware.RedirectSlashes)
			m.Get("/x", h)
		}),
		requests: []string{"GET /x", "GET /x/", "GET /y"},
	},
	{
		name: "only some media types",
		theirs: onChi(func(r *chi.Mux) {
			r.With(middleware.AllowContentType("application/json")).Post("/items", h)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Post("/items", h, muxwell.ContentType("application/json"))
		}),
		requests: []string{
			"POST /items Content-Type:application/json Body:{}",
			"POST /items Content-Type:text/csv Body:a,b",
			"POST /items",
		},
	},
	{
		name: "static files",
		theirs: onChi(func(r *chi.Mux) {
			r.Handle("/static/*", http.StripPrefix("/static/", http.FileServer(http.Dir("testdata"))))
		}),
		ours:     onMux(func(m *muxwell.Mux) { m.Files("/static/", os.DirFS("testdata")) }),
		requests: []string{"GET /static/hello.txt", "GET /static/missing.txt", "GET /static/dir"},
	},
	{
		name: "the pattern of a request",
		theirs: onChi(func(r *chi.Mux) {
			r.Get("/users/{id}", show(func(r *http.Request) string {
				return chi.RouteContext(r.Context()).RoutePattern()
			}))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/users/{id}", show(func(r *http.Request) string { return m.RouteOf(r).Path() }))
		}),
		requests: []string{"GET /users/7"},
	},
	{
		name: "listing the routes",
		theirs: onChi(func(r *chi.Mux) {
			r.Get("/a", h)
			r.Post("/b/{id}", h)
			r.Get("/routes", show(func(*http.Request) string {
				var list strings.Builder
				chi.Walk(r, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
					fmt.Fprintln(&list, method, route)
					return nil
				})
				return list.String()
			}))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/a", h)
			m.Post("/b/{id}", h)
			m.Get("/routes", show(func(*http.Request) string {
				var list strings.Builder
				for rt := range m.Routes() {
					fmt.Fprintln(&list, rt)
				}
				return list.String()
			}))
		}),
		requests: []string{"GET /routes"},
	},
	{
		name: "finding out whether a route matches",
		theirs: onChi(func(r *chi.Mux) {
			r.Get("/users/{id}", h)
			r.Get("/ask", show(func(*http.Request) string {
				return fmt.Sprint(r.Match(chi.NewRouteContext(), "GET", "/users/7"), r.Match(chi.NewRouteContext(), "GET", "/x"))
			}))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/users/{id}", h)
			m.Get("/ask", show(func(*http.Request) string {
				request := func(path string) *http.Request {
					req, _ := http.NewRequest("GET", path, nil)
					return req
				}
				return fmt.Sprint(m.Explain(request("/users/7")).Route != nil, m.Explain(request("/x")).Route != nil)
			}))
		}),
		requests: []string{"GET /ask"},
	},
	{
		name: "a handler in a test",
		theirs: func() http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				ctx := chi.NewRouteContext()
				ctx.URLParams.Add("id", "7")
				r = r.WithContext(context.WithValue(r.Context(), chi.RouteCtxKey, ctx))
				io.WriteString(w, chi.URLParam(r, "id"))
			})
		},
		ours: func() http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.SetPathValue("id", "7")
				io.WriteString(w, r.PathValue("id"))
			})
		},
		requests: []string{"GET /x"},
	},
}
