// Package route represents the routes of a comparison independently of a router, and
// writes them in the syntax of each router.
package route

import (
	"fmt"
	"slices"
	"strings"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/routelist"
)

// A Route is a route of a comparison, which is registered with every router.
type Route struct {
	Method string    // GET; never empty
	Host   string    // as muxwell writes it; "" for any host
	Path   []Segment // the segments between the slashes; a last one without pieces for a trailing slash
	Text   string    // METHOD [HOST]/PATH as muxwell writes it; names the route in reports
	Source string    // where it comes from, FILE:LINE for one; may be empty

	// Options are matchers and other options besides method, host and path.
	Options []muxwell.RouteOption
}

// A Segment has the pieces of a segment from left to right. A segment without pieces is
// empty.
type Segment []Piece

// A Piece is literal text or a parameter.
type Piece struct {
	Literal string // unescaped; "" for a parameter

	Param      string // the parameter's name
	Constraint string // the text after its ":", a name or an expression; "" for none
	Rest       bool   // it takes the rest of the path, or several segments
	End        bool   // it is {$}, the end of the path
}

// Parse parses a pattern of muxwell. The pattern must be valid and have one method, not a
// list.
func Parse(pattern string) (*Route, error) {
	if err := check(pattern); err != nil {
		return nil, err
	}
	blank := strings.IndexAny(pattern, " \t")
	if blank <= 0 || strings.ContainsAny(pattern[:blank], ",/{") {
		return nil, fmt.Errorf("%q does not begin with one method and a space", pattern)
	}
	method, rest := pattern[:blank], strings.TrimLeft(pattern[blank:], " \t")
	slash := len(split(rest, '/')[0])
	r := &Route{Method: method, Host: rest[:slash], Text: method + " " + rest}
	for _, text := range split(rest[slash+1:], '/') {
		r.Path = append(r.Path, pieces(text))
	}
	return r, nil
}

// check returns muxwell's error for a pattern.
func check(pattern string) error {
	_, err := muxwell.New().Add(pattern, nowhere)
	return err
}

// split splits s at a byte, but not within braces.
func split(s string, at byte) []string {
	var out []string
	begin := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case at:
			out = append(out, s[begin:i])
			begin = i + 1
		case '{':
			if end := routelist.ClosingBrace(s, i); end > 0 {
				i = end
			}
		}
	}
	return append(out, s[begin:])
}

// pieces returns the pieces of a segment's text.
func pieces(text string) Segment {
	var g Segment
	literal := func(s string) {
		if s != "" {
			g = append(g, Piece{Literal: unescape(s)})
		}
	}
	for {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			literal(text)
			return g
		}
		literal(text[:open])
		end := routelist.ClosingBrace(text, open)
		name, constraint, _ := strings.Cut(text[open+1:end], ":")
		p := Piece{Param: name, Constraint: constraint}
		switch {
		case name == "$":
			p = Piece{End: true}
		case constraint == "" && strings.HasSuffix(name, "..."):
			p = Piece{Param: strings.TrimSuffix(name, "..."), Rest: true}
		}
		g = append(g, p)
		text = text[end+1:]
	}
}

// HostPieces returns the pieces of the host. Its dots are literal text.
func (r *Route) HostPieces() Segment { return pieces(r.Host) }

// Names returns the names of the parameters from left to right, those of the host first.
func (r *Route) Names() []string {
	var names []string
	for _, p := range slices.Concat(r.HostPieces(), slices.Concat(r.Path...)) {
		if p.Param != "" {
			names = append(names, p.Param)
		}
	}
	return names
}

// String returns the route's text.
func (r *Route) String() string { return r.Text }

// EndsInRest reports whether the path ends in a parameter for the rest.
func (r *Route) EndsInRest() bool {
	g := r.Path[len(r.Path)-1]
	return len(g) > 0 && g[len(g)-1].Rest
}
