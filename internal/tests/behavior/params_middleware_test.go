package behavior

import (
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/long"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
	"github.com/muxwell/muxwell/internal/tests/random"
)

// layoutPatterns have values in every form that a layout has.
var layoutPatterns = []string{
	"/{a}", "/x/{a}", "/{a}/x", "/x/{a}/y/{b}", "/{a}/{b}/{c}", "/x/{a}/{b}/y/z/{c}", "/{a}/x/{b}/{c}/{d}/{e}",
	"/x/{a...}", "/{a}/{b...}", "/{a}/{b}/{c...}", "/x/{a}/y/", "/{a}.{b}", "/{a...}/x/{b}", "{a}.h/x/{b}", "/x",
	"/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx/{a}/{b}/{c}",
}

// layoutSegments are what paths are made of.
var layoutSegments = []string{"x", "y", "z", "v", "vv", "x.y", "%2F", "a%20b", "h"}

// fill returns a path that a pattern matches.
func fill(src random.Source, pattern string) string {
	_, path, _ := strings.Cut(pattern, "/")
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if strings.HasPrefix(s, "{") {
			segments[i] = random.Pick(src, layoutSegments...)
			if strings.Contains(s, "...") && src.IntN(2) == 0 {
				segments[i] += "/" + random.Pick(src, layoutSegments...)
			}
			if s == "{a}.{b}" {
				segments[i] = "v." + random.Pick(src, "v", "x.y")
			}
		}
	}
	return "/" + strings.Join(segments, "/")
}

// somePath returns a path that has nothing to do with a pattern.
func somePath(src random.Source) string {
	var b strings.Builder
	for range src.IntN(6) {
		b.WriteString(random.Pick(src, "/", "", "/") + random.Pick(src, layoutSegments...))
	}
	return b.String()
}

// change returns a request that middleware passes on in place of r.
func change(src random.Source, r *http.Request, names []string) *http.Request {
	for range src.IntN(4) {
		switch src.IntN(9) {
		case 0:
			r = r.Clone(r.Context())
		case 1:
			r = r.WithContext(r.Context())
		case 2:
			u := *r.URL
			r.URL, u.Path, u.RawPath = &u, somePath(src), ""
		case 3:
			u := *r.URL
			r.URL, u.Path = &u, strings.TrimSuffix(r.URL.Path, "/"+random.Pick(src, layoutSegments...))
		case 8: // a slash more or less, or elsewhere
			if path := []byte(r.URL.Path); len(path) > 0 {
				at := src.IntN(len(path))
				if at > 0 && src.IntN(2) == 0 {
					path[at-1], path[at] = path[at], path[at-1]
				} else {
					path[at] = random.Pick(src, "/", "x")[0]
				}
				r.URL = &url.URL{Path: string(path)}
			}
		case 4:
			if len(names) > 0 {
				r.SetPathValue(names[src.IntN(len(names))], random.Pick(src, "", "v", "new", "x/y"))
			}
		case 5:
			if n := len(r.URL.Path); len(names) > 0 && n > 0 {
				at := src.IntN(n)
				r.SetPathValue(names[src.IntN(len(names))], r.URL.Path[at:at+src.IntN(n-at+1)])
			}
		case 6:
			r.SetPathValue("other", "v")
		case 7:
			r.URL = &url.URL{Path: r.URL.Path, RawPath: random.Pick(src, "", r.URL.RawPath, "/%2F")}
		}
	}
	return r
}

// compareBehindMiddleware sends a request through middleware that changes it. The
// handler's Params are what r.PathValue returns in the request that it is given.
func compareBehindMiddleware(t *testing.T, src random.Source) {
	t.Helper()
	pattern := random.Pick(src, layoutPatterns...)
	m, served := muxwell.New(), false
	var names []string
	m.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, change(src, r, names)) })
	})
	rt := m.HandleParams(pattern, func(_ http.ResponseWriter, r *http.Request, p muxwell.Params) {
		served = true
		var all []string
		for name, value := range p.All() {
			all = append(all, name, value)
		}
		for i, name := range names {
			want := r.PathValue(name)
			if got := []string{p.Get(name), p.At(i), all[2*i+1]}; slices.ContainsFunc(got, func(s string) bool { return s != want }) || all[2*i] != name || p.Name(i) != name {
				t.Errorf("%s, then %q: Get, At and All of %s are %q, PathValue is %q", pattern, r.URL.Path, name, got, want)
			}
		}
		if p.Len() != len(names) || len(all) != 2*len(names) {
			t.Errorf("%s: %d parameters, want %d", pattern, p.Len(), len(names))
		}
	})
	names = rt.ParamNames()
	r := muxtest.NewRequest("GET", fill(src, pattern))
	r.Host = "v.h"
	m.ServeHTTP(muxtest.NewWriter(), r)
	if path := r.URL.EscapedPath(); !served && !strings.Contains(path, "%") {
		t.Errorf("%s does not match %s", pattern, path)
	}
}

// TestParamsWithoutURL: a request that a program made needs no URL for its values.
func TestParamsWithoutURL(t *testing.T) {
	m := muxwell.New()
	var got string
	m.HandleParams("/x/{a}", func(_ http.ResponseWriter, _ *http.Request, p muxwell.Params) { got = p.Get("a") })
	h, _ := m.Handler(muxtest.NewRequest("GET", "/x/1"))
	r := new(http.Request)
	r.SetPathValue("a", "2")
	if h.ServeHTTP(muxtest.NewWriter(), r); got != "2" {
		t.Errorf("got %q, want the value that was set, 2", got)
	}
}

// TestParamsBehindMiddleware: whatever middleware makes of a request, Params are what
// r.PathValue returns.
func TestParamsBehindMiddleware(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 19))
	for range long.Rounds(t, "requests", 20_000, 100_000, 1_000_000) {
		if compareBehindMiddleware(t, src); t.Failed() {
			return
		}
	}
}

func FuzzParamsBehindMiddleware(f *testing.F) {
	f.Add([]byte("a pattern, a request and what middleware makes of it"))
	f.Fuzz(func(t *testing.T, data []byte) { compareBehindMiddleware(t, &random.Bytes{Data: data}) })
}
