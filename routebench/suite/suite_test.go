package suite

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

// TestScenarios compares the scenarios with what they are known for: numbers of
// routes and requests, and answers other than 200.
func TestScenarios(t *testing.T) {
	known := []struct {
		name             string
		routes, requests int
		status           int // of the last request
		task             router.Task
	}{
		{"Param", 1, 1, 200, router.Nothing},
		{"ParamWrite", 1, 1, 200, router.Write},
		{"Param5", 1, 1, 200, router.Nothing},
		{"Param20", 1, 1, 200, router.Nothing},
		{"GithubStatic", 203, 1, 200, router.Nothing},
		{"GithubParam", 203, 1, 200, router.Nothing},
		{"GithubAll", 203, 203, 200, router.Nothing},
		{"GPlusStatic", 13, 1, 200, router.Nothing},
		{"GPlusParam", 13, 1, 200, router.Nothing},
		{"GPlus2Params", 13, 1, 200, router.Nothing},
		{"GPlusAll", 13, 13, 200, router.Nothing},
		{"ParseStatic", 26, 1, 200, router.Nothing},
		{"ParseParam", 26, 1, 200, router.Nothing},
		{"Parse2Params", 26, 1, 200, router.Nothing},
		{"ParseAll", 26, 26, 200, router.Nothing},
		{"StaticAll", 157, 157, 200, router.Nothing},
		{"Mux", 1, 1, 200, router.Nothing},
		{"MuxSimple/default", 1, 1, 200, router.Nothing},
		{"MuxSimple/omit_route_from_ctx", 1, 1, 200, router.Nothing},
		{"MuxAlternativeInRegexp", 1, 2, 200, router.Nothing},
		{"ManyPathVariables", 1, 2, 404, router.Nothing},
		{"PopulateContext/no_populated_vars", 2, 1, 200, router.Nothing},
		{"PopulateContext/empty_var", 2, 1, 200, router.Nothing},
		{"PopulateContext/populated_vars", 2, 1, 200, router.Nothing},
		{"PopulateContext/omit_route_static", 2, 1, 200, router.Nothing},
		{"PopulateContext/omit_route_dynamic", 2, 1, 200, router.Nothing},
		{"NotFound", 203, 1, 404, router.Nothing},
		{"MethodNotAllowed", 203, 1, 405, router.Nothing},
		{"GithubAllParallel", 203, 203, 200, router.Nothing},
		{"GithubAllRead", 203, 203, 200, router.ReadAll},
		{"Param5Read", 1, 1, 200, router.ReadAll},
		{"Param20Read", 1, 1, 200, router.ReadAll},
		{"LongPath", 1, 1, 200, router.Nothing},
		{"Backtracking", 1025, 2, 200, router.Nothing},
		{"Middleware1", 203, 203, 200, router.Write},
		{"Middleware5", 203, 203, 200, router.Write},
		{"UUID", 6, 1, 200, router.Nothing},
		{"UUID2", 6, 1, 200, router.Nothing},
		{"UUID3", 6, 1, 200, router.Nothing},
		{"Memory/Static", 157, 157, 200, router.Nothing},
		{"Memory/Github", 203, 203, 200, router.Nothing},
		{"Memory/GPlus", 13, 13, 200, router.Nothing},
		{"Memory/Parse", 26, 26, 200, router.Nothing},
		{"Memory/GithubREST", 1223, 1223, 200, router.Nothing},
		{"Growth/10", 10, 10, 200, router.Nothing},
		{"Growth/100", 100, 100, 200, router.Nothing},
		{"Growth/1000", 1000, 1000, 200, router.Nothing},
		{"Growth/10000", 10_000, 1000, 200, router.Nothing},
		{"Growth/100000", 100_000, 1000, 200, router.Nothing},
		{"Server/Github", 203, 203, 200, router.Write},
	}
	i := 0
	for _, named := range All() {
		scenarios, err := named.Make(1)
		if err != nil {
			t.Fatalf("%s: %v", named.Name, err)
		}
		for _, s := range scenarios {
			if i == len(known) {
				t.Fatalf("the scenario %s is not in the table", s.Name)
			}
			want := known[i]
			i++
			size := s.Size()
			if err := s.Build(); err != nil || size != len(s.Routes.All) {
				t.Fatalf("%s: %v; size %d, want %d", s.Name, err, size, len(s.Routes.All))
			}
			if s.Name != want.name || len(s.Routes.All) != want.routes || len(s.Requests) != want.requests || s.Task != want.task || s.Suite != named.Name {
				t.Errorf("suite %s, scenario %s of %s with %d routes, %d requests, task %d; want %+v",
					named.Name, s.Name, s.Suite, len(s.Routes.All), len(s.Requests), s.Task, want)
				continue
			}
			if last := s.Requests[len(s.Requests)-1]; last.Status != want.status {
				t.Errorf("%s: status %d, want %d", s.Name, last.Status, want.status)
			}
			if !strings.HasSuffix(s.About, ".") {
				t.Errorf("%s: about %q is no sentence", s.Name, s.About)
			}
		}
	}
	if i != len(known) {
		t.Errorf("there is no scenario %s", known[i].name)
	}
}

// TestToday: two scenarios have middleware and no others do, and the paths with UUIDs
// are as long as they are said to be.
func TestToday(t *testing.T) {
	want := map[string]int{"Middleware1": 1, "Middleware5": 5}
	for _, named := range All() {
		scenarios, err := named.Make(1)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range scenarios {
			if s.Middleware != want[s.Name] {
				t.Errorf("%s has %d middleware, want %d", s.Name, s.Middleware, want[s.Name])
			}
		}
	}
	scenarios, err := Today(1)
	if err != nil {
		t.Fatal(err)
	}
	const uuid1 = "/api/v1/organizations/7d444840-9dc0-11d1-b245-5ffdce74fad2"
	const uuid2 = uuid1 + "/projects/f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
	const uuid3 = uuid2 + "/environments/6ba7b810-9dad-11d1-80b4-00c04fd430c8"
	for i, path := range []string{uuid1, uuid2, uuid3} {
		s := scenarios[2+i]
		q := s.Requests[0]
		if got := q.HTTP.URL.Path; got != path || len(q.Values) != i+1 {
			t.Errorf("%s asks for %s with the values %q, want %s and %d", s.Name, got, q.Values, path, i+1)
		}
		if length := []string{"58", "104", "154"}[i]; !strings.HasPrefix(s.About, "A path of "+length+" bytes") {
			t.Errorf("%s: about %q, want %s bytes", s.Name, s.About, length)
		}
	}
}

// TestSeeds: the same seed makes the same requests, and another one others.
func TestSeeds(t *testing.T) {
	targets := func(seed uint64) (all []string) {
		for _, named := range All()[:5] { // growth is large
			scenarios, err := named.Make(seed)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range scenarios {
				if err := s.Build(); err != nil {
					t.Fatal(err)
				}
				for _, q := range s.Requests {
					all = append(all, q.String())
				}
			}
		}
		return all
	}
	one := targets(1)
	if !slices.Equal(one, targets(1)) {
		t.Error("seed 1 makes other requests the second time")
	}
	if slices.Equal(one, targets(2)) {
		t.Error("seed 2 makes the requests of seed 1")
	}
}

func TestOwn(t *testing.T) {
	for _, c := range []struct {
		patterns    []string
		want        []string // the scenarios
		unreachable int
	}{
		{[]string{"GET /users/{id}", "GET /users/me"}, []string{"All", "AllRead", "AllParallel", "AllNotFound", "Memory/own"}, 0},
		{[]string{"GET /"}, []string{"All", "AllRead", "AllParallel", "Memory/own"}, 0}, // it takes every path
		{[]string{"GET /{x:a|b}", "GET /a", "GET /b"}, []string{"All", "AllRead", "AllParallel", "AllNotFound", "Memory/own"}, 1},
	} {
		var all []*route.Route
		for _, p := range c.patterns {
			r, err := route.Parse(p)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, r)
		}
		rs, err := Of("own", all)
		if err != nil {
			t.Fatal(err)
		}
		scenarios, unreachable, err := Own(rs, 1)
		if err != nil || len(unreachable) != c.unreachable {
			t.Errorf("%q: %v, unreachable %v, want %d", c.patterns, err, unreachable, c.unreachable)
		}
		var names []string
		for _, s := range scenarios {
			names = append(names, s.Name)
			want := http.StatusOK
			if s.Name == "AllNotFound" {
				want = http.StatusNotFound
			}
			if s.Requests[0].Status != want || s.Kind == result.Speed && s.Parallel != (s.Name == "AllParallel") {
				t.Errorf("%q: %s: status %d, want %d; parallel %t", c.patterns, s.Name, s.Requests[0].Status, want, s.Parallel)
			}
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%q: scenarios %v, want %v", c.patterns, names, c.want)
		}
	}
}

// TestNames: no two scenarios of a run have one name, which is what files tell them
// apart by.
func TestNames(t *testing.T) {
	r, err := route.Parse("GET /a/{x}")
	if err != nil {
		t.Fatal(err)
	}
	rs, err := Of("own", []*route.Route{r})
	if err != nil {
		t.Fatal(err)
	}
	scenarios, _, err := Own(rs, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, named := range All() {
		more, err := named.Make(1)
		if err != nil {
			t.Fatal(err)
		}
		scenarios = append(scenarios, more...)
	}
	names := map[string]bool{}
	for _, s := range scenarios {
		if names[s.Name] {
			t.Errorf("two scenarios are called %s", s.Name)
		}
		names[s.Name] = true
	}
}

// TestOwnMany: of very many routes some are asked for, the same for the same seed.
func TestOwnMany(t *testing.T) {
	rs, err := newRoutes("many", resources(2*ownRequests)...)
	if err != nil {
		t.Fatal(err)
	}
	var first []string
	for range 2 {
		scenarios, unreachable, err := Own(rs, 1)
		if err != nil || len(unreachable) > 0 {
			t.Fatalf("Own: %v, unreachable %v", err, unreachable)
		}
		var asked []string
		for _, q := range scenarios[0].Requests {
			asked = append(asked, q.String())
		}
		if len(asked) != ownRequests || !strings.Contains(scenarios[0].About, "2,000 of the 4,000 routes of many, picked at random.") {
			t.Errorf("%d requests, about %q, want %d", len(asked), scenarios[0].About, ownRequests)
		}
		if first != nil && !slices.Equal(asked, first) {
			t.Error("the second time other routes are picked")
		}
		first = asked
	}
}
