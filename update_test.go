package muxwell

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/tests/long"
	"github.com/muxwell/muxwell/internal/tests/random"
)

// asks is a matcher on the header X.
func asks(value string) RouteOption {
	return matching(func(s *matcher.Set) error {
		s.AddFunc("MatchFunc(asks "+value+")", "", func(r *http.Request) bool { return r.Header.Get("X") == value })
		return nil
	})
}

// An updater applies random transactions to a mux, and compares it with one that
// is made of the same routes at once.
type updater struct {
	src     random.Source
	gen     generator
	mux     *Mux
	outer   *Mux              // that it is mounted in, at /mounted
	handler map[*Route]string // each route's answer
	roots   int               // one in so many patterns is the root's
	count   int
}

func newUpdater(src random.Source, gen generator) *updater {
	u := &updater{src: src, gen: gen, mux: New(gen.options...), handler: make(map[*Route]string), roots: 2 + 8*src.IntN(2)}
	u.outer = u.mounted(u.mux)
	return u
}

// mounted returns a mux that m is mounted in.
func (u *updater) mounted(m *Mux) *Mux {
	outer := New(u.gen.options...)
	outer.Mount("/mounted", m)
	return outer
}

// pattern returns a pattern, often one that is two routes in the mux around.
func (u *updater) pattern() string {
	if u.src.IntN(u.roots) == 0 {
		return random.Pick(u.src, "GET /", "/", "GET /{$}", "/{$}")
	}
	return u.gen.pattern(u.src)
}

// request returns a request, or nil.
func (u *updater) request() *http.Request {
	r := u.gen.request(u.src)
	if r != nil && u.src.IntN(u.roots) == 0 {
		r.URL.Path, r.URL.RawPath = "/", ""
	}
	return r
}

// answerer answers with a text, the pattern and the values of m to z.
func answerer(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, text, " ", r.Pattern)
		for c := 'm'; c <= 'z'; c++ {
			fmt.Fprintf(w, " %q", r.PathValue(string(c)))
		}
	}
}

func (u *updater) options() []RouteOption {
	if u.src.IntN(min(u.roots, 6)) == 0 {
		return []RouteOption{asks(random.Pick(u.src, "1", "2"))}
	}
	return nil
}

// step applies one transaction of a few operations. Some fail as a whole, some in
// parts.
func (u *updater) step(t *testing.T) {
	fail := u.src.IntN(8) == 0
	added, removed := make(map[*Route]string), make(map[*Route]bool)
	before := slices.Collect(u.mux.Routes())
	wrong := errors.New("wrong")
	err := u.mux.Update(func(tx *Tx) error {
		operations := 1 + u.src.IntN(4)
		if u.src.IntN(32) == 0 {
			operations += 2 * u.src.IntN(maxChanges) // sometimes more than tables are changed by
		}
		for range operations {
			routes := slices.Collect(tx.Routes())
			u.count++
			text := fmt.Sprint(u.count)
			switch k := u.src.IntN(8); {
			case k < 4 || len(routes) == 0:
				if rt, err := tx.Add(u.pattern(), answerer(text), u.options()...); err == nil {
					added[rt] = text
				}
			case k < 6:
				rt := routes[u.src.IntN(len(routes))]
				if err := tx.Remove(rt); err != nil {
					t.Errorf("Remove(%v): %v", rt, err)
				}
				removed[rt] = true
				if err := tx.Remove(rt); !errors.Is(err, ErrNotInMux) {
					t.Errorf("Remove(%v) twice: %v", rt, err)
				}
			default:
				rt, pattern := routes[u.src.IntN(len(routes))], ""
				if k == 7 {
					pattern = u.pattern()
				}
				if to, err := tx.Replace(rt, pattern, answerer(text), u.options()...); err == nil {
					removed[rt], added[to] = true, text
				}
			}
		}
		if fail {
			return wrong
		}
		return nil
	})
	switch {
	case fail && err != wrong, !fail && err != nil:
		t.Fatalf("Update: %v", err)
	case fail:
		if !slices.Equal(before, slices.Collect(u.mux.Routes())) {
			t.Fatal("a transaction that failed changed the routes")
		}
		return
	}
	for rt, text := range added {
		u.handler[rt] = text
	}
	for rt := range removed {
		delete(u.handler, rt)
	}
	if n := len(slices.Collect(u.mux.Routes())); n != len(u.handler) {
		t.Fatalf("%d routes, want %d", n, len(u.handler))
	}
}

// fresh returns a mux that has the same routes.
func (u *updater) fresh(t *testing.T) *Mux {
	m := New(u.gen.options...)
	for rt := range u.mux.Routes() {
		var options []RouteOption
		for _, mt := range rt.matchers() {
			options = append(options, asks(mt.Text[len(mt.Text)-2:len(mt.Text)-1]))
		}
		if _, err := m.Add(rt.Pattern(), answerer(u.handler[rt]), options...); err != nil {
			t.Fatalf("fresh mux: %v", err)
		}
	}
	return m
}

// Compare compares the answers to some requests.
func (u *updater) compare(t *testing.T, requests int) {
	t.Helper()
	fresh := u.fresh(t)
	around := u.mounted(fresh)
	for range requests {
		r := u.request()
		if r == nil {
			continue
		}
		r.Header = http.Header{"X": {random.Pick(u.src, "", "1", "2")}}
		u.compareOne(t, u.mux, fresh, r)
		if r.Method == http.MethodConnect || !strings.HasPrefix(r.URL.Path, "/") {
			continue
		}
		below := r.Clone(r.Context())
		below.URL.Path = "/mounted" + r.URL.Path
		if r.URL.RawPath != "" {
			below.URL.RawPath = "/mounted" + r.URL.RawPath
		}
		u.compareOne(t, u.outer, around, below)
		if r.URL.Path == "/" {
			below.URL.Path, below.URL.RawPath = "/mounted", ""
			u.compareOne(t, u.outer, around, below)
		}
	}
}

// compareOne compares the answers of two muxes to a request.
func (u *updater) compareOne(t *testing.T, mux, fresh *Mux, r *http.Request) {
	t.Helper()
	got, want := httptest.NewRecorder(), httptest.NewRecorder()
	mux.ServeHTTP(got, r.Clone(r.Context()))
	fresh.ServeHTTP(want, r.Clone(r.Context()))
	if got.Code != want.Code || got.Body.String() != want.Body.String() || fmt.Sprint(got.Header()) != fmt.Sprint(want.Header()) {
		t.Fatalf("%s %s%s, X %q: got %d %q %v, a fresh mux says %d %q %v\nroutes: %v", r.Method, r.Host, r.URL, r.Header["X"],
			got.Code, got.Body, got.Header(), want.Code, want.Body, want.Header(), slices.Collect(mux.Routes()))
	}
}

// TestUpdates compares a mux after each of many transactions with one that was
// made of its routes at once.
func TestUpdates(t *testing.T) {
	sets, steps := long.Rounds(t, "sets of routes", 20, 30, 150), 60
	for name, gen := range map[string]generator{"plain": plainPatterns, "whole": wholeLanguage} {
		t.Run(name, func(t *testing.T) {
			for seed := range sets {
				src := rand.New(rand.NewPCG(uint64(seed), 4))
				u := newUpdater(src, gen)
				for range steps {
					u.step(t)
					u.compare(t, 12)
				}
				checkRecords(t, "after updates", u.mux)
			}
		})
	}
}

// TestReplaceByRoot: a route of a mounted mux that is replaced by one at "/" has its
// place at the bare prefix too, where there was none before.
func TestReplaceByRoot(t *testing.T) {
	for _, root := range []string{"GET /", "GET /{$}"} {
		inner, outer, outmost := New(), New(), New()
		outer.Mount("/m", inner)
		outmost.Mount("/o", outer)
		first, err := inner.Add("GET /x", answerer("before"), asks("1"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := inner.Add(root, answerer("later"), asks("1")); err != nil {
			t.Fatal(err)
		}
		replace := func(pattern, text string) {
			t.Helper()
			err := inner.Update(func(tx *Tx) (err error) {
				first, err = tx.Replace(first, pattern, answerer(text), asks("1"))
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		check := func(text string, paths ...string) {
			t.Helper()
			for _, path := range paths {
				r, w := httptest.NewRequest("GET", path, nil), httptest.NewRecorder()
				r.Header.Set("X", "1")
				m := map[byte]*Mux{'/': inner, 'm': outer, 'o': outmost}[(path + "/")[1]]
				if m.ServeHTTP(w, r); !strings.HasPrefix(w.Body.String(), text+" ") {
					t.Errorf("root %q: %s: got %q, want it by the route %q", root, path, w.Body, text)
				}
			}
		}
		check("later", "/", "/m/", "/m", "/o/m/", "/o/m")
		replace(root, "first") // one becomes two
		check("first", "/", "/m/", "/m", "/o/m/", "/o/m")
		replace("GET /x", "again") // two become one
		check("later", "/", "/m/", "/m", "/o/m/", "/o/m")
		check("again", "/m/x", "/o/m/x")
		replace(root, "once more")
		check("once more", "/", "/m/", "/m", "/o/m/", "/o/m")
		for _, m := range []*Mux{inner, outer, outmost} {
			checkNumbers(t, "replaced by "+root, m)
		}
	}
}

func FuzzUpdate(f *testing.F) {
	f.Add([]byte("transactions and requests come from these bytes, one choice a byte"))
	f.Add(bytes.Repeat([]byte("add, remove, replace \x00\x05\x09\x0c\x11\x13"), 12))
	f.Fuzz(func(t *testing.T, data []byte) {
		src := &random.Bytes{Data: data}
		u := newUpdater(src, []generator{plainPatterns, wholeLanguage}[src.IntN(2)])
		for len(src.Data) > 0 {
			u.step(t)
			u.compare(t, 4)
		}
	})
}

// TestUpdateSoak serves from four goroutines while transactions are applied. Each
// of their answers is that of one route as a whole; after the transactions a sample
// of requests is answered as by a mux made of the same routes at once.
func TestUpdateSoak(t *testing.T) {
	transactions := long.Rounds(t, "transactions", 1_000, 2_000, 10_000)
	src := rand.New(rand.NewPCG(1, 5))
	u := newUpdater(src, wholeLanguage)
	done := make(chan struct{})
	var served [4]int
	var wg sync.WaitGroup
	for i := range served {
		wg.Go(func() {
			src := rand.New(rand.NewPCG(uint64(i), 6))
			for {
				if served[i]%16 == 0 {
					time.Sleep(time.Millisecond) // and leave the processors to the transactions
				}
				select {
				case <-done:
					return
				default:
				}
				if r := wholeLanguage.request(src); r != nil {
					w := httptest.NewRecorder()
					u.mux.ServeHTTP(w, r)
					if w.Code == 200 && !strings.Contains(w.Body.String(), " "+r.Pattern+" ") {
						t.Errorf("%s %s: pattern %q, answer %q", r.Method, r.URL, r.Pattern, w.Body)
						return
					}
					served[i]++
				}
			}
		})
	}
	for i := range transactions {
		for len(u.handler) > 24 { // not more than that, so that fresh muxes are cheap
			rt := slices.Collect(u.mux.Routes())[src.IntN(len(u.handler))]
			if err := u.mux.Update(func(tx *Tx) error { return tx.Remove(rt) }); err != nil {
				t.Fatal(err)
			}
			delete(u.handler, rt)
		}
		u.step(t)
		if t.Failed() {
			break
		}
		if i%4 == 0 || !testing.Short() {
			u.compare(t, 3)
		}
	}
	close(done)
	wg.Wait()
	for i, n := range served {
		if n == 0 {
			t.Errorf("goroutine %d served nothing", i)
		}
	}
}

// BenchmarkUpdate changes one route of many: one that names its method, below a
// segment that it shares with most, or with few, and one for every method.
func BenchmarkUpdate(b *testing.B) {
	for _, n := range []int{100, 10_000, 100_000} {
		for _, row := range []struct{ name, pattern string }{
			{"param", "GET /api/resource7/{id}/updated"},
			{"static", "GET /api/resource7/updated"},
			{"new", "GET /updated/{id}"},
			{"methodless", "/api/resource7/{id}/updated"},
			{"regexp", "GET /api/resource7/{id:[0-9]+}"},
		} {
			b.Run(fmt.Sprintf("routes=%d/change=%s", n, row.name), func(b *testing.B) {
				m := New()
				for _, pattern := range scaleRoutes(n) {
					m.Handle(pattern, http.NotFoundHandler())
				}
				m.publish()
				var rt *Route
				var slowest time.Duration
				for b.Loop() {
					start := time.Now()
					err := m.Update(func(tx *Tx) (err error) {
						if rt != nil {
							err, rt = tx.Remove(rt), nil
							return err
						}
						rt, err = tx.Add(row.pattern, http.NotFoundHandler())
						return err
					})
					if err != nil {
						b.Fatal(err)
					}
					slowest = max(slowest, time.Since(start))
				}
				b.ReportMetric(float64(slowest.Microseconds())/1e3, "slowest-ms")
			})
		}
	}
}
