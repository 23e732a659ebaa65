package muxwell

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// A registration that is refused leaves the mux as it was.

// statesOf returns what a registration may change in several muxes.
func statesOf(muxes ...*Mux) (s string) {
	for _, m := range muxes {
		s += stateOf(m) + fmt.Sprintln(len(m.mounts), len(m.parents), len(m.inner), len(m.claiming))
	}
	return s
}

// TestMountRefusals: a mount that cannot be changes no mux, nor does a registration
// that cannot be in a mux around.
func TestMountRefusals(t *testing.T) {
	m, a, b, c := New(), New(), New(), New()
	a.Mount("/b", b)
	b.Mount("/c", c)
	m.Mount("/t/{tenant}", c)
	m.HandleFunc("GET /t/{x}/taken/{y}", ok)
	m.Mount("/files/{p}", http.HandlerFunc(ok))
	twin := newMuxOf([]string{"/free", "POST /t/{any}/taken", "GET /t/{any}/taken/{z}"})
	strict := New(StrictConflicts())
	strict.HandleFunc("/s/{x}/y", ok)
	strict.Mount("/s", c)
	before := statesOf(m, a, b, c, twin, strict)
	for what, row := range map[string]struct {
		f    func()
		want any
		text string
	}{
		"itself":           {func() { m.Mount("/x", m) }, new(*MountError), "itself|around it"},
		"itself, in group": {func() { m.Route("/x", nil).Mount("/y", m) }, new(*MountError), ""},
		"two":              {func() { b.Mount("/x", a) }, new(*MountError), ""},
		"three":            {func() { c.Mount("/x", a) }, new(*MountError), ""},
		"twice":            {func() { a.Mount("/b/", b) }, new(*MountError), "already"},
		"nil":              {func() { a.Mount("/n", nil) }, new(*MountError), "nil"},
		"nil mux":          {func() { a.Mount("/n", (*Mux)(nil)) }, new(*MountError), "nil"},
		"a clash":          {func() { m.Mount("/", twin) }, new(*ConflictError), "/t/{any}/taken"},
		"a name":           {func() { m.Mount("/u/{z}", twin) }, new(*PatternError), `"z"`},
		"a later name":     {func() { c.HandleFunc("/u/{tenant}", ok) }, new(*PatternError), `"tenant"`},
		"a later clash":    {func() { c.HandleFunc("GET /taken/{z}", ok) }, new(*ConflictError), "refusals_test.go"},
		"a query's name":   {func() { must(c.Add("/q", http.HandlerFunc(ok), Queries("q", "{tenant}"))) }, new(*PatternError), `"tenant"`},
		"an overlap":       {func() { c.HandleFunc("/a/{z}", ok) }, new(*ConflictError), "/s/{x}/y"},
		"in an update": {func() {
			must(nil, c.Update(func(tx *Tx) error {
				tx.Add("/fine", http.HandlerFunc(ok))
				_, err := tx.Add("GET /taken/{z}", http.HandlerFunc(ok))
				return err
			}))
		}, new(*ConflictError), ""},
		"catch-alls":                           {func() { m.Mount("/r/{p...}/s", newMuxOf([]string{"/{x...}"})) }, new(*PatternError), "catch-all"},
		"two hosts":                            {func() { m.Mount("i.com", newMuxOf([]string{"h.com/x"})) }, new(*PatternError), "host"},
		"a foreign handler behind a catch-all": {func() { m.Mount("/r/{p...}", http.HandlerFunc(ok)) }, new(*MountError), "catch-all"},
		"a foreign handler twice":              {func() { m.Mount("/files/{q}", http.HandlerFunc(ok)) }, new(*ConflictError), "refusals_test.go"},
	} {
		err, _ := recovered(row.f).(error)
		switch {
		case !errors.As(err, row.want):
			t.Errorf("%s: panicked with %v (%T), want a %T", what, err, err, row.want)
		case !slices.ContainsFunc(strings.Split(row.text, "|"), func(s string) bool { return strings.Contains(err.Error(), s) }):
			t.Errorf("%s: panicked with %v, want one about %s", what, err, row.text)
		}
		if got := statesOf(m, a, b, c, twin, strict); got != before {
			t.Fatalf("%s: the muxes are now\n%s\nwere\n%s", what, got, before)
		}
	}
	for _, f := range []func(){func() { a.Mount("/b2", b) }, func() { a.Mount("/b/b", b) }, func() { m.Mount("/b", b) }} {
		if err := recovered(f); err != nil {
			t.Errorf("a second mount elsewhere: panicked with %v", err)
		}
	}
}

// TestGroupRefusals: what is wrong with a prefix, or with a pattern behind it, is an
// error that names both, and changes nothing.
func TestGroupRefusals(t *testing.T) {
	m := New()
	m.HandleFunc("GET /api/taken", ok)
	before := stateOf(m)
	for _, row := range []struct{ prefix, want string }{
		{"api", `"/api"`},
		{"GET /api", "method"},
		{"GET\t/api", "method"},
		{"/api/{", "{"},
		{"/api/{x", "{x"},
		{"/{x}/{x}", `"x"`},
		{"/{$}", "{$}"},
		{"/a/{$}/b", "{$}"},
		{"/{x:no}", "no"},
		{"/{x:[}", "["},
		{"/{p...}/{q...}", "catch-all"},
		{"{h", "{h"},
		{"ex ample.com/x", "method"},
	} {
		for name, route := range map[string]func(){
			"Mux.Route":   func() { m.Route(row.prefix, func(*Group) { t.Errorf("Route(%q) called its function", row.prefix) }) },
			"Group.Route": func() { m.Group(nil).Route(row.prefix, nil) },
			"Mux.Mount":   func() { m.Mount(row.prefix, http.HandlerFunc(ok)) },
			"mount a mux": func() { m.Mount(row.prefix, newMuxOf([]string{"/x"})) },
		} {
			err, _ := recovered(route).(error)
			var e *PatternError
			if !errors.As(err, &e) || e.Pattern != row.prefix || e.Offset < 0 || e.Offset > len(row.prefix) || !strings.Contains(e.Error(), row.want) {
				t.Errorf("%s(%q): panicked with %v, want a *PatternError about %s", name, row.prefix, err, row.want)
			}
		}
	}
	api, hosted, param := m.Route("/api", nil), m.Route("example.com/api", nil), m.Route("{t}.com/u/{id}", nil)
	for _, row := range []struct {
		group         *Group
		pattern, want string
	}{
		{api, "x", "/api"},
		{api, "GET x", "/x"},
		{api, "users", "/users"},
		{param, "x", "/x"},
		{api, "GET /taken", "refusals_test.go"},
		{api, "/{x}/{x}", `"x"`},
		{api, "GET //x", "//x"},
		{api, "/{", "{"},
		{hosted, "other.com/x", "host"},
		{hosted, "GET other.com", "host"},
		{hosted, "other.com", "host"},
		{param, "/{id}", `"id"`},
		{param, "/{t}", `"t"`},
		{param, "{t}.org/x", "host"},
	} {
		rt, err := row.group.Add(row.pattern, http.HandlerFunc(ok))
		if err == nil || rt != nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%q under %q: got route %v, error %v, want one about %s", row.pattern, row.group.Prefix(), rt, err, row.want)
		}
	}
	if v := recovered(func() { api.Get("POST /x", ok) }); !strings.Contains(fmt.Sprint(v), "method") {
		t.Errorf("Get with a method: panicked with %v", v)
	}
	for _, f := range []func(){
		func() { api.Handle("/n", nil) },
		func() { api.Get("/n", nil) },
		func() { api.HandleParams("/n", nil) },
		func() { api.HandleError("/n", nil) },
		func() { api.Mount("/n", nil) },
		func() { api.Mount("/n", (*Mux)(nil)) },
		func() { api.Mount("/n", http.HandlerFunc(nil)) },
		func() { m.Mount("/n", nil) },
	} {
		if err, _ := recovered(f).(error); !errors.Is(err, ErrNilHandler) {
			t.Errorf("a nil handler in a group: panicked with %v, want ErrNilHandler", err)
		}
	}
	if v := recovered(func() { api.NotFound(nil) }); v == nil {
		t.Error("Group.NotFound(nil) did not panic")
	}
	if v := recovered(func() { api.MethodNotAllowed(http.HandlerFunc(nil)) }); v == nil {
		t.Error("Group.MethodNotAllowed(nil) did not panic")
	}
	if got := stateOf(m); got != before {
		t.Errorf("the mux is now\n%s\nwas\n%s", got, before)
	}
}

// TestDefaultsErrors: Defaults panics with an OptionError and changes nothing.
func TestDefaultsErrors(t *testing.T) {
	m := New()
	g := m.Route("/g/{id}", nil)
	g.Defaults(Schemes("https"), Queries("k", "{k}"))
	for _, row := range []struct {
		name    string
		refuse  func()
		pattern string
		option  string
		reason  string
	}{
		{"Name", func() { g.Defaults(Meta("a", 1), Name("x")) }, "/g/{id}", `Name("x")`, "only one route can have a name"},
		{"Name of a mux", func() { m.Defaults(Name("x")) }, "/", `Name("x")`, "only one route can have a name"},
		{"an empty Name", func() { g.Group(nil).Defaults(Name("")) }, "/g/{id}", `Name("")`, "only one route can have a name"},
		{"an invalid option", func() { g.Defaults(Meta("a", 1), Headers()) }, "/g/{id}", `Headers()`, "no header"},
		{"a second Schemes", func() { g.Defaults(Meta("a", 1), Schemes("http")) }, "/g/{id}", `Schemes("http")`, "already"},
		{"a second Schemes, inside", func() { g.Group(nil).Defaults(Schemes("http")) }, "/g/{id}", `Schemes("http")`, "already"},
		{"a parameter of the prefix", func() { g.Defaults(Queries("other", "{id}")) }, "/g/{id}", `Queries("other", "{id}")`, `"id"`},
	} {
		err, _ := recovered(row.refuse).(error)
		var e *OptionError
		if !errors.As(err, &e) || e.Pattern != row.pattern || e.Option != row.option || !strings.Contains(e.Reason, row.reason) {
			t.Errorf("%s: panicked with %v, want an *OptionError of %q for %s about %s", row.name, err, row.pattern, row.option, row.reason)
		}
	}
	after := g.Get("/after", ok)
	if got, want := strings.Join(after.Matchers(), " "), `Schemes("https") Queries("k", "{k}")`; got != want {
		t.Errorf("after Defaults that were refused a route has %s, want %s", got, want)
	}
	if meta, ok := after.Meta("a"); ok {
		t.Errorf("after Defaults that were refused a route has a=%v", meta)
	}
	for what, register := range map[string]func(){
		"a route": func() { g.Get("/{k}", ok) },
		"a mount": func() { g.Mount("/{k}", http.NotFoundHandler()) },
		"Schemes": func() { g.Get("/s", ok, Schemes("http")) },
		"in a Tx": func() {
			must(nil, m.Update(func(tx *Tx) error { _, err := tx.In(g).Add("/{k}", http.NotFoundHandler()); return err }))
		},
		"by Files": func() { g.Files("/{k...}", fstest.MapFS{"a": {}}) },
	} {
		before := stateOf(m)
		err, _ := recovered(register).(error)
		var e *OptionError
		if !errors.As(err, &e) || !strings.Contains(e.Pattern, "/g/{id}/") {
			t.Errorf("%s that cannot have the defaults: panicked with %v, want an *OptionError", what, err)
		}
		if got := stateOf(m); got != before {
			t.Errorf("%s that cannot have the defaults: the mux is now\n%s\nwas\n%s", what, got, before)
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
			err := muxtest.ErrorOf(register)
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
			err := muxtest.ErrorOf(func() error { mount(); return nil })
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
	if err := muxtest.ErrorOf(func() error { child.Mount("/up", m); return nil }); !errors.Is(err, ErrServesItself) {
		t.Errorf("Mount of the mux around: got error %v, want one that wraps ErrServesItself", err)
	}
	if err := muxtest.ErrorOf(func() error { child.Mount("/up", g); return nil }); !errors.Is(err, ErrServesItself) {
		t.Errorf("Mount of a group of the mux around: got error %v, want one that wraps ErrServesItself", err)
	}
}

// TestNilHandlerKinds: a nil ParamsFunc or ErrorFunc is refused as a nil function is.
func TestNilHandlerKinds(t *testing.T) {
	for _, h := range []http.Handler{ParamsFunc(nil), ErrorFunc(nil)} {
		m := New()
		before := stateOf(m)
		for name, register := range map[string]func() error{
			"Handle":       func() error { err, _ := recovered(func() { m.Handle("/x", h) }).(error); return err },
			"Add":          func() error { _, err := m.Add("/x", h); return err },
			"Group.Handle": func() error { err, _ := recovered(func() { m.Route("/g", nil).Handle("/x", h) }).(error); return err },
			"Group.Add":    func() error { _, err := m.Route("/g", nil).Add("/x", h); return err },
			"Tx.Add": func() error {
				return m.Update(func(tx *Tx) error { _, err := tx.Add("/x", h); return err })
			},
			"Mount": func() error { err, _ := recovered(func() { m.Mount("/x", h) }).(error); return err },
		} {
			if err := register(); !errors.Is(err, ErrNilHandler) {
				t.Errorf("%s of a nil %T: got error %v, want one that wraps ErrNilHandler", name, h, err)
			}
		}
		for name, f := range map[string]func(){
			"NotFound":         func() { NotFound(h) },
			"MethodNotAllowed": func() { MethodNotAllowed(h) },
			"Group.NotFound":   func() { m.Route("/g", nil).NotFound(h) },
		} {
			if recovered(f) == nil {
				t.Errorf("%s of a nil %T did not panic", name, h)
			}
		}
		if got := stateOf(m); got != before {
			t.Errorf("a nil %T: the mux is now\n%s\nwas\n%s", h, got, before)
		}
	}
}
