package suite_test

import (
	"net/http"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// This file replaces Test_copyRouteConf of mux_test.go: what a route takes over
// from its router, and a subrouter from its route, is a copy.

func TestConfigurationOfRouters(t *testing.T) {
	matches := func(route *mux.Route, target string) bool {
		return route.Match(request("GET", target), &mux.RouteMatch{})
	}
	r := mux.NewRouter()
	before := r.Path("/a/")
	r.StrictSlash(true).UseEncodedPath().SkipClean(true)
	after := r.Path("/a/")
	r.StrictSlash(false).SkipClean(false)
	last := r.Path("/a/")
	if matches(before, "/a") || !matches(after, "/a") || matches(last, "/a") {
		t.Error("StrictSlash changes routes that exist, or not those that are made")
	}
	if before.SkipClean() || !after.SkipClean() || last.SkipClean() {
		t.Error("SkipClean changes routes that exist, or not those that are made")
	}
	plain := mux.NewRouter()
	decoded := plain.Path("/{x}")
	encoded := plain.UseEncodedPath().Path("/{x}")
	if matches(decoded, "/a%2Fb") || !matches(encoded, "/a%2Fb") {
		t.Error("UseEncodedPath changes routes that exist, or not those that are made")
	}
}

func TestConfigurationOfSubrouters(t *testing.T) {
	var calls []string
	vary := func(name string) mux.BuildVarsFunc {
		return func(v map[string]string) map[string]string {
			calls = append(calls, name)
			return v
		}
	}
	matcher := func(name string) mux.MatcherFunc {
		return func(*http.Request, *mux.RouteMatch) bool {
			calls = append(calls, name)
			return true
		}
	}
	r := mux.NewRouter().StrictSlash(true)
	parent := r.Schemes("https").Host("{a}.test").PathPrefix("/p").Queries("q", "{q}").
		MatcherFunc(matcher("parent")).BuildVarsFunc(vary("parent"))
	one, two := parent.Subrouter(), parent.Subrouter()
	first := one.Path("/x/").MatcherFunc(matcher("first")).BuildVarsFunc(vary("first")).Queries("r", "{r}")
	second := two.Host("{b}.test").Path("/y").Schemes("http")

	calls = nil
	if u, err := first.URL("a", "1", "q", "2", "r", "3"); err != nil || u.String() != "https://1.test/p/x/?q=2&r=3" {
		t.Errorf("URL of the first route = %v, %v", u, err)
	}
	if len(calls) != 2 || calls[0] != "parent" || calls[1] != "first" {
		t.Errorf("functions are called in the order %q", calls)
	}
	calls = nil
	if u, err := second.URL("b", "1", "q", "2"); err != nil || u.String() != "http://1.test/p/y?q=2" {
		t.Errorf("URL of the second route = %v, %v", u, err)
	}
	if len(calls) != 1 || calls[0] != "parent" {
		t.Errorf("functions of the second route are %q", calls)
	}
	if template, _ := parent.GetPathTemplate(); template != "/p" {
		t.Errorf("the parent's path is %q now", template)
	}
	if template, _ := parent.GetHostTemplate(); template != "{a}.test" {
		t.Errorf("the parent's host is %q now", template)
	}
	if list, _ := parent.GetQueriesTemplates(); len(list) != 1 {
		t.Errorf("the parent's queries are %q now", list)
	}

	calls = nil
	var match mux.RouteMatch
	if !first.Match(request("GET", "https://1.test/p/x?q=2&r=3"), &match) || match.Handler == nil {
		t.Error("the first route does not match with a redirect of StrictSlash")
	}
	if len(calls) != 2 || calls[0] != "parent" || calls[1] != "first" {
		t.Errorf("matchers are called in the order %q", calls)
	}
}
