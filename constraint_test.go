package muxwell

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/muxwell/muxwell/internal/naive"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/tests/random"
)

// builtinNames are the names of the builtin constraints, in a fixed order.
var builtinNames = (&noRules).ConstraintNames()

// checkBuiltin compares a builtin constraint's function with its expression,
// which is its documentation, run by package regexp.
func checkBuiltin(t *testing.T, name, text string) {
	t.Helper()
	if got, want := pattern.Builtin[name].Check(text), naive.Regexp(pattern.Builtin[name].Expr).MatchString(text); got != want {
		t.Errorf("%s of %q: got %t, the expression says %t", name, text, got, want)
	}
}

// constraintEdges are texts that a constraint takes, and such that it does not.
var constraintEdges = map[string]struct{ yes, no []string }{
	"int":   {[]string{"0", "-0", "00", "-1", "42", "-9223372036854775809", "99999999999999999999999999"}, []string{"", "-", "--1", "+1", "1-", "1.0", "1e3", " 1", "1 ", "0x1", "١", "１", "−1", "1\n", "/", ":"}},
	"uint":  {[]string{"0", "00", "42", "18446744073709551616"}, []string{"", "-1", "-0", "+1", "1.0", "a", " 1", "1\x00", "٣"}},
	"alpha": {[]string{"a", "Z", "azAZ"}, []string{"", "1", "a1", "a_b", "a b", "é", "a\n", "@", "[", "`", "{", "\u017f", "\u212a"}},
	"alnum": {[]string{"a", "Z9", "0", "azAZ09"}, []string{"", "a_b", "a-b", "é1", "a ", "/", ":", "@"}},
	"hex":   {[]string{"0", "deadBEEF", "af", "AF", "09"}, []string{"", "g", "G", "0x1", "a-f", "@", "`", "é"}},
	"uuid": {
		[]string{"00000000-0000-0000-0000-000000000000", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6", "ffffffff-ffff-ffff-ffff-ffffffffffff"},
		[]string{"", "f81d4fae7dec11d0a76500a0c91e6bf6", "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}", "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "f81d4fae-7dec-11d0-a765-00a0c91e6bf", "f81d4fae-7dec-11d0-a765-00a0c91e6bf60", "g81d4fae-7dec-11d0-a765-00a0c91e6bf6", "f81d4fae-7dec-11d0-a765--0a0c91e6bf6", "f81d4fa-e7dec-11d0-a765-00a0c91e6bf6", "f81d4fae_7dec-11d0-a765-00a0c91e6bf6", "éf81d4fae-7dec-11d0-a765-00a0c91e6b"},
	},
	"date": {
		[]string{"2026-01-31", "0000-02-29", "0001-01-01", "9999-12-31", "2000-02-29", "2024-02-29"},
		[]string{"", "2026-1-1", "2026-02-29", "1900-02-29", "2100-02-29", "2026-13-01", "2026-00-01", "2026-01-00", "2026-01-32", "2026-04-31", "20260101", "2026/01/01", "2026-01-011", "02026-01-01", "-026-01-01", "2026-01-01T00:00:00Z", "2026-01-0a", "2026--1-01", "２０２６-01-01"},
	},
	"ipv4": {
		[]string{"0.0.0.0", "255.255.255.255", "1.2.3.4", "10.20.30.40", "127.0.0.1", "249.250.199.200"},
		[]string{"", ".", "...", "1.2.3", "1.2.3.", ".1.2.3", "1.2.3.4.", "1.2.3.4.5", "1..2.3", "256.1.1.1", "1.1.1.256", "01.1.1.1", "1.1.1.00", "1.1.1.1000", "1.1.1.-1", "1.1.1.a", "::1", "1.2.3.4:80", "1.2.3.4 ", "1.2.3.99999999999999999999999999"},
	},
	"slug": {[]string{"a", "0", "a-b", "hello-world-2", "a-b-c-d"}, []string{"", "-", "a-", "-a", "a--b", "A", "a_b", "é", "a b", "a-B", "a-b-", "--"}},
}

func TestConstraintEdges(t *testing.T) {
	for _, name := range builtinNames {
		edges, ok := constraintEdges[name]
		if !ok {
			t.Errorf("%s: no row", name)
		}
		for want, texts := range map[bool][]string{true: edges.yes, false: edges.no} {
			for _, text := range texts {
				if got := pattern.Builtin[name].Check(text); got != want {
					t.Errorf("%s of %q: got %t, want %t", name, text, got, want)
				}
				checkBuiltin(t, name, text)
			}
		}
	}
	if len(constraintEdges) != len(pattern.Builtin) {
		t.Errorf("%d constraints in the table, of %d", len(constraintEdges), len(pattern.Builtin))
	}
}

// TestConstraintBytes runs all texts of one byte, and of two bytes, and edges
// with each byte in each place.
func TestConstraintBytes(t *testing.T) {
	for _, name := range builtinNames {
		for c := range 256 {
			checkBuiltin(t, name, string([]byte{byte(c)}))
			for d := range 256 {
				checkBuiltin(t, name, string([]byte{byte(c), byte(d)}))
			}
		}
		for _, text := range constraintEdges[name].yes[:1] {
			for i := range len(text) {
				for c := range 256 {
					checkBuiltin(t, name, text[:i]+string([]byte{byte(c)})+text[i+1:])
				}
			}
		}
	}
}

// TestConstraintMutations runs texts that are nearly right.
func TestConstraintMutations(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"0", "9", "5", "a", "f", "g", "Z", "-", ".", "_", "é", "\xff", "\x00", "\n", "00", "25", "255", "02", "29", "30", "31"}
	for _, name := range builtinNames {
		taken := 0
		for range 20_000 {
			text := random.Pick(src, constraintEdges[name].yes...)
			for range src.IntN(4) {
				i := src.IntN(len(text) + 1)
				switch j := i + src.IntN(len(text)-i+1); src.IntN(3) {
				case 0:
					text = text[:i] + random.Pick(src, pieces...) + text[min(i+1, len(text)):]
				case 1:
					text = text[:i] + random.Pick(src, pieces...) + text[i:]
				default:
					text = text[:i] + text[min(j, i+2):]
				}
			}
			checkBuiltin(t, name, text)
			if pattern.Builtin[name].Check(text) {
				taken++
			}
		}
		if taken < 1000 || taken > 19_000 {
			t.Errorf("%s: %d of 20000 texts are taken; they should be of both kinds", name, taken)
		}
	}
}

// TestConstraintDates runs the dates of a whole cycle of the calendar, and those
// that no calendar has: each day from 00 to 39 of each month from 00 to 19.
func TestConstraintDates(t *testing.T) {
	expr := naive.Regexp(pattern.Builtin["date"].Expr)
	days := 0
	for year := 1800; year < 2200; year++ {
		if (testing.Short() || raceEnabled) && year%4 != 0 && year%100 > 2 {
			continue
		}
		for month := range 20 {
			for day := range 40 {
				text := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
				_, err := time.Parse(time.DateOnly, text)
				if got, want := pattern.IsDate(text), err == nil; got != want || expr.MatchString(text) != want {
					t.Errorf("%s: got %t, the expression says %t, want %t", text, got, expr.MatchString(text), want)
				} else if got {
					days++
				}
			}
		}
	}
	if !testing.Short() && !raceEnabled && days != 146_097 {
		t.Errorf("%d days in 400 years, want 146097", days)
	}
	for century := range 100 {
		text := fmt.Sprintf("%02d00-02-29", century)
		if got, want := pattern.IsDate(text), century%4 == 0; got != want || expr.MatchString(text) != want {
			t.Errorf("%s: got %t, the expression says %t, want %t", text, got, expr.MatchString(text), want)
		}
	}
}

func FuzzConstraint(f *testing.F) {
	for i, name := range builtinNames {
		for _, text := range slices.Concat(constraintEdges[name].yes, constraintEdges[name].no) {
			f.Add(uint8(i), text)
		}
	}
	f.Fuzz(func(t *testing.T, i uint8, text string) {
		checkBuiltin(t, builtinNames[int(i)%len(builtinNames)], text)
	})
}

// TestBuiltinConstraints: what a pattern gets is what is documented, whichever
// way it is written.
func TestBuiltinConstraints(t *testing.T) {
	for _, name := range builtinNames {
		c, reason, _ := (&noRules).FindConstraint(name)
		if reason != "" || c.Text != name || c.Key != name || c.Expr != pattern.Builtin[name].Expr || c.Check == nil || c.Around {
			t.Errorf("%s: got %+v, reason %q", name, c, reason)
			continue
		}
		spelt, reason, _ := (&noRules).FindConstraint(c.Expr)
		if reason != "" || spelt.Expr != c.Expr {
			t.Errorf("%s: its expression %s is none: %s", name, c.Expr, reason)
			continue
		}
		for _, text := range slices.Concat(constraintEdges[name].yes, constraintEdges[name].no) {
			if c.Check(text) != spelt.Check(text) {
				t.Errorf("%s of %q: got %t, and %t of its expression", name, text, c.Check(text), spelt.Check(text))
			}
		}
	}
}

func TestIsIdentifier(t *testing.T) {
	want := regexp.MustCompile(`\A[A-Za-z_][A-Za-z_0-9]*\z`)
	check := func(s string) {
		if got := pattern.IsIdentifier(s); got != want.MatchString(s) {
			t.Errorf("%q: got %t", s, got)
		}
	}
	for _, s := range []string{"", "a", "_", "_9", "a_B9", "9a", "a-b", "a b", " a", "a ", "é", "aé", "a\x00", "a\n", "int", "INT", "a.b", "$", "a$"} {
		check(s)
	}
	for c := range 256 {
		check(string([]byte{byte(c)}))
		check(string([]byte{'a', byte(c)}))
	}
}

// TestConstraintOption: a mux's own constraint rules which values a parameter
// takes, and is asked about unescaped ones that are not empty.
func TestConstraintOption(t *testing.T) {
	var asked []string
	m := New(Constraint("short", func(v string) bool {
		asked = append(asked, v)
		return len(v) < 4
	}), Constraint("_Yes1", func(string) bool { return true }), UncleanPath(PathServe))
	for _, pattern := range []string{"/a/{x:short}", "/b/v{x:short}.z", "{t:short}.h/c", "/d/{x:_Yes1}", "/a/{y}/e"} {
		if _, err := m.Add(pattern, http.HandlerFunc(ok)); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct{ host, path, pattern, asked string }{
		{"h", "/a/abc", "/a/{x:short}", "abc"},
		{"h", "/a/abcd", "", "abcd"},
		{"h", "/a/%C3%A9%2F", "/a/{x:short}", "é/"},
		{"h", "/a/", "", ""},
		{"h", "/a//", "", ""},
		{"h", "/a//e", "", ""},
		{"h", "/b/v.z", "", ""},
		{"h", "/b/v1.z", "/b/v{x:short}.z", "1"},
		{"h", "/b/v1234.z", "", "1234"},
		{"h", "/b/v..z", "/b/v{x:short}.z", "."},
		{"h", "/b/w1.z", "", ""},
		{"t.h", "/c", "{t:short}.h/c", "t"},
		{"TE.h:80", "/c", "{t:short}.h/c", "te"},
		{"four.h", "/c", "", "four"},
		{".h", "/c", "", ""},
		{"h", "/d/1", "/d/{x:_Yes1}", ""},
	} {
		asked = nil
		r := newBenchRequest("GET", row.path)
		r.Host = row.host
		_, pattern := m.Handler(r)
		if slices.Sort(asked); pattern != row.pattern || strings.Join(slices.Compact(asked), ",") != row.asked {
			t.Errorf("%s%s: got pattern %q, and asked about %q; want %q, %q", row.host, row.path, pattern, asked, row.pattern, row.asked)
		}
	}
	for _, pattern := range []string{"/{x:short}", "/{x:Short}"} {
		if _, err := New().Add(pattern, http.HandlerFunc(ok)); err == nil {
			t.Errorf("%q: got no error from a mux that was not given the constraint", pattern)
		}
	}
	if _, err := m.Add("/a/{other:short}", http.HandlerFunc(ok)); err == nil {
		t.Error("a pattern with the same constraint and another name: got no error, want a conflict")
	}
}

func TestConstraintPanics(t *testing.T) {
	yes := func(string) bool { return true }
	const noName = "is no name; use ASCII letters, digits and '_', and no digit in front"
	for _, row := range []struct {
		name  string
		takes func(string) bool
		want  string
	}{
		{"", yes, `muxwell: Constraint: "" ` + noName},
		{"a-b", yes, `muxwell: Constraint: "a-b" ` + noName},
		{"9a", yes, `muxwell: Constraint: "9a" ` + noName},
		{"é", yes, `muxwell: Constraint: "é" ` + noName},
		{"[0-9]+", yes, `muxwell: Constraint: "[0-9]+" ` + noName},
		{"a ", nil, `muxwell: Constraint: "a " ` + noName},
		{"int", yes, "muxwell: Constraint: every mux has a constraint int; choose another name"},
		{"uuid", nil, "muxwell: Constraint: every mux has a constraint uuid; choose another name"},
		{"sku", nil, "muxwell: Constraint: the function of sku is nil"},
		{"sku", yes, ""},
		{"Int", yes, ""},
		{"_", yes, ""},
	} {
		v := recovered(func() { Constraint(row.name, row.takes) })
		if v == nil {
			v = ""
		}
		if v != row.want {
			t.Errorf("Constraint(%q): got panic %q, want %q", row.name, v, row.want)
		}
	}
}

// TestFindConstraint: what is found, or why nothing is, and where in the text.
func TestFindConstraint(t *testing.T) {
	own := pattern.Rules{Constraints: map[string]func(string) bool{"zip": pattern.IsUint, "Ab": pattern.IsUint}}
	const names = "Ab, alnum, alpha, date, hex, int, ipv4, slug, uint, uuid, zip"
	for _, row := range []struct {
		text, reason string
		at           int
	}{
		{"int", "", 0},
		{"zip", "", 0},
		{"(zap)", "", 0},
		{"[0-9]{2}", "", 0},
		{"zap", "there is no constraint zap; write (zap) for this very text, give New a Constraint of that name, or use one of " + names, 0},
		{"INT", "there is no constraint INT; names are in lower case, write int", 0},
		{"ZIP", "there is no constraint ZIP; names are in lower case, write zip", 0},
		{"guid", "there is no constraint guid; write uuid, or give New a Constraint of that name", 0},
		{"String", "there is no constraint String; leave it out, or give New a Constraint of that name", 0},
		{"path", "there is no constraint path; write {name...} for the rest of the path, or give New a Constraint of that name", 0},
		{"", "nothing follows the colon; leave it out, or write a constraint such as int or [0-9]+ behind it", 0},
		{"zip...", "a catch-all has no constraint; write {name...}, or (...) for any three characters", 3},
		{"\tzip", "a blank beside the constraint zip; leave it out, or write \"(\\tzip)\" for this very text", 0},
		{"ab|)", "not a regular expression that RE2 takes: unexpected )", 3},
		{"a*", "", 0},
		{"(a*|)$", "", 0},
		{"(|^)", "the regular expression matches no text, and a value is not empty", 0},
	} {
		c, reason, at := own.FindConstraint(row.text)
		if reason != row.reason || at != row.at {
			t.Errorf("%q: got reason %q at %d, want %q at %d", row.text, reason, at, row.reason, row.at)
		}
		if reason == "" && (c.Check == nil || c.Text != row.text || c.Key == "") {
			t.Errorf("%q: got %+v", row.text, c)
		}
	}
	// Where patterns are not for matching, names need not be known.
	lenient := pattern.Rules{Lenient: true}
	if c, reason, _ := lenient.FindConstraint("zap"); reason != "" || c.Text != "zap" || c.Check != nil {
		t.Errorf("lenient: got %+v, reason %q", c, reason)
	}
	if c, reason, _ := lenient.FindConstraint("["); reason != "" || c.Check != nil {
		t.Errorf("lenient: got reason %q, an expression is not compiled", reason)
	}
	if p, err := parse("/{x:zap}-{y:zip}/{z:zop}", lenient); err != nil || !slices.Equal(p.Names(), []string{"x", "y", "z"}) {
		t.Errorf("lenient: got %v, error %v", p, err)
	}
}

// TestRegexpFaultAt: the offset is where an expression goes wrong, also where the
// text of the fault stands before in it without being one.
func TestRegexpFaultAt(t *testing.T) {
	for _, row := range []struct {
		expr string
		at   int
	}{
		{`*`, 0},
		{`\*a[*]|*b`, 7},
		{`a{2}b{2}{3}`, 5},
		{`\Q[z-a]\E[z-a]`, 10},
		{`(a)\)[)])`, 8},
		{`\\1\1\1`, 3},
		{`a(?=b)(?!c)`, 1},
		{`é*+`, 2},
		{`a[b`, 1},
		{`\[a[b`, 3},
		{`(a`, 0},
		{"é\xff\xff", 2},
		{strings.Repeat("(", 1001) + strings.Repeat(")", 1001), 0},
	} {
		_, err := syntax.Parse(row.expr, syntax.Perl)
		if err == nil {
			t.Fatalf("%s: it is an expression", row.expr)
		}
		if got := pattern.RegexpFaultAt(row.expr, err); got != row.at {
			t.Errorf("%.40s: %v: got offset %d, want %d", row.expr, err, got, row.at)
		}
	}
}

// TestCanonicalRegexp: keys are equal where expressions are spelt differently,
// and then these take the same texts.
func TestCanonicalRegexp(t *testing.T) {
	exprs := []string{
		"[0-9]", `\d`, "[[:digit:]]", "[0-9]+", `\d+`, "[0-9]{1,}", `[0-9]{2}`, `\d\d`, "(?i)ab", "(?i:AB)", "[aA][bB]", "a.b", "(?s)a.b", "(?s:a.b)", "a|b", "[ab]", "(a|b)", "(?:a|b)",
		"a*", "a*?", "(?U)a*?", "(?U)a*", "^a", `\Aa`, "(?m)^a", "a$", `a\z`, "(?m)a$", `\Qa.b\E`, `a\.b`, "ab|ac", "a[bc]", "a(b|c)", "(?P<x>a)", "(a)", "a{0,1}", "a?", ".", `[^\n]`, "(?s).", "é", `\x{e9}`, "[é]",
	}
	texts := []string{"a", "b", "A", "B", "ab", "AB", "aB", "ac", "a.b", "a\nb", "a|b", "1", "12", "١", "\n", "é", "\xff", "aa", "(a)", "^a"}
	keys := make(map[string]string)
	for _, expr := range exprs {
		c, reason, _ := (&noRules).FindConstraint(expr)
		if reason == "" && pattern.IsIdentifier(c.Key) || reason != "" {
			t.Errorf("%s: got key %q, reason %q", expr, c.Key, reason)
			continue
		}
		if twin, ok := keys[c.Key]; ok {
			for _, text := range texts {
				if got, want := c.Check(text), naive.Regexp(twin).MatchString(text); got != want {
					t.Errorf("%s and %s have one key; of %q they say %t and %t", expr, twin, text, got, want)
				}
			}
		}
		keys[c.Key] = expr
	}
	if len(keys) >= len(exprs) || len(keys) < len(exprs)/2 {
		t.Errorf("%d expressions have %d keys; want fewer, but not far fewer", len(exprs), len(keys))
	}
}

// TestConstraintAllocs: no constraint allocates, neither in a segment of its own
// nor beside text and others.
func TestConstraintAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates, so that allocations cannot be counted")
	}
	check := func(what string, takes func(string) bool, texts []string) {
		if n := testing.AllocsPerRun(100, func() {
			for _, text := range texts {
				takes(text)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations, want 0", what, n)
		}
	}
	for _, name := range builtinNames {
		texts := slices.Concat(constraintEdges[name].yes, constraintEdges[name].no)
		check(name, pattern.Builtin[name].Check, texts)
		for _, pattern := range []string{"/{x:@}", "/a{x:@}.b", "/{x:@}.{y}", "/{x}.{y:@}"} {
			f := parseForm(t, strings.ReplaceAll(pattern, "@", name))
			check(pattern+" with "+name, f.Matches, texts)
		}
	}
	for _, pattern := range []string{"/{x:[0-9]{4}}", "/{x:[a-z]+-[0-9]+}", "/{a}.{b}", "/v{a}.{b}-{c}x", "/v{a:int}.{b:[0-9]+}", "/{x:even}"} {
		f := parseForm(t, pattern)
		vals := make([]string, len(f.Names))
		check(pattern, func(text string) bool {
			if f.Matches(text) {
				f.Split(vals, text)
			}
			return true
		}, []string{"2026", "ab-1", "a.b", "v1.2", "v1.2-3x", "", "v", "v1.x"})
	}
}

// parseForm returns the form of a pattern of one segment.
func parseForm(t *testing.T, pattern string) *pattern.SegmentMatcher {
	t.Helper()
	p, err := parse(pattern, withEven)
	if err != nil || len(p.Segments) != 1 || p.Segments[0].Matcher == nil {
		t.Fatalf("%q: got %v, error %v, want one segment with a form", pattern, p, err)
	}
	return p.Segments[0].Matcher
}

// TestFormValues: which text each parameter gets, and which segments are not
// matched.
func TestFormValues(t *testing.T) {
	for _, row := range []struct {
		pattern, text string
		values        string // separated by blanks; "" for no match
	}{
		{"/v{x}", "v1", "1"},
		{"/v{x}", "v", ""},
		{"/v{x}", "w1", ""},
		{"/{x}v", "vv", "v"},
		{"/{x}v", "v", ""},
		{"/a{x}a", "aa", ""},
		{"/a{x}a", "aaa", "a"},
		{"/a{x}b", "ab", ""},
		{"/{name}.{ext}", "a.b", "a b"},
		{"/{name}.{ext}", "a.tar.gz", "a tar.gz"},
		{"/{name}.{ext}", ".bashrc", ""},
		{"/{name}.{ext}", "..x", ". x"},
		{"/{name}.{ext}", "...", ". ."},
		{"/{name}.{ext}", "a.", ""},
		{"/{name}.{ext}", "a..", "a ."},
		{"/{a}-{b}-{c}", "1-2-3", "1 2 3"},
		{"/{a}-{b}-{c}", "1-2-3-4", "1 2 3-4"},
		{"/{a}-{b}-{c}", "-----", "- - -"},
		{"/{a}-{b}-{c}", "----", ""},
		{"/{a}ab{b}", "ababab", "ab ab"},
		{"/{a}aa{b}", "aaaa", "a a"},
		{"/{a}aa{b}x", "aaaax", "a a"},
		{"/{a}-{b}-x", "1-2-x", "1 2"},
		{"/{a}-{b}-x", "1-x-x", "1 x"},
		{"/{a}-{b}-x", "1-x", ""},
		{"/x{a:int}", "x-1", "-1"},
		{"/x{a:int}", "xx", ""},
		{"/{a:int}-{b}", "1-2", "1 2"},
		{"/{a:int}-{b}", "-1-2", "-1 2"},
		{"/{a:int}-{b:int}", "-1--2", "-1 -2"},
		{"/{a:int}-{b:int}", "1-x", ""},
		{"/{a}-{b:int}", "x-y-1", "x-y 1"},
		{"/{a}-{b:int}", "x--1", "x -1"},
		{"/{a}.{b:[a-z]+}", "x.1.tar", "x.1 tar"},
		{"/{a:[a-z.]+}.{b}", "x.y.z", "x.y z"},
		{"/{a:[a-z.]+?}.{b}", "x.y.z", "x y.z"},
		{"/{a:slug}-{b:slug}", "a-b-c", "a b-c"},
		{"/{a:a*}b", "b", ""},
		{"/{a:a*}b", "aab", "aa"},
		{"/{a:a*}", "", ""},
		{"/{a}%2F{b}", "x/y", "x y"},
	} {
		f, values := parseForm(t, row.pattern), ""
		if f.Matches(row.text) {
			vals := make([]string, len(f.Names))
			f.Split(vals, row.text)
			values = strings.Join(vals, " ")
		}
		if values != row.values {
			t.Errorf("%q of %q: got values %q, want %q", row.text, row.pattern, values, row.values)
		}
		checkForm(t, f, row.text)
	}
}

// checkForm compares a form with its naive twin.
func checkForm(t *testing.T, f *pattern.SegmentMatcher, text string) {
	t.Helper()
	want, ok := naiveForm(f, text)
	if got := f.Matches(text); got != ok {
		t.Errorf("%s of %q: got %t, want %t, %q", f, text, got, ok, want)
	} else if ok {
		vals := make([]string, len(f.Names))
		if f.Split(vals, text); !slices.Equal(vals, want) {
			t.Errorf("%s of %q: got values %q, want %q", f, text, vals, want)
		}
	}
}

// TestFormIsNaive compares generated forms with their naive twin.
func TestFormIsNaive(t *testing.T) {
	src := rand.New(rand.NewPCG(3, 4))
	forms, matched := 0, 0
	for range 4000 {
		p, err := parse(genWhole(src, []string{""}, []string{""}), withEven)
		if err != nil {
			continue
		}
		for _, g := range p.Segments {
			if g.Matcher == nil {
				continue
			}
			forms++
			for range 20 {
				text := naive.Unescape(strings.Trim(genWholePath(src), "/"))
				checkForm(t, g.Matcher, text)
				if g.Matcher.Matches(text) {
					matched++
				}
			}
		}
	}
	if forms < 1000 || matched < forms {
		t.Errorf("%d forms, %d matches; want more", forms, matched)
	}
}

func FuzzForm(f *testing.F) {
	for _, row := range [][2]string{
		{"{name}.{ext}", "a.tar.gz"},
		{"v{a:int}.{b:int}", "v1.-2"},
		{"{a}--{b}-{c}", "-----"},
		{"{x:[0-9]{4}}", "2026"},
		{"{id}:apply", "1:apply"},
		{"{a:.+}-{b:.*x}", "a-b-x"},
		{"{a:even}.b", "aa.b"},
		{"\xff{a}\x00{b}", "\xffa\x00b"},
		{"{a:(?i)x+?}x{b}", "xXxX"},
		{"{a:slug}-{b:slug}", "a-b-c"},
		{"{a:(a|ab)(c|bcd)}.{b:d*}", "abcd.d"},
		{"%2F{a}%2f", "/a/"},
		{"{a:^x$}y", "xy"},
		{"{a:date}T{b}", "2026-01-01T1"},
	} {
		f.Add(row[0], row[1])
	}
	f.Fuzz(func(t *testing.T, segment, text string) {
		p, err := parse("/"+segment, withEven)
		if err != nil || len(text) > 64 {
			return
		}
		for _, g := range p.Segments {
			if f := g.Matcher; f != nil && hasTwin(f) {
				checkForm(t, f, text)
			}
		}
	})
}

// hasTwin reports whether naiveForm can do a form: it tries all lengths of all
// values, and knows neither open quotations nor text that package regexp does
// not.
func hasTwin(f *pattern.SegmentMatcher) bool {
	texts := append(slices.Clone(f.Between), f.Prefix, f.Suffix)
	unknown := func(text string) bool { return strings.ContainsRune(text, utf8.RuneError) } // also of what is not UTF-8
	if len(f.Names) > 4 || len(f.Names) > 1 && f.ConstraintCount() > 0 && slices.ContainsFunc(texts, unknown) {
		return false
	}
	return !slices.ContainsFunc(f.Constraints, func(c pattern.Constraint) bool { return strings.Contains(c.Text, `\Q`) })
}

// BenchmarkConstraint compares the functions of the builtin constraints with
// package regexp on their expressions, on a text that is taken.
func BenchmarkConstraint(b *testing.B) {
	for _, name := range builtinNames {
		text := constraintEdges[name].yes[len(constraintEdges[name].yes)-1]
		for _, way := range []struct {
			name  string
			takes func(string) bool
		}{
			{"function", pattern.Builtin[name].Check},
			{"regexp", naive.Regexp(pattern.Builtin[name].Expr).MatchString},
		} {
			b.Run("name="+name+"/way="+way.name, func(b *testing.B) {
				if !way.takes(text) {
					b.Fatalf("%q is not taken", text)
				}
				for b.Loop() {
					way.takes(text)
				}
			})
		}
	}
}
