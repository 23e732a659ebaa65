package normalise

import (
	"regexp"
	"strings"
)

// The two expressions: characters to delete, and characters to replace by a space.
const (
	othersPattern = `[^0-9A-Za-z_\t\n\f\r ]`
	spacesPattern = `[\t\n\f\r ]+`
)

var (
	others = regexp.MustCompile(othersPattern)
	spaces = regexp.MustCompile(spacesPattern)
)

func regexps(text string) string {
	return spaces.ReplaceAllString(others.ReplaceAllString(strings.ToLower(text), ""), " ")
}
