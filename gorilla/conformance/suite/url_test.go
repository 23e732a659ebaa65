package suite_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// This file replaces TestBuildVarsFunc, TestNamedRoutes, TestNameMultipleCalls and
// TestGetVarNames of mux_test.go, for TestUrlBuilding, TestMatchedRouteName,
// TestSubRouting and TestVariableNames of old_test.go, and for the example of
// GetVarNames.

func TestURL(t *testing.T) {
	router := mux.NewRouter
	article := func() *mux.Route { return router().Path("/articles/{kind}/{id:[0-9]+}") }
	tests := []struct {
		name  string
		route *mux.Route
		pairs []string
		want  string // "" for an error
	}{
		{"host", router().Host("h.test"), nil, "http://h.test"},
		{"host with a variable", router().Host("{a}.test"), []string{"a", "x"}, "http://x.test"},
		{"host with a port", router().Host("{a}.test:{port:.*}"), []string{"a", "x", "port", "81"}, "http://x.test:81"},
		{"host and path", router().Host("h.test").Path("/articles"), nil, "http://h.test/articles"},
		{"path", router().Path("/articles"), nil, "/articles"},
		{"path with variables", article(), []string{"kind", "go", "id", "42"}, "/articles/go/42"},
		{"all", article().Host("{a}.test").Queries("q", "{q}"), []string{"a", "x", "kind", "go", "id", "42", "q", "1 2"}, "http://x.test/articles/go/42?q=1+2"},
		{"scheme", router().Host("h.test").Schemes("https", "http"), nil, "https://h.test"},
		{"pairs that are not needed", router().Path("/a"), []string{"x", "1"}, "/a"},
		{"a variable is missing", article(), []string{"kind", "go"}, ""},
		{"a value does not match", article(), []string{"kind", "go", "id", "x"}, ""},
		{"an odd number", article(), []string{"kind", "go", "id"}, ""},
		{"route with an error", router().Path("no slash"), nil, ""},
	}
	for _, test := range tests {
		u, err := test.route.URL(test.pairs...)
		switch {
		case test.want == "" && (u != nil || err == nil):
			t.Errorf("%s: URL(%q) = %v, %v, want an error", test.name, test.pairs, u, err)
		case test.want != "" && (err != nil || u.String() != test.want):
			t.Errorf("%s: URL(%q) = %v, %v, want %s", test.name, test.pairs, u, err, test.want)
		}
	}
}

func TestURLParts(t *testing.T) {
	route := mux.NewRouter().Schemes("https").Host("{a}.test").Path("/{b}").Queries("c", "{c}")
	list := []string{"a", "1", "b", "2", "c", "3"}
	if u, err := route.URLHost(list...); err != nil || u.String() != "https://1.test" {
		t.Errorf("URLHost = %v, %v", u, err)
	}
	if u, err := route.URLPath(list...); err != nil || u.String() != "/2" {
		t.Errorf("URLPath = %v, %v", u, err)
	}
	if u, err := mux.NewRouter().Path("/").URLHost(); err == nil {
		t.Errorf("URLHost without a host = %v, want an error", u)
	}
	if u, err := mux.NewRouter().Host("h.test").URLPath(); err == nil {
		t.Errorf("URLPath without a path = %v, want an error", u)
	}
}

func TestBuildVarsFunc(t *testing.T) {
	set := func(name, value string) mux.BuildVarsFunc {
		return func(v map[string]string) map[string]string {
			v = maps.Clone(v)
			v[name] += value
			return v
		}
	}
	tests := []struct {
		name, want string
		route      *mux.Route
	}{
		{"of the route", "/3", mux.NewRouter().Path(`/{a:\d}`).BuildVarsFunc(set("a", "3"))},
		{"two of the route, in their order", "/xy", mux.NewRouter().Path("/{a}").BuildVarsFunc(set("a", "x")).BuildVarsFunc(set("a", "y"))},
		{"of a router", "/z", mux.NewRouter().BuildVarsFunc(set("a", "z")).Path("/{a}")},
		{
			"of the route above a subrouter too", "/2/b",
			mux.NewRouter().PathPrefix(`/{a:\d}`).BuildVarsFunc(set("a", "2")).
				Subrouter().Path(`/{b:\w}`).BuildVarsFunc(set("b", "b")),
		},
	}
	for _, test := range tests {
		if u, err := test.route.URL(); err != nil || u.String() != test.want {
			t.Errorf("%s: URL() = %v, %v, want %s", test.name, u, err, test.want)
		}
	}
}

// TestNames gives names in a tree of routers: all of it finds them.
func TestNames(t *testing.T) {
	top := mux.NewRouter()
	middle := top.PathPrefix("/m").Subrouter()
	below := middle.Host("h.test").Subrouter()
	want := map[string]*mux.Route{
		"a": top.NewRoute().Name("a"), "b": top.Name("b"), "c": middle.Path("/c").Name("c"),
		"d": below.Path("/d").Name("d"), "e": below.Name("e"),
	}
	for name, route := range want {
		for _, r := range []*mux.Router{top, middle, below} {
			if r.Get(name) != route || r.GetRoute(name) != route {
				t.Errorf("Get(%q) is another route", name)
			}
		}
		if route.GetName() != name {
			t.Errorf("GetName() = %q, want %q", route.GetName(), name)
		}
	}
	if top.Get("f") != nil {
		t.Error("Get finds a name that no route has")
	}
	if u, err := top.Get("d").URL(); err != nil || u.String() != "http://h.test/m/d" {
		t.Errorf("URL of a route of a subrouter = %v, %v", u, err)
	}
	last := top.NewRoute().Name("a")
	if top.Get("a") != last {
		t.Error("the last route of a name is not the one that Get finds")
	}
	if err := last.Name("other").GetError(); err == nil {
		t.Error("a second name is no error")
	}
}

func TestNameOfMatch(t *testing.T) {
	r := mux.NewRouter()
	sub := r.Host("h.test").Subrouter()
	route := sub.Path("/products/").Name("products")
	var match mux.RouteMatch
	if !r.Match(request("GET", "http://h.test/products/"), &match) || match.Route != route || match.Route.GetName() != "products" {
		t.Errorf("Match has the route %v", match.Route)
	}
}

func TestVarNames(t *testing.T) {
	route := mux.NewRouter().Host("{domain}").Path("/{group}/{item-id:[0-9]+}").
		Queries("one", "{one}").Queries("two", "{two}.{three}")
	names, err := route.GetVarNames()
	slices.Sort(names)
	if want := []string{"domain", "group", "item-id", "one", "three", "two"}; !slices.Equal(names, want) || err != nil {
		t.Errorf("GetVarNames() = %q, %v, want %q", names, err, want)
	}
}

// TestVarsTwice has a variable twice in one route, which is an error but within one
// template.
func TestVarsTwice(t *testing.T) {
	for name, route := range map[string]*mux.Route{
		"host and path":    mux.NewRouter().Host("{a}.test").Path("/{a}"),
		"path and host":    mux.NewRouter().Path("/{a}").Host("{a}.test"),
		"path and query":   mux.NewRouter().Path("/{a}").Queries("k", "{a}").Host("{a}.test"),
		"host and query":   mux.NewRouter().Host("{a}.test").Queries("k", "{a}"),
		"query and query":  mux.NewRouter().Queries("k", "{a}", "l", "{a}"),
		"host above path":  mux.NewRouter().Host("{a}.test").Subrouter().Path("/{a}"),
		"query above host": mux.NewRouter().Queries("k", "{a}").Subrouter().Host("{a}.test"),
	} {
		if route.GetError() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := mux.NewRouter().Path("/{a}/{a}").GetError(); err != nil {
		t.Errorf("within one template: %v", err)
	}
}
