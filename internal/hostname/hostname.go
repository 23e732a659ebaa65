// Package hostname converts the hosts of requests and patterns into the form in which
// they are compared. It does not know patterns.
//
// In folded form ASCII letters are in lower case, a fully qualified name has no final
// dot, and an IPv6 address has no brackets unless a port follows. "EXAMPLE.com." and
// "example.com" are the same host, and so are "[::1]" and "::1". The port is a part of
// the host; [StripPort] removes it.
package hostname

import (
	"net/http"
	"strings"

	"github.com/muxwell/muxwell/internal/urlpath"
)

// MaxLen is the maximum length of a name in DNS.
const MaxLen = 255

// Trim returns the parts of h that are compared: the name without its final
// dot, or an address without its brackets, and the port with its colon.
func Trim(h string) (name, port string) {
	if strings.IndexByte(h, ':') < 0 {
		if n := len(h); n > 1 && h[n-1] == '.' {
			h = h[:n-1]
		}
		return h, ""
	}
	name = h
	if _, ok := SplitPort(h); ok {
		i := strings.LastIndexByte(h, ':')
		name, port = h[:i], h[i:]
	}
	if n := len(name); n > 1 && name[n-1] == '.' {
		name = name[:n-1]
	}
	if n := len(name); port == "" && n > 2 && name[0] == '[' && name[n-1] == ']' && strings.Count(name, ":") > 1 {
		name = name[1 : n-1]
	}
	return name, port
}

// IsPlain reports whether h is in folded form and has no port, from a look at eight
// bytes at a time. It may return false for a host that is and has none.
func IsPlain(h string) bool {
	n := len(h)
	if n < 8 {
		return n > 0 && !special(urlpath.ShortWord(h)) && h[n-1] != '.'
	}
	for i := 0; i < n-8; i += 8 {
		if special(urlpath.Word(h, i)) {
			return false
		}
	}
	return !special(urlpath.Word(h, n-8)) && h[n-1] != '.'
}

// special reports whether one of the bytes of a word is from ':' to '[', which includes
// the upper-case letters, or not ASCII.
func special(word uint64) bool {
	const each = 0x0101010101010101
	return (word|(word+(0x80-':')*each)&^(word+(0x80-'['-1)*each))&(0x80*each) != 0
}

// Fold returns h in folded form. If h already is, it returns h itself.
func Fold(h string) string {
	if IsPlain(h) || !NeedsFolding(h) {
		return h
	}
	var space [128]byte
	return string(AppendFolded(space[:0], h))
}

// NeedsFolding reports whether the folded form of h may differ from h.
func NeedsFolding(h string) bool {
	for i := range len(h) {
		if c := h[i]; 'A' <= c && c <= 'Z' || c == '.' && (i == len(h)-1 || h[i+1] == ':') || c == '[' {
			return true
		}
	}
	return false
}

// AppendFolded appends the folded form of h to b.
func AppendFolded(b []byte, h string) []byte {
	host, port := Trim(h)
	for i := range len(host) {
		c := host[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return append(b, port...)
}

// StripPort returns the host of a Host header without its port. A text that does not
// have the form host:port is returned unchanged.
func StripPort(h string) string {
	if host, ok := SplitPort(h); ok {
		return host
	}
	return h
}

// SplitPort returns the host of host:port or [host]:port, and whether h has that form.
// It is net.SplitHostPort without the errors, which allocate.
func SplitPort(h string) (host string, ok bool) {
	colon := strings.LastIndexByte(h, ':')
	if colon < 0 {
		return "", false
	}
	host = h[:colon]
	if h[0] == '[' {
		closing := strings.IndexByte(h, ']')
		if closing < 0 || closing+1 != colon {
			return "", false
		}
		host = h[1:closing]
	} else if strings.IndexByte(host, ':') >= 0 {
		return "", false
	}
	return host, !strings.ContainsAny(host, "[]") && !strings.ContainsAny(h[colon:], "[]")
}

// Of returns the host of r in the form in which patterns are compared with it: folded,
// and without its port unless r is a CONNECT.
func Of(r *http.Request) string {
	if IsPlain(r.Host) {
		return r.Host
	}
	if r.Method == http.MethodConnect {
		return Fold(r.Host)
	}
	return Fold(StripPort(r.Host))
}
