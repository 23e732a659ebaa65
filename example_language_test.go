package muxwell_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/muxwell/muxwell"
)

// Text and parameters stand in a segment in any mix, and a catch-all may have
// more behind it.
func ExampleMux_HandleFunc_segments() {
	m := muxwell.New()
	say := func(names ...string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, r *http.Request) {
			for _, name := range names {
				fmt.Fprintf(w, "%s=%s ", name, r.PathValue(name))
			}
		}
	}
	m.HandleFunc("GET /files/{name}.{ext}", say("name", "ext"))
	m.HandleFunc("GET /v{major:int}.{minor:int}/", say("major", "minor"))
	m.HandleFunc("POST /jobs/{id}:cancel", say("id"))
	m.HandleFunc("GET /repos/{path...}/raw/{file}", say("path", "file"))

	fmt.Println(get(m, "GET", "/files/report.pdf"))
	fmt.Println(get(m, "GET", "/v1.26/notes"))
	fmt.Println(get(m, "POST", "/jobs/7:cancel"))
	fmt.Println(get(m, "GET", "/repos/a/b/c/raw/x.go"))
	// Output:
	// 200 name=report ext=pdf
	// 200 major=1 minor=26
	// 200 id=7
	// 200 path=a/b/c file=x.go
}

// A Constraint is a name, or a regular expression for the whole value. A value
// that it refuses is left to other patterns.
func ExampleMux_HandleFunc_constraints() {
	m := muxwell.New()
	m.HandleFunc("GET /users/{id:int}", show("by number"))
	m.HandleFunc("GET /users/{id:uuid}", show("by UUID"))
	m.HandleFunc("GET /users/{name}", show("by name"))
	m.HandleFunc("GET /archive/{year:[0-9]{4}}", show("a year"))

	fmt.Println(get(m, "GET", "/users/42"))
	fmt.Println(get(m, "GET", "/users/123e4567-e89b-42d3-a456-426614174000"))
	fmt.Println(get(m, "GET", "/users/gordon"))
	fmt.Println(get(m, "GET", "/archive/2026"))
	fmt.Println(get(m, "GET", "/archive/26"))
	// Output:
	// 200 by number
	// 200 by UUID
	// 200 by name
	// 200 a year
	// 404 404 page not found
}

func ExampleConstraint() {
	isbn := muxwell.Constraint("isbn", func(v string) bool { return len(v) == 13 && strings.HasPrefix(v, "978") })
	m := muxwell.New(isbn)
	m.HandleFunc("GET /books/{book:isbn}", show("a book"))

	fmt.Println(get(m, "GET", "/books/9780262033848"))
	fmt.Println(get(m, "GET", "/books/42"))
	// Output:
	// 200 a book
	// 404 404 page not found
}

// Labels of a host may be parameters. Their values are in lower case.
func ExampleMux_HandleFunc_hostParameters() {
	m := muxwell.New()
	m.HandleFunc("{tenant}.example.com/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.PathValue("tenant"), " ", r.PathValue("id"))
	})
	m.HandleFunc("api.example.com/users/{id}", show("the API"))

	for _, host := range []string{"ACME.example.com:8080", "api.example.com", "example.com"} {
		r := httptest.NewRequest("GET", "/users/7", nil)
		r.Host = host
		w := httptest.NewRecorder()
		m.ServeHTTP(w, r)
		fmt.Println(w.Code, strings.TrimSpace(w.Body.String()))
	}
	// Output:
	// 200 acme 7
	// 200 the API
	// 404 404 page not found
}

func ExampleMux_Explain() {
	m := muxwell.New()
	for i, pattern := range []string{"GET /users/{id:int}", "GET /users/{name}", "POST /users/{id}", "/"} {
		if _, err := m.Add(pattern, http.NotFoundHandler(), muxwell.Source("routes.txt", i+1)); err != nil {
			panic(err)
		}
	}
	e := m.Explain(httptest.NewRequest("GET", "/users/gordon", nil))
	fmt.Println(e.Route.Pattern(), e.Params.Get("name"))
	fmt.Print(e)
	// Output:
	// GET /users/{name} gordon
	// GET example.com/users/gordon
	// └─► GET /users/{name}    routes.txt:2
	//     name = "gordon"
	// also matched
	//     /                    literal beats catch-all at segment 1
	// nearly matched
	//     GET /users/{id:int}  constraint int refused "gordon"
	//     POST /users/{id}     method: it is for POST
}

func ExampleMux_Check() {
	m := muxwell.New()
	for i, pattern := range []string{"/users/{id}", "/{kind}/new", "/{n:int}", "/{n:uint}", "/files/*path"} {
		if _, err := m.Add(pattern, http.NotFoundHandler(), muxwell.Source("routes.txt", i+1)); err != nil {
			panic(err)
		}
	}
	report := m.Check()
	for _, o := range report.Overlaps {
		fmt.Println(o)
	}
	for _, u := range report.Unreachable {
		fmt.Println(u)
	}
	for _, s := range report.Suspicious {
		fmt.Println(s)
	}
	// Output:
	// routes.txt:1: /users/{id} crosses /{kind}/new (routes.txt:2) and wins
	// 	literal beats parameter at segment 1; both match GET /users/new
	// routes.txt:3: /{n:int} wins over /{n:uint} (routes.txt:4)
	// 	constraint int was registered before constraint uint at segment 1; both match GET /0
	// routes.txt:4: /{n:uint} is unreachable: /{n:int} (routes.txt:3) matches all of its requests
	// routes.txt:5: /files/*path: "*path" is literal text; for the rest of the path write "/files/{path...}"
}

func ExampleMux_Sample() {
	m := muxwell.New()
	rt, err := m.Add("POST {tenant}.example.com/v{n:int}/{path...}", http.NotFoundHandler())
	if err != nil {
		panic(err)
	}
	r, ok := m.Sample(rt)
	fmt.Println(ok, r.Method, r.Host, r.URL)
	// Output:
	// true POST tenant.example.com /v0/path
}

// Routes that come from a file say where in it they stand.
func ExampleSource() {
	m := muxwell.New()
	m.Add("GET /a", http.NotFoundHandler(), muxwell.Source("routes.txt", 1))
	_, err := m.Add("GET /a", http.NotFoundHandler(), muxwell.Source("routes.txt", 9))
	fmt.Println(err)
	// Output:
	// muxwell: pattern "GET /a" (registered at routes.txt:9) conflicts with pattern "GET /a" (registered at routes.txt:1):
	// both match the same GET requests like "/a". Remove one of them
}

// Values are escaped for their place, and checked as a request's would be.
func ExampleMux_URL() {
	m := muxwell.New()
	if _, err := m.Add("GET {tenant}.example.com/files/{name}.{ext}", http.NotFoundHandler(), muxwell.Name("file")); err != nil {
		panic(err)
	}
	fmt.Println(m.URL("file", "tenant", "acme", "name", "a/b", "ext", "pdf"))
	_, err := m.URL("file", "tenant", "acme", "name", "a.b", "ext", "pdf")
	fmt.Println(err)
	// Output:
	// //acme.example.com/files/a%2Fb.pdf <nil>
	// muxwell: URL of route "file", pattern "GET {tenant}.example.com/files/{name}.{ext}": {name}.{ext} would parse "a.b.pdf" as ["a" "b.pdf"]
}

func ExampleMux_Path() {
	m := muxwell.New()
	if _, err := m.Add("GET /users/{id:int}", http.NotFoundHandler(), muxwell.Name("user")); err != nil {
		panic(err)
	}
	fmt.Println(m.Path("user", "id", "42"))
	_, err := m.Path("user", "id", "gordon")
	fmt.Println(err)
	// Output:
	// /users/42 <nil>
	// muxwell: URL of route "user", pattern "GET /users/{id:int}": {id:int} does not match "gordon"
}

func ExampleRoute_URL() {
	m := muxwell.New()
	rt, err := m.Add("/docs/{path...}", http.NotFoundHandler())
	if err != nil {
		panic(err)
	}
	fmt.Println(rt.URL("path", "guide/first steps"))
	// Output:
	// /docs/guide/first%20steps <nil>
}

func ExampleURLError() {
	m := muxwell.New()
	if _, err := m.Add("/users/{id}", http.NotFoundHandler(), muxwell.Name("user")); err != nil {
		panic(err)
	}
	_, err := m.Path("user")
	if e, ok := errors.AsType[*muxwell.URLError](err); ok {
		fmt.Println(e.Name, e.Param, e.Reason)
	}
	// Output:
	// user id no value for "id"; the route has the parameters id
}
