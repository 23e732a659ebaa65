//go:build go1.27

package routing

// RedirectsKeepEscapes is documented in release_go126.go.
const RedirectsKeepEscapes = true
