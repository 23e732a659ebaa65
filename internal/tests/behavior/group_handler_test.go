package behavior

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// TestGroupServesTheMux: a group serves its whole mux.
func TestGroupServesTheMux(t *testing.T) {
	m := muxwell.New()
	m.HandleFunc("GET /a/{x}", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Pattern, " ", r.PathValue("x")) })
	g := m.Route("/g", nil)
	g.Get("/b", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Pattern) })
	for name, group := range map[string]*muxwell.Group{"a prefix": g, "middleware": m.With(muxtest.Mark("x")), "inside": g.Route("/in", nil)} {
		for path, want := range map[string]string{"/a/1": "200 GET /a/{x} 1", "/g/b": "200 GET /g/b", "/b": "404 404 page not found\n", "/g/in": "404 404 page not found\n"} {
			w := httptest.NewRecorder()
			group.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
			if got := fmt.Sprint(w.Code, " ", w.Body); got != want {
				t.Errorf("GET %s by a group with %s: got %q, want %q", path, name, got, want)
			}
		}
	}
}

// TestMountGroupOfAnotherMux: it is a handler that serves its whole mux, without the
// prefix.
func TestMountGroupOfAnotherMux(t *testing.T) {
	other, m := muxwell.New(), muxwell.New()
	write := func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Pattern, " ", r.URL.Path) }
	other.Get("/a", write)
	g := other.Route("/g", nil)
	m.Mount("/m", g)
	m.Handle("/g/", g)
	g.Get("/b", write)
	for path, want := range map[string]string{
		"/m/a":   "200 GET /a /a",
		"/m/g/b": "200 GET /g/b /g/b",
		"/g/b":   "200 GET /g/b /g/b",
		"/m/b":   "404 404 page not found\n",
		"/a":     "404 404 page not found\n",
	} {
		w := muxtest.AnswerTo(m, httptest.NewRequest("GET", path, nil))
		if got := fmt.Sprint(w.Code, " ", w.Body); got != want {
			t.Errorf("GET %s: got %q, want %q", path, got, want)
		}
	}
	routes := slices.Collect(m.Routes())
	if len(routes) != 3 { // /m, /m/ and /g/
		t.Errorf("the mux has the routes %v, want 3: those of the other are not its own", routes)
	}
}

// TestNilMuxAndGroup: a nil *Mux, a nil *Group and a Group of no mux are refused as
// handlers.
func TestNilMuxAndGroup(t *testing.T) {
	m := muxwell.New()
	for _, h := range []http.Handler{(*muxwell.Mux)(nil), (*muxwell.Group)(nil), new(muxwell.Group)} {
		for what, register := range map[string]func() error{
			"Handle":         func() error { m.Handle("/x", h); return nil },
			"Add":            func() error { _, err := m.Route("/g", nil).Add("/x", h); return err },
			"Tx.Add":         func() error { return m.Update(func(tx *muxwell.Tx) error { _, err := tx.Add("/x", h); return err }) },
			"Mount":          func() error { m.Mount("/x", h); return nil },
			"Mount, a group": func() error { m.Route("/g", nil).Mount("/x", h); return nil },
		} {
			if err := muxtest.ErrorOf(register); !errors.Is(err, muxwell.ErrNilHandler) {
				t.Errorf("%s of a nil %T: got error %v, want one that wraps ErrNilHandler", what, h, err)
			}
		}
	}
}

// TestGroupAsServeMux: a function that registers with something like an http.ServeMux
// and then serves it works with a mux and a group.
func TestGroupAsServeMux(t *testing.T) {
	for name, target := range map[string]struct {
		to     muxtest.Mux
		prefix string
	}{"ServeMux": {http.NewServeMux(), ""}, "Mux": {muxwell.New(), ""}, "Group": {muxwell.New().Route("/api", nil), "/api"}} {
		target.to.Handle("GET /handle", http.HandlerFunc(muxtest.OK))
		target.to.HandleFunc("GET /func/{x}", muxtest.OK)
		for _, path := range []string{"/handle", "/func/1"} {
			w := httptest.NewRecorder()
			target.to.ServeHTTP(w, httptest.NewRequest("GET", target.prefix+path, nil))
			if w.Code != 200 {
				t.Errorf("%s: GET %s: got %d, want 200", name, target.prefix+path, w.Code)
			}
		}
	}
}
