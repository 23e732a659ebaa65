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
	if valid, _ := compareEscaped(u.RawPath, u.Path); valid {
		return u.RawPath
	}
	return u.EscapedPath()
}

// EscapedSlashes returns u.RawPath, and whether it is u.EscapedPath() and each of its
// segments with an escape contains an escaped slash.
func EscapedSlashes(u *url.URL) (path string, ok bool) {
	valid, slashes := compareEscaped(u.RawPath, u.Path)
	return u.RawPath, valid && slashes
}

// compareEscaped reports whether raw is a valid escaped form of path, and whether each of
// its segments with an escape contains an escaped slash.
func compareEscaped(raw, path string) (valid, slashes bool) {
	if raw == "" || len(raw) < len(path) {
		return false, false
	}
	slashes = true
	escape, slash := false, false // in this segment
	i := 0
	for j := range len(path) {
		if i >= len(raw) {
			return false, false
		}
		c := raw[i]
		switch {
		case c == '%':
			if i+2 >= len(raw) || !isHex(raw[i+1]) || !isHex(raw[i+2]) {
				return false, false
			}
			c = Unhex(raw[i+1])<<4 | Unhex(raw[i+2])
			escape, slash = true, slash || c == '/'
			i += 2
		case c == '/':
			slashes = slashes && (slash || !escape)
			escape, slash = false, false
		case pathBytes[c/64]>>(c%64)&1 == 0:
			return false, false
		}
		if c != path[j] {
			return false, false
		}
		i++
	}
	return i == len(raw), slashes && (slash || !escape)
}

// pathBytes has a bit for each byte that net/url does not escape in a path.
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

// EscapeNonASCII escapes the bytes that http.Redirect escapes in a Location.
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
