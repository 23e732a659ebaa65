package suite_test

import (
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// This file replaces TestQueries of mux_test.go and Test_findFirstQueryKey of
// regexp_test.go.

func query(pairs ...string) func(*mux.Router) *mux.Route {
	return func(r *mux.Router) *mux.Route { return r.Queries(pairs...) }
}

func TestQueries(t *testing.T) {
	full := func(r *mux.Router) *mux.Route { return r.Host("h.test").Path("/api").Queries("a", "1", "b", "2") }
	check(t, []matching{
		{name: "two", route: query("a", "1", "b", "2"), req: request("GET", "/?a=1&b=2"), url: "?a=1&b=2"},
		{name: "with host and path", route: full, req: request("GET", "http://h.test/api?a=1&b=2"), url: "http://h.test/api?a=1&b=2"},
		{name: "in another order", route: full, req: request("GET", "http://h.test/api?b=2&c=3&a=1")},
		{name: "another value", route: query("a", "1", "b", "2"), req: request("GET", "/?a=1&b=3"), miss: true},
		{name: "a longer value", route: query("a", "1"), req: request("GET", "/?a=11"), miss: true},
		{name: "longer keys", route: query("a", "1"), req: request("GET", "/?aa=1"), miss: true},
		{name: "no query", route: query("a", "1"), req: request("GET", "/"), miss: true},
		{name: "first value of a key only", route: query("a", "2"), req: request("GET", "/?a=1&a=2"), miss: true},
		{name: "no value asked for, one there", route: query("a", ""), req: request("GET", "/?a=1"), url: "?a="},
		{name: "no value asked for, empty", route: query("a", ""), req: request("GET", "/?a="), url: "?a="},
		{name: "no value asked for, no equals sign", route: query("a", ""), req: request("GET", "/?a")},
		{name: "no value asked for, no key", route: query("a", ""), req: request("GET", "/"), miss: true},
	})
}

func TestQueriesVariables(t *testing.T) {
	check(t, []matching{
		{name: "plain", route: query("a", "{x}"), req: request("GET", "/?a=one"), vars: vars{"x": "one"}, url: "?a=one"},
		{name: "plain, empty", route: query("a", "{x}"), req: request("GET", "/?a="), vars: vars{"x": ""}, url: "?a="},
		{name: "plain, no key", route: query("a", "{x}"), req: request("GET", "/"), miss: true},
		{name: "plain, slashes", route: query("a", "{x}"), req: request("GET", "/?a=b/c"), vars: vars{"x": "b/c"}, url: "?a=b%2Fc"},
		{
			name: "escaped", route: query("a", "{x}"), req: request("GET", "/?a=%25b%26%20%2F%3D%3F"),
			vars: vars{"x": "%b& /=?"}, url: "?a=%25b%26+%2F%3D%3F",
		},
		{name: "two", route: query("a", "{x}", "b", "{y}"), req: request("GET", "/?a=1&b=2"), vars: vars{"x": "1", "y": "2"}, url: "?a=1&b=2"},
		{name: "regexp", route: query("a", "{x:[0-9]+}"), req: request("GET", "/?a=10"), vars: vars{"x": "10"}, url: "?a=10"},
		{name: "regexp, another value", route: query("a", "{x:[0-9]+}"), req: request("GET", "/?a=x"), miss: true},
		{name: "quantifier", route: query("a", "{x:[0-9]{1}}"), req: request("GET", "/?b=2&a=1"), vars: vars{"x": "1"}, url: "?a=1"},
		{name: "quantifier, too long", route: query("a", "{x:[0-9]{1}}"), req: request("GET", "/?a=12"), miss: true},
		{name: "group", route: query("a", "{x:[0-9](?:k|m)}"), req: request("GET", "/?a=1k"), vars: vars{"x": "1k"}, url: "?a=1k"},
		{name: "hyphen in the name", route: query("a", "{the-x:[0-9]+}"), req: request("GET", "/?a=1"), vars: vars{"the-x": "1"}, url: "?a=1"},
		{name: "two in a value", route: query("a", "{x}.{y}"), req: request("GET", "/?a=1.2"), vars: vars{"x": "1", "y": "2"}, url: "?a=1.2"},
	})
}

func TestQueriesGetters(t *testing.T) {
	tests := []struct {
		pairs, templates, regexps []string
	}{
		{[]string{"a", "1", "b", "2"}, []string{"a=1", "b=2"}, []string{"^a=1$", "^b=2$"}},
		{[]string{"a", "{x}"}, []string{"a={x}"}, []string{"^a=(?P<v0>.*)$"}},
		{[]string{"a", "{x}", "b", "{y:[0-9]{1}}"}, []string{"a={x}", "b={y:[0-9]{1}}"}, []string{"^a=(?P<v0>.*)$", "^b=(?P<v0>[0-9]{1})$"}},
		{[]string{"a", ""}, []string{"a="}, []string{"^a=.*$"}},
		{[]string{"a", "{x:[0-9](?:k|m)}"}, []string{"a={x:[0-9](?:k|m)}"}, []string{"^a=(?P<v0>[0-9](?:k|m))$"}},
	}
	for _, test := range tests {
		route := mux.NewRouter().Queries(test.pairs...)
		if got, err := route.GetQueriesTemplates(); !slices.Equal(got, test.templates) || err != nil {
			t.Errorf("Queries(%q).GetQueriesTemplates() = %q, %v, want %q", test.pairs, got, err, test.templates)
		}
		if got, err := route.GetQueriesRegexp(); !slices.Equal(got, test.regexps) || err != nil {
			t.Errorf("Queries(%q).GetQueriesRegexp() = %q, %v, want %q", test.pairs, got, err, test.regexps)
		}
	}
	if route := mux.NewRouter().Queries("a"); route != nil {
		t.Error("Queries with an odd number of strings returns a route")
	}
}

// TestQueriesFirstValue compares the value of a key with the one that net/url finds.
func TestQueriesFirstValue(t *testing.T) {
	for _, raw := range []string{
		"a=1&b=2", "a=1&a=2&a=three", "a=%3Cb%3A+c%3E", "a=1;b=2", "a=1&a=2;a=3", "a==", "a=%2", "=1&a=2",
		"a=2&%20%3F&=%23+%25%21%3C%3E%23%22%7B%7D%7C%E2%98%BA%09:%2F@$%27%28%29%2A%2C%3B&a=3",
		"a=1& ?&=#+%!<>#\"{}|\\^[]`☺\t:/@$'()*,;&a=5", "long=xxxxxxxxxxxxxxxxxxxx&b=yyyyyyyyyyyy&c=z",
	} {
		all, _ := url.ParseQuery(raw) // with the pairs that can be parsed
		for key, values := range all {
			req := request("GET", "/")
			req.URL.RawQuery = raw
			var match mux.RouteMatch
			ok := mux.NewRouter().Queries(key, "{value}").Match(req, &match)
			if !ok || match.Vars["value"] != values[0] {
				t.Errorf("%q: the value of %q is %q, %t, want %q", raw, key, match.Vars["value"], ok, values[0])
			}
		}
	}
}

// TestQueriesOfSeveralRoutes has routes that differ in their queries alone.
func TestQueriesOfSeveralRoutes(t *testing.T) {
	r := mux.NewRouter()
	r.HandleFunc("/api", says("a")).Queries("a", "{a:[0-9]+}").Methods(http.MethodGet)
	r.HandleFunc("/api", says("b")).Queries("b", "{b:[0-9]+}").Methods(http.MethodGet)
	for target, want := range map[string]string{"/api?a=1": "a", "/api?b=1": "b", "/api?b=1&a=1": "a", "/api?a=x&b=1": "b"} {
		var match mux.RouteMatch
		if !r.Match(request("GET", target), &match) || match.MatchErr != nil {
			t.Errorf("%s: no match, or the error %v", target, match.MatchErr)
		}
		if got := serve(r, request("GET", target)).Body.String(); got != want {
			t.Errorf("%s is served by %q, want %q", target, got, want)
		}
	}
}
