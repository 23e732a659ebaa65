// Package original compares two texts as one first writes it in Go: package regexp,
// maps of strings, encoding/json, net/http. It is what package score is measured
// against, and what its answers are compared with.
//
//	ToLower ─► normalise ─► Split ─► map[string]int ─► tf·idf vectors ─► cosine
//
// The pipelines differ in the second step only: two regular expressions, a
// [strings.Replacer], or a [bytereplace.Replacer].
package original
