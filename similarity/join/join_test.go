package join

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/tests/long"
	"github.com/muxwell/muxwell/similarity/load"
	"github.com/muxwell/muxwell/similarity/load/installed"
	"github.com/muxwell/muxwell/similarity/score"
)

// naive returns the pairs by comparing each text with each other.
func naive(threshold int, a, b []score.Vector, same bool) (pairs []Pair) {
	for k := range b {
		for i := range a {
			if same && i >= k || a[i].IsWordless() || b[k].IsWordless() {
				continue
			}
			if r := score.Cosine(a[i], b[k]); r.Thousandths >= threshold {
				pairs = append(pairs, Pair{i, k, r.Thousandths})
			}
		}
	}
	return pairs
}

// joined returns the pairs of two blocks.
func joined(j *Join, a, b *Block) (pairs []Pair) {
	for t := range b.Tiles() {
		pairs = j.AppendPairs(pairs, a, b, t)
	}
	return pairs
}

// texts returns texts of different kinds and sizes, some of them similar.
func texts(rng *rand.Rand, n int) (vectors []score.Vector) {
	var all []string
	for len(all) < n {
		size := 1 + rng.IntN(1<<(1+rng.IntN(12)))
		text := load.Texts(load.Kind(rng.IntN(2)), 1, size, rng.Uint64())[0]
		switch rng.IntN(8) {
		case 0:
			text = "." // without words
		case 1, 2, 3:
			if len(all) > 0 {
				words := strings.Fields(all[rng.IntN(len(all))])
				for range len(words) / (1 + rng.IntN(40)) {
					words[rng.IntN(len(words))] = fmt.Sprint("w", rng.IntN(100))
				}
				text = strings.Join(words, " ")
			}
		}
		all = append(all, text)
	}
	for _, text := range all {
		vectors = append(vectors, score.Prepare([]byte(text), score.ASCII))
	}
	return vectors
}

// TestJoin compares pairs with those that a naive search finds.
func TestJoin(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	eachInstructions(func() {
		for n := range 40 {
			va, vb := texts(rng, rng.IntN(200)), texts(rng, rng.IntN(200))
			threshold := 1 + rng.IntN(1000)
			j := New(threshold, va[:len(va)/(1+n%3)])
			a, b := j.NewBlock(va), j.NewBlock(vb)
			if got, want := joined(j, a, b), naive(threshold, va, vb, false); !slices.Equal(got, want) {
				t.Fatalf("%s, threshold %d: %d pairs of two blocks, want %d", instructions, threshold, len(got), len(want))
			}
			if got, want := joined(j, a, a), naive(threshold, va, va, true); !slices.Equal(got, want) {
				t.Fatalf("%s, threshold %d: %d pairs of one block, want %d", instructions, threshold, len(got), len(want))
			}
			if s := j.Statistics(); s.Compared < s.Reached || s.Reached < s.Candidates || s.Candidates < s.Found {
				t.Errorf("%+v", s)
			}
		}
	})
}

// TestWide has texts with so many words that the products of their sketches do not fit.
func TestWide(t *testing.T) {
	text := func(from, n int) score.Vector {
		var b []byte
		for i := range n {
			b = fmt.Appendf(b, "w%d ", from+i)
		}
		return score.Prepare(b, score.ASCII)
	}
	v := []score.Vector{text(0, 300_000), text(0, 1000), text(1000, 290_000), text(500_000, 300_000), text(10_000, 290_000)}
	j := New(800, v)
	b := j.NewBlock(v)
	if !b.isWide(0) || b.isWide(1) {
		t.Fatal("the texts are not as they should be")
	}
	if got, want := joined(j, b, b), naive(800, v, v, true); !slices.Equal(got, want) || len(want) != 3 {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestProducts compares the loops with simple ones.
func TestProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	eachInstructions(func() {
		for range 200 {
			var rows [Tile]row
			var zeros [][]int16
			for i := range rows {
				for d := range rows[i] {
					if rng.IntN(3) == 0 {
						rows[i][d] = int16(rng.IntN(countUnit + 1))
					}
				}
				zeros = append(zeros, nonzero(&rows[i]))
			}
			var products []int32
			r := &rows[rng.IntN(Tile)]
			for i := range rows {
				sum := int32(0)
				for d := range r {
					sum += int32(r[d]) * int32(rows[i][d])
				}
				products = append(products, sum)
			}
			least, want := products[rng.IntN(Tile)], uint32(0)
			for i, product := range products {
				if product >= least {
					want |= 1 << i
				}
			}
			if got := reaching(r, &rows, zeros, least); got != want {
				t.Fatalf("%s: %032b reach %d, want %032b", instructions, got, least, want)
			}
			var s1, s2 row
			var common1, common2 int32
			for left := squareUnit; left > 0; {
				x := int16(rng.IntN(left + 1))
				s1[rng.IntN(Width)], s2[rng.IntN(Width)] = x, x
				left -= int(x) + 1
			}
			for d := range s1 {
				if s2[d] > 0 {
					common1 += int32(s1[d])
				}
				if s1[d] > 0 {
					common2 += int32(s2[d])
				}
			}
			i := rng.IntN(Tile)
			if p, c1, c2 := both(r, &rows[i], &s1, &s2); p != products[i] || c1 != common1 || c2 != common2 {
				t.Fatalf("%s: %d %d %d, want %d %d %d", instructions, p, c1, c2, products[i], common1, common2)
			}
		}
	})
}

// FuzzBound has two texts that must not be excluded if they are similar.
func FuzzBound(f *testing.F) {
	f.Add("a b b c", "a b c c", 800)
	f.Add("a", "a a a a a a a a a", 1000)
	f.Fuzz(func(t *testing.T, text1, text2 string, threshold int) {
		threshold = 1 + int(uint(threshold)%1000)
		v := []score.Vector{score.Prepare([]byte(text1), score.ASCII), score.Prepare([]byte(text2), score.ASCII)}
		for _, sample := range [][]score.Vector{nil, v[:1]} {
			j := New(threshold, sample)
			b := j.NewBlock(v)
			if got, want := joined(j, b, b), naive(threshold, v, v, true); !slices.Equal(got, want) {
				t.Errorf("threshold %d: %v, want %v", threshold, got, want)
			}
		}
	})
}

func BenchmarkJoin(b *testing.B) {
	var vectors []score.Vector
	for _, text := range load.Texts(load.Plain, 2048, 2048, 1) {
		vectors = append(vectors, score.Prepare([]byte(text), score.ASCII))
	}
	b.Run("step=block", func(b *testing.B) {
		j := New(800, vectors)
		for b.Loop() {
			j.NewBlock(vectors)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(vectors)), "ns/text")
	})
	eachInstructions(func() {
		b.Run("step=pairs/impl="+instructions, func(b *testing.B) {
			j := New(800, vectors)
			block := j.NewBlock(vectors)
			for b.Loop() {
				joined(j, block, block)
			}
			s := j.Statistics()
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(s.Compared), "ns/pair")
			b.ReportMetric(float64(s.Reached)/float64(s.Compared), "reached/pair")
			b.ReportMetric(float64(s.Candidates)/float64(s.Compared), "candidates/pair")
		})
	})
	b.Run("step=pairs/impl=naive", func(b *testing.B) {
		some := vectors[:256]
		for b.Loop() {
			naive(800, some, some, true)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(some)*(len(some)-1)/2), "ns/pair")
	})
}

// TestInstalled compares the pairs among documents that are installed on this machine with
// those of a naive search.
func TestInstalled(t *testing.T) {
	if !long.Enabled() {
		t.Skip("compares millions of real texts; set MUXWELL_LONG=1")
	}
	for _, size := range []int{0, 2048} {
		var vectors []score.Vector
		n := 0
		for _, dir := range []string{"/usr/share/common-licenses", "/usr/share/man"} {
			err := installed.Walk([]string{dir}, installed.Limits{Size: size}, func(_, text string) error {
				if n++; n%12 == 0 {
					vectors = append(vectors, score.Prepare([]byte(text), score.ASCII))
				}
				return nil
			})
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
		if len(vectors) < 100 {
			t.Skip("there are few documents")
		}
		want := naive(500, vectors, vectors, true)
		for _, threshold := range []int{500, 800, 950} {
			eachInstructions(func() {
				j := New(threshold, vectors)
				b := j.NewBlock(vectors)
				want := slices.DeleteFunc(slices.Clone(want), func(p Pair) bool { return p.Thousandths < threshold })
				if got := joined(j, b, b); !slices.Equal(got, want) {
					t.Errorf("%s, threshold %d: %d pairs, want %d", instructions, threshold, len(got), len(want))
				}
				s := j.Statistics()
				t.Logf("%d documents, size %d, threshold %d: %.1f candidates and %.1f pairs per document", len(vectors), size, threshold,
					float64(s.Candidates)/float64(len(vectors)), float64(s.Found)/float64(len(vectors)))
			})
		}
	}
}
