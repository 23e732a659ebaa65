package middleware

import (
	"context"
	"net/http"
	"slices"
)

// A value for the handler is stored in the request's context, so the handler gets a
// copy of the request. Two things that are set in the copy are needed in the original:
// the pattern, by middleware further out, and the form, whose temporary files the
// server removes. Both are copied back.

// serveWith calls next with a copy of r that has ctx.
func serveWith(ctx context.Context, next http.Handler, w http.ResponseWriter, r *http.Request) {
	inner := r.WithContext(ctx)
	defer handBack(r, inner) // also if next panics
	next.ServeHTTP(w, inner)
}

// handBack sets in r what was set in its copy.
func handBack(r, inner *http.Request) {
	r.Pattern, r.MultipartForm = inner.Pattern, inner.MultipartForm
}

// onlyValue returns the value of a header that was sent exactly once, otherwise "". The
// name is in canonical form.
func onlyValue(h http.Header, name string) string {
	if lines := h[name]; len(lines) == 1 {
		return lines[0]
	}
	return ""
}

// isFieldName reports whether s can be the name of a header (RFC 9110 §5.1).
func isFieldName(s string) bool {
	for i := range len(s) {
		if !isTokenByte(s[i]) {
			return false
		}
	}
	return s != ""
}

// isTokenByte reports whether c is allowed in a token (RFC 9110 §5.6.2).
func isTokenByte(c byte) bool {
	return isAlnum(c) || slices.Contains([]byte("!#$%&'*+-.^_`|~"), c)
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// isText reports whether s is printable ASCII, as header values set by the program
// should be.
func isText(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}
