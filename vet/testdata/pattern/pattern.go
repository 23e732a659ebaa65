package pattern

import (
	"net/http"

	"github.com/muxwell/muxwell"
)

const prefix = "/api"

func serveMux(h http.HandlerFunc) {
	m := http.NewServeMux()
	m.HandleFunc("GET /users/{id}", h)
	m.HandleFunc("/{id", h)                      // want `pattern "/{id": bad wildcard segment`
	m.HandleFunc("/users/:id", h)                // want `":id" is literal text; for a parameter write "/users/{id}"`
	m.HandleFunc("get /x", h)                    // want `"get" is a method of its own`
	m.HandleFunc("/files/*path", h)              // want `"\*path" is literal text`
	m.HandleFunc("http://example.com/x", h)      // want `a pattern has no scheme; write "example.com/x"`
	m.HandleFunc("GET https://example.com/x", h) // want `a pattern has no scheme`
	m.HandleFunc("/<int:id>", h)                 // want `is literal text`
	m.HandleFunc("/{id:int}", h)                 // want `bad wildcard name`
	m.HandleFunc(prefix+"/{a...}/b", h)          // want `not at end`
	m.HandleFunc("/a/../b", h)
	m.HandleFunc("GET /a/../b", h) // want `unclean path`
	http.HandleFunc("/{x}/{x}", h) // want `duplicate wildcard name`
	m.HandleFunc("/tree/", h)
	m.HandleFunc("/{$}", h)
}

func mux(h http.HandlerFunc, unknown *muxwell.Mux, options []muxwell.Option) {
	m := muxwell.New(muxwell.Constraint("even", func(s string) bool { return len(s)%2 == 0 }))
	m.Get("/{id:even}", h)
	m.Get("/{id:evn}", h)           // want `unknown constraint evn`
	m.Get("GET /x", h)              // want `the function's name already has the method`
	m.Get("/a/{id?}", h)            // want `optional parameters are not supported`
	m.Post("/users/:id", h)         // want `":id" is literal text`
	m.HandleFunc("GET, POST /x", h) // want `space after a comma`
	m.Add("//x", h)                 // an empty segment, for CONNECT
	m.Add("GET //x", h)             // want `no GET request reaches this path`
	unknown.Get("/{id:other}", h)
	unknown.Get("/{id", h) // want `'{' is never closed`
	muxwell.New(options...).Get("/{id:other}", h)
	muxwell.New(muxwell.UncleanPath(muxwell.PathServe)).Get("/a//b", h)
	m.Route("/v1", func(g *muxwell.Group) {
		g.Get("", h)
		g.Get("users", h) // want `a path must begin with a slash`
		g.Get("/{", h)    // want `never closed`
	})
}

type server struct{ mux *http.ServeMux }

func (s *server) handle(pattern string, h http.HandlerFunc) {
	s.mux.HandleFunc("GET "+pattern, h)
}

func (s *server) routes(h http.HandlerFunc) {
	s.handle("/users/{id}", h)
	s.handle("/users/{i d}", h) // want `pattern "GET /users/{i d}": bad wildcard name`
	handle := func(pattern string, h http.HandlerFunc) { s.mux.HandleFunc(pattern, h) }
	handle("/{", h) // want `bad wildcard segment`
	for _, p := range []string{"/a", "/b"} {
		s.handle(p, h)
	}
}
