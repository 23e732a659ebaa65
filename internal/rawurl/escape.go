package rawurl

import (
	"fmt"
	"strings"
)

// EscapeControls escapes the control bytes in a query. No request that was read
// from a connection has any.
func EscapeControls(query string) string {
	isControl := func(r rune) bool { return r < ' ' || r == 0x7f }
	if strings.IndexFunc(query, isControl) < 0 {
		return query
	}
	var b strings.Builder
	for i := range len(query) {
		if isControl(rune(query[i])) {
			fmt.Fprintf(&b, "%%%02X", query[i])
		} else {
			b.WriteByte(query[i])
		}
	}
	return b.String()
}

// EscapeBeyondASCII escapes the bytes that [http.Redirect] escapes in a Location.
func EscapeBeyondASCII(location string) string {
	var b strings.Builder
	for i := range len(location) {
		if c := location[i]; c < 0x80 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%x", c)
		}
	}
	return b.String()
}
