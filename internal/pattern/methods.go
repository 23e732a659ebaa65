package pattern

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// parseMethods parses the method list s[:blank].
func parseMethods(s string, blank int) ([]string, error) {
	next := strings.TrimLeft(s[blank:], " \t")
	fail := func(offset int, format string, args ...any) ([]string, error) {
		return nil, Errorf(s, offset, format, args...)
	}
	if strings.HasPrefix(next, ",") {
		return fail(blank, "space before a comma; write %q", s[:blank]+","+strings.TrimLeft(next, ", \t"))
	}
	if blank == 0 {
		return nil, nil // no method, as in http.ServeMux
	}
	if i := slices.Index(commonMethods, s[:blank]); i >= 0 {
		return commonMethods[i : i+1 : i+1], nil
	}
	methods, off := strings.Split(s[:blank], ","), 0
	for i, m := range methods {
		switch {
		case m == "" && i > 0 && i == len(methods)-1 && LooksLikeMethods(firstField(next)):
			return fail(off, "space after a comma; write %q", s[:blank]+next)
		case m == "" && i > 0 && i == len(methods)-1:
			return fail(off, "a method is missing after the comma")
		case m == "":
			return fail(off, "a method is missing before the comma")
		case !IsToken(m):
			at := strings.IndexFunc(m, func(r rune) bool { return !IsTokenRune(r) })
			if r, size := utf8.DecodeRuneInString(m[at:]); size > 1 || r != utf8.RuneError {
				return fail(off+at, "%q is not allowed in a method", r)
			}
			return fail(off+at, "byte %#02x is not allowed in a method", m[at])
		case slices.Contains(methods[:i], m):
			return fail(off, "method %s is listed twice", m)
		}
		off += len(m) + 1
	}
	return methods, nil
}

func firstField(s string) string {
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i]
	}
	return s
}

// LooksLikeMethods reports whether s consists of upper-case words that a reader would
// take for a method list.
func LooksLikeMethods(s string) bool {
	for _, m := range strings.Split(s, ",") {
		if !IsToken(m) || strings.ToUpper(m) != m || strings.Contains(m, ".") {
			return false
		}
	}
	return true
}

// IsToken reports whether s is a token of RFC 9110 §5.6.2, as a method must be.
func IsToken(s string) bool {
	for _, r := range s {
		if !IsTokenRune(r) {
			return false
		}
	}
	return s != ""
}

func IsTokenRune(r rune) bool {
	return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' ||
		r < 0x80 && strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

// MethodRank returns how well the pattern's methods fit a request's: 3 by name, 2 as GET for
// HEAD, 1 by naming none, 0 not at all.
func (p *Pattern) MethodRank(method string) int {
	if p.Methods == nil {
		return 1
	}
	fit := 0
	for _, m := range p.Methods {
		if m == method {
			return 3
		}
		if m == "GET" && method == "HEAD" {
			fit = 2
		}
	}
	return fit
}
