package muxwell

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/muxwell/muxwell/internal/constraint"
	"github.com/muxwell/muxwell/internal/naive"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/tests/builtin"
)

// nearTexts returns a constraint's example, and texts that differ from it in a byte.
func nearTexts(b constraint.Builtin) []string {
	texts := []string{b.Example, b.Example + "-" + b.Example}
	for i := range b.Example {
		for _, c := range []string{"", "0", "9", "a", "G", "-", ".", "é"} {
			texts = append(texts, b.Example[:i]+c+b.Example[i+1:])
		}
	}
	return texts
}

// TestBuiltinConstraints: what a pattern gets is what is documented, whichever
// way it is written.
func TestBuiltinConstraints(t *testing.T) {
	for _, b := range constraint.Builtins {
		name := b.Name
		c, reason, _ := (&noRules).FindConstraint(name)
		if reason != "" || c.Text != name || c.Key != name || c.Expr != b.Expr || c.Check == nil || c.Around {
			t.Errorf("%s: got %+v, reason %q", name, c, reason)
			continue
		}
		spelt, reason, _ := (&noRules).FindConstraint(c.Expr)
		if reason != "" || spelt.Expr != c.Expr {
			t.Errorf("%s: its expression %s is none: %s", name, c.Expr, reason)
			continue
		}
		for _, text := range nearTexts(b) {
			if c.Check(text) != spelt.Check(text) {
				t.Errorf("%s of %q: got %t, and %t of its expression", name, text, c.Check(text), spelt.Check(text))
			}
		}
	}
}

// TestBuiltinsAreNaive: a mux matches each constraint of the table, and one that is new
// there, in every place of a pattern where the naive reference does.
func TestBuiltinsAreNaive(t *testing.T) {
	builtin.Add(t)
	for _, b := range constraint.Builtins {
		for _, text := range []string{"/{x:@}", "/v{x:@}.z", "/{x:@}_{y}", "/{x}_{y:@}", "/a/{x...}/{y:@}"} {
			text = strings.ReplaceAll(text, "@", b.Name)
			m := New()
			rt, err := m.Add("GET "+text, http.NotFoundHandler())
			if err != nil {
				t.Fatal(err)
			}
			want, err := naive.Parse("GET " + text)
			if err != nil {
				t.Fatal(err)
			}
			matched, missed := 0, 0
			for _, value := range nearTexts(b) {
				for _, path := range []string{"/" + value, "/v" + value + ".z", "/" + value + "_" + value, "/a/b/" + value} {
					r := httptest.NewRequest("GET", (&url.URL{Path: path}).EscapedPath(), nil)
					_, ok := naive.Match(want.Segments, strings.Split(r.URL.EscapedPath(), "/")[1:], false)
					if got := m.Explain(r).Route == rt; got != ok {
						t.Errorf("%s matches %q: %t, want %t", text, path, got, ok)
					}
					if ok {
						matched++
					} else {
						missed++
					}
				}
			}
			if matched == 0 || missed == 0 {
				t.Errorf("%s: %d requests match and %d do not, want some of each", text, matched, missed)
			}
			if r, ok := m.Sample(rt); !ok || m.Explain(r).Route != rt {
				t.Errorf("%s: the sample is %v, want a request that matches", text, r)
			}
		}
	}
}

// TestBuiltinsAreKnown: what is said about names knows each constraint of the table,
// and one that is new there.
func TestBuiltinsAreKnown(t *testing.T) {
	builtin.Add(t)
	for _, b := range constraint.Builtins {
		if v := recovered(func() { Constraint(b.Name, pattern.IsUint) }); v == nil {
			t.Errorf("a program may define %s", b.Name)
		}
		if names := (&noRules).ConstraintNames(); !slices.Contains(names, b.Name) {
			t.Errorf("the names are %v, want %s among them", names, b.Name)
		}
		for text, want := range map[string]string{
			strings.ToUpper(b.Name):   "write " + b.Name,
			b.Name + "(1)":            "a constraint with arguments",
			b.Name + "=1":             "a constraint with arguments",
			b.Name + "...":            "a catch-all cannot have a constraint",
			" " + b.Name:              "space next to the constraint " + b.Name,
			"(?:" + b.Name + ")(a|b)": "",
		} {
			if _, reason, _ := (&noRules).FindConstraint(text); !strings.Contains(reason, want) || (reason == "") != (want == "") {
				t.Errorf("FindConstraint(%q): got reason %q, want %q", text, reason, want)
			}
		}
	}
}

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
	const rules = "; use ASCII letters, digits and '_', and do not begin with a digit"
	for _, row := range []struct {
		name  string
		takes func(string) bool
		want  string
	}{
		{"", yes, `muxwell: Constraint: invalid name ""` + rules},
		{"a-b", yes, `muxwell: Constraint: invalid name "a-b"` + rules},
		{"9a", yes, `muxwell: Constraint: invalid name "9a"` + rules},
		{"é", yes, `muxwell: Constraint: invalid name "é"` + rules},
		{"[0-9]+", yes, `muxwell: Constraint: invalid name "[0-9]+"` + rules},
		{"a ", nil, `muxwell: Constraint: invalid name "a "` + rules},
		{"int", yes, "muxwell: Constraint: int is a built-in constraint; choose another name"},
		{"uuid", nil, "muxwell: Constraint: uuid is a built-in constraint; choose another name"},
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
	all := []string{"Ab", "zip"}
	for _, b := range constraint.Builtins {
		all = append(all, b.Name)
	}
	slices.Sort(all)
	names := strings.Join(all, ", ")
	for _, row := range []struct {
		text, reason string
		at           int
	}{
		{"int", "", 0},
		{"zip", "", 0},
		{"(zap)", "", 0},
		{"[0-9]{2}", "", 0},
		{"zap", "unknown constraint zap; write (zap) for this exact text, give New a Constraint of that name, or use one of " + names, 0},
		{"INT", "unknown constraint INT; names are lower case, write int", 0},
		{"ZIP", "unknown constraint ZIP; names are lower case, write zip", 0},
		{"guid", "unknown constraint guid; write uuid, or give New a Constraint of that name", 0},
		{"String", "unknown constraint String; omit it, or give New a Constraint of that name", 0},
		{"path", "unknown constraint path; write {name...} for the rest of the path, or give New a Constraint of that name", 0},
		{"", "nothing follows the colon; omit it, or write a constraint such as int or [0-9]+ after it", 0},
		{"zip...", "a catch-all cannot have a constraint; write {name...}, or (...) for any three characters", 3},
		{"\tzip", "space next to the constraint zip; remove it, or write \"(\\tzip)\" for this exact text", 0},
		{"ab|)", "invalid regular expression: unexpected )", 3},
		{"a*", "", 0},
		{"(a*|)$", "", 0},
		{"(|^)", "the regular expression matches no value, since values are not empty", 0},
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
		if got := pattern.RegexpErrorAt(row.expr, err); got != row.at {
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
		if reason == "" && constraint.IsName(c.Key) || reason != "" {
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
// nor next to text and others.
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
	for _, b := range constraint.Builtins {
		name, texts := b.Name, nearTexts(b)
		check(name, b.Matches, texts)
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
		values        string // separated by spaces; "" for no match
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
