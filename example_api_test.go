package muxwell_test

import (
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/muxwell/muxwell"
)

// A Group may be kept, and be given routes later.
func ExampleGroup() {
	m := muxwell.New()
	api := m.Route("/api", nil)
	api.Get("", show("the API"))
	api.Patch("/users/{id}", show("changed", "id"))
	api.Delete("/users/{id}", show("gone", "id"))

	fmt.Println(get(m, "GET", "/api"))
	fmt.Println(get(m, "PATCH", "/api/users/7"))
	fmt.Println(get(m, "DELETE", "/api/users/7"))
	// Output:
	// 200 the API
	// 200 changed 7
	// 200 gone 7
}

// Middleware covers what was registered before it, too.
func ExampleGroup_Use() {
	m := muxwell.New()
	g := m.Route("/api", nil)
	g.Get("/users", show("users"))
	g.Use(trace("auth"))

	fmt.Println(get(m, "GET", "/api/users"))
	fmt.Println(get(m, "GET", "/api/none")) // matches no route, but is in the group
	// Output:
	// auth 200 users
	// auth 404 404 page not found
}

func ExampleGroup_With() {
	m := muxwell.New()
	g := m.Route("/api", nil)
	g.Use(trace("auth"))
	g.With(trace("audit")).Post("/pay", show("paid"))

	fmt.Println(get(m, "POST", "/api/pay"))
	// Output: auth audit 200 paid
}

func ExampleGroup_Group() {
	m := muxwell.New()
	g := m.Route("/api", nil)
	g.Group(func(g *muxwell.Group) {
		g.Use(trace("auth"))
		g.Get("/account", show("your account"))
	})
	g.Get("/{$}", show("open"))

	fmt.Println(get(m, "GET", "/api/account"))
	fmt.Println(get(m, "GET", "/api/"))
	// Output:
	// auth 200 your account
	// 200 open
}

func ExampleGroup_Prefix() {
	m := muxwell.New()
	g := m.Route("api.example.com/v1/", nil)

	fmt.Println(g.Prefix(), g.Route("/users", nil).Prefix())
	// Output: api.example.com/v1 api.example.com/v1/users
}

func ExampleGroup_Mount() {
	reports := muxwell.New()
	reports.Get("/{year:int}", show("report", "year"))

	m := muxwell.New()
	g := m.Route("/api", nil)
	g.Use(trace("auth"))
	g.Mount("/reports", reports)

	fmt.Println(get(m, "GET", "/api/reports/2026"))
	// Output: auth 200 report 2026
}

func ExampleGroup_Files() {
	m := muxwell.New()
	g := m.Route("/assets", nil)
	g.Use(trace("log"))
	g.Files("/", site)

	fmt.Println(get(m, "GET", "/assets/js/app.js"))
	// Output: log 200 go()
}

// Middleware with a setting is what a function returns. What its requests share is
// made there, since the middleware itself is called for each route.
func ExampleMiddleware() {
	limit := func(most int64) muxwell.Middleware {
		var served atomic.Int64
		return func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if served.Add(1) > most {
					http.Error(w, "enough", http.StatusTooManyRequests)
					return
				}
				next.ServeHTTP(w, r)
			})
		}
	}
	m := muxwell.New()
	m.Use(limit(2))
	m.Get("/a", show("a"))
	m.Get("/b", show("b"))

	fmt.Println(get(m, "GET", "/a"))
	fmt.Println(get(m, "GET", "/b"))
	fmt.Println(get(m, "GET", "/b"))
	// Output:
	// 200 a
	// 200 b
	// 429 enough
}

// A transaction sees what it did.
func ExampleTx_Routes() {
	m := muxwell.New()
	for _, pattern := range []string{"GET /a", "GET /b", "GET /c"} {
		m.HandleFunc(pattern, show(pattern))
	}
	err := m.Update(func(tx *muxwell.Tx) error {
		for rt := range tx.Routes() {
			if rt.Path() == "/b" {
				continue
			}
			if err := tx.Remove(rt); err != nil {
				return err
			}
		}
		for rt := range tx.Routes() {
			fmt.Println("will stay:", rt)
		}
		return nil
	})
	fmt.Println(err, get(m, "GET", "/a"))
	// Output:
	// will stay: GET /b
	// <nil> 404 404 page not found
}

func ExampleTx_Remove() {
	m := muxwell.New()
	rt := m.Get("/a", show("a"))
	remove := func(tx *muxwell.Tx) error { return tx.Remove(rt) }

	fmt.Println(m.Update(remove))
	fmt.Println(errors.Is(m.Update(remove), muxwell.ErrNotInMux)) // it is gone
	// Output:
	// <nil>
	// true
}

// A mux cannot be mounted in itself.
func ExampleMountError() {
	m := muxwell.New()
	defer func() {
		err, ok := recover().(*muxwell.MountError)
		fmt.Println(ok, err.Prefix)
	}()
	m.Mount("/again", m)
	// Output: true /again
}

func ExampleOptionError() {
	m := muxwell.New()
	_, err := m.Add("GET /a", http.HandlerFunc(show("a")), muxwell.Schemes("ftp"))
	if e, ok := errors.AsType[*muxwell.OptionError](err); ok {
		fmt.Println(e.Option)
		fmt.Println(e.Reason)
	}
	// Output:
	// Schemes("ftp")
	// unknown scheme "ftp"; write "http" or "https"
}

func ExampleRoute_Prefix() {
	inner := muxwell.New()
	inner.Get("/users/{id}", show("a user"))
	m := muxwell.New()
	m.Mount("/api", inner)

	for rt := range m.Routes() {
		fmt.Println(rt.Prefix(), rt.Methods(), rt.Path(), rt.ParamNames())
	}
	// Output: /api [GET] /api/users/{id} [id]
}

func ExampleRoute_Matchers() {
	m := muxwell.New()
	rt := m.Get("/a", show("a"), muxwell.Queries("q", "{q}"), muxwell.Schemes("https"))

	fmt.Println(rt.Matchers(), rt.ParamNames())
	// Output: [Queries("q", "{q}") Schemes("https")] [q]
}
