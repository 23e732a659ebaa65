package original

import (
	"fmt"
	"strings"
)

// A Pipeline is a way to normalize texts: to delete everything except [0-9A-Za-z_] and
// white space, and to replace white space by spaces.
type Pipeline uint8

const (
	Regexp      Pipeline = iota // two regular expressions
	Replacer                    // a strings.Replacer
	ByteReplace                 // a bytereplace.Replacer
)

var names = [...]string{"regexp", "replacer", "bytereplace"}

// String returns the name that [ParsePipeline] accepts.
func (p Pipeline) String() string {
	if int(p) < len(names) {
		return names[p]
	}
	return fmt.Sprintf("Pipeline(%d)", uint8(p))
}

// ParsePipeline returns the pipeline with a name: regexp, replacer or bytereplace.
func ParsePipeline(name string) (Pipeline, error) {
	for i, n := range names {
		if n == name {
			return Pipeline(i), nil
		}
	}
	return 0, fmt.Errorf("unknown pipeline %q; the pipelines are %s", name, strings.Join(names[:], ", "))
}

// words returns the words of a text. A text without a word has an empty one.
func (p Pipeline) words(text string) []string {
	text = strings.ToLower(text)
	switch p {
	case Replacer:
		text = replacer.Replace(text)
	case ByteReplace:
		text = table.Replace(text)
	default:
		return strings.Split(strings.Trim(byRegexps(text), " "), " ")
	}
	words := strings.Fields(text)
	if len(words) == 0 {
		words = []string{""}
	}
	return words
}
