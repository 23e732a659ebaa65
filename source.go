package muxwell

import (
	"math"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/pattern"
)

// A table is made of the routes that take its method, one for each path. Of these,
// routes without parameters are in its static table, the others in its trie, and
// some in both.

// A tableSource has the routes that a table is made of. A table that was made of
// another one keeps it for the next.
type tableSource struct {
	routes  []*Route // those that take the method, one for each path, sorted
	rooted  []*Route // those of the trie
	slashes int      // the most segments that precede a final slash in routes
}

func newTableSource(routes []*Route, method string) tableSource {
	src := tableSource{routes: make([]*Route, 0, len(routes))}
	for _, rt := range routes {
		if rt.fit(method) == 0 {
			continue
		}
		if n := len(src.routes); n > 0 && compareSegments(src.routes[n-1].pattern.Order(), rt.pattern.Order()) == 0 {
			if rt.winsAtPath(src.routes[n-1], method) {
				src.routes[n-1] = rt
			}
			continue
		}
		src.routes = append(src.routes, rt)
	}
	for _, rt := range src.routes {
		src.slashes = max(src.slashes, rt.slashes())
		if _, only := rt.staticPath(); !only {
			src.rooted = append(src.rooted, rt)
		}
	}
	return src
}

// slashes returns how many segments precede the final slash of the route, if it
// has one.
func (rt *Route) slashes() int {
	switch k := rt.pattern.Last().Kind; {
	case k != pattern.Dollar && k != pattern.CatchAll:
		return 0
	case rt.pattern.Extra != nil && rt.pattern.Extra.Order != nil:
		return math.MaxInt
	}
	return len(rt.pattern.Segments) - 1
}

// staticPaths returns the paths of the static table.
func (src *tableSource) staticPaths() []staticPath {
	var static []staticPath
	for _, rt := range src.routes {
		path, _ := rt.staticPath()
		if n := len(static); path != "" && (n == 0 || static[n-1].path != path) {
			static = append(static, staticPath{path, rt.record()})
		}
	}
	return static
}

// fit returns how well the route's methods fit a request's: 3 by name, 2 as GET
// for HEAD, 1 by naming none, 0 not at all.
func (rt *Route) fit(method string) int {
	if rt.pattern.Methods == nil {
		return 1
	}
	fit := 0
	for _, m := range rt.pattern.Methods {
		if m == method {
			return 3
		}
		if m == "GET" && method == "HEAD" {
			fit = 2
		}
	}
	return fit
}

// winsAtPath reports whether rt wins over q, which has the same path, for a method
// that both match. Of several routes with matchers it does not matter which one
// wins here.
func (rt *Route) winsAtPath(q *Route, method string) bool {
	if rt.root() != q.root() {
		return rt.root() < q.root()
	}
	return rt.fit(method) > q.fit(method)
}

// staticPath returns the one path, or one of the paths, that the route matches
// without giving a parameter a value, and whether there are no others. The path
// is "" if there is none, or if only a request outside the usual can have it.
func (rt *Route) staticPath() (path string, only bool) {
	for i, g := range rt.pattern.Segments {
		switch {
		case g.Params() > 0, g.Kind == pattern.Literal && !plainLiteral(g.Text):
			return "", false
		case g.Kind == pattern.Dollar || g.Kind == pattern.CatchAll:
			only = g.Kind == pattern.Dollar
		case i == len(rt.pattern.Segments)-1:
			only = true
		}
	}
	size := 0
	for _, g := range rt.pattern.Segments {
		size += 1 + len(g.Text)
	}
	if text := rt.Path(); len(text) == size && (rt.pattern.Extra == nil || rt.pattern.Extra.Written == nil) {
		return text, only // spelt as it is matched
	}
	b := make([]byte, 0, size)
	for _, g := range rt.pattern.Segments {
		b = append(append(b, '/'), g.Text...)
	}
	return string(b), only
}

// besideStatic reports whether the route, or another with the same segments but for
// the name of a catch-all at the end, has a static path.
func (rt *Route) besideStatic() bool {
	if path, _ := rt.staticPath(); path != "" {
		return true
	}
	n := len(rt.pattern.Segments) - 1
	return rt.pattern.Segments[n].Kind == pattern.CatchAll && !slices.ContainsFunc(rt.pattern.Segments[:n], func(g pattern.Segment) bool { return g.Kind != pattern.Literal || !plainLiteral(g.Text) })
}

// plainLiteral reports whether a clean path that was sent without escaped
// slashes can have the segment s.
func plainLiteral(s string) bool {
	return s != "" && s != "." && s != ".." && strings.IndexByte(s, '/') < 0
}
