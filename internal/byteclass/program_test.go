package byteclass

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
)

const uuid = `[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`

// compiledExprs do without package regexp; the others need it.
var compiledExprs = []string{
	``, `()`, `a`, `abc`, `größe`, `\Qa.b`, `\Qa.b\Ec`, `\x00`,
	`[0-9]+`, `\d+`, `\w+`, `[[:alpha:]]+`, `-?[0-9]+`, `[0-9]{4}`, `[0-9]{4,}`, `[a-z]{2,5}`, `[a-z]{100}`, `[a-z]{100}[a-z]+`, `(?:ab){100}a`, `[a-zA-Z0-9_-]+`,
	`[^/]+`, `[^/]*`, `[^/.]+`, `.+`, `.*`, `.+?`, `(?s).+`, `(?s).*`, `([^/])+`, `\D+`,
	uuid, `[0-9]{4}-[0-9]{2}-[0-9]{2}`, `([0-9]{1,3}\.){3}[0-9]{1,3}`, `([0-9a-f]{2}:){5}[0-9a-f]{2}`, `a[0-9]b[a-f]c[A-F]d[g-z][G-Z]`,
	`a|b|c`, `asc|desc`, `json|jpeg|xml|x`, `é|è|à`, `a|ab|abc`, `|a`, `a||b`, `foo|bar|fox|baz`, `a|a`, `(a|b)(c|d)`,
	`(?:json|xml)[0-9]+`, `(a|ab)c`, `x+\.json`, `.+\.json`, `[^/]+\.(?:json|html)`, `[a-z-]+-[0-9]{4}`, `.*é`,
	`v[0-9]+`, `v[0-9]+\.[0-9]+`, `v[0-9]+(\.[0-9]+)?`, `v[0-9]+(?:\.[0-9]+){0,2}`, `v?1`, `(?:v|version)?1`,
	`[a-z0-9]+(-[a-z0-9]+)*`, `[a-z0-9]+(?:[-_][a-z0-9]+)*?`, `(ab)+`, `(?:a-?)+`, `(?:ab){2,3}`, `(?:[a-z]+,)*[0-9]`,
	`[a-z][a-z0-9]*`, `(?P<name>[0-9]+)`, `((([0-9])+))`, `(a+|b+)c`, `(a*|b)c`, `(?:a*)?`, `(?:(?:a|b)c)*d`,
	`^[0-9]+$`, `^[0-9]+\z`, `\A[0-9]+$`, `(^a$)`, `^^a$$`, `^a$|^bc$`, `(?m)^a$`, `^$`, `$^`,
	`(?i)abd`, `(?i)id-[0-9a-f]+`, `(?i)kg`, `(?i)[a-z]+`, `[éè]`, `[éè]+`, `(?i)é`,
	`a{0}`, `[^/]{0}x`, `[a-z]{0,3}`, `\x{FFFC}`, `[^\x00-\x{10FFFF}]`, `(a|b)*a`, `((a)|(b))*a`, `a+a`,
}

var regexpExprs = []string{
	`[^/]`, `.`, `[^/]{2}`, `.{2,5}`, `.?`, `[^/]{2,}`, `(?:[^/]{2})+`,
	`[a-zé]*[a-z]+`, `[^/é]+`, `\pL+`, `[α-ω]{1,3}x?\pL`, `\x{FFFD}`, `a\x{FFFD}`, `[é\x{FFFD}]`, `[^\x{D800}]+`, `(?i)\x{FFFD}`,
	`a*a+`, `[a-z]+[a-z0-9]*`, `[a-z-]+-[0-9]+`, `.+\.(json|xml)`, `[^/]+-[^/]+`, `a+b?a`, `(?:a-?)+-`, `(?:a-?)+b?-`, `(?:ab)+(?:a|x)`,
	`(a*)*`, `(a*)+`, `(?:a|b*)+`, `(|a)*`, `(?:a?){2}`, `(?:a*){2,3}`,
	`a+|ab`, `(a|ab)(b|c)`, `[a-z]{9}|abcd`, `(?:a|ab*)`,
	`\b`, `\ba`, `a\B`, `a^`, `$a`, `(?m)a$\nb`, `(^a)*`, `(a$)?`, `a(?:$|b)c`,
}

func TestCompiled(t *testing.T) {
	for _, expr := range compiledExprs {
		if p, err := Compile(expr); err != nil || !p.Compiled() {
			t.Errorf("Compile(%q): left to package regexp (error %v)", expr, err)
		}
	}
	for _, expr := range regexpExprs {
		if p, err := Compile(expr); err != nil || p.Compiled() {
			t.Errorf("Compile(%q): compiled (error %v)", expr, err)
		}
	}
}

// TestWay tells by which short cut an expression is matched, if by any.
func TestWay(t *testing.T) {
	tests := []struct{ expr, want string }{
		{`[0-9]+`, "span"},
		{`[^/]*`, "span"},
		{`[a-z]{2,5}`, "span"},
		{`a|b|c`, "each"},
		{`[0-9]{4}`, "each"},
		{uuid, "each"},
		{`([0-9a-f]{2}:){5}[0-9a-f]{2}`, "each"},
		{`asc|desc`, "words"},
		{`x?`, "span"},
		{`(ab)?`, "words"},
		{`json|jpeg|xml|x`, "steps"},
		{`-?[0-9]+`, "steps"},
		{`\b`, "regexp"},
	}
	for _, test := range tests {
		p, err := Compile(test.expr)
		if err != nil {
			t.Fatal(err)
		}
		got := "steps"
		switch {
		case p.regexp != nil:
			got = "regexp"
		case p.quick == spanStep:
			got = "span"
		case p.quick == eachStep:
			got = "each"
		case p.words != nil:
			got = "words"
		}
		if got != test.want {
			t.Errorf("%s: by %s, want %s", test.expr, got, test.want)
		}
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		parts []Part
		want  syntax.ErrorCode // "" for an error that is not of syntax
	}{
		{[]Part{{Expr: `a)(b`}}, syntax.ErrUnexpectedParen},
		{[]Part{{Expr: `a)`}, {Expr: `(b`}}, syntax.ErrUnexpectedParen},
		{[]Part{{Text: "x"}, {Expr: `[`}}, syntax.ErrMissingBracket},
		{[]Part{{Expr: `*`}}, syntax.ErrMissingRepeatArgument},
		{[]Part{{Text: "a"}, {Expr: `+`}}, syntax.ErrMissingRepeatArgument},
		{[]Part{{Expr: `(?=a)`}}, syntax.ErrInvalidPerlOp},
		{[]Part{{Expr: `\`}, {Text: "a"}}, syntax.ErrTrailingBackslash},
		{[]Part{{Expr: "\xff"}}, syntax.ErrInvalidUTF8},
		{[]Part{{Expr: strings.Repeat("(", 999) + "a" + strings.Repeat(")", 999)}}, syntax.ErrNestingDepth}, // only within ^(?: and )$
		{[]Part{{Text: "\xff"}, {Expr: `\b`}}, ""},
		{[]Part{{Text: "\uFFFD"}, {Expr: `.`}}, ""},
	}
	for _, test := range tests {
		p, err := Join(test.parts...)
		var got *syntax.Error
		switch {
		case err == nil:
			t.Errorf("Join(%+q) = %v, want an error", test.parts, p)
		case errors.As(err, &got) != (test.want != ""), got != nil && got.Code != test.want:
			t.Errorf("Join(%+q): error %q, want code %q", test.parts, err, test.want)
		}
	}
}

func TestString(t *testing.T) {
	tests := []struct {
		parts []Part
		want  string
	}{
		{nil, `^(?:)$`},
		{[]Part{{Text: "a.b"}, {Text: "+"}}, `^(?:a\.b\+)$`},
		{[]Part{{Expr: `a|b`}}, `^(?:(a|b))$`},
		{[]Part{{Text: "v"}, {Expr: `[0-9]+`}, {Text: "."}, {Expr: `(?i)a|b`}}, `^(?:v([0-9]+)\.((?i)a|b))$`},
		{[]Part{{Expr: `\Qa)`}, {Text: "b"}}, `^(?:(\Qa)\E)b)$`},
		{[]Part{{Expr: `\Qa\`}}, `^(?:(\Qa\\E))$`},
		{[]Part{{Text: "\xc3"}, {Expr: "a"}}, "^(?:\uFFFD(a))$"},
		{[]Part{{Text: "\xc3"}, {Text: "\xa9"}, {Expr: "a"}}, "^(?:é(a))$"},
	}
	for _, test := range tests {
		p, err := Join(test.parts...)
		if err != nil || p.String() != test.want {
			t.Errorf("Join(%+q) = %v, %v, want %s", test.parts, p, err, test.want)
		}
	}
	if p, err := Compile(``); err != nil || p.String() != `^(?:())$` || p.Captures() != 1 {
		t.Errorf("Compile(``) = %v, %v, want ^(?:())$", p, err)
	}
}

func TestFind(t *testing.T) {
	tests := []struct {
		parts    []Part
		s        string
		want     string // what the captured parts match, joined by |; "no" if nothing does
		compiled bool
	}{
		{nil, "", "", true},
		{nil, "a", "no", true},
		{[]Part{{Text: "a"}}, "a", "", true},
		{[]Part{{Expr: `[0-9]+`}}, "12", "12", true},
		{[]Part{{Expr: `(?:a|(b))+`}}, "ab", "ab", true},
		{[]Part{{Text: "v"}, {Expr: `[0-9]+`}}, "v12", "12", true},
		{[]Part{{Text: "v"}, {Expr: `[0-9]+`}}, "v", "no", true},
		{[]Part{{Expr: `[^.]+`}, {Text: "."}, {Expr: `json|xml`}}, "a-b.json", "a-b|json", true},
		{[]Part{{Expr: `.+`}, {Text: ".json"}}, "a.json.json", "a.json", true},
		{[]Part{{Expr: `.+`}, {Text: ".json"}}, ".json", "no", true},
		{[]Part{{Expr: `[0-9]+`}, {Text: "-"}, {Expr: `[0-9]+`}, {Text: "-"}, {Expr: `[0-9]+`}}, "1-22-333", "1|22|333", true},
		{[]Part{{Expr: `a*`}, {Expr: `b*`}}, "bb", "|bb", true},
		{[]Part{{Expr: `(a)(b)?`}, {Text: "-"}, {Expr: `(c)`}}, "a-c", "a|c", true},
		{[]Part{{Expr: `(a)(b)?`}, {Text: "-"}, {Expr: `(.)`}}, "a-c", "a|c", false},
		{[]Part{{Expr: `[^/]+`}, {Text: "-"}, {Expr: `[^/]+`}}, "a-b-c", "a-b|c", false},
		{[]Part{{Expr: `[^/]+?`}, {Text: "-"}, {Expr: `[^/]+`}}, "a-b-c", "a|b-c", false},
		{[]Part{{Expr: `a|ab`}, {Expr: `c|bcd`}, {Expr: `d*`}}, "abcd", "a|bcd|", false},
		{[]Part{{Expr: `(?i)a`}, {Text: "b"}}, "Ab", "A", true},
		{[]Part{{Expr: `(?i)a`}, {Text: "b"}}, "AB", "no", true},
		{[]Part{{Expr: `a|b`}, {Text: "c"}}, "a", "no", true},
		{[]Part{{Expr: `(?P<n>a)`}, {Expr: `(?P<n>b)`}}, "ab", "a|b", true},
		{[]Part{{Expr: `(?P<n>.)`}, {Expr: `(?P<n>b)`}}, "ab", "a|b", false},
		{[]Part{{Expr: `\Qa|b`}, {Text: "c"}}, "a|bc", "a|b", true},
		{[]Part{{Expr: `^a`}, {Text: "-"}, {Expr: `b$`}}, "a-b", "a|b", true},
		{[]Part{{Text: "-"}, {Expr: `^a`}}, "-a", "no", false},
		{[]Part{{Text: "\xff"}, {Expr: `[a-z]+`}}, "\xffa", "a", true},
		{[]Part{{Text: "\xff"}, {Expr: `[a-z]+`}}, "\xfea", "no", true},
		{[]Part{{Text: "\xff"}, {Expr: `[a-z]+`}}, "\uFFFDa", "no", true},
		{[]Part{{Text: "\uFFFD"}, {Expr: `[a-z]+`}}, "\xffa", "no", true},
		{[]Part{{Text: "\uFFFD"}, {Expr: `.+`}}, "\uFFFD\xff", "\xff", true},
		{[]Part{{Text: "\xc3"}, {Expr: `.+`}}, "\xc3\xa9", "\xa9", true},
		{[]Part{{Expr: `.+`}, {Text: "\xa9"}}, "\xc3\xa9", "\xc3", true},
		{[]Part{{Text: "\xc3"}, {Text: "\xa9"}, {Expr: `.`}}, "éa", "a", false},
	}
	for _, test := range tests {
		p, err := Join(test.parts...)
		if err != nil {
			t.Errorf("Join(%+q): %v", test.parts, err)
			continue
		}
		if p.Compiled() != test.compiled {
			t.Errorf("%v: compiled %t, want %t", p, p.Compiled(), test.compiled)
		}
		at := make([]int, 2*p.Captures())
		got := "no"
		if p.Find(test.s, at) {
			var values []string
			for i := range p.Captures() {
				values = append(values, test.s[at[2*i]:at[2*i+1]])
			}
			got = strings.Join(values, "|")
		}
		if got != test.want || p.Match(test.s) != (test.want != "no") {
			t.Errorf("%v: Find(%q): %s, Match: %t, want %s", p, test.s, got, p.Match(test.s), test.want)
		}
	}
}

func TestFindPanics(t *testing.T) {
	p, err := Compile(`a`)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, 3} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Find with %d places: no panic", n)
				}
			}()
			p.Find("a", make([]int, n))
		}()
	}
}

// TestAllocs holds what the comments of Match and Find promise.
func TestAllocs(t *testing.T) {
	for _, test := range benchmarks() {
		p, at := test.program(t), make([]int, 6)
		at = at[:2*p.Captures()]
		if got := testing.AllocsPerRun(100, func() { p.Match(test.s) }); got != 0 {
			t.Errorf("%v: Match(%q): %v allocations, want 0", p, test.s, got)
		}
		if got := testing.AllocsPerRun(100, func() { p.Find(test.s, at) }); got != 0 && p.Compiled() {
			t.Errorf("%v: Find(%q): %v allocations, want 0", p, test.s, got)
		}
	}
}

// A benchmark is an expression, or several parts, with a string that matches.
type benchmark struct {
	name  string
	s     string
	parts []Part
}

func benchmarks() []benchmark {
	one := func(name, expr, s string) benchmark { return benchmark{name, s, []Part{{Expr: expr}}} }
	return []benchmark{
		one("int", `[0-9]+`, "12345678"),
		one("signed", `-?[0-9]+`, "-1234567"),
		one("word", `[a-zA-Z0-9_-]+`, "ab_cd-12"),
		one("segment", `[^/]+`, "gordon.b"),
		one("any", `.+`, "gordon/b"),
		one("hex", `[0-9a-f]+`, "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
		one("year", `[0-9]{4}`, "2024"),
		one("code", `[a-z]{2,5}`, "abcd"),
		one("date", `[0-9]{4}-[0-9]{2}-[0-9]{2}`, "2024-02-29"),
		one("uuid", uuid, "123e4567-e89b-12d3-a456-426614174000"),
		one("mac", `([0-9a-f]{2}:){5}[0-9a-f]{2}`, "00:1b:44:11:3a:b7"),
		one("ipv4", `([0-9]{1,3}\.){3}[0-9]{1,3}`, "192.168.12.255"),
		one("slug", `[a-z0-9]+(-[a-z0-9]+)*`, "a-new-hope-2"),
		one("version", `v[0-9]+\.[0-9]+`, "v12.34"),
		one("letters", `a|b|c`, "b"),
		one("order", `asc|desc`, "desc"),
		one("format", `json|jpeg|xml|html`, "html"),
		one("file", `x+\.json`, "xxxx.json"),
		one("suffix", `.+\.json`, "report.json"),
		one("fold", `(?i)[0-9a-f]+`, "DA39a3ee"),
		one("foldall", `(?i)[a-z]+`, "Standard"),
		one("overlap", `[^/]+-[0-9]+`, "gordon-12"),
		{"parts", "v12.34.json", []Part{{Text: "v"}, {Expr: `[0-9]+`}, {Text: "."}, {Expr: `[0-9]+`}, {Text: "."}, {Expr: `json|xml`}}},
	}
}

func (test benchmark) program(t testing.TB) *Program {
	p, err := Join(test.parts...)
	if err != nil || !p.Match(test.s) {
		t.Fatalf("%v does not match %q: %v", p, test.s, err)
	}
	return p
}

func BenchmarkMatch(b *testing.B) {
	for _, test := range benchmarks() {
		p := test.program(b)
		re := regexp.MustCompile(p.String())
		b.Run(fmt.Sprintf("expr=%s/way=compiled", test.name), func(b *testing.B) {
			for b.Loop() {
				p.Match(test.s)
			}
		})
		b.Run(fmt.Sprintf("expr=%s/way=regexp", test.name), func(b *testing.B) {
			for b.Loop() {
				re.MatchString(test.s)
			}
		})
	}
}

func BenchmarkFind(b *testing.B) {
	for _, test := range benchmarks() {
		p, at := test.program(b), make([]int, 6)
		re := regexp.MustCompile(p.String())
		at = at[:2*p.Captures()]
		b.Run(fmt.Sprintf("expr=%s/way=compiled", test.name), func(b *testing.B) {
			for b.Loop() {
				p.Find(test.s, at)
			}
		})
		b.Run(fmt.Sprintf("expr=%s/way=regexp", test.name), func(b *testing.B) {
			for b.Loop() {
				re.FindStringSubmatchIndex(test.s)
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, test := range benchmarks() {
		b.Run("expr="+test.name, func(b *testing.B) {
			for b.Loop() {
				test.program(b)
			}
		})
	}
}
