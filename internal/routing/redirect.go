package routing

import (
	"net/http"

	"github.com/muxwell/muxwell/internal/urlpath"
)

// redirectTo returns an answer that redirects the client to an escaped path of this
// site, with the request's query. pattern is the pattern there. All Locations of the
// router are made here; those of [Mux.Files] are relative.
//
// No Location leaves the site: path comes from [urlpath.Clean], so it begins with
// exactly one slash, and [url.URL.EscapedPath] has escaped every backslash, control
// byte and question mark in it. A segment keeps the escapes with which it was sent. The
// status, 307, keeps the method and the body.
func redirectTo(r *http.Request, path, pattern string) Answer {
	if r.URL.RawQuery != "" {
		path += "?" + urlpath.EscapeControls(r.URL.RawQuery)
	}
	return Answer{Status: http.StatusTemporaryRedirect, Location: path, Pattern: pattern}
}

// connectPattern returns the pattern of the redirect of a CONNECT request to its path
// with a trailing slash. As in the [http.ServeMux] of the same Go release, it is that
// path, unescaped: as it was sent, or up to Go 1.26 cleaned.
func connectPattern(r *http.Request) string {
	if RedirectsKeepEscapes {
		return r.URL.Path + "/"
	}
	return urlpath.Clean(r.URL.Path) + "/"
}
