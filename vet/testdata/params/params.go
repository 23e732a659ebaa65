package main

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/muxwell/muxwell"
)

type server struct {
	mux    *http.ServeMux
	routes map[string]http.HandlerFunc
}

func main() {
	s := &server{mux: http.NewServeMux()}
	s.mux.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.PathValue("id"), r.PathValue("idd")) // want `no pattern of the handler has a parameter "idd": GET /users/{id}; did you mean "id"\?`
		defer func() { r.PathValue("ID") }()                 // want `did you mean "id"`
	})
	s.mux.HandleFunc("/a/{a}", two)
	s.mux.HandleFunc("/b/{b}", two)
	s.mux.Handle("/m/{name}", logged(http.HandlerFunc(s.method)))
	s.mux.Handle("/r/{name}", s.returned())
	s.handle("/h/{user_id}", s.helped)
	for _, p := range []string{"/x/{x}", "/y/{y}"} {
		s.mux.HandleFunc(p, loop)
	}
	s.routes = map[string]http.HandlerFunc{"/z/{z}": table}
	s.mux.HandleFunc("/t/{t}", table)
	s.mux.Handle("/w/{w}", logged(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = r.WithContext(r.Context())
		r.PathValue("w")
		r.PathValue("v") // want `no pattern of the handler has a parameter "v"`
	})))
	s.mux.HandleFunc("/cb/{cb}", func(w http.ResponseWriter, r *http.Request) { withUser(w, r, callback) })
	s.mux.HandleFunc("/cb2/{cb2}", callback)
	s.get("/g/{g}", got)
	http.ListenAndServe("", s.mux)
}

func withUser(w http.ResponseWriter, r *http.Request, f http.HandlerFunc) { f(w, r) }

func callback(w http.ResponseWriter, r *http.Request) {
	r.PathValue("cb")
	r.PathValue("cb2")
}

func (s *server) get(pattern string, h http.HandlerFunc) {
	s.mux.HandleFunc("GET "+pattern, func(w http.ResponseWriter, r *http.Request) {
		h(w, r)
	})
}

func got(w http.ResponseWriter, r *http.Request) {
	r.PathValue("g")
	r.PathValue("h") // want `no pattern of the handler has a parameter "h"`
}

func (s *server) handle(pattern string, h http.HandlerFunc) {
	s.mux.Handle("GET "+pattern, logged(h))
}

func logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r)
	})
}

func two(w http.ResponseWriter, r *http.Request) {
	r.PathValue("a")
	r.PathValue("b")
	r.PathValue("c") // want `no pattern of the handler has a parameter "c": /a/{a}, /b/{b}`
}

func (s *server) method(w http.ResponseWriter, r *http.Request) {
	r.PathValue("nmae") // want `did you mean "name"`
}

func (s *server) returned() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.PathValue("naem") // want `did you mean "name"`
	}
}

func (s *server) helped(w http.ResponseWriter, r *http.Request) {
	number(r, "user_id")
	number(r, "userId") // want `did you mean "user_id"`
	user(r)
}

func number(r *http.Request, name string) (int, error) { return strconv.Atoi(r.PathValue(name)) }

func user(r *http.Request) string {
	return r.PathValue("user") // want `no pattern of the handler has a parameter "user"`
}

func loop(w http.ResponseWriter, r *http.Request)  { r.PathValue("unknown") }
func table(w http.ResponseWriter, r *http.Request) { r.PathValue("z") }

func unused(w http.ResponseWriter, r *http.Request) { r.PathValue("unknown") }

func other() {
	m := muxwell.New()
	m.HandleParams("/{id:uuid}", func(w http.ResponseWriter, r *http.Request, p muxwell.Params) {
		p.Get("id")
		p.Get("di")                 // want `no pattern of the handler has a parameter "di"`
		r.PathValue("id")           // want `r.PathValue returns nothing in a value handler; read the Params`
		muxwell.Param[int](p, "id") // want `parameter "id" is never a valid int: its constraint is uuid`
		muxwell.Param[string](p, "id")
		muxwell.Param[string](p, "ids") // want `did you mean "id"`
	})
	m.Get("/search", func(w http.ResponseWriter, r *http.Request) {
		r.PathValue("q")
		r.PathValue("p") // want `no pattern of the handler has a parameter "p"`
	}, muxwell.Queries("q", "{q}"))
	m.Route("/t/{tenant}", func(g *muxwell.Group) {
		g.Get("/{id:int}", func(w http.ResponseWriter, r *http.Request) {
			r.PathValue("tenant")
			muxwell.Param[int](r, "id")
			muxwell.Param[bool](r, "id")
			r.PathValue("tennant") // want `did you mean "tenant"`
		})
	})
}
