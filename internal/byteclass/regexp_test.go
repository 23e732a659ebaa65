package byteclass

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Programs are compared with package regexp, on strings made to match nearly:
// by table, by generated expressions and under fuzzing. Where package regexp
// has no expression for the text, the twin cuts the string everywhere.

// reference returns the expression that Join is defined by. Its outer groups
// are named part0, part1 and so on.
func reference(parts []Part) (*regexp.Regexp, error) {
	var b strings.Builder
	n := 0
	b.WriteString(`\A`)
	for _, part := range parts {
		if part.Expr == "" {
			b.WriteString(regexp.QuoteMeta(part.Text))
			continue
		}
		tree, err := syntax.Parse(part.Expr, syntax.Perl)
		if err != nil {
			return nil, err
		}
		expr := part.Expr
		if strings.Contains(expr, `\Q`) {
			expr = tree.String() // which closes the quotation
		}
		fmt.Fprintf(&b, `(?P<part%d>(?:%s))`, n, expr)
		n++
	}
	b.WriteString(`\z`)
	return regexp.Compile(b.String())
}

// plainText reports whether package regexp reads the text of parts as it is.
func plainText(parts []Part) bool {
	var b strings.Builder
	for _, part := range parts {
		if part.Expr != "" {
			b.WriteByte('/')
		} else {
			b.WriteString(part.Text)
		}
	}
	return !strings.ContainsRune(b.String(), utf8.RuneError)
}

// cuts returns all ways in which s can be cut into parts, as Find's at. No
// expression may look at what is around it.
func cuts(t testing.TB, parts []Part, s string) [][]int {
	var found [][]int
	var res []*regexp.Regexp
	for _, part := range parts {
		re := (*regexp.Regexp)(nil)
		if part.Expr != "" {
			var err error
			if re, err = reference([]Part{part}); err != nil {
				t.Fatal(err)
			}
		}
		res = append(res, re)
	}
	var cut func(k, i int, at []int)
	cut = func(k, i int, at []int) {
		switch {
		case k == len(parts):
			if i == len(s) {
				found = append(found, slices.Clone(at))
			}
		case res[k] == nil:
			if strings.HasPrefix(s[i:], parts[k].Text) {
				cut(k+1, i+len(parts[k].Text), at)
			}
		default:
			for j := i; j <= len(s); j++ {
				if res[k].MatchString(s[i:j]) {
					cut(k+1, j, append(at, i, j))
				}
			}
		}
	}
	cut(0, 0, nil)
	return found
}

// check compares the program of parts with package regexp on each of inputs. It
// returns nil if there is no program.
func check(t testing.TB, parts []Part, inputs []string) *Program {
	re, wantErr := reference(parts)
	p, err := Join(parts...)
	plain := plainText(parts)
	if (err != nil) != (wantErr != nil) && plain {
		t.Fatalf("Join(%+q): error %v, want %v", parts, err, wantErr)
	}
	if err != nil {
		return nil
	}
	own, err := regexp.Compile(p.String())
	if err != nil {
		t.Fatalf("Join(%+q).String() = %q: %v", parts, p, err)
	}
	at := make([]int, 2*p.Captures())
	for _, s := range inputs {
		var want []int
		if plain {
			want = references(re, s)
			if own.MatchString(s) != (want != nil) {
				t.Fatalf("%+q: String() = %q for %q: %t", parts, p, s, want == nil)
			}
		} else if all := cuts(t, parts, s); len(all) > 1 {
			t.Fatalf("%v is compiled but matches %q in %d ways: %v", p, s, len(all), all)
		} else if len(all) == 1 {
			want = append([]int{}, all[0]...)
		}
		if got := p.Match(s); got != (want != nil) {
			t.Fatalf("%+q: Match(%q) = %t, want %t (compiled %t)", parts, s, got, !got, p.Compiled())
		}
		if got := p.Find(s, at); got != (want != nil) || got && !slices.Equal(at, want) {
			t.Fatalf("%+q: Find(%q) = %t, %v, want %v (compiled %t)", parts, s, got, at, want, p.Compiled())
		}
	}
	return p
}

// references returns where the outer groups of re match in s, or nil.
func references(re *regexp.Regexp, s string) []int {
	found := re.FindStringSubmatchIndex(s)
	if found == nil {
		return nil
	}
	want := []int{}
	for i := 0; ; i++ {
		group := re.SubexpIndex(fmt.Sprintf("part%d", i))
		if group < 0 {
			return want
		}
		want = append(want, found[2*group], found[2*group+1])
	}
}

// nearly returns strings for the tables: s, and s with each byte changed, left
// out and doubled.
func nearly(s string) []string {
	list := []string{"", s, s + s}
	for i := range len(s) {
		for _, b := range []string{"", s[i:i+1] + s[i:i+1], "-", "a", "0", "/", "\n", "é", "\xff", "\uFFFD", "\u212A"} {
			list = append(list, s[:i]+b+s[i+1:], s[:i]+b+s[i:])
		}
	}
	return list
}

func TestTablesAgainstRegexp(t *testing.T) {
	inputs := []string{strings.Repeat("ab", 100) + "a", strings.Repeat("a", 100), strings.Repeat("a", 101)}
	for _, test := range benchmarks() {
		inputs = append(inputs, nearly(test.s)...)
	}
	for _, s := range []string{"abc", "größe", "a.bc", "jpeg", "foobar", "bcad", "a-b-c", "x.json", "v1.2.3", "é", "Kg", "ID-ff", "\n", "\x00", "\uFFFC", "aaa", "a0bacAdgG"} {
		inputs = append(inputs, nearly(s)...)
	}
	for _, expr := range append(compiledExprs, regexpExprs...) {
		if expr != "" {
			check(t, []Part{{Expr: expr}}, inputs)
		}
	}
	for _, test := range benchmarks() {
		check(t, test.parts, inputs)
	}
}

// TestGeneratedAgainstRegexp tries expressions of every shape, and strings made
// from them.
func TestGeneratedAgainstRegexp(t *testing.T) {
	rounds := 5000
	if testing.Short() {
		rounds = 500
	}
	rng := rand.New(rand.NewPCG(1, 2))
	g := generator{rng}
	compiled, matched, several := 0, 0, 0
	for range rounds {
		parts := []Part{{Expr: g.expr(3)}}
		for rng.IntN(3) == 0 {
			parts = append(parts, g.part())
		}
		inputs := []string{"", "-"}
		for range 10 {
			inputs = append(inputs, g.text(parts))
		}
		p := check(t, parts, inputs)
		if p == nil || !p.Compiled() {
			continue
		}
		compiled++
		if len(parts) > 1 {
			several++
		}
		for _, s := range inputs {
			if p.Match(s) {
				matched++
			}
		}
	}
	t.Logf("%d of %d compiled, %d of them of several parts; %d matches", compiled, rounds, several, matched)
	if compiled < rounds/4 || several < rounds/20 || matched < rounds {
		t.Error("too few expressions are compiled or match for the test to tell much")
	}
}

// A generator makes expressions and strings of a small alphabet, so that they
// meet.
type generator struct{ *rand.Rand }

func (g generator) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g generator) part() Part {
	if g.IntN(2) == 0 {
		return Part{Text: g.pick("-", ".", "a", "ab", "é", "/x-", "\xff", "\xa9", "\uFFFD", "")}
	}
	return Part{Expr: g.expr(2)}
}

func (g generator) expr(depth int) string {
	if depth == 0 {
		return g.pick("a", "b", "-", `\.`, "é", "0", "ab", "[a-b]", "[ab0]", "[0-9]", "[^/]", ".", "[^-]", "(?s:.)", `\w`,
			"(?i:a)", g.pick("(?i)k", `\Qa.`, `[é0]`, `[^é]`, `\x{FFFD}`, `$`, `^`, `\b`, ""))
	}
	switch g.IntN(7) {
	case 0, 1:
		return g.expr(depth-1) + g.expr(depth-1)
	case 2:
		return g.expr(depth-1) + g.expr(depth-1) + g.expr(depth-1)
	case 3:
		return "(" + g.expr(depth-1) + "|" + g.expr(depth-1) + ")"
	case 4:
		return "(?:" + g.expr(depth-1) + ")" + g.pick("*", "+", "?", "{2}", "{1,2}", "{2,}", "*?", "??")
	case 5:
		return g.pick("[a-z]+", "[0-9]{2}", "[^/]+", "-", "a|b", "ab|ac|d", "a*", "-?", `(-[a-z]+)*`, "[^-/]*")
	}
	return g.expr(depth - 1)
}

// text returns a string that parts may match.
func (g generator) text(parts []Part) string {
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(part.Text)
		if part.Expr == "" {
			continue
		}
		if tree, err := syntax.Parse(part.Expr, syntax.Perl); err == nil {
			g.write(&b, tree)
		}
	}
	s := b.String()
	if g.IntN(3) == 0 {
		near := nearly(s)
		s = near[g.IntN(len(near))]
	}
	return s
}

// write writes a match of re, but for its assertions.
func (g generator) write(b *strings.Builder, re *syntax.Regexp) {
	low, high := 0, 3
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		if n := len(re.Rune); n > 0 {
			i := g.IntN(n) &^ 1
			b.WriteRune(re.Rune[i] + g.Int32N(min(re.Rune[i+1]-re.Rune[i], 200)+1))
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteString(g.pick("a", "-", "é", "\xff", "\n", "0", "\uFFFD"))
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			g.write(b, sub)
		}
	case syntax.OpAlternate:
		g.write(b, re.Sub[g.IntN(len(re.Sub))])
	case syntax.OpRepeat:
		low, high = re.Min, max(re.Max, re.Min)
		fallthrough
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest:
		for range min(low+g.IntN(high-low+1), 8) {
			g.write(b, re.Sub[0])
		}
	}
}

// made returns a short string that parts may match.
func made(parts []Part, seed uint64) string {
	s := generator{rand.New(rand.NewPCG(seed, seed))}.text(parts)
	return s[:min(len(s), 60)]
}

func FuzzMatch(f *testing.F) {
	for _, expr := range append(compiledExprs, regexpExprs...) {
		f.Add(expr, "a")
	}
	for _, test := range benchmarks() {
		f.Add(test.parts[0].Expr, test.s)
	}
	f.Fuzz(func(t *testing.T, expr, s string) {
		if len(expr) > 80 || len(s) > 80 || expr == "" {
			return // too large to be quick, or no expression
		}
		parts := []Part{{Expr: expr}}
		check(t, parts, []string{s, s + "a", s + s, "\xff" + s, made(parts, 1), made(parts, 2), made(parts, 3)})
	})
}

func FuzzJoin(f *testing.F) {
	f.Add("v", `[0-9]+`, ".", `json|xml`, "", "v1.json")
	f.Add("", `[^/]+`, ".json", ``, "", "a.json")
	f.Add("\xff", `.+`, "\xa9", ``, "\uFFFD", "\xff\xc3\xa9\uFFFD")
	f.Add("", `(a|ab)`, "", `(c|bcd)(d*)`, "", "abcd")
	f.Add("a", `(?i)b`, "c", `\Qd`, "e", "aBcde")
	f.Add("", `^`, "a", `b$`, "", "ab")
	f.Fuzz(func(t *testing.T, text1, expr1, text2, expr2, text3, s string) {
		if len(expr1)+len(expr2) > 80 || len(text1)+len(text2)+len(text3) > 20 || len(s) > 40 {
			return // too large to be quick, or no expression
		}
		parts := []Part{{Text: text1}, {Expr: expr1}, {Text: text2}, {Expr: expr2}, {Text: text3}}
		check(t, parts, []string{s, text1 + s + text3, s + text2 + s, made(parts, 1), made(parts, 2), made(parts, 3)})
	})
}
