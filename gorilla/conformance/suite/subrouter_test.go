package suite_test

import (
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// This file replaces TestSubRouter, TestSubrouterHeader, TestSubrouterMatching,
// TestSubrouterErrorHandling, TestSubrouterNotFound and TestErrMatchNotFound of
// mux_test.go.

func TestSubrouter(t *testing.T) {
	type routes = func(*mux.Router) *mux.Route
	byHost := func(r *mux.Router) *mux.Route { return r.Host("{a:[a-z]+}.test").Subrouter().Path("/{b:[a-z]+}") }
	byPrefix := func(r *mux.Router) *mux.Route { return r.PathPrefix("/in/{a}").Subrouter().Path("/x/{b}") }
	below := func(prefix, template string) routes {
		return func(r *mux.Router) *mux.Route { return r.PathPrefix(prefix).Subrouter().Path(template) }
	}
	post := func(r *mux.Router) *mux.Route { return r.Methods("POST").PathPrefix("/in").Subrouter().Path("/") }
	https := func(r *mux.Router) *mux.Route { return r.Schemes("https").Subrouter().PathPrefix("/") }
	header := func(r *mux.Router) *mux.Route { return r.Headers("X-One", "1").Subrouter().PathPrefix("/") }
	queries := func(r *mux.Router) *mux.Route { return r.Queries("a", "1").Subrouter().PathPrefix("/") }
	scheme := func(list ...string) routes {
		return func(r *mux.Router) *mux.Route {
			return r.Schemes("https", "ftp").Host("h.test").Subrouter().Schemes(list...).Path("/")
		}
	}
	deep := func(r *mux.Router) *mux.Route {
		return r.Host("{a}.test").Subrouter().PathPrefix("/{b}").Subrouter().Path("/{c}").Queries("d", "{d}")
	}
	check(t, []matching{
		{
			name: "host", route: byHost, req: request("GET", "http://x.test/y"), vars: vars{"a": "x", "b": "y"},
			url: "http://x.test/y", hostTemplate: "{a:[a-z]+}.test", pathTemplate: "/{b:[a-z]+}",
		},
		{name: "another host", route: byHost, req: request("GET", "http://1.test/y"), miss: true},
		{
			name: "prefix", route: byPrefix, req: request("GET", "/in/1/x/2"), vars: vars{"a": "1", "b": "2"},
			url: "/in/1/x/2", pathTemplate: "/in/{a}/x/{b}",
		},
		{name: "prefix alone", route: byPrefix, req: request("GET", "/in/1"), miss: true},
		{name: "slash below a prefix", route: below("/in", "/"), req: request("GET", "/in/"), url: "/in/", pathTemplate: "/in/"},
		{name: "nothing below a prefix", route: below("/in", ""), req: request("GET", "/in"), url: "/in", pathTemplate: "/in"},
		{name: "slash below two segments", route: below("/in/to", "/"), req: request("GET", "/in/to/"), url: "/in/to/"},
		{name: "nothing below two segments", route: below("/in/to", ""), req: request("GET", "/in/to"), url: "/in/to"},
		{name: "below a prefix with a slash", route: below("/in/", "/to"), req: request("GET", "/in/to"), url: "/in/to", pathTemplate: "/in/to"},
		{name: "slash below a variable", route: below("/{a}", "/"), req: request("GET", "/x/"), vars: vars{"a": "x"}, url: "/x/", pathTemplate: "/{a}/"},
		{name: "nothing below a variable", route: below("/{a}", ""), req: request("GET", "/x"), vars: vars{"a": "x"}, url: "/x", pathTemplate: "/{a}"},
		{name: "method above", route: post, req: request("POST", "/in/"), url: "/in/"},
		{name: "another method above", route: post, req: request("GET", "/in/"), miss: true},
		{name: "scheme above", route: https, req: request("GET", "https://h/")},
		{name: "another scheme above", route: https, req: request("GET", "http://h/"), miss: true},
		{name: "header above", route: header, req: request("GET", "/", "X-One", "1")},
		{name: "another header above", route: header, req: request("GET", "/", "X-One", "2"), miss: true},
		{name: "no header", route: header, req: request("GET", "/"), miss: true},
		{name: "query above", route: queries, req: request("GET", "/?a=1")},
		{name: "another query above", route: queries, req: request("GET", "/?a=2"), miss: true},
		{name: "scheme above is built", route: scheme("https"), req: request("GET", "https://h.test/"), url: "https://h.test/"},
		{name: "scheme of the route is preferred", route: scheme("ftp"), req: request("GET", "ftp://h.test/"), url: "ftp://h.test/"},
		{
			name: "three deep", route: deep, req: request("GET", "http://1.test/2/3?d=4"),
			vars: vars{"a": "1", "b": "2", "c": "3", "d": "4"}, url: "http://1.test/2/3?d=4",
			hostTemplate: "{a}.test", pathTemplate: "/{b}/{c}",
		},
	})
}

// TestSubrouterAddsMatchers adds a second matcher of one kind, to a route and to a
// route of its subrouter: both must match.
func TestSubrouterAddsMatchers(t *testing.T) {
	type add = func(*mux.Route) *mux.Route
	kinds := []struct {
		name          string
		first, second add
		match, miss   []string // targets, the host or header after a space
	}{
		{
			"prefixes", func(r *mux.Route) *mux.Route { return r.PathPrefix("/a") },
			func(r *mux.Route) *mux.Route { return r.PathPrefix("/b") },
			[]string{"/a/b", "/a/b/c"},
			[]string{"/a", "/b"},
		},
		{
			"paths", func(r *mux.Route) *mux.Route { return r.Path("/a") },
			func(r *mux.Route) *mux.Route { return r.Path("/b") },
			nil,
			[]string{"/a", "/b", "/a/b", "/a/b/c"},
		},
		{
			"hosts", func(r *mux.Route) *mux.Route { return r.Host("a.test") },
			func(r *mux.Route) *mux.Route { return r.Host("b.test") },
			nil,
			[]string{"http://a.test/", "http://b.test/", "http://c.test/"},
		},
		{
			"queries", func(r *mux.Route) *mux.Route { return r.Queries("a", "1") },
			func(r *mux.Route) *mux.Route { return r.Queries("b", "2") },
			[]string{"/?a=1&b=2", "/?b=2&c=3&a=1"},
			[]string{"/", "/?a=1", "/?b=2"},
		},
		{
			"queries of one key", func(r *mux.Route) *mux.Route { return r.Queries("a", "1") },
			func(r *mux.Route) *mux.Route { return r.Queries("a", "2") },
			nil,
			[]string{"/", "/?a=1", "/?a=2", "/?a=1&a=2"},
		},
		{
			"schemes", func(r *mux.Route) *mux.Route { return r.Schemes("http") },
			func(r *mux.Route) *mux.Route { return r.Schemes("https") },
			nil,
			[]string{"http://h/", "https://h/", "ftp://h/"},
		},
	}
	for _, kind := range kinds {
		for _, nested := range []bool{false, true} {
			r := mux.NewRouter()
			route := kind.first(r.NewRoute())
			if nested {
				route = route.Subrouter().NewRoute()
			}
			kind.second(route)
			for _, target := range kind.match {
				if !r.Match(request("GET", target), &mux.RouteMatch{}) {
					t.Errorf("%s, nested %t: %s does not match", kind.name, nested, target)
				}
			}
			for _, target := range kind.miss {
				if r.Match(request("GET", target), &mux.RouteMatch{}) {
					t.Errorf("%s, nested %t: %s matches", kind.name, nested, target)
				}
			}
		}
	}
}

// TestSubrouterAddsHeadersAndMethods is the same for what is not in the target.
func TestSubrouterAddsHeadersAndMethods(t *testing.T) {
	for _, nested := range []bool{false, true} {
		next := func(route *mux.Route) *mux.Route {
			if nested {
				return route.Subrouter().NewRoute()
			}
			return route
		}
		headers, values, methods := mux.NewRouter(), mux.NewRouter(), mux.NewRouter()
		next(headers.Headers("A", "1")).Headers("B", "2")
		next(values.Headers("A", "1")).Headers("A", "2")
		next(methods.Methods("GET")).Methods("POST")
		matches := func(r *mux.Router, method string, header ...string) bool {
			return r.Match(request(method, "/", header...), &mux.RouteMatch{})
		}
		if !matches(headers, "GET", "A", "1", "B", "2") || !matches(headers, "GET", "A", "1", "B", "2", "C", "3") {
			t.Errorf("nested %t: both headers do not match", nested)
		}
		if matches(headers, "GET", "A", "1") || matches(headers, "GET", "B", "2") || matches(headers, "GET") {
			t.Errorf("nested %t: one header matches", nested)
		}
		if matches(values, "GET", "A", "1") || matches(values, "GET", "A", "2") || matches(values, "GET", "A", "3") {
			t.Errorf("nested %t: one value of a header matches", nested)
		}
		if matches(methods, "GET") || matches(methods, "POST") || matches(methods, "HEAD") {
			t.Errorf("nested %t: a method matches", nested)
		}
	}
}

// TestSubrouterFallsThrough has routes next to subrouters that match in part.
func TestSubrouterFallsThrough(t *testing.T) {
	r := mux.NewRouter()
	r.Headers("X-One", "").Subrouter().HandleFunc("/", says("one")).Name("one")
	r.PathPrefix("/in").Subrouter().HandleFunc("/a", says("first"))
	r.PathPrefix("/in").Subrouter().HandleFunc("/b", says("second"))
	r.HandleFunc("/in/c", says("third"))
	r.HandleFunc("/", says("two")).Name("two")
	for _, test := range []struct {
		target, want string
		header       []string
	}{
		{"/", "one", []string{"X-One", "x"}},
		{"/", "two", nil},
		{"/in/a", "first", nil},
		{"/in/b", "second", nil},
		{"/in/c", "third", nil},
	} {
		if got := serve(r, request("GET", test.target, test.header...)).Body.String(); got != test.want {
			t.Errorf("%s with %q is served by %q, want %q", test.target, test.header, got, test.want)
		}
	}
	var match mux.RouteMatch
	req := request("GET", "/", "X-One", "x")
	if !r.Match(req, &match) || match.Route.GetName() != "one" || serve(match.Handler, req).Body.String() != "one" {
		t.Errorf("Match has the route %v", match.Route)
	}
}
