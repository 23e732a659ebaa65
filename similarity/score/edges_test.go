package score

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// naivePieces returns the words that a text has, byte by byte.
func naivePieces(text string) []string {
	var words []string
	var word []byte
	for _, b := range []byte(text + " ") {
		switch {
		case 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9', b == '_':
			word = append(word, b)
		case strings.IndexByte(" \t\n\f\r", b) >= 0:
			if len(word) > 0 {
				words = append(words, string(word))
			}
			word = word[:0]
		}
	}
	return words
}

// pieces returns the same, as a finder finds it.
func pieces(text string) []string {
	var (
		f     finder
		words []string
		word  []byte
	)
	take := func(n int) {
		for i := 0; i < n; i += 2 {
			start, end := f.edges[i], f.edges[i+1]
			if word = append(word, text[start:end&^joined]...); end&joined == 0 {
				words = append(words, string(word))
				word = word[:0]
			}
		}
		f.n = copy(f.edges[:], f.edges[n:f.n])
	}
	bytes := []byte(text)
	for at := 0; at < len(text); {
		if at = f.find(bytes, at); at < len(text) {
			take(f.final())
		}
	}
	take(f.n &^ 1)
	if len(word) > 0 || f.n != 0 {
		return append(words, "not ended: "+string(word))
	}
	return words
}

func checkEdges(t *testing.T, text string) {
	t.Helper()
	if got, want := pieces(text), naivePieces(text); !slices.Equal(got, want) {
		t.Fatalf("%q has %q, want %q", text, got, want)
	}
}

// TestEdges moves texts over the end of 64 bytes and of a window.
func TestEdges(t *testing.T) {
	gap := strings.Repeat("'", 70)
	for _, text := range []string{
		"", " ", "a", "don't", "a'''b c''' '''d", "..a..", "a\xffb\x00c", "stop. Stop! 'stop'",
		gap + "a", "a" + gap + "b", "a" + gap + " b",
	} {
		for _, near := range []int{0, 64, window} {
			for before := max(0, near-80); before < near+5; before++ {
				for _, filler := range []string{" ", "x", "'", "x'"} {
					checkEdges(t, strings.Repeat(filler, before)[:before]+text)
					checkEdges(t, strings.Repeat(filler, before)[:before]+text+" behind")
				}
			}
		}
	}
}

// TestEdgesRandom has texts of all bytes, few of which are letters or many.
func TestEdgesRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 1000 {
		text := make([]byte, rng.IntN(3*window))
		letters := rng.IntN(256)
		for i := range text {
			text[i] = byte(rng.IntN(256))
			if rng.IntN(256) < letters {
				text[i] = "abcXYZ09_ "[rng.IntN(10)]
			}
		}
		checkEdges(t, string(text))
	}
}

func FuzzEdges(f *testing.F) {
	f.Add("don't stop", uint16(2040))
	f.Add("a''b \xff_\x00", uint16(63))
	f.Fuzz(func(t *testing.T, text string, before uint16) {
		before %= 2 * window
		checkEdges(t, strings.Repeat("a", int(before))+text)
		checkEdges(t, strings.Repeat("'", int(before))+text)
	})
}

// naiveMasks returns the masks of 64 bytes.
func naiveMasks(text []byte) (words, space uint64) {
	for i, b := range text {
		switch {
		case len(naivePieces(string([]byte{b}))) > 0:
			words |= 1 << i
		case strings.IndexByte(" \t\n\f\r", b) >= 0:
			space |= 1 << i
		}
	}
	return words, space
}

// TestMasks has every byte among bytes of every kind.
func TestMasks(t *testing.T) {
	for b := range 256 {
		for _, filler := range "a0_ .\t\x00\x7f" {
			text := []byte(strings.Repeat(string(filler), 64))
			text[b%64], text[(b+1)%64] = byte(b), byte(b)
			var words, space [window / 64]uint64
			masks(text, &words, &space)
			wantWords, wantSpace := naiveMasks(text)
			if words[0] != wantWords || space[0] != wantSpace {
				t.Errorf("%q: %x and %x, want %x and %x", text, words[0], space[0], wantWords, wantSpace)
			}
			if words[0], space[0] = plainMasks((*[64]byte)(text)); words[0] != wantWords || space[0] != wantSpace {
				t.Errorf("%q: %x and %x, want %x and %x", text, words[0], space[0], wantWords, wantSpace)
			}
		}
	}
}

// TestSpread: the indices of bits, from a base on.
func TestSpread(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for i := range 1000 {
		turns := rng.Uint64()
		for range i % 5 {
			turns &= rng.Uint64() // fewer bits
		}
		if i%7 == 0 {
			turns = ^turns
		}
		var want []uint32
		for bit := range 64 {
			if turns>>bit&1 == 1 {
				want = append(want, uint32(1000+bit))
			}
		}
		for name, f := range map[string]func(*[64]uint32, uint64, uint32){"spread": spread, "swarSpread": swarSpread} {
			var got [64]uint32
			if f(&got, turns, 1000); !slices.Equal(got[:len(want)], want) {
				t.Errorf("%s of %x: %d, want %d", name, turns, got, want)
			}
		}
	}
}

// TestSkipPlain: what is plain is skipped, and nothing else.
func TestSkipPlain(t *testing.T) {
	for b := range 256 {
		plain := b >= ' ' && b < 0x80 && b != '"' && b != '\\'
		for at := range 200 {
			text := []byte(strings.Repeat("a ", 128))
			text[at] = byte(b)
			for name, skip := range map[string]func([]byte, int) int{"skipPlain": skipPlain, "swarSkip": swarSkip} {
				got := skip(text, 3)
				if stops := !plain && at >= 3; got < 3 || stops && got > at || !stops && got < len(text)-64 {
					t.Fatalf("%s: %d with byte %d at %d", name, got, b, at)
				}
			}
		}
	}
}

// TestJoined: words of pieces, in texts that are longer than a window.
func TestJoined(t *testing.T) {
	for _, size := range []int{1, 15, 16, 17, 63, 64, 65, window - 1, window, window + 1, 5 * window} {
		word, inPieces := strings.Repeat("x", size), strings.Repeat("X-", size)
		for _, around := range []string{"%s", " a %s b ", "'%s'"} {
			plain, text := fmt.Sprintf(around, word), fmt.Sprintf(around, inPieces)
			if got := Compare([]byte(text), []byte(plain), ASCII); got.Thousandths != 1000 {
				t.Errorf("%d pieces in %q: %v", size, around, got)
			}
			if got, want := Counts([]byte(text), nil, ASCII), Counts([]byte(plain), nil, ASCII); !slices.Equal(got, want) {
				t.Errorf("%d pieces in %q: %v, want %v", size, around, got, want)
			}
		}
	}
}
