package source

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/muxwell/muxwell"
)

// A patternWriter writes a template, a path of an OpenAPI file, as a pattern of
// muxwell:
//
//	/users/{id}          /users/{id}
//	/v1/{name}:cancel    /v1/{name}:cancel
//	/files/              /files/{$}           this path, and none below it
//	/a b/{id?}           /a%20b/{id}          a name that muxwell refuses is changed
//	/a{b                 /a%7Bb               a brace that is never closed is text
type patternWriter struct {
	strings.Builder
	names    map[string]bool
	warnings []string // what was changed
}

// writePattern returns a template as the path of a pattern, and what was changed.
func writePattern(template string) (path string, warnings []string) {
	w := &patternWriter{names: make(map[string]bool)}
	for rest := template; rest != ""; {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			w.text(rest)
			break
		}
		w.text(rest[:open])
		rest = rest[open+1:]
		end := strings.IndexAny(rest, "/{}")
		if end < 0 || rest[end] != '}' {
			w.warn("a '{' is never closed; it is literal text")
			w.text("{")
			continue
		}
		w.parameter(rest[:end])
		rest = rest[end+1:]
	}
	if strings.HasSuffix(template, "/") {
		w.WriteString("{$}")
	}
	return w.String(), w.warnings
}

func (w *patternWriter) warn(format string, args ...any) {
	w.warnings = append(w.warnings, fmt.Sprintf(format, args...))
}

// text writes literal text. Escapes in it stay escapes.
func (w *patternWriter) text(s string) {
	for i := range len(s) {
		c := s[i]
		isEscape := c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2])
		if c <= ' ' || c == 0x7f || c == '{' || c == '}' || c == '%' && !isEscape {
			fmt.Fprintf(w, "%%%02X", c)
			continue
		}
		w.WriteByte(c)
	}
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// parameter writes a parameter, under another name where muxwell has reason to
// refuse its own.
func (w *patternWriter) parameter(name string) {
	as := name
	if !isName(as) {
		as = strings.Map(func(r rune) rune {
			if r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' {
				return r
			}
			return -1
		}, name)
	}
	if !isName(as) {
		as = "p"
	}
	base := as
	for n := 2; w.names[as]; n++ {
		as = fmt.Sprintf("%s_%d", base, n)
	}
	w.names[as] = true
	if as != name {
		w.warn("the parameter {%s} is called {%s}", name, as)
	}
	w.WriteString("{" + as + "}")
}

// isName reports whether muxwell accepts a name for a parameter of one segment.
func isName(name string) bool {
	if strings.HasSuffix(name, "...") || strings.ContainsAny(name, ":/{}$") || strings.ContainsFunc(name, unicode.IsControl) {
		return false
	}
	_, err := muxwell.New().Add("/{"+name+"}", nowhere)
	return err == nil
}
