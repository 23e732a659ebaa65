package openapi_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/integrations/openapi"
	"github.com/muxwell/muxwell/middleware"
)

// newGuarded serves the API to users with roles. An operation's x-role is the role that
// it requires, visitor by default, and x-rate the name of a limit for writes together.
func newGuarded(t *testing.T) *muxwell.Mux {
	spec, err := openapi.GetSpec()
	if err != nil {
		t.Fatal(err)
	}
	roles := map[string][]string{"alice": {"visitor", "keeper"}, "bob": {"visitor"}}
	rates := map[string]muxwell.Middleware{"writes": middleware.RateLimit(2, time.Hour, nil)}

	m := muxwell.New()
	allow := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			user, _ := middleware.UserFrom(r.Context())
			if role, ok := m.RouteOf(r).Meta("x-role"); ok && !slices.Contains(roles[user], role.(string)) {
				http.Error(w, "forbidden", http.StatusForbidden)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
	m.Route("/v1", func(g *muxwell.Group) {
		g.Use(middleware.BearerAuth("pets", middleware.Tokens(map[string]string{"a": "alice", "b": "bob"})), allow)
		g.Defaults(muxwell.Meta("x-role", "visitor"))
		openapi.Register(openapi.Operations{Group: g, Spec: spec, Middleware: func(op *openapi3.Operation) []muxwell.Middleware {
			if rate, ok := op.Extensions["x-rate"].(string); ok {
				return []muxwell.Middleware{rates[rate]}
			}
			return nil
		}}, "")
	})
	return m
}

// Each operation has the middleware and the role of its description, or those of the group.
func TestOperations(t *testing.T) {
	s := httptest.NewServer(newGuarded(t))
	defer s.Close()
	const body = `{"name":"Ada"}`
	tests := []struct {
		method, path, token string
		status              int
	}{
		{"GET", "/v1/pets", "", 401},
		{"GET", "/v1/dogs", "", 401},
		{"GET", "/v1/dogs", "b", 404},
		{"GET", "/v1/pets", "b", 200},
		{"POST", "/v1/pets", "b", 403}, // x-role: keeper
		{"POST", "/v1/pets", "b", 403},
		{"POST", "/v1/pets", "a", 201},
		{"POST", "/v1/pets/1:adopt", "b", 204},
		{"POST", "/v1/pets/1:adopt", "b", 429}, // x-rate: writes
		{"POST", "/v1/pets", "a", 429},
		{"GET", "/v1/pets/1", "a", 200},
		{"GET", "/pets", "a", 404},
	}
	for _, tt := range tests {
		r, err := http.NewRequest(tt.method, s.URL+tt.path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		if tt.token != "" {
			r.Header.Set("Authorization", "Bearer "+tt.token)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != tt.status {
			t.Errorf("%s %s with token %q: status %d, want %d", tt.method, tt.path, tt.token, resp.StatusCode, tt.status)
		}
	}
}

// The routes have the names and the metadata of the description, for tools and logs.
func TestOperationRoutes(t *testing.T) {
	want := []struct {
		pattern, name string
		role, rate    any
		limited       bool
	}{
		{"GET /v1/pets", "ListPets", "visitor", nil, false},
		{"POST /v1/pets", "AddPet", "keeper", "writes", true},
		{"GET /v1/pets/{id}", "GetPet", "visitor", nil, false},
		{"POST /v1/pets/{id}:adopt", "AdoptPet", "visitor", "writes", true},
	}
	m := newGuarded(t)
	routes := slices.Collect(m.Routes())
	if len(routes) != len(want) {
		t.Fatalf("%d routes, want %d", len(routes), len(want))
	}
	for i, rt := range routes {
		got := want[i]
		got.pattern, got.name = rt.Pattern(), rt.Name()
		got.role, _ = rt.Meta("x-role")
		got.rate, _ = rt.Meta("x-rate")
		got.limited = slices.Contains(rt.Middleware(), "middleware.RateLimit")
		if got != want[i] {
			t.Errorf("route %d: %+v, want %+v", i, got, want[i])
		}
	}
	if path, err := m.Path("AdoptPet", "id", "7"); path != "/v1/pets/7:adopt" {
		t.Errorf("the path of AdoptPet is %q, %v", path, err)
	}
}
