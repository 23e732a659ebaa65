package muxwell_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"time"

	"github.com/muxwell/muxwell"
)

// get returns the answer to a request: the status, where there are such headers
// the Location and the methods allowed, and the body.
func get(h http.Handler, method, url string) string {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, url, nil))
	answer := []string{fmt.Sprint(w.Code)}
	for _, name := range []string{"Location", "Allow"} {
		if v := w.Header().Get(name); v != "" {
			answer = append(answer, name+": "+v)
		}
	}
	if body := strings.TrimSpace(w.Body.String()); w.Code != http.StatusTemporaryRedirect && body != "" {
		answer = append(answer, body)
	}
	return strings.Join(answer, " ")
}

// show returns a handler that writes text and, where there are any, the values
// of the named parameters.
func show(text string, names ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, text)
		for _, name := range names {
			io.WriteString(w, " "+r.PathValue(name))
		}
	}
}

func Example() {
	m := muxwell.New()
	m.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "user %s", r.PathValue("id"))
	})
	m.HandleFunc("GET /files/{path...}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "file %s", r.PathValue("path"))
	})

	fmt.Println(get(m, "GET", "/users/42"))
	fmt.Println(get(m, "GET", "/files/css/site.css"))
	fmt.Println(get(m, "POST", "/users/42"))
	fmt.Println(get(m, "GET", "/nothing"))
	// Output:
	// 200 user 42
	// 200 file css/site.css
	// 405 Allow: GET, HEAD Method Not Allowed
	// 404 404 page not found
}

func ExampleNew() {
	m := muxwell.New(
		muxwell.TrailingSlash(muxwell.SlashIgnore),
		muxwell.AutoOptions(),
	)
	m.HandleFunc("GET /users", show("all users"))

	fmt.Println(get(m, "GET", "/users/"))
	fmt.Println(get(m, "OPTIONS", "/users"))
	// Output:
	// 200 all users
	// 204 Allow: GET, HEAD, OPTIONS
}

// The zero Mux is ready to use.
func ExampleMux() {
	var m muxwell.Mux
	m.HandleFunc("/hello/{name}", show("hello", "name"))

	fmt.Println(get(&m, "GET", "/hello/gordon"))
	// Output: 200 hello gordon
}

// Of the patterns that match, the one that is most specific wins, segment by
// segment from the left. The order of registration does not count.
func ExampleMux_Handle() {
	m := muxwell.New()
	m.Handle("/{rest...}", show("front end:", "rest"))
	m.Handle("/api/", http.NotFoundHandler())
	m.Handle("/api/users/{id}", show("user", "id"))
	m.Handle("/api/users/me", show("you"))

	fmt.Println(get(m, "GET", "/settings/theme"))
	fmt.Println(get(m, "GET", "/api/groups"))
	fmt.Println(get(m, "GET", "/api/users/42"))
	fmt.Println(get(m, "GET", "/api/users/me"))
	// Output:
	// 200 front end: settings/theme
	// 404 404 page not found
	// 200 user 42
	// 200 you
}

func ExampleMux_HandleFunc() {
	m := muxwell.New()
	m.HandleFunc("GET /books/{title}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s, by way of %s", r.PathValue("title"), r.Pattern)
	})

	fmt.Println(get(m, "GET", "/books/Emma"))
	fmt.Println(get(m, "GET", "/books/either%2For"))
	// Output:
	// 200 Emma, by way of GET /books/{title}
	// 200 either/or, by way of GET /books/{title}
}

// A Pattern may list several methods.
func ExampleMux_HandleFunc_methods() {
	m := muxwell.New()
	m.HandleFunc("GET,POST /search", show("results"))

	fmt.Println(get(m, "GET", "/search"))
	fmt.Println(get(m, "POST", "/search"))
	fmt.Println(get(m, "DELETE", "/search"))
	// Output:
	// 200 results
	// 200 results
	// 405 Allow: GET, HEAD, POST Method Not Allowed
}

// A Pattern that begins with a host matches requests to that host alone.
func ExampleMux_HandleFunc_hosts() {
	m := muxwell.New()
	m.HandleFunc("/", show("the site"))
	m.HandleFunc("api.example.com/", show("the API"))

	fmt.Println(get(m, "GET", "http://www.example.com/users"))
	fmt.Println(get(m, "GET", "http://API.example.com:8080/users"))
	// Output:
	// 200 the site
	// 200 the API
}

// A value handler is given its parameters as an argument, without an
// allocation.
func ExampleMux_HandleParams() {
	m := muxwell.New()
	m.HandleParams("GET /repos/{owner}/{repo}", func(w http.ResponseWriter, _ *http.Request, p muxwell.Params) {
		fmt.Fprintf(w, "%s of %s", p.Get("repo"), p.Get("owner"))
	})

	fmt.Println(get(m, "GET", "/repos/golang/go"))
	// Output: 200 go of golang
}

// Add takes options, and returns an error where Handle panics.
func ExampleMux_Add() {
	m := muxwell.New()
	rt, err := m.Add("GET /users/{id}", show("user", "id"), muxwell.Name("user"))
	fmt.Println(rt, rt.Name(), err)

	_, err = m.Add("GET /users/{name}", show("user", "name"))
	var conflict *muxwell.ConflictError
	fmt.Println(errors.As(err, &conflict))
	fmt.Println(get(m, "GET", "/users/42"))
	// Output:
	// GET /users/{id} user <nil>
	// true
	// 200 user 42
}

func ExampleMux_Add_params() {
	m := muxwell.New()
	getTag := muxwell.ParamsFunc(func(w http.ResponseWriter, _ *http.Request, p muxwell.Params) {
		io.WriteString(w, p.Get("tag"))
	})
	rt, err := m.Add("GET /tags/{tag}", getTag, muxwell.Meta("public", true))
	if err != nil {
		fmt.Println(err)
		return
	}
	public, _ := rt.Meta("public")
	fmt.Println(rt.Pattern(), public)
	fmt.Println(get(m, "GET", "/tags/go"))
	// Output:
	// GET /tags/{tag} true
	// 200 go
}

// A route for GET answers HEAD too.
func ExampleMux_Get() {
	m := muxwell.New()
	m.Get("/users/{id}", show("user", "id"))

	fmt.Println(get(m, "GET", "/users/42"))
	fmt.Println(get(m, "HEAD", "/users/42"))
	fmt.Println(get(m, "PUT", "/users/42"))
	// Output:
	// 200 user 42
	// 200 user 42
	// 405 Allow: GET, HEAD Method Not Allowed
}

func ExampleMux_Post() {
	m := muxwell.New()
	m.Post("/users", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "/users/43")
		w.WriteHeader(http.StatusCreated)
	})

	fmt.Println(get(m, "POST", "/users"))
	// Output: 201 Location: /users/43
}

// There is a method for each request method; one path can have them all.
func ExampleMux_Put() {
	m := muxwell.New()
	m.Get("/notes/{id}", show("read", "id"))
	m.Put("/notes/{id}", show("replaced", "id"))
	m.Patch("/notes/{id}", show("changed", "id"))
	m.Delete("/notes/{id}", show("deleted", "id"))

	for _, method := range []string{"GET", "PUT", "PATCH", "DELETE", "POST"} {
		fmt.Println(get(m, method, "/notes/7"))
	}
	// Output:
	// 200 read 7
	// 200 replaced 7
	// 200 changed 7
	// 200 deleted 7
	// 405 Allow: DELETE, GET, HEAD, PATCH, PUT Method Not Allowed
}

// Handler says which pattern a request would go to, without serving it.
func ExampleMux_Handler() {
	m := muxwell.New()
	m.HandleFunc("GET /users/{id}", show("user"))
	m.HandleFunc("GET /docs/", show("docs"))

	for _, path := range []string{"/users/42", "/docs", "/nothing"} {
		_, pattern := m.Handler(httptest.NewRequest("GET", path, nil))
		fmt.Printf("%s: %q\n", path, pattern)
	}
	// Output:
	// /users/42: "GET /users/{id}"
	// /docs: "GET /docs/"
	// /nothing: ""
}

func ExampleMux_Routes() {
	m := muxwell.New()
	m.HandleFunc("GET /users/{id}", show("user"))
	m.HandleFunc("PUT,PATCH /users/{id}/posts/{post}", show("changed"))
	m.HandleFunc("example.com/", show("site"))

	for rt := range m.Routes() {
		fmt.Printf("methods %q, host %q, path %q, parameters %q\n", rt.Methods(), rt.Host(), rt.Path(), rt.ParamNames())
	}
	// Output:
	// methods ["GET"], host "", path "/users/{id}", parameters ["id"]
	// methods ["PUT" "PATCH"], host "", path "/users/{id}/posts/{post}", parameters ["id" "post"]
	// methods [], host "example.com", path "/", parameters []
}

// What wraps a mux can ask it afterwards which route took the request: for
// metrics and logs that are to have few labels.
func ExampleMux_RouteOf() {
	m := muxwell.New()
	m.HandleFunc("GET /users/{id}", show("user"))
	logged := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.ServeHTTP(w, r)
		if rt := m.RouteOf(r); rt != nil {
			fmt.Println(r.URL.Path, "by", rt.Pattern())
		} else {
			fmt.Println(r.URL.Path, "by no route")
		}
	})

	get(logged, "GET", "/users/42")
	get(logged, "GET", "/nothing")
	// Output:
	// /users/42 by GET /users/{id}
	// /nothing by no route
}

func ExampleParams_Get() {
	m := muxwell.New()
	m.HandleParams("/repos/{owner}/{repo}", func(_ http.ResponseWriter, _ *http.Request, p muxwell.Params) {
		fmt.Printf("%q %q %q\n", p.Get("owner"), p.Get("repo"), p.Get("branch"))
	})

	get(m, "GET", "/repos/golang/go")
	// Output: "golang" "go" ""
}

// Lookup tells a catch-all that is empty from a name that the pattern lacks.
func ExampleParams_Lookup() {
	m := muxwell.New()
	m.HandleParams("/files/{path...}", func(_ http.ResponseWriter, _ *http.Request, p muxwell.Params) {
		for _, name := range []string{"path", "name"} {
			value, ok := p.Lookup(name)
			fmt.Printf("%s: %q %v\n", name, value, ok)
		}
	})

	get(m, "GET", "/files/")
	// Output:
	// path: "" true
	// name: "" false
}

// At is the fastest way to a parameter whose place in the pattern is known.
func ExampleParams_At() {
	m := muxwell.New()
	m.HandleParams("/repos/{owner}/{repo}", func(_ http.ResponseWriter, _ *http.Request, p muxwell.Params) {
		owner, repo := p.At(0), p.At(1)
		fmt.Println(owner, repo)
	})

	get(m, "GET", "/repos/golang/go")
	// Output: golang go
}

func ExampleParams_Len() {
	m := muxwell.New()
	m.HandleParams("/repos/{owner}/{repo}", func(_ http.ResponseWriter, _ *http.Request, p muxwell.Params) {
		for i := range p.Len() {
			fmt.Println(i, p.Name(i), p.At(i))
		}
	})

	get(m, "GET", "/repos/golang/go")
	// Output:
	// 0 owner golang
	// 1 repo go
}

func ExampleParams_Name() {
	m := muxwell.New()
	m.HandleParams("/{tenant}/{user}", func(_ http.ResponseWriter, _ *http.Request, p muxwell.Params) {
		fmt.Println(p.Name(0), p.Name(1))
	})

	get(m, "GET", "/acme/gordon")
	// Output: tenant user
}

func ExampleParams_All() {
	m := muxwell.New()
	m.HandleParams("/repos/{owner}/{repo}/{path...}", func(_ http.ResponseWriter, _ *http.Request, p muxwell.Params) {
		for name, value := range p.All() {
			fmt.Println(name, value)
		}
	})

	get(m, "GET", "/repos/golang/go/src/net/http")
	// Output:
	// owner golang
	// repo go
	// path src/net/http
}

// Param reads a parameter as the type that is wanted, from a request or from a
// Params.
func ExampleParam() {
	m := muxwell.New()
	m.HandleFunc("/users/{id}", func(_ http.ResponseWriter, r *http.Request) {
		id, err := muxwell.Param[int](r, "id")
		fmt.Println(id, err)
	})
	m.HandleParams("/orders/{id}", func(_ http.ResponseWriter, _ *http.Request, p muxwell.Params) {
		id, err := muxwell.Param[uint8](p, "id")
		fmt.Println(id, err)
	})

	get(m, "GET", "/users/42")
	get(m, "GET", "/users/gordon")
	get(m, "GET", "/orders/256")
	// Output:
	// 42 <nil>
	// 0 muxwell: parameter "id": "gordon" is not an int
	// 0 muxwell: parameter "id": "256" is not a uint8
}

// A color is a type of one's own that Param can read.
type color struct{ red, green, blue uint8 }

func (c *color) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "%02x%02x%02x", &c.red, &c.green, &c.blue)
	return err
}

func ExampleParam_types() {
	m := muxwell.New()
	m.HandleFunc("/{day}/{addr}/{color}", func(_ http.ResponseWriter, r *http.Request) {
		day, _ := muxwell.Param[time.Time](r, "day")
		addr, _ := muxwell.Param[netip.Addr](r, "addr")
		c, _ := muxwell.Param[color](r, "color")
		fmt.Println(day.Weekday(), addr.Is6(), c.red, c.green, c.blue)
	})

	get(m, "GET", "/2024-02-29/2001:db8::1/ff8000")
	// Output: Thursday true 255 128 0
}

// An error that says its status makes one place out of all error answers.
func ExampleParamError() {
	type handler func(http.ResponseWriter, *http.Request) error
	answering := func(h handler) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			var client interface{ StatusCode() int }
			switch err := h(w, r); {
			case errors.As(err, &client):
				http.Error(w, err.Error(), client.StatusCode())
			case err != nil:
				http.Error(w, "internal error", http.StatusInternalServerError)
			}
		}
	}
	m := muxwell.New()
	m.Get("/users/{id}", answering(func(w http.ResponseWriter, r *http.Request) error {
		id, err := muxwell.Param[int](r, "id")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "user %d", id)
		return err
	}))

	fmt.Println(get(m, "GET", "/users/42"))
	fmt.Println(get(m, "GET", "/users/gordon"))
	// Output:
	// 200 user 42
	// 400 muxwell: parameter "id": "gordon" is not an int
}

// A name that the pattern lacks is a bug in the program, not an error of the client.
func ExampleErrNoParam() {
	m := muxwell.New()
	m.HandleFunc("/users/{id}", func(_ http.ResponseWriter, r *http.Request) {
		_, err := muxwell.Param[int](r, "uid")
		fmt.Println(errors.Is(err, muxwell.ErrNoParam))
		fmt.Println(err)
	})

	get(m, "GET", "/users/42")
	// Output:
	// true
	// muxwell: no parameter "uid": pattern "/users/{id}" has id
}

func ExampleName() {
	m := muxwell.New()
	m.Get("/users/{id}", show("user"), muxwell.Name("user"))
	m.Get("/users", show("users"), muxwell.Name("users"))

	for rt := range m.Routes() {
		fmt.Println(rt.Name(), rt.Path())
	}
	// Output:
	// user /users/{id}
	// users /users
}

// Meta says something of a route to what wraps the mux: here, who may use it.
func ExampleMeta() {
	m := muxwell.New()
	m.Get("/reports", show("reports"), muxwell.Meta("role", "auditor"))
	m.Get("/health", show("fine"))

	for rt := range m.Routes() {
		role, ok := rt.Meta("role")
		fmt.Println(rt.Path(), role, ok)
	}
	// Output:
	// /reports auditor true
	// /health <nil> false
}

func ExampleTrailingSlash() {
	for _, policy := range []muxwell.SlashPolicy{muxwell.SlashRedirect, muxwell.SlashStrict, muxwell.SlashIgnore} {
		m := muxwell.New(muxwell.TrailingSlash(policy))
		m.HandleFunc("/docs/{$}", show("docs"))
		fmt.Println(get(m, "GET", "/docs?q=x"))
	}
	// Output:
	// 307 Location: /docs/?q=x
	// 404 404 page not found
	// 200 docs
}

func ExampleUncleanPath() {
	for _, policy := range []muxwell.PathPolicy{muxwell.PathRedirect, muxwell.PathStrict, muxwell.PathServe} {
		m := muxwell.New(muxwell.UncleanPath(policy))
		m.HandleFunc("/proxy/{url...}", show("proxy", "url"))
		fmt.Println(get(m, "GET", "/proxy/https://go.dev"))
	}
	// Output:
	// 307 Location: /proxy/https:/go.dev
	// 404 404 page not found
	// 200 proxy https://go.dev
}

// Two patterns that match a common request, and neither of which is more
// specific, are accepted unless the mux is told to refuse them.
func ExampleStrictConflicts() {
	for _, m := range []*muxwell.Mux{muxwell.New(), muxwell.New(muxwell.StrictConflicts())} {
		m.HandleFunc("/users/{id}", show("user"))
		_, err := m.Add("/{kind}/new", show("new"))
		fmt.Println(err != nil, get(m, "GET", "/users/new"), get(m, "GET", "/posts/new"))
	}
	// Output:
	// false 200 user 200 new
	// true 200 user 404 404 page not found
}

func ExampleAutoOptions() {
	m := muxwell.New(muxwell.AutoOptions())
	m.HandleFunc("GET /users/{id}", show("user"))
	m.HandleFunc("PUT /users/{id}", show("changed"))

	fmt.Println(get(m, "OPTIONS", "/users/42"))
	fmt.Println(get(m, "OPTIONS", "/nothing"))
	// Output:
	// 204 Allow: GET, HEAD, OPTIONS, PUT
	// 404 404 page not found
}

func ExampleNotFound() {
	m := muxwell.New(muxwell.NotFound(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprintf(w, `{"error": "nothing at %s"}`, r.URL.EscapedPath())
	})))

	fmt.Println(get(m, "GET", "/nothing"))
	// Output: 404 {"error": "nothing at /nothing"}
}

// The Allow header is set before the handler is called.
func ExampleMethodNotAllowed() {
	m := muxwell.New(muxwell.MethodNotAllowed(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusMethodNotAllowed)
		fmt.Fprintf(w, `{"error": "no %s here"}`, r.Method)
	})))
	m.HandleFunc("GET /users/{id}", show("user"))

	fmt.Println(get(m, "DELETE", "/users/42"))
	// Output: 405 Allow: GET, HEAD {"error": "no DELETE here"}
}

// The error points at the fault.
func ExamplePatternError() {
	m := muxwell.New()
	_, err := m.Add("GET /users/{id", show("user"))
	fmt.Println(err)

	var bad *muxwell.PatternError
	if errors.As(err, &bad) {
		fmt.Printf("%q\n", bad.Pattern[bad.Offset:])
	}
	// Output:
	// muxwell: pattern "GET /users/{id": at offset 11: '{' is never closed; add the '}', or for the character itself write %7B
	// 	GET /users/{id
	// 	           ^
	// "{id"
}

// The error also names the two lines of code that clash.
func ExampleConflictError() {
	m := muxwell.New()
	m.HandleFunc("GET /users/{id}", show("user"))
	_, err := m.Add("GET /users/{name}", show("user"))

	var conflict *muxwell.ConflictError
	if errors.As(err, &conflict) {
		fmt.Println(conflict.Pattern)
		fmt.Println(conflict.Other)
		fmt.Println(conflict.Path)
	}
	// Output:
	// GET /users/{name}
	// GET /users/{id}
	// /users/id
}

func ExampleNameError() {
	m := muxwell.New()
	m.Get("/users", show("users"), muxwell.Name("users"))
	_, err := m.Add("GET /people", show("people"), muxwell.Name("users"))

	var name *muxwell.NameError
	if errors.As(err, &name) {
		fmt.Println(name.Name, name.Pattern)
	}
	// Output: users GET /people
}

func ExampleErrNilHandler() {
	_, err := muxwell.New().Add("GET /users", nil)
	fmt.Println(errors.Is(err, muxwell.ErrNilHandler))
	// Output: true
}
