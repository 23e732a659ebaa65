package normalise

import "github.com/muxwell/muxwell/similarity/score"

// A Strategy is a way to normalise a text. It has one of the two functions.
type Strategy struct {
	Name string
	// ASCII says that texts must be ASCII: the strategy does not lower the two
	// characters outside, U+0130 and U+212A, that have a small letter inside, or leaves
	// characters that are to be deleted.
	ASCII bool
	// Text returns the text normalised.
	Text func(text string) string
	// Bytes appends the text, normalised, to dst, which does not overlap with it.
	Bytes func(dst, text []byte) []byte
}

// strategies are all strategies there are.
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

// ours returns what package score is called as it was built.
func ours() string {
	if score.SIMD() {
		return "muxwell-simd"
	}
	return "muxwell"
}

// Strategies returns all strategies.
func Strategies() []Strategy { return strategies }

// Apply normalises a text by the one function or the other.
func (s Strategy) Apply(text string) string {
	if s.Text != nil {
		return s.Text(text)
	}
	return string(s.Bytes(nil, []byte(text)))
}
