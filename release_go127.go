//go:build go1.27

package muxwell

// redirectsKeepEscapes is documented in release_go126.go.
const redirectsKeepEscapes = true
