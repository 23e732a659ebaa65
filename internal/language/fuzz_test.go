package language

import (
	"regexp"
	"strings"
	"testing"
)

// readable returns the set of an expression of a fuzzer and its twin of package
// regexp, or false if it is not right or would take too long.
func readable(expr string) (s *Set, re *regexp.Regexp, ok bool) {
	if len(expr) > 60 {
		return nil, nil, false
	}
	re, err := regexp.Compile(`\A(?:` + expr + `)\z`)
	if err != nil {
		return nil, nil, false
	}
	if s, err = New(expr); err != nil { // as with a)(b, which is right between the parentheses
		return nil, nil, false
	}
	return s, re, true
}

// candidates returns strings that may match what is left of an expression.
func candidates(exprs ...string) []string {
	list := append([]string{"a", "b", "A", "0", "-", "a0", "...", "\n", " ", "é", "\ufffd", "aaaa", "a-b_c.d"}, exprs...)
	for _, expr := range exprs {
		plain := strings.Map(func(r rune) rune {
			if strings.ContainsRune(`\()[]{}*+?|^$`, r) {
				return -1
			}
			return r
		}, expr)
		list = append(list, plain, plain+plain)
		list = append(list, strings.FieldsFunc(expr, func(r rune) bool { return strings.ContainsRune(`\()[]{}*+?|^$`, r) })...)
		for _, r := range expr {
			list = append(list, string(r), string(r)+string(r))
		}
	}
	return list
}

func FuzzFind(f *testing.F) {
	f.Add(`[0-9]+`, `[a-z]+`, "id")
	f.Add(`.+`, `[0-9]+`, "7")
	f.Add(`^a\b.`, `(?m)a$\s^b`, "")
	f.Add(`(?i)k`, `\x{FFFD}|[^ -~]`, "\xff")
	f.Add(`(a|b)*a(a|b){9}`, `(?:[ab]{3})+`, "..")
	f.Add(`[./]*`, `\.{0,3}`, "/")
	f.Add(`\w+(?:-\w+)*`, `[[:xdigit:]]{8}(?:-[[:xdigit:]]{4}){3}`, "slug")
	f.Add(`(?:^|-)\pL+\b|\B.$`, `(?s:.)??[^\d\s]*`, "é")
	f.Add(`(?U)a{2,}|(?P<x>b?)+`, `(?-s:.{0,3})\z`, "b")
	f.Add(`(?im:^x$|\A\P{Greek}+)`, `[\x00-\x{10FFFF}]*[^/]`, "x")
	f.Fuzz(func(t *testing.T, a, b, hint string) {
		x, xre, ok := readable(a)
		if !ok {
			t.Skip()
		}
		y, yre, ok := readable(b)
		if !ok {
			t.Skip()
		}
		check(t, []*Set{x, y}, nil, []*regexp.Regexp{xre, yre}, nil, hint, candidates(a, b, hint))
		check(t, []*Set{x}, []*Set{y}, []*regexp.Regexp{xre}, []*regexp.Regexp{yre}, hint, candidates(a, b, hint))
	})
}

// check compares an answer with what package regexp says of the witness, or of
// some candidates if there is none.
func check(t *testing.T, in, out []*Set, inRE, outRE []*regexp.Regexp, hint string, candidates []string) {
	t.Helper()
	witness, answer := Find(in, out, hint)
	switch {
	case answer == Found && !fitsNaively(witness, inRE, outRE):
		t.Errorf("Find(%q, %q, %q) = %q, which does not fit", inRE, outRE, hint, witness)
	case answer == Found && witness != hint && fitsNaively(hint, inRE, outRE):
		t.Errorf("Find(%q, %q, %q) = %q; the hint fits", inRE, outRE, hint, witness)
	case answer != Found && witness != "":
		t.Errorf("Find(%q, %q, %q) = %q, %v", inRE, outRE, hint, witness, answer)
	}
	if answer != None {
		return
	}
	for _, text := range candidates {
		if fitsNaively(text, inRE, outRE) {
			t.Errorf("Find(%q, %q, %q) = None; %q fits", inRE, outRE, hint, text)
		}
	}
}

func FuzzHas(f *testing.F) {
	f.Add(`[a-z]+`, "abc")
	f.Add(`(?m)^\w+$\n^\B`, "a\n")
	f.Add(`(?i)k\b.`, "\u212a-")
	f.Add(`[^a]{2}`, "\xc3\xff")
	f.Add(`(|a\b)*`, "aa")
	f.Add(`(?:^|-)\pL+\b|\B.$`, "-é")
	f.Add(`(?U)a{2,}|(?P<x>b?)+`, "bb")
	f.Add(`(?im:^x$|\A\P{Greek}+\s)`, "Xα\n")
	f.Fuzz(func(t *testing.T, expr, text string) {
		s, re, ok := readable(expr)
		if !ok || len(text) > 1000 {
			t.Skip()
		}
		if got, want := s.Has(text), re.MatchString(text); got != want {
			t.Errorf("New(%q).Has(%q) = %v, want %v", expr, text, got, want)
		}
		if !Concat(Text(text), s).Has(text) && s.Has("") {
			t.Errorf("Concat(Text(%q), New(%q)) lacks the text", text, expr)
		}
	})
}
