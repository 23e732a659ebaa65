package soak

import (
	"fmt"
	"net/http"
)

// calls are the requests of ordinary clients, one or more for each feature of the router
// and of the middleware. n makes their values unique.
var calls = []func(n uint64) call{
	// Patterns.
	ok("/plain", "GET /plain"),
	okN("/users/%d", "GET /users/{id:int} id=%d"),
	okN("/users/name-%d", "GET /users/{name} name=name-%d"),
	okN("/users/a%%2Fb-%d", "GET /users/{name} name=a/b-%d"),
	okN("/docs/a/b/%d", "GET /docs/{path...} path=a/b/%d"),
	okN("/docs/a/%d/raw", "GET /docs/{path...}/raw path=a/%d"),
	okN("/v2/item-%d.json", "GET /v{version}/{item}.{ext} version=2 item=item-%d ext=json"),
	okN("/even/%d8", "GET /even/{n:even} n=%d8"),
	refusal("/even/7", http.StatusNotFound, "404 page not found\n"),
	ok("/years/2026", "GET /years/{year:[0-9]{4}} year=2026"),
	refusal("/years/26", http.StatusNotFound, "404 page not found\n"),
	okN("/values/x/%d", "GET /values/{a}/{b} a=x b=%d"),
	func(n uint64) call {
		x := ok("/home", fmt.Sprintf("GET {tenant}.soak.test/home tenant=t%d", n))(n)
		x.host = fmt.Sprintf("T%d.soak.test", n)
		return x
	},

	// Methods, paths and what the mux answers itself.
	just(call{method: "HEAD", path: "/plain", status: 200, runs: 1}),
	just(call{method: "OPTIONS", path: "/plain", status: 204, fields: map[string]string{"Allow": "GET, HEAD, OPTIONS"}}),
	just(call{
		method: "DELETE", path: "/plain", status: 405, answer: "Method Not Allowed\n",
		fields: map[string]string{"Allow": "GET, HEAD, OPTIONS"},
	}),
	refusal("/nowhere", http.StatusNotFound, "404 page not found\n"),
	redirect("/tree", http.StatusTemporaryRedirect, "/tree/"),
	redirect("/x/..//tree/a", http.StatusTemporaryRedirect, "/tree/a"),
	ok("/tree/a/b", "GET /tree/"),
	just(call{method: "POST", path: "/echo", body: "twelve bytes", status: 200, answer: digest([]byte("twelve bytes")), runs: 1}),

	// Matchers.
	with("X-Beta", "1", ok("/feed", "GET /feed beta")),
	ok("/feed", "GET /feed stable"),
	with("Accept", "text/csv;q=0.5, application/json", ok("/report", "GET /report json")),
	with("Accept", "text/csv", ok("/report", "GET /report csv")),
	with("Accept", "image/png", refusal("/report", http.StatusNotAcceptable, "Not Acceptable\n")),
	ok("/search?page=3&q=x+y", "GET /search page q=x y page=3"),
	refusal("/search?page=three&q=x", http.StatusNotFound, "404 page not found\n"),
	with("Content-Type", "text/csv", just(call{method: "POST", path: "/import", body: "a,b", status: 200, answer: "POST /import csv", runs: 1})),
	with("Content-Type", "text/plain", just(call{method: "POST", path: "/import", body: "a,b", status: 415, answer: "Unsupported Media Type\n"})),
	ok("/odd?long", "GET /odd long"),
	ok("/odd?x", "GET /odd short"),

	// Groups, mounts and files.
	okN("/api/users/%d", "GET /api/users/{id} id=%d"),
	just(call{method: "GET", path: "/api/v0/users", status: 200, answer: "GET /api/v0/users", runs: 1, fields: map[string]string{"Deprecation": "@1767225600"}}),
	just(call{method: "GET", path: "/api/none", status: 404, answer: "api: not found\n", fields: map[string]string{"Cache-Control": "no-store"}}),
	okN("/admin/users/%d", "GET /admin/users/{id} id=%d"),
	refusal("/admin/none", http.StatusNotFound, "admin: not found\n"),
	okN("/old/things/%d", "old thing %d"),
	refusal("/old/things/x", http.StatusNotFound, "404 page not found\n"),
	just(call{method: "GET", path: "/static/hello.txt", status: 200, answer: helloText}),
	with("If-None-Match", "*", just(call{method: "GET", path: "/static/hello.txt", status: 304})),
	refusal("/static/none.txt", http.StatusNotFound, "404 page not found\n"),
	refusal("/static/%2e%2e/secret", http.StatusNotFound, "404 page not found\n"),

	// Middleware.
	okN("/tagged/%d", "GET /tagged/{id} id=%d"),
	with("If-None-Match", "*", just(call{method: "GET", path: "/tagged/7", status: 304, runs: 1})),
	refusal("/basic", http.StatusUnauthorized, "Unauthorized\n"),
	with("Authorization", "Basic YW5uOnNlY3JldA==", ok("/basic", "GET /basic")),
	with("Authorization", "Bearer token-2", refusal("/bearer", http.StatusUnauthorized, "Unauthorized\n")),
	with("Authorization", "Bearer token-1", ok("/bearer", "GET /bearer")),
	with("X-HTTP-Method-Override", "PUT", just(call{method: "POST", path: "/override/7", body: "x", status: 200, answer: "PUT /override/{id} id=7", runs: 1})),
	just(call{
		method: "GET", path: "/plain?x=1", host: oldHost, status: 301, within: true, noID: true,
		fields: map[string]string{"Location": "http://www.soak.test/plain?x=1"},
	}),

	// Errors that handlers return.
	just(call{method: "GET", path: "/fail/x", status: 400, answer: "Bad Request\n", runs: 1}),
	just(call{method: "GET", path: "/fail/7", status: 500, answer: "Internal Server Error\n", runs: 1}),

	// The explorer.
	just(call{method: "GET", path: "/_routes/match?method=GET&url=/plain", status: 200, answer: "GET /plain", within: true}),
}

// just returns a call that is always the same.
func just(x call) func(uint64) call { return func(uint64) call { return x } }

// ok is a GET request that a handler answers.
func ok(path, answer string) func(uint64) call {
	return just(call{method: "GET", path: path, status: http.StatusOK, answer: answer, runs: 1})
}

// okN is ok with n in the path and in the answer.
func okN(path, answer string) func(uint64) call {
	return func(n uint64) call {
		return ok(fmt.Sprintf(path, n), fmt.Sprintf(answer, n))(n)
	}
}

// refusal is a GET request for which no handler is called.
func refusal(path string, status int, answer string) func(uint64) call {
	return just(call{method: "GET", path: path, status: status, answer: answer})
}

// redirect is a GET request that is redirected.
func redirect(path string, status int, location string) func(uint64) call {
	return just(call{
		method: "GET", path: path, status: status, within: true,
		fields: map[string]string{"Location": location},
	})
}

// with adds a header to a call.
func with(key, value string, f func(uint64) call) func(uint64) call {
	return func(n uint64) call {
		x := f(n)
		x.header = map[string]string{key: value}
		return x
	}
}

// browse returns the step of an ordinary client: the next of the calls.
func browse(by func(*servers) *client) func(s *suite, name string, i int) {
	return func(s *suite, name string, i int) {
		s.exchange(name, by(s.servers), calls[i%len(calls)](s.number.Add(1)))
	}
}
