package migrate

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"

	"github.com/julienschmidt/httprouter"

	"github.com/muxwell/muxwell"
)

func onHTTPRouter(fill func(r *httprouter.Router)) func() http.Handler {
	return func() http.Handler {
		r := httprouter.New()
		fill(r)
		return r
	}
}

// plain is h as httprouter takes it.
func plain(w http.ResponseWriter, r *http.Request, _ httprouter.Params) { h(w, r) }

var httprouterRows = []row{
	{
		name: "a router",
		theirs: func() http.Handler {
			r := httprouter.New()
			r.HandlerFunc("GET", "/", h)
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
		theirs:   onHTTPRouter(func(r *httprouter.Router) { r.GET("/", plain) }),
		ours:     onMux(func(m *muxwell.Mux) { m.Get("/{$}", h) }),
		requests: []string{"GET /", "GET /x", "GET /x/y"},
	},
	{
		name: "a route with its parameters as an argument",
		theirs: onHTTPRouter(func(r *httprouter.Router) {
			r.GET("/users/:id", func(w http.ResponseWriter, r *http.Request, p httprouter.Params) {
				io.WriteString(w, p.ByName("id"))
			})
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.HandleParams("GET /users/{id}", func(w http.ResponseWriter, r *http.Request, p muxwell.Params) {
				io.WriteString(w, p.Get("id"))
			})
		}),
		requests: []string{"GET /users/7", "GET /users/a.b", "GET /users/7/x", "POST /users/7"},
	},
	{
		name: "a route for an `http.Handler`",
		theirs: onHTTPRouter(func(r *httprouter.Router) {
			r.HandlerFunc("POST", "/users/:id", show(func(r *http.Request) string {
				return httprouter.ParamsFromContext(r.Context()).ByName("id")
			}))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Post("/users/{id}", show(func(r *http.Request) string {
				return r.PathValue("id")
			}))
		}),
		requests: []string{"POST /users/7", "GET /users/7", "POST /users"},
	},
	{
		name:     "a custom method",
		theirs:   onHTTPRouter(func(r *httprouter.Router) { r.Handle("PROPFIND", "/dav", plain) }),
		ours:     onMux(func(m *muxwell.Mux) { m.HandleFunc("PROPFIND /dav", h) }),
		requests: []string{"PROPFIND /dav", "GET /dav"},
	},
	{
		name: "parameters by position",
		theirs: onHTTPRouter(func(r *httprouter.Router) {
			r.GET("/a/:x/:y", func(w http.ResponseWriter, r *http.Request, p httprouter.Params) {
				for i := range p {
					fmt.Fprintln(w, p[i].Key, p[i].Value)
				}
			})
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.HandleParams("GET /a/{x}/{y}", func(w http.ResponseWriter, r *http.Request, p muxwell.Params) {
				for i := range p.Len() {
					fmt.Fprintln(w, p.Name(i), p.At(i))
				}
			})
		}),
		requests: []string{"GET /a/1/2"},
	},
	{
		name: "a catch-all",
		theirs: onHTTPRouter(func(r *httprouter.Router) {
			r.GET("/files/*path", func(w http.ResponseWriter, r *http.Request, p httprouter.Params) {
				io.WriteString(w, p.ByName("path"))
			})
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.HandleParams("GET /files/{path...}", func(w http.ResponseWriter, r *http.Request, p muxwell.Params) {
				io.WriteString(w, "/"+p.Get("path"))
			})
		}),
		requests: []string{"GET /files/a/b.txt", "GET /files/", "GET /file"},
	},
	{
		name: "middleware for all routes",
		theirs: func() http.Handler {
			r := httprouter.New()
			r.GET("/x", plain)
			return mark(r)
		},
		ours: onMux(func(m *muxwell.Mux) {
			m.Use(mark)
			m.Get("/x", h)
		}),
		requests: []string{"GET /x", "GET /y"},
	},
	{
		name:   "middleware for one route",
		theirs: onHTTPRouter(func(r *httprouter.Router) { r.Handler("GET", "/x", mark(http.HandlerFunc(h))) }),
		ours:   onMux(func(m *muxwell.Mux) { m.With(mark).Get("/x", h) }),
		requests: []string{
			"GET /x",
			"GET /y",
		},
	},
	{
		name: "a prefix",
		theirs: onHTTPRouter(func(r *httprouter.Router) {
			r.GET("/api/users", plain)
			r.POST("/api/users", plain)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Route("/api", func(g *muxwell.Group) {
				g.Get("/users", h)
				g.Post("/users", h)
			})
		}),
		requests: []string{"GET /api/users", "POST /api/users", "PUT /api/users"},
	},
	{
		name: "404",
		theirs: onHTTPRouter(func(r *httprouter.Router) {
			r.NotFound = http.HandlerFunc(notFound)
			r.GET("/x", plain)
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
		theirs: onHTTPRouter(func(r *httprouter.Router) {
			r.MethodNotAllowed = http.HandlerFunc(notAllowed)
			r.GET("/x", plain)
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.MethodNotAllowed(http.HandlerFunc(notAllowed)))
			m.Get("/x", h)
			return m
		},
		requests: []string{"GET /x", "POST /x", "POST /y"},
	},
	{
		name: "404 instead of 405",
		theirs: onHTTPRouter(func(r *httprouter.Router) {
			r.HandleMethodNotAllowed = false
			r.GET("/x", plain)
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.MethodNotAllowed(http.NotFoundHandler()))
			m.Get("/x", h)
			return m
		},
		requests: []string{"GET /x", "POST /x"},
	},
	{
		name: "your own answer to OPTIONS",
		theirs: onHTTPRouter(func(r *httprouter.Router) {
			r.GlobalOPTIONS = show(func(*http.Request) string { return "ask" })
			r.GET("/x", plain)
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.OptionsHandler(func(w http.ResponseWriter, r *http.Request, allowed []string) {
				io.WriteString(w, "ask")
			}))
			m.Get("/x", h)
			return m
		},
		requests: []string{"OPTIONS /x", "OPTIONS /y", "GET /x"},
	},
	{
		name: "no answer to OPTIONS",
		theirs: onHTTPRouter(func(r *httprouter.Router) {
			r.HandleOPTIONS = false
			r.GET("/x", plain)
		}),
		ours:     onMux(func(m *muxwell.Mux) { m.Get("/x", h) }),
		requests: []string{"OPTIONS /x", "GET /x"},
	},
	{
		name: "no redirect for a slash",
		theirs: onHTTPRouter(func(r *httprouter.Router) {
			r.RedirectTrailingSlash = false
			r.GET("/tree/", plain)
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.TrailingSlash(muxwell.SlashStrict))
			m.Get("/tree/{$}", h)
			return m
		},
		requests: []string{"GET /tree/", "GET /tree"},
	},
	{
		name: "no redirect to a clean path",
		theirs: onHTTPRouter(func(r *httprouter.Router) {
			r.RedirectFixedPath = false
			r.GET("/a/b", plain)
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.UncleanPath(muxwell.PathStrict))
			m.Get("/a/b", h)
			return m
		},
		requests: []string{"GET /a/b", "GET /a//b", "GET /x/../a/b"},
	},
	{
		name: "a panic handler",
		theirs: onHTTPRouter(func(r *httprouter.Router) {
			r.PanicHandler = func(w http.ResponseWriter, r *http.Request, fault any) { w.WriteHeader(500) }
			r.HandlerFunc("GET", "/x", func(http.ResponseWriter, *http.Request) { panic("x") })
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Use(func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					defer func() {
						if fault := recover(); fault != nil {
							w.WriteHeader(500)
						}
					}()
					next.ServeHTTP(w, r)
				})
			})
			m.Get("/x", func(http.ResponseWriter, *http.Request) { panic("x") })
		}),
		requests: []string{"GET /x"},
	},
	{
		name:     "static files",
		theirs:   onHTTPRouter(func(r *httprouter.Router) { r.ServeFiles("/static/*filepath", http.Dir("testdata")) }),
		ours:     onMux(func(m *muxwell.Mux) { m.Files("/static/", os.DirFS("testdata")) }),
		requests: []string{"GET /static/hello.txt", "GET /static/missing.txt", "POST /static/hello.txt"},
	},
	{
		name: "finding the handler for a path",
		theirs: onHTTPRouter(func(r *httprouter.Router) {
			r.GET("/users/:id", plain)
			r.HandlerFunc("GET", "/ask", show(func(*http.Request) string {
				handle, params, _ := r.Lookup("GET", "/users/7")
				return fmt.Sprint(handle != nil, params.ByName("id"))
			}))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/users/{id}", h)
			m.Get("/ask", show(func(r *http.Request) string {
				r.URL.Path = "/users/7"
				found := m.Explain(r)
				return fmt.Sprint(found.Route != nil, found.Params.Get("id"))
			}))
		}),
		requests: []string{"GET /ask"},
	},
	{
		name: "a handler in a test",
		theirs: func() http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				p := httprouter.Params{{Key: "id", Value: "7"}}
				r = r.WithContext(context.WithValue(r.Context(), httprouter.ParamsKey, p))
				io.WriteString(w, httprouter.ParamsFromContext(r.Context()).ByName("id"))
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
