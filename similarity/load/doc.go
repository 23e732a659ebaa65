// Package load generates the data for tests and benchmarks of services, texts and
// requests of two texts each. The same seed gives the same data on every machine.
//
// Plain texts have words of the letters a to z, and periods. Messy texts have the same words,
// and everything that makes texts hard to parse: punctuation inside and around words, digits,
// all kinds of white space, characters outside ASCII, and escapes in their JSON. The requests
// follow a schedule in which each pair of texts occurs only once.
//
// [Documents] makes corpora of any number of documents with the word frequencies of real
// text, in which some documents are edits of others.
//
//	vocabulary.go ─► Texts ─ text.go, messy.go ─► Literals ─ literal.go ─► Bodies ─ body.go
//	words.txt ─► frequencies.go ─► Documents ─ document.go
package load
