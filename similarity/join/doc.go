// Package join finds all pairs of similar texts among many, exactly: those that package score
// finds by comparing each text with each other, with the same similarities.
//
// # The filter
//
// Most pairs are excluded by a bound that is never below their similarity. Write c1 and c2 for
// the counts of a word, A for the sum of a text's squared counts, B for the same over the
// words of both texts, and p for Σ c1·c2. Package score defines the similarity as
//
//	p / √((ρA1 − (ρ−1)B1) · (ρA2 − (ρ−1)B2)),    ρ = (ln 2 / ln 5⁄3)² = 1.84…
//
// which grows with p, B1 and B2. A sketch of a text is two vectors of [Width] dimensions. Each
// word belongs to one of them: words that are frequent in a sample have one of their own, and
// others that of their hash. In the dimension of a word, the first vector has Σ c/√A, and the
// second one Σ c²/A. Counts are never negative, so
//
//   - the product of the first vectors of two texts is at least p/√(A1·A2): it has the products
//     of the words they have in common, and those of different words with the same dimension;
//   - the sum of the second vector of a text, over the dimensions in which that of the other
//     is not 0, is at least B/A.
//
// Therefore the similarity of the sketches is at least that of the texts. That it is also at
// most p/√(A1·A2), which is what it is for B = A, excludes most pairs after one product. The
// first statement is that of Cormode and Muthukrishnan, An improved data stream summary: the
// count-min sketch and its applications, J. Algorithms 55 (2005), on inner products. Numbers
// of sketches are integers that are rounded up; where a dimension exceeds 1, it is 1, which no
// product or sum of its words exceeds.
//
// Bounds over an inverted index (Bayardo, Ma and Srikant, Scaling up all pairs similarity
// search, WWW 2007) exclude fewer pairs here: the words with the greatest counts are those that
// nearly all texts have, so that even the rarest words that hold a quarter of A, without which
// no text reaches a similarity of 0.8, are most words of a text. A product of sketches takes a
// few nanoseconds with AVX-512 or AVX2.
//
// # The path of a pair
//
//	score.Prepare ─► NewBlock ─ sketch.go ─► AppendPairs ─ products ─► overlap ─► score.Cosine
package join
