package main

import (
	"net/http"
	"slices"
	"strings"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/routelist"
)

// example returns a path, escaped and perhaps with a query, that a plain GET request
// on any host reaches rt with; "" if there is none or none was found.
func (s *site) example(rt *muxwell.Route) string {
	methods := rt.Methods()
	if rt.Host() != "" || len(methods) > 0 && !slices.Contains(methods, http.MethodGet) {
		return ""
	}
	r, ok := s.mux.Sample(rt)
	if !ok || s.takes(r.RequestURI) != rt {
		return ""
	}
	return r.RequestURI
}

// A piece is a stretch of a pattern's host or path: literal text, or a parameter
// with its braces.
type piece struct {
	Text  string
	Param bool
}

// splitPattern splits the host or path of a pattern.
func splitPattern(text string) []piece {
	var pieces []piece
	for text != "" {
		size := strings.IndexByte(text, '{')
		if size == 0 {
			size = routelist.ClosingBrace(text, 0) + 1
		}
		if size <= 0 { // there is no brace, or none that closes
			size = len(text)
		}
		pieces = append(pieces, piece{text[:size], text[0] == '{'})
		text = text[size:]
	}
	return pieces
}
