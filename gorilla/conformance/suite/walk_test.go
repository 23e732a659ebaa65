package suite_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// This file replaces the TestWalk… tests of mux_test.go.

// visits walks a router and returns for each visit the template and, after them, the
// templates of the ancestors. The visits of routes with the template skip return
// SkipRouter.
func visits(t *testing.T, r *mux.Router, skip string) (list []string) {
	t.Helper()
	template := func(route *mux.Route) string {
		s, err := route.GetPathTemplate()
		if err != nil {
			return "-"
		}
		return s
	}
	err := r.Walk(func(route *mux.Route, router *mux.Router, ancestors []*mux.Route) error {
		if router == nil {
			t.Error("a visit has no router")
		}
		visit := template(route)
		for _, a := range ancestors {
			visit += " < " + template(a)
		}
		list = append(list, visit)
		if template(route) == skip {
			return mux.SkipRouter
		}
		return nil
	})
	if err != nil {
		t.Errorf("Walk returns %v", err)
	}
	return list
}

func TestWalk(t *testing.T) {
	mounted, skipped := mux.NewRouter(), mux.NewRouter()
	mounted.Path("/i")
	mounted.Path("/l")
	mounted.Path("/l")
	skipped.Path("/z")
	flat := mux.NewRouter()
	flat.Path("/g")
	flat.Path("/skip").Handler(skipped)
	flat.Path("/r").Handler(mounted)
	flat.Path("/a")

	nested := mux.NewRouter()
	a := nested.Path("/a").Subrouter()
	b := a.PathPrefix("/b").Subrouter()
	b.Methods("GET")
	b.PathPrefix("/c").Subrouter().Path("/d")
	a.Path("/e")
	nested.NewRoute()

	both := mux.NewRouter()
	route := both.Path("/x").Handler(mounted)
	route.Subrouter().Path("/y")

	for _, test := range []struct {
		name   string
		router *mux.Router
		want   []string
	}{
		{"empty", mux.NewRouter(), nil},
		{"routers as handlers", flat, []string{"/g", "/skip", "/r", "/i < /r", "/l < /r", "/l < /r", "/a"}},
		{"subrouters", nested, []string{
			"/a", "/a/b < /a", "/a/b < /a/b < /a", "/a/b/c < /a/b < /a", "/a/b/c/d < /a/b/c < /a/b < /a", "/a/e < /a", "-",
		}},
		{"both", both, []string{"/x", "/x/y < /x", "/i < /x", "/l < /x", "/l < /x"}},
	} {
		got := visits(t, test.router, "/skip")
		for i, visit := range got { // from the root on
			parts := strings.Split(visit, " < ")
			slices.Reverse(parts[1:])
			got[i] = strings.Join(parts, " < ")
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: visits\n%q, want\n%q", test.name, got, test.want)
		}
	}
}

// TestWalkAncestors checks the routes themselves.
func TestWalkAncestors(t *testing.T) {
	r := mux.NewRouter()
	one := r.PathPrefix("/one")
	sub := one.Subrouter()
	two := sub.PathPrefix("/two")
	three := two.Subrouter().Path("/three")
	want := map[*mux.Route][]*mux.Route{one: nil, two: {one}, three: {one, two}}
	err := r.Walk(func(route *mux.Route, _ *mux.Router, ancestors []*mux.Route) error {
		if !slices.Equal(ancestors, want[route]) {
			t.Errorf("a route has %d ancestors, want %d, or others", len(ancestors), len(want[route]))
		}
		delete(want, route)
		return nil
	})
	if err != nil || len(want) != 0 {
		t.Errorf("Walk returns %v and does not visit %d routes", err, len(want))
	}
}

// TestWalkStops has callbacks that return an error: in the router, in a subrouter,
// and in a router that is a handler.
func TestWalkStops(t *testing.T) {
	stop := errors.New("stop")
	mounted := mux.NewRouter()
	mounted.Path("/in/handler")
	r := mux.NewRouter()
	r.Path("/top")
	r.PathPrefix("/sub").Subrouter().Path("/route")
	r.Path("/mount").Handler(mounted)
	r.Path("/last")
	for _, at := range []string{"/top", "/sub/route", "/in/handler", "/last"} {
		var last string
		err := r.Walk(func(route *mux.Route, _ *mux.Router, _ []*mux.Route) error {
			if last, _ = route.GetPathTemplate(); last == at {
				return stop
			}
			return nil
		})
		if err != stop || last != at {
			t.Errorf("stopped at %s: Walk returns %v after %s", at, err, last)
		}
	}
}
