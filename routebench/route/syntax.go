package route

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// A Syntax says how a router writes patterns. A "%s" stands for what the field's
// comment names; an empty form is one that the router does not have.
type Syntax struct {
	Param  string // a parameter, with its name: ":%s"
	Regexp string // one with an expression, with its name and that: "{%s:%s}"
	Rest   string // one for the rest of the path, with its name: "*%s"

	// RestName is what handlers call the parameter for the rest, where the router
	// has a name for it: "*".
	RestName string
	// RestSlash says that the value of the rest begins with a slash.
	RestSlash bool

	// Or stands between the alternatives of an expression, a|b, where Regexp needs no
	// group around them: "|" if it makes a group itself, "$|^" if each must be
	// anchored. "" for a group, (?:a|b).
	Or string

	// Literal writes literal text, where the router wants something escaped; nil for
	// text as it is.
	Literal func(text string) string
	// Beside says whether text and parameters may be in a segment as they are in this
	// one, where Prefix and Mixed are too little or too much to say; nil for what they
	// say.
	Beside func(Segment) bool

	Prefix     bool // a segment may be literal text and then a parameter
	Mixed      bool // a segment may have literal text and parameters in any order
	Middle     bool // the parameter for the rest may stand in the middle of a path
	End        bool // "{$}" may stand for the end
	Hosts      bool // patterns begin with a host
	HostParams bool // which may have parameters, written as those of the path
	Options    bool // routes have matchers and the like

	// Native says that the router reads patterns as muxwell writes them.
	Native bool

	// Places says that parameters are called p1, p2 and so on, for routers that want
	// the same name for the parameters of all routes at one place, or names without
	// underscores. Names that are no identifiers are replaced so for every router.
	Places bool
}

// Format writes a route's host and path as the router does, and returns it with
// what the router calls the route's parameters, from the left to the right. The
// error says what of the route the router has no way to write.
//
// A trailing slash is written as it is, though below it net/http and muxwell take
// every path and most others none: comparisons ask for the path itself.
func (s *Syntax) Format(r *Route) (text string, names []string, err error) {
	if r.Host != "" && !s.Hosts {
		return "", nil, errors.New("it has no hosts")
	}
	if len(r.Options) > 0 && !s.Options {
		return "", nil, errors.New("it has no matchers")
	}
	if s.Native {
		return strings.TrimPrefix(r.Text, r.Method+" "), r.Names(), nil
	}
	f := formatter{Syntax: s}
	if err := f.host(r.Host); err != nil {
		return "", nil, err
	}
	for i, g := range r.Path {
		f.text.WriteByte('/')
		if err := f.segment(g, i == len(r.Path)-1); err != nil {
			return "", nil, err
		}
	}
	return f.text.String(), f.names, nil
}

// A formatter is a pattern that is being written.
type formatter struct {
	*Syntax
	text  strings.Builder
	names []string
}

// host writes a route's host.
func (f *formatter) host(host string) error {
	if strings.Contains(host, "*") && !f.HostParams {
		return errors.New("it has no parameters in hosts")
	}
	for _, p := range pieces(host) {
		switch {
		case p.Literal != "" && strings.Contains(p.Literal, "*"):
			return errors.New("it has no labels without a name in hosts")
		case p.Literal != "":
			f.text.WriteString(p.Literal)
			continue
		case !f.HostParams:
			return errors.New("it has no parameters in hosts")
		case p.Rest:
			return errors.New("it has no parameters for several labels in hosts")
		}
		if err := f.param(p, true); err != nil {
			return err
		}
	}
	return nil
}

// segment writes a segment; last says that it is the path's last.
func (f *formatter) segment(g Segment, last bool) error {
	if len(g) > 1 && !f.beside(g) {
		return errors.New("its segments cannot mix text and parameters in this way")
	}
	for _, p := range g {
		switch {
		case p.Literal != "" && f.Literal != nil:
			f.text.WriteString(f.Literal(p.Literal))
		case p.Literal != "":
			f.text.WriteString(p.Literal)
		case p.End && f.End:
			f.text.WriteString("{$}")
		case p.End: // without subtrees a slash is the end by itself
		default:
			if err := f.param(p, last); err != nil {
				return err
			}
		}
	}
	return nil
}

// beside reports whether a segment of several pieces can be written.
func (s *Syntax) beside(g Segment) bool {
	if s.Beside != nil {
		return s.Beside(g)
	}
	return s.Mixed || s.Prefix && len(g) == 2 && g[0].Literal != ""
}

// param writes a parameter.
func (f *formatter) param(p Piece, last bool) error {
	name := p.Param
	if f.Places || !identifier(name) {
		name = fmt.Sprintf("p%d", len(f.names)+1)
	}
	form, readAs, err := f.Syntax.param(p, name, last)
	if err != nil {
		return err
	}
	f.text.WriteString(form)
	f.names = append(f.names, readAs)
	return nil
}

// identifier reports whether every router takes a name: [A-Za-z_][0-9A-Za-z_]*.
func identifier(name string) bool {
	for i, c := range []byte(name) {
		letter := c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// param returns how a parameter is written and what it is called in handlers.
func (s *Syntax) param(p Piece, name string, last bool) (form, readAs string, err error) {
	switch {
	case p.Rest && s.Rest == "":
		return "", "", errors.New("it has no parameter for the rest of a path")
	case p.Rest && !last && !s.Middle:
		return "", "", errors.New("it has no parameter for several segments in the middle of a path")
	case p.Rest:
		readAs = name
		if s.RestName != "" {
			readAs = s.RestName
		}
		return fill(s.Rest, name), readAs, nil
	case p.Constraint != "" && s.Regexp == "":
		return "", "", errors.New("it has no expressions or constraints")
	case p.Constraint != "":
		return fill(s.Regexp, name, s.expression(p.Constraint)), name, nil
	case s.Param == "":
		return "", "", errors.New("it has no parameters")
	}
	return fill(s.Param, name), name, nil
}

// fill puts values in the places of a form.
func fill(form string, values ...string) string {
	for _, v := range values {
		form = strings.Replace(form, "%s", v, 1)
	}
	return form
}

var nowhere = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})

// unescape resolves the escapes of literal text; a wrong one stays.
func unescape(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}
