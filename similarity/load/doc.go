// Package load makes the data that services are tested and compared with: texts, and
// requests of two texts each. The same seed makes the same data everywhere.
//
// Plain texts are words of a to z and full stops. Messy ones have the same words, and
// all that makes texts hard to take apart: punctuation inside and around words, digits,
// white space of all kinds, characters outside ASCII, and escapes in their JSON. A
// request follows a schedule in which no two texts ever meet twice.
//
//	vocabulary.go ─► Texts ─ text.go, messy.go ─► Literals ─ literal.go ─► Bodies ─ body.go
package load
