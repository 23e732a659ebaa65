package mux

import (
	"net/url"
	"strings"

	"github.com/muxwell/muxwell/internal/urlpath"
)

// firstValue returns the first value of a key in a raw query, unescaped, and whether
// there is one. Pairs end at & or ;, and pairs with invalid escapes are ignored. It
// allocates only if the value has escapes.
func firstValue(query, key string) (value string, ok bool) {
	for start := 0; start < len(query); {
		stop := start
		for stop < len(query) && query[stop] != '&' && query[stop] != ';' {
			stop++
		}
		pair := query[start:stop]
		if start = stop + 1; pair == "" || key != "" && pair[0] != key[0] && pair[0] != '%' && pair[0] != '+' {
			continue // this rules out most pairs
		}
		name, value, _ := strings.Cut(pair, "=")
		if !urlpath.UnescapesTo(name, key) {
			continue
		}
		if strings.IndexByte(value, '%') < 0 && strings.IndexByte(value, '+') < 0 {
			return value, true
		}
		if value, err := url.QueryUnescape(value); err == nil {
			return value, true
		}
	}
	return "", false
}
