package language

import (
	"math/rand/v2"
	"testing"
)

// texts are strings that tell expressions apart.
var texts = []string{
	"", "a", "b", "ab", "aab", "abab", "A", "1", "12", "a1", "-", "a-b", "-a", ".", "..", "/", "\n", "a\n", "\na", "a\nb",
	" ", "_", "é", "K", "\u212a", "ſ", "\ufffd", "\xff", "\xffa", "\xc3", "a\xc3", "\xed\xa0\x80", "日本", "\U0010ffff", "\x00",
}

func TestHas(t *testing.T) {
	exprs := []string{
		``, `a`, `.`, `(?s).`, `[a-z]+`, `(?i)k`, `(?i)s+`, `\pL`, `[^a]`, `[^\x{FFFD}]`, `\x{FFFD}+`, `\b.*`, `.*\B`, `a\b.b`, `(?m)a$\n^b`,
		`^$`, `\A\z`, `(^|a)*`, `(?:a|\b)*b`, `(|a)+`, `(?:a{2}b)?`, `a$|b^`, `.{2}`, `\W`, `\x{10FFFF}`, `[[:^alpha:]]`, `\Qa-b\E`, `(?U)a+b`,
	}
	for _, expr := range exprs {
		s, re := set(t, expr), whole(expr)
		for _, text := range texts {
			if got, want := s.Has(text), re.MatchString(text); got != want {
				t.Errorf("New(%q).Has(%q) = %v, want %v", expr, text, got, want)
			}
		}
	}
}

func TestHasGenerated(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 800 {
		expr := generate(r, 1+r.IntN(6))
		s, re := set(t, expr), whole(expr)
		for _, text := range texts {
			if got, want := s.Has(text), re.MatchString(text); got != want {
				t.Errorf("New(%q).Has(%q) = %v, want %v", expr, text, got, want)
			}
		}
	}
}

func TestText(t *testing.T) {
	for _, text := range texts {
		for _, other := range texts {
			if got, want := Text(text).Has(other), text == other; got != want {
				t.Errorf("Text(%q).Has(%q) = %v, want %v", text, other, got, want)
			}
		}
	}
}

func TestAny(t *testing.T) {
	for _, text := range texts {
		if got, want := Any().Has(text), text != ""; got != want {
			t.Errorf("Any().Has(%q) = %v, want %v", text, got, want)
		}
	}
}

// The naive reference for Concat: each way to cut the text in two.
func TestConcat(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 400 {
		a, b := generate(r, 1+r.IntN(4)), generate(r, 1+r.IntN(4))
		x, y := set(t, a), set(t, b)
		if r.IntN(4) == 0 {
			a, x = "Text(a)", Text("a")
		}
		both := Concat(x, y)
		for _, text := range texts {
			want := x.Has(text) && y.Has("")
			for i := range text {
				want = want || x.Has(text[:i]) && y.Has(text[i:])
			}
			if got := both.Has(text); got != want {
				t.Errorf("Concat(%q, %q).Has(%q) = %v, want %v", a, b, text, got, want)
			}
		}
	}
}

func TestNewErrors(t *testing.T) {
	for _, expr := range []string{`(`, `[`, `a{1001}`, `*`, `\8`, "\xff"} {
		if s, err := New(expr); err == nil {
			t.Errorf("New(%q) = %v, want an error", expr, s)
		}
	}
}

// Every instruction leads to a match, and every operand is in order.
func TestInvariants(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 400 {
		a, b := generate(r, 1+r.IntN(5)), generate(r, 1+r.IntN(5))
		s := Concat(set(t, a), Text("x"), set(t, b))
		for i, in := range s.code {
			if in.op != opFail && !s.leadsToMatch(int32(i), map[int32]bool{}) {
				t.Fatalf("Concat(%q, Text(x), %q): instruction %d leads nowhere", a, b, i)
			}
		}
		for _, list := range s.runes {
			for i := 1; i < len(list); i++ {
				if list[i] < list[i-1] || i%2 == 0 && list[i] == list[i-1] {
					t.Fatalf("Concat(%q, Text(x), %q): runes %v are out of order", a, b, list)
				}
			}
		}
	}
}

// leadsToMatch is the naive reference for trim.
func (s *Set) leadsToMatch(i int32, seen map[int32]bool) bool {
	if seen[i] {
		return false
	}
	seen[i] = true
	switch in := s.code[i]; in.op {
	case opMatch:
		return true
	case opFork:
		return s.leadsToMatch(in.out, seen) || s.leadsToMatch(in.arg, seen)
	case opRune:
		return s.leadsToMatch(in.out, seen)
	}
	return false
}
