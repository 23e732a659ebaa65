package muxwell

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// redirectTo returns an answer that sends the client to an escaped path of this
// site, with the request's query, where pattern is. It is the one place where
// the router makes a Location; those of [Mux.Files] are relative.
//
// No Location leaves the site: path comes from [cleanPath], so it begins with
// exactly one slash, and [url.URL.EscapedPath] has escaped every backslash,
// control byte and question mark in it. A segment keeps the escapes it was sent
// with. The status, 307, keeps the method and the body.
func redirectTo(r *http.Request, path, pattern string) answer {
	if r.URL.RawQuery != "" {
		path += "?" + escapeControls(r.URL.RawQuery)
	}
	return answer{status: http.StatusTemporaryRedirect, location: path, pattern: pattern}
}

// connectPattern returns the pattern of the redirect that sends a CONNECT request
// to its path with a trailing slash. As in the [http.ServeMux] of the same Go
// release, it is that path, unescaped: as it was sent, or up to Go 1.26 cleaned.
func connectPattern(r *http.Request) string {
	if redirectsKeepEscapes {
		return r.URL.Path + "/"
	}
	return cleanPath(r.URL.Path) + "/"
}

// escapePath returns an unescaped path in escaped form.
func escapePath(path string) string {
	u := url.URL{Path: path}
	return u.EscapedPath()
}

// escapeControls escapes the control bytes in a query. No request that was read
// from a connection has any.
func escapeControls(query string) string {
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

// escapeBeyondASCII escapes the bytes that [http.Redirect] escapes in a Location.
func escapeBeyondASCII(location string) string {
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
