package language

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// set returns the set of an expression.
func set(t testing.TB, expr string) *Set {
	t.Helper()
	s, err := New(expr)
	if err != nil {
		t.Fatalf("New(%q): %v", expr, err)
	}
	return s
}

// sets returns the sets of some expressions.
func sets(t testing.TB, exprs ...string) []*Set {
	t.Helper()
	var list []*Set
	for _, expr := range exprs {
		list = append(list, set(t, expr))
	}
	return list
}

func TestFind(t *testing.T) {
	type list = []string
	tests := []struct {
		in, out, hints list
		witness        string
		answer         Answer
	}{
		{in: list{`[0-9]+`, `[a-zA-Z]+`}, answer: None},
		{in: list{`[a-z]+`, `[a-f0-9]+`}, witness: "a", answer: Found},
		{in: list{`[0-9]+`, `[a-f0-9]+`}, witness: "0", answer: Found},
		{in: list{`[a-z]{2}`}, out: list{`[a-z]+`}, answer: None},
		{in: list{`[a-z]+`}, out: list{`[a-z]{2}`}, witness: "a", answer: Found},
		{in: list{`[a-z]+`}, out: list{`[a-z]`, `[a-m]+`}, witness: "an", answer: Found},
		{in: list{`[a-z]+`}, out: list{`[a-m].*`, `.*[n-z].*`}, answer: None},

		// Hints come first, in their order.
		{in: list{`.+`}, out: list{`[0-9]+`}, witness: "a", answer: Found},
		{in: list{`.+`}, out: list{`[0-9]+`}, hints: list{"7", "name"}, witness: "name", answer: Found},
		{in: list{`.+`}, out: list{`[0-9]+`}, hints: list{"id", "name"}, witness: "id", answer: Found},
		{in: list{`.+`}, hints: list{"a/b"}, witness: "a/b", answer: Found},
		{in: list{`.*`}, hints: list{"", ".", ".."}, witness: "a", answer: Found},

		// How well a witness reads.
		{in: list{`[^a-z]+`}, witness: "0", answer: Found},
		{in: list{`[^a-z0-9]+`}, witness: "A", answer: Found},
		{in: list{`[^a-zA-Z0-9]+`}, witness: "-", answer: Found},
		{in: list{`[^a-zA-Z0-9-]+`}, witness: "_", answer: Found},
		{in: list{`[^a-zA-Z0-9_-]+`}, witness: "!", answer: Found},
		{in: list{`[._]`}, witness: "_", answer: Found},
		{in: list{`\pL+`}, out: list{`[a-zA-Z]+`}, witness: "à", answer: Found},
		{in: list{`\p{Cyrillic}+`}, witness: "а", answer: Found},
		{in: list{`[ -~]+`}, out: list{`[!-~]+`}, witness: " ", answer: Found},
		{in: list{`[0-9]+x|[a-z]+x`}, witness: "ax", answer: Found},
		{in: list{`[0-9][a-z][A-Z]|[A-Z]{3}`}, witness: "0aA", answer: Found},

		// What is no segment of a path.
		{in: list{``}, answer: None},
		{in: list{`a*`, `b*`}, answer: None},
		{in: list{`\.{0,2}`}, answer: None},
		{in: list{`\.*`}, witness: "...", answer: Found},
		{in: list{`\.`}, answer: None},
		{in: list{`\.|\.\.`, `\.+`}, answer: None},
		{in: list{`\.[.x]`}, witness: ".x", answer: Found},
		{witness: "a", answer: Found},
		{out: list{`[^a/]*`, `a`}, witness: "aa", answer: Found},

		// A slash only if there must be one.
		{in: list{`/|[a-z]{3}`}, witness: "aaa", answer: Found},
		{in: list{`/+`}, witness: "/", answer: Found},
		{in: list{`[a-z/]+`}, out: list{`[a-z]+`}, witness: "/", answer: Found},
		{in: list{`[a-z/]+`}, out: list{`[a-z]`}, witness: "aa", answer: Found},

		// Conditions on the surroundings.
		{in: list{`^[0-9]+$`, `[0-9a-z]+`}, witness: "0", answer: Found},
		{in: list{`\A[0-9]+\z`, `^[a-z]+$`}, answer: None},
		{in: list{`a^b`}, answer: None},
		{in: list{`a$b`}, answer: None},
		{in: list{`a\b.`}, witness: "a-", answer: Found},
		{in: list{`a\B.`}, witness: "aa", answer: Found},
		{in: list{`a\b.`, `\w+`}, answer: None},
		{in: list{`\w+\b\w+`}, answer: None},
		{in: list{`.+`}, out: list{`\b.*`}, witness: "-", answer: Found},
		{in: list{`(?m)a$\s^b`}, witness: "a\nb", answer: Found},
		{in: list{`(?m)a$[^\n]^b`}, answer: None},
		{in: list{`(?:^a|b\b)+`}, out: list{`a`, `b`}, witness: "ab", answer: Found},
		{in: list{`\B`}, answer: None},

		// Letters of either case, and runes beyond ASCII.
		{in: list{`(?i)get`, `[A-Z]+`}, witness: "GET", answer: Found},
		{in: list{`(?i)k`, `[^ -~]`}, witness: "\u212a", answer: Found},
		{in: list{`[^\x00-\x{10FFFF}]`}, answer: None},
		{in: list{`[\x{D800}-\x{DFFF}]`}, answer: None},
		{in: list{`(?s).`}, out: list{`[^\n]`}, witness: "\n", answer: Found},
		{in: list{`\x{FFFD}`}, witness: "\ufffd", answer: Found},

		// Long strings.
		{in: list{`[a-z]{300}`, `a+`}, witness: strings.Repeat("a", 300), answer: Found},
		{in: list{`[a-z]{1,300}`, `[a-z0-9]{200}`, `.*0.*`}, answer: None},
		{in: list{`(a|b)*a(a|b){20}`, `a*b{20}`}, witness: "a" + strings.Repeat("b", 20), answer: Found},
	}
	for _, tt := range tests {
		in, out := sets(t, tt.in...), sets(t, tt.out...)
		if witness, answer := Find(in, out, tt.hints...); witness != tt.witness || answer != tt.answer {
			t.Errorf("Find(%q, %q, %q) = %q, %v; want %q, %v", tt.in, tt.out, tt.hints, witness, answer, tt.witness, tt.answer)
		}
		slices.Reverse(in)
		slices.Reverse(out)
		if witness, answer := Find(in, out, tt.hints...); witness != tt.witness || answer != tt.answer {
			t.Errorf("Find(%q, %q, %q) of the reverse = %q, %v; want %q, %v", tt.in, tt.out, tt.hints, witness, answer, tt.witness, tt.answer)
		}
	}
}

func TestFindConcat(t *testing.T) {
	id, number, v := Any(), set(t, `[0-9]+`), Text("v")
	line := set(t, `^\b[a-z]+\b$`) // about its own string, wherever that is
	apply := Concat(id, Text(":apply"))
	tests := []struct {
		name    string
		in, out []*Set
		witness string
		answer  Answer
	}{
		{name: "literals", in: []*Set{Text("a"), Text("b")}, answer: None},
		{name: "a literal twice", in: []*Set{Text("a"), Text("a")}, witness: "a", answer: Found},
		{name: "a literal and a parameter", in: []*Set{Any(), Text("new")}, witness: "new", answer: Found},
		{name: "a literal and a number", in: []*Set{number, Text("new")}, answer: None},
		{name: "a literal that is out", in: []*Set{Text("a")}, out: []*Set{Any()}, answer: None},
		{name: "a reserved literal", in: []*Set{Text("..")}, answer: None},
		{name: "a literal to avoid", in: []*Set{Any()}, out: []*Set{Text("a")}, witness: "b", answer: Found},
		{name: "the same set on both sides", in: []*Set{apply}, out: []*Set{number, apply}, answer: None},
		{name: "two verbs", in: []*Set{apply, Concat(id, Text(":cancel"))}, answer: None},
		{name: "a verb and any", in: []*Set{apply, id}, witness: "a:apply", answer: Found},
		{name: "a verb and a number with one", in: []*Set{apply, Concat(number, Text(":"), set(t, `[a-z]+`))}, witness: "0:apply", answer: Found},
		{name: "versions", in: []*Set{Concat(v, number, Text("."), number), Concat(v, id)}, witness: "v0.0", answer: Found},
		{name: "extensions", in: []*Set{Concat(id, Text(".json")), Concat(id, Text(".xml"))}, answer: None},
		{name: "prefix and suffix", in: []*Set{Concat(Text("a"), id), Concat(id, Text("z"))}, witness: "az", answer: Found},
		{name: "overlapping prefix and suffix", in: []*Set{Concat(Text("ab"), id), Concat(id, Text("bc"))}, witness: "abc", answer: Found},
		{name: "joined texts", in: []*Set{Concat(Text("\xc3"), Text("\xa9")), Text("é")}, witness: "é", answer: Found},
		{name: "anchors inside", in: []*Set{Concat(Text("x"), line, line)}, witness: "xaa", answer: Found},
		{name: "no string inside", in: []*Set{Concat(Text("x"), set(t, `a^b`))}, answer: None},
		{name: "an empty part", in: []*Set{Concat(set(t, `a*`), set(t, `b*`))}, witness: "a", answer: Found},
		{name: "nothing", in: []*Set{Concat()}, answer: None},
		{name: "bytes", in: []*Set{Text("\xff"), Any()}, witness: "\xff", answer: Found},
		{name: "two bytes", in: []*Set{Concat(Text("\xff"), id), Concat(Text("\xfe"), id)}, answer: None},
		{name: "a byte and more", in: []*Set{Concat(Text("\xff"), id), Concat(id, Text("a"))}, witness: "\xffa", answer: Found},
		{name: "a byte and what represents it", in: []*Set{Text("\xff"), Text("\ufffd")}, answer: None},
	}
	for _, tt := range tests {
		if witness, answer := Find(tt.in, tt.out); witness != tt.witness || answer != tt.answer {
			t.Errorf("%s: got %q, %v; want %q, %v", tt.name, witness, answer, tt.witness, tt.answer)
		}
	}
}

// Half a rune is found to be one only when it is too late.
func TestFindLost(t *testing.T) {
	in := []*Set{Concat(Text("\xc3"), set(t, `\x{FFFD}`))}
	out := []*Set{Text("\xc3\ufffd")}
	for b := 0x80; b < 0xc0; b++ {
		witness, answer := Find(in, out)
		if answer == Found && (!in[0].Has(witness) || out[0].Has(witness)) {
			t.Fatalf("got %q, which does not fit", witness)
		}
		out = append(out, Text("\xc3"+witness))
	}
}

// Expressions that would take for ever end soon.
func TestFindBudget(t *testing.T) {
	hostile := `(a|b)*a(a|b){20}`
	many := strings.Repeat(`[\pL\pN]?`, 100) + `(?:\p{Greek}|[a-z]\b.){500}`
	tests := []struct {
		in, out []string
		answer  Answer
	}{
		{in: []string{`[ab]+`, `.*`}, out: []string{hostile, `(a|b)*b(a|b){20}`, `[ab]{0,20}`}, answer: Unknown},
		{in: []string{`(?:[ab]{21})+`}, out: []string{hostile, `b.*`}, answer: Unknown},
		{in: []string{`(?:[ab]{23})+`}, out: []string{`(?:..)*a.{20}`, `(?:..)*b.{20}.`, `(?:.*a.*){20}`, `b.*`}, answer: Unknown},
		{in: []string{`(a?){1000}`, `(a?b?){500}c`}, out: []string{`(a*b*){500}c`}, answer: Unknown},
		{in: []string{`(?:\w\W){1000}`, strings.Repeat(`(?:\b.){1000}`, 50)}, answer: Unknown},
		{in: []string{many, many + `x`}, out: []string{`(x.{200})*`, many}, answer: Unknown},
		{in: []string{`(?:a{7})+`, `(?:a{11})+`, `(?:a{13})+`, `(?:a{17})+`, `(?:a{19})+`}, answer: Unknown},
	}
	for _, tt := range tests {
		in, out := sets(t, tt.in...), sets(t, tt.out...)
		start := time.Now()
		witness, answer := Find(in, out)
		took := time.Since(start)
		t.Logf("Find(%.80q, %.80q) = %q, %v in %v", tt.in, tt.out, witness, answer, took)
		if answer != tt.answer {
			t.Errorf("Find(%.80q, %.80q) = %q, %v; want %v", tt.in, tt.out, witness, answer, tt.answer)
		}
		if took > 5*time.Second {
			t.Errorf("Find(%.80q, %.80q) took %v", tt.in, tt.out, took)
		}
	}
}

// Both ways to go over the sets of in find the same, and the second answers what
// the first cannot.
func TestFindBothWays(t *testing.T) {
	find := func(in, out []*Set, inLists bool) (string, Answer) {
		out = append(slices.Clip(out), reserved)
		classes, ok := classesOf(in, out)
		if !ok {
			t.Fatal("too many classes")
		}
		return newSearch(in, out, classes, inLists).find()
	}
	r := rand.New(rand.NewPCG(9, 10))
	for range 800 {
		a, b, c := generate(r, 1+r.IntN(4)), generate(r, 1+r.IntN(4)), generate(r, 1+r.IntN(4))
		in, out := sets(t, a, b), sets(t, c)
		witness, answer := find(in, out, true)
		if w, got := find(in, out, false); w != witness || got != answer {
			t.Errorf("%q and %q without %q: %q, %v in lists; %q, %v place by place", a, b, c, witness, answer, w, got)
		}
	}

	in := sets(t, `(?:[ab]{21})+`, `(a|b)*a(a|b){20}`, `(a|b)*b(a|b){19}`)
	if witness, answer := find(in, nil, true); answer != Unknown {
		t.Errorf("in lists: %q, %v", witness, answer)
	}
	want := "ab" + strings.Repeat("a", 19)
	if witness, answer := Find(in, nil); witness != want || answer != Found {
		t.Errorf("got %q, %v; want %q, %v", witness, answer, want, Found)
	}
}

// What is too large to begin with is not taken for a search without a result.
func TestFindTooLarge(t *testing.T) {
	s, out := set(t, `(?:a|b)+`), []*Set{reserved}
	classes, _ := classesOf([]*Set{s}, out)
	search := newSearch([]*Set{s}, out, classes, true)
	search.steps = maxSteps + 1
	if witness, answer := search.find(); answer != Unknown {
		t.Errorf("got %q, %v; want Unknown", witness, answer)
	}
	var in []*Set
	for first := range 300 { // as many boundaries between classes
		in = append(in, set(t, fmt.Sprintf(`(?s:[^\x{%x}].)+`, 0x1000+3*first)))
	}
	if witness, answer := Find(in, nil); answer != Unknown {
		t.Errorf("got %q, %v for 300 sets; want Unknown", witness, answer)
	}
}

// naive returns a shortest string over the alphabet that fits, of at most four
// runes, by trying all.
func naive(in, out []*regexp.Regexp, alphabet string) (witness string, ok bool) {
	level := []string{""}
	for range 4 {
		var next []string
		for _, prefix := range level {
			for _, r := range alphabet {
				next = append(next, prefix+string(r))
			}
		}
		for _, text := range next {
			if fitsNaively(text, in, out) {
				return text, true
			}
		}
		level = next
	}
	return "", false
}

// fitsNaively is fits by package regexp.
func fitsNaively(text string, in, out []*regexp.Regexp) bool {
	matches := func(re *regexp.Regexp) bool { return re.MatchString(text) }
	return text != "" && text != "." && text != ".." &&
		!slices.ContainsFunc(out, matches) &&
		!slices.ContainsFunc(in, func(re *regexp.Regexp) bool { return !matches(re) })
}

// whole returns an expression for package regexp.
func whole(expr string) *regexp.Regexp { return regexp.MustCompile(`\A(?:` + expr + `)\z`) }

// wholes returns expressions for package regexp.
func wholes(exprs []string) []*regexp.Regexp {
	var list []*regexp.Regexp
	for _, expr := range exprs {
		list = append(list, whole(expr))
	}
	return list
}

// generate returns an expression that is some operators deep.
func generate(r *rand.Rand, depth int) string {
	if depth == 0 {
		atoms := []string{`a`, `b`, `1`, `-`, `[ab]`, `[^a]`, `.`, `\w`, `\d`, `\W`, `^`, `$`, `\b`, `\B`, `(?m:^)`, `(?m:$)`, `(?i:A)`, ``}
		return atoms[r.IntN(len(atoms))]
	}
	x := generate(r, depth-1)
	switch r.IntN(8) {
	case 0:
		return fmt.Sprintf(`(?:%s)*`, x)
	case 1:
		return fmt.Sprintf(`(%s)+`, x)
	case 2:
		return fmt.Sprintf(`(?:%s)?`, x)
	case 3:
		return fmt.Sprintf(`(?:%s){%d,2}`, x, r.IntN(3))
	case 4, 5:
		return fmt.Sprintf(`(?:%s|%s)`, x, generate(r, r.IntN(depth)))
	default:
		return x + generate(r, r.IntN(depth))
	}
}

// The naive reference: the strings of up to four runes, one by one.
func TestFindNaively(t *testing.T) {
	const alphabet = "a1-b"
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 1500
	if testing.Short() {
		rounds = 300
	}
	count := map[Answer]int{}
	for range rounds {
		in := []string{generate(r, 1+r.IntN(5))}
		var out []string
		for range r.IntN(3) {
			in = append(in, generate(r, 1+r.IntN(5)))
		}
		for range r.IntN(3) {
			out = append(out, generate(r, 1+r.IntN(4)))
		}
		witness, answer := Find(sets(t, in...), sets(t, out...))
		count[answer]++
		fit, ok := naive(wholes(in), wholes(out), alphabet)
		switch {
		case answer == Unknown:
			t.Errorf("Find(%q, %q) = Unknown", in, out)
		case answer == Found && !fitsNaively(witness, wholes(in), wholes(out)):
			t.Errorf("Find(%q, %q) = %q, which does not fit", in, out, witness)
		case answer == Found && ok && !strings.Contains(witness, "/") && len([]rune(witness)) > len(fit):
			t.Errorf("Find(%q, %q) = %q; %q is shorter", in, out, witness, fit)
		case answer == None && ok:
			t.Errorf("Find(%q, %q) = None; %q fits", in, out, fit)
		}
	}
	if count[Found] < rounds/10 || count[None] < rounds/10 {
		t.Errorf("the answers are %v, which is too few of one", count)
	}
}

func TestConcurrentUse(t *testing.T) {
	in, out := []*Set{Any(), Concat(set(t, `\b[a-z]+`), Text("-"), Any())}, sets(t, `[a-y-]+`)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 50 {
				if witness, answer := Find(in, out); witness != "a-z" || answer != Found {
					t.Errorf("got %q, %v; want %q, %v", witness, answer, "a-z", Found)
				}
			}
		})
	}
	wg.Wait()
}

func TestAnswerString(t *testing.T) {
	for a, want := range map[Answer]string{Unknown: "Unknown", None: "None", Found: "Found", 9: "Unknown"} {
		if got := a.String(); got != want {
			t.Errorf("Answer(%d).String() = %q, want %q", a, got, want)
		}
	}
}
