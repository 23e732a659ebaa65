package join

import (
	"cmp"
	"math"
	"slices"

	"github.com/muxwell/muxwell/similarity/score"
)

const (
	// Width is the number of dimensions of a sketch.
	Width = 512
	// own is the number of words with a dimension of their own.
	own = 256
	// countUnit and squareUnit are what 1 is in the vectors of a sketch.
	countUnit  = 1 << 12
	squareUnit = 1 << 14
)

// A row is one vector of a sketch.
type row = [Width]int16

// dimensions returns the dimensions of the words with the greatest weight in a sample, by
// their hashes.
func dimensions(sample []score.Vector) map[uint64]int {
	weights := map[uint64]float64{}
	for _, v := range sample {
		all := squares(v)
		for hash, count := range v.Hashes() {
			weights[hash] += float64(count) * float64(count) / all
		}
	}
	type word struct {
		hash   uint64
		weight float64
	}
	words := make([]word, 0, len(weights))
	for hash, weight := range weights {
		words = append(words, word{hash, weight})
	}
	slices.SortFunc(words, func(a, b word) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.hash, b.hash))
	})
	d := map[uint64]int{}
	for i, w := range words[:min(own, len(words))] {
		d[w.hash] = i
	}
	return d
}

// squares returns Σ c².
func squares(v score.Vector) (sum float64) {
	for _, count := range v.Hashes() {
		sum += float64(count) * float64(count)
	}
	return sum
}

// sketch sets the two vectors of the sketch of a text, and reports whether their products fit
// in 32 bits.
func (j *Join) sketch(v score.Vector, counts, squared *row) (fits bool) {
	all := squares(v)
	perCount, perSquare := countUnit/math.Sqrt(all), squareUnit/all
	var c, s [Width]float64
	for hash, count := range v.Hashes() {
		d, ok := j.dimensions[hash]
		if !ok {
			d = own + int(hash%(Width-own))
		}
		c[d] += float64(count) * perCount
		s[d] += float64(count) * float64(count) * perSquare
	}
	sum := 0
	for d := range Width {
		counts[d] = int16(min(countUnit, math.Ceil(c[d])))
		squared[d] = int16(min(squareUnit, math.Ceil(s[d])))
		sum += int(counts[d]) * int(counts[d])
	}
	return sum <= math.MaxInt32
}
