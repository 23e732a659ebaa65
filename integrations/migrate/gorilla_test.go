package migrate

import (
	"fmt"
	"net/http"

	"github.com/minio/mux" // gorilla/mux's main branch, published

	"github.com/muxwell/muxwell"
)

func onGorilla(fill func(r *mux.Router)) func() http.Handler {
	return func() http.Handler {
		r := mux.NewRouter()
		fill(r)
		return r
	}
}

// gorillaRows are those about the routes themselves.
var gorillaRows = []row{
	{
		name: "a router",
		theirs: func() http.Handler {
			r := mux.NewRouter()
			r.HandleFunc("/", h)
			return r
		},
		ours: func() http.Handler {
			m := muxwell.New()
			m.HandleFunc("/{$}", h)
			return m
		},
		requests: []string{"GET /", "GET /x"},
	},
	{
		name:     "a route",
		theirs:   onGorilla(func(r *mux.Router) { r.HandleFunc("/users/{id}", h) }),
		ours:     onMux(func(m *muxwell.Mux) { m.HandleFunc("/users/{id}", h) }),
		requests: []string{"GET /users/7", "DELETE /users/7", "GET /users/", "GET /users/7/x"},
	},
	{
		name: "its method",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/users/{id}", h).Methods("PUT")
		}),
		ours:     onMux(func(m *muxwell.Mux) { m.HandleFunc("PUT /users/{id}", h) }),
		requests: []string{"PUT /users/7", "GET /users/7"},
	},
	{
		name: "several methods",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/form", h).Methods("GET", "HEAD", "POST")
		}),
		ours:     onMux(func(m *muxwell.Mux) { m.HandleFunc("GET,POST /form", h) }),
		requests: []string{"GET /form", "HEAD /form", "POST /form", "PUT /form"},
	},
	{
		name: "reading a variable",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/users/{id}", show(func(r *http.Request) string { return mux.Vars(r)["id"] }))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.HandleFunc("/users/{id}", show(func(r *http.Request) string { return r.PathValue("id") }))
		}),
		requests: []string{"GET /users/7", "GET /users/a%20b"},
	},
	{
		name: "all of them",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/repos/{repo}", func(w http.ResponseWriter, r *http.Request) {
				for name, value := range mux.Vars(r) {
					fmt.Fprintln(w, name, value)
				}
			})
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.HandleParams("/repos/{repo}", func(w http.ResponseWriter, r *http.Request, p muxwell.Params) {
				for name, value := range p.All() {
					fmt.Fprintln(w, name, value)
				}
			})
		}),
		requests: []string{"GET /repos/go"},
	},
	{
		name: "numbers",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/x/{id:[0-9]+}", h).Methods("GET", "HEAD")
		}),
		ours:     onMux(func(m *muxwell.Mux) { m.HandleFunc("GET /x/{id:uint}", h) }),
		requests: []string{"GET /x/42", "HEAD /x/42", "GET /x/a", "GET /x/4a", "POST /x/42"},
	},
	{
		name:     "another regular expression",
		theirs:   onGorilla(func(r *mux.Router) { r.HandleFunc("/items/{sort:asc|desc}/{year:[0-9]{4}}", h) }),
		ours:     onMux(func(m *muxwell.Mux) { m.HandleFunc("/items/{sort:asc|desc}/{year:[0-9]{4}}", h) }),
		requests: []string{"GET /items/asc/2024", "GET /items/up/2024", "GET /items/desc/24"},
	},
	{
		name: "a variable with slashes",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/files/{path:.*}", show(func(r *http.Request) string { return mux.Vars(r)["path"] }))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.HandleFunc("/files/{path...}", show(func(r *http.Request) string { return r.PathValue("path") }))
		}),
		requests: []string{"GET /files/a/b.txt", "GET /files/", "GET /file"},
	},
	{
		name: "a variable with slashes in the middle",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/repos/{path:.+}/raw", show(func(r *http.Request) string { return mux.Vars(r)["path"] }))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.HandleFunc("/repos/{path...}/raw", show(func(r *http.Request) string { return r.PathValue("path") }))
		}),
		requests: []string{"GET /repos/a/raw", "GET /repos/a/b/raw", "GET /repos/raw"},
	},
	{
		name: "a prefix of paths",
		theirs: onGorilla(func(r *mux.Router) {
			r.PathPrefix("/docs/").HandlerFunc(h)
		}),
		ours:     onMux(func(m *muxwell.Mux) { m.HandleFunc("/docs/", h) }),
		requests: []string{"GET /docs/", "GET /docs/a/b", "GET /doc"},
	},
	{
		name: "a subrouter",
		theirs: onGorilla(func(r *mux.Router) {
			s := r.PathPrefix("/api").Subrouter()
			s.HandleFunc("", other)
			s.HandleFunc("/users", h)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			s := m.Route("/api", nil)
			s.HandleFunc("", other)
			s.HandleFunc("/users", h)
		}),
		requests: []string{"GET /api", "GET /api/users", "GET /users", "GET /api/x"},
	},
	{
		name: "a host",
		theirs: onGorilla(func(r *mux.Router) {
			r.Host("{tenant}.example.com").Path("/shop").HandlerFunc(show(func(r *http.Request) string { return mux.Vars(r)["tenant"] }))
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.HandleFunc("{tenant}.example.com/shop", show(func(r *http.Request) string { return r.PathValue("tenant") }))
		}),
		requests: []string{"GET /shop Host:acme.example.com", "GET /shop Host:acme.example.com:8080", "GET /shop Host:example.org"},
	},
	{
		name: "a subrouter of a host",
		theirs: onGorilla(func(r *mux.Router) {
			s := r.Host("api.example.com").Subrouter()
			s.HandleFunc("/users", h)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			s := m.Route("api.example.com", nil)
			s.HandleFunc("/users", h)
		}),
		requests: []string{"GET /users Host:api.example.com", "GET /users Host:example.com"},
	},
	{
		name: "keys of the query",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/search", show(func(r *http.Request) string { return mux.Vars(r)["q"] })).Queries("q", "{q}")
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Add("/search", show(func(r *http.Request) string { return r.PathValue("q") }), muxwell.Queries("q", "{q...}"))
		}),
		requests: []string{"GET /search?q=a", "GET /search?q=", "GET /search", "GET /search?p=1"},
	},
	{
		name: "headers",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/x", h).Headers("X-Beta", "1")
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Add("/x", http.HandlerFunc(h), muxwell.Headers("X-Beta", "1"))
		}),
		requests: []string{"GET /x X-Beta:1", "GET /x X-Beta:2", "GET /x"},
	},
	{
		name: "headers by expression",
		theirs: onGorilla(func(r *mux.Router) {
			r.NewRoute().HeadersRegexp("X-Beta", "[0-9]").Path("/x").HandlerFunc(h)
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Add("/x", http.HandlerFunc(h), muxwell.HeadersRegexp("X-Beta", ".*[0-9].*"))
		}),
		requests: []string{"GET /x X-Beta:1", "GET /x X-Beta:a1b", "GET /x X-Beta:b", "GET /x"},
	},
	{
		name: "schemes",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/x", h).Schemes("https")
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Add("/x", http.HandlerFunc(h), muxwell.Schemes("https"))
		}),
		requests: []string{"GET https://example.com/x", "GET /x"},
	},
	{
		name: "your own matcher",
		theirs: onGorilla(func(r *mux.Router) {
			r.HandleFunc("/x", h).MatcherFunc(func(r *http.Request, _ *mux.RouteMatch) bool { return r.ProtoMajor == 1 })
			r.HandleFunc("/y", h).MatcherFunc(func(r *http.Request, _ *mux.RouteMatch) bool { return r.ProtoMajor == 2 })
		}),
		ours: onMux(func(m *muxwell.Mux) {
			m.Add("/x", http.HandlerFunc(h), muxwell.MatchFunc(func(r *http.Request) bool { return r.ProtoMajor == 1 }))
			m.Add("/y", http.HandlerFunc(h), muxwell.MatchFunc(func(r *http.Request) bool { return r.ProtoMajor == 2 }))
		}),
		requests: []string{"GET /x", "GET /y"},
	},
}
