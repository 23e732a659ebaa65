package mux

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// naiveSet is what a set is without any care for speed.
func naiveSet(rng *rand.Rand, size int) (list []int) {
	dense := rng.IntN(3)
	for n := range size {
		if dense == 0 && rng.IntN(2) == 0 || rng.IntN(100) == 0 || dense == 2 && n/70%7 == 3 {
			list = append(list, n)
		}
	}
	return list
}

// TestSets compares what is in several unions of two sets with the same by lists.
func TestSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		size := 1 + rng.IntN(300)
		if rng.IntN(4) == 0 {
			size = 1 + rng.IntN(20_000)
		}
		var unions []union
		want := make([]int, size)
		for i := range want {
			want[i] = i
		}
		for range rng.IntN(4) {
			a, b := naiveSet(rng, size), naiveSet(rng, size)
			u := union{newSet(a, size), newSet(b, size)}
			if rng.IntN(3) == 0 {
				u.b, b = nil, nil
			}
			unions = append(unions, u)
			both := merged(a, b)
			want = slices.DeleteFunc(want, func(n int) bool {
				_, ok := slices.BinarySearch(both, n)
				return !ok
			})
		}
		var got []int
		for i := nextOf(unions, size, 0); i >= 0 && i < size; i = nextOf(unions, size, i+1) {
			got = append(got, i)
		}
		if len(unions) > 0 && !slices.Equal(got, want) {
			t.Fatalf("size %d, %d unions: got %v, want %v", size, len(unions), got, want)
		}
		if size > 64*fewBlocks {
			continue
		}
		var f few
		f.start(size)
		for _, u := range unions {
			f.keep(u)
		}
		got = nil
		for i := f.next(0); i >= 0; i = f.next(i + 1) {
			got = append(got, i)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("few: size %d: got %v, want %v", size, got, want)
		}
		if f.decided() != (len(want) <= 1) {
			t.Fatalf("decided is %v of %v", f.decided(), want)
		}
	}
}

// TestSegments compares split with strings.Split and path.Clean.
func TestSegments(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"/", "/a", "/bc", ".", "/..", "/.", "a", "/longer-than-eight", "/x.y", "//", "/..."}
	for range 20_000 {
		var b strings.Builder
		for range rng.IntN(14) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		p := b.String()
		var s segments
		s.split(p)
		if s.rooted != strings.HasPrefix(p, "/") || s.clean != (cleanPath(p) == p) {
			t.Fatalf("%q: rooted %v, clean %v, want %q", p, s.rooted, s.clean, path.Clean(p))
		}
		if !s.rooted {
			continue
		}
		want := strings.Split(p[1:], "/")
		if s.number != min(len(want), maxDepth+1) {
			t.Fatalf("%q: %d segments, want %d", p, s.number, len(want))
		}
		for i := range min(s.number, maxDepth) {
			if s.at(i) != want[i] {
				t.Fatalf("%q: segment %d is %q", p, i, s.at(i))
			}
		}
	}
}

// TestIndex: an index loses no route that matches, and leaves out most that do not.
func TestIndex(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	named, tried := 0, 0
	for round := range 100 {
		r := NewRouter().SkipClean(true)
		size := 1 + rng.IntN(40)
		if round%8 == 0 {
			size = 300 + rng.IntN(300)
		}
		if rng.IntN(4) == 0 {
			r.UseEncodedPath()
		}
		for range size {
			r.StrictSlash(rng.IntN(3) == 0)
			kind, rt := templateKind(rng.IntN(2)), r.NewRoute().Handler(http.NotFoundHandler())
			text := randomTemplate(rng, kind).text
			if rng.IntN(3) > 0 { // most templates are longer than others' random ones
				text = fmt.Sprintf("/%c/%d%s", 'a'+rng.IntN(3), rng.IntN(10), text)
			}
			if kind == pathTemplate {
				rt.Path(text)
			} else {
				rt.PathPrefix(text)
			}
			if rng.IntN(4) == 0 {
				rt.Host(randomTemplate(rng, hostTemplate).text)
			}
			if rng.IntN(2) == 0 {
				rt.Methods([]string{"GET", "POST", "PUT"}[rng.IntN(3)], "PATCH")
			}
		}
		p := r.current()
		for range 40 {
			e := p.entries[rng.IntN(len(p.entries))]
			req := &http.Request{Method: []string{"GET", "POST", "DELETE"}[rng.IntN(3)], URL: &url.URL{Path: randomText(rng, e.path)}, Host: "a.b.org:80"}
			if host := e.route.config.host; host != nil && rng.IntN(2) == 0 {
				req.Host = randomText(rng, host)
			}
			for _, quick := range []bool{false, true} {
				var s search
				s.start(req, p)
				s.quick = quick
				got := s.candidates(p)
				tried, named = tried+len(p.entries), named+len(got)
				for i, e := range p.entries {
					one := search{}
					one.start(req, p)
					matches := one.matchEntry(e)
					if (matches || !quick && one.err == ErrMethodMismatch) && !slices.Contains(got, i) {
						path, _ := e.route.GetPathTemplate()
						host, _ := e.route.GetHostTemplate()
						t.Fatalf("%s %s%s matches %s%s, which the index leaves out (quick %v)", req.Method, req.Host, req.URL.Path, host, path, quick)
					}
				}
			}
		}
	}
	if named*4 > tried {
		t.Errorf("%d candidates of %d", named, tried)
	}
}

// TestQuickSearch compares the quick search with the exact one.
func TestQuickSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	quick := 0
	for range 600 {
		r := NewRouter().SkipClean(true)
		fill(rng, r, 2)
		p := r.current()
		for range 20 {
			target := []string{"/a", "/a/b", "/a/b/", "/b/7", "/a/b/c", "/", "/b"}[rng.IntN(7)]
			req := &http.Request{Method: []string{"GET", "POST"}[rng.IntN(2)], URL: &url.URL{Path: target, RawQuery: []string{"", "q=1"}[rng.IntN(2)]}, Host: "h"}
			var fast, exact search
			fast.start(req, p)
			found := fast.find(p)
			if fast.quick {
				quick++
			}
			exact.start(req, p)
			if want := exact.router(p); found != want || fast.leaf != exact.leaf || fast.composed != exact.composed ||
				fast.err != exact.err || (fast.handler == nil) != (exact.handler == nil) || reflect.TypeOf(fast.handler) != reflect.TypeOf(exact.handler) {
				t.Fatalf("%s %s: quick %v %+v, exact %v %+v", req.Method, req.URL, found, fast.state, want, exact.state)
			}
		}
	}
	if quick < 3_000 {
		t.Errorf("only %d quick ones", quick)
	}
}

// fill adds random routes to a router, with subrouters up to a depth.
func fill(rng *rand.Rand, r *Router, depth int) {
	if rng.IntN(8) == 0 {
		r.NotFoundHandler = http.NotFoundHandler()
	}
	if rng.IntN(8) == 0 {
		r.MethodNotAllowedHandler = http.NotFoundHandler()
	}
	for range rng.IntN(6) {
		r.StrictSlash(rng.IntN(4) == 0)
		rt := r.NewRoute()
		if rng.IntN(6) > 0 {
			rt.Handler(http.NotFoundHandler())
		}
		for range 1 + rng.IntN(2) {
			switch rng.IntN(5) {
			case 0, 1:
				rt.Path([]string{"/a", "/{x}", "", "/b/{x:[0-9]+}", "/a/b/"}[rng.IntN(5)])
			case 2:
				rt.PathPrefix([]string{"/a", "/", "/{x}/b"}[rng.IntN(3)])
			case 3:
				rt.Methods([]string{"GET", "POST"}[rng.IntN(2)])
			default:
				rt.Queries("q", []string{"1", "2"}[rng.IntN(2)])
			}
		}
		if depth > 0 && rng.IntN(3) == 0 {
			fill(rng, rt.Subrouter(), depth-1)
			if rng.IntN(4) == 0 {
				rt.Methods("GET")
			}
		}
	}
}
