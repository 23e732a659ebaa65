package trie

import (
	"math"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/pattern"
)

// Paths of a table without parameters are in its static table, the others in its trie,
// and some in both.

// A source has the paths from which a table is made. A table that was made from another
// one keeps it for the next.
type source struct {
	paths   []*Path // sorted, with distinct segments
	rooted  []*Path // the paths in the trie
	slashes int     // the maximum number of segments before a final slash in paths
}

func newSource(paths []*Path) source {
	src := source{paths: paths}
	for _, p := range paths {
		src.slashes = max(src.slashes, p.slashes())
		if _, only := p.staticPath(); !only {
			src.rooted = append(src.rooted, p)
		}
	}
	return src
}

// with returns the source in which each of the changed paths is replaced by the result
// of best for it, or left out.
func (src *source) with(changed []*Path, best func(*Path) *Path) source {
	to := source{paths: slices.Clone(src.paths), rooted: slices.Clone(src.rooted), slashes: src.slashes}
	for _, p := range changed {
		now := best(p)
		to.paths = spliced(to.paths, p, now)
		if _, only := p.staticPath(); !only {
			to.rooted = spliced(to.rooted, p, now)
		}
		to.slashes = max(to.slashes, p.slashes())
	}
	return to
}

// spliced returns sorted with best instead of the path that has p's segments, or
// without it if best is nil.
func spliced(sorted []*Path, p, best *Path) []*Path {
	at, found := slices.BinarySearchFunc(sorted, p, Compare)
	switch {
	case found && best != nil:
		sorted[at] = best
	case found:
		return slices.Delete(sorted, at, at+1)
	case best != nil:
		return slices.Insert(sorted, at, best)
	}
	return sorted
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
func (b *builder) staticPaths() []staticPath {
	var static []staticPath
	for _, p := range b.paths {
		path, _ := p.staticPath()
		if n := len(static); path != "" && (n == 0 || static[n-1].path != path) {
			static = append(static, staticPath{path, b.number(p)})
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
