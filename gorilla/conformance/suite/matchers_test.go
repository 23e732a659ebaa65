package suite_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// This file replaces TestHeaders, TestMethods, TestSchemes, TestMatcherFunc and
// TestSchemeHostPath of mux_test.go, and for TestRouteMatchers, TestHeaderMatcher,
// TestMethodMatcher and TestSchemeMatcher of old_test.go, and for the examples of
// HeadersRegexp.

func TestHeaders(t *testing.T) {
	two := func(r *mux.Router) *mux.Route { return r.Headers("X-One", "1", "x-two", "2") }
	present := func(r *mux.Router) *mux.Route { return r.Headers("x-one", "") }
	matched := func(expr string) func(*mux.Router) *mux.Route {
		return func(r *mux.Router) *mux.Route { return r.NewRoute().HeadersRegexp("x-one", expr) }
	}
	check(t, []matching{
		{name: "both", route: two, req: request("GET", "/", "X-One", "1", "X-Two", "2")},
		{name: "both and more", route: two, req: request("GET", "/", "X-One", "1", "X-Two", "2", "X-Three", "3")},
		{name: "one of several values", route: two, req: request("GET", "/", "X-One", "0", "X-One", "1", "X-Two", "2")},
		{name: "another value", route: two, req: request("GET", "/", "X-One", "1", "X-Two", "3"), miss: true},
		{name: "one missing", route: two, req: request("GET", "/", "X-One", "1"), miss: true},
		{name: "none", route: two, req: request("GET", "/"), miss: true},
		{name: "present", route: present, req: request("GET", "/", "X-One", "any")},
		{name: "present and empty", route: present, req: request("GET", "/", "X-One", "")},
		{name: "not present", route: present, req: request("GET", "/", "X-Two", "any"), miss: true},
		{name: "regexp", route: matched("ba[rz]"), req: request("GET", "/", "X-One", "baz")},
		{name: "regexp in the middle", route: matched("ba[rz]"), req: request("GET", "/", "X-One", "a bar or two")},
		{name: "regexp, another value", route: matched("ba[rz]"), req: request("GET", "/", "X-One", "bat"), miss: true},
		{name: "regexp, second value", route: matched("html"), req: request("GET", "/", "X-One", "text/plain", "X-One", "text/html")},
		{name: "regexp with anchors", route: matched("^html$"), req: request("GET", "/", "X-One", "html")},
		{name: "regexp with anchors, a longer value", route: matched("^html$"), req: request("GET", "/", "X-One", "xhtml"), miss: true},
		{name: "regexp, not present", route: matched(""), req: request("GET", "/"), miss: true},
	})
}

func TestMethods(t *testing.T) {
	two := func(r *mux.Router) *mux.Route { return r.Methods("get", "POST") }
	check(t, []matching{
		{name: "first", route: two, req: request("GET", "/")},
		{name: "second", route: two, req: request("POST", "/")},
		{name: "another", route: two, req: request("PUT", "/"), miss: true},
		{name: "HEAD is not GET", route: two, req: request("HEAD", "/"), miss: true},
		{name: "lower case in the request", route: two, req: request("get", "/"), miss: true},
		{name: "route without methods", route: (*mux.Router).NewRoute, req: request("PUT", "/")},
	})
	got, err := two(mux.NewRouter()).GetMethods()
	if !slices.Equal(got, []string{"GET", "POST"}) || err != nil {
		t.Errorf("GetMethods() = %q, %v", got, err)
	}
	if got, err := mux.NewRouter().NewRoute().GetMethods(); got != nil || err == nil {
		t.Errorf("GetMethods() = %q, %v of a route without methods, want an error", got, err)
	}
}

func TestSchemes(t *testing.T) {
	schemes := func(list ...string) func(*mux.Router) *mux.Route {
		return func(r *mux.Router) *mux.Route { return r.Schemes(list...).Host("h.test") }
	}
	tls := request("GET", "https://h.test/")
	tls.URL.Scheme, tls.URL.Host = "", ""
	check(t, []matching{
		{name: "none asked for", route: host("h.test"), req: request("GET", "http://h.test/"), url: "http://h.test"},
		{name: "first", route: schemes("https", "ftp"), req: request("GET", "https://h.test/"), url: "https://h.test"},
		{name: "second, the first is built", route: schemes("https", "ftp"), req: request("GET", "ftp://h.test/"), url: "https://h.test"},
		{name: "first of the other order", route: schemes("ftp", "https"), req: request("GET", "ftp://h.test/"), url: "ftp://h.test"},
		{name: "another", route: schemes("https", "ftp"), req: request("GET", "http://h.test/"), miss: true},
		{name: "upper case", route: schemes("HTTPS"), req: request("GET", "https://h.test/"), url: "https://h.test"},
		{name: "by the connection, plain", route: schemes("http"), req: withHost("GET", "/", "h.test")},
		{name: "by the connection, not TLS", route: schemes("https"), req: withHost("GET", "/", "h.test"), miss: true},
		{name: "by the connection, TLS", route: schemes("https"), req: tls},
	})
}

func TestSchemeHostPath(t *testing.T) {
	plain := func(r *mux.Router) *mux.Route { return r.Schemes("https").Host("a.test").Path("/one/two") }
	named := func(r *mux.Router) *mux.Route {
		return r.Schemes("ftp", "gopher").Host("{a:[a-z]+}.test").Path("/{b:[0-9]+}/{c}")
	}
	check(t, []matching{
		{
			name: "plain", route: plain, req: request("GET", "https://a.test/one/two"), url: "https://a.test/one/two",
			hostTemplate: "a.test", pathTemplate: "/one/two",
		},
		{name: "another host", route: plain, req: request("GET", "https://b.test/one/two"), miss: true},
		{name: "another path", route: plain, req: request("GET", "https://a.test/one"), miss: true},
		{name: "another scheme", route: plain, req: request("GET", "http://a.test/one/two"), miss: true},
		{
			name: "variables", route: named, req: request("GET", "gopher://x.test/1/y"),
			vars: vars{"a": "x", "b": "1", "c": "y"}, url: "ftp://x.test/1/y",
			hostTemplate: "{a:[a-z]+}.test", pathTemplate: "/{b:[0-9]+}/{c}",
		},
		{name: "variables, another host", route: named, req: request("GET", "ftp://1.test/1/y"), miss: true},
		{name: "variables, another path", route: named, req: request("GET", "ftp://x.test/y/1"), miss: true},
	})
}

func TestMatcherFunc(t *testing.T) {
	beta := func(r *mux.Router) *mux.Route {
		return r.MatcherFunc(func(r *http.Request, _ *mux.RouteMatch) bool { return r.Header.Get("X-Beta") != "" })
	}
	check(t, []matching{
		{name: "true", route: beta, req: request("GET", "/", "X-Beta", "1")},
		{name: "false", route: beta, req: request("GET", "/"), miss: true},
	})
}

// TestAllMatchers changes one part after the other of a request that matches.
func TestAllMatchers(t *testing.T) {
	r := mux.NewRouter()
	one := r.Host("{tenant}.shop.test").Path("/{kind:[a-z]+}/{id:[0-9]+}").Queries("page", "1").
		Methods("GET").Schemes("https").Headers("x-one", "1").HandlerFunc(says("one"))
	two := r.Host("www.{name}.test").PathPrefix("/in/{kind:[a-z]+}").Queries("lang", "en").
		Methods("POST").Schemes("http").Headers("X-Two", "2").HandlerFunc(says("two"))
	tests := []struct {
		name, method, target string
		header               []string
		want                 *mux.Route
		vars                 vars
	}{
		{"first", "GET", "https://www.shop.test/shoes/42?page=1", []string{"X-One", "1"}, one, vars{"tenant": "www", "kind": "shoes", "id": "42"}},
		{"scheme", "GET", "http://www.shop.test/shoes/42?page=1", []string{"X-One", "1"}, nil, nil},
		{"host", "GET", "https://www.other.test/shoes/42?page=1", []string{"X-One", "1"}, nil, nil},
		{"path", "GET", "https://www.shop.test/shoes/red?page=1", []string{"X-One", "1"}, nil, nil},
		{"query", "GET", "https://www.shop.test/shoes/42?page=2", []string{"X-One", "1"}, nil, nil},
		{"method", "POST", "https://www.shop.test/shoes/42?page=1", []string{"X-One", "1"}, nil, nil},
		{"header", "GET", "https://www.shop.test/shoes/42?page=1", nil, nil, nil},
		{"second", "POST", "http://www.shop.test/in/shoes/and/more?lang=en", []string{"X-Two", "2"}, two, vars{"name": "shop", "kind": "shoes"}},
		{"second, scheme", "POST", "https://www.shop.test/in/shoes?lang=en", []string{"X-Two", "2"}, nil, nil},
		{"second, host", "POST", "http://eu.shop.test/in/shoes?lang=en", []string{"X-Two", "2"}, nil, nil},
		{"second, path", "POST", "http://www.shop.test/out/shoes?lang=en", []string{"X-Two", "2"}, nil, nil},
		{"second, query", "POST", "http://www.shop.test/in/shoes", []string{"X-Two", "2"}, nil, nil},
		{"second, method", "GET", "http://www.shop.test/in/shoes?lang=en", []string{"X-Two", "2"}, nil, nil},
		{"second, header", "POST", "http://www.shop.test/in/shoes?lang=en", []string{"X-One", "1"}, nil, nil},
	}
	for _, test := range tests {
		var match mux.RouteMatch
		ok := r.Match(request(test.method, test.target, test.header...), &match)
		if ok != (test.want != nil) || match.Route != test.want {
			t.Errorf("%s: Match is %t with another route than wanted", test.name, ok)
		}
		if len(match.Vars) != len(test.vars) {
			t.Errorf("%s: Vars are %v, want %v", test.name, match.Vars, test.vars)
		}
		for name, want := range test.vars {
			if match.Vars[name] != want {
				t.Errorf("%s: %s is %q, want %q", test.name, name, match.Vars[name], want)
			}
		}
	}
}
