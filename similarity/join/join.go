package join

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/muxwell/muxwell/similarity/score"
)

// A Join finds pairs. It is safe for concurrent use.
type Join struct {
	threshold  int
	dimensions map[uint64]int // of words, by their hashes

	least        int32   // of a product of sketches
	leastSquared float64 // the square of the least similarity

	compared, reached, candidates, found atomic.Uint64
}

// New returns a Join that finds pairs with a similarity of threshold thousandths or more. It
// panics unless the threshold is from 1 to 1000. A sample of some thousand of the texts makes
// the Join fast; it does not change which pairs are found.
func New(threshold int, sample []score.Vector) *Join {
	if threshold < 1 || threshold > 1000 {
		panic("join: the threshold must be from 1 to 1000")
	}
	least := (float64(threshold) - 0.5) / 1000 * (1 - 1e-9) // similarities are rounded, and sums of sketches too
	return &Join{
		threshold:    threshold,
		dimensions:   dimensions(sample),
		least:        int32(least * countUnit * countUnit),
		leastSquared: least * least,
	}
}

// A Block is a sequence of texts. Each takes 2 KiB of memory, in addition to its vector.
type Block struct {
	vectors         []score.Vector
	counts, squared []row     // of sketches, whole tiles
	nonzero         [][]int16 // the dimensions in which a sketch is not 0, for the generic loops
	wide            []uint32  // by tile, the texts whose products do not fit
}

// Tile is the number of texts of a block that are compared with one at once.
const Tile = 32

// NewBlock returns a block of texts. Only blocks of the same Join can be compared. It keeps
// vectors, which must be of the same kind of words.
func (j *Join) NewBlock(vectors []score.Vector) *Block {
	tiles := (len(vectors) + Tile - 1) / Tile
	b := &Block{
		vectors: vectors,
		counts:  make([]row, tiles*Tile),
		squared: make([]row, tiles*Tile),
		wide:    make([]uint32, tiles),
	}
	if instructions == generic {
		b.nonzero = make([][]int16, tiles*Tile)
	}
	for i, v := range vectors {
		if v.IsWordless() {
			continue // nothing is similar to zeros
		}
		if !j.sketch(v, &b.counts[i], &b.squared[i]) {
			b.wide[i/Tile] |= 1 << (i % Tile)
			b.counts[i] = row{}
		}
		if b.nonzero != nil {
			b.nonzero[i] = nonzero(&b.squared[i])
		}
	}
	return b
}

func nonzero(r *row) (dimensions []int16) {
	for d, x := range r {
		if x > 0 {
			dimensions = append(dimensions, int16(d))
		}
	}
	return dimensions
}

// nonzeroOf returns the nonzero dimensions of a tile.
func (b *Block) nonzeroOf(t int) [][]int16 {
	if b.nonzero == nil {
		return nil
	}
	return b.nonzero[t*Tile:][:Tile]
}

// Tiles returns the number of parts in which a block is compared.
func (b *Block) Tiles() int { return len(b.wide) }

// A Pair is a pair of similar texts.
type Pair struct {
	A, B        int // the indexes in the blocks
	Thousandths int // the similarity
}

// AppendPairs appends the pairs of a text of block a and one of tile t of block b to dst, sorted
// by B, then by A. If a and b are the same block, it appends those with A < B. A text without
// words has no pairs.
func (j *Join) AppendPairs(dst []Pair, a, b *Block, t int) []Pair {
	first := t * Tile
	from, n := len(dst), len(a.vectors)
	if a == b {
		n = min(n, first+Tile)
	}
	var compared, reached, candidates uint64
	for i := range n {
		mask := ^uint32(0)
		if a == b && i >= first {
			mask <<= i - first
			mask <<= 1
		}
		compared += uint64(bits.OnesCount32(mask))
		for mask &= j.reaching(a, b, i, t); mask != 0; mask &= mask - 1 {
			reached++
			k := first + bits.TrailingZeros32(mask)
			if !j.mayBeSimilar(a, b, i, k) {
				continue
			}
			candidates++
			if r := score.Cosine(a.vectors[i], b.vectors[k]); r.Thousandths >= j.threshold {
				dst = append(dst, Pair{i, k, r.Thousandths})
			}
		}
	}
	found := dst[from:]
	slices.SortFunc(found, func(p, q Pair) int { return cmp.Or(cmp.Compare(p.B, q.B), cmp.Compare(p.A, q.A)) })
	j.compared.Add(compared)
	j.reached.Add(reached)
	j.candidates.Add(candidates)
	j.found.Add(uint64(len(found)))
	return dst
}

// reaching returns which texts of a tile may be similar to text i of block a, by the products
// of the first vectors.
func (j *Join) reaching(a, b *Block, i, t int) uint32 {
	if a.isWide(i) {
		return uint32(1<<min(Tile, len(b.vectors)-t*Tile) - 1)
	}
	return reaching(&a.counts[i], (*[Tile]row)(b.counts[t*Tile:]), b.nonzeroOf(t), j.least) | b.wide[t]
}

// isWide reports whether products of the sketch of text i do not fit.
func (b *Block) isWide(i int) bool { return b.wide[i/Tile]>>(i%Tile)&1 != 0 }

// mayBeSimilar reports whether the sketches of two texts are similar.
func (j *Join) mayBeSimilar(a, b *Block, i, k int) bool {
	p, common1, common2 := both(&a.counts[i], &b.counts[k], &a.squared[i], &b.squared[k])
	product := float64(p) / (countUnit * countUnit)
	if a.isWide(i) || b.isWide(k) {
		product = 1
	}
	both1, both2 := min(1, float64(common1)/squareUnit), min(1, float64(common2)/squareUnit)
	return product*product >= j.leastSquared*(rho-(rho-1)*both1)*(rho-(rho-1)*both2)
}

// rho is the ratio of the squared weights of a word of one text and of a word of both.
var rho = math.Pow(math.Log(2)/math.Log(5./3), 2)

// Statistics say how many pairs passed which steps.
type Statistics struct {
	Compared   uint64 // by a product of sketches, with the empty places of a block's last tile
	Reached    uint64 // compared by their whole sketches
	Candidates uint64 // compared by their words
	Found      uint64 // similar
}

// Statistics returns the sums of all calls of [Join.AppendPairs] up to now.
func (j *Join) Statistics() Statistics {
	return Statistics{j.compared.Load(), j.reached.Load(), j.candidates.Load(), j.found.Load()}
}
