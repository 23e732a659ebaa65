package conformance

import (
	"testing"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/program"
)

// get returns a request for a target, to h.test.
func get(target string) *program.Request {
	return &program.Request{Method: "GET", Target: target, Host: "h.test"}
}

// TestKnownPrograms runs programs that random ones seldom come near to, or that once
// showed a difference.
func TestKnownPrograms(t *testing.T) {
	type op = program.Op
	router := op{Call: program.NewRouter, Out: 1}
	tests := map[string]program.Program{
		"one variable at several levels": {
			router,
			{Call: program.PathPrefix, On: 1, Out: 2, Args: []string{"/{id}/a"}},
			{Call: program.Handler, On: 2, Nums: []int{1}},
			{Call: program.Subrouter, On: 2, Out: 3},
			{Call: program.NewRoute, On: 3, Out: 4},
			{Call: program.Subrouter, On: 4, Out: 5},
			{Call: program.PathPrefix, On: 5, Out: 6, Args: []string{"/{v}/"}},
			{Call: program.Path, On: 6, Args: []string{"/c/{id}/d"}},
			{Call: program.ServeHTTP, On: 1, Nums: []int{1}, Req: get("/1/a/2/c/7/d")},
			{Call: program.Match, On: 1, Req: get("/1/a/2/c/7/d")},
		},
		"one variable twice in a path": {
			router,
			{Call: program.HandleFunc, On: 1, Out: 2, Args: []string{"/{id}/{id}"}, Nums: []int{1}},
			{Call: program.ServeHTTP, On: 1, Nums: []int{1}, Req: get("/1/2")},
			{Call: program.URL, On: 2, Args: []string{"id", "7"}},
		},
		"a redirect to no path": {
			router,
			{Call: program.StrictSlash, On: 1, Nums: []int{1}},
			{Call: program.HandleFunc, On: 1, Out: 2, Args: []string{""}, Nums: []int{1}},
			{Call: program.ServeHTTP, On: 1, Nums: []int{0}, Req: get("http:///?a=1")},
			{Call: program.ServeHTTP, On: 1, Nums: []int{0}, Req: get("/")},
		},
		"a query that is registered in pieces": {
			router,
			{Call: program.Queries, On: 1, Out: 2, Args: []string{"a"}},
			{Call: program.Queries, On: 1, Out: 3, Args: []string{"a", "1"}},
			{Call: program.Queries, On: 3, Args: []string{"b"}},
			{Call: program.Getters, On: 3},
			{Call: program.ServeHTTP, On: 1, Nums: []int{0}, Req: get("/?a=1")},
		},
		"a name without a value of its own": {
			router,
			{Call: program.Name, On: 1, Out: 2, Args: []string{""}},
			{Call: program.Name, On: 2, Args: []string{"n"}},
			{Call: program.Name, On: 2, Args: []string{"n"}},
			{Call: program.Getters, On: 2},
			{Call: program.Get, On: 1, Args: []string{""}},
			{Call: program.Get, On: 1, Args: []string{"n"}},
		},
		"a handler that is set and taken": {
			router,
			{Call: program.Handle, On: 1, Out: 2, Args: []string{"/a"}, Nums: []int{1}},
			{Call: program.Handler, On: 2, Nums: []int{program.Nil}},
			{Call: program.ServeHTTP, On: 1, Nums: []int{0}, Req: get("/a")},
			{Call: program.Match, On: 1, Req: get("/a")},
		},
		"a route that gets its path after others serve": {
			router,
			{Call: program.NewRoute, On: 1, Out: 2},
			{Call: program.HandleFunc, On: 1, Out: 3, Args: []string{"/a"}, Nums: []int{3}},
			{Call: program.BuildOnly, On: 2},
			{Call: program.ServeHTTP, On: 1, Nums: []int{1}, Req: get("/a")},
			{Call: program.Methods, On: 3, Args: []string{"POST"}},
			{Call: program.ServeHTTP, On: 1, Nums: []int{1}, Req: get("/a")},
		},
	}
	for name, p := range tests {
		if d := toSubject.run(p, rulesFor(p), nil); d != nil {
			t.Errorf("%s:\n%v", name, d)
		}
	}
}
