package original

import (
	"regexp"
	"strings"

	"github.com/muxwell/muxwell/bytereplace"
)

var (
	others = regexp.MustCompile(`[^0-9A-Za-z_\t\n\f\r ]`)
	spaces = regexp.MustCompile(`[\t\n\f\r ]+`)
)

// byRegexps leaves one space between words.
func byRegexps(text string) string {
	return spaces.ReplaceAllString(others.ReplaceAllString(text, ""), " ")
}

// replacer and table leave one space for each character of white space.
var (
	replacer = strings.NewReplacer(pairs()...)
	table    = bytereplace.Must(bytereplace.Build(
		bytereplace.Keep(`\w\s`),
		bytereplace.Map(`\t\n\f\r`, ` `),
	))
)

// pairs returns the replacements of replacer, for each byte that is not part of a word.
func pairs() []string {
	var pairs []string
	for c := range 256 {
		switch b := byte(c); {
		case strings.IndexByte("\t\n\f\r", b) >= 0:
			pairs = append(pairs, string([]byte{b}), " ")
		case !isWord(b) && b != ' ':
			pairs = append(pairs, string([]byte{b}), "")
		}
	}
	return pairs
}

func isWord(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_'
}
