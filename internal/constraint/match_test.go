package constraint

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/muxwell/muxwell/internal/tests/random"
)

// check compares what a constraint's function matches with what its expression, run
// by package regexp, does.
func check(t *testing.T, b *Builtin, text string) {
	t.Helper()
	if got, want := b.Matches(text), whole(b).MatchString(text); got != want {
		t.Errorf("%s of %q: got %t, the expression says %t", b.Name, text, got, want)
	}
}

// whole returns a constraint's expression for a whole text.
func whole(b *Builtin) *regexp.Regexp {
	re, ok := expressions[b.Expr]
	if !ok {
		re = regexp.MustCompile(`\A(?:` + b.Expr + `)\z`)
		expressions[b.Expr] = re
	}
	return re
}

var expressions = make(map[string]*regexp.Regexp)

// edges are, for each constraint, texts that match and texts that nearly do.
var edges = map[string]struct{ yes, no []string }{
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

func TestEdges(t *testing.T) {
	for i := range Builtins {
		b := &Builtins[i]
		if len(edges[b.Name].yes) == 0 || len(edges[b.Name].no) == 0 {
			t.Errorf("%s: there is no row with texts that match and texts that do not", b.Name)
		}
		for want, texts := range map[bool][]string{true: edges[b.Name].yes, false: edges[b.Name].no} {
			for _, text := range texts {
				if got := b.Matches(text); got != want {
					t.Errorf("%s of %q: got %t, want %t", b.Name, text, got, want)
				}
				check(t, b, text)
			}
		}
	}
	for name := range edges {
		if Find(name) == nil {
			t.Errorf("%s has a row, and is no constraint", name)
		}
	}
}

// TestBytes runs all texts of one byte, and of two bytes, and each example with each
// byte in each place.
func TestBytes(t *testing.T) {
	for i := range Builtins {
		b := &Builtins[i]
		for c := range 256 {
			check(t, b, string([]byte{byte(c)}))
			for d := range 256 {
				check(t, b, string([]byte{byte(c), byte(d)}))
			}
		}
		for i := range len(b.Example) {
			for c := range 256 {
				check(t, b, b.Example[:i]+string([]byte{byte(c)})+b.Example[i+1:])
			}
		}
	}
}

// TestMutations runs texts that nearly match.
func TestMutations(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"0", "9", "5", "a", "f", "g", "Z", "-", ".", "_", "é", "\xff", "\x00", "\n", "00", "25", "255", "02", "29", "30", "31"}
	for i := range Builtins {
		b, matched := &Builtins[i], 0
		for range 20_000 {
			text := random.Pick(src, append(edges[b.Name].yes, b.Example)...)
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
			check(t, b, text)
			if b.Matches(text) {
				matched++
			}
		}
		if matched < 1000 || matched > 19_000 {
			t.Errorf("%s: %d of 20000 texts match; they should be of both kinds", b.Name, matched)
		}
	}
}

// TestDates runs the dates of a whole cycle of the calendar, and those
// that no calendar has: each day from 00 to 39 of each month from 00 to 19.
func TestDates(t *testing.T) {
	expr := whole(Find("date"))
	days := 0
	for year := 1800; year < 2200; year++ {
		if testing.Short() && year%4 != 0 && year%100 > 2 {
			continue
		}
		for month := range 20 {
			for day := range 40 {
				text := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
				_, err := time.Parse(time.DateOnly, text)
				if got, want := isDate(text), err == nil; got != want || expr.MatchString(text) != want {
					t.Errorf("%s: got %t, the expression says %t, want %t", text, got, expr.MatchString(text), want)
				} else if got {
					days++
				}
			}
		}
	}
	if !testing.Short() && days != 146_097 {
		t.Errorf("%d days in 400 years, want 146097", days)
	}
	for century := range 100 {
		text := fmt.Sprintf("%02d00-02-29", century)
		if got, want := isDate(text), century%4 == 0; got != want || expr.MatchString(text) != want {
			t.Errorf("%s: got %t, the expression says %t, want %t", text, got, expr.MatchString(text), want)
		}
	}
}

func FuzzMatches(f *testing.F) {
	for i, b := range Builtins {
		for _, text := range slices.Concat(edges[b.Name].yes, edges[b.Name].no) {
			f.Add(uint8(i), text)
		}
	}
	f.Fuzz(func(t *testing.T, i uint8, text string) {
		check(t, &Builtins[int(i)%len(Builtins)], text)
	})
}

func TestIsName(t *testing.T) {
	want := regexp.MustCompile(`\A[A-Za-z_][A-Za-z_0-9]*\z`)
	check := func(s string) {
		if got := IsName(s); got != want.MatchString(s) {
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
// BenchmarkMatches compares the functions with package regexp on their expressions.
func BenchmarkMatches(b *testing.B) {
	for i := range Builtins {
		c := &Builtins[i]
		for _, way := range []struct {
			name    string
			matches func(string) bool
		}{
			{"function", c.Matches},
			{"regexp", whole(c).MatchString},
		} {
			b.Run("name="+c.Name+"/way="+way.name, func(b *testing.B) {
				for b.Loop() {
					if !way.matches(c.Example) {
						b.Fatalf("%q does not match", c.Example)
					}
				}
			})
		}
	}
}
