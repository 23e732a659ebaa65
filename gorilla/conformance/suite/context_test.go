package suite_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// This file replaces TestContextMiddleware, TestPopulateContext,
// TestRouterInContext and ExampleSetURLVars of mux_test.go, and for
// TestRouteMetadata of route_test.go.

func TestContext(t *testing.T) {
	for _, test := range []struct {
		name                  string
		omitRoute, omitRouter bool
	}{
		{"all", false, false},
		{"no route", true, false},
		{"no router", false, true},
		{"neither", true, true},
	} {
		r := mux.NewRouter().OmitRouteFromContext(test.omitRoute).OmitRouterFromContext(test.omitRouter)
		var req *http.Request
		keep := func(_ http.ResponseWriter, r *http.Request) { req = r }
		fixed := r.HandleFunc("/fixed", keep)
		named := r.HandleFunc("/named/{x:.*}", keep)
		for _, part := range []struct {
			target string
			route  *mux.Route
			vars   vars
		}{
			{"/fixed", fixed, nil},
			{"/named/", named, vars{"x": ""}},
			{"/named/a/b", named, vars{"x": "a/b"}},
		} {
			req = nil
			serve(r, request("GET", part.target))
			if req == nil {
				t.Fatalf("%s: %s is not served", test.name, part.target)
			}
			if got := mux.Vars(req); !maps.Equal(got, part.vars) {
				t.Errorf("%s: %s has the variables %v, want %v", test.name, part.target, got, part.vars)
			}
			wantRoute, wantRouter := part.route, r
			if test.omitRoute {
				wantRoute = nil
			}
			if test.omitRouter {
				wantRouter = nil
			}
			if mux.CurrentRoute(req) != wantRoute {
				t.Errorf("%s: %s has another current route", test.name, part.target)
			}
			if mux.CurrentRouter(req) != wantRouter {
				t.Errorf("%s: %s has another current router", test.name, part.target)
			}
		}
	}
	req := request("GET", "/")
	if mux.Vars(req) != nil || mux.CurrentRoute(req) != nil || mux.CurrentRouter(req) != nil {
		t.Error("a request that no router served has variables, a route or a router")
	}
}

// TestCurrentRouterFindsRoutes has a handler build the URL of another route.
func TestCurrentRouterFindsRoutes(t *testing.T) {
	r := mux.NewRouter()
	r.HandleFunc("/from", func(w http.ResponseWriter, req *http.Request) {
		u, err := mux.CurrentRouter(req).Get("to").URL("id", "7")
		if err != nil {
			t.Error(err)
			return
		}
		says(u.String())(w, req)
	})
	r.HandleFunc("/to/{id}", says("")).Name("to")
	if got := serve(r, request("GET", "/from")).Body.String(); got != "/to/7" {
		t.Errorf("the URL is %q", got)
	}
}

// TestContextOfCaller has a handler derive contexts from the request's.
func TestContextOfCaller(t *testing.T) {
	type key struct{}
	r := mux.NewRouter()
	inner := http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		says(mux.Vars(req)["x"]+" "+req.Context().Value(key{}).(string))(w, req)
	})
	r.Handle("/{x}", http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		ctx, cancel := context.WithCancel(context.WithValue(req.Context(), key{}, req.Context().Value(key{}).(string)+" inner"))
		defer cancel()
		inner.ServeHTTP(w, req.WithContext(ctx))
	}))
	req := request("GET", "/a")
	req = req.WithContext(context.WithValue(req.Context(), key{}, "outer"))
	if got := serve(r, req).Body.String(); got != "a outer inner" {
		t.Errorf("the handler sees %q", got)
	}
}

func TestSetURLVars(t *testing.T) {
	req := request("GET", "/")
	with := mux.SetURLVars(req, vars{"x": "1"})
	if got := mux.Vars(with); !maps.Equal(got, vars{"x": "1"}) {
		t.Errorf("Vars = %v", got)
	}
	if mux.Vars(req) != nil {
		t.Error("the request that was given has variables")
	}
	if mux.SetURLVars(req, nil) != req {
		t.Error("no variables make another request")
	}
}

func TestMetadata(t *testing.T) {
	route := mux.NewRouter().Path("/")
	if route.GetMetadata() != nil || route.MetadataContains("a") {
		t.Error("a new route has metadata")
	}
	type key int
	route.Metadata("a", "one").Metadata(key(1), 2).Metadata("a", "two").Metadata("nil", nil)
	if want := map[any]any{"a": "two", key(1): 2, "nil": nil}; !maps.Equal(route.GetMetadata(), want) {
		t.Errorf("GetMetadata() = %v, want %v", route.GetMetadata(), want)
	}
	for _, test := range []struct {
		key, want any
		ok        bool
	}{
		{"a", "two", true},
		{key(1), 2, true},
		{1, nil, false},
		{"nil", nil, true},
		{"other", nil, false},
	} {
		got, err := route.GetMetadataValue(test.key)
		if got != test.want || (err == nil) != test.ok || err != nil && !errors.Is(err, mux.ErrMetadataKeyNotFound) {
			t.Errorf("GetMetadataValue(%v) = %v, %v, want %v", test.key, got, err, test.want)
		}
		if route.MetadataContains(test.key) != test.ok {
			t.Errorf("MetadataContains(%v) is not %t", test.key, test.ok)
		}
		want := test.want
		if !test.ok {
			want = "instead"
		}
		if got := route.GetMetadataValueOr(test.key, "instead"); got != want {
			t.Errorf("GetMetadataValueOr(%v) = %v, want %v", test.key, got, want)
		}
	}
}

// TestMetadataInHandler reads metadata by the current route.
func TestMetadataInHandler(t *testing.T) {
	r := mux.NewRouter()
	r.HandleFunc("/", func(w http.ResponseWriter, req *http.Request) {
		says(mux.CurrentRoute(req).GetMetadataValueOr("scope", "none").(string))(w, req)
	}).Metadata("scope", "admin")
	if got := serve(r, request("GET", "/")).Body.String(); got != "admin" {
		t.Errorf("the handler sees %q", got)
	}
}
