package openapi

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
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
	var pattern, shape strings.Builder
	for rest := text; rest != ""; {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			open = len(rest)
		}
		if strings.IndexByte(rest[:open], '}') >= 0 {
			return t, fmt.Errorf("%q has a } without a {", text)
		}
		pattern.WriteString(rest[:open])
		shape.WriteString(rest[:open])
		if open == len(rest) {
			break
		}
		end := closing(rest[open:])
		if end < 0 {
			return t, fmt.Errorf("%q has a { without a }", text)
		}
		name, constraint, _ := strings.Cut(rest[open+1:open+end], ":")
		rest = rest[open+end+1:]
		if name == "$" {
			continue // the end of a pattern
		}
		suffix := ""
		if trimmed, ok := strings.CutSuffix(name, "..."); ok || constraint == ".*" {
			name, suffix = trimmed, "..."
		}
		pattern.WriteString("{" + paramName(len(t.names)) + suffix + "}")
		shape.WriteString("{" + suffix + "}")
		t.names = append(t.names, name)
	}
	t.pattern, t.shape = pattern.String(), shape.String()
	return t, nil
}

// closing returns the index of the brace that closes the first byte of s, or -1. Regular
// expressions may have braces.
func closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
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
