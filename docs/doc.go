// Package docs has the guides, and the tests that compare them with the code.
//
//	pages_test.go      reads a page: blocks of code, tables, headings, links
//	code_test.go       Go code is formatted, compiles, and its tests pass
//	commands_test.go   commands run, and print what is shown
//	examples_test.go   each row of a table of examples is so
//	docs_test.go       links lead somewhere; the tests that the threat model names are there
//
// The code of PAGE.md may use what testdata/PAGE/names.go imports and declares; PAGE is
// the page's path in the repository, such as docs/guide. A new command is added to the
// table in commands_test.go.
package docs
