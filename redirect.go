package muxwell

import (
	"net/http"
	"net/url"

	"github.com/muxwell/muxwell/internal/rawurl"
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
		path += "?" + rawurl.EscapeControls(r.URL.RawQuery)
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
