package matrix

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
	"github.com/muxwell/muxwell/routebench/routers"
)

// cannot has for each router what it cannot do, in the version of go.mod. A new
// version may learn something: then correct its row.
var cannot = map[string]string{
	"bunrouter":            "catch-all in the middle, expression, text before a parameter, text behind a parameter, two parameters in a segment, hosts, parameters in hosts, escaped slash, dot segments, 405 with Allow, OPTIONS, HEAD, any method",
	"bunrouter-http":       "catch-all in the middle, expression, text before a parameter, text behind a parameter, two parameters in a segment, hosts, parameters in hosts, escaped slash, dot segments, 405 with Allow, OPTIONS, HEAD, any method",
	"chi":                  "catch-all in the middle, hosts, parameters in hosts, duplicates refused, escaped slash, no empty values, dot segments, HEAD, any method, context may be kept",
	"echo":                 "parameter, catch-all in the middle, expression, text behind a parameter, two parameters in a segment, hosts, parameters in hosts, duplicates refused, escaped slash, no empty values, dot segments, trailing slash, HEAD, context may be kept",
	"fasthttp-router":      "catch-all in the middle, two parameters in a segment, hosts, parameters in hosts, values are decoded, decoded once, a plus is a plus, escaped slash, UTF-8, no empty values, dot segments, HEAD, context may be kept",
	"fiber":                "hosts, parameters in hosts, in any order, duplicates refused, values are decoded, decoded once, a plus is a plus, escaped slash, UTF-8, dot segments, trailing slash, case, any method, values may be kept, context may be kept",
	"gin":                  "catch-all in the middle, expression, text behind a parameter, two parameters in a segment, different names at one place, hosts, parameters in hosts, literal beside catch-all, escaped slash, no empty values, dot segments, HEAD, context may be kept",
	"go-restful":           "catch-all in the middle, text before a parameter, text behind a parameter, two parameters in a segment, hosts, parameters in hosts, duplicates refused, escaped slash, trailing slash, HEAD",
	"goji1":                "catch-all in the middle, expression, text before a parameter, hosts, parameters in hosts, in any order, duplicates refused, escaped slash, dot segments, 405 with Allow, OPTIONS, any method",
	"goji2":                "catch-all in the middle, expression, text before a parameter, hosts, parameters in hosts, in any order, duplicates refused, dot segments, 405 with Allow, OPTIONS, HEAD",
	"gorilla":              "in any order, duplicates refused, escaped slash, 405 with Allow, OPTIONS, HEAD",
	"gorilla-main":         "in any order, duplicates refused, escaped slash, 405 with Allow, OPTIONS, HEAD",
	"gorilla-main-omit":    "in any order, duplicates refused, escaped slash, 405 with Allow, OPTIONS, HEAD",
	"hertz":                "catch-all in the middle, expression, text behind a parameter, two parameters in a segment, a colon is text, hosts, parameters in hosts, escaped slash, 405 with Allow, OPTIONS, HEAD, context may be kept",
	"httprouter":           "catch-all in the middle, expression, text behind a parameter, two parameters in a segment, a colon is text, different names at one place, hosts, parameters in hosts, literal beside parameter, in any order, literal beside catch-all, backtracking, overlapping routes, escaped slash, no empty values, dot segments, HEAD",
	"httptreemux":          "catch-all in the middle, expression, text before a parameter, text behind a parameter, two parameters in a segment, different names at one place, hosts, parameters in hosts, dot segments",
	"huma-chi":             "catch-all, catch-all in the middle, expression, text before a parameter, text behind a parameter, two parameters in a segment, different names at one place, hosts, parameters in hosts, literal beside catch-all, duplicates refused, dot segments, HEAD, any method",
	"huma-gin":             "catch-all, catch-all in the middle, expression, text before a parameter, text behind a parameter, two parameters in a segment, a colon is text, different names at one place, hosts, parameters in hosts, literal beside catch-all, escaped slash, dot segments, HEAD, any method",
	"huma-muxwell":         "catch-all, catch-all in the middle, expression, text before a parameter, text behind a parameter, two parameters in a segment, different names at one place, hosts, parameters in hosts, literal beside catch-all, any method",
	"huma-ServeMux":        "catch-all, catch-all in the middle, expression, text before a parameter, text behind a parameter, two parameters in a segment, different names at one place, hosts, parameters in hosts, literal beside catch-all, overlapping routes, any method",
	"iris":                 "catch-all in the middle, text before a parameter, text behind a parameter, two parameters in a segment, hosts, parameters in hosts, backtracking, duplicates refused, escaped slash, no empty values, dot segments, 405 with Allow, OPTIONS, HEAD, context may be kept",
	"macaron":              "catch-all in the middle, two parameters in a segment, a colon is text, hosts, parameters in hosts, duplicates refused, no empty values, dot segments, trailing slash, 405 with Allow, OPTIONS, HEAD, any method",
	"martini":              "hosts, parameters in hosts, in any order, duplicates refused, escaped slash, dot segments, trailing slash, 405 with Allow, OPTIONS",
	"muxwell-gorilla":      "in any order, duplicates refused, escaped slash, 405 with Allow, OPTIONS, HEAD",
	"muxwell-gorilla-omit": "in any order, duplicates refused, escaped slash, 405 with Allow, OPTIONS, HEAD",
	"pat":                  "catch-all in the middle, expression, a colon is text, hosts, parameters in hosts, in any order, duplicates refused, a plus is a plus, no empty values, dot segments",
	"ServeMux":             "catch-all in the middle, expression, text before a parameter, text behind a parameter, two parameters in a segment, parameters in hosts, overlapping routes",
}

func TestRun(t *testing.T) {
	if raceEnabled {
		t.Skip("the probe \"context may be kept\" reads what some routers write again, and the race detector says so")
	}
	got := make(map[string][]string)
	for _, p := range Run(routers.All()) {
		for _, a := range p.Answers {
			if a.Yes != (a.Reason == "") {
				t.Errorf("%s, %s: yes is %t, and the reason %q", p.Name, a.Router, a.Yes, a.Reason)
			}
			if !a.Yes {
				got[a.Router] = append(got[a.Router], p.Name)
			}
		}
	}
	for _, r := range routers.All() {
		if got, want := strings.Join(got[r.Name], ", "), cannot[r.Name]; got != want {
			t.Errorf("%s cannot do %q, and its row is %q", r.Name, got, want)
		}
	}
}

// TestProbes checks that each can be passed and failed, and is described.
func TestProbes(t *testing.T) {
	names := make(map[string]bool)
	for _, p := range Probes() {
		if names[p.Name] {
			t.Errorf("two probes are called %q", p.Name)
		}
		names[p.Name] = true
		n := failed(p.Name)
		if p.Name == "catch-all" && n == 0 {
			n++ // all routers can; readers look for it all the same
		}
		if n == 0 || n == len(routers.All()) {
			t.Errorf("%q: %d routers cannot do it: it tells nothing", p.Name, n)
		}
		if !strings.HasSuffix(p.About, ".") || strings.Count(p.About, ". ") > 0 {
			t.Errorf("%q: %q is not one sentence", p.Name, p.About)
		}
		if len(p.Requests) == 0 && p.judge == nil {
			t.Errorf("%q has neither requests nor a judge", p.Name)
		}
	}
}

// failed returns how many routers cannot do what a probe asks.
func failed(name string) int {
	n := 0
	for _, row := range cannot {
		if slices.Contains(strings.Split(row, ", "), name) {
			n++
		}
	}
	return n
}

func TestRefused(t *testing.T) {
	tests := []struct {
		target string
		status int
		allow  []string
		want   string
	}{
		{"PUT /a", 405, []string{"GET, POST"}, ""},
		{"PUT /a", 405, []string{"POST", "GET"}, ""},
		{"PUT /a", 405, []string{"GET,HEAD,OPTIONS, POST"}, ""},
		{"PUT /a", 404, []string{"GET, POST"}, "status 404, want 405"},
		{"PUT /a", 204, []string{"GET, POST"}, "status 204, want 405"},
		{"PUT /a", 405, nil, "no header Allow"},
		{"PUT /a", 405, []string{"GET"}, "Allow: GET, want GET, POST"},
		{"PUT /a", 405, []string{"GET, POST, PUT"}, "Allow: GET, POST, PUT, want GET, POST"},
		{"OPTIONS /a", 204, []string{"GET, POST"}, ""},
		{"OPTIONS /a", 200, []string{"GET, POST"}, ""},
		{"OPTIONS /a", 405, []string{"GET, POST"}, ""},
		{"OPTIONS /a", 404, []string{"GET, POST"}, "status 404, want 405"},
	}
	for _, tt := range tests {
		q := Request{Target: tt.target, Allow: []string{"GET", "POST"}}
		got := q.refused(router.Reply{Status: tt.status, Header: http.Header{"Allow": tt.allow}})
		if got != tt.want {
			t.Errorf("%s, status %d, Allow %q: %q, want %q", tt.target, tt.status, tt.allow, got, tt.want)
		}
	}
}

// TestPanics has a router panic, while it is loaded and while it serves.
func TestPanics(t *testing.T) {
	r := router.Router{Name: "broken", Syntax: route.Syntax{Native: true}, New: func() router.Mux {
		return router.Mux{
			Add: func(*route.Route, string, *router.Work) error { return nil },
			Ready: router.NetHTTP(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
				panic("broken")
			})),
		}
	}}
	for _, p := range Run([]router.Router{r}) {
		if a := p.Answers[0]; a.Yes || a.Reason == "" {
			t.Errorf("%s: a router that panics can do it", p.Name)
		}
	}
}
