package trie

import (
	"math"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/staticpath"
)

// Paths of a table without parameters are in its static table, the others in its trie,
// and some in both.

// A source has the paths from which a table is made. For a change they are set when
// they are needed; see builder.all.
type source struct {
	paths  []*Path // in the order of precedence, with distinct segments
	rooted []*Path // the paths in the trie
}

// setSource sets the source.
func (b *builder) setSource(paths []*Path) {
	b.paths, b.rooted = paths, rooted(paths)
	for _, p := range paths {
		b.slashes = max(b.slashes, p.slashes())
	}
}

// all returns the source.
func (b *builder) all() *source {
	if b.paths == nil && b.base != nil {
		b.setSource(b.change.Paths(nil, 0))
	}
	return &b.source
}

// rooted returns those of paths that are in the trie.
func rooted(paths []*Path) []*Path {
	those := make([]*Path, 0, len(paths))
	for _, p := range paths {
		if _, only := p.staticPath(); !only {
			those = append(those, p)
		}
	}
	return those
}

// slashes returns the number of segments before the final slash of the path, if it has
// one.
func (p *Path) slashes() int {
	switch k := p.Pattern.Last().Kind; {
	case k != pattern.Dollar && k != pattern.CatchAll:
		return 0
	case p.Pattern.Extra != nil && p.Pattern.Extra.Order != nil:
		return math.MaxInt
	}
	return len(p.Pattern.Segments) - 1
}

// staticPaths returns the paths of the static table.
func (b *builder) staticPaths() []staticpath.Path {
	var static []staticpath.Path
	for _, p := range b.all().paths {
		path, _ := p.staticPath()
		if n := len(static); path != "" && (n == 0 || static[n-1].Path != path) {
			static = append(static, staticpath.Path{Path: path, Number: b.number(p)})
		}
	}
	return static
}

// staticPath returns the one path, or one of the paths, that p matches without giving a
// parameter a value, and whether it is the only one. The path is "" if there is none,
// or if only an unusual request can have it.
func (p *Path) staticPath() (path string, only bool) {
	for i, g := range p.Pattern.Segments {
		switch {
		case g.Params() > 0, g.Kind == pattern.Literal && !plainLiteral(g.Text):
			return "", false
		case g.Kind == pattern.Dollar || g.Kind == pattern.CatchAll:
			only = g.Kind == pattern.Dollar
		case i == len(p.Pattern.Segments)-1:
			only = true
		}
	}
	size := 0
	for _, g := range p.Pattern.Segments {
		size += 1 + len(g.Text)
	}
	if text := p.Pattern.Text[p.Pattern.PathAt:]; len(text) == size && (p.Pattern.Extra == nil || p.Pattern.Extra.Written == nil) {
		return text, only // matched as written
	}
	b := make([]byte, 0, size)
	for _, g := range p.Pattern.Segments {
		b = append(append(b, '/'), g.Text...)
	}
	return string(b), only
}

// besideStatic reports whether p, or another path with the same segments except for the
// name of a catch-all at the end, has a static path.
func (p *Path) besideStatic() bool {
	if path, _ := p.staticPath(); path != "" {
		return true
	}
	n := len(p.Pattern.Segments) - 1
	return p.Pattern.Segments[n].Kind == pattern.CatchAll && !slices.ContainsFunc(p.Pattern.Segments[:n], func(g pattern.Segment) bool { return g.Kind != pattern.Literal || !plainLiteral(g.Text) })
}

// plainLiteral reports whether a clean path that was sent without escaped
// slashes can have the segment s.
func plainLiteral(s string) bool {
	return s != "" && s != "." && s != ".." && strings.IndexByte(s, '/') < 0
}
