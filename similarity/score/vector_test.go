package score

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/muxwell/muxwell/similarity/load"
)

// checkVectors checks that vectors of two texts have the result of Compare.
func checkVectors(t *testing.T, text1, text2 string, words Words) {
	t.Helper()
	v, w := Prepare([]byte(text1), words), Prepare([]byte(text2), words)
	want := Compare([]byte(text1), []byte(text2), words)
	if got := Cosine(v, w); got != want {
		t.Fatalf("Cosine of %q and %q: %+v, want %+v", text1, text2, got, want)
	}
	if got := Cosine(w, v); got != want {
		t.Fatalf("Cosine of %q and %q: %+v, want %+v", text2, text1, got, want)
	}
}

func TestCosine(t *testing.T) {
	texts := []string{
		"", " ", "a", "A b", "_ a_b", "été e\u0301te\u0301 \u212a", "मैं में", "日本語",
		"incomprehensibilities", "Incomprehensibilities incomprehensibility", "incomprehensibl_ incomprehensiblE",
		"0123456789abcdef", "0123456789abcdefg", "0123456789abcdefh 0123456789abcdef",
	}
	for _, words := range []Words{ASCII, Unicode, Bigrams} {
		for _, text1 := range texts {
			for _, text2 := range texts {
				checkVectors(t, text1, text2, words)
			}
		}
	}
	rng := rand.New(rand.NewPCG(11, 12))
	for range 2000 {
		words := Words(rng.IntN(3))
		text := plainText(rng)
		checkVectors(t, string(text), string(plainText(rng))+string(text[:rng.IntN(len(text)+1)]), words)
	}
}

// TestCosineWords has vectors that cannot be compared.
func TestCosineWords(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Cosine(Prepare([]byte("a"), ASCII), Prepare([]byte("a"), Unicode))
}

// TestVectorBinary has vectors that another process reads.
func TestVectorBinary(t *testing.T) {
	for _, words := range []Words{ASCII, Unicode, Bigrams} {
		for _, text := range []string{"", "\u00e9", "a b b", "été 日本語 incomprehensibilities incomprehensibility"} {
			v := Prepare([]byte(text), words)
			b, err := v.MarshalBinary()
			var w Vector
			if err := errors.Join(err, w.UnmarshalBinary(b)); err != nil || !reflect.DeepEqual(v, w) {
				t.Errorf("%q: %+v after %+v, %v", text, w, v, err)
			}
			for n := range b {
				if err := w.UnmarshalBinary(b[:n]); err == nil {
					t.Errorf("%q: %d of %d bytes are a vector", text, n, len(b))
				}
			}
			if err := w.UnmarshalBinary(append(b, 0)); err == nil {
				t.Errorf("%q: a vector with another byte is one", text)
			}
		}
	}
}

// TestSize compares the size of vectors with what is in them.
func TestSize(t *testing.T) {
	short, long := Prepare([]byte("a b c"), ASCII), Prepare([]byte("a incomprehensibilities incomprehensibility"), ASCII)
	if size := short.Size(); size != 3*24 {
		t.Errorf("short words: %d", size)
	}
	if size := long.Size(); size < 3*24+2*16+5+3 {
		t.Errorf("long words: %d", size)
	}
}

// FuzzVector has hostile vectors: what is accepted is written as it was read, and can be
// compared.
func FuzzVector(f *testing.F) {
	for _, text := range []string{"", "a b b", "incomprehensibilities incomprehensibility"} {
		b, _ := Prepare([]byte(text), Unicode).MarshalBinary()
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var v Vector
		if v.UnmarshalBinary(b) != nil {
			return
		}
		var w Vector
		again, _ := v.MarshalBinary()
		if err := w.UnmarshalBinary(again); err != nil || !reflect.DeepEqual(v, w) {
			t.Errorf("%+v after %+v, %v", w, v, err)
		}
		if r := Cosine(v, w); r.Thousandths != 1000 {
			t.Errorf("%+v is not equal to itself: %d", v, r.Thousandths)
		}
	})
}

// TestHashes checks that the hashes of words differ, and that they are those of yesterday.
func TestHashes(t *testing.T) {
	var text []byte
	for i := range 100_000 {
		text = fmt.Appendf(text, "w%d incomprehensibilities%d ", i, i)
	}
	known := map[uint64]bool{}
	for hash, count := range Prepare(text, ASCII).Hashes() {
		if known[hash] || count != 1 {
			t.Fatalf("hash %x, count %d", hash, count)
		}
		known[hash] = true
	}
	if len(known) != 200_000 {
		t.Errorf("%d words", len(known))
	}
	for hash, count := range Prepare([]byte("incomprehensibilities"), Unicode).Hashes() {
		if hash != 0xdd11dea5d13f7859 || count != 1 {
			t.Errorf("hash %#x, count %d", hash, count)
		}
	}
}

func BenchmarkVector(b *testing.B) {
	for _, kind := range []load.Kind{load.Plain, load.Messy} {
		texts := pairs(b, kind)
		var vectors [][2]Vector
		for _, p := range texts {
			vectors = append(vectors, [2]Vector{Prepare(p[0], ASCII), Prepare(p[1], ASCII)})
		}
		b.Run(fmt.Sprintf("text=%v/step=prepare", kind), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				Prepare(texts[i%bodies][0], ASCII)
			}
		})
		b.Run(fmt.Sprintf("text=%v/step=cosine", kind), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				p := &vectors[i%bodies]
				Cosine(p[0], p[1])
			}
		})
	}
}
