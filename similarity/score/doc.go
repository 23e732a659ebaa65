// Package score tells how similar two texts are, by the words that they have in
// common, and answers JSON requests that ask for it.
//
// Of each text letters are lowered and everything is deleted but the characters
// [0-9A-Za-z_] and white space, which is [\t\n\f\r ], so that don't is dont; what
// stands between white space is a word. An empty text counts as one empty word. A text
// is the vector of its words' counts, each weighted by the word's idf, ln(1 + 2/(df+1)),
// where df is in how many of the two texts it stands: ln 2 for a word of one text,
// ln(5/3) for a word of both. The similarity is the cosine of the two vectors, rounded
// to three decimals, a half away from zero:
//
//	      β² Σ c1·c2
//	─────────────────────────────────────────────────     α = ln 2, β = ln(5/3)
//	√((α²(A1−B1) + β²B1) · (α²(A2−B2) + β²B2))
//
// where c1 and c2 are the counts of a word, A the sum of a text's squared counts, and
// B the same over the words of both. It is 0 if they have no word in common.
//
// # The way of a request
//
//	body ─ scan.go ─► texts ─ words.go, edges.go ─► words ─ count.go ─► sums ─ cosine.go ─► answer.go
//
// Nothing is allocated on it: strings are decoded within the body, words are read where
// they stand, and the rest is in memory from a pool. Loops over a text take eight bytes
// at a time (swar.go). Built with GOEXPERIMENT=simd for amd64 they take 64 (simd.go),
// if the processor has AVX-512 VBMI2.
package score
