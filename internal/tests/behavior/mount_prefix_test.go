package behavior

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// TestMountPrefix: which route matches the prefix of a mount without a slash,
// whatever comes first.
func TestMountPrefix(t *testing.T) {
	for _, row := range []struct {
		name   string
		outer  []string
		child  []string
		method string
		want   string // r.Pattern of a request for /m, and the status
	}{
		{"the subtree", nil, []string{"/"}, "GET", "/m 200"},
		{"the end", nil, []string{"/{$}"}, "GET", "/m 200"},
		{"the end before the subtree", nil, []string{"/", "/{$}"}, "GET", "/m 200 {$}"},
		{"with a method", nil, []string{"GET /", "GET /{$}"}, "GET", "GET /m 200 {$}"},
		{"the end before a method", nil, []string{"/{$}", "GET /"}, "GET", "/m 200 {$}"},
		{"a catch-all", nil, []string{"GET /{path...}"}, "GET", "GET /m 200"},
		{"another path", nil, []string{"GET /x"}, "GET", " 404"},
		{"another method", nil, []string{"GET /"}, "POST", " 405"},
	} {
		for _, late := range []bool{false, true} { // the child is mounted first, or last
			m, child := muxwell.New(), muxwell.New()
			answer := func(text string) http.HandlerFunc {
				return func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, text) }
			}
			if late {
				m.Mount("/m", child)
			}
			for _, pattern := range row.child {
				child.Handle(pattern, answer(map[byte]string{'}': "{$}", '/': "/"}[pattern[len(pattern)-1]]))
			}
			for _, pattern := range row.outer {
				m.Handle(pattern, answer("outer"))
			}
			if !late {
				m.Mount("/m", child)
			}
			w, r := httptest.NewRecorder(), httptest.NewRequest(row.method, "/m", nil)
			m.ServeHTTP(w, r)
			got := fmt.Sprintf("%s %d %s", r.Pattern, w.Code, w.Body)
			if short := fmt.Sprintf("%s %d", r.Pattern, w.Code); got != row.want && short != row.want {
				t.Errorf("%s, mounted first %v: got %q, want %q", row.name, late, got, row.want)
			}
			if e := m.Explain(r); !muxtest.SafeBuild && e.Route != m.RouteOf(r) { // the safe build knows routes by their text
				t.Errorf("%s: Explain says %v, served by %v", row.name, e, m.RouteOf(r))
			}
			for _, u := range m.Check().Unreachable {
				t.Errorf("%s: %v", row.name, u)
			}
		}
	}
}

// TestMountPanics: what Mount panics with is of the types that it names.
func TestMountPanics(t *testing.T) {
	m := muxwell.New()
	m.Handle("/taken/", http.NotFoundHandler())
	for prefix, is := range map[string]func(any) bool{
		"/taken":  func(p any) bool { _, ok := p.(*muxwell.ConflictError); return ok },
		"/{x":     func(p any) bool { _, ok := p.(*muxwell.PatternError); return ok },
		"/{x...}": func(p any) bool { _, ok := p.(*muxwell.MountError); return ok },
	} {
		func() {
			defer func() {
				if p := recover(); !is(p) {
					t.Errorf("Mount(%q) panics with a %T: %v", prefix, p, p)
				}
			}()
			m.Mount(prefix, http.NotFoundHandler())
			t.Errorf("Mount(%q) does not panic", prefix)
		}()
	}
	if n := len(slices.Collect(m.Routes())); n != 1 {
		t.Errorf("%d routes, want 1", n)
	}
}
