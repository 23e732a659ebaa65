package explorer

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/internal/constraint"
	"github.com/muxwell/muxwell/internal/routelist"
)

// A schema is a JSON Schema, as far as constraints and matchers need it.
type schema struct {
	Type       string  `json:"type"`
	Format     string  `json:"format,omitempty"`
	Pattern    string  `json:"pattern,omitempty"`
	Minimum    *int    `json:"minimum,omitempty"`
	MinLength  int     `json:"minLength,omitempty"`
	Const      *string `json:"const,omitempty"`
	Constraint string  `json:"x-muxwell-constraint,omitempty"` // the name of one that the program defines
}

// newSchema returns the schema of the values that match a constraint, which is written
// as text; "" is none.
func newSchema(text string) *schema {
	b := constraint.Find(text)
	switch {
	case text == "":
		return &schema{Type: "string", MinLength: 1}
	case b != nil:
		return &schema{Type: b.Type, Format: b.Format, Pattern: b.Pattern(), Minimum: b.Minimum}
	case constraint.IsName(text):
		return &schema{Type: "string", MinLength: 1, Constraint: text}
	}
	return &schema{Type: "string", Pattern: "^(?:" + text + ")$"}
}

// A requirement is what OpenAPI can say of a matcher.
type requirement struct {
	pairs bool // the arguments are names and values in turn
	// add adds it to an operation.
	add func(op *operation, args []string)
}

// requirements is the table of the matchers that OpenAPI can say something of, by the
// names of their functions.
var requirements = map[string]requirement{
	"Queries": {pairs: true, add: func(op *operation, args []string) {
		for pair := range slices.Chunk(args, 2) {
			op.askParam(openParam{Name: pair[0], In: "query", Required: true, Schema: templateSchema(pair[1])})
		}
	}},
	"Headers": {pairs: true, add: func(op *operation, args []string) {
		for pair := range slices.Chunk(args, 2) {
			s := &schema{Type: "string"}
			if pair[1] != "" {
				s.Const = &pair[1]
			}
			op.askParam(openParam{Name: pair[0], In: "header", Required: true, Schema: s})
		}
	}},
	"HeadersRegexp": {pairs: true, add: func(op *operation, args []string) {
		for pair := range slices.Chunk(args, 2) {
			s := &schema{Type: "string", Pattern: "^(?:" + pair[1] + ")$"}
			op.askParam(openParam{Name: pair[0], In: "header", Required: true, Schema: s})
		}
	}},
	"Accept": {add: func(op *operation, args []string) {
		op.Responses["default"].Content = mediaTypes(args)
	}},
	"ContentType": {add: func(op *operation, args []string) {
		op.RequestBody = &openContent{Content: mediaTypes(args)}
	}},
}

// ask adds to an operation what a matcher requires, as far as OpenAPI can say it.
func (op *operation) ask(matcher string) {
	name, args := splitMatcher(matcher)
	if r, ok := requirements[name]; ok {
		r.add(op, args)
	}
}

// askParam adds a parameter, unless it is there or is a header that OpenAPI leaves
// to other means.
func (op *operation) askParam(p openParam) {
	if p.In == "header" {
		p.Name = http.CanonicalHeaderKey(p.Name)
		if slices.Contains([]string{"Accept", "Content-Type", "Authorization"}, p.Name) {
			return
		}
	}
	if !slices.ContainsFunc(op.Parameters, func(q openParam) bool { return q.Name == p.Name && q.In == p.In }) {
		op.Parameters = append(op.Parameters, p)
	}
}

// templateSchema returns the schema of the values that a template of Queries takes.
func templateSchema(template string) *schema {
	all := routelist.Pieces(template)
	switch {
	case template == "":
		return &schema{Type: "string"}
	case len(all) == 1 && !all[0].Param:
		return &schema{Type: "string", Const: &template}
	case len(all) > 1:
		return &schema{Type: "string", MinLength: 1}
	}
	name, constraint := splitParam(template)
	if strings.HasSuffix(name, "...") {
		return &schema{Type: "string"}
	}
	return newSchema(constraint)
}

func mediaTypes(types []string) map[string]struct{} {
	content := map[string]struct{}{}
	for _, t := range types {
		content[t] = struct{}{}
	}
	return content
}

// splitMatcher returns the name and the arguments of a matcher as an option is
// written, Headers("X-Beta", "1"), if all arguments are strings, and pairs are whole
// where pairs are due.
func splitMatcher(matcher string) (name string, args []string) {
	name, rest, _ := strings.Cut(matcher, "(")
	for rest != ")" {
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return "", nil
		}
		arg, _ := strconv.Unquote(quoted)
		args = append(args, arg)
		rest = strings.TrimPrefix(rest[len(quoted):], ", ")
	}
	if len(args)%2 != 0 && requirements[name].pairs {
		return "", nil
	}
	return name, args
}
