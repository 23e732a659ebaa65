package migrate

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell"
)

func onServeMux(fill func(mux *http.ServeMux)) func() http.Handler {
	return func() http.Handler {
		mux := http.NewServeMux()
		fill(mux)
		return mux
	}
}

var serveMuxRows = []row{
	{
		name: "a mux",
		theirs: func() http.Handler {
			mux := http.NewServeMux()
			mux.HandleFunc("/{$}", h)
			return mux
		},
		ours: func() http.Handler {
			m := muxwell.New()
			m.HandleFunc("/{$}", h)
			return m
		},
		requests: []string{"GET /", "GET /x"},
	},
	{
		name: "a route, and reading a parameter: the same",
		theirs: onServeMux(func(mux *http.ServeMux) {
			mux.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) {
				io.WriteString(w, r.PathValue("id"))
			})
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) {
				io.WriteString(w, r.PathValue("id"))
			})
		}),
		requests: []string{"GET /users/7", "HEAD /users/7", "POST /users/7", "GET /users/", "GET //users/7", "GET /users/a%2Fb"},
	},
	{
		name: "several methods",
		theirs: onServeMux(func(mux *http.ServeMux) {
			mux.HandleFunc("GET /form", h)
			mux.HandleFunc("POST /form", h)
		}),
		ours:     onMux(func(m *muxwell.Mux) { m.HandleFunc("GET,POST /form", h) }),
		requests: []string{"GET /form", "HEAD /form", "POST /form", "PUT /form"},
	},
	{
		name: "numbers only",
		theirs: onServeMux(func(mux *http.ServeMux) {
			mux.HandleFunc("GET /orders/{id}", func(w http.ResponseWriter, r *http.Request) {
				if _, err := strconv.Atoi(r.PathValue("id")); err != nil {
					http.NotFound(w, r)
					return
				}
				h(w, r)
			})
		}),
		ours:     onMux(func(m *muxwell.Mux) { m.HandleFunc("GET /orders/{id:int}", h) }),
		requests: []string{"GET /orders/7", "GET /orders/x"},
	},
	{
		name: "text next to a parameter",
		theirs: onServeMux(func(mux *http.ServeMux) {
			mux.HandleFunc("GET /files/{file}", func(w http.ResponseWriter, r *http.Request) {
				name, ok := strings.CutSuffix(r.PathValue("file"), ".json")
				if !ok {
					http.NotFound(w, r)
					return
				}
				io.WriteString(w, name)
			})
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.HandleFunc("GET /files/{name}.json", func(w http.ResponseWriter, r *http.Request) {
				io.WriteString(w, r.PathValue("name"))
			})
		}),
		requests: []string{"GET /files/a.json", "GET /files/a.xml"},
	},
	{
		name: "any subdomain",
		theirs: onServeMux(func(mux *http.ServeMux) {
			mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) {
				tenant, ok := strings.CutSuffix(r.Host, ".example.com")
				if !ok {
					http.NotFound(w, r)
					return
				}
				io.WriteString(w, tenant)
			})
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.HandleFunc("GET {tenant}.example.com/", func(w http.ResponseWriter, r *http.Request) {
				io.WriteString(w, r.PathValue("tenant"))
			})
		}),
		requests: []string{"GET /x Host:acme.example.com", "GET /x Host:example.org"},
	},
	{
		name: "a prefix",
		theirs: onServeMux(func(mux *http.ServeMux) {
			mux.HandleFunc("GET /api/users", h)
			mux.HandleFunc("GET /api/items", other)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Route("/api", func(g *muxwell.Group) {
				g.Get("/users", h)
				g.Get("/items", other)
			})
		}),
		requests: []string{"GET /api/users", "GET /api/items", "GET /api", "POST /api/users"},
	},
	{
		name: "mounting a mux",
		theirs: onServeMux(func(mux *http.ServeMux) {
			admin := http.NewServeMux()
			admin.HandleFunc("GET /users", h)
			mux.Handle("/admin/", http.StripPrefix("/admin", admin))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			admin := muxwell.New()
			admin.HandleFunc("GET /users", h)
			m.Mount("/admin", admin)
		}),
		requests: []string{"GET /admin/users", "GET /admin/x", "POST /admin/users"},
	},
	{
		name: "middleware for all routes",
		theirs: func() http.Handler {
			mux := http.NewServeMux()
			mux.HandleFunc("GET /x", h)
			return mark(mux)
		},
		ours: onMux(func(m *muxwell.Mux) {
			m.Use(mark)
			m.HandleFunc("GET /x", h)
		}),
		requests: []string{"GET /x", "GET /y"},
	},
	{
		name: "middleware for some routes",
		theirs: onServeMux(func(mux *http.ServeMux) {
			mux.Handle("GET /x", mark(http.HandlerFunc(h)))
			mux.HandleFunc("GET /y", h)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.With(mark).Get("/x", h)
			m.HandleFunc("GET /y", h)
		}),
		requests: []string{"GET /x", "GET /y"},
	},
	{
		name: "404",
		theirs: onServeMux(func(mux *http.ServeMux) {
			mux.HandleFunc("/", notFound)
			mux.HandleFunc("/x", h)
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
		theirs: onServeMux(func(mux *http.ServeMux) {
			mux.HandleFunc("GET /x", h)
			mux.HandleFunc("/x", notAllowed)
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.MethodNotAllowed(http.HandlerFunc(notAllowed)))
			m.HandleFunc("GET /x", h)
			return m
		},
		requests: []string{"GET /x", "POST /x", "POST /y"},
	},
	{
		name: "`/tree` as `/tree/`, without a redirect",
		theirs: onServeMux(func(mux *http.ServeMux) {
			mux.HandleFunc("GET /tree", h)
			mux.HandleFunc("GET /tree/{$}", h)
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.TrailingSlash(muxwell.SlashIgnore))
			m.HandleFunc("GET /tree", h)
			return m
		},
		requests: []string{"GET /tree", "GET /tree/", "GET /tree/x"},
	},
	{
		name: "static files",
		theirs: onServeMux(func(mux *http.ServeMux) {
			var files fs.FS = os.DirFS("testdata")
			mux.Handle("GET /static/", http.StripPrefix("/static/", http.FileServerFS(files)))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			var files fs.FS = os.DirFS("testdata")
			m.Files("/static/", files)
		}),
		requests: []string{"GET /static/hello.txt", "GET /static", "GET /static/dir", "GET /static/missing.txt", "POST /static/hello.txt"},
	},
	{
		name: "URLs",
		theirs: onServeMux(func(mux *http.ServeMux) {
			mux.HandleFunc("GET /users/{id}", h)
			mux.HandleFunc("GET /link", show(func(*http.Request) string {
				return fmt.Sprintf("/users/%s", "7")
			}))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Get("/users/{id}", h, muxwell.Name("user"))
			m.HandleFunc("GET /link", show(func(*http.Request) string {
				path, _ := m.Path("user", "id", "7")
				return path
			}))
		}),
		requests: []string{"GET /link"},
	},
	{
		name: "the pattern of a request: the same",
		theirs: onServeMux(func(mux *http.ServeMux) {
			mux.HandleFunc("GET /users/{id}", show(func(r *http.Request) string { return r.Pattern }))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.HandleFunc("GET /users/{id}", show(func(r *http.Request) string { return r.Pattern }))
		}),
		requests: []string{"GET /users/7"},
	},
	{
		name: "finding the pattern of a request: the same",
		theirs: onServeMux(func(mux *http.ServeMux) {
			mux.HandleFunc("GET /users/{id}", h)
			mux.HandleFunc("GET /ask", show(func(r *http.Request) string {
				r.URL.Path = "/users/7"
				_, pattern := mux.Handler(r)
				return pattern
			}))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.HandleFunc("GET /users/{id}", h)
			m.HandleFunc("GET /ask", show(func(r *http.Request) string {
				r.URL.Path = "/users/7"
				_, pattern := m.Handler(r)
				return pattern
			}))
		}),
		requests: []string{"GET /ask"},
	},
	{
		name: "a handler in a test: the same",
		theirs: func() http.Handler {
			return show(func(r *http.Request) string {
				r.SetPathValue("id", "7")
				return r.PathValue("id")
			})
		},
		ours: func() http.Handler {
			return show(func(r *http.Request) string {
				r.SetPathValue("id", "7")
				return r.PathValue("id")
			})
		},
		requests: []string{"GET /x"},
	},
}

var serveMuxTraps = []trap{
	{
		name: "`GET /x`; in http.ServeMux also `/` for a 404", request: "POST /x",
		theirs: onServeMux(func(mux *http.ServeMux) {
			mux.HandleFunc("/", notFound)
			mux.HandleFunc("GET /x", h)
		}),
		ours: func() http.Handler {
			m := muxwell.New(muxwell.NotFound(http.HandlerFunc(notFound)))
			m.HandleFunc("GET /x", h)
			return m
		},
		theirAnswer: "404 nothing here", ourAnswer: "405",
	},
	{
		name: "`api.example.com/x`", request: "GET /x Host:API.example.com",
		theirs:      onServeMux(func(mux *http.ServeMux) { mux.HandleFunc("api.example.com/x", h) }),
		ours:        onMux(func(m *muxwell.Mux) { m.HandleFunc("api.example.com/x", h) }),
		theirAnswer: "404", ourAnswer: "200 h",
	},
	{
		name: "`/x/{y}`, up to Go 1.26", request: "GET /x//a%20b",
		theirs:      onServeMux(func(mux *http.ServeMux) { mux.HandleFunc("/x/{y}", h) }),
		ours:        onMux(func(m *muxwell.Mux) { m.HandleFunc("/x/{y}", h) }),
		theirAnswer: "307 /x/a%2520b", ourAnswer: "307 /x/a%20b",
		fixed: "go1.27",
	},
	{
		name: "`/x/{y}`, which matches `%2F`", request: "GET /x/%2F",
		theirs:      onServeMux(func(mux *http.ServeMux) { mux.HandleFunc("/x/{y}", h) }),
		ours:        onMux(func(m *muxwell.Mux) { m.HandleFunc("/x/{y}", h) }),
		theirAnswer: "404", ourAnswer: "200 h",
	},
}
