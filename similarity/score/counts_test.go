package score

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// naiveCounts is Counts with the words of the reference.
func naiveCounts(text1, text2 string, words Words) []Count {
	counts := map[string]Count{}
	for i, text := range []string{text1, text2} {
		for _, word := range referenceWords(text, words) {
			c := counts[word]
			c.Word = word
			if i == 0 {
				c.Count1++
			} else {
				c.Count2++
			}
			counts[word] = c
		}
	}
	delete(counts, "")
	list := make([]Count, 0, len(counts))
	for _, c := range counts {
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b Count) int {
		return cmp.Or(b.Count1+b.Count2-a.Count1-a.Count2, strings.Compare(a.Word, b.Word))
	})
	return list
}

func TestCounts(t *testing.T) {
	sixteen := strings.Repeat("x", 16)
	for _, c := range []struct {
		text1, text2 string
		words        Words
		want         []Count
	}{
		{"", " \t!", ASCII, nil},
		{"", "a", ASCII, []Count{{"a", 0, 1}}},
		{"b a B", "a, c", ASCII, []Count{{"a", 1, 1}, {"b", 2, 0}, {"c", 0, 1}}},
		{sixteen + "y " + sixteen, sixteen + "y", ASCII, []Count{{sixteen + "y", 1, 1}, {sixteen, 1, 0}}},
		{"12345678 123456789", "1234567 123456789", ASCII, []Count{{"123456789", 1, 1}, {"1234567", 0, 1}, {"12345678", 1, 0}}},
		{"Caf\u00e9", "caf\u00c9", Unicode, []Count{{"caf\u00e9", 1, 1}}},
		{"caf\u00e9", "caf", ASCII, []Count{{"caf", 1, 1}}},
	} {
		got := Counts([]byte(c.text1), []byte(c.text2), c.words)
		if !slices.Equal(got, c.want) {
			t.Errorf("%q, %q (%d): %v, want %v", c.text1, c.text2, c.words, got, c.want)
		}
	}
}

// TestCountsReference compares random pairs with a count of the reference's words.
func TestCountsReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 5_000 {
		size, words := 30, Words(rng.IntN(2))
		if i%500 == 0 {
			size = 3000
		}
		text1, text2 := randomText(rng, size), randomText(rng, size)
		got, want := Counts([]byte(text1), []byte(text2), words), naiveCounts(text1, text2, words)
		if !slices.Equal(got, want) {
			t.Fatalf("%q, %q (%d): %v, want %v", text1, text2, words, got, want)
		}
	}
}
