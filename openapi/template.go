package openapi

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/muxwell/muxwell/internal/pattern"
)

// A template is a path of a description, or a host and a path, as a pattern of a mux.
// The names of parameters may be any text there, so the pattern has names of its own.
type template struct {
	pattern string
	names   []string // of the parameters
	shape   string   // the text, with {} for each parameter
}

// paramName returns the name of a parameter in the pattern.
func paramName(i int) string { return "p" + strconv.Itoa(i) }

// newTemplate returns the template that text is: a path with parameters {name}, where
// {name:.*} and {name...} are the rest of the path. In a pattern of a mux, what follows
// the colon of a name is a constraint, which is left out.
func newTemplate(text string) (t template, err error) {
	var inPattern, shape strings.Builder
	for rest := text; rest != ""; {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			open = len(rest)
		}
		if strings.IndexByte(rest[:open], '}') >= 0 {
			return t, fmt.Errorf("%q has a } without a {", text)
		}
		inPattern.WriteString(rest[:open])
		shape.WriteString(rest[:open])
		if open == len(rest) {
			break
		}
		end := pattern.ClosingBrace(rest, open+1)
		if end < 0 {
			return t, fmt.Errorf("%q has a { without a }", text)
		}
		name, constraint, _ := strings.Cut(rest[open+1:end], ":")
		rest = rest[end+1:]
		if name == "$" {
			continue // the end of a pattern
		}
		suffix := ""
		if trimmed, ok := strings.CutSuffix(name, "..."); ok || constraint == ".*" {
			name, suffix = trimmed, "..."
		}
		inPattern.WriteString("{" + paramName(len(t.names)) + suffix + "}")
		shape.WriteString("{" + suffix + "}")
		t.names = append(t.names, name)
	}
	t.pattern, t.shape = inPattern.String(), shape.String()
	return t, nil
}

// at returns " (FILE:LINE)" for an origin, or "" if it is unknown.
func at(o *openapi3.Origin) string {
	if o == nil || o.Key == nil {
		return ""
	}
	if o.Key.File == "" {
		return fmt.Sprintf(" (line %d)", o.Key.Line)
	}
	return fmt.Sprintf(" (%s:%d)", o.Key.File, o.Key.Line)
}
