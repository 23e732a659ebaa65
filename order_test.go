package muxwell

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/tests/long"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
	"github.com/muxwell/muxwell/internal/tests/random"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// The order of precedence is total: of the routes that match, one wins,
// and where the order of registration does not count it is the same in every
// order. The order is complete: a route that matches is found, however good the
// ways look that lead nowhere.

// naiveTie reports whether nothing but the order of registration decides
// between two routes, if both match.
func naiveTie(a, b *Route) bool {
	if a.pattern.Host != b.pattern.Host && (a.pattern.HostPattern() == nil || b.pattern.HostPattern() == nil) {
		return false
	}
	there, back := []*Route{a, b}, []*Route{b, a}
	return naiveCompare(there, a, b, "GET") != naiveCompare(back, a, b, "GET")
}

// TestRegistrationOrder: the order of registration does not count, but for
// segments and hosts that only their rank orders.
func TestRegistrationOrder(t *testing.T) {
	matched, ties := 0, 0
	seeds := uint64(long.Rounds(t, "muxes", 20, 150, 150))
	for seed := uint64(1); seed <= seeds; seed++ {
		src := rand.New(rand.NewPCG(seed, 12))
		m := New(genOption)
		var patterns []string
		for range 5 + src.IntN(40) {
			rt, err := m.Add(wholeLanguage.pattern(src), http.NotFoundHandler())
			if err != nil {
				continue
			}
			if slices.ContainsFunc(m.routes[:len(m.routes)-1], func(q *Route) bool { return slices.Contains(patterns, q.pattern.Text) && naiveTie(q, rt) }) {
				ties++
				continue
			}
			patterns = append(patterns, rt.pattern.Text)
		}
		var snapshots []*snapshot
		for range 4 {
			m := New(genOption)
			for _, p := range patterns {
				m.Handle(p, http.NotFoundHandler())
			}
			snapshots = append(snapshots, m.publish())
			src.Shuffle(len(patterns), func(i, j int) { patterns[i], patterns[j] = patterns[j], patterns[i] })
		}
		for range 60 {
			r := wholeLanguage.request(src)
			if r == nil {
				continue
			}
			var first string
			for i, s := range snapshots {
				got := "nothing"
				a := s.resolve(r)
				if a.Number != 0 {
					rt := s.endpoints.At(a.Number).route
					got = fmt.Sprint(rt.pattern.Text, slices.Collect(values(Params{rt.layout.Of(r, sourceOf(&a))})))
					matched++
				}
				if i == 0 {
					first = got
				} else if got != first {
					t.Fatalf("seed %d: %s %s%s: got %s, in another order of registration %s\npatterns: %q", seed, r.Method, r.Host, r.URL, got, first, patterns)
				}
			}
		}
	}
	if matched < int(seeds)*20 || ties < int(seeds) {
		t.Errorf("%d requests matched, %d routes are left out", matched, ties)
	}
}

// values iterates over the values of p.
func values(p Params) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, v := range p.All() {
			if !yield(v) {
				return
			}
		}
	}
}

// TestRank: where nothing but rank decides, the first registration with the
// segment wins, whatever its method and what is behind it.
func TestRank(t *testing.T) {
	for _, row := range []struct {
		patterns []string
		requests map[string]string
	}{
		{[]string{"/{x:int}", "/{x:uint}"}, map[string]string{"GET h/1": "/{x:int}", "GET h/-1": "/{x:int}"}},
		{[]string{"/{x:uint}", "/{x:int}"}, map[string]string{"GET h/1": "/{x:uint}", "GET h/-1": "/{x:int}"}},

		// Whatever the method.
		{[]string{"POST /{x:hex}", "GET /{x:int}", "GET /{x:hex}"}, map[string]string{"GET h/1": "GET /{x:hex}", "POST h/1": "POST /{x:hex}", "GET h/-1": "GET /{x:int}"}},
		{[]string{"GET /{x:int}", "GET /{x:hex}", "POST /{x:hex}"}, map[string]string{"GET h/1": "GET /{x:int}", "POST h/1": "POST /{x:hex}"}},
		{[]string{"/{x:hex}", "GET /{x:int}"}, map[string]string{"GET h/1": "/{x:hex}"}}, // the segment before the method
		{[]string{"HEAD /{x:int}", "/{x:hex}", "GET /{x:int}"}, map[string]string{"GET h/1": "GET /{x:int}", "HEAD h/1": "HEAD /{x:int}", "PUT h/1": "/{x:hex}"}},

		// Whatever is behind it, and given up where that does not match.
		{[]string{"/{x:hex}/deep/er", "/{x:int}/{y}", "/{x:hex}/{y}"}, map[string]string{"GET h/1/a": "/{x:hex}/{y}", "GET h/1/deep": "/{x:hex}/{y}", "GET h/-1/a": "/{x:int}/{y}"}},
		{[]string{"/{x:hex}/a", "/{x:int}/{y}"}, map[string]string{"GET h/1/a": "/{x:hex}/a", "GET h/1/b": "/{x:int}/{y}"}},
		{[]string{"/{x:hex}/{y}", "/{x:int}/a"}, map[string]string{"GET h/1/a": "/{x:hex}/{y}"}}, // the left segment before the right one

		// At that prefix alone.
		{[]string{"/a/{x:hex}", "/b/{x:int}", "/a/{x:int}", "/b/{x:hex}"}, map[string]string{"GET h/a/1": "/a/{x:hex}", "GET h/b/1": "/b/{x:int}"}},
		{[]string{"/{x:hex}", "/a/{x:int}", "/a/{x:hex}"}, map[string]string{"GET h/1": "/{x:hex}", "GET h/a/1": "/a/{x:int}"}},
		{[]string{"/{p}/{x:hex}", "/{q}/{x:int}", "/{p:int}/{x:int}", "/{q:int}/{x:hex}"}, map[string]string{"GET h/a/1": "/{p}/{x:hex}", "GET h/1/1": "/{p:int}/{x:int}"}},
		{[]string{"h/{x:hex}", "/{x:int}", "h/{x:int}", "/{x:hex}"}, map[string]string{"GET h/1": "h/{x:hex}", "GET g/1": "/{x:int}"}},

		// Mixed segments with the same amount of text, the same of it in front.
		{[]string{"/{x}.{y}", "/{x}-{y}"}, map[string]string{"GET h/a-b.c": "/{x}.{y}"}},
		{[]string{"/{x}-{y}", "/{x}.{y}"}, map[string]string{"GET h/a-b.c": "/{x}-{y}"}},
		{[]string{"/{x}b", "/{x}-{y}"}, map[string]string{"GET h/a-b": "/{x}b"}},
		{[]string{"/{x:int}.{y}", "/{x}.{y:int}"}, map[string]string{"GET h/1.2": "/{x:int}.{y}", "GET h/a.2": "/{x}.{y:int}"}},
		{[]string{"/{x}.{y:int}", "/{x:int}.{y:int}"}, map[string]string{"GET h/1.2": "/{x:int}.{y:int}"}}, // two constraints win over one
		{[]string{"POST /{x}.{y}", "GET /{x}-{y}", "GET /{x}.{y}"}, map[string]string{"GET h/a-b.c": "GET /{x}.{y}"}},

		// Behind a catch-all, counted from the end.
		{[]string{"/{p...}/{x:hex}", "/{p...}/{x:int}"}, map[string]string{"GET h/a/b/1": "/{p...}/{x:hex}", "GET h/a/-1": "/{p...}/{x:int}"}},
		{[]string{"/{p...}/a/{x:int}", "/{p...}/{x:hex}", "/{p...}/b/{x:hex}"}, map[string]string{"GET h/p/a/1": "/{p...}/a/{x:int}", "GET h/p/b/1": "/{p...}/b/{x:hex}", "GET h/p/c/1": "/{p...}/{x:hex}"}},
		{[]string{"/{p...}/a/{x:hex}", "/{p...}/{x:int}", "/{p...}/{x:hex}"}, map[string]string{"GET h/p/a/1": "/{p...}/a/{x:hex}", "GET h/p/c/1": "/{p...}/{x:hex}"}},

		// Hosts with as much text, as many catch-alls and constraints.
		{[]string{"a{t}.h/", "{t}b.h/"}, map[string]string{"GET ab.h/": "a{t}.h/", "GET bb.h/": "{t}b.h/"}},
		{[]string{"{t}b.h/", "a{t}.h/"}, map[string]string{"GET axb.h/": "{t}b.h/"}},
		{[]string{"{t:int}.h/", "{t:hex}.h/"}, map[string]string{"GET 1.h/": "{t:int}.h/", "GET f.h/": "{t:hex}.h/"}},
		{[]string{"POST {t:hex}.h/p", "GET {t:int}.h/", "GET {t:hex}.h/"}, map[string]string{"GET 1.h/": "GET {t:hex}.h/"}},
		{[]string{"{t:hex}.h/a", "{t:int}.h/"}, map[string]string{"GET 1.h/a": "{t:hex}.h/a", "GET 1.h/b": "{t:int}.h/"}},
	} {
		m := newMuxOf(row.patterns)
		for request, want := range row.requests {
			r := requestOf(request)
			if answerTo(m, r); r.Pattern != want {
				t.Errorf("%q: %s: got %q, want %q", row.patterns, request, r.Pattern, want)
			}
		}
		// Registering more does not change it.
		for _, p := range []string{"/{x:uuid}", "/a/{x:uuid}", "/{p...}/{x:uuid}", "/{x}:{y}", "TRACE /{x:int}", "{t:uuid}.h/"} {
			m.Add(p, http.HandlerFunc(ok))
		}
		for request, want := range row.requests {
			r := requestOf(request)
			if answerTo(m, r); r.Pattern != want {
				t.Errorf("%q and more: %s: got %q, want %q", row.patterns, request, r.Pattern, want)
			}
		}
	}
}

// TestOrderIsTotal: among the routes that match a request naiveCompare is a
// strict total order, and the winner comes first in it.
func TestOrderIsTotal(t *testing.T) {
	pairs, triples := 0, 0
	seeds := uint64(long.Rounds(t, "muxes", 20, 40, 150))
	for seed := uint64(1); seed <= seeds; seed++ {
		src := rand.New(rand.NewPCG(seed, 13))
		m := New(genOption, TrailingSlash(SlashStrict))
		for range 120 {
			m.Add(wholeLanguage.pattern(src), http.NotFoundHandler())
		}
		s := m.publish()
		for range 60 {
			r := wholeLanguage.request(src)
			if r == nil || r.Method != "CONNECT" && r.URL.EscapedPath() != urlpath.Clean(r.URL.EscapedPath()) {
				continue
			}
			path := strings.Split(r.URL.EscapedPath(), "/")[1:]
			var matching []*Route
			for _, rt := range m.routes {
				_, host := naiveHost(rt, hostname.Of(r))
				_, path := naivePath(rt.pattern.Segments, path, r.Method == "CONNECT")
				if host && path && naiveMethod(rt, r.Method) > 0 {
					matching = append(matching, rt)
				}
			}
			compare := func(a, b *Route) int { return naiveCompare(m.routes, a, b, r.Method) }
			var winner *Route
			if rec := s.resolve(r).Number; rec != 0 {
				winner = s.endpoints.At(rec).route
			}
			if (winner != nil) != (len(matching) > 0) {
				t.Fatalf("%s %s%s: got %v, which matching: %v", r.Method, r.Host, r.URL, winner, matching)
			}
			for _, a := range matching {
				if a != winner && compare(winner, a) >= 0 {
					t.Fatalf("%s %s%s: got %v, beaten by %v", r.Method, r.Host, r.URL, winner, a)
				}
				for _, b := range matching {
					if a == b {
						continue
					}
					pairs++
					if ab, ba := compare(a, b), compare(b, a); ab == 0 || ab < 0 == (ba < 0) {
						t.Fatalf("%s %s%s: %v against %v is %d, the other way round %d", r.Method, r.Host, r.URL, a, b, ab, ba)
					}
					for _, c := range matching {
						if b != c && compare(a, b) < 0 && compare(b, c) < 0 {
							triples++
							if compare(a, c) >= 0 {
								t.Fatalf("%s %s%s: %v wins over %v, that over %v, and that not after the first", r.Method, r.Host, r.URL, a, b, c)
							}
						}
					}
				}
			}
		}
	}
	if pairs < int(seeds)*50 || triples < int(seeds)*20 {
		t.Errorf("only %d pairs, %d triples", pairs, triples)
	}
}

// genMounts returns a mux with groups and mounted muxes, with the naive matcher of
// its routes. There are few patterns, so that many match a request.
func genMounts(src random.Source) (*Mux, *naiveMux) {
	m, child, inner := New(), New(), New()
	prefixes := []string{"/a", "/a", "/{m}", "/{m:int}", "/a/b", "/"}
	mount := func(outer *Group, prefix string, mux *Mux) { recovered(func() { outer.Mount(prefix, mux) }) }
	groups := []*Group{m.Group(nil), m.Route("/a", nil), m.Route("/{g}", nil), child.Group(nil), child.Group(nil), child.Route("/b", nil), inner.Group(nil), inner.Group(nil)}
	late := src.IntN(2) == 0
	mounts := func() {
		mount(groups[src.IntN(2)], random.Pick(src, prefixes...), child)
		mount(groups[src.IntN(len(groups)-2)], random.Pick(src, prefixes...), inner)
		if src.IntN(2) == 0 {
			mount(groups[src.IntN(len(groups)-2)], random.Pick(src, prefixes...), inner)
		}
	}
	if !late {
		mounts()
	}
	matchers := make(map[*Route][]naiveMatcher)
	for range 8 + src.IntN(30) {
		var own []naiveMatcher
		var options []RouteOption
		if src.IntN(3) == 0 {
			own = genMatchers(src)
		}
		for _, nm := range own {
			options = append(options, nm.option)
		}
		pattern := random.Pick(src, "", "GET ", "HEAD ", "GET,POST ", "POST ", "PUT,HEAD ") +
			random.Pick(src, "", "", "", "", "", "h") + random.Pick(src, "/", "/", "/{$}", "/{$}", "/{p...}", "/a", "/{x}", "/b", "/a/b", "/{x}/{$}", "/a/", "/{p...}/b")
		if rt, err := groups[src.IntN(len(groups))].Add(pattern, http.NotFoundHandler(), options...); err == nil {
			matchers[rt] = own
		}
	}
	if late {
		mounts()
	}
	naive := newNaiveMux(SlashRedirect)
	for rt := range m.Routes() {
		origin := rt
		for origin.isMounted() {
			origin = origin.info.origin
		}
		naive.add(rt, matchers[origin])
	}
	return m, naive
}

func hasTypes(m matcher.Matcher) bool { return m.Accept != nil }

// TestOrderIsTotalInMounts: also with groups, mounts and matchers the order is a
// strict total one among the routes that match a request, and the same for
// ServeHTTP, Explain, Check, ByPrecedence and the naive matcher.
func TestOrderIsTotalInMounts(t *testing.T) {
	seeds := uint64(long.Rounds(t, "muxes", 150, 150, 600))
	pairs, triples, roots := 0, 0, 0
	for seed := uint64(1); seed <= seeds; seed++ {
		src := rand.New(rand.NewPCG(seed, 14))
		m, naive := genMounts(src)
		sorted := slices.Collect(m.ByPrecedence())
		if len(sorted) != len(naive.routes) {
			t.Fatalf("seed %d: ByPrecedence has %d routes of %d", seed, len(sorted), len(naive.routes))
		}
		overlaps := make(map[[2]*Route]Overlap)
		for _, o := range m.Check().Overlaps {
			overlaps[[2]*Route{o.First, o.Second}] = o
		}
		for range 60 {
			target := random.Pick(src, "/", "/a", "/a", "/a", "/a/", "/a/b", "/a/b/", "/1", "/1/", "/a/a", "/b", "/a/b/a", "/a/a/b", "/1/b")
			r := genMet(src, genRequestFor(src, target, []string{"GET", "HEAD", "POST", "PUT"}, []string{"h", "g"}))
			e := m.Explain(r)
			if e.Status == http.StatusTemporaryRedirect {
				continue
			}
			what := fmt.Sprintf("seed %d: %s\n%v\nroutes: %v", seed, describeRequest(r), e, naive)
			want := naive.order(naive.routes, r, e.Host, e.Path)
			var matching []*Route
			if e.Route != nil {
				matching = append(matching, e.Route)
			}
			for _, o := range e.Others {
				if o.Matched {
					matching = append(matching, o.Route)
				}
			}
			if !slices.Equal(matching, want) {
				t.Fatalf("%s\nnaive: %v", what, want)
			}
			if answerTo(m, r); !safeBuild && m.RouteOf(r) != e.Route { // routes share patterns
				t.Fatalf("%s\nserved by %v", what, m.RouteOf(r))
			}
			inspected := m.current().inspected()
			before := func(a, b *Route) bool {
				ab, _ := inspected.Compare(r, &a.entry, &b.entry)
				ba, _ := inspected.Compare(r, &b.entry, &a.entry)
				if ab == 0 || ab < 0 == (ba < 0) {
					t.Fatalf("%s\n%v against %v is %d, the other way round %d", what, a, b, ab, ba)
				}
				return ab < 0
			}
			for i, a := range matching {
				for j, b := range matching[i+1:] {
					pairs++
					if a.entry.Rank != b.entry.Rank {
						roots++
					}
					if !before(a, b) {
						t.Fatalf("%s\n%v is first, but compares as the second of it and %v", what, a, b)
					}
					// Where the matchers of two decide, or HEAD does, whose own routes and those of GET are
					// of one method for others, no order of all routes can be right for all requests.
					if pattern.SamePath(a.pattern.Segments, b.pattern.Segments) && a.pattern.Host == b.pattern.Host && (a.pattern.MethodRank(r.Method) != b.pattern.MethodRank(r.Method) && a.entry.Rank == b.entry.Rank && r.Method == "HEAD" || slices.ContainsFunc(slices.Concat(a.matchers(), b.matchers()), hasTypes)) {
						continue
					}
					if slices.Index(sorted, a) > slices.Index(sorted, b) {
						t.Fatalf("%s\nByPrecedence has %v before %v: %v", what, b, a, sorted)
					}
					if _, ok := overlaps[[2]*Route{a, b}]; !ok && a.pattern.Host == b.pattern.Host {
						o := overlaps[[2]*Route{b, a}]
						if pattern.SamePath(a.pattern.Segments, b.pattern.Segments) && a.entry.Rank == b.entry.Rank && o.Method != r.Method {
							continue // for that method it is the other way round
						}
						t.Fatalf("%s\nCheck does not have %v before %v: %v", what, a, b, o)
					}
					for _, c := range matching[i+1:][j+1:] {
						triples++
						if !before(b, c) || !before(a, c) {
							t.Fatalf("%s\n%v, %v, %v is no order", what, a, b, c)
						}
					}
				}
			}
		}
	}
	if pairs < int(seeds)*50 || triples < int(seeds)*50 || roots < int(seeds) {
		t.Errorf("only %d pairs, %d triples, %d pairs at the root of a mount", pairs, triples, roots)
	}
}

// TestPrecedence takes the routes that match a request away from the best to
// the last: each time the next one takes it, whatever the order of registration.
func TestPrecedence(t *testing.T) {
	for _, row := range []struct {
		request  string
		patterns []string // that match it, in the order of precedence
	}{
		{"GET h/ab-1/z", []string{
			"/ab-1/z", "/ab-{x}/z", "/ab{x:int}/z", "/ab{x}/z", "/a{x:(b-)}1/z", "/a{x}1/z", "/{x:alpha}-1/z", "/{x}-1/z", "/a{x}/z", "/{x}-{y:int}/z", "/{x}-{y}/z",
			"/{x:slug}/z", "/{x}/z", "/{x}/{y:alpha}", "/{x}/{y}", "/{x}/{y...}", "/{x...}/z", "/{x...}/{y:alpha}", "/{x...}/{y}", "/",
		}},
		{"GET h/a/b/", []string{"/a/b/{$}", "/a/b/", "/a/{x}/{$}", "/a/{x}/", "/a/{x...}", "/{x:alpha}/", "/{x}/b/", "/{x}/{y}/{$}", "/{x}/{y...}", "/{x...}/b/{$}", "/{x...}/{$}", "/{x...}"}},
		{"HEAD h/a", []string{"HEAD h/a", "GET h/a", "h/a", "PUT,HEAD h/{x}", "GET h/{x}", "h/{x}", "GET /a", "/a", "HEAD /{x}"}},
		{"GET a-1.b.h/", []string{
			"a-1.b.h/", "a-{t:int}.b.h/", "a-{t}.b.h/", "{t:slug}.b.h/", "*.b.h/", "{t...}.b.h/", "{t}.{u:alpha}.h/", "{t}.{u}.h/", "{t...}.h/",
			"{t}.{u}.{v}/", "{t}.{u...}/", "/",
		}},
	} {
		for i, want := range row.patterns {
			backward := slices.Clone(row.patterns[i:])
			slices.Reverse(backward)
			for _, patterns := range [][]string{row.patterns[i:], backward} {
				r := requestOf(row.request)
				if answerTo(newMuxOf(patterns), r); r.Pattern != want {
					t.Errorf("%s: got %q, want %q of %q", row.request, r.Pattern, want, patterns)
				}
			}
		}
	}
}

// TestBacktracking: what looks better is given up where it leads nowhere.
func TestBacktracking(t *testing.T) {
	for _, row := range []struct {
		patterns []string // in the order of precedence
		requests map[string]string
	}{
		{
			[]string{"a.h/x/1", "{t}.h/x/2", "{t...}.h/x/3", "/x/{n}"},
			map[string]string{
				"GET a.h/x/1": "a.h/x/1", "GET a.h/x/2": "{t}.h/x/2 t=a", "GET a.h/x/3": "{t...}.h/x/3 t=a", "GET a.h/x/4": "/x/{n} n=4",
				"GET b.a.h/x/3": "{t...}.h/x/3 t=b.a", "GET b.h/x/1": "/x/{n} n=1", "GET g/x/1": "/x/{n} n=1",
			},
		},
		{
			[]string{"GET a.h/{x}", "POST {t}.h/{x}", "{t...}.h/{x}", "PUT /{x}"},
			map[string]string{
				"GET a.h/1": "GET a.h/{x} x=1", "POST a.h/1": "POST {t}.h/{x} t=a x=1", "PUT a.h/1": "{t...}.h/{x} t=a x=1", "PUT g/1": "PUT /{x} x=1",
			},
		},
		{
			[]string{"GET /a/b", "POST /a/{x}", "PUT /{x}/b", "DELETE /{x...}", "/{x}/{y}"},
			map[string]string{
				"GET h/a/b": "GET /a/b", "POST h/a/b": "POST /a/{x} x=b", "PUT h/a/b": "PUT /{x}/b x=a", "PATCH h/a/b": "/{x}/{y} x=a y=b",
				"DELETE h/a/b": "/{x}/{y} x=a y=b", "DELETE h/a": "DELETE /{x...} x=a", "DELETE h/a/b/c": "DELETE /{x...} x=a/b/c", "HEAD h/a/b": "GET /a/b",
			},
		},
		{ // one way after another of one segment
			[]string{"/a-1/1", "/a-{x:int}/2", "/a-{x}/3", "/{x}-{y:int}/4", "/{x}-{y}/5", "/{x:slug}/6", "/{x:.+}/7", "/{x}/8", "/{x...}/9", "/{x...}"},
			map[string]string{
				"GET h/a-1/1": "/a-1/1", "GET h/a-1/2": "/a-{x:int}/2 x=1", "GET h/a-1/3": "/a-{x}/3 x=1", "GET h/a-1/4": "/{x}-{y:int}/4 x=a y=1", "GET h/a-1/5": "/{x}-{y}/5 x=a y=1",
				"GET h/a-1/6": "/{x:slug}/6 x=a-1", "GET h/a-1/7": "/{x:.+}/7 x=a-1", "GET h/a-1/8": "/{x}/8 x=a-1", "GET h/a-1/9": "/{x...}/9 x=a-1", "GET h/a-1/10": "/{x...} x=a-1/10",
				"GET h/a-1/b/9": "/{x...}/9 x=a-1/b", "GET h/a-%0A/7": "/{x...} x=a-\n/7", "GET h/A-b/6": "/{x...} x=A-b/6",
			},
		},
		{ // the same from an escaped path
			[]string{"/a/{x:int}/1", "/{x}/%31/2", "/{x}/{y}/3", "/{x...}/%2F", "/{x...}"},
			map[string]string{
				"GET h/%61/1/1": "/a/{x:int}/1 x=1", "GET h/%61/%31/2": "/{x}/%31/2 x=a", "GET h/%61/1/3": "/{x}/{y}/3 x=a y=1", "GET h/%61/1/%2F": "/{x...}/%2F x=a/1", "GET h/%61/1/%2f/4": "/{x...} x=a/1///4",
			},
		},
		{ // from behind
			[]string{"/{x...}/a/1", "/{x...}/{y:int}/2", "/{x...}/b/{z}", "/{x...}/{y}/{z:int}", "/{x...}/{y}/c/{z}", "/{x...}/{z}", "/{x}"},
			map[string]string{
				"GET h/p/a/1": "/{x...}/a/1 x=p", "GET h/p/1/2": "/{x...}/{y:int}/2 x=p y=1", "GET h/p/b/1": "/{x...}/{y}/{z:int} x=p y=b z=1", "GET h/p/b/d": "/{x...}/b/{z} x=p z=d",
				"GET h/p/q/c/d": "/{x...}/{y}/c/{z} x=p y=q z=d", "GET h/p/c/d": "/{x...}/{z} x=p/c z=d", "GET h/p/d": "/{x...}/{z} x=p z=d", "GET h/1/2": "/{x...}/{z} x=1 z=2", "GET h/p": "/{x} x=p",
			},
		},
		{ // a literal, deep down, up to the root
			[]string{"/a/b/c/d/e", "/a/b/c/{x}/f", "/a/b/{x...}/g", "/a/{x}/c/d/h", "/a/{x...}/i", "/{x:alpha}/b/c/d/j", "/{x...}/k", "/{x...}"},
			map[string]string{
				"GET h/a/b/c/d/e": "/a/b/c/d/e", "GET h/a/b/c/d/f": "/a/b/c/{x}/f x=d", "GET h/a/b/c/d/g": "/a/b/{x...}/g x=c/d", "GET h/a/b/c/d/h": "/a/{x}/c/d/h x=b", "GET h/a/b/c/d/i": "/a/{x...}/i x=b/c/d",
				"GET h/a/b/c/d/j": "/{x:alpha}/b/c/d/j x=a", "GET h/a/b/c/d/k": "/{x...}/k x=a/b/c/d", "GET h/a/b/c/d/l": "/{x...} x=a/b/c/d/l",
			},
		},
		{ // ends
			[]string{"/a/{$}", "/a/", "/{x:alpha}/b", "/{x}/{$}", "/{x...}/{$}"},
			map[string]string{
				"GET h/a/": "/a/{$}", "GET h/a/b": "/a/", "GET h/b/b": "/{x:alpha}/b x=b", "GET h/b/": "/{x}/{$} x=b", "GET h/b/c/": "/{x...}/{$} x=b/c", "GET h/a/c": "/a/", "GET h/a/c/": "/a/",
			},
		},
	} {
		for range 2 {
			m := New()
			for _, pattern := range row.patterns {
				if err := muxtest.TellValues(m, pattern); err != nil {
					t.Fatal(err)
				}
			}
			for request, want := range row.requests {
				if got := answerLine(t, m, requestOf(request)); got != "200 "+want {
					t.Errorf("%q: %s: got %s, want 200 %s", row.patterns, request, got, want)
				}
			}
			slices.Reverse(row.patterns)
		}
	}
}

// TestLongPaths: a megabyte of what is hard on a search is answered, and right.
// It is here for the answers, and to stand out in the time of the tests if the
// work should grow faster than the path.
func TestLongPaths(t *testing.T) {
	size := long.Rounds(t, "bytes", 1<<14, 1<<17, 1<<20)
	of := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for _, row := range []struct {
		pattern, path string
		want          []string // the values; nil if it does not match
	}{
		{"/{a}-{b}-{c}", "/" + of("-"), []string{"-", "-", of("-")[4:]}},
		{"/{a}-{b}-{c}", "/" + of("a-"), []string{"a", "a", of("a-")[4:]}},
		{"/{a}-{b}-{c}", "/" + of("a"), nil},
		{"/{a}-{b}.{c}", "/" + of("a-"), nil},
		{"/{a}--{b}-.-{c}", "/" + of("-"), nil},
		{"/{a}-{b}-{c}.x", "/" + of("a-") + ".x", []string{"a", "a", of("a-")[4:]}},
		{"/{a:[a-]+}-{b:[a-]+}-{c:[a-]+}", "/" + of("a-"), []string{of("a-")[:size-5], "a", "a-"}},
		{"/{a:[a-]+}-{b:[a-]+}-{c:[a-]+}", "/" + of("-"), []string{of("-")[4:], "-", "-"}},
		{"/{a:[a-]+?}-{b:[a-]+?}-{c:[a-]+}", "/" + of("a-"), []string{"a", "a", of("a-")[4:]}},
		{"/{a:[a-]+}-{b:[a-]+}.{c:[a-]+}", "/" + of("a-"), nil},
		{"/{a:int}-{b}-{c:int}", "/" + of("1-") + "1", []string{"1", of("1-")[2 : size-1], "1"}},
		{"/{a:slug}-{b:slug}-{c}-{d:int}", "/" + of("a-"), nil},
		{"/{a:(?:a|aa|aaa)+}b{b:a+}", "/" + of("a"), nil},
		{"/{a:(?:a*)*}", "/" + of("a") + "-", nil},
		{"/{a:(?:a|b)*a(?:a|b){8}}", "/" + of("ab"), nil},
		{"/{a:int}", "/" + of("1"), []string{of("1")}},
		{"/x{a:int}y", "/x" + of("1") + "y", []string{of("1")}},
		{"/{a}-{b}", "/" + of("%61") + "-%2F", []string{of("%61")[:size/3], "/"}},
		{"/{a:[a]+}-{b}", "/" + of("%61") + "-%2F", []string{of("%61")[:size/3], "/"}},
		{"/{a...}/{b:int}", of("/%61") + "/1%2F", nil},
		{"/{a...}/{b:int}", of("/a") + "/1", []string{of("/a")[1:], "1"}},
		{"/{a...}/b/{c}", of("/b"), []string{of("/b")[1 : size-4], "b"}},
		{"/{a...}/b/{c}/d", of("/b"), nil},
		{"/{a...}/{b}-{c}/{d:alpha}", of("/b") + "/-/d", nil},
		{"CONNECT /{a...}/b", of("/") + "b", []string{of("/")[2:]}},
		{"CONNECT /{a...}/b", of("/") + "c", nil},
		{"CONNECT /{a...}/b/{$}", of("/"), nil},
		{"CONNECT /{a...}/{b}", of("/") + "c", []string{of("/")[2:], "c"}},
	} {
		m := New(TrailingSlash(SlashStrict))
		var got []string
		m.HandleParams(row.pattern, func(_ http.ResponseWriter, _ *http.Request, p Params) { got = slices.Collect(values(p)) })
		want := row.want
		for i := range want {
			if strings.HasPrefix(want[i], "%6") {
				want[i] = strings.Repeat("a", len(want[i]))
			}
		}
		method := "GET"
		if strings.HasPrefix(row.pattern, "CONNECT") {
			method = "CONNECT"
		}
		w := answerTo(m, newBenchRequest(method, row.path))
		if !slices.Equal(got, want) || w.Code == http.StatusOK != (want != nil) {
			lengths := func(values []string) (lengths []int) {
				for _, v := range values {
					lengths = append(lengths, len(v))
				}
				return lengths
			}
			t.Errorf("%s, %.10s…: got %d, values %.20q of lengths %v, want %.20q, %v", row.pattern, row.path, w.Code, got, lengths(got), want, lengths(want))
		}
	}
}

// TestByPrecedenceIsWhatWins: the routes in the order of precedence are the routes,
// and of those that match a request the first one takes it.
func TestByPrecedenceIsWhatWins(t *testing.T) {
	m, child := New(), New()
	for _, pattern := range []string{"/{x}", "/{x:int}", "/{x:[0-9]+}", "GET /{x}", "/a", "h.com/{x}", "{t}.com/", "{t}.h.com/{x...}", "/", "/a/{y}", "/{p...}/y", "/v{x}", "/{x}v", "GET,HEAD /a/b"} {
		m.HandleFunc(pattern, ok)
	}
	m.Mount("/", child)
	m.Mount("/a", child)
	child.HandleFunc("GET /{y:[a-z]+}", ok)
	child.HandleFunc("POST /a", ok)
	child.Add("/m/{$}", http.HandlerFunc(ok), Headers("X", "1"))
	child.Add("/m/{$}", http.HandlerFunc(ok), Headers("X", "2"))
	child.HandleFunc("/m/{$}", ok)
	order := slices.Collect(m.ByPrecedence())
	registered := slices.Collect(m.Routes())
	for _, rt := range registered {
		if !slices.Contains(order, rt) {
			t.Errorf("ByPrecedence misses %v", rt)
		}
	}
	if len(order) != len(registered) {
		t.Errorf("ByPrecedence has %d routes of %d", len(order), len(registered))
	}
	for _, host := range []string{"", "h.com", "i.com", "i.h.com"} {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT"} {
			for _, path := range []string{"/", "/a", "/7", "/v1", "/1v", "/abc", "/a/b", "/a/7", "/a/a", "/x/y", "/x/z/y", "/m/", "/a/m/", "/a/b/c"} {
				for _, x := range []string{"", "1", "2"} {
					line := method + " " + host + path
					r := requestOf(line)
					r.Header.Set("X", x)
					e := m.Explain(r)
					candidates := []*Route{e.Route}
					for _, c := range e.Others {
						if c.Matched && !slices.ContainsFunc(c.Route.matchers(), func(mt matcher.Matcher) bool { return !mt.Matches(r, m.config.proxies) }) {
							candidates = append(candidates, c.Route)
						}
					}
					if e.Route == nil {
						t.Errorf("%s: no route takes it", line)
						continue
					}
					first := slices.IndexFunc(order, func(rt *Route) bool { return slices.Contains(candidates, rt) })
					if answerTo(m, r); m.RouteOf(r) != e.Route && !safeBuild { // routes share patterns
						t.Errorf("%s, X %q: %v serves, Explain says %v", line, x, m.RouteOf(r), e.Route)
					}
					if order[first] != e.Route && order[first].pattern.MethodRank(method) == e.Route.pattern.MethodRank(method) {
						t.Errorf("%s, X %q: %v takes it, but ByPrecedence has %v first", line, x, e.Route, order[first])
					}
				}
			}
		}
	}
}
