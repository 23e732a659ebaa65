package load

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/similarity/score"
)

// documents returns the documents of seed 1 and their texts.
func documents(n, size int) (ds []Document) {
	for d := range Documents(n, size, 1) {
		d.Text = slices.Clone(d.Text)
		ds = append(ds, d)
	}
	return ds
}

// TestDocumentsAreTheSameEverywhere: the digest holds the documents still, so that figures of
// different days are about the same ones. Fewer documents are the first ones of more.
func TestDocumentsAreTheSameEverywhere(t *testing.T) {
	digest := sha256.New()
	few := documents(300, 1000)
	for _, d := range few {
		fmt.Fprintf(digest, "%d %d %d %s\x00", d.ID, d.Origin, d.Edits, d.Text)
	}
	if got, want := hex.EncodeToString(digest.Sum(nil)[:8]), "aed2a0c7ad02127f"; got != want {
		t.Errorf("the digest is %s, want %s; figures taken before are about other documents", got, want)
	}
	for i, d := range documents(600, 1000)[:300] {
		if string(d.Text) != string(few[i].Text) {
			t.Errorf("document %d differs between 300 and 600 documents", i)
		}
	}
	for d := range Documents(1, 1000, 2) {
		if string(d.Text) == string(few[0].Text) {
			t.Error("seeds 1 and 2 have the same document")
		}
	}
}

// TestDocumentTexts: texts have words, punctuation and white space, and about the size.
func TestDocumentTexts(t *testing.T) {
	shape := regexp.MustCompile(`^\(?\w+\)?((,|\.|\n|\.\n)?[\n ]+\(?\w+\)?)*\.$`)
	for _, size := range []int{1, 100, 2048, 50_000} {
		sum := 0
		for _, d := range documents(20, size) {
			sum += len(d.Text)
			if !shape.Match(d.Text) {
				t.Errorf("document %d of %d bytes: %.200q", d.ID, size, d.Text)
			}
			var got struct{ ID, Text string }
			if err := json.Unmarshal(d.AppendJSON(nil), &got); err != nil || got.ID != fmt.Sprint(d.ID) || got.Text != string(d.Text) {
				t.Errorf("document %d of %d bytes has the JSON %.80q: %v", d.ID, size, d.AppendJSON(nil), err)
			}
		}
		if mean := sum / 20; mean < size*9/10 || mean > size*11/10+10 {
			t.Errorf("documents of %d bytes have %d on average", size, mean)
		}
	}
}

// TestDocumentStatistics: the statistics of documents are near those of man pages, which
// README.md shows.
func TestDocumentStatistics(t *testing.T) {
	const n = 1000
	var length, distinct, squares, similarity []int
	ds := documents(n, 2048)
	for i, d := range ds {
		counts, words, sum := map[string]int{}, 0, 0
		for _, w := range strings.Fields(string(score.AppendWords(nil, d.Text))) {
			sum += 2*counts[w] + 1
			counts[w]++
			words++
		}
		length, distinct, squares = append(length, words), append(distinct, len(counts)), append(squares, sum)
		for j := i + 1; j < n; j += 50 {
			similarity = append(similarity, score.Compare(d.Text, ds[j].Text, score.ASCII).Thousandths)
		}
	}
	for _, c := range []struct {
		name        string
		values      []int
		at          float64
		atLeast, to int
	}{
		{"words", length, .5, 300, 340},
		{"distinct words", distinct, .1, 115, 145},
		{"distinct words", distinct, .5, 140, 160},
		{"distinct words", distinct, .9, 155, 185},
		{"sum of squared counts", squares, .1, 850, 1200},
		{"sum of squared counts", squares, .5, 1400, 1900},
		{"sum of squared counts", squares, .9, 1900, 2900},
		{"similarity in thousandths", similarity, .1, 210, 300},
		{"similarity in thousandths", similarity, .5, 370, 450},
		{"similarity in thousandths", similarity, .9, 500, 600},
		{"similarity in thousandths", similarity, .99, 600, 700},
	} {
		slices.Sort(c.values)
		if got := c.values[int(c.at*float64(len(c.values)))]; got < c.atLeast || got > c.to {
			t.Errorf("quantile %.2f of %s is %d, want %d to %d", c.at, c.name, got, c.atLeast, c.to)
		}
	}
}

// TestEdits: one document in ten is an edit of an earlier one, and the more words are edited,
// the less similar it is.
func TestEdits(t *testing.T) {
	ds := documents(10_000, 1000)
	edits, far, pairs := 0, 0, [3]int{}
	children := map[int]int{}
	var similarity [3]float64
	for i, d := range ds {
		if d.Origin < 0 {
			if d.Edits != 0 {
				t.Errorf("document %d has edits, but no origin", i)
			}
			continue
		}
		if d.Origin >= i || d.Edits < 10 || d.Edits > 700 {
			t.Fatalf("document %d is an edit of document %d, with %d thousandths edited", i, d.Origin, d.Edits)
		}
		edits++
		children[d.Origin]++
		if i-d.Origin > 1000 {
			far++
		}
		third, _ := slices.BinarySearch([]int{100, 300}, d.Edits)
		pairs[third]++
		similarity[third] += score.Compare(d.Text, ds[d.Origin].Text, score.ASCII).Similarity()
	}
	sizes := map[int]bool{}
	for _, n := range children {
		sizes[n] = true
	}
	if edits < 900 || edits > 1100 || far < edits/20 || len(sizes) < 5 {
		t.Errorf("of 10000 documents %d are edits, %d of them far back, with %d numbers of edits", edits, far, len(sizes))
	}
	for i := range similarity {
		similarity[i] /= float64(pairs[i])
	}
	if s := similarity; s[0] < .97 || s[0] > .999 || s[1] < .9 || s[1] > .95 || s[2] < .78 || s[2] > .87 {
		t.Errorf("edits of up to 10, 30 and 70 %% are %.3f similar", s)
	}
}

// TestFrequencies: the table draws each entry as often as its weight says, and each rank has a
// word of its own.
func TestFrequencies(t *testing.T) {
	table := frequencies()
	if len(table.words) != listed || len(table.keep) != listed+tailOctaves {
		t.Fatalf("%d words and %d entries", len(table.words), len(table.keep))
	}
	known := map[string]uint32{}
	for rank := range uint32(listed << 5) {
		word := string(appendWord(nil, rank))
		if other, ok := known[word]; ok {
			t.Fatalf("ranks %d and %d have the word %q", other, rank, word)
		}
		if known[word] = rank; len(word) != wordLen(rank) {
			t.Fatalf("wordLen(%d) = %d, the word is %q", rank, wordLen(rank), word)
		}
	}
	for _, c := range [][]uint64{{1}, {1, 1}, {5, 0, 3}, {1 << 50, 1, 1 << 49}, {7, 1, 1, 1, 90}} {
		var table frequencyTable
		var sum float64
		for _, w := range c {
			sum += float64(w)
		}
		table.build(slices.Clone(c))
		share := make([]float64, len(c))
		for i := range c {
			keep := float64(table.keep[i]) / (1 << 32)
			share[i] += keep / float64(len(c))
			share[table.alias[i]] += (1 - keep) / float64(len(c))
		}
		for i, w := range c {
			if want := float64(w) / sum; max(share[i]-want, want-share[i]) > 1e-8 {
				t.Errorf("weights %d: entry %d has the share %g, want %g", c, i, share[i], want)
			}
		}
	}
}

// TestRanks: all ranks are drawn, each octave with its frequency.
func TestRanks(t *testing.T) {
	rng := documentWriter{}
	var octaves [tailOctaves + 1]int
	const n = 1_000_000
	for range n {
		rank, octave := rng.draw(), 0
		for ; rank >= listed; rank /= 2 {
			octave++
		}
		octaves[octave]++
	}
	tail := n - octaves[0]
	if tail < n/12 || tail > n/8 {
		t.Errorf("%d of a million words are rare", tail)
	}
	for k := 2; k <= 6; k++ {
		if ratio := float64(octaves[k]) / float64(octaves[k-1]); ratio < .75 || ratio > .83 {
			t.Errorf("octave %d is %.2f times as frequent as the octave before, want 0.79", k, ratio)
		}
	}
}

func BenchmarkDocuments(b *testing.B) {
	b.SetBytes(2048)
	for range Documents(b.N, 2048, 1) {
	}
}
