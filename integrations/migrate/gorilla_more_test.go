package migrate

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/minio/mux"

	"github.com/muxwell/muxwell"
)

// corsMethods is a handler that answers with a header of what h answers.
func corsMethods(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		io.WriteString(w, rec.Header().Get("Access-Control-Allow-Methods"))
	})
}

// gorillaMoreRows are those about what is around the routes.
var gorillaMoreRows = []row{
	{
		name: "a name, and a path from it",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/users/{id}", h).Name("user")
			r.HandleFunc("/link", show(func(*http.Request) string {
				u, _ := r.Get("user").URLPath("id", "7")
				return u.String()
			}))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Add("/users/{id}", http.HandlerFunc(h), muxwell.Name("user"))
			m.HandleFunc("/link", show(func(*http.Request) string {
				path, _ := m.Path("user", "id", "7")
				return path
			}))
		}),
		requests: []string{"GET /link"},
	},
	{
		name: "a URL from a name",
		theirs: onGorilla(func(r *mux.Router) {
			r.Host("{tenant}.example.com").Schemes("https").Path("/search").Queries("q", "{q}").Name("search").HandlerFunc(h)
			r.HandleFunc("/link", show(func(*http.Request) string {
				u, _ := r.Get("search").URL("tenant", "acme", "q", "a b")
				return u.String()
			}))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Add("{tenant}.example.com/search", http.HandlerFunc(h),
				muxwell.Name("search"), muxwell.Schemes("https"), muxwell.Queries("q", "{q}"))
			m.HandleFunc("/link", show(func(*http.Request) string {
				u, _ := m.URL("search", "tenant", "acme", "q", "a b")
				return u.String()
			}))
		}),
		requests: []string{"GET /link"},
	},
	{
		name: "metadata",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/x", show(func(r *http.Request) string {
				role, _ := mux.CurrentRoute(r).GetMetadataValue("role")
				return fmt.Sprint(role)
			})).Metadata("role", "auditor")
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Add("/x", show(func(r *http.Request) string {
				role, _ := m.RouteOf(r).Meta("role")
				return fmt.Sprint(role)
			}), muxwell.Meta("role", "auditor"))
		}),
		requests: []string{"GET /x"},
	},
	{
		name: "middleware",
		theirs: onGorilla(func(r *mux.Router) {
			r.Use(mark)
			r.HandleFunc("/x", h)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Use(mark)
			m.HandleFunc("/x", h)
		}),
		requests: []string{"GET /x"},
	},
	{
		name: "middleware for a subrouter",
		theirs: onGorilla(func(r *mux.Router) {
			s := r.PathPrefix("/api").Subrouter()
			s.Use(mark)
			s.HandleFunc("/x", h)
			r.HandleFunc("/x", h)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			s := m.Route("/api", nil)
			s.Use(mark)
			s.HandleFunc("/x", h)
			m.HandleFunc("/x", h)
		}),
		requests: []string{"GET /api/x", "GET /x"}, // what matches nothing is a trap
	},
	{
		name: "middleware for one route",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/x", h).Use(mark)
			r.HandleFunc("/y", h)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.With(mark).HandleFunc("/x", h)
			m.HandleFunc("/y", h)
		}),
		requests: []string{"GET /x", "GET /y"},
	},
	{
		name: "404",
		theirs: onGorilla(func(r *mux.Router) {
			r.NotFoundHandler = http.HandlerFunc(notFound)
			r.HandleFunc("/x", h)
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.NotFound(http.HandlerFunc(notFound)))
			m.HandleFunc("/x", h)
			return m
		},
		requests: []string{"GET /x", "GET /y"},
	},
	{
		name: "405",
		theirs: onGorilla(func(r *mux.Router) {
			r.MethodNotAllowedHandler = http.HandlerFunc(notAllowed)
			r.HandleFunc("/x", h).Methods("PUT")
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.MethodNotAllowed(http.HandlerFunc(notAllowed)))
			m.HandleFunc("PUT /x", h)
			return m
		},
		requests: []string{"PUT /x", "GET /x", "GET /y"},
	},
	{
		name: "the methods for CORS",
		theirs: func() http.Handler {
			r := mux.NewRouter()
			r.HandleFunc("/x", h).Methods("OPTIONS", "PUT")
			r.Use(mux.CORSMethodMiddleware(r))
			return corsMethods(r)
		},
		ours: func() http.Handler {
			m := muxwell.New(muxwell.OptionsHandler(func(w http.ResponseWriter, r *http.Request, allowed []string) {
				w.Header().Set("Access-Control-Allow-Methods", strings.Join(allowed, ","))
			}))
			m.HandleFunc("PUT /x", h)
			return corsMethods(m)
		},
		requests: []string{"OPTIONS /x"},
	},
	{
		name: "no redirect for a slash",
		theirs: onGorilla(func(r *mux.Router) {
			r.StrictSlash(false)
			r.HandleFunc("/tree/", h)
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.TrailingSlash(muxwell.SlashStrict))
			m.HandleFunc("/tree/{$}", h)
			return m
		},
		requests: []string{"GET /tree/", "GET /tree"},
	},
	{
		name: "no redirect to a clean path",
		theirs: onGorilla(func(r *mux.Router) {
			r.SkipClean(true)
			r.HandleFunc("/proxy/{url:.*}", show(func(r *http.Request) string { return mux.Vars(r)["url"] }))
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.UncleanPath(muxwell.PathServe))
			m.HandleFunc("/proxy/{url...}", show(func(r *http.Request) string { return r.PathValue("url") }))
			return m
		},
		requests: []string{"GET /proxy/http://example.com/x", "GET /proxy/a/../b", "GET //proxy/a"},
	},
	{
		name: "escaped slashes in a value",
		theirs: onGorilla(func(r *mux.Router) {
			r.UseEncodedPath()
			r.HandleFunc("/users/{id}", h)
		}),
		ours:     onMux(func(m *muxwell.Mux) { m.HandleFunc("/users/{id}", h) }),
		requests: []string{"GET /users/a%2Fb", "GET /users/a/b"},
	},
	{
		name: "static files",
		theirs: onGorilla(func(r *mux.Router) {
			r.PathPrefix("/static/").Handler(http.StripPrefix("/static/", http.FileServer(http.Dir("testdata"))))
		}),
		ours:     onMux(func(m *muxwell.Mux) { m.Files("/static/", os.DirFS("testdata")) }),
		requests: []string{"GET /static/hello.txt", "HEAD /static/hello.txt", "GET /static/missing.txt", "GET /static/dir"},
	},
	{
		name: "the route of a request",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/users/{id}", show(func(r *http.Request) string {
				template, _ := mux.CurrentRoute(r).GetPathTemplate()
				return mux.CurrentRoute(r).GetName() + " " + template
			})).Name("user")
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Add("/users/{id}", show(func(r *http.Request) string {
				template := m.RouteOf(r).Path()
				return m.RouteOf(r).Name() + " " + template
			}), muxwell.Name("user"))
		}),
		requests: []string{"GET /users/7"},
	},
	{
		name: "listing the routes",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/a", h).Methods("PUT", "POST")
			r.HandleFunc("/list", show(func(*http.Request) string {
				var list strings.Builder
				r.Walk(func(rt *mux.Route, _ *mux.Router, _ []*mux.Route) error {
					template, _ := rt.GetPathTemplate()
					methods, _ := rt.GetMethods()
					fmt.Fprintln(&list, template, methods)
					return nil
				})
				return list.String()
			})).Methods("GET")
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.HandleFunc("PUT,POST /a", h)
			m.HandleFunc("GET /list", show(func(*http.Request) string {
				var list strings.Builder
				for rt := range m.Routes() {
					fmt.Fprintln(&list, rt.Path(), rt.Methods())
				}
				return list.String()
			}))
		}),
		requests: []string{"GET /list"},
	},
	{
		name: "finding the route for a request",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/users/{id}", h).Name("user")
			r.HandleFunc("/ask", show(func(req *http.Request) string {
				req.URL.Path = "/users/7"
				var match mux.RouteMatch
				return fmt.Sprint(r.Match(req, &match), match.Route.GetName(), match.Vars["id"])
			}))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Add("/users/{id}", http.HandlerFunc(h), muxwell.Name("user"))
			m.HandleFunc("/ask", show(func(req *http.Request) string {
				req.URL.Path = "/users/7"
				match := m.Explain(req)
				return fmt.Sprint(match.Route != nil, match.Route.Name(), match.Params.Get("id"))
			}))
		}),
		requests: []string{"GET /ask"},
	},
	{
		name: "a handler in a test",
		theirs: func() http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r = mux.SetURLVars(r, map[string]string{"id": "7"})
				io.WriteString(w, mux.Vars(r)["id"])
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
