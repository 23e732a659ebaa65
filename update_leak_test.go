package muxwell

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"runtime"
	"slices"
	"testing"
	"weak"
)

// TestUpdateKeepsNoTables: the tables of before can be freed. They were kept by
// those that were made of them, all of them for ever.
func TestUpdateKeepsNoTables(t *testing.T) {
	m := newMuxOf([]string{"GET /a/{x}", "GET /b/{x}", "/c/{x}"})
	update := func(pattern string) {
		t.Helper()
		var rt *Route
		err := m.Update(func(tx *Tx) (err error) { rt, err = tx.Add(pattern, http.HandlerFunc(ok)); return err })
		if err := errors.Join(err, m.Update(func(tx *Tx) error { return tx.Remove(rt) })); err != nil {
			t.Fatal(err)
		}
	}
	m.publish()
	for _, pattern := range []string{"GET /new/{x}", "/new", "example.com/{x}"} {
		update(pattern)
		old := weak.Make(m.current().tables)
		s := weak.Make(m.current())
		update(pattern)
		update("GET /last/{x}")
		runtime.GC()
		runtime.GC()
		if old.Value() != nil || s.Value() != nil {
			t.Errorf("after updates with %s the tables of before are kept: %v, the snapshot: %v", pattern, old.Value() != nil, s.Value() != nil)
		}
	}
	runtime.KeepAlive(m)
}

// TestUpdateLeavesNothing: what routes that were removed were filed under goes with
// them.
func TestUpdateLeavesNothing(t *testing.T) {
	for _, options := range [][]Option{nil, {StrictConflicts()}} {
		m, outer := New(options...), New(options...)
		outer.Mount("/m", m)
		mustAdd(t, m, "/kept/{x}", "kept", Name("kept"))
		size := func() string {
			s := ""
			for _, m := range []*Mux{m, outer} {
				s += fmt.Sprintln(len(m.duplicateIndex), len(m.named), len(m.inner), len(m.lists), m.overlaps, len(m.routes))
			}
			return s + fmt.Sprintln(len(outer.mounts[0].derived))
		}
		want := size()
		for n := range 100 {
			var routes []*Route
			err := m.Update(func(tx *Tx) error {
				for _, pattern := range []string{"/p%d/{x%[1]d}", "/p%d/{x%[1]d}/z", "h%d.example.com/{x}", "M%d /m"} {
					rt, err := tx.Add(fmt.Sprintf(pattern, n), http.HandlerFunc(ok), Name(fmt.Sprint(pattern, n)))
					if err != nil {
						return err
					}
					routes = append(routes, rt)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			m.Update(func(tx *Tx) error {
				for _, rt := range routes {
					err = errors.Join(err, tx.Remove(rt))
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if got := size(); got != want {
			t.Errorf("%d options: after 100 updates\n%s\nwant\n%s", len(options), got, want)
		}
	}
}

// TestUpdateRemovalTakenBack: an update that only removed routes and was taken back
// put them behind all others, where they were not found again.
func TestUpdateRemovalTakenBack(t *testing.T) {
	m := New()
	var routes []*Route
	for n := range 5 {
		routes = append(routes, mustAdd(t, m, fmt.Sprintf("/%d/{x%[1]d}", n), fmt.Sprint(n)))
	}
	m.publish()
	bad := true
	m.Use(func(next http.Handler) http.Handler {
		if bad {
			panic("bad middleware")
		}
		return next
	})
	if v := recovered(func() {
		m.Update(func(tx *Tx) error { return errors.Join(tx.Remove(routes[3]), tx.Remove(routes[1])) })
	}); v != "bad middleware" {
		t.Fatalf("Update: recovered %v", v)
	}
	bad = false
	if got := slices.Collect(m.Routes()); !slices.Equal(got, routes) {
		t.Errorf("taken back: got routes %v, want %v", got, routes)
	}
	for _, n := range []int{3, 1} {
		if err := m.Update(func(tx *Tx) error { return tx.Remove(routes[n]) }); err != nil {
			t.Errorf("then removing %s: got error %v", routes[n], err)
		}
	}
	if got := bodies(m, "/0/x", "/1/x", "/2/x", "/3/x", "/4/x"); got != "0 404 2 404 4" {
		t.Errorf("then got %s", got)
	}
	if len(m.lists) != 3 {
		t.Errorf("then got %d lists of names, want 3", len(m.lists))
	}
	checkNumbers(t, "then", m)
}

// TestManyRegistrations: a mux whose routes change all the time outlives an int32.
func TestManyRegistrations(t *testing.T) {
	m := New()
	m.HandleFunc("/a", ok)
	m.nextIndex = math.MaxInt32 - 2
	for n := range 5 {
		pattern := fmt.Sprintf("/%d/{x}", n)
		m.HandleFunc(pattern, ok)
		if got := matchOf(m, "GET", fmt.Sprintf("/%d/v", n)); got != pattern {
			t.Errorf("/%d/v: got %s, want %s", n, got, pattern)
		}
	}
}

// TestTxGoesOnAfterErrors: what failed is taken out of a transaction, and no more.
func TestTxGoesOnAfterErrors(t *testing.T) {
	m, outer := New(), New()
	outer.Mount("/m", m)
	outer.HandleFunc("/m/taken", ok)
	a := mustAdd(t, m, "/a", "a", Name("a"))
	err := m.Update(func(tx *Tx) error {
		var errs []error
		for n := range 3 {
			_, err := tx.Add(fmt.Sprint("/", n), says(fmt.Sprint(n)), Name(fmt.Sprint(n)))
			_, err2 := tx.Add("/taken", says("no"), Name("no"))
			b, err3 := tx.Add(fmt.Sprint("/b", n), says("b"), Name(fmt.Sprint("b", n)))
			_, err4 := tx.Replace(b, "/taken", says("no"), Name("no"))
			_, err5 := tx.Replace(a, "/taken", says("no"))
			_, err6 := tx.Add(fmt.Sprint("/", n), says("no"))
			_, err7 := tx.Add("/name", says("no"), Name(fmt.Sprint("b", n)))
			if errs = append(errs, err, err3); err2 == nil || err4 == nil || err5 == nil || err6 == nil || err7 == nil {
				t.Errorf("round %d: got errors %v, %v, %v, %v, %v", n, err2, err4, err5, err6, err7)
			}
			errs = append(errs, tx.Remove(b))
		}
		return errors.Join(errs...)
	})
	if got := bodies(m, "/a", "/0", "/1", "/2", "/b0", "/taken"); err != nil || got != "a 0 1 2 404 404" {
		t.Errorf("got %s, error %v", got, err)
	}
	if got := bodies(outer, "/m/a", "/m/2", "/m/b2"); got != "a 2 404" {
		t.Errorf("mounted: got %s", got)
	}
}

// BenchmarkUpdateCrowded changes one route of many that stand at one place.
func BenchmarkUpdateCrowded(b *testing.B) {
	for _, row := range []struct {
		name    string
		pattern string
		option  func(n int) RouteOption
	}{
		{"mixed", "/x/v%d-{id}", nil},
		{"regexp", "/x/{id:a%d+}", nil},
		{"matchers", "/x/{id}", func(n int) RouteOption { return Headers("X-N", fmt.Sprint(n)) }},
	} {
		b.Run("routes=10000/at="+row.name, func(b *testing.B) {
			m := New()
			var rt *Route
			add := func(tx *Tx, n int) (err error) {
				pattern, options := row.pattern, []RouteOption(nil)
				if row.option != nil {
					options = append(options, row.option(n))
				} else {
					pattern = fmt.Sprintf(pattern, n)
				}
				rt, err = tx.Add(pattern, http.HandlerFunc(ok), options...)
				return err
			}
			err := m.Update(func(tx *Tx) (err error) {
				for n := range 10_000 {
					err = errors.Join(err, add(tx, n))
				}
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				err := m.Update(func(tx *Tx) error { return errors.Join(tx.Remove(rt), add(tx, 9_999)) })
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestGroupsComeAndGo: a group whose last route was removed claims its prefix no
// more, so that another one made for the same prefix later has it to itself.
func TestGroupsComeAndGo(t *testing.T) {
	m := New()
	for _, name := range []string{"first", "second", "third"} {
		g := m.Route("/tenants/acme", func(g *Group) { g.Use(mark(name)) })
		var rt *Route
		err := m.Update(func(tx *Tx) (err error) {
			rt, err = tx.In(g).Add("GET /x", http.HandlerFunc(ok))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if trail := answerTo(m, newBenchRequest("GET", "/tenants/acme/none")).Header().Values("Trail"); !slices.Equal(trail, []string{name}) {
			t.Errorf("with the group %s: ran %q", name, trail)
		}
		if err := m.Update(func(tx *Tx) error { return tx.Remove(rt) }); err != nil {
			t.Fatal(err)
		}
		if trail := answerTo(m, newBenchRequest("GET", "/tenants/acme/none")).Header().Values("Trail"); trail != nil {
			t.Errorf("without the routes of the group %s: ran %q", name, trail)
		}
	}
	if len(m.claiming) != 0 {
		t.Errorf("%d groups still claim their prefixes", len(m.claiming))
	}
}
