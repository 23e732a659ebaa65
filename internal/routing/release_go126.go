//go:build !go1.27

package routing

// RedirectsKeepEscapes reports whether http.ServeMux builds its redirects from the
// escaped path that was sent, as it does as of Go 1.27. Up to Go 1.26 it escapes the
// path twice or unescapes it, and cleans that of a CONNECT request. Nothing else in
// this package depends on the Go release.
const RedirectsKeepEscapes = false
