package urlpath

import (
	"math/bits"
	"path"
	"strings"
)

// IsClean reports whether no segment of a path that begins with a slash is "." or "..",
// or empty, except the one after a final slash.
func IsClean(path string) bool {
	for i := 0; ; {
		j := strings.IndexByte(path[i+1:], '/')
		if j < 0 {
			return !IsDots(path[i+1:])
		}
		if j == 0 || IsDots(path[i+1:i+1+j]) {
			return false
		}
		i += j + 1
	}
}

// HasDots reports whether a segment from byte i on is "." or "..".
func HasDots(path string, i int, ends uint64) bool {
	for ends != 0 {
		stop := bits.TrailingZeros64(ends)
		if IsDots(path[i:stop]) {
			return true
		}
		i, ends = stop+1, ends&(ends-1)
	}
	return false
}

// IsDots reports whether s is "." or "..".
func IsDots(s string) bool { return s == "." || s == ".." }

// Clean returns the canonical form of a path: rooted, without empty, "."
// and ".." segments, its trailing slash kept. It begins with exactly one slash.
func Clean(p string) string {
	if p == "" {
		return "/"
	}
	if p[0] != '/' {
		p = "/" + p
	}
	c := path.Clean(p)
	if p[len(p)-1] != '/' || c == "/" {
		return c
	}
	if len(p) == len(c)+1 && strings.HasPrefix(p, c) {
		return p // already clean
	}
	return c + "/"
}
