package muxwell_test

import (
	"fmt"
	"net/http"

	"github.com/muxwell/muxwell"
)

func ExampleGroup_Get() {
	m := muxwell.New()
	m.Route("/api", nil).Get("/users/{id}", show("a user", "id"))

	fmt.Println(get(m, "GET", "/api/users/7"))
	// Output: 200 a user 7
}

func ExampleGroup_Post() {
	m := muxwell.New()
	m.Route("/api", nil).Post("/users/{id}", show("created", "id"))

	fmt.Println(get(m, "POST", "/api/users/7"))
	// Output: 200 created 7
}

func ExampleGroup_Put() {
	m := muxwell.New()
	m.Route("/api", nil).Put("/users/{id}", show("changed", "id"))

	fmt.Println(get(m, "PUT", "/api/users/7"))
	// Output: 200 changed 7
}

func ExampleGroup_Patch() {
	m := muxwell.New()
	m.Route("/api", nil).Patch("/users/{id}", show("changed a part of", "id"))

	fmt.Println(get(m, "PATCH", "/api/users/7"))
	// Output: 200 changed a part of 7
}

func ExampleGroup_Delete() {
	m := muxwell.New()
	m.Route("/api", nil).Delete("/users/{id}", show("deleted", "id"))

	fmt.Println(get(m, "DELETE", "/api/users/7"))
	// Output: 200 deleted 7
}

func ExampleGroup_Options() {
	m := muxwell.New()
	m.Route("/api", nil).Options("/users/{id}", show("asked of", "id"))

	fmt.Println(get(m, "OPTIONS", "/api/users/7"))
	// Output: 200 asked of 7
}

func ExampleGroup_Trace() {
	m := muxwell.New()
	m.Route("/api", nil).Trace("/users/{id}", show("traced", "id"))

	fmt.Println(get(m, "TRACE", "/api/users/7"))
	// Output: 200 traced 7
}

func ExampleGroup_Query() {
	m := muxwell.New()
	m.Route("/api", nil).Query("/users/{id}", show("found", "id"))

	fmt.Println(get(m, "QUERY", "/api/users/7"))
	// Output: 200 found 7
}

func ExampleGroup_Handle() {
	m := muxwell.New()
	g := m.Route("/api", nil)
	g.Handle("PUT,PATCH /users/{id}", show("changed", "id"))

	fmt.Println(get(m, "PATCH", "/api/users/7"))
	// Output: 200 changed 7
}

func ExampleGroup_HandleFunc() {
	m := muxwell.New()
	g := m.Route("/api", nil)
	g.HandleFunc("GET /users/{id}", show("user", "id"))

	fmt.Println(get(m, "GET", "/api/users/7"))
	// Output: 200 user 7
}

func ExampleGroup_HandleParams() {
	m := muxwell.New()
	g := m.Route("/{tenant}", nil)
	g.HandleParams("GET /users/{id}", func(w http.ResponseWriter, _ *http.Request, p muxwell.Params) {
		fmt.Fprint(w, "user ", p.Get("id"), " of ", p.Get("tenant"))
	})

	fmt.Println(get(m, "GET", "/acme/users/7"))
	// Output: 200 user 7 of acme
}

func ExampleGroup_HandleError() {
	m := muxwell.New()
	g := m.Route("/api", nil)
	g.HandleError("GET /users/{id}", func(_ http.ResponseWriter, r *http.Request) error {
		_, err := muxwell.Param[int](r, "id")
		return err
	})

	fmt.Println(get(m, "GET", "/api/users/x"))
	// Output: 400 Bad Request
}

// The full form gives the route, or an error.
func ExampleGroup_Add() {
	m := muxwell.New()
	g := m.Route("/api", nil)
	rt, err := g.Add("GET /users/{id}", show("user", "id"), muxwell.Name("user"))
	fmt.Println(rt, err)
	path, err := m.Path("user", "id", "7")
	fmt.Println(path, err)
	// Output:
	// GET /api/users/{id} <nil>
	// /api/users/7 <nil>
}

func ExampleGroup_Route() {
	m := muxwell.New()
	api := m.Route("/api", nil)
	v2 := api.Route("/v2", nil)
	v2.Get("", show("version 2"))

	fmt.Println(v2.Prefix())
	fmt.Println(get(m, "GET", "/api/v2"))
	// Output:
	// /api/v2
	// 200 version 2
}

func ExampleTx_Add() {
	m := muxwell.New()
	err := m.Update(func(tx *muxwell.Tx) error {
		if _, err := tx.Add("GET /users/{id}", show("user", "id")); err != nil {
			return err
		}
		_, err := tx.Add("GET /teams/{id}", muxwell.ParamsFunc(func(w http.ResponseWriter, _ *http.Request, p muxwell.Params) {
			fmt.Fprint(w, "team ", p.Get("id"))
		}))
		return err
	})

	fmt.Println(err, get(m, "GET", "/users/7"), get(m, "GET", "/teams/8"))
	// Output: <nil> 200 user 7 200 team 8
}

// What a route says of itself.
func ExampleRoute_Methods() {
	m := muxwell.New()
	rt, _ := m.Add("GET,POST {tenant}.example.com/users/{id}", show("user"), muxwell.Name("user"), muxwell.Meta("owner", "accounts"))

	fmt.Println(rt.Methods(), rt.Host(), rt.Path(), rt.ParamNames(), rt.Name())
	fmt.Println(rt.Meta("owner"))
	// Output:
	// [GET POST] {tenant}.example.com /users/{id} [tenant id] user
	// accounts true
}
