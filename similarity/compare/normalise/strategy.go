package normalise

import "github.com/muxwell/muxwell/similarity/score"

// A Strategy is a way to normalize a text. It has one of the two functions.
type Strategy struct {
	Name string
	// ASCII reports whether texts must be ASCII. Such a strategy does not convert the two
	// other characters with an ASCII lower-case letter, U+0130 and U+212A, or keeps
	// characters that must be deleted.
	ASCII bool
	// Text returns the normalized text.
	Text func(text string) string
	// Bytes appends the normalized text to dst, which must not overlap with the text.
	Bytes func(dst, text []byte) []byte
}

// strategies are all strategies.
var strategies = []Strategy{
	{Name: "regexps", Text: regexps},
	{Name: "re2", Text: byRE2},
	{Name: "nested-loops", ASCII: true, Text: nestedLoops},
	{Name: "ascii-ranges", ASCII: true, Bytes: asciiRanges},
	{Name: "inverted-strings", ASCII: true, Text: invertedStrings},
	{Name: "inverted-bytes", ASCII: true, Bytes: invertedBytes},
	{Name: "replacer", Text: byReplacer},
	{Name: "bytereplace", ASCII: true, Bytes: table.AppendReplaceBytes},
	{Name: ours(), Bytes: score.AppendWords},
}

// ours returns the name of the strategy that uses package score, which depends on the build.
func ours() string {
	if score.Instructions() == "generic" {
		return "muxwell-purego"
	}
	return "muxwell"
}

// Strategies returns all strategies.
func Strategies() []Strategy { return strategies }

// Apply normalizes a text with the function that the strategy has.
func (s Strategy) Apply(text string) string {
	if s.Text != nil {
		return s.Text(text)
	}
	return string(s.Bytes(nil, []byte(text)))
}
