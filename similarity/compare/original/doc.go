// Package original compares two texts with a first version of the code in Go. It
// uses package regexp, maps of strings, encoding/json and net/http. Package score is measured
// against it and must give the same answers.
//
//	ToLower ─► normalise ─► Split ─► map[string]int ─► tf·idf vectors ─► cosine
//
// The pipelines differ in the second step only: two regular expressions, a
// [strings.Replacer], or a [bytereplace.Replacer].
package original
