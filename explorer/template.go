package explorer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/routelist"
)

// A urlTemplate is the path of a route as OpenAPI has it: parameters without
// constraints in braces, all else escaped.
type urlTemplate struct {
	text   string // /users/{id}
	shape  string // /users/{}: paths with the same are one path to OpenAPI
	params []openParam
}

// newTemplate returns the template of a route.
func newTemplate(r *route) urlTemplate {
	path := r.Path
	if rest, ok := strings.CutSuffix(path, "/{$}"); ok {
		path = rest + "/"
	} else if strings.HasSuffix(path, "/") {
		path += "{" + unusedName("rest", r.Params) + "...}"
	}
	var t urlTemplate
	for _, p := range routelist.Pieces(path) {
		if !p.Param {
			text := escapeLiteral(p.Text)
			t.text, t.shape = t.text+text, t.shape+text
			continue
		}
		param := newPathParam(p.Text, !strings.HasSuffix(path, p.Text))
		t.params = append(t.params, param)
		t.text, t.shape = t.text+"{"+param.Name+"}", t.shape+"{}"
	}
	return t
}

// unusedName returns name, with a number behind it if it is among used.
func unusedName(name string, used []string) string {
	unused := name
	for n := 2; slices.Contains(used, unused); n++ {
		unused = fmt.Sprint(name, n)
	}
	return unused
}

// newPathParam returns a parameter of a path, with its braces. More of the path may
// follow it.
func newPathParam(text string, followed bool) openParam {
	name, constraint := splitParam(text)
	p := openParam{Name: name, In: "path", Required: true}
	if p.Name, p.CatchAll = strings.CutSuffix(name, "..."); p.CatchAll {
		p.Schema = &schema{Type: "string"}
		if followed {
			p.Schema.MinLength = 1
		}
		return p
	}
	p.Schema = newSchema(constraint)
	return p
}

// splitParam returns the name and the constraint of a parameter with its braces.
func splitParam(text string) (name, constraint string) {
	name, constraint, _ = strings.Cut(text[1:len(text)-1], ":")
	return name, constraint
}

// renamed returns the template with the text and the parameter names of first,
// which has the same shape.
func (t urlTemplate) renamed(first urlTemplate) urlTemplate {
	t.text = first.text
	t.params = slices.Clone(t.params)
	for i := range t.params {
		t.params[i].Name = first.params[i].Name
	}
	return t
}

// escapeLiteral escapes what cannot stand in the path of a URL. Escapes stay.
func escapeLiteral(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; isAlnum(rune(c)) || strings.IndexByte("-._~!$&'()*+,;=:@/%", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// An openServer is the host that a route is for.
type openServer struct {
	URL       string                  `json:"url"`
	Variables map[string]openVariable `json:"variables,omitempty"`
}

type openVariable struct {
	Default     string `json:"default"`
	Description string `json:"description,omitempty"`
}

// newServer returns the server of a host as a pattern has it.
func newServer(host string) openServer {
	s := openServer{URL: "//", Variables: map[string]openVariable{}}
	if rest, ok := strings.CutPrefix(host, "*."); ok {
		host = "{*}." + rest
	}
	for _, p := range routelist.Pieces(host) {
		if !p.Param {
			s.URL += p.Text
			continue
		}
		name, constraint := splitParam(p.Text)
		name = strings.TrimSuffix(name, "...")
		value := openVariable{Default: name}
		if constraint != "" {
			value.Description = "matches " + constraint
		}
		if name == "*" {
			value.Default = "any" // label
		}
		s.URL += "{" + name + "}"
		s.Variables[name] = value
	}
	return s
}
