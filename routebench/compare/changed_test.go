package compare

import (
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/router"
	"github.com/muxwell/muxwell/routebench/routers"
	"github.com/muxwell/muxwell/routebench/suite"
)

// TestChanged is the table of requests that tell whether a route was understood.
func TestChanged(t *testing.T) {
	for _, c := range []struct{ pattern, request, want string }{
		{"GET /v1/things:batchGet", "GET /v1/things:batchGet", "/v1/thingsxbatchGet /v1/things:batchGetx"},
		{"GET /a/{x}", "GET /a/b", ""},
		{"GET /a/{x}", "GET /a/b.c", ""}, // the route takes those that are like it
		{"GET /a/{x:[a-z]+[0-9]}", "GET /a/b1", "/ax/b1 /xa/b1 /a/b1x"},
		{"GET /a/{x}.json/b", "GET /a/n.json/b", "/a/nxjson/b /a/n.jsonx/b"},
		{"GET /%7Ba%7D", "GET /%7Ba%7D", "/xa%7D /%7Bax /%7Ba%7Dx"},
		{"GET /a%3Ab/{rest...}", "GET /a:b/c.d", "/axb/c.d /a:bx/c.d"},
		{"HEAD /a:b", "HEAD /a:b", ""},
	} {
		rs := routesOf(t, c.pattern)
		s := scenario(t, "", result.Speed, rs, c.request)
		var got []string
		for _, q := range changed(rs, s.Requests[0]) {
			got = append(got, q.HTTP.RequestURI)
		}
		if want := strings.Fields(c.want); !slices.Equal(got, want) {
			t.Errorf("%s, %s: asks for %q, want %q", c.pattern, c.request, got, want)
		}
	}
}

// TestMisread: a router that reads a literal as a parameter, or an expression as a
// part of one, is found out, and its row does not count the request.
func TestMisread(t *testing.T) {
	hertz, err := routers.Find("hertz", "muxwell")
	if err != nil {
		t.Fatal(err)
	}
	rs := routesOf(t, "GET /things:batchGet", "GET /users/{id}")
	run := compareAll(t, Plan{
		Routers:   hertz,
		Scenarios: []suite.Scenario{scenario(t, "All", result.Speed, rs, "GET /things:batchGet", "GET /users/7")},
		Settings:  settings,
	})
	for name, want := range map[string]int{"hertz": 1, "muxwell": 2} {
		if row := run.Scenarios[0].Row(name, 1); row == nil || row.Answered != want {
			t.Errorf("%s: row %+v, want %d answered", name, row, want)
		}
	}
	if len(run.Faults) != 1 || run.Faults[0].Request != "GET /things:batchGet" || !strings.Contains(run.Faults[0].Reason, "the route takes GET /thingsxbatchGet too") {
		t.Errorf("faults %+v, want that hertz takes another request", run.Faults)
	}
}

// TestClassicIsUnderstood: no router misreads a route of the classic lists.
func TestClassicIsUnderstood(t *testing.T) {
	scenarios, err := suite.Memory(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scenarios[:4] {
		if err := s.Build(); err != nil {
			t.Fatal(err)
		}
		for _, r := range routers.All() {
			l, err := r.Load(s.Routes.All, router.Answer)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range misread(l, s.Routes, s.Requests) {
				t.Errorf("%s, %s: %s: %s", s.Name, r.Name, f.Request, f.Reason)
			}
		}
	}
}
