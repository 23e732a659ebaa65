package muxwell_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/muxwell/muxwell"
)

// trace returns middleware that prints its name when a request passes.
func trace(name string) muxwell.Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Print(name, " ")
			next.ServeHTTP(w, r)
		})
	}
}

// Middleware of the mux is around everything, also what no route takes.
func ExampleMux_Use() {
	m := muxwell.New()
	m.Get("/users/{id}", show("a user"))
	m.Use(trace("log"), trace("recover")) // also for routes that are there

	fmt.Println(get(m, "GET", "/users/7"))
	fmt.Println(get(m, "GET", "/nothing"))
	fmt.Println(get(m, "PUT", "/users/7"))
	// Output:
	// log recover 200 a user
	// log recover 404 404 page not found
	// log recover 405 Allow: GET, HEAD Method Not Allowed
}

// Metrics and logs know the route before the handler runs.
func ExampleMux_Use_route() {
	m := muxwell.New()
	m.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if rt := m.RouteOf(r); rt != nil {
				fmt.Println(rt.Path(), r.PathValue("id"), rt.ParamNames())
			}
			next.ServeHTTP(w, r)
		})
	})
	m.Get("/users/{id}", show("a user"))

	fmt.Println(get(m, "GET", "/users/7"))
	// Output:
	// /users/{id} 7 [id]
	// 200 a user
}

// What must happen before a request is matched wraps the mux from outside: here a
// form's hidden field that names a method.
func ExampleMux_Use_before() {
	m := muxwell.New()
	m.Delete("/users/{id}", show("gone"))
	override := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if method := r.URL.Query().Get("_method"); r.Method == "POST" && method != "" {
			r.Method = method
		}
		m.ServeHTTP(w, r)
	})

	fmt.Println(get(override, "POST", "/users/7?_method=DELETE"))
	// Output: 200 gone
}

func ExampleMux_Route() {
	m := muxwell.New()
	m.Use(trace("log"))
	m.Route("/api", func(g *muxwell.Group) {
		g.Use(trace("auth"))
		g.Get("", show("the API"))
		g.Get("/users/{id}", show("a user"))
		g.With(trace("audit")).Post("/pay", show("paid"))
		g.Route("/v2", func(g *muxwell.Group) {
			g.Get("/users/{id}", show("a user of version 2"))
		})
	})

	fmt.Println(get(m, "GET", "/api"))
	fmt.Println(get(m, "GET", "/api/users/7"))
	fmt.Println(get(m, "POST", "/api/pay"))
	fmt.Println(get(m, "GET", "/api/v2/users/7"))
	// Output:
	// log auth 200 the API
	// log auth 200 a user
	// log auth audit 200 paid
	// log auth 200 a user of version 2
}

// A Prefix may have a host and parameters.
func ExampleMux_Route_host() {
	m := muxwell.New()
	g := m.Route("{tenant}.example.com/shop", nil)
	g.Get("/{item}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, r.PathValue("tenant"), "sells", r.PathValue("item"))
	})

	fmt.Println(get(m, "GET", "http://acme.example.com/shop/anvil"))
	// Output: 200 acme sells anvil
}

// A group without a prefix is for middleware.
func ExampleMux_Group() {
	m := muxwell.New()
	m.Get("/{$}", show("home"))
	m.Group(func(g *muxwell.Group) {
		g.Use(trace("auth"))
		g.Get("/account", show("your account"))
	})

	fmt.Println(get(m, "GET", "/"))
	fmt.Println(get(m, "GET", "/account"))
	// Output:
	// 200 home
	// auth 200 your account
}

func ExampleMux_With() {
	m := muxwell.New()
	m.With(trace("audit")).Delete("/users/{id}", show("deleted"))

	fmt.Println(get(m, "DELETE", "/users/7"))
	// Output: audit 200 deleted
}

// An API has a 404 of its own.
func ExampleGroup_NotFound() {
	m := muxwell.New()
	m.Route("/api", func(g *muxwell.Group) {
		g.Get("/users/{id}", show("a user"))
		g.NotFound(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNotFound)
			io.WriteString(w, `{"error": "not found"}`)
		}))
	})

	fmt.Println(get(m, "GET", "/api/user/7"))
	fmt.Println(get(m, "GET", "/other"))
	// Output:
	// 404 {"error": "not found"}
	// 404 404 page not found
}

func ExampleGroup_MethodNotAllowed() {
	m := muxwell.New()
	g := m.Route("/api", nil)
	g.Get("/users/{id}", show("a user"))
	g.MethodNotAllowed(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusMethodNotAllowed)
		fmt.Fprintf(w, `{"allowed": %q}`, w.Header().Get("Allow"))
	}))

	fmt.Println(get(m, "PUT", "/api/users/7"))
	// Output: 405 Allow: GET, HEAD {"allowed": "GET, HEAD"}
}

// A mux that is mounted is a part of the other, also with what is registered
// later.
func ExampleMux_Mount() {
	admin := muxwell.New()
	admin.Get("/{$}", show("dashboard")) // "/" would be all paths below it, too

	m := muxwell.New()
	m.Use(trace("log"))
	m.Mount("/{tenant}/admin", admin)
	admin.Get("/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, "user", r.PathValue("id"), "of", r.PathValue("tenant"))
	})

	fmt.Println(get(m, "GET", "/acme/admin"))
	fmt.Println(get(m, "GET", "/acme/admin/users/7"))
	fmt.Println(get(m, "GET", "/acme/admin/nope"))
	// Output:
	// log 200 dashboard
	// log 200 user 7 of acme
	// log 404 404 page not found
}

// Any other handler sees the path without the prefix.
func ExampleMux_Mount_handler() {
	m := muxwell.New()
	m.Mount("/debug", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, r.URL.Path, "of", r.Pattern)
	}))

	fmt.Println(get(m, "GET", "/debug"))
	fmt.Println(get(m, "GET", "/debug/pprof/heap"))
	// Output:
	// 200 / of /debug
	// 200 /pprof/heap of /debug/
}

func ExampleMux_Update() {
	m := muxwell.New()
	old := m.Get("/reports", show("old reports"))

	err := m.Update(func(tx *muxwell.Tx) error {
		if err := tx.Remove(old); err != nil {
			return err
		}
		_, err := tx.Add("GET /reports/{year:int}", http.HandlerFunc(show("new reports")))
		return err
	})
	fmt.Println(err)
	fmt.Println(get(m, "GET", "/reports"))
	fmt.Println(get(m, "GET", "/reports/2026"))

	err = m.Update(func(tx *muxwell.Tx) error {
		if _, err := tx.Add("GET /half", http.HandlerFunc(show("half"))); err != nil {
			return err
		}
		return errors.New("changed my mind")
	})
	fmt.Println(err)
	fmt.Println(get(m, "GET", "/half"))
	// Output:
	// <nil>
	// 404 404 page not found
	// 200 new reports
	// changed my mind
	// 404 404 page not found
}

// A route gets another handler while it serves.
func ExampleTx_Replace() {
	m := muxwell.New()
	rt := m.Get("/greeting", show("hello"))
	fmt.Println(get(m, "GET", "/greeting"))

	err := m.Update(func(tx *muxwell.Tx) error {
		_, err := tx.Replace(rt, "", http.HandlerFunc(show("good morning")))
		return err
	})
	fmt.Println(err)
	fmt.Println(get(m, "GET", "/greeting"))
	// Output:
	// 200 hello
	// <nil>
	// 200 good morning
}

func ExampleTx_In() {
	m := muxwell.New()
	api := m.Route("/api", nil)
	api.Use(trace("auth"))

	err := m.Update(func(tx *muxwell.Tx) error {
		_, err := tx.In(api).Add("GET /users", http.HandlerFunc(show("users")))
		return err
	})
	fmt.Println(err)
	fmt.Println(get(m, "GET", "/api/users"))
	// Output:
	// <nil>
	// auth 200 users
}

// The answer to a CORS preflight, with the methods that the path has.
func ExampleOptionsHandler() {
	m := muxwell.New(muxwell.OptionsHandler(func(w http.ResponseWriter, r *http.Request, allowed []string) {
		w.Header().Set("Access-Control-Allow-Methods", strings.Join(allowed, ", "))
		w.WriteHeader(http.StatusNoContent)
	}))
	m.Get("/users/{id}", show("a user"))
	m.Put("/users/{id}", show("changed"))

	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest("OPTIONS", "/users/7", nil))
	fmt.Println(w.Code, w.Header().Get("Access-Control-Allow-Methods"))
	// Output: 204 GET, HEAD, OPTIONS, PUT
}

func ExampleCaseInsensitive() {
	m := muxwell.New(muxwell.CaseInsensitive())
	m.Get("/Users/{name}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, r.Pattern, r.PathValue("name"))
	})

	fmt.Println(get(m, "GET", "/USERS/Ann"))
	// Output: 200 GET /Users/{name} Ann
}

func ExampleMux_ByPrecedence() {
	m := muxwell.New()
	for _, pattern := range []string{"/", "GET /users/{id}", "GET /users/me", "GET /users/{id:int}"} {
		m.HandleFunc(pattern, show(""))
	}
	for rt := range m.ByPrecedence() {
		fmt.Println(rt)
	}
	// Output:
	// GET /users/me
	// GET /users/{id:int}
	// GET /users/{id}
	// /
}

func auth(next http.Handler) http.Handler { return next }

// A route tells what stands around it.
func ExampleRoute_Middleware() {
	m := muxwell.New()
	g := m.Route("/api", nil)
	g.Use(auth)
	rt, _ := g.Add("GET /users/{id}", http.HandlerFunc(show("a user")), muxwell.Headers("X-Beta", "1"))

	fmt.Println(rt.Pattern())
	fmt.Println(rt.Prefix(), rt.Middleware(), rt.Matchers())
	// Output:
	// GET /api/users/{id}
	// /api [muxwell_test.auth] [Headers("X-Beta", "1")]
}

// All routes of a group have its defaults. A value that a route gives itself wins.
func ExampleGroup_Defaults() {
	m := muxwell.New()
	m.Route("/api", func(g *muxwell.Group) {
		g.Defaults(muxwell.Meta("owner", "platform"), muxwell.Schemes("https"))
		g.Get("/users", show("users"))
		g.Post("/pay", show("paid"), muxwell.Meta("owner", "billing"))
	})

	for rt := range m.Routes() {
		owner, _ := rt.Meta("owner")
		fmt.Println(rt, owner, rt.Matchers())
	}
	fmt.Println(get(m, "GET", "https://example.com/api/users"))
	fmt.Println(get(m, "GET", "http://example.com/api/users"))
	// Output:
	// GET /api/users platform [Schemes("https")]
	// POST /api/pay billing [Schemes("https")]
	// 200 users
	// 404 404 page not found
}

// The defaults of a mux are those of all its groups too.
func ExampleMux_Defaults() {
	m := muxwell.New()
	before := m.Get("/before", show("before"))
	m.Defaults(muxwell.Meta("service", "shop"))
	after := m.Route("/api", nil).Get("/after", show("after"))

	fmt.Println(before.Meta("service"))
	fmt.Println(after.Meta("service"))
	// Output:
	// <nil> false
	// shop true
}

// A group can be passed to a function that registers handlers with something like an
// http.ServeMux.
func ExampleGroup_ServeHTTP() {
	type serveMux interface {
		http.Handler
		Handle(pattern string, handler http.Handler)
	}
	addHealth := func(to serveMux) { to.Handle("GET /health", show("fine")) }

	m := muxwell.New()
	g := m.Route("/api", nil)
	addHealth(g)
	addHealth(m)
	fmt.Println(get(g, "GET", "/api/health"))
	fmt.Println(get(g, "GET", "/health")) // g serves the whole mux
	// Output:
	// 200 fine
	// 200 fine
}
