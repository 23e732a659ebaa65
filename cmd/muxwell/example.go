package main

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/muxwell/muxwell"
)

// example returns a path, escaped, that a GET request on any host reaches rt
// with; "" if there is none or none was found. Each parameter's value is its
// name, or where that is taken by another route its name with -1.
func (s *site) example(rt *muxwell.Route) string {
	methods := rt.Methods()
	if rt.Host() != "" || len(methods) > 0 && !slices.Contains(methods, http.MethodGet) {
		return ""
	}
	for _, suffix := range []string{"", "-1"} {
		if path := fillPath(rt.Path(), suffix); s.takes(path) == rt.Pattern() {
			return path
		}
	}
	return ""
}

// fillPath returns the path of a pattern, escaped, with the names of the
// parameters and a suffix as their values.
func fillPath(path, suffix string) string {
	var b strings.Builder
	for _, p := range splitPath(path) {
		switch {
		case !p.Param:
			b.WriteString(escapeLiteral(p.Text))
		case p.Text != "{$}":
			name, _, _ := strings.Cut(strings.Trim(p.Text, "{}"), ":")
			b.WriteString(url.PathEscape(strings.TrimSuffix(name, "...") + suffix))
		}
	}
	return b.String()
}

// escapeLiteral returns the literal text of a pattern as a request has it. A
// pattern's text may be escaped or not, or by mistake: then it means itself.
func escapeLiteral(text string) string {
	segments := strings.Split(text, "/")
	for i, seg := range segments {
		if plain, err := url.PathUnescape(seg); err == nil {
			seg = plain
		}
		segments[i] = url.PathEscape(seg)
	}
	return strings.Join(segments, "/")
}

// A piece is a stretch of a pattern's path: literal text, or a parameter with
// its braces.
type piece struct {
	Text  string
	Param bool
}

// splitPath splits the path of a pattern. Braces balance within a parameter.
func splitPath(path string) []piece {
	var pieces []piece
	for path != "" {
		size := strings.IndexByte(path, '{')
		switch {
		case size < 0:
			size = len(path)
		case size == 0:
			size = paramLen(path)
		}
		pieces = append(pieces, piece{path[:size], path[0] == '{'})
		path = path[size:]
	}
	return pieces
}

// paramLen returns the length of the parameter that s begins with.
func paramLen(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(s)
}
