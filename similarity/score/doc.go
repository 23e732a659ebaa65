// Package score computes how similar two texts are by their common words, and answers
// JSON requests for it.
//
// Each text is converted to lower case. Everything is deleted except [0-9A-Za-z_] and white
// space, which is [\t\n\f\r ], so don't becomes dont. The text between white space is a word.
// [Unicode] and [Bigrams] are other kinds of words. A text without words counts as one empty
// word. A text is the vector of its words' counts, each weighted by the word's idf,
// ln(1 + 2/(df+1)), where df is the number of texts that have the word: ln 2 for a word of one
// text, ln(5/3) for a word of both. The similarity is the cosine of the two vectors, rounded
// to three decimals, half away from zero:
//
//	      β² Σ c1·c2
//	─────────────────────────────────────────────────     α = ln 2, β = ln(5/3)
//	√((α²(A1−B1) + β²B1) · (α²(A2−B2) + β²B2))
//
// where c1 and c2 are the counts of a word, A is the sum of a text's squared counts, and B is
// the same sum over the words of both texts. It is 0 if they have no word in common.
//
// # The path of a request
//
//	body ─ scan.go ─► texts ─ words.go, edges.go ─► words ─ count.go ─► sums ─ cosine.go ─► answer.go
//
// It allocates nothing: strings are decoded within the body, words are read in place, and
// other memory is from a pool. Loops over a text read 64 bytes at a time with AVX-512, or 32
// with AVX2, in assembly that tools/similarityasm writes. On other processors, or built with
// the tag purego, they read eight (swar.go).
//
// A text that is compared with many is read once, by [Prepare]. [Cosine] merges the sorted
// words of two.
package score
