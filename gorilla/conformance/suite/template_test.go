package suite_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// This file replaces Test_newRouteRegexp_Errors of regexp_test.go, for
// TestPanicOnCapturingGroups of mux_test.go, and for the use of RegexpCompileFunc in
// route_test.go.

func TestTemplateErrors(t *testing.T) {
	for template, want := range map[string]string{
		"/{}":          `mux: missing name or pattern in "{}"`,
		"/{:.}":        `mux: missing name or pattern in "{:.}"`,
		"/{a:}":        `mux: missing name or pattern in "{a:}"`,
		"/{id:abc(}":   `mux: error compiling regex for "{id:abc(}":`,
		"/{a":          `mux: unbalanced braces in "/{a"`,
		"/a}":          `mux: unbalanced braces in "/a}"`,
		"/{a:{}":       `mux: unbalanced braces in "/{a:{}"`,
		"a":            `mux: path must start with a slash, got "a"`,
		"{a}":          `mux: path must start with a slash, got "{a}"`,
		"/{a}/{b:[0-}": `mux: error compiling regex for "{b:[0-}":`,
	} {
		route := mux.NewRouter().Path(template)
		err := route.GetError()
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Path(%q) has the error %v, want %s", template, err, want)
			continue
		}
		if _, other := route.GetPathTemplate(); other != err {
			t.Errorf("Path(%q).GetPathTemplate() has the error %v, want that of the route", template, other)
		}
		if route.Match(request("GET", "/a"), &mux.RouteMatch{}) {
			t.Errorf("Path(%q) matches", template)
		}
		if again := route.Path("/a").Host("h").Methods("GET").GetError(); again != err {
			t.Errorf("Path(%q): the error is %v after further calls", template, again)
		}
	}
}

func TestCapturingGroupsPanic(t *testing.T) {
	for _, template := range []string{"/{kind:(a|b)}/{id}.json", "/{a:(?P<name>x)}"} {
		func() {
			defer func() {
				if p, ok := recover().(string); !ok || !strings.Contains(p, template) {
					t.Errorf("Path(%q) panics with %v, want a text that names it", template, p)
				}
			}()
			mux.NewRouter().Path(template)
		}()
	}
}

// TestRegexpCompileFunc counts what is compiled by the function of the package.
func TestRegexpCompileFunc(t *testing.T) {
	old := mux.RegexpCompileFunc
	defer func() { mux.RegexpCompileFunc = old }()
	cache := map[string]*regexp.Regexp{}
	calls := 0
	mux.RegexpCompileFunc = func(expr string) (*regexp.Regexp, error) {
		calls++
		if re := cache[expr]; re != nil {
			return re, nil
		}
		re, err := regexp.Compile(expr)
		cache[expr] = re
		return re, err
	}
	for range 2 {
		r := mux.NewRouter()
		r.HandleFunc("/metrics/{kind}", says(""))
		r.Queries("org", "{org:[0-9]*?}")
		r.Host("{sub}.test")
		if !r.Match(request("GET", "http://a.test/x?org=7"), &mux.RouteMatch{}) {
			t.Error("no match")
		}
	}
	if calls == 0 || len(cache) == 0 || calls <= len(cache) {
		t.Errorf("RegexpCompileFunc is called %d times for %d expressions", calls, len(cache))
	}
}
