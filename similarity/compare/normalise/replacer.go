package normalise

import "strings"

var replacer = strings.NewReplacer(func() (pairs []string) {
	for c := range 256 {
		old := string([]byte{byte(c)})
		switch {
		case c >= 128 || others.MatchString(old):
			pairs = append(pairs, old, "")
		case spaces.MatchString(old) && c != ' ':
			pairs = append(pairs, old, " ")
		}
	}
	return pairs
}()...)

func byReplacer(text string) string { return replacer.Replace(strings.ToLower(text)) }
