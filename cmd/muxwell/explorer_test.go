package main

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// The explorer is there for every list that has no route where it is, also for one
// that takes its path by a parameter or a catch-all.
func TestExplorer(t *testing.T) {
	tests := []struct {
		list     string
		explored bool
	}{
		{"GET /users", true},
		{"/{path...}", true},
		{"GET /{x}\nGET /{x}/{y}", true},
		{"GET /_routes2", true},
		{"POST /_routesx/y", true},
		{"GET /_routes", false},
		{"POST /_routes", false},
		{"/_routes/", false},
		{"GET /_routes/{x}", false},
		{"GET example.com/_routes/x", false},
		{"GET /%5Froutes/", false},
	}
	for _, tt := range tests {
		s := mustSite(t, tt.list)
		if s.explored != tt.explored {
			t.Errorf("%q: explored: %v, want %v", tt.list, s.explored, tt.explored)
		}
		for _, file := range []string{"", "routes.json", "match"} {
			w := ask(t, s, "GET", "/_routes/"+file+"?url=/")
			if policy := w.Header().Get("Content-Security-Policy"); (w.Code == http.StatusOK && policy != "") != tt.explored {
				t.Errorf("%q: GET /_routes/%s: status %d, policy %q; explored: %v", tt.list, file, w.Code, policy, tt.explored)
			}
		}
		if tt.explored {
			if w := ask(t, s, "GET", "/_routes"); w.Code != http.StatusTemporaryRedirect || w.Header().Get("Location") != "./_routes/" {
				t.Errorf("%q: GET /_routes: %d to %q, want 307 to ./_routes/", tt.list, w.Code, w.Header().Get("Location"))
			}
			if body := ask(t, s, "GET", "/").Body.String(); s.listed && !strings.Contains(body, `<a href="/_routes/">`) {
				t.Errorf("%q: the list does not lead to the explorer", tt.list)
			}
		}
	}
}

// The explorer has names, notes and lines of the list, and counts what is served.
func TestExplorerOfList(t *testing.T) {
	s := start(t, "GET /users/{id} name=user meta=owner:accounts\nGET /other meta=team:a:b\n", "-", "-addr", "localhost:0")
	for range 3 {
		send(t, http.MethodGet, s.url+"users/7")
	}
	_, body := send(t, http.MethodGet, s.url+"_routes/routes.json")
	type exploredRoute struct {
		Pattern, Name, Source string
		Meta                  map[string]string
		Stats                 struct{ Requests int }
	}
	var list struct{ Routes []exploredRoute }
	if err := json.Unmarshal([]byte(body), &list); err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(list.Routes, func(r exploredRoute) bool { return r.Pattern == "GET /users/{id}" })
	if at < 0 {
		t.Fatalf("no GET /users/{id} in %s", body)
	}
	r := list.Routes[at]
	if r.Name != "user" || r.Source != "<standard input>:1" || r.Meta["owner"] != "accounts" || r.Stats.Requests != 3 {
		t.Errorf("the route is %+v, want user of line 1 with an owner and 3 requests", r)
	}
	if list.Routes[1].Meta["team"] != "a:b" {
		t.Errorf("the metadata of /other is %v", list.Routes[1].Meta)
	}
}
