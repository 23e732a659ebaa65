package normalise

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/similarity/load"
)

// outside are characters that are not ASCII: some that are lowered to ASCII, white
// space, letters, digits, and one of four bytes.
const outside = "\u0130\u212a\u00a0\u2003\u0085\u00e9\u00c9\u0416\u1e9e\u03a3\u0661\ufffd\U0001f600"

// randomText returns a text of ASCII, half of it words, or of all characters.
func randomText(rng *rand.Rand, ascii bool) string {
	others := []rune(outside)
	var b strings.Builder
	for range rng.IntN(60) {
		switch n := rng.IntN(10); {
		case n < 5:
			b.WriteByte("abcXYZ019_ "[rng.IntN(11)])
		case n < 9 || ascii:
			b.WriteByte(byte(rng.IntN(128)))
		default:
			b.WriteRune(others[rng.IntN(len(others))])
		}
	}
	return b.String()
}

// squeeze makes one blank of a run of them, and none of those at the ends.
func squeeze(text string) string {
	for strings.Contains(text, "  ") {
		text = strings.ReplaceAll(text, "  ", " ")
	}
	return strings.Trim(text, " ")
}

// TestSame: all strategies do what the regular expressions do.
func TestSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range Strategies() {
		for range 2_000 {
			text := randomText(rng, s.ASCII)
			if got, want := squeeze(s.Apply(text)), squeeze(regexps(text)); got != want {
				t.Fatalf("%s: %q: %q, want %q", s.Name, text, got, want)
			}
		}
		for _, kind := range []load.Kind{load.Plain, load.Messy} {
			text := benchText(kind, s.ASCII)
			if got, want := squeeze(s.Apply(text)), squeeze(regexps(text)); got != want {
				t.Errorf("%s: %v text: %q, want %q", s.Name, kind, got, want)
			}
		}
	}
}

// TestASCII: the strategies that are said to be for ASCII get something else wrong.
func TestASCII(t *testing.T) {
	for _, s := range Strategies() {
		wrong := squeeze(s.Apply(outside)) != squeeze(regexps(outside))
		if wrong != s.ASCII {
			t.Errorf("%s: wrong outside of ASCII: %t, said: %t", s.Name, wrong, s.ASCII)
		}
	}
}

// TestNames: the documentation's strategies are there, each with one function.
func TestNames(t *testing.T) {
	var names []string
	for _, s := range Strategies() {
		names = append(names, s.Name)
		if (s.Text == nil) == (s.Bytes == nil) {
			t.Errorf("%s has no function, or two", s.Name)
		}
	}
	for _, want := range []string{"regexps", "re2", "nested-loops", "ascii-ranges", "inverted-strings", "inverted-bytes", "replacer", "bytereplace", ours()} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is missing among %v", want, names)
		}
	}
}

// benchText returns a text of 10,000 characters, without those outside of ASCII if it is
// for a strategy that is for ASCII.
func benchText(kind load.Kind, ascii bool) string {
	text := load.Texts(kind, 1, 10_000, 1)[0]
	if ascii {
		text = strings.Map(func(r rune) rune {
			if r >= 128 {
				return -1
			}
			return r
		}, text)
	}
	return text
}

// BenchmarkNormalise takes texts of 10,000 characters, all ASCII, the same for all
// strategies.
func BenchmarkNormalise(b *testing.B) {
	for _, kind := range []load.Kind{load.Plain, load.Messy} {
		text := benchText(kind, true)
		for _, s := range Strategies() {
			b.Run("text="+kind.String()+"/strategy="+s.Name, func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(text)))
				if s.Text != nil {
					for b.Loop() {
						s.Text(text)
					}
					return
				}
				in, out := []byte(text), make([]byte, 0, len(text))
				for b.Loop() {
					out = s.Bytes(out[:0], in)
				}
			})
		}
	}
}
