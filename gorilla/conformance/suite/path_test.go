package suite_test

import (
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// This file replaces TestPath and TestPathPrefix of mux_test.go, and for
// TestPathMatcher and TestNewRegexp of old_test.go.

func path(template string) func(*mux.Router) *mux.Route {
	return func(r *mux.Router) *mux.Route { return r.Path(template) }
}

func prefix(template string) func(*mux.Router) *mux.Route {
	return func(r *mux.Router) *mux.Route { return r.PathPrefix(template) }
}

func TestPath(t *testing.T) {
	check(t, []matching{
		{name: "same", route: path("/one/two"), req: request("GET", "/one/two"), url: "/one/two"},
		{name: "same, absolute form", route: path("/one/two"), req: request("GET", "http://h/one/two")},
		{name: "another", route: path("/one/two"), req: request("GET", "/one/2"), miss: true},
		{name: "longer", route: path("/one"), req: request("GET", "/one/two"), miss: true},
		{name: "shorter", route: path("/one/two"), req: request("GET", "/one"), miss: true},
		{name: "slash in both", route: path("/one/"), req: request("GET", "/one/"), url: "/one/"},
		{
			name: "slash in the template only", route: path("/one/"), req: request("GET", "/one"), miss: true,
			pathTemplate: "/one/", pathRegexp: "^/one/$",
		},
		{
			name: "slash in the request only", route: path("/one"), req: request("GET", "/one/"), miss: true,
			pathTemplate: "/one", pathRegexp: "^/one$",
		},
		{
			name: "root", route: path("/"), req: request("GET", "/"), url: "/",
			pathTemplate: "/", pathRegexp: "^/$",
		},
		{name: "root, absolute form", route: path("/"), req: request("GET", "http://h/")},
		{name: "characters of regular expressions", route: path("/a.b+c"), req: request("GET", "/a.b+c")},
		{name: "a dot is a dot", route: path("/a.b"), req: request("GET", "/aXb"), miss: true},
	})
}

func TestPathVariables(t *testing.T) {
	const (
		digits = "/{a:[0-9]{3}}/{b:[0-9]{3}}"
		piped  = "/{kind:x|(?:y/z)}/{name}/{id:[0-9]+}"
		bare   = "/{kind:x|y/z}/{name}/{id:[0-9]+}"
		dated  = `/{kind:(?i:daily|weekly)}-{day:\d{4}-\d{2}}`
	)
	check(t, []matching{
		{
			name: "plain", route: path("/u/{name}"), req: request("GET", "/u/ann"), vars: vars{"name": "ann"},
			url: "/u/ann", pathTemplate: "/u/{name}", pathRegexp: "^/u/(?P<v0>[^/]+)$",
		},
		{name: "plain is not empty", route: path("/u/{name}"), req: request("GET", "/u/"), miss: true},
		{name: "plain has no slash", route: path("/u/{name}"), req: request("GET", "/u/a/b"), miss: true},
		{
			name: "between text", route: path("/u/{id:[0-9]{3}}/edit"), req: request("GET", "/u/123/edit"),
			vars: vars{"id": "123"}, url: "/u/123/edit", pathRegexp: "^/u/(?P<v0>[0-9]{3})/edit$",
		},
		{
			name: "between text, another value", route: path("/u/{id:[0-9]{3}}/edit"),
			req: request("GET", "/u/abc/edit"), miss: true,
		},
		{
			name: "several", route: path(digits), req: request("GET", "/123/456"), vars: vars{"a": "123", "b": "456"},
			url: "/123/456", pathTemplate: digits, pathRegexp: "^/(?P<v0>[0-9]{3})/(?P<v1>[0-9]{3})$",
		},
		{name: "several, one does not match", route: path(digits), req: request("GET", "/123/45x"), miss: true},
		{
			name: "alternatives in a group", route: path(piped), req: request("GET", "/y/z/p/7"),
			vars: vars{"kind": "y/z", "name": "p", "id": "7"}, url: "/y/z/p/7",
			pathRegexp: "^/(?P<v0>x|(?:y/z))/(?P<v1>[^/]+)/(?P<v2>[0-9]+)$",
		},
		{
			name: "alternatives, the first", route: path(bare), req: request("GET", "/x/p/7"),
			vars: vars{"kind": "x", "name": "p", "id": "7"}, url: "/x/p/7",
		},
		{
			name: "alternatives, one with a slash", route: path(bare), req: request("GET", "/y/z/p/7"),
			vars: vars{"kind": "y/z", "name": "p", "id": "7"}, url: "/y/z/p/7",
		},
		{
			name: "alternatives alone, the first", route: path("/{kind:x|y/z}"), req: request("GET", "/x"),
			vars: vars{"kind": "x"}, url: "/x",
		},
		{
			name: "alternatives alone, one with a slash", route: path("/{kind:x|y/z}"), req: request("GET", "/y/z"),
			vars: vars{"kind": "y/z"}, url: "/y/z",
		},
		{
			name: "names with hyphens", route: path("/{the-a:[0-9]+}/{the-b}"), req: request("GET", "/1/x"),
			vars: vars{"the-a": "1", "the-b": "x"}, url: "/1/x",
			pathRegexp: "^/(?P<v0>[0-9]+)/(?P<v1>[^/]+)$",
		},
		{
			name: "two in a segment, letters of any case", route: path(dated), req: request("GET", "/Weekly-2026-11"),
			vars: vars{"kind": "Weekly", "day": "2026-11"}, url: "/Weekly-2026-11",
			pathTemplate: dated, pathRegexp: `^/(?P<v0>(?i:daily|weekly))-(?P<v1>\d{4}-\d{2})$`,
		},
		{
			name: "an empty value after another", route: path("/{n:[0-9]*}{w:[a-z]*}/{m:[0-9]*}"),
			req: request("GET", "/12/34"), vars: vars{"n": "12", "w": "", "m": "34"}, url: "/12/34",
		},
		{
			name: "the first takes most", route: path("/{a}-{b}"), req: request("GET", "/1-2-3"),
			vars: vars{"a": "1-2", "b": "3"}, url: "/1-2-3",
		},
		{
			name: "over slashes", route: path("/f/{path:.*}"), req: request("GET", "/f/a/b/c"),
			vars: vars{"path": "a/b/c"}, url: "/f/a/b/c",
		},
	})
}

// TestPathQuantifiers has braces in the expressions of variables.
func TestPathQuantifiers(t *testing.T) {
	tests := map[string]map[string]vars{
		"/{x:a{2}}":   {"/a": nil, "/aa": {"x": "aa"}, "/aaa": nil},
		"/{x:a{2,}}":  {"/a": nil, "/aa": {"x": "aa"}, "/aaaa": {"x": "aaaa"}},
		"/{x:a{2,3}}": {"/a": nil, "/aaa": {"x": "aaa"}, "/aaaa": nil},
		"/{x:[a-z]{3}}/{y:[a-z]{2}}": {
			"/abc": nil, "/abc/ab": {"x": "abc", "y": "ab"}, "/abc/abc": nil, "/ab/ab": nil, "/abcd/ab": nil,
		},
		`/{x:\w{3,}}/{y:\d{2,}}`: {
			"/abc/1": nil, "/ab/12": nil, "/abc/12": {"x": "abc", "y": "12"}, "/a_1/123": {"x": "a_1", "y": "123"},
		},
	}
	for template, paths := range tests {
		for target, want := range paths {
			m := matching{route: path(template), req: request("GET", target), miss: want == nil, vars: want}
			t.Run(template+" "+target, func(t *testing.T) { m.check(t, mux.NewRouter()) })
		}
	}
}

func TestPathPrefix(t *testing.T) {
	check(t, []matching{
		{name: "same", route: prefix("/one"), req: request("GET", "/one"), url: "/one"},
		{name: "more segments", route: prefix("/one"), req: request("GET", "/one/two/three")},
		{name: "more of the segment", route: prefix("/on"), req: request("GET", "/one/two")},
		{name: "another", route: prefix("/one"), req: request("GET", "/1/one"), miss: true},
		{name: "slash at the end", route: prefix("/one/"), req: request("GET", "/one"), miss: true},
		{
			name: "variable", route: prefix("/u/{id:[0-9]{3}}"), req: request("GET", "/u/1234/x"),
			vars: vars{"id": "123"}, url: "/u/123", pathTemplate: "/u/{id:[0-9]{3}}", pathRegexp: "^/u/(?P<v0>[0-9]{3})",
		},
		{
			name: "variable, another value", route: prefix("/u/{id:[0-9]{3}}"),
			req: request("GET", "/u/12x/y"), miss: true,
		},
		{
			name: "variables", route: prefix("/{a:[0-9]}/{b}"), req: request("GET", "/1/x/y"),
			vars: vars{"a": "1", "b": "x"}, url: "/1/x",
		},
	})
}
