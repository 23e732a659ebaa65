package generate

import (
	"net/url"
	"slices"
	"strings"
)

// A place is what a generator knows about a router or a route: enough to generate requests
// that it matches or almost matches. It may be wrong if a call failed.
type place struct {
	id        int
	tree      int // the tree of routers that it belongs to
	depth     int // subrouters above it
	path      []piece
	host      *piece
	queries   []int // indexes in queries
	methods   []string
	headers   []string // pairs that match
	schemes   []string
	templates []string // everything that its URLs are built from
	layered   bool     // has middleware of its own
	mounted   bool     // its handler is a router
	parent    bool     // has a subrouter: no more matchers
	limited   bool     // it, or a route above it, has Methods
	asRouter  bool
}

// child returns the place of a route or a subrouter of p.
func (p *place) child(id int) *place {
	c := *p
	c.id = id
	c.path = slices.Clone(p.path)
	c.queries = slices.Clone(p.queries)
	c.methods = slices.Clone(p.methods)
	c.headers = slices.Clone(p.headers)
	c.schemes = slices.Clone(p.schemes)
	c.templates = slices.Clone(p.templates)
	c.layered, c.mounted, c.parent, c.asRouter = false, false, false, false
	return &c
}

// addPath notes a path template, as pieces.
func (p *place) addPath(pieces []piece) {
	if n := len(p.path); n > 0 && len(pieces) > 0 && p.path[n-1].template == "/" {
		p.path = p.path[:n-1]
	}
	p.path = append(p.path, pieces...)
	p.templates = append(p.templates, text(pieces))
}

// text returns the template of the pieces.
func text(pieces []piece) string {
	var b strings.Builder
	for _, pc := range pieces {
		b.WriteString(pc.template)
	}
	return b.String()
}

// sample returns a path that p matches or almost matches.
func (p *place) sample(s Source) string {
	var b strings.Builder
	for _, pc := range p.path {
		if len(pc.near) > 0 && oneIn(s, 20) {
			b.WriteString(pick(s, pc.near))
		} else {
			b.WriteString(pick(s, pc.hits))
		}
	}
	if path := b.String(); strings.HasPrefix(path, "/") {
		return path
	}
	return "/" + b.String()
}

// escaped returns a path as it is sent.
func escaped(path string) string { return (&url.URL{Path: path}).EscapedPath() }

// variables returns the variables of the templates of p with a value for each that
// often matches.
func (p *place) variables(s Source) (pairs []string) {
	all := slices.Clone(p.path)
	if p.host != nil {
		all = append(all, *p.host)
	}
	for _, q := range p.queries {
		all = append(all, piece{template: queries[q].value, hits: []string{"42", "abc", "1"}})
	}
	for _, pc := range all {
		names := variableNames(pc.template)
		for _, name := range names {
			value := pick(s, loose)
			if len(names) == 1 && strings.HasPrefix(pc.template, "{") && !oneIn(s, 6) && len(pc.hits) > 0 {
				value = pick(s, pc.hits)
			}
			pairs = append(pairs, name, value)
		}
	}
	return pairs
}

// loose are values for variables.
var loose = []string{"7", "foo", "a", "", "a/b", "é", "12", "50%", "A b", "com", "x.y", "?&=", "%2F"}

// variableNames returns the names between braces, without parsing expressions.
func variableNames(template string) (names []string) {
	level, start := 0, 0
	for i := range len(template) {
		switch template[i] {
		case '{':
			if level++; level == 1 {
				start = i + 1
			}
		case '}':
			if level--; level == 0 {
				name, _, _ := strings.Cut(template[start:i], ":")
				names = append(names, name)
			}
		}
	}
	return names
}
