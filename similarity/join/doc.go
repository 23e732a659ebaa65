// Package join finds all pairs of similar texts among many. The search is exact: it finds the
// pairs, and the similarities, that package score returns when each text is compared with each
// other.
//
// # The filter
//
// Most pairs are excluded by an upper bound on their similarity. Write c1 and c2 for
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
// Therefore the similarity of the sketches is at least that of the texts. The similarity is also
// at most p/√(A1·A2), its value for B = A. This simpler bound excludes most pairs after one
// product. The first statement is that of Cormode and Muthukrishnan, An improved data stream
// summary: the count-min sketch and its applications, J. Algorithms 55 (2005), on inner products.
//
// The numbers of a sketch are rounded up to integers, and those of the first vector that exceed
// 1 are replaced by 1. The product of a dimension is still large enough. No c/√A exceeds 1, so
// the sum of c1·c2/√(A1·A2) over the dimension's words is at most the number of either text, and
// by the Cauchy–Schwarz inequality it is at most 1.
//
// Bounds over an inverted index (Bayardo, Ma and Srikant, Scaling up all pairs similarity
// search, WWW 2007) exclude fewer pairs here. Such an index has the rarest words of a text, as
// many as hold a quarter of A: a text with none of them does not reach a similarity of 0.8. But
// the words with the greatest counts are those that nearly all texts have, so the rarest words
// are most words of a text. A product of sketches takes a few nanoseconds with AVX-512 or AVX2.
//
// # The path of a pair
//
//	score.Prepare ─► NewBlock ─ sketch.go ─► AppendPairs ─ reaching ─► mayBeSimilar ─► score.Cosine
package join
