package muxwell

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/overlap"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
	"github.com/muxwell/muxwell/internal/tests/random"
	"github.com/muxwell/muxwell/internal/urlpath"
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
	smallInner = []pattern.Segment{{Kind: pattern.Literal, Text: "a"}, {Kind: pattern.Literal, Text: "b"}, {Kind: pattern.Literal, Text: ".."}, {Kind: pattern.Literal, Text: ""}, {Kind: pattern.Param, Text: "x"}}
	smallFinal = []pattern.Segment{{Kind: pattern.Literal, Text: "a"}, {Kind: pattern.Literal, Text: "b"}, {Kind: pattern.Literal, Text: ".."}, {Kind: pattern.Param, Text: "y"}, {Kind: pattern.Dollar}, {Kind: pattern.CatchAll, Text: "z"}}
)

// relationOf returns the relation of two sets of paths.
func relationOf(p, q []bool) (r overlap.Relation) {
	for i := range p {
		switch {
		case p[i] && q[i]:
			r |= overlap.Shared
		case p[i]:
			r |= overlap.OnlyP
		case q[i]:
			r |= overlap.OnlyQ
		}
	}
	if r&overlap.Shared == 0 {
		return overlap.Disjoint
	}
	return r
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
	counts := make(map[overlap.Relation]int)
	for i, p := range patterns {
		for j, q := range patterns {
			got, want := overlap.Paths(p, q), relationOf(matches[i], matches[j])
			if got != want {
				t.Fatalf("relatePaths(%s, %s): got %v, want %v", segsText(p), segsText(q), got, want)
			}
			if equivalent := want == overlap.Shared; pattern.SamePath(p, q) != equivalent {
				t.Fatalf("samePath(%s, %s): got %v, but they are %v", segsText(p), segsText(q), !equivalent, want)
			}
			counts[want]++
		}
	}
	for _, r := range []overlap.Relation{overlap.Disjoint, overlap.Shared, overlap.Shared | overlap.OnlyP, overlap.Shared | overlap.OnlyQ, overlap.Partial} {
		if counts[r] < len(patterns) {
			t.Errorf("only %d of %d pairs are %v", counts[r], len(patterns)*len(patterns), r)
		}
	}
}

// wholeSegments are segments of each kind, and wholeTexts texts of which some
// tell any two of them apart.
var (
	wholeSegments = []string{
		"a", "b", "ab", "a.b", "{@}", "{@:int}", "{@:uint}", "{@:[ab]+}", "{@:(?s)a.*}", "{@:a[.]b|x}",
		"a{@}", "{@}b", "a{@}b", "a{@:[ab]}", "{@}.{@}", "{@}.{@:[ab]+}", "{@}:c", "{@}:d", "{@...}",
	}
	wholeTexts = []string{"a", "b", "ab", "aa", "a.b", "1.1", "a.1", "-1", "1", "1b", "a1", "x", "a1b", "a:c", "1:c", "a:d", "1:d", "a.a", "a.b:c", "a.b:d", "1.a", "1.b", "aab", "bb"}
)

// parsed returns the segments of a pattern, in which each "{@" is given a name
// of its own, or nil if it is none.
func parsed(text string) (segs []pattern.Segment) {
	for i := 0; strings.Contains(text, "{@"); i++ {
		text = strings.Replace(text, "{@", "{"+string(rune('k'+i)), 1)
	}
	p, err := parse(text, pattern.Rules{Constraints: map[string]func(string) bool{"even": isEven, "never": isNever}})
	if err != nil {
		if !strings.Contains(err.Error(), "catch-all") { // a second one, of those that are generated
			panic(err)
		}
		return nil
	}
	return p.Segments
}

func isEven(v string) bool  { return len(v)%2 == 0 }
func isNever(v string) bool { return len(v) > 10_000 }

// A naiveRelation relates paths by what they match of a number of texts.
type naiveRelation struct {
	texts []string
	taken map[naiveKey][]bool // which of the texts a segment takes
}

type naiveKey struct {
	kind       pattern.Kind
	text, form string
}

// Matches reports whether a segment that is no catch-all takes text i; the empty
// text is behind the last one.
func (n *naiveRelation) takes(g pattern.Segment, i int) bool {
	if i == len(n.texts) {
		return g.Kind == pattern.Dollar
	}
	key := naiveKey{kind: g.Kind}
	if g.Kind == pattern.Literal {
		key.text = g.Text
	}
	if g.Matcher != nil {
		key.form = g.Matcher.Key
	}
	if n.taken[key] == nil {
		for _, text := range n.texts {
			_, ok := naivePath([]pattern.Segment{g}, []string{text}, false)
			n.taken[key] = append(n.taken[key], ok)
		}
	}
	return n.taken[key][i]
}

// Matches reports whether segs match a path of texts.
func (n *naiveRelation) matches(segs []pattern.Segment, path []int) bool {
	for i, g := range segs {
		switch {
		case g.Kind == pattern.CatchAll:
			return len(path) > i
		case len(path) <= i:
			return false
		case g.Kind == pattern.InnerCatchAll:
			return len(path) >= len(segs) && n.matches(segs[i+1:], path[len(path)-len(segs)+i+1:])
		case !n.takes(g, path[i]):
			return false
		}
	}
	return len(path) == len(segs)
}

// segments returns what the order says of two segments at the same place: as
// relationOf, but segments of which none is known to be the more specific one
// overlap.
func (n *naiveRelation) segments(g, h pattern.Segment) overlap.Relation {
	var p, q []bool
	for i := range n.texts {
		p, q = append(p, n.takes(g, i)), append(q, n.takes(h, i))
	}
	r := relationOf(p, q)
	if g.Matcher == nil || h.Matcher == nil || g.Same(h) || r == overlap.Disjoint {
		return r
	}
	rt, st := &Route{pattern: pattern.Pattern{Segments: []pattern.Segment{g}}}, &Route{pattern: pattern.Pattern{Segments: []pattern.Segment{h}}}
	first := naiveCompare([]*Route{rt, st}, rt, st, "GET")
	rank := naiveCompare([]*Route{st, rt}, rt, st, "GET")
	if first == rank && (first < 0 && r == overlap.Shared|overlap.OnlyQ || first > 0 && r == overlap.Shared|overlap.OnlyP) {
		return r
	}
	return overlap.Partial
}

// at returns the segment of segs that takes segment i of a path of n, or a
// parameter for a catch-all and for a path of another length.
func at(segs []pattern.Segment, i, n int) pattern.Segment {
	switch c := pattern.CatchAllAt(segs); {
	case (c < 0 || i < c) && i < len(segs):
		return segs[i]
	case c >= 0 && segs[c].Kind == pattern.InnerCatchAll && i > c+n-len(segs):
		return segs[i-n+len(segs)]
	}
	return pattern.Segment{Kind: pattern.Param}
}

// paths returns paths of up to size segments: for each segment a text of each
// kind that there is, by whether p and whether q takes it there.
func (n *naiveRelation) paths(p, q []pattern.Segment, size int) (paths [][]int) {
	for length := 1; length <= size; length++ {
		longer := [][]int{nil}
		for i := range length {
			var texts []int
			var kinds [4]bool
			g, h := at(p, i, length), at(q, i, length)
			for text := range n.texts {
				kind := 0
				if n.takes(g, text) {
					kind++
				}
				if n.takes(h, text) {
					kind += 2
				}
				if !kinds[kind] {
					kinds[kind] = true
					texts = append(texts, text)
				}
			}
			if i == length-1 {
				texts = append(texts, len(n.texts))
			}
			heads := longer
			longer = nil
			for _, head := range heads {
				for _, text := range texts {
					longer = append(longer, append(slices.Clip(head), text))
				}
			}
		}
		paths = append(paths, longer...)
	}
	return paths
}

// TestRelateWholeLanguage compares relations with those that the paths of a few
// texts show. They are the same but for segments of which none is known to be
// the more specific: these overlap, whether or not one takes all that the other
// does. Where a path is in common, witness finds one; where one matches more,
// difference does.
func TestRelateWholeLanguage(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 11))
	generated := func() (text string, segs []pattern.Segment) {
		for segs == nil {
			text = ""
			for n := 1 + src.IntN(3); n > 1; n-- {
				text += "/" + random.Pick(src, append(wholeSegments, "{@...}", "{@...}")...)
			}
			text += "/" + random.Pick(src, append(wholeSegments, "{$}", "")...)
			segs = parsed(text)
		}
		return text, segs
	}
	naive := &naiveRelation{wholeTexts, make(map[naiveKey][]bool)}
	pairs, rivals, counts := 10_000, 0, make(map[overlap.Relation]int)
	if raceEnabled || testing.Short() {
		pairs = 2_000
	}
	for range pairs {
		pText, p := generated()
		qText, q := generated()
		paths := naive.paths(p, q, 5)
		var inP, inQ []bool
		ruled := true
		for _, path := range paths {
			inP, inQ = append(inP, naive.matches(p, path)), append(inQ, naive.matches(q, path))
			if !inP[len(inP)-1] || !inQ[len(inQ)-1] {
				continue
			}
			for i := range path {
				if g, h := at(p, i, len(path)), at(q, i, len(path)); g.Matcher != nil && h.Matcher != nil && naive.segments(g, h) == overlap.Partial {
					ruled = false
				}
			}
		}
		seen := relationOf(inP, inQ)
		got, want := overlap.Paths(p, q), seen
		if !ruled {
			want = overlap.Partial
			rivals++
		}
		if got != want {
			t.Fatalf("relatePaths(%s, %s): got %v, want %v; the paths show %v", pText, qText, got, want, seen)
		}
		counts[got]++
		if got == overlap.Disjoint {
			continue
		}
		match := func(segs []pattern.Segment, path string) bool {
			_, ok := naivePath(segs, strings.Split(path, "/")[1:], false)
			return ok
		}
		if w, ok := overlap.Common(p, q); !ok || !match(p, w) || !match(q, w) {
			t.Fatalf("witness(%s, %s): got %q, %v, which does not match both: %v, %v", pText, qText, w, ok, match(p, w), match(q, w))
		}
		if d, ok := overlap.Difference(p, q); ok != (seen&overlap.OnlyP != 0) || ok && (!match(p, d) || match(q, d)) {
			t.Fatalf("difference(%s, %s): got %q, %v; matched: %v, %v; the paths show %v", pText, qText, d, ok, match(p, d), match(q, d), seen)
		}
	}
	for _, r := range []overlap.Relation{overlap.Disjoint, overlap.Shared, overlap.Shared | overlap.OnlyP, overlap.Shared | overlap.OnlyQ, overlap.Partial} {
		if counts[r] < pairs/200 {
			t.Errorf("only %d of %d pairs are %v", counts[r], pairs, r)
		}
	}
	if rivals < pairs/100 {
		t.Errorf("only %d of %d pairs overlap for want of a rule", rivals, pairs)
	}
}

// TestRelateUnknown: what the relation of constraints is that are functions, or
// take the empty text where there can be none. It may be an overlap too many,
// and never lacks a part that the texts show; a witness that is said to be
// known is one.
func TestRelateUnknown(t *testing.T) {
	segments := append(slices.Clip(wholeSegments), "{@:even}", "{@:never}", "a{@:even}", "b{@:even}", "a{@:never}", "{@:even}b", "{@:a*}b", "b{@:c?}c", "bb{@:c*}c", "b{@:b*}c", "{@:.*}", "a{@:.*}", `{@:\pL+}`, `{@:^\b[a-z]+$}`)
	texts := append(slices.Clip(wholeTexts), "bb", "bbc", "bbcc", "abbc", "bc", "bcc", "-a", "x-a", "b1", "b12", "a12", "é", "b\n")
	naive := &naiveRelation{texts, make(map[naiveKey][]bool)}
	for _, first := range segments {
		for _, second := range segments {
			p, q := parsed("/"+first), parsed("/"+second)
			if pattern.CatchAllAt(p) >= 0 || pattern.CatchAllAt(q) >= 0 {
				continue
			}
			var seen overlap.Relation
			for i := range texts {
				switch inP, inQ := naive.takes(p[0], i), naive.takes(q[0], i); {
				case inP && inQ:
					seen |= overlap.Shared
				case inP:
					seen |= overlap.OnlyP
				case inQ:
					seen |= overlap.OnlyQ
				}
			}
			got := overlap.Paths(p, q)
			if got == overlap.Disjoint && seen&overlap.Shared != 0 || got != overlap.Disjoint && seen&^got != 0 {
				t.Errorf("relatePaths(/%s, /%s): got %v, the texts show %v", first, second, got, seen)
			}
			if mirror := overlap.Paths(q, p); mirror != got&overlap.Shared|got&overlap.OnlyP<<1|got&overlap.OnlyQ>>1 {
				t.Errorf("relatePaths(/%s, /%s): got %v, the other way round %v", first, second, got, mirror)
			}
			function := strings.Contains(first, "even") || strings.Contains(first, "never")
			if function && p[0].Kind == pattern.Constrained && q[0].Kind == pattern.Constrained && first != second && got != overlap.Partial {
				t.Errorf("relatePaths(/%s, /%s): got %v, want an overlap of two constraints of which nothing is known", first, second, got)
			}
			if got == overlap.Disjoint {
				continue
			}
			match := func(g pattern.Segment, path string) bool {
				_, ok := naivePath([]pattern.Segment{g}, []string{strings.TrimPrefix(path, "/")}, false)
				return ok
			}
			if w, ok := overlap.Common(p, q); ok && (!match(p[0], w) || !match(q[0], w)) {
				t.Errorf("witness(/%s, /%s): got %q, which does not match both: %v, %v", first, second, w, match(p[0], w), match(q[0], w))
			}
			if d, ok := overlap.Difference(p, q); ok && (!match(p[0], d) || match(q[0], d)) {
				t.Errorf("difference(/%s, /%s): got %q; matched: %v, %v", first, second, d, match(p[0], d), match(q[0], d))
			}
		}
	}
	for _, row := range []struct {
		p, q string
		want overlap.Relation
	}{
		{"/a{@:even}", "/b{@:even}", overlap.Disjoint}, // whatever the function says
		{"/{@:even}/a", "/{@:even}/b", overlap.Disjoint},
		{"/a{@:never}", "/a{@}", overlap.Shared | overlap.OnlyQ},
		{"/{@:never}", "/{@}", overlap.Shared | overlap.OnlyQ},
		{"/{@:even}", "/ab", overlap.Shared | overlap.OnlyP},
		{"/{@:even}", "/abc", overlap.Disjoint},
		{"/{@:never}", "/{@:never}", overlap.Shared},
		{"/a{@:(a|b)*a(a|b){20}}", "/{@:(a|b)*b(a|b){20}}b", overlap.Partial}, // it would take too long to say
	} {
		if got := overlap.Paths(parsed(row.p), parsed(row.q)); got != row.want {
			t.Errorf("relatePaths(%s, %s): got %v, want %v", row.p, row.q, got, row.want)
		}
	}
	// An expression may match the empty text, which is no value.
	if d, ok := overlap.Difference(parsed("/b{@:(c)}"), parsed("/b{@:b*}c")); d != "/bc" || !ok {
		t.Errorf("difference(/b{@:(c)}, /b{@:b*}c): got %q, %v, want /bc", d, ok)
	}
}

// TestStrictConflicts: pairs that are refused, in either order, and pairs that
// are not.
func TestStrictConflicts(t *testing.T) {
	never := Constraint("never", isNever)
	for _, row := range []struct {
		first, second string
		refused       bool
	}{
		// A Constrained parameter, and text around one, is more specific than {x}.
		{"/{x}", "/{y:int}", false},
		{"/{x}", "/{y:.+}", false},
		{"/{x}", "/{y:even}", false},
		{"/{x}", "/{y}.{z}", false},
		{"/{x}", "/v{y:int}", false},
		{"/{x...}", "/{y:int}", false},
		{"/a", "/{y:alpha}", false},
		{"/a.b", "/{y}.{z}", false},
		{"/a/{x:int}", "/a/{y}", false},
		{"/a/{x:int}", "/{y}/1", true},
		{"/a/{x:int}", "/{y}/b", false}, // no text is both
		{"/a/{x}", "/{y:alpha}/{z}", false},
		{"/{x:int}/b", "/1/{y}", true},
		{"/{x:int}/{y}", "/{z}/{w:int}", true},
		{"/{x:int}/{y:int}", "/{z}/{w}", false},
		{"/{x:int}/b", "/{y}/{z...}", false},
		{"/{x:int}/{y...}", "/{z}/b", true},
		{"/{x:int}/", "/{z}/{$}", true},

		// Two constraints overlap unless no text is both.
		{"/{x:int}", "/{y:alpha}", false},
		{"/{x:int}", "/{y:uuid}", false},
		{"/{x:uint}", "/{y:date}", false},
		{"/{x:int}", "/{y:hex}", true},
		{"/{x:int}", "/{y:uint}", true},
		{"/{x:slug}", "/{y:uuid}", true},
		{"/{x:[a-m]+}", "/{y:[n-z]+}", false},
		{"/{x:[a-m]+}", "/{y:[m-z]+}", true},
		{"/{x:[0-9]{4}}", "/{y:[0-9]{2}}", false},
		{"/{x:[0-9]{4}}", "/{y:[0-9]+}", true},
		{"/{x:int}", "/{y:-?[0-9]+}", true}, // the same texts, spelt otherwise
		{"/{x:int}/a", "/{y:uint}/b", false},
		{"/{x:int}/a", "/{y:hex}/{z}", true},
		{"GET /{x:int}", "POST /{y:hex}", false},
		{"GET /{x:int}", "/{y:hex}", true},
		{"GET /{x:int}", "/{y:int}", false},
		{"GET /{x}", "/{y:int}", true}, // the more general path, the fewer methods

		// Of a function nothing is known.
		{"/{x:even}", "/{y:never}", true},
		{"/{x:even}", "/{y:int}", true},
		{"/{x:even}", "/{y:[a-z]+}", true},
		{"/{x:never}", "/{y:int}", true},
		{"/{x:even}", "/ab", false},
		{"/{x:even}", "/abc", false},
		{"/a{x:even}", "/b{y:even}", false}, // what they say does not matter
		{"/a{x:even}", "/a{y:never}", true},
		{"/a{x:even}", "/a{y}", false},
		{"/a{x:even}", "/{y}b", true},

		// Text around parameters.
		{"/{x}:apply", "/{y}:cancel", false},
		{"/{x}:apply", "/{y:int}", false},
		{"/{x:int}:apply", "/{y}:apply", false},
		{"/{x:int}:apply", "/{y:alpha}:apply", false},
		{"/{x:int}:apply", "/{y:hex}:apply", true},
		{"/{x}.{y}", "/{z}.json", false},
		{"/{x}.{y}", "/{z}.{w}.{v}", false},
		{"/{x}.{y}", "/{z}-{w}", true},
		{"/a{x}", "/{y}b", true},
		{"/a{x}", "/ab{y}", false},
		{"/a{x}b", "/a{y}", false},
		{"/{x}.{y}", "/{z:[a-z]+}", false},
		{"/{x}.{y}", "/{z:.+}", true},      // a name and a dot in "\n.a", which . has not
		{"/{x}.{y}", "/{z:(?s).+}", false}, // it wins and is more specific
		{"/{x}.{y}", "/{z:a[.]b}", true},   // it wins and is more general
		{"/{x:int}.{y}", "/{z}.{w}", false},
		{"/{x:int}.{y}", "/{z}.{w:int}", true},
		{"/{x:int}.{y}", "/{z:int}.{w:int}", false}, // two constraints win over one
		{"/{x:int}.{y}", "/{z}.{w}.{v}", true},
		{"/v{x:int}.{y:int}", "/v{z}", false},
		{"/v{x:int}.{y:int}", "/v{z}.{w}", false},

		// Catch-alls in the middle.
		{"/{x...}/b", "/{y}", false},
		{"/{x...}/b", "/a/b", false},
		{"/{x...}/b", "/{y}/b", false},
		{"/{x...}/b", "/{y...}", false},
		{"/{x...}/b", "/a/{y}", true},
		{"/{x...}/b", "/a/{y...}", true},
		{"/{x...}/b", "/a/{y...}/b", false},
		{"/a/{x...}/b", "/{y...}/c/{z}", true},
		{"/a/{x...}/b", "/{y...}/c", false},
		{"/a/{x...}", "/{y...}/c", true},
		{"/a/{x...}/b", "/c/{y...}/b", false},
		{"/{x}/{y...}/b", "/{z...}/{w}/b", true}, // the same paths, spelt otherwise
		{"/{x...}/{y:int}", "/{z...}/{w:hex}", true},
		{"/{x...}/{y:int}", "/{z...}/{w:alpha}", false},
		{"/{x...}/{$}", "/a/", true},
		{"/{x...}/{$}", "/a", false},
		{"/{x...}/a/{$}", "/{y...}/b/{$}", false},

		// Hosts never conflict.
		{"{t}.h/a/{x}", "a.h/{y}/b", false},
		{"{t}.h/a/{x}", "{t...}.h/{y}/b", false},
		{"{t}.h/a/{x}", "a{t}.h/{y}/b", false},
		{"{t:int}.h/", "{t:hex}.h/", false},
		{"*.h/a/{x}", "/{y}/b", false},
		{"*.h/a/{x}", "{t}.h/{y}/b", true}, // one and the same host
		{"{t:[0-9]+}.h/a/{x}", `{u:\d+}.H./{y}/b`, true},
		{"{t}.h:80/a/{x}", "{t}.h/{y}/b", false},
	} {
		for _, pair := range [][2]string{{row.first, row.second}, {row.second, row.first}} {
			m := New(StrictConflicts(), genOption, never)
			if _, err := m.Add(pair[0], http.HandlerFunc(ok)); err != nil {
				t.Fatal(err)
			}
			_, err := m.Add(pair[1], http.HandlerFunc(ok))
			if _, refused := errors.AsType[*ConflictError](err); refused != row.refused || err != nil && !refused {
				t.Errorf("%q next to %q: got error %v, want one: %v", pair[1], pair[0], err, row.refused)
			}
			if _, err := newMuxOf(pair[:1], genOption, never).Add(pair[1], http.HandlerFunc(ok)); err != nil {
				t.Errorf("%q next to %q without StrictConflicts: got error %v, want none", pair[1], pair[0], err)
			}
		}
	}
}

// TestRelateMethods: a relation of methods, and of methods and paths together,
// is that of the requests.
func TestRelateMethods(t *testing.T) {
	methods, requests := []string{"", "GET", "HEAD", "POST", "get"}, []string{"GET", "HEAD", "POST", "TRACE", "get"}
	patterns := genPaths([]pattern.Segment{{Kind: pattern.Literal, Text: "a"}, {Kind: pattern.Param, Text: "x"}}, []pattern.Segment{{Kind: pattern.Literal, Text: "a"}, {Kind: pattern.Param, Text: "y"}, {Kind: pattern.Dollar}, {Kind: pattern.CatchAll}}, 2)
	paths := genPaths([]string{"a", "c", ""}, []string{"a", "c", ""}, 3)
	takes := func(method string, p []pattern.Segment) (taken []bool) {
		rt := &Route{}
		if method != "" {
			rt.pattern.Methods = []string{method}
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
			all := []pattern.Segment{{Kind: pattern.CatchAll}}
			if got, want := overlap.Methods(pm, qm), relationOf(takes(pm, all), takes(qm, all)); got != want {
				t.Errorf("relateMethods(%q, %q): got %v, want %v", pm, qm, got, want)
			}
			for _, p := range patterns {
				for _, q := range patterns {
					got, want := overlap.Methods(pm, qm).And(overlap.Paths(p, q)), relationOf(takes(pm, p), takes(qm, q))
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
		[]pattern.Segment{{Kind: pattern.Literal, Text: "a"}, {Kind: pattern.Literal, Text: "x"}, {Kind: pattern.Literal, Text: "a/b"}, {Kind: pattern.Literal, Text: ".."}, {Kind: pattern.Literal, Text: "%zz"}, {Kind: pattern.Param, Text: "@"}},
		[]pattern.Segment{{Kind: pattern.Literal, Text: "a"}, {Kind: pattern.Literal, Text: "a b"}, {Kind: pattern.Literal, Text: "?"}, {Kind: pattern.Param, Text: "@"}, {Kind: pattern.Dollar}, {Kind: pattern.CatchAll, Text: "@"}}, 2)
	patterns = append(patterns, genPaths(smallInner, smallFinal, 3)[len(smallFinal):]...)
	src := rand.New(rand.NewPCG(1, 5))
	named := func(segs []pattern.Segment) []pattern.Segment {
		segs = slices.Clone(segs)
		for i, g := range segs {
			if g.Kind == pattern.Param || g.Kind == pattern.CatchAll {
				segs[i].Text = random.Pick(src, names...)
			}
		}
		return segs
	}
	hasDots := func(segs []pattern.Segment) bool {
		return slices.ContainsFunc(segs, func(g pattern.Segment) bool { return g.Kind == pattern.Literal && urlpath.IsDots(g.Text) })
	}
	checked := 0
	for range 100_000 {
		p, q := named(patterns[src.IntN(len(patterns))]), named(patterns[src.IntN(len(patterns))])
		r := overlap.Paths(p, q)
		if r == overlap.Disjoint {
			continue
		}
		connect := hasDots(p) || hasDots(q)
		matches := func(segs []pattern.Segment, path string) bool {
			_, ok := naivePath(segs, strings.Split(path, "/")[1:], connect)
			return ok && strings.HasPrefix(path, "/")
		}
		checked++
		if w, _ := overlap.Common(p, q); !matches(p, w) || !matches(q, w) {
			t.Errorf("witness(%s, %s): got %q, which does not match both: %v, %v", segsText(p), segsText(q), w, matches(p, w), matches(q, w))
		}
		if r == overlap.Partial || r == overlap.Shared|overlap.OnlyP {
			if d, _ := overlap.Difference(p, q); !matches(p, d) || matches(q, d) {
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
		remove  = ". Remove one of them"
		wayOut  = ". Make one more specific, or omit StrictConflicts to let precedence decide"
		neither = ", but neither is more specific:\n"
		fewer   = " has the more general path and fewer methods" + wayOut
		hosts   = " The case of hosts, their final dot and their brackets are ignored. Remove one of them"
		lists   = " A method list means one route for each method. Remove one of them"
		slash   = " A trailing slash is a catch-all, and names are ignored. Remove one of them"
		names   = " Names of parameters and escapes are ignored. Remove one of them"
		blanks  = " Spaces are ignored. Remove one of them"

		hostNames = " The case of hosts, their final dot and the names of parameters are ignored. Remove one of them"
		spellings = " Different spellings of a regular expression and the names of parameters are ignored. Remove one of them"
		apart     = ". Write constraints that never match the same text, or omit StrictConflicts to let precedence decide"
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
		{"/{x:[0-9]}", `/{y:\d}`, "/0", `both match the same requests like "/0".` + spellings},
		{`{t:\d}.h/`, "{u:[0-9]}.h/", "/", `both match the same requests like "0.h/".` + spellings},
		{"/{x:int}", "/{y:int}", "/0", `both match the same requests like "/0".` + names},
		{"/v{x}.{y:int}", "/v{y}.{x:int}", "/va.0", `both match the same requests like "/va.0".` + names},
		{"/{x}%2E{y}", "/{x}.{y}", "/x.y", `both match the same requests like "/x.y".` + names},
		{"GET /{x...}/b", "GET /{y...}/b", "/x/b", `both match the same GET requests like "/x/b".` + names},
		{"{t}.h/", "*.h/", "/", `both match the same requests like "x.h/".` + hostNames},
		{"*.h/a", "{t}.H./a", "/a", `both match the same requests like "t.h/a".` + hostNames},
		{"{a b}.h/", "{b.c}.h/", "/", `both match the same requests like "x.h/".` + hostNames},
		{"{t...}.h/", "{u...}.h/", "/", `both match the same requests like "u.h/".` + hostNames},
		{"GET {t:int}-eu.h:80/", "GET {u:int}-eu.h:80/", "/", `both match the same GET requests like "0-eu.h:80/".` + hostNames},
		{"/{x:never}", "/{y:never}", "", `both match the same requests.` + names},
		{"/{x:never}", "/{x:never}", "", `both match the same requests` + remove},

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
		{"/{x:int}", "/{y:hex}", "/0", `both match "/0"` + neither + `/{y:hex} also matches "/a", which the other does not;` + "\n" + `/{x:int} also matches "/-0", which the other does not` + wayOut},
		{"/{x:int}", "/{y:uint}", "/0", `both match "/0", and only the order of registration decides between {y:uint} and {x:int}` + apart},
		{"/{x:int}", "/{y:-?[0-9]+}", "/0", `both match "/0", and only the order of registration decides between {y:-?[0-9]+} and {x:int}` + apart},
		{"/{x:int}.{y}", "/{x:uint}.{y}", "/0.a", `both match "/0.a", and only the order of registration decides between {x:uint}.{y} and {x:int}.{y}` + apart},
		{"/{x}.{y}", "/{z:a[.]b}", "/a.b", `both match "/a.b", and {x}.{y} takes precedence over {z:a[.]b}, though it may be more general` + apart},
		{"/{z:a[.]b}", "/{x}.{y}", "/a.b", `both match "/a.b", and {x}.{y} takes precedence over {z:a[.]b}, though it may be more general` + apart},
		{"/{x:even}", "/{y:int}", "/42", `both match "/42"` + neither + `/{y:int} also matches "/0", which the other does not;` + "\n" + `/{x:even} also matches "/xx", which the other does not` + wayOut},
		{"/{x:never}", "/{y:int}", "", `both may match the same path, and only the order of registration decides between {y:int} and {x:never}` + apart},
		{"/{x}", "GET /{y}.{z}", "", ""},
		{"/{x}-{y}", "/{x}.{y}", "/a-.a", `both match "/a-.a"` + neither + `/{x}.{y} also matches "/x.y", which the other does not;` + "\n" + `/{x}-{y} also matches "/x-y", which the other does not` + wayOut},
		{"/{x...}/b", "/a/{y}", "/a/b", `both match "/a/b"` + neither + `/a/{y} also matches "/a/y", which the other does not;` + "\n" + `/{x...}/b also matches "/x/b", which the other does not` + wayOut},
		{"/{x...}/b", "/a/{y...}", "/a/b", `both match "/a/b"` + neither + `/a/{y...} also matches "/a/", which the other does not;` + "\n" + `/{x...}/b also matches "/x/b", which the other does not` + wayOut},
		{"/{x}/{y...}/b", "/{z...}/{w}/b", "/x/y/b", `both match "/x/y/b", and each matches everything that the other does` + remove},
		{"/{x:never}/{y...}/b", "/{z...}/{w:never}/b", "", `both match the same path` + neither + `/{z...}/{w:never}/b also matches other paths;` + "\n" + `/{x:never}/{y...}/b also matches other paths` + wayOut},
		{"GET /{x}", "/{y:int}", "/0", `both match "/0", but GET /{x}` + fewer},
		{"GET /{x}", "/{y:never}", "", `both match the same path, but GET /{x}` + fewer},
		{"{t}.h/a/{x}", "*.h/{y}/b", "/a/b", `both match "/a/b"` + neither + `*.h/{y}/b also matches "/y/b", which the other does not;` + "\n" + `{t}.h/a/{x} also matches "/a/x", which the other does not` + wayOut},
		{"/{..}/b", "/a/{.}", "/a/b", `both match "/a/b"` + neither + `/a/{.} also matches "/a/x", which the other does not;` + "\n" + `/{..}/b also matches "/x/b", which the other does not` + wayOut},
	} {
		functions := []Option{genOption, Constraint("never", isNever)}
		m := New(append(functions, StrictConflicts())...)
		m.HandleFunc(row.first, ok)
		rt, err := m.Add(row.second, http.HandlerFunc(ok))
		if row.reason == "" {
			if err != nil {
				t.Errorf("%q next to %q: got error %v, want none", row.second, row.first, err)
			}
			continue
		}
		var e *ConflictError
		if !errors.As(err, &e) || rt != nil {
			t.Errorf("%q next to %q: got route %v, error %v, want a *ConflictError", row.second, row.first, rt, err)
			continue
		}
		if e.Pattern != row.second || e.Other != row.first || e.Path != row.path || e.Reason != row.reason {
			t.Errorf("%q next to %q: got path %q, reason\n%s\nwant %q,\n%s", row.second, row.first, e.Path, e.Reason, row.path, row.reason)
		}
		text := strings.NewReplacer("registered at "+e.Source, "here", "registered at "+e.OtherSource, "there").Replace(e.Error())
		want := fmt.Sprintf("muxwell: pattern %q (here) conflicts with pattern %q (there):\n%s", row.second, row.first, row.reason)
		if text != want {
			t.Errorf("%q next to %q: got error\n%s\nwant\n%s", row.second, row.first, text, want)
		}
		if strings.Contains(row.reason, "StrictConflicts") {
			m = New(functions...)
			m.HandleFunc(row.first, ok)
			if _, err := m.Add(row.second, http.HandlerFunc(ok)); err != nil {
				t.Errorf("%q next to %q without StrictConflicts: got error %v, want none", row.second, row.first, err)
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
		{true, []string{"/{x:[0-9]}", "/{y:\\d}", "/{z:[0123456789]}", "/{z:(?:[0-9])}"}},
		{true, []string{"/{x:int}", "/{y:int}"}},
		{true, []string{"/a/{x}.{y}", "/%61/{y}.{x}", "/a/{x}%2E{y}"}},
		{true, []string{"/v{x:int}.{y:[a]+}", "/v{a:int}.{b:a+}"}},
		{true, []string{"/{x...}/b", "/{y...}/%62"}},
		{true, []string{"/{x...}/{$}", "/{y...}/{$}"}},
		{true, []string{"{t}.h/", "*.h/", "{u}.H./{x...}", "*.H/"}},
		{true, []string{"{t...}.h/", "{u...}.h/{x...}"}},
		{true, []string{"{t:[0-9]+}.h/", `{u:\d+}.h/`}},
		{true, []string{"A-{t}.h/a", "a-{u}.h/a"}},
		{false, []string{"/{x:int}", "/{x:alpha}", "/{x}", "/a"}},
		{false, []string{"/{x}.{y}", "/{x}.{y}.{z}", "/{x:int}.{y:int}", "/a.b", "/{x}.{y}.json"}},
		{false, []string{"/{x...}/b", "/{x...}/c", "/{x}/b", "/{x...}/{y}/b", "/{x...}/b/{$}"}},
		{false, []string{"{t}.h/", "{t...}.h/", "h/", "/", "{t}.{u}.h/", "{t}.h:80/", "{t:alpha}.h/", "a{t}.h/", "t.h/", "{t}/"}},
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
						t.Errorf("%q next to %q, %d options: got error %v, want a duplicate: %v", second, first, len(options), err, row.duplicates)
					}
				}
			}
			m := New(options...)
			for _, pattern := range row.patterns { // these are more specific than others, or apart
				if _, err := m.Add(pattern, http.HandlerFunc(ok)); err != nil && !row.duplicates {
					t.Errorf("%q next to all of %q, %d options: got error %v, want none", pattern, row.patterns, len(options), err)
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
			p, err := parse(pattern, noRules)
			if err != nil {
				t.Fatal(err)
			}
			var want *Route // the last one that says the same
			for _, q := range routes {
				if _, common := overlap.CommonMethod(p, &q.pattern); common && p.Host == q.pattern.Host && overlap.Paths(p.Segments, q.pattern.Segments) == overlap.Shared {
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
			if errors.As(err, &e) != (want != nil) || want != nil && (e.Other != want.pattern.Text || e.OtherSource != want.Source()) {
				t.Fatalf("%q next to %v: got error %v, want the conflict with %v", pattern, routes, err, want)
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
	t.Run("plain", func(t *testing.T) { checkOverlapsAreFound(t, genPattern, 40, 100) })
	t.Run("whole", func(t *testing.T) { checkOverlapsAreFound(t, genWhole, 12, 60) })
}

// checkOverlapsAreFound compares the index of some sets of so many patterns with
// looking at each pair.
func checkOverlapsAreFound(t *testing.T, gen func(random.Source, []string, []string) string, sets, size int) {
	overlapping, looked, all := 0, 0, 0
	for seed := range uint64(sets) {
		src := rand.New(rand.NewPCG(seed, 7))
		var m Mux
		var routes []*Route
		for range size {
			pattern := gen(src, genMethods, []string{"", "", "h"})
			if src.IntN(10) == 0 && !strings.Contains(pattern, " ") && !strings.Contains(pattern, "$") && !strings.Contains(pattern, "...}") {
				pattern += random.Pick(src, "//a", "/../{v}", "//")
			}
			p, err := parse(pattern, evenRules)
			if err != nil {
				continue // some of what is generated is none
			}
			rt := &Route{pattern: *p}
			found := slices.Collect(m.overlaps.Candidates(&rt.pattern))
			looked += len(found)
			var clash *Route
			for _, q := range routes {
				if q.pattern.Host != rt.pattern.Host {
					continue
				}
				all++
				if overlap.Paths(q.pattern.Segments, rt.pattern.Segments) == overlap.Disjoint {
					continue
				}
				overlapping++
				if !slices.Contains(found, q) {
					t.Fatalf("%v is not looked at for %v, though they are not disjoint", q, rt)
				}
				if ambiguous(rt, q) != nil {
					clash = q
				}
			}
			if err := new(plan).checkOverlaps(&m, rt); (err != nil) != (clash != nil) {
				t.Fatalf("%v: got %v, want a conflict with %v", rt, err, clash)
			}
			m.overlaps.Add(&rt.pattern, rt)
			routes = append(routes, rt)
		}
	}
	if overlapping < 2*sets*size || looked > all*9/10 {
		t.Errorf("%d routes of %d overlap, %d were looked at", overlapping, all, looked)
	}
}

// TestSource: a route knows the line on which it was registered, whichever
// function did it.
func TestSource(t *testing.T) {
	m := New()
	value := func(http.ResponseWriter, *http.Request, Params) {}
	fails := func(http.ResponseWriter, *http.Request) error { return nil }
	method, embedded := m.HandleFunc, struct{ *Mux }{m}
	var registrar interface {
		HandleFunc(string, func(http.ResponseWriter, *http.Request))
	} = m
	for name, register := range map[string]func() string{
		"Handle":       func() string { m.Handle("/Handle", http.HandlerFunc(ok)); return here() },
		"HandleFunc":   func() string { m.HandleFunc("/HandleFunc", ok); return here() },
		"HandleParams": func() string { m.HandleParams("/HandleParams", value); return here() },
		"Add":          func() string { m.Add("/Add", http.HandlerFunc(ok)); return here() },
		"Add values":   func() string { m.Add("/Add values", ParamsFunc(value)); return here() },
		"Add errors":   func() string { m.Add("/Add errors", ErrorFunc(fails)); return here() },
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
	if errors.As(err, &e); e == nil || !muxtest.SameLine(e.Source, want, -1) {
		t.Errorf("a duplicate: got %+v, want one from the line before %s", e, want)
	}
	if got := new(Route).Source(); got != "unknown location" {
		t.Errorf("a route without a place: got %q, want unknown location", got)
	}
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
			"no value handler":        func() error { _, err := m.Add("/new/{z}", ParamsFunc(nil)); return err },
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
		fmt.Fprintf(&b, "%p %d %s %+v %p %p\n", rt, rt.entry.Index, rt, rt.info, rt.layout.Names, rt.next)
	}
	fmt.Fprintln(&b, m.overlaps)
	fmt.Fprintln(&b, len(m.duplicateIndex), slices.Sorted(maps.Keys(m.named)), slices.Sorted(maps.Keys(m.lists)))
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
		{"", `muxwell: pattern "/b": name "": the name is empty; omit the option Name`},
		{"n", `muxwell: pattern "/b": name "n": pattern "GET /a", registered at ` + first.Source() + `, already has it; choose another`},
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
		if rt.info != nil && len(rt.info.meta) != 0 {
			t.Errorf("%v: %v is attached to a route without Meta", rt, rt.info.meta)
		}
	}
}
