package normalise

import "strings"

// deleted lists all characters of ASCII that are deleted.
var deleted = func() []rune {
	var all []rune
	for c := range rune(128) {
		if others.MatchString(string(c)) {
			all = append(all, c)
		}
	}
	return all
}()

func nestedLoops(text string) string {
	var b strings.Builder
next:
	for _, r := range strings.ToLower(text) {
		for _, d := range deleted {
			if r == d {
				continue next
			}
		}
		if r == '\t' || r == '\n' || r == '\f' || r == '\r' {
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}
