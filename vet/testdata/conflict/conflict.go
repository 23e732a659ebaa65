package conflict

import (
	"net/http"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/vet/testdata/conflict/users"
)

func duplicates(h http.HandlerFunc, debug bool) {
	m := http.NewServeMux()
	m.HandleFunc("/a/{x}", h)
	m.HandleFunc("/a/{y}", h) // want `pattern "/a/{y}" conflicts with "/a/{x}" \(conflict.go:12\)`
	m.HandleFunc("/{x}/b", h) // want `conflicts with "/a/{x}"` `conflicts with "/a/{y}"`
	m.HandleFunc("/c", h)
	if debug {
		m.HandleFunc("/c", h) // want `conflicts with "/c"`
		m.HandleFunc("/d", h)
	} else {
		m.HandleFunc("/d", h)
	}
	if !debug {
		m.HandleFunc("/d", h)
	}
	other := http.NewServeMux()
	other.HandleFunc("/c", h)
}

func alternatives(h http.HandlerFunc, debug bool) http.Handler {
	m := http.NewServeMux()
	if debug {
		m.HandleFunc("/", h)
		return m
	}
	m.HandleFunc("/", h)
	return m
}

func packages(h http.HandlerFunc, debug bool) {
	m := http.NewServeMux()
	users.Register(m, h)
	users.RegisterSome(m, h, debug)
	m.HandleFunc("GET /users/{name}", h) // want `conflicts with "GET /users/{id}" \(users.go:10\)`
}

func groups(h http.HandlerFunc) {
	m := muxwell.New()
	m.Get("/api/users/{id}", h)
	m.Route("/api", func(g *muxwell.Group) {
		g.Get("/users/{name}", h) // want `pattern "GET /api/users/{name}" conflicts with "GET /api/users/{id}"`
		g.Post("/users/{name}", h)
	})
	users.Group(m.Route("/api/users", nil), h) // want `conflicts with "GET /api/users/{id}"` `conflicts with "GET /api/users/{name}"`
	m.Get("/b/{x:int}", h)
	m.Get("/b/{x:[0-9]+}", h) // want `is unreachable because of "GET /b/{x:int}"`
	m.Get("/h", h, muxwell.Headers("X-A", ""))
	m.Get("/h", h, muxwell.Headers("X-B", ""))
	m.Get("/h", h, muxwell.MatchFunc(func(*http.Request) bool { return true }))
	m.Get("/h", h, muxwell.MatchFunc(func(*http.Request) bool { return true }))
	m.Get("/h", h, muxwell.Headers("X-A", "")) // want `is unreachable because of`
}

func update(m *muxwell.Mux, h http.Handler, old *muxwell.Route) {
	m.Update(func(tx *muxwell.Tx) error {
		tx.Add("/u", h)
		tx.Remove(old)
		tx.Add("/u", h)
		return nil
	})
}

type server struct{ mux *http.ServeMux }

func (s *server) routes(h http.HandlerFunc) {
	s.mux.HandleFunc("/x", h)
	s.mux.HandleFunc("/x", h) // want `conflicts with "/x"`
	s.more(h)
}

func (s *server) more(h http.HandlerFunc) {
	s.mux.HandleFunc("/x", h) // want `conflicts with "/x"` `conflicts with "/x"`
}

var global = http.NewServeMux()

func init() { global.HandleFunc("/g", nil) }

func init() { global.HandleFunc("/g", nil) } // want `conflicts with "/g"`

func mounted(h http.HandlerFunc, debug bool) {
	m := muxwell.New()
	m.Get("/api/users/{id}", h)
	m.Get("/api/n/{x:int}", h)
	api := muxwell.New()
	api.Get("/users/{name}", h) // want `pattern "GET /api/users/{name}" conflicts with "GET /api/users/{id}" \(conflict.go:\d+\)`
	api.Get("/users/{name}/posts", h)
	m.Mount("/api", api)

	nested := muxwell.New()
	nested.Get("/{post}", h)
	api.Mount("/users/{name}", nested)
	m.Get("/api/users/{x}/{y}", h) // want `pattern "GET /api/users/{x}/{y}" conflicts with "GET /api/users/{name}/{post}" \(conflict.go:\d+\)`

	m.Mount("/remote", users.New(h))
	m.Get("/remote/users/{x}", h) // want `pattern "GET /remote/users/{x}" conflicts with "GET /remote/users/{id}" \(users.go:\d+\)`

	if debug {
		other := muxwell.New()
		other.Get("/users/{x}", h)
		m.Mount("/sometimes", other)
	} else {
		m.Get("/sometimes/users/{y}", h)
	}
}

func slashes(h http.HandlerFunc) {
	m := muxwell.New()
	inner := muxwell.New()
	inner.Get("/", h)
	m.Mount("/n", inner)
	m.Get("/n", h) // want `pattern "GET /n" conflicts with "GET /n/" \(conflict.go:\d+\): both match the same GET requests like "/n"`
	m.Get("/", h)
}

func unreachable(h http.HandlerFunc) {
	m := muxwell.New()
	m.Get("/n/{x:int}", h)
	inner := muxwell.New()
	inner.Get("/{y:[0-9]+}", h) // want `pattern "GET /n/{y:\[0-9\]\+}" is unreachable because of "GET /n/{x:int}"`
	m.Mount("/n", inner)
}

func returned(h http.HandlerFunc) {
	m := users.Mux(h)
	m.HandleFunc("GET /users/{x}", h) // want `conflicts with "GET /users/{id}" \(users.go:\d+\)`
	users.Mounted(muxwell.New(), h)
	v2 := users.Below("/v2", h)
	v2.HandleFunc("/v1/users", h)

	x := muxwell.New()
	users.Mounted(x, h)
	x.Get("/in/users/{y}", h) // want `conflicts with "GET /in/users/{id}" \(users.go:\d+\)`
}
