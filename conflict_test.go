package muxwell

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// How two patterns relate is compared with what it means: all paths over a
// small alphabet are matched against both.

// genPaths returns all lists of up to size segments: inner ones for all but the
// last, final ones for that.
func genPaths[T any](inner, final []T, size int) (paths [][]T) {
	heads := [][]T{nil}
	for range size {
		var longer [][]T
		for _, h := range heads {
			for _, g := range final {
				paths = append(paths, append(slices.Clip(h), g))
			}
			for _, g := range inner {
				longer = append(longer, append(slices.Clip(h), g))
			}
		}
		heads = longer
	}
	return paths
}

var (
	smallInner = []segment{{literal, "a"}, {literal, "b"}, {literal, ".."}, {literal, ""}, {param, "x"}}
	smallFinal = []segment{{literal, "a"}, {literal, "b"}, {literal, ".."}, {param, "y"}, {kind: end}, {rest, "z"}}
)

// relationOf returns the relation of two sets of paths.
func relationOf(p, q []bool) (r relation) {
	for i := range p {
		switch {
		case p[i] && q[i]:
			r |= shared
		case p[i]:
			r |= onlyP
		case q[i]:
			r |= onlyQ
		}
	}
	if r&shared == 0 {
		return disjoint
	}
	return r
}

func (r relation) String() string {
	var b strings.Builder
	for i, name := range []string{"shared", "onlyP", "onlyQ"} {
		if r>>i&1 != 0 {
			b.WriteString(" " + name)
		}
	}
	return cmp.Or(strings.TrimSpace(b.String()), "disjoint")
}

// TestRelatePaths takes every pair of patterns of up to three segments. The
// paths are those of CONNECT, which are not cleaned, so that an empty and a
// dot segment count.
func TestRelatePaths(t *testing.T) {
	patterns := genPaths(smallInner, smallFinal, 3)
	texts := []string{"a", "b", "c", "..", ""}
	paths := genPaths(texts, texts, 4)
	matches := make([][]bool, len(patterns))
	for i, p := range patterns {
		for _, path := range paths {
			_, ok := naivePath(p, path, true)
			matches[i] = append(matches[i], ok)
		}
	}
	counts := make(map[relation]int)
	for i, p := range patterns {
		for j, q := range patterns {
			got, want := relatePaths(p, q), relationOf(matches[i], matches[j])
			if got != want {
				t.Fatalf("relatePaths(%s, %s): got %v, want %v", segsText(p), segsText(q), got, want)
			}
			if equivalent := want == shared; samePath(p, q) != equivalent {
				t.Fatalf("samePath(%s, %s): got %v, but they are %v", segsText(p), segsText(q), !equivalent, want)
			}
			counts[want]++
		}
	}
	for _, r := range []relation{disjoint, shared, shared | onlyP, shared | onlyQ, overlap} {
		if counts[r] < len(patterns) {
			t.Errorf("only %d of %d pairs are %v", counts[r], len(patterns)*len(patterns), r)
		}
	}
}

// TestRelateMethods: a relation of methods, and of methods and paths together,
// is that of the requests.
func TestRelateMethods(t *testing.T) {
	methods, requests := []string{"", "GET", "HEAD", "POST", "get"}, []string{"GET", "HEAD", "POST", "TRACE", "get"}
	patterns := genPaths([]segment{{literal, "a"}, {param, "x"}}, []segment{{literal, "a"}, {param, "y"}, {kind: end}, {kind: rest}}, 2)
	paths := genPaths([]string{"a", "c", ""}, []string{"a", "c", ""}, 3)
	takes := func(method string, p []segment) (taken []bool) {
		rt := &Route{}
		if method != "" {
			rt.methods = []string{method}
		}
		for _, m := range requests {
			for _, path := range paths {
				_, ok := naivePath(p, path, false)
				taken = append(taken, ok && naiveMethod(rt, m) != 0)
			}
		}
		return taken
	}
	for _, pm := range methods {
		for _, qm := range methods {
			all := []segment{{kind: rest}}
			if got, want := relateMethods(pm, qm), relationOf(takes(pm, all), takes(qm, all)); got != want {
				t.Errorf("relateMethods(%q, %q): got %v, want %v", pm, qm, got, want)
			}
			for _, p := range patterns {
				for _, q := range patterns {
					got, want := relateMethods(pm, qm).and(relatePaths(p, q)), relationOf(takes(pm, p), takes(qm, q))
					if got != want {
						t.Fatalf("%q %s and %q %s: got %v, want %v", pm, segsText(p), qm, segsText(q), got, want)
					}
				}
			}
		}
	}
}

// TestWitnessAndDifference: the paths that an error names are what it says of
// them, whatever the parameters are called.
func TestWitnessAndDifference(t *testing.T) {
	names := []string{"x", "a", "b", "..", ".", "a b", "%zz", "é", "?"}
	patterns := genPaths(
		[]segment{{literal, "a"}, {literal, "x"}, {literal, "a/b"}, {literal, ".."}, {literal, "%zz"}, {param, "@"}},
		[]segment{{literal, "a"}, {literal, "a b"}, {literal, "?"}, {param, "@"}, {kind: end}, {rest, "@"}}, 2)
	patterns = append(patterns, genPaths(smallInner, smallFinal, 3)[len(smallFinal):]...)
	src := rand.New(rand.NewPCG(1, 5))
	named := func(segs []segment) []segment {
		segs = slices.Clone(segs)
		for i, g := range segs {
			if g.kind == param || g.kind == rest {
				segs[i].text = pick(src, names...)
			}
		}
		return segs
	}
	hasDots := func(segs []segment) bool {
		return slices.ContainsFunc(segs, func(g segment) bool { return g.kind == literal && isDots(g.text) })
	}
	checked := 0
	for range 100_000 {
		p, q := named(patterns[src.IntN(len(patterns))]), named(patterns[src.IntN(len(patterns))])
		r := relatePaths(p, q)
		if r == disjoint {
			continue
		}
		connect := hasDots(p) || hasDots(q)
		matches := func(segs []segment, path string) bool {
			_, ok := naivePath(segs, strings.Split(path, "/")[1:], connect)
			return ok && strings.HasPrefix(path, "/")
		}
		checked++
		if w := witness(p, q); !matches(p, w) || !matches(q, w) {
			t.Errorf("witness(%s, %s): got %q, which does not match both: %v, %v", segsText(p), segsText(q), w, matches(p, w), matches(q, w))
		}
		if r == overlap || r == shared|onlyP {
			if d := difference(p, q); !matches(p, d) || matches(q, d) {
				t.Errorf("difference(%s, %s): got %q, want a path that only the first matches: %v, %v", segsText(p), segsText(q), d, matches(p, d), matches(q, d))
			}
		}
		if t.Failed() {
			return
		}
	}
	if checked < 5_000 {
		t.Errorf("only %d pairs have a path in common", checked)
	}
}

// TestConflictErrors holds the whole of what the error says, here and there
// being the places of the two registrations.
func TestConflictErrors(t *testing.T) {
	const (
		remove  = ". Remove one of the two"
		wayOut  = ". Make one more specific, or leave out StrictConflicts to let precedence decide"
		neither = ", but neither is more specific:\n"
		fewer   = " has the more general path and fewer methods" + wayOut
		hosts   = " Hosts are compared without case, final dot and brackets. Remove one of the two"
		lists   = " A method list stands for one route a method. Remove one of the two"
		slash   = " A trailing slash is a catch-all, and names do not tell patterns apart. Remove one of the two"
		names   = " Names of parameters and escapes do not tell patterns apart. Remove one of the two"
		blanks  = " Blanks do not count. Remove one of the two"
	)
	for _, row := range []struct {
		first, second string
		path, reason  string
	}{
		// Duplicates.
		{"/a", "/a", "/a", `both match the same requests like "/a"` + remove},
		{"GET /a", "GET /a", "/a", `both match the same GET requests like "/a"` + remove},
		{"GET h/a/{x}", "GET h/a/{x}", "/a/x", `both match the same GET requests like "h/a/x"` + remove},
		{"GET,POST /a", "POST /a", "/a", `both match the same POST requests like "/a".` + lists},
		{"GET,POST /a", "PUT,POST,GET /a", "/a", `both match the same POST requests like "/a".` + lists},
		{"GET /a", "GET  /a", "/a", `both match the same GET requests like "/a".` + blanks},
		{"GET /a", "GET\t/a", "/a", `both match the same GET requests like "/a".` + blanks},
		{"GET,PUT /a", "GET,PUT \t/a", "/a", `both match the same GET requests like "/a".` + blanks},
		{"/a", " \t/a", "/a", `both match the same requests like "/a".` + blanks},
		{"/a/{x}", "/a/{y}", "/a/x", `both match the same requests like "/a/x".` + names},
		{"/{a b}/{$}", "/{..}/{$}", "/a%20b/", `both match the same requests like "/a%20b/".` + names},
		{"/a", "/%61", "/a", `both match the same requests like "/a".` + names},
		{"/a%2fb", "/a%2Fb", "/a%2Fb", `both match the same requests like "/a%2Fb".` + names},
		{"/%zz", "/%25zz", "/%25zz", `both match the same requests like "/%25zz".` + names},
		{"/a/", "/a/{x...}", "/a/", `both match the same requests like "/a/".` + slash},
		{"/a/{y...}", "/a/{x...}", "/a/", `both match the same requests like "/a/".` + slash},
		{"h/", "H./", "/", `both match the same requests like "h/".` + hosts},
		{"[::1]/a", "::1/a", "/a", `both match the same requests like "::1/a".` + hosts},
		{"GET Example.com:80/{x}", "GET example.COM.:80/{y}", "/x", `both match the same GET requests like "example.com:80/x".` + hosts},
		{"//a", "//%61", "//a", `both match the same requests like "//a".` + names},

		// Overlaps, which only StrictConflicts refuses. The error is that of
		// the second pattern, which comes first in it.
		{"/a/{x}", "/{y}/b", "/a/b", `both match "/a/b"` + neither + `/{y}/b also matches "/y/b", which the other does not;` + "\n" + `/a/{x} also matches "/a/x", which the other does not` + wayOut},
		{"/{y}/b", "/a/{x}", "/a/b", `both match "/a/b"` + neither + `/a/{x} also matches "/a/x", which the other does not;` + "\n" + `/{y}/b also matches "/y/b", which the other does not` + wayOut},
		{"/a/{b}", "/{a}/b", "/a/b", `both match "/a/b"` + neither + `/{a}/b also matches "/ax/b", which the other does not;` + "\n" + `/a/{b} also matches "/a/bx", which the other does not` + wayOut},
		{"/{x}/{y...}", "/a/b/{z...}", "", ""},
		{"/{x}/b/", "/a/{y...}", "/a/b/", `both match "/a/b/"` + neither + `/a/{y...} also matches "/a/", which the other does not;` + "\n" + `/{x}/b/ also matches "/x/b/", which the other does not` + wayOut},
		{"/{x}/{$}", "/a/", "/a/", `both match "/a/"` + neither + `/a/ also matches "/a/x", which the other does not;` + "\n" + `/{x}/{$} also matches "/x/", which the other does not` + wayOut},
		{"GET /a/{x}", "GET,POST /{y}/b", "/a/b", `both match "/a/b"` + neither + `GET,POST /{y}/b also matches "/y/b", which the other does not;` + "\n" + `GET /a/{x} also matches "/a/x", which the other does not` + wayOut},
		{"GET /{x}", "/a", "/a", `both match "/a", but GET /{x}` + fewer},
		{"/a", "GET /{x}", "/a", `both match "/a", but GET /{x}` + fewer},
		{"HEAD /", "GET /a", "/a", `both match "/a", but HEAD /` + fewer},
		{"POST,HEAD /{x...}", "GET,PUT /a", "/a", `both match "/a", but POST,HEAD /{x...}` + fewer},
		{"h/a/{x}", "H/{y}/b", "/a/b", `both match "/a/b"` + neither + `H/{y}/b also matches "/y/b", which the other does not;` + "\n" + `h/a/{x} also matches "/a/x", which the other does not` + wayOut},
		{"/{..}/b", "/a/{.}", "/a/b", `both match "/a/b"` + neither + `/a/{.} also matches "/a/x", which the other does not;` + "\n" + `/{..}/b also matches "/x/b", which the other does not` + wayOut},
	} {
		m := New(StrictConflicts())
		m.HandleFunc(row.first, ok)
		rt, err := m.Add(row.second, http.HandlerFunc(ok))
		if row.reason == "" {
			if err != nil {
				t.Errorf("%q beside %q: got error %v, want none", row.second, row.first, err)
			}
			continue
		}
		var e *ConflictError
		if !errors.As(err, &e) || rt != nil {
			t.Errorf("%q beside %q: got route %v, error %v, want a *ConflictError", row.second, row.first, rt, err)
			continue
		}
		if e.Pattern != row.second || e.Other != row.first || e.Path != row.path || e.Reason != row.reason {
			t.Errorf("%q beside %q: got path %q, reason\n%s\nwant %q,\n%s", row.second, row.first, e.Path, e.Reason, row.path, row.reason)
		}
		text := strings.NewReplacer("registered at "+e.Source, "here", "registered at "+e.OtherSource, "there").Replace(e.Error())
		want := fmt.Sprintf("muxwell: pattern %q (here) conflicts with pattern %q (there):\n%s", row.second, row.first, row.reason)
		if text != want {
			t.Errorf("%q beside %q: got error\n%s\nwant\n%s", row.second, row.first, text, want)
		}
		if strings.Contains(row.reason, "StrictConflicts") {
			m = New()
			m.HandleFunc(row.first, ok)
			if _, err := m.Add(row.second, http.HandlerFunc(ok)); err != nil {
				t.Errorf("%q beside %q without StrictConflicts: got error %v, want none", row.second, row.first, err)
			}
		}
	}
}

// TestDuplicates: each row's patterns are duplicates of each other or all
// different, with and without StrictConflicts.
func TestDuplicates(t *testing.T) {
	for _, row := range []struct {
		duplicates bool
		patterns   []string
	}{
		{true, []string{"/a/{x}", "/a/{y}", "/%61/{enterprise-team}", "/a/{日本}"}},
		{true, []string{"/a/", "/a/{x...}", "/a/{y...}", "/%61/"}},
		{true, []string{"/{x}/{$}", "/{y}/{$}"}},
		{true, []string{"GET /a", "GET,POST /a", "PUT,GET /a", "HEAD,GET\t/a"}},
		{true, []string{"h/", "H/", "h./", "H./{x...}"}},
		{true, []string{"[::1]:80/", "[::1]:80/{x...}"}},
		{true, []string{"[::A]/x", "::a/x", "::A/%78"}},
		{true, []string{"/a%2Fb", "/a%2fb", "/%61%2f%62"}},
		{true, []string{"/+", "/%2B", "/%2b"}},
		{true, []string{"/%", "/%25"}},
		{true, []string{"/a//b", "/%61//b"}},
		{true, []string{"M-SEARCH /a", "X,M-SEARCH /a"}},
		{false, []string{"GET /a", "HEAD /a", "/a", "POST /a", "get /a"}},
		{false, []string{"GET /{x}/", "/{y}/", "HEAD,PUT /{z}/"}},
		{false, []string{"/a", "/a/", "/a/{$}", "/a/{x}", "/A"}},
		{false, []string{"/a/b", "/a%2Fb", "/a%252Fb"}},
		{false, []string{"/a", "h/a", "g/a", "h:80/a", "h:81/a"}},
		{false, []string{"::1/a", "[::1]:80/a", "[::2]/a"}},
		{false, []string{"/a/b", "/a//b", "/a/./b", "/a/../b"}},
		{false, []string{"/{x}", "/{x}/{y}", "/{x}/{y}/{z}", "/"}},
	} {
		for _, options := range [][]Option{nil, {StrictConflicts()}} {
			for i, first := range row.patterns {
				for _, second := range slices.Concat(row.patterns[:i], row.patterns[i+1:]) {
					m := New(options...)
					m.HandleFunc(first, ok)
					_, err := m.Add(second, http.HandlerFunc(ok))
					var e *ConflictError
					if errors.As(err, &e) != row.duplicates {
						t.Errorf("%q beside %q, %d options: got error %v, want a duplicate: %v", second, first, len(options), err, row.duplicates)
					}
				}
			}
			m := New(options...)
			for _, pattern := range row.patterns {
				if _, err := m.Add(pattern, http.HandlerFunc(ok)); err != nil && !row.duplicates {
					t.Errorf("%q beside all of %q, %d options: got error %v, want none", pattern, row.patterns, len(options), err)
				}
			}
		}
	}
}

// TestGeneratedDuplicates compares the search by hash with the comparison of
// every pair.
func TestGeneratedDuplicates(t *testing.T) {
	duplicates := 0
	for seed := uint64(1); seed <= 60; seed++ {
		src := rand.New(rand.NewPCG(seed, 6))
		m := New()
		var routes []*Route
		for range 120 {
			pattern := genPattern(src, genMethods, []string{"", "", "h", "H."})
			p, err := parsePattern(pattern, false)
			if err != nil {
				t.Fatal(err)
			}
			var want *Route // the last one that says the same
			for _, q := range routes {
				if _, common := commonMethod(p, &q.pattern); common && p.host == q.host && relatePaths(p.segs, q.segs) == shared {
					want = q
				}
			}
			rt, err := m.Add(pattern, http.HandlerFunc(ok))
			if err == nil {
				routes = append(routes, rt)
			} else {
				duplicates++
			}
			var e *ConflictError
			if errors.As(err, &e) != (want != nil) || want != nil && (e.Other != want.str || e.OtherSource != want.Source()) {
				t.Fatalf("%q beside %v: got error %v, want the conflict with %v", pattern, routes, err, want)
			}
		}
	}
	if duplicates < 500 {
		t.Errorf("only %d duplicates", duplicates)
	}
}

// TestOverlapsAreFound: the index leaves no route out that may overlap with a
// new one.
func TestOverlapsAreFound(t *testing.T) {
	overlapping, looked := 0, 0
	for seed := uint64(1); seed <= 40; seed++ {
		src := rand.New(rand.NewPCG(seed, 7))
		var m Mux
		var routes []*Route
		for range 100 {
			pattern := genPattern(src, genMethods, []string{"", "", "h"})
			if src.IntN(10) == 0 && !strings.Contains(pattern, " ") && !strings.Contains(pattern, "$") && !strings.Contains(pattern, "...}") {
				pattern += pick(src, "//a", "/../{v}", "//")
			}
			p, err := parsePattern(pattern, false)
			if err != nil {
				t.Fatal(err)
			}
			rt := &Route{pattern: *p}
			var found []*Route
			if o := m.overlaps[rt.host]; o != nil {
				found = slices.Concat(o.candidates(rt)...)
			}
			looked += len(found)
			var clash *Route
			for _, q := range routes {
				if q.host != rt.host || relatePaths(q.segs, rt.segs) == disjoint {
					continue
				}
				overlapping++
				if !slices.Contains(found, q) {
					t.Fatalf("%v is not looked at for %v, though both match %s", q, rt, witness(q.segs, rt.segs))
				}
				if ambiguous(rt, q) != nil {
					clash = q
				}
			}
			if err := m.checkOverlaps(rt); (err != nil) != (clash != nil) {
				t.Fatalf("%v: got %v, want a conflict with %v", rt, err, clash)
			}
			m.noteOverlaps(rt)
			routes = append(routes, rt)
		}
	}
	if overlapping < 5_000 || looked > 40*100*100/2 {
		t.Errorf("%d routes overlap, %d were looked at", overlapping, looked)
	}
}

// here returns the place of its caller as a Route has it.
func here() string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d", file, line)
}

// TestSource: a route knows the line on which it was registered, whichever
// function did it.
func TestSource(t *testing.T) {
	m := New()
	value := func(http.ResponseWriter, *http.Request, Params) {}
	method, embedded := m.HandleFunc, struct{ *Mux }{m}
	var registrar interface {
		HandleFunc(string, func(http.ResponseWriter, *http.Request))
	} = m
	for name, register := range map[string]func() string{
		"Handle":       func() string { m.Handle("/Handle", http.HandlerFunc(ok)); return here() },
		"HandleFunc":   func() string { m.HandleFunc("/HandleFunc", ok); return here() },
		"HandleParams": func() string { m.HandleParams("/HandleParams", value); return here() },
		"Add":          func() string { m.Add("/Add", http.HandlerFunc(ok)); return here() },
		"AddParams":    func() string { m.AddParams("/AddParams", value); return here() },
		"Get":          func() string { m.Get("/Get", ok); return here() },
		"Head":         func() string { m.Head("/Head", ok); return here() },
		"Post":         func() string { m.Post("/Post", ok); return here() },
		"Put":          func() string { m.Put("/Put", ok); return here() },
		"Patch":        func() string { m.Patch("/Patch", ok); return here() },
		"Delete":       func() string { m.Delete("/Delete", ok); return here() },
		"Connect":      func() string { m.Connect("/Connect", ok); return here() },
		"Options":      func() string { m.Options("/Options", ok); return here() },
		"Trace":        func() string { m.Trace("/Trace", ok); return here() },
		"Query":        func() string { m.Query("/Query", ok); return here() },
		"a method":     func() string { method("/a method", ok); return here() },
		"embedded":     func() string { embedded.HandleFunc("/embedded", ok); return here() },
		"an interface": func() string { registrar.HandleFunc("/an interface", ok); return here() },
		"deferred":     func() string { func() { defer m.Get("/deferred", ok) }(); return here() },
	} {
		want := register()
		got := "no route"
		for rt := range m.Routes() {
			if rt.Path() == "/"+name {
				got = rt.Source()
			}
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		if file, _, _ := strings.Cut(filepath.Base(got), ":"); file != "conflict_test.go" {
			t.Errorf("%s: got file %s, want conflict_test.go", name, file)
		}
	}
	_, err := m.Add("GET /Get", http.HandlerFunc(ok))
	want := here()
	var e *ConflictError
	if errors.As(err, &e); e == nil || !sameLine(e.Source, want, -1) {
		t.Errorf("a duplicate: got %+v, want one from the line before %s", e, want)
	}
	if got := new(Route).Source(); got != "unknown location" {
		t.Errorf("a route without a place: got %q, want unknown location", got)
	}
}

// sameLine reports whether a place is so many lines behind another.
func sameLine(place, other string, behind int) bool {
	var line int
	file, number, _ := strings.Cut(filepath.Base(other), ":")
	fmt.Sscan(number, &line)
	return filepath.Base(place) == fmt.Sprintf("%s:%d", file, line+behind)
}

// TestFailedRegistration: a registration that fails leaves the mux as it was.
func TestFailedRegistration(t *testing.T) {
	h := http.HandlerFunc(ok)
	for _, options := range [][]Option{nil, {StrictConflicts()}} {
		m := New(options...)
		for _, pattern := range []string{"GET /a/{x}", "h/a/", "GET,POST /list", "/b/{y}/c"} {
			m.Handle(pattern, h)
		}
		if _, err := m.Add("/named", h, Name("taken"), Meta("k", "v")); err != nil {
			t.Fatal(err)
		}
		before, live := stateOf(m), m.publish()
		fails := map[string]func() error{
			"a bad pattern":           func() error { _, err := m.Add("/new/{", h, Name("new")); return err },
			"a bad pattern for Get":   func() error { return recovered(func() { m.Get("GET /new", ok) }).(error) },
			"an unclean path":         func() error { return recovered(func() { m.Get("/new//{z}", ok) }).(error) },
			"no handler":              func() error { _, err := m.Add("/new", nil, Name("new")); return err },
			"no value handler":        func() error { _, err := m.AddParams("/new/{z}", nil); return err },
			"a duplicate":             func() error { _, err := m.Add("GET /%61/{other}", h, Name("new")); return err },
			"a duplicate of a list":   func() error { _, err := m.Add("PUT,POST /list", h); return err },
			"a duplicate with a host": func() error { _, err := m.Add("H./a/{other...}", h); return err },
			"a duplicate's panic":     func() error { return recovered(func() { m.HandleFunc("/named", ok) }).(error) },
			"a name that is taken":    func() error { _, err := m.Add("/new/{z}", h, Name("taken")); return err },
			"an empty name":           func() error { _, err := m.Add("/new/{z}", h, Name("")); return err },
			"an empty name, later":    func() error { _, err := m.Add("/new/{z}", h, Name("new"), Name("")); return err },
		}
		if options != nil {
			fails["an overlap"] = func() error { _, err := m.Add("/{z}/1/c", h, Name("new")); return err }
			fails["an overlap by method"] = func() error { _, err := m.Add("PUT /{z}", h, Name("new")); return err }
		}
		for what, fail := range fails {
			if err := fail(); err == nil {
				t.Errorf("%s, %d options: got no error", what, len(options))
			}
			if got := stateOf(m); got != before {
				t.Errorf("%s, %d options: the mux is now\n%s\nwas\n%s", what, len(options), got, before)
			}
			if m.live.Load() != live {
				t.Errorf("%s, %d options: the tables are to be built again", what, len(options))
			}
		}
		if _, err := m.Add("PUT /new/{z}", h, Name("new")); err != nil {
			t.Errorf("a registration after those that failed, %d options: got error %v", len(options), err)
		}
		if stateOf(m) == before || m.live.Load() != nil {
			t.Errorf("a registration, %d options: the mux is as it was", len(options))
		}
	}
}

// stateOf returns all that a registration may change in a mux.
func stateOf(m *Mux) string {
	var b strings.Builder
	for _, rt := range m.routes {
		fmt.Fprintf(&b, "%p %d %s %q %v %p %p\n", rt, rt.index, rt, rt.name, rt.meta, rt.params, rt.next)
	}
	for _, host := range slices.Sorted(maps.Keys(m.overlaps)) {
		o, filed := m.overlaps[host], 0
		for _, routes := range o.at {
			filed += len(routes)
		}
		fmt.Fprintf(&b, "overlaps of %q: %d, %d, %d\n", host, len(o.all), len(o.catchAlls), filed)
	}
	fmt.Fprintln(&b, len(m.shapes), slices.Sorted(maps.Keys(m.named)), slices.Sorted(maps.Keys(m.lists)))
	return b.String()
}

// TestNameErrors holds what the error about a name says.
func TestNameErrors(t *testing.T) {
	m := New()
	first, err := m.Add("GET /a", http.HandlerFunc(ok), Name("n"))
	if err != nil || first.Name() != "n" {
		t.Fatalf("got route %v, error %v", first, err)
	}
	for _, row := range []struct {
		name, want string
	}{
		{"", `muxwell: pattern "/b": name "": a name is not empty; leave out Name`},
		{"n", `muxwell: pattern "/b": name "n": pattern "GET /a", registered at ` + first.Source() + `, has it already; choose another`},
	} {
		_, err := m.Add("/b", http.HandlerFunc(ok), Name(row.name))
		var e *NameError
		if !errors.As(err, &e) || e.Name != row.name || e.Pattern != "/b" || e.Error() != row.want {
			t.Errorf("Name(%q): got error\n%v\nwant\n%s", row.name, err, row.want)
		}
	}
	for _, name := range []string{"N", "n ", " ", "\x00name", "日本", strings.Repeat("n", 1000)} {
		if rt, err := m.Add("/b/"+fmt.Sprint(len(m.routes)), http.HandlerFunc(ok), Name(name)); err != nil || rt.Name() != name {
			t.Errorf("Name(%.20q): got route %v, error %v", name, rt, err)
		}
	}
	for rt := range m.Routes() {
		if len(rt.meta) != 0 {
			t.Errorf("%v: %v is attached to a route without Meta", rt, rt.meta)
		}
	}
}
