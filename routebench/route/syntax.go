package route

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// A Syntax is the pattern syntax of a router. A "%s" is replaced by what the field's
// comment names. An empty field is a feature that the router lacks.
type Syntax struct {
	Param  string // a parameter, with its name: ":%s"
	Regexp string // one with an expression, with its name and that: "{%s:%s}"
	Rest   string // one for the rest of the path, with its name: "*%s"

	// RestName is the name of the parameter for the rest in handlers, if the router chooses
	// it: "*".
	RestName string
	// RestSlash reports whether the value of the rest begins with a slash.
	RestSlash bool

	// Or separates the alternatives of an expression, a|b, if Regexp needs no group around
	// them: "|" if it adds a group itself, "$|^" if each alternative must be anchored. ""
	// means a group, (?:a|b).
	Or string

	// Literal escapes literal text as the router requires. nil leaves text unchanged.
	Literal func(text string) string
	// Beside reports whether text and parameters may be combined as in a segment. nil means
	// that Prefix and Mixed decide.
	Beside func(Segment) bool

	Prefix     bool // a segment may be literal text and then a parameter
	Mixed      bool // a segment may have literal text and parameters in any order
	Middle     bool // the parameter for the rest may be in the middle of a path
	End        bool // "{$}" may end a pattern
	Hosts      bool // patterns begin with a host
	HostParams bool // which may have parameters, written as those of the path
	Options    bool // routes have matchers and other options

	// Native reports whether the router's patterns have muxwell's syntax.
	Native bool

	// Places reports whether parameters are called p1, p2 and so on, for routers that
	// require the same name for the parameters of all routes at one position, or names
	// without underscores. Names that are not identifiers are replaced in this way for
	// every router.
	Places bool
}

// Format returns a route's host and path in the router's syntax, with the router's names
// for the parameters, from left to right. It returns an error for a route that the router
// cannot express.
//
// A trailing slash is kept, although net/http and muxwell match every path below it and
// most other routers match none. Comparisons send a request for the path itself.
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
