package urlpath

import (
	"fmt"
	"net/url"
	"strings"
)

// Escape returns an unescaped path in escaped form.
func Escape(path string) string {
	u := url.URL{Path: path}
	return u.EscapedPath()
}

// Escaped returns u.EscapedPath().
func Escaped(u *url.URL) string {
	if isEscaped(u.RawPath, u.Path) {
		return u.RawPath
	}
	return u.EscapedPath()
}

// isEscaped reports whether raw is a valid escaped form of path. It makes one pass, which
// takes nothing apart.
func isEscaped(raw, path string) bool {
	if len(raw) < len(path) || raw == "" {
		return false
	}
	for j := range len(path) {
		if raw == "" {
			return false
		}
		c := raw[0]
		if c == '%' {
			if len(raw) < 3 || !isHex(raw[1]) || !isHex(raw[2]) {
				return false
			}
			c, raw = Unhex(raw[1])<<4|Unhex(raw[2]), raw[3:]
		} else if raw = raw[1:]; pathBytes[c/64]>>(c%64)&1 == 0 {
			return false
		}
		if c != path[j] {
			return false
		}
	}
	return raw == ""
}

// pathBytes has a bit for each byte that net/url leaves as it is in a path.
var pathBytes = func() (set [4]uint64) {
	for c := range 128 {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', strings.IndexByte("-._~!$&'()*+,;=:@[]/", byte(c)) >= 0:
			set[c/64] |= 1 << (c % 64)
		}
	}
	return set
}()

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

// EscapeNonASCII escapes the bytes that [http.Redirect] escapes in a Location.
func EscapeNonASCII(location string) string {
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

// AppendUnescaped appends a part of an escaped path, in which every escape is
// valid, without its escapes.
func AppendUnescaped(b []byte, s string) []byte {
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 || i+3 > len(s) {
			return append(b, s...)
		}
		b = append(append(b, s[:i]...), Unhex(s[i+1])<<4|Unhex(s[i+2]))
		s = s[i+3:]
	}
}

// Unescape returns a part of an escaped path without its escapes.
func Unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	var space [64]byte
	return string(AppendUnescaped(space[:0], s))
}
