package score

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/muxwell/muxwell/internal/tests/long"
	"github.com/muxwell/muxwell/similarity/load"
)

// TestCompare has the cases that the algorithm names, and a golden pair.
func TestCompare(t *testing.T) {
	forty := strings.Repeat("a", 40)
	for _, c := range []struct {
		text1, text2 string
		words        Words
		want         float64
		interpreted  string
	}{
		{"", "", ASCII, 1, "Highly Similar"},
		{"", "a", ASCII, 0, "Dissimilar"},
		{"a", " \t\n\f\r", ASCII, 0, "Dissimilar"},
		{"!?", "…", ASCII, 1, "Highly Similar"}, // nothing is left of both
		{"a b c", "c b a", ASCII, 1, "Highly Similar"},
		{"Don't  STOP", "dont stop", ASCII, 1, "Highly Similar"},
		{"a-b", "ab", ASCII, 1, "Highly Similar"},
		{"snake_case 42", "Snake_Case\r\n42", ASCII, 1, "Highly Similar"},
		{"\u212aelvin d\u0130g", "kelvin dig", ASCII, 1, "Highly Similar"},
		{"caf\u00e9", "caf", ASCII, 1, "Highly Similar"},
		{"a\vb", "ab", ASCII, 1, "Highly Similar"}, // no white space for regular expressions
		{"a b", "c d", ASCII, 0, "Dissimilar"},
		{"a b", "a c", ASCII, 0.352, "Slightly Similar"}, // β² / (α²+β²)
		{"a a a b", "a b b b", ASCII, 0.6, "Moderately Similar"},
		{forty + "b " + forty, forty + "b " + forty + "c", ASCII, 0.352, "Slightly Similar"},
		{"the quick brown fox jumps over the lazy dog", "the quick brown cat sleeps on the lazy dog", ASCII, 0.592, "Moderately Similar"},
		{"The cat sat. The end.", "The cat sat on the mat, all day long, alone.", ASCII, 0.519, "Moderately Similar"},
		{"caf\u00c9 \u0416\u0423\u041a", "\u0436\u0443\u043a\u00a0caf\u00e9", Unicode, 1, "Highly Similar"},
		{"caf\u00e9", "caf", Unicode, 0, "Dissimilar"},
		{"\u0661 a\u0301", "\u0661 \u00e1", Unicode, 1, "Highly Similar"}, // composed and decomposed
		{"\u0661 a\u0301", "\u0661 a", Unicode, 0.352, "Slightly Similar"},
		{"मैं", "में", Unicode, 0, "Dissimilar"},
		{"한국어", "\u1112\u1161\u11ab국어", Unicode, 1, "Highly Similar"},
		{"می\u200cخواهم", "میخواهم", Unicode, 0, "Dissimilar"}, // a join control is of a word
		{"a‿b", "ab", Unicode, 0, "Dissimilar"},                // so is connector punctuation
		{"\u212b", "\u00e5", Unicode, 1, "Highly Similar"},
		{"\U00010400", "\U00010428", Unicode, 1, "Highly Similar"}, // Deseret has two cases
		{"東京都です", "京都です", Unicode, 0, "Dissimilar"},
		{"東京都です", "京都です", Bigrams, 0.787, "Quite Similar"},
		{"Go言語 2", "2 言語 go", Bigrams, 1, "Highly Similar"},
		{"漢", "漢字", Bigrams, 0, "Dissimilar"},
		{"ที่นี่", "ที่ นี่", Bigrams, 0, "Dissimilar"},
	} {
		r := Compare([]byte(c.text1), []byte(c.text2), c.words)
		if r.Similarity() != c.want || r.Interpretation() != c.interpreted {
			t.Errorf("%q, %q: %v %s, want %v %s; the reference has %v", c.text1, c.text2, r.Similarity(), r.Interpretation(), c.want, c.interpreted, reference(c.text1, c.text2, c.words))
		}
		if back := Compare([]byte(c.text2), []byte(c.text1), c.words); back != r {
			t.Errorf("%q, %q: %v the other way round", c.text1, c.text2, back)
		}
	}
}

// TestHalves: a similarity that lies in the middle between two thousandths is rounded
// up, whatever floating point makes of it.
func TestHalves(t *testing.T) {
	for _, s := range []struct {
		sums sums
		want int
	}{
		{sums{all1: 1, both1: 1, all2: 256, both2: 256, product: 1}, 63},                    // 1/16 is 62.5
		{sums{all1: 2000, both1: 2000, all2: 2000, both2: 2000, product: 401}, 201},         // 200.5
		{sums{all1: 2000, both1: 2000, all2: 2000, both2: 2000, product: 1999}, 1000},       // 999.5
		{sums{all1: 2000, both1: 2000, all2: 2000, both2: 2000, product: 1}, 1},             // 0.5
		{sums{all1: 4000000, both1: 4000000, all2: 1, both2: 1, product: 1}, 1},             // 0.5
		{sums{all1: 4000001, both1: 4000001, all2: 1, both2: 1, product: 1}, 0},             // less
		{sums{all1: 3, both1: 3, all2: 3, both2: 3, product: 3}, 1000},                      // 1
		{sums{all1: 1 << 40, both1: 1 << 40, all2: 1 << 40, both2: 1 << 40, product: 1}, 0}, // hardly anything
	} {
		if got := s.sums.thousandths(); got != s.want {
			t.Errorf("%+v: %d, want %d", s.sums, got, s.want)
		}
	}
}

// randomText returns a text of words, some of which are of two texts.
func randomText(rng *rand.Rand, size int) string {
	var b strings.Builder
	for range rng.IntN(size + 1) {
		switch rng.IntN(12) {
		case 0:
			b.WriteString([]string{".", ",", "'", "-", "\u00e9", "\u0416", "\u212a", "\u0130", "\v", "\x00", "\u00a0", "\u2003", "\u0661", "\u0301", "क्षि", "漢", "字です", "ที่", "ー", "\u200d", "\U0001d400"}[rng.IntN(21)])
		case 1:
			b.WriteString(strings.Repeat("long", rng.IntN(8)))
		case 2:
			b.WriteString([]string{" ", "\t", "\n", "\r\n", "\f", "   "}[rng.IntN(6)])
		default:
			fmt.Fprintf(&b, "%c%d ", 'A'+rng.IntN(2)*32+rng.IntN(8), rng.IntN(6))
		}
	}
	return b.String()
}

// TestReference compares random pairs with the reference, with all sets of instructions.
func TestReference(t *testing.T) {
	const workers, portion = 4, 1000
	short := 20_000
	if raceEnabled {
		short = 4000
	}
	n, middle := long.Rounds(t, "pairs", short, 100_000, 1_000_000), 0
	type pair struct {
		text1, text2 string
		words        Words
		want         float64
	}
	var rngs [workers]*rand.Rand
	for i := range rngs {
		rngs[i] = rand.New(rand.NewPCG(1, uint64(i)))
	}
	for range n / (workers * portion) {
		var pairs [workers][portion]pair
		var group sync.WaitGroup
		for w, rng := range rngs {
			group.Go(func() {
				for i := range portion {
					size := 20
					if i == 0 {
						size = 3000
					}
					p := pair{text1: randomText(rng, size), text2: randomText(rng, size), words: Words(rng.IntN(3))}
					p.want = reference(p.text1, p.text2, p.words)
					pairs[w][i] = p
				}
			})
		}
		group.Wait()
		eachInstructions(func(set instructionSet) {
			for _, some := range pairs {
				for _, p := range some {
					got := Compare([]byte(p.text1), []byte(p.text2), p.words)
					if !agrees(got, p.want) {
						t.Fatalf("%q, %q (%v, %v): %d, the reference has %v", p.text1, p.text2, p.words, set, got.Thousandths, p.want)
					}
					if set == generic && got.Thousandths > 0 && got.Thousandths < 1000 {
						middle++
					}
				}
			}
		})
	}
	if middle < n/3 {
		t.Errorf("only %d of %d are neither 0 nor 1", middle, n)
	}
}

// FuzzCompare compares a pair with the reference.
func FuzzCompare(f *testing.F) {
	f.Add("Don't stop", "dont  STOP now", uint8(0))
	f.Add("", " ", uint8(1))
	f.Add("\u212a \u0130", "k i", uint8(0))
	f.Add("e\u0301 漢字", "é 漢", uint8(2))
	f.Fuzz(func(t *testing.T, text1, text2 string, kind uint8) {
		text1, text2 = strings.ToValidUTF8(text1, "\ufffd"), strings.ToValidUTF8(text2, "\ufffd")
		words := Words(kind % 3)
		want := reference(text1, text2, words)
		eachInstructions(func(set instructionSet) {
			if got := Compare([]byte(text1), []byte(text2), words); !agrees(got, want) {
				t.Errorf("%q, %q (%v, %v): %d, the reference has %v", text1, text2, words, set, got.Thousandths, want)
			}
		})
	})
}

// TestAnswer: from request to answer.
func TestAnswer(t *testing.T) {
	got, err := AppendAnswer([]byte("> "), []byte(`{"text1": "a b", "text2": "a\u0020\u0063"}`), ASCII)
	if want := `> {"similarity":0.352,"interpretation":"Slightly Similar"}`; string(got) != want || err != nil {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	if got, err := AppendAnswer([]byte("> "), []byte(`{}`), ASCII); string(got) != "> " || err == nil {
		t.Errorf("%s, %v", got, err)
	}
}

// TestLargeNotKept: what has grown large does not stay in the pool.
func TestLargeNotKept(t *testing.T) {
	for name, c := range map[string]*counter{
		"text":   {text: make([]byte, 0, maxKeptText+1)},
		"normal": {normal: make([]byte, 0, maxKeptText+1)},
		"piece":  {piece: make([]byte, 0, maxKeptText+1)},
		"long":   {long: make([]byte, 0, maxKeptText+1)},
		"words":  {words: make([]entry, 0, maxKeptWords+1)},
	} {
		c.release()
		for range 100 {
			if counters.Get() == any(c) {
				t.Errorf("%s: a counter beyond the limit came back", name)
			}
		}
	}
}

// prose returns n bytes of words and full stops; messy adds all else that there is.
func prose(n int, seed uint64, messy bool) string {
	rng := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	for b.Len() < n {
		for range 2 + rng.IntN(9) {
			b.WriteByte(byte('a' + int(rng.ExpFloat64()*4)%26))
		}
		switch k := rng.IntN(12); {
		case k == 0:
			b.WriteString(". ")
		case messy && k < 5:
			b.WriteString([]string{", ", "\u2014", " (", ") ", "'s ", "\u00e9t\u00e9 ", "\t", "\n", "; ", "\u201c", "! "}[rng.IntN(11)])
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// bodies is how many requests the benchmarks have, of texts of 10,000 characters.
const bodies = 256

// pairs returns the texts of generated requests.
func pairs(b *testing.B, kind load.Kind) (texts [bodies][2][]byte) {
	b.Helper()
	for i, body := range load.Bodies(kind, bodies, 1) {
		r, err := Scan(body)
		if err != nil {
			b.Fatal(err)
		}
		texts[i] = [2][]byte{r.Text1, r.Text2}
	}
	return texts
}

// BenchmarkCompare compares texts.
//
//	go test -run - -bench . -count 10 ./score
func BenchmarkCompare(b *testing.B) {
	for _, kind := range []load.Kind{load.Plain, load.Messy} {
		texts := pairs(b, kind)
		for words, name := range wordNames {
			eachInstructions(func(set instructionSet) {
				b.Run(fmt.Sprintf("text=%v/words=%s/impl=%v", kind, name, set), func(b *testing.B) {
					b.ReportAllocs()
					for i := 0; b.Loop(); i++ {
						p := &texts[i%bodies]
						Compare(p[0], p[1], Words(words))
					}
				})
			})
			b.Run(fmt.Sprintf("text=%v/words=%s/impl=regexp", kind, name), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					p := &texts[i%bodies]
					reference(string(p[0]), string(p[1]), Words(words))
				}
			})
		}
	}
}

// BenchmarkAnswer takes requests, and has the steps of one on their own: what copying
// it takes, which is part of all others, then reading it, and finding the words in it.
func BenchmarkAnswer(b *testing.B) {
	for _, kind := range []load.Kind{load.Plain, load.Messy} {
		texts, requests := pairs(b, kind), load.Bodies(kind, bodies, 1)
		work, dst := make([]byte, 100_000), make([]byte, 0, 100)
		var f finder
		for _, step := range []struct {
			name string
			do   func(body []byte, texts [2][]byte) error
		}{
			{"copy", func([]byte, [2][]byte) error { return nil }},
			{"scan", func(body []byte, _ [2][]byte) error { _, err := Scan(body); return err }},
			{"edges", func(_ []byte, texts [2][]byte) error {
				for _, text := range texts {
					f.reset(false)
					for at := 0; at < len(text); {
						at = f.find(text, at)
						f.n -= f.final()
					}
				}
				return nil
			}},
			{"compare", func(_ []byte, texts [2][]byte) error { Compare(texts[0], texts[1], ASCII); return nil }},
			{"all", func(body []byte, _ [2][]byte) error { _, err := AppendAnswer(dst, body, ASCII); return err }},
		} {
			eachInstructions(func(set instructionSet) {
				b.Run(fmt.Sprintf("text=%v/loops=%v/step=%s", kind, set, step.name), func(b *testing.B) {
					b.ReportAllocs()
					for i := 0; b.Loop(); i++ {
						body := work[:copy(work, requests[i%bodies])]
						if err := step.do(body, texts[i%bodies]); err != nil {
							b.Fatal(err)
						}
					}
				})
			})
		}
	}
}
