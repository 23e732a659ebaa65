package muxwell

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// TestGroupServesTheMux: a group serves its whole mux.
func TestGroupServesTheMux(t *testing.T) {
	m := New()
	m.HandleFunc("GET /a/{x}", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Pattern, " ", r.PathValue("x")) })
	g := m.Route("/g", nil)
	g.Get("/b", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Pattern) })
	for name, group := range map[string]*Group{"a prefix": g, "middleware": m.With(mark("x")), "inside": g.Route("/in", nil)} {
		for path, want := range map[string]string{"/a/1": "200 GET /a/{x} 1", "/g/b": "200 GET /g/b", "/b": "404 404 page not found\n", "/g/in": "404 404 page not found\n"} {
			w := httptest.NewRecorder()
			group.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
			if got := fmt.Sprint(w.Code, " ", w.Body); got != want {
				t.Errorf("GET %s by a group with %s: got %q, want %q", path, name, got, want)
			}
		}
	}
}

// TestServesItself: a mux refuses itself and its groups as handlers, wherever they are
// registered, and is then as it was.
func TestServesItself(t *testing.T) {
	m, child := New(), New()
	g := m.Route("/g", nil)
	m.Get("/a", ok)
	old := g.Get("/old", ok)
	m.Mount("/child/{x}", child)
	before := stateOf(m)
	for name, self := range map[string]http.Handler{"the mux": m, "a group": g, "a group inside": g.Route("/in", nil), "a group of With": m.With(mark("x")), "the mux's own group": m.own()} {
		for what, register := range map[string]func() error{
			"Handle":             func() error { m.Handle("/x", self); return nil },
			"Handle of a group":  func() error { g.Handle("/x", self); return nil },
			"Add":                func() error { _, err := m.Add("GET /x/", self, Name("x")); return err },
			"Add of a group":     func() error { _, err := g.Group(nil).Add("/x", self); return err },
			"Tx.Add":             func() error { return m.Update(func(tx *Tx) error { _, err := tx.Add("/x", self); return err }) },
			"Tx.Replace":         func() error { return m.Update(func(tx *Tx) error { _, err := tx.Replace(old, "", self); return err }) },
			"a mounted mux":      func() error { _, err := child.Add("/x", self); return err },
			"a mount of a child": func() error { loop := New(); loop.Handle("/x", self); m.Mount("/loop", loop); return nil },
		} {
			err := registrationError(register)
			var e *PatternError
			if !errors.Is(err, ErrServesItself) || !errors.As(err, &e) || !strings.Contains(e.Pattern, "/x") && what != "Tx.Replace" || !strings.Contains(e.Reason, "; ") {
				t.Errorf("%s of %s: got error %v, want a *PatternError that wraps ErrServesItself", what, name, err)
			}
			if got := stateOf(m); got != before {
				t.Fatalf("%s of %s: the mux is now\n%s\nwas\n%s", what, name, got, before)
			}
		}
		for what, mount := range map[string]func(){
			"Mount":            func() { m.Mount("/x", self) },
			"Mount at /":       func() { m.Mount("/", self) },
			"Mount of a group": func() { g.Mount("/x", self) },
		} {
			err := registrationError(func() error { mount(); return nil })
			var e *MountError
			if !errors.Is(err, ErrServesItself) || !errors.As(err, &e) || !strings.HasPrefix(e.Prefix, "/") {
				t.Errorf("%s of %s: got error %v, want a *MountError that wraps ErrServesItself", what, name, err)
			}
			if got := stateOf(m); got != before {
				t.Fatalf("%s of %s: the mux is now\n%s\nwas\n%s", what, name, got, before)
			}
		}
		for what, set := range map[string]func(){"NotFound": func() { g.NotFound(self) }, "MethodNotAllowed": func() { g.MethodNotAllowed(self) }} {
			if got, want := fmt.Sprint(recovered(set)), "muxwell: Group."+what+": the handler is the mux, or a group of it"; !strings.HasPrefix(got, want) {
				t.Errorf("Group.%s of %s: panicked with %q, want %q", what, name, got, want)
			}
		}
	}
	if err := registrationError(func() error { child.Mount("/up", m); return nil }); !errors.Is(err, ErrServesItself) {
		t.Errorf("Mount of the mux around: got error %v, want one that wraps ErrServesItself", err)
	}
	if err := registrationError(func() error { child.Mount("/up", g); return nil }); !errors.Is(err, ErrServesItself) {
		t.Errorf("Mount of a group of the mux around: got error %v, want one that wraps ErrServesItself", err)
	}
}

// registrationError returns the error that f returns or panics with.
func registrationError(f func() error) (err error) {
	if v := recovered(func() { err = f() }); v != nil {
		err, _ = v.(error)
	}
	return err
}

// TestMountGroupOfAnotherMux: it is a handler that serves its whole mux, without the
// prefix.
func TestMountGroupOfAnotherMux(t *testing.T) {
	other, m := New(), New()
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
		w := answerTo(m, httptest.NewRequest("GET", path, nil))
		if got := fmt.Sprint(w.Code, " ", w.Body); got != want {
			t.Errorf("GET %s: got %q, want %q", path, got, want)
		}
	}
	routes := slices.Collect(m.Routes())
	if len(routes) != 3 { // /m, /m/ and /g/
		t.Errorf("the mux has the routes %v, want 3: those of the other are not its own", routes)
	}
}

// TestNilMuxAndGroup: a nil *Mux and a nil *Group are no handlers.
func TestNilMuxAndGroup(t *testing.T) {
	m := New()
	for _, h := range []http.Handler{(*Mux)(nil), (*Group)(nil)} {
		for what, register := range map[string]func() error{
			"Handle":         func() error { m.Handle("/x", h); return nil },
			"Add":            func() error { _, err := m.Route("/g", nil).Add("/x", h); return err },
			"Tx.Add":         func() error { return m.Update(func(tx *Tx) error { _, err := tx.Add("/x", h); return err }) },
			"Mount":          func() error { m.Mount("/x", h); return nil },
			"Mount, a group": func() error { m.Route("/g", nil).Mount("/x", h); return nil },
		} {
			if err := registrationError(register); !errors.Is(err, ErrNilHandler) {
				t.Errorf("%s of a nil %T: got error %v, want one that wraps ErrNilHandler", what, h, err)
			}
		}
	}
}

// TestGroupAsServeMux: a function that registers with something like an http.ServeMux
// and then serves it works with a mux and a group.
func TestGroupAsServeMux(t *testing.T) {
	for name, target := range map[string]struct {
		to     serveMux
		prefix string
	}{"ServeMux": {http.NewServeMux(), ""}, "Mux": {New(), ""}, "Group": {New().Route("/api", nil), "/api"}} {
		target.to.Handle("GET /handle", http.HandlerFunc(ok))
		target.to.HandleFunc("GET /func/{x}", ok)
		for _, path := range []string{"/handle", "/func/1"} {
			w := httptest.NewRecorder()
			target.to.ServeHTTP(w, httptest.NewRequest("GET", target.prefix+path, nil))
			if w.Code != 200 {
				t.Errorf("%s: GET %s: got %d, want 200", name, target.prefix+path, w.Code)
			}
		}
	}
}
