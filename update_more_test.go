package muxwell

import (
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func mustAdd(t *testing.T, m *Mux, pattern, text string, options ...RouteOption) *Route {
	t.Helper()
	rt, err := m.Add(pattern, says(text), options...)
	if err != nil {
		t.Fatal(err)
	}
	return rt
}

// TestUpdateIsAllOrNothing: a function that does not return as it should changes
// nothing, however it ends.
func TestUpdateIsAllOrNothing(t *testing.T) {
	wrong := errors.New("wrong")
	for what, end := range map[string]func() error{
		"an error":       func() error { return wrong },
		"a panic":        func() error { panic(wrong) },
		"runtime.Goexit": func() error { runtime.Goexit(); return nil },
		"http's abort":   func() error { panic(http.ErrAbortHandler) },
		"an error of Tx": nil,
	} {
		outer, m := New(), New()
		outer.Mount("/m", m)
		a, b := mustAdd(t, m, "/a", "a", Name("a")), mustAdd(t, m, "/{x:int}", "b")
		outer.publish()
		before, live := statesOf(m, outer), m.publish()
		var kept *Tx
		var err error
		var wg sync.WaitGroup
		wg.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					err, _ = v.(error)
				}
			}()
			err = m.Update(func(tx *Tx) error {
				kept = tx
				tx.Remove(a)
				tx.Add("/a", says("new"), Name("a"))
				tx.Replace(b, "/{y}", says("new"))
				if end == nil {
					_, err := tx.Add("/a", says("clash"))
					return err
				}
				return end()
			})
		})
		wg.Wait()
		if what != "runtime.Goexit" && err == nil {
			t.Errorf("%s: got no error", what)
		}
		if got := statesOf(m, outer); got != before || m.live.Load() != live {
			t.Errorf("%s: the muxes are now\n%s\nwere\n%s", what, got, before)
		}
		if got := bodies(m, "/a", "/1", "/x") + " " + bodies(outer, "/m/a", "/m/1"); got != "a b 404 a b" {
			t.Errorf("%s: then got %s", what, got)
		}
		if _, err := kept.Add("/late", says("")); !errors.Is(err, ErrTxOver) {
			t.Errorf("%s: Tx.Add after the end: got error %v", what, err)
		}
	}
}

// TestUpdateBadMiddleware: middleware that cannot be made takes the whole
// transaction back, in all muxes, while requests are served.
func TestUpdateBadMiddleware(t *testing.T) {
	child, one, two := New(), New(), New()
	one.Mount("/m", child)
	two.Mount("/m/{t}", child)
	old := mustAdd(t, child, "GET /{x:int}", "old", Name("old"))
	root := mustAdd(t, child, "/", "root", Name("root"))
	value, _ := child.Add("GET /v/{x}", ParamsFunc(func(w http.ResponseWriter, _ *http.Request, p Params) { fmt.Fprint(w, p.Get("x")) }))
	mustAdd(t, child, "GET /{y:[0-9]+}", "later")
	mustAdd(t, child, "/h", "h1", asks("1"))
	h2 := mustAdd(t, child, "/h", "h2")
	var bad atomic.Pointer[Mux] // where middleware is not made
	for _, m := range []*Mux{child, one, two} {
		m.Use(func(next http.Handler) http.Handler {
			if bad.Load() == m {
				panic("bad middleware")
			}
			return next
		})
	}
	state := func() string {
		return bodies(child, "/1", "/x", "/v/7", "/new", "/h") + " " + bodies(one, "/m/1", "/m", "/m/v/7", "/m/new", "/m/h") + " " + bodies(two, "/m/t/1", "/m/t", "/m/t/v/7", "/m/t/new", "/m/t/h")
	}
	want := state()
	if !strings.Contains(want, "old root 7 root h2 old root") {
		t.Fatalf("before: got %s", want)
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if got := bodies(child, "/1", "/v/7") + " " + bodies(two, "/m/t/v/8"); got != "old 7 8" {
					t.Errorf("served meanwhile: got %s, want old 7 8", got)
					return
				}
				runtime.Gosched()
			}
		})
	}
	for _, m := range []*Mux{child, one, two} {
		for range 10 {
			bad.Store(m)
			v := recovered(func() {
				child.Update(func(tx *Tx) error {
					tx.Remove(root)
					tx.Remove(value)
					tx.Replace(h2, "", says("new h2"))
					tx.Replace(old, "GET /{z:[0-9]}", says("new"), Name("old"))
					_, err := tx.Add("/new", says("new"))
					return err
				})
			})
			if v != "bad middleware" {
				t.Errorf("Update: recovered %v, want what the middleware panicked with", v)
			}
			bad.Store(nil)
			if got := state(); got != want {
				t.Errorf("after: got %s\nwant %s", got, want)
			}
		}
	}
	close(done)
	wg.Wait()
	if p, err := one.Path("root"); err != nil || p != "/m/" {
		t.Errorf("URL of the root after all: got %q, error %v, want /m/", p, err)
	}
	for name, m := range map[string]*Mux{"child": child, "one": one, "two": two} {
		order := slices.Collect(m.ByPrecedence())
		slices.SortFunc(order, byRegistration)
		if routes := slices.Collect(m.Routes()); !slices.Equal(order, routes) {
			t.Errorf("%s: Routes %v, ByPrecedence %v", name, routes, order)
		}
		checkNumbers(t, name, m)
	}
	if err := child.Update(func(tx *Tx) error { _, err := tx.Replace(root, "", says("new root")); return err }); err != nil {
		t.Fatal(err)
	}
	if got := bodies(one, "/m", "/m/", "/m/1"); got != "new root new root old" {
		t.Errorf("then an update that works: got %s", got)
	}
	checkNumbers(t, "child, at last", child)
}

// checkNumbers checks that each route has a number of its own and that the others are
// free.
func checkNumbers(t *testing.T, what string, m *Mux) {
	t.Helper()
	used := make(map[uint32]int)
	for _, rt := range m.routes {
		used[rt.entry.Number]++
	}
	for _, number := range m.free {
		used[number]++
	}
	for number := uint32(1); number <= m.numbers; number++ {
		if used[number] != 1 {
			t.Errorf("%s: number %d is given %d times", what, number, used[number])
		}
	}
}

// TestUpdateTakenBackLate: while middleware of one update is being made, another one
// changes what that one changed; then the first is taken back as far as it can be.
func TestUpdateTakenBackLate(t *testing.T) {
	m := New()
	first := mustAdd(t, m, "/a", "first")
	making, fail := make(chan struct{}), make(chan struct{})
	var stop atomic.Bool
	m.Use(func(next http.Handler) http.Handler {
		if stop.CompareAndSwap(true, false) {
			close(making)
			<-fail
			panic("bad middleware")
		}
		return next
	})
	m.publish()
	var added *Route
	var wg sync.WaitGroup
	wg.Go(func() {
		recovered(func() {
			m.Update(func(tx *Tx) (err error) {
				stop.Store(true)
				tx.Remove(first)
				added, err = tx.Add("/b", says("b"))
				return err
			})
		})
	})
	<-making
	if got := bodies(m, "/a", "/b"); got != "first 404" {
		t.Errorf("while middleware is made: got %s, want first 404", got)
	}
	committed := make(chan struct{})
	wg.Go(func() {
		err := m.Update(func(tx *Tx) error {
			if err := tx.Remove(added); err != nil {
				return err
			}
			_, err := tx.Add("/a", says("second"))
			return err
		})
		if err != nil {
			t.Errorf("the second update: got error %v", err)
		}
		close(committed)
	})
	for {
		m.mu.Lock()
		second := slices.ContainsFunc(m.routes, func(rt *Route) bool { return rt.Path() == "/a" })
		m.mu.Unlock()
		if second {
			break
		}
		time.Sleep(time.Millisecond)
	}
	close(fail)
	wg.Wait()
	<-committed
	if got := bodies(m, "/a", "/b"); got != "second 404" {
		t.Errorf("after both: got %s, want second 404", got)
	}
	m.HandleFunc("/c", ok)
	if got := len(slices.Collect(m.Routes())); got != 2 {
		t.Errorf("after both: got %d routes, want 2", got)
	}
}

// TestUpdateMayNest: everything can be called while a transaction is made.
func TestUpdateMayNest(t *testing.T) {
	m := New()
	a := mustAdd(t, m, "/a", "a", Name("a"))
	err := m.Update(func(tx *Tx) error {
		if _, err := tx.Add("/b", says("b")); err != nil {
			return err
		}
		if got := bodies(m, "/a", "/b"); got != "a 404" {
			t.Errorf("served within: got %s, want a 404", got)
		}
		if p, err := m.Path("a"); p != "/a" || err != nil {
			t.Errorf("Path within: got %q, %v", p, err)
		}
		for range m.Routes() {
			m.RouteOf(newBenchRequest("GET", "/a"))
		}
		m.Explain(newBenchRequest("GET", "/a"))
		m.Check()
		m.Handle("/c", says("c"))
		m.Use(mark("m"))
		m.Route("/g", nil).NotFound(says("none"))
		m.Mount("/m", newMuxOf([]string{"/x"}))
		if err := m.Update(func(inner *Tx) error {
			_, err := inner.Add("/d", says("d"))
			return errors.Join(err, inner.Remove(a))
		}); err != nil {
			return err
		}
		if got := bodies(m, "/a", "/b", "/c", "/d", "/g/x"); got != "404 404 c d none" {
			t.Errorf("after the inner update: got %s", got)
		}
		var paths []string
		for rt := range tx.Routes() {
			paths = append(paths, rt.Path())
		}
		if got := strings.Join(paths, " "); got != "/c /m/x /d /b" {
			t.Errorf("Tx.Routes: got %s", got)
		}
		_, err := tx.Add("/a", says("new a"), Name("a"))
		return err
	})
	if got := bodies(m, "/a", "/b", "/c", "/d"); err != nil || got != "new a b c d" {
		t.Errorf("in the end: got %s, error %v", got, err)
	}
}

// TestUpdateClashesMeanwhile: what is registered meanwhile stays, and a transaction
// that clashes with it fails as a whole, whatever it did with the error.
func TestUpdateClashesMeanwhile(t *testing.T) {
	for what, after := range map[string]func(*Tx){
		"nothing": func(*Tx) {},
		"Routes":  func(tx *Tx) { tx.Routes()(func(*Route) bool { return true }) },
		"Add":     func(tx *Tx) { tx.Add("/other", says("other")) },
		"Remove":  func(tx *Tx) { tx.Remove(nil) },
	} {
		m := New()
		mustAdd(t, m, "/a", "a")
		err := m.Update(func(tx *Tx) error {
			tx.Add("/new", says("new"))
			tx.Add("/clash", says("new"))
			m.Handle("/clash", says("first"))
			after(tx)
			return nil
		})
		var e *ConflictError
		if !errors.As(err, &e) {
			t.Errorf("then %s: got error %v, want a *ConflictError", what, err)
		}
		if got := bodies(m, "/a", "/new", "/clash", "/other"); got != "a 404 first 404" {
			t.Errorf("then %s: got %s, want a 404 first 404", what, got)
		}
	}
}

// TestUpdateErrors: what a transaction cannot do it says, and goes on without.
func TestUpdateErrors(t *testing.T) {
	m, other := New(StrictConflicts()), New()
	a := mustAdd(t, m, "/a/{x}", "a", Name("n"))
	foreign := mustAdd(t, other, "/f", "f")
	gone := mustAdd(t, m, "/gone", "gone")
	if err := m.Update(func(tx *Tx) error { return tx.Remove(gone) }); err != nil {
		t.Fatal(err)
	}
	err := m.Update(func(tx *Tx) error {
		for what, f := range map[string]func() (*Route, error){
			"Remove nil":          func() (*Route, error) { return nil, tx.Remove(nil) },
			"Replace nil":         func() (*Route, error) { return tx.Replace(nil, "/new", says("")) },
			"Remove a foreign":    func() (*Route, error) { return nil, tx.Remove(foreign) },
			"Replace a foreign":   func() (*Route, error) { return tx.Replace(foreign, "/new", says("")) },
			"Remove twice":        func() (*Route, error) { return nil, tx.Remove(gone) },
			"Replace a gone":      func() (*Route, error) { return tx.Replace(gone, "", says("")) },
			"a duplicate":         func() (*Route, error) { return tx.Add("/a/{y}", says("")) },
			"a taken name":        func() (*Route, error) { return tx.Add("/new", says(""), Name("n")) },
			"an overlap":          func() (*Route, error) { return tx.Add("/{y}/b", says("")) },
			"a bad pattern":       func() (*Route, error) { return tx.Replace(a, "/{", says("")) },
			"no handler":          func() (*Route, error) { return tx.Replace(a, "", nil) },
			"no value handler":    func() (*Route, error) { return tx.Add("/new", ParamsFunc(nil)) },
			"no handler of error": func() (*Route, error) { return tx.Add("/new", ErrorFunc(nil)) },
		} {
			rt, err := f()
			if err == nil || rt != nil {
				t.Errorf("%s: got route %v, error %v", what, rt, err)
			}
			if strings.Contains(what, " nil") || strings.Contains(what, "foreign") || strings.Contains(what, "gone") {
				if !errors.Is(err, ErrNotInMux) {
					t.Errorf("%s: got error %v, want ErrNotInMux", what, err)
				}
			}
		}
		_, err := tx.Add("/fine", says("fine"))
		return err
	})
	if got := bodies(m, "/a/1", "/fine", "/new"); err != nil || got != "a fine 404" {
		t.Errorf("then got %s, error %v, want a fine 404", got, err)
	}
	if v := recovered(func() { m.Update(func(tx *Tx) error { tx.In(other.Group(nil)); return nil }) }); !strings.Contains(fmt.Sprint(v), "another mux") {
		t.Errorf("Tx.In of another mux: panicked with %v", v)
	}
}

// TestUpdateKeepsThePlace: a replacement stands where the route stood that it
// replaces, in the order of registration and so where that decides.
func TestUpdateKeepsThePlace(t *testing.T) {
	for what, change := range map[string]func(tx *Tx, a *Route) error{
		"once": func(tx *Tx, a *Route) error {
			_, err := tx.Replace(a, "", says("new"))
			return err
		},
		"twice": func(tx *Tx, a *Route) error {
			rt, err := tx.Replace(a, "/{y:[a-z]}", says("mid"))
			if err == nil {
				_, err = tx.Replace(rt, "/{x:[a-z]+}", says("new"))
			}
			return err
		},
		"another pattern": func(tx *Tx, a *Route) error {
			_, err := tx.Replace(a, "GET /{z:[a-d]+}", says("new"))
			return err
		},
	} {
		m, outer := New(), New()
		outer.Mount("/m", m)
		mustAdd(t, m, "/first", "first")
		a := mustAdd(t, m, "/{x:[a-z]+}", "old")
		mustAdd(t, m, "/{x:[a-c]+}", "later")
		m.publish()
		if err := m.Update(func(tx *Tx) error { return change(tx, a) }); err != nil {
			t.Fatal(err)
		}
		if got := bodies(m, "/abc") + " " + bodies(outer, "/m/abc"); got != "new new" {
			t.Errorf("%s: got %s, want new new", what, got)
		}
		for _, m := range []*Mux{m, outer} {
			if routes := slices.Collect(m.Routes()); len(routes) != 3 || !strings.HasSuffix(routes[0].Path(), "/first") || !strings.HasSuffix(routes[2].Path(), "[a-c]+}") {
				t.Errorf("%s: got routes %v", what, routes)
			}
		}
	}
	m := New()
	var listed []string
	err := m.Update(func(tx *Tx) error {
		a, _ := tx.Add("/{x:[a-z]+}", says("old"))
		tx.Add("/{x:[a-c]+}", says("later"))
		tx.Replace(a, "/{x:[a-d]+}", says("new"))
		for rt := range tx.Routes() {
			listed = append(listed, rt.Path())
		}
		return nil
	})
	var routes []string
	for rt := range m.Routes() {
		routes = append(routes, rt.Path())
	}
	if want := []string{"/{x:[a-d]+}", "/{x:[a-c]+}"}; err != nil || !slices.Equal(routes, want) || !slices.Equal(listed, want) {
		t.Errorf("a route replaced that was new itself: got routes %q, in the transaction %q, error %v, want %q", routes, listed, err, want)
	}
	if got := bodies(m, "/abc"); got != "new" {
		t.Errorf("a route replaced that was new itself: got %s, want new", got)
	}
	checkNumbers(t, "replaced", m)
}

// TestUpdateFreesWhatItRemoves: patterns and names that a transaction removes are
// free in it, and what it adds it can remove again.
func TestUpdateFreesWhatItRemoves(t *testing.T) {
	for _, options := range [][]Option{nil, {StrictConflicts()}} {
		m, outer := New(options...), New(options...)
		outer.Mount("/m", m)
		a := mustAdd(t, m, "GET /a/{x}", "a", Name("n"))
		outer.publish()
		err := m.Update(func(tx *Tx) error {
			passing, err := tx.Add("/passing", says("passing"), Name("p"))
			b, err2 := tx.Add("/passing/{x}", says("passing"))
			return errors.Join(err, err2, tx.Remove(passing), tx.Remove(a), tx.Remove(b), func() error {
				_, err := tx.Add("GET /{y}/b", says("b"), Name("n")) // overlaps a
				_, err2 := tx.Add("/passing", says("again"), Name("p"))
				return errors.Join(err, err2)
			}())
		})
		if got := bodies(m, "/a/b", "/a/c", "/passing", "/passing/x") + " " + bodies(outer, "/m/a/b", "/m/passing"); err != nil || got != "b 404 again 404 b again" {
			t.Errorf("%d options: got %s, error %v", len(options), got, err)
		}
		if p, err := outer.Path("n", "y", "1"); p != "/m/1/b" || err != nil {
			t.Errorf("%d options: Path: got %q, error %v", len(options), p, err)
		}
		again := func() *Route { rt, _ := m.Add("GET /a/{x}", says("a")); return rt }()
		if (again == nil) != (options != nil) {
			t.Errorf("%d options: the removed route again: got %v", len(options), again)
		}
		for _, m := range []*Mux{m, outer} {
			checkNumbers(t, fmt.Sprint(len(options), " options"), m)
		}
	}
}

// TestUpdateNeverBlocksReaders: requests are answered by the tables of before as
// long as those of after are being made.
func TestUpdateNeverBlocksReaders(t *testing.T) {
	m := New()
	mustAdd(t, m, "/a/{x}", "a")
	making, goOn := make(chan struct{}), make(chan struct{})
	var slow atomic.Bool
	slow.Store(true)
	g := m.With(func(next http.Handler) http.Handler {
		if slow.CompareAndSwap(true, false) {
			close(making)
			<-goOn
		}
		return next
	})
	updated := make(chan error)
	m.publish()
	go func() {
		updated <- m.Update(func(tx *Tx) error { _, err := tx.In(g).Add("/new", says("new")); return err })
	}()
	<-making
	for range 3 {
		if got := bodies(m, "/a/1", "/new"); got != "a 404" {
			t.Errorf("while tables are made: got %s, want a 404", got)
		}
	}
	close(goOn)
	if err := <-updated; err != nil {
		t.Fatal(err)
	}
	if got := bodies(m, "/a/1", "/new"); got != "a new" {
		t.Errorf("then got %s, want a new", got)
	}
}

// TestUpdatesAtTheSameTime: updates from several goroutines all take effect, in the
// muxes around too.
func TestUpdatesAtTheSameTime(t *testing.T) {
	child, m := New(), New()
	m.Mount("/m", child)
	var wg sync.WaitGroup
	for c := range 4 {
		wg.Go(func() {
			var last *Route
			for n := range 30 {
				target := []*Mux{child, m}[(c+n)%2]
				if last != nil {
					target = []*Mux{child, m}[(c+n+1)%2]
					if err := target.Update(func(tx *Tx) error { return tx.Remove(last) }); err != nil {
						t.Errorf("Remove(%v): %v", last, err)
					}
					target = []*Mux{child, m}[(c+n)%2]
				}
				pattern := fmt.Sprintf("/%d/%d/{x}", c, n)
				if err := target.Update(func(tx *Tx) (err error) {
					last, err = tx.Add(pattern, says(pattern))
					return err
				}); err != nil {
					t.Errorf("Add(%q): %v", pattern, err)
				}
				prefix := ""
				if target == child {
					prefix = "/m"
				}
				if got := bodies(m, prefix+strings.ReplaceAll(pattern, "{x}", "1")); got != pattern {
					t.Errorf("GET %s%s: got %s", prefix, pattern, got)
				}
			}
		})
	}
	wg.Wait()
	if n := len(slices.Collect(m.Routes())); n != 4 {
		t.Errorf("got %d routes, want 4", n)
	}
	for name, m := range map[string]*Mux{"child": child, "outer": m} {
		checkNumbers(t, name, m)
	}
}

// TestUpdateDisplacesAStaticPath: a catch-all with a name replaces one
// without, which stood in the table of static paths, and gives it back.
func TestUpdateDisplacesAStaticPath(t *testing.T) {
	for _, row := range [][2]string{{"/", "GET /{p...}"}, {"/a/", "GET /a/{p...}"}, {"/{p...}", "GET /"}, {"/a/{p...}", "GET /a/"}} {
		m := New()
		mustAdd(t, m, row[0], "any")
		path, _, _ := strings.Cut(strings.TrimPrefix(row[1], "GET "), "{")
		for range 2 {
			m.publish()
			var rt *Route
			if err := m.Update(func(tx *Tx) (err error) { rt, err = tx.Add(row[1], says("get")); return err }); err != nil {
				t.Fatal(err)
			}
			if got := bodies(m, path, path+"x"); got != "get get" {
				t.Errorf("%q next to %q: GET %s: got %s, want get get", row[1], row[0], path, got)
			}
			if err := m.Update(func(tx *Tx) error { return tx.Remove(rt) }); err != nil {
				t.Fatal(err)
			}
			if got := bodies(m, path, path+"x"); got != "any any" {
				t.Errorf("%q removed next to %q: GET %s: got %s, want any any", row[1], row[0], path, got)
			}
		}
	}
}
