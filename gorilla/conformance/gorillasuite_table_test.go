package conformance

import "slices"

// The shortcuts that gorilla's tests take to the inside of their package, and what
// stands for them. The functions and types that some call are in shims.
var shortcuts = []replacement{
	{
		file: "mux_test.go", old: "func (r *Route) GoString() string {", upTo: "type routeTest struct",
		why: "methods of the package's types, for messages of tests",
	},
	{
		file: "mux_test.go", old: "\ttest.route.useEncodedPath = true\n",
		why: "a field; the tests run a second time on routers that use encoded paths",
	},
	{
		file: "mux_test.go", old: "r1.namedRoutes == nil || len(r1.namedRoutes) != 10", with: "len(namedRoutes(r1)) != 10",
		why: "a field: the names are asked for one by one",
	},
	{
		file: "mux_test.go", old: "got %v\", r1.namedRoutes)", with: "got %v\", namedRoutes(r1))",
		why: "the same",
	},
	{
		file: "mux_test.go", old: "route.matchers[0].(*routeRegexp)", with: "templateOf(route)",
		why: "a field: the template is the result of GetPathTemplate",
	},
	{
		file: "mux_test.go", old: "route.regexp.path.template", with: "templateOf(route).template",
		why: "the same",
	},
	{
		file: "mux_test.go", old: "// verify that copyRouteConf copies fields as expected.", upTo: "func TestMethodNotAllowed(",
		why: "an unexported function; suite/configuration_test.go tests what it is for",
	},
	{
		file: "old_test.go", old: "route.err == nil", with: "route.GetError() == nil",
		why: "a field with a getter",
	},
	{
		file: "old_test.go", old: "route = new(Route)\n\troute.strictSlash = true\n", count: 2,
		with: "route = NewRouter().StrictSlash(true).NewRoute()\n",
		why:  "a field that the router sets",
	},
	{
		file: "old_test.go", old: "route.strictSlash != ", with: "strictSlash(route) != ", count: 2,
		why: "a field: the route is asked whether it redirects",
	},
	{
		file: "middleware_test.go", old: "func TestMiddlewareAdd(", upTo: "func TestMiddleware(",
		why: "counts fields; suite/middleware_test.go counts calls",
	},
	{
		file: "middleware_test.go", old: ".useInterface(mw)", with: ".Use(mw.Middleware)", count: 4,
		why: "an unexported method that does the same",
	},
}

// shortcuts181 returns the shortcuts that the tests of v1.8.1 take.
func shortcuts181() []replacement {
	table := slices.Clone(shortcuts)
	for i := range table {
		if table[i].old == ".useInterface(mw)" {
			table[i].count = 3
		}
	}
	return table
}

// The differences that are meant, where gorilla's tests assert the contrary. All are
// of one kind: a Location is a path with a query, also if the request names a host.
var meant = []replacement{
	{
		file: "mux_test.go", old: `"http://localhost/api/?abc=def" != res`, with: `"/api/?abc=def" != res`,
		why: "the Location of a redirect to the clean path",
	},
	{
		file: "mux_test.go", old: `redirectTo: "http://localhost/foo`, with: `redirectTo: "/foo`, count: 2,
		why: "the Location of redirects of StrictSlash",
	},
	{
		file: "old_test.go", old: `Get("Location") != "http://localhost`, with: `Get("Location") != "`, count: 2,
		why: "the same",
	},
}

// encodedPathsTests are the tests that gorilla's suite also runs with encoded paths.
const encodedPathsTests = "^(TestPath|TestPathPrefix|TestSchemeHostPath|TestQueries|TestSubRouter|TestStrictSlash)$"

// encodedPaths makes all routers and routes ones that use encoded paths.
var encodedPaths = []replacement{
	{file: "mux_test.go", old: "new(Route).", with: "NewRouter().NewRoute().", count: 111},
	{file: "mux_test.go", old: "NewRouter()", with: "NewRouter().UseEncodedPath()", count: 149},
}

// shims is a file of tests: it has under the names of unexported things of
// gorilla/mux ones that use the API alone.
const shims = `package mux_test

import (
	"net/http"
	"net/url"
	"regexp"

	"PATH"
)

type (
	routeRegexp struct {
		template string
		regexp   *regexp.Regexp
	}
	routeRegexpOptions struct{}
	regexpType         int
)

const regexpTypePath regexpType = 0

func newRouteRegexp(template string, _ regexpType, _ routeRegexpOptions) (*routeRegexp, error) {
	text, err := mux.NewRouter().Path(template).GetPathRegexp()
	if err != nil {
		return nil, err
	}
	return &routeRegexp{template, regexp.MustCompile(text)}, nil
}

func templateOf(route *mux.Route) *routeRegexp {
	template, _ := route.GetPathTemplate()
	return &routeRegexp{template: template}
}

func namedRoutes(r *mux.Router) (names []string) {
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", ""} {
		if r.Get(name) != nil {
			names = append(names, name)
		}
	}
	return names
}

func strictSlash(route *mux.Route) bool {
	req, _ := http.NewRequest("GET", "http://localhost/probe/", nil)
	return route.Path("/probe").Match(req, &mux.RouteMatch{})
}

func findFirstQueryKey(query, key string) (string, bool) {
	var match mux.RouteMatch
	req := &http.Request{URL: &url.URL{Path: "/", RawQuery: query}}
	ok := mux.NewRouter().Queries(key, "{value}").Match(req, &match)
	return match.Vars["value"], ok
}

type (
	headerMatcher map[string]string
	methodMatcher []string
	schemeMatcher []string
)

func (m headerMatcher) Match(r *http.Request, match *mux.RouteMatch) bool {
	var pairs []string
	for name, value := range m {
		pairs = append(pairs, name, value)
	}
	return mux.NewRouter().Headers(pairs...).Match(r, match)
}

func (m methodMatcher) Match(r *http.Request, match *mux.RouteMatch) bool {
	return mux.NewRouter().Methods(m...).Match(r, match)
}

func (m schemeMatcher) Match(r *http.Request, match *mux.RouteMatch) bool {
	return mux.NewRouter().Schemes(m...).Match(r, match)
}
`
