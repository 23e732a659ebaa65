package naive

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Match reports whether segments match a path, which is split at its slashes and
// still escaped, and returns the values of the parameters. Where dots is set a
// parameter may be "." or "..".
func Match(segs []Segment, path []string, dots bool) (values []string, ok bool) {
	if len(segs) == 0 || len(path) == 0 {
		return nil, len(segs) == 0 && len(path) == 0
	}
	g, n := segs[0], 1
	text := Unescape(path[0])
	value := text != "" && (dots || path[0] != "." && path[0] != "..") // a parameter may be it
	switch g.Kind {
	case Literal:
		ok = text == g.Text && (text != "" || len(path) > 1)
	case Dollar:
		ok = text == "" && len(path) == 1
	case CatchAll:
		return g.named(path), true
	case InnerCatchAll:
		if n = len(path) - len(segs) + 1; n < 1 {
			return nil, false
		}
		values = g.named(path[:n])
		ok = strings.Join(path[:n], "/") != ""
	case Param:
		values, ok = g.named(path[:1]), value
	default:
		values, ok = MatchParts(g.Parts, text)
		ok = ok && value
	}
	if !ok {
		return nil, false
	}
	more, ok := Match(segs[1:], path[n:], dots)
	return append(values, more...), ok
}

// named returns the value of a parameter, if it has a name.
func (g Segment) named(path []string) (values []string) {
	if g.Name == "" {
		return nil
	}
	return []string{Unescape(strings.Join(path, "/"))}
}

// MatchParts matches a segment: with package regexp if it has several parameters of
// which one has a constraint, else by trying each length of a value.
func MatchParts(parts []Part, text string) (values []string, ok bool) {
	params, constrained := 0, false
	for _, p := range parts {
		if p.Param {
			params++
			constrained = constrained || p.Constraint != ""
		}
	}
	if params < 2 || !constrained {
		return matchShortest(parts, text)
	}
	expr := ""
	for i, p := range parts {
		switch {
		case !p.Param:
			expr += regexp.QuoteMeta(p.Text)
		case p.Constraint == "":
			expr += fmt.Sprintf(`(?P<v%d>(?s:.+?))`, i)
		case isName(p.Constraint):
			expr += fmt.Sprintf(`(?P<v%d>(?U:%s))`, i, p.Expr)
		default:
			expr += fmt.Sprintf(`(?P<v%d>(?:%s))`, i, p.Expr)
		}
	}
	re := Regexp(expr)
	m := re.FindStringSubmatch(text)
	if m == nil {
		return nil, false
	}
	for i, p := range parts {
		if p.Param {
			values = append(values, m[re.SubexpIndex(fmt.Sprintf("v%d", i))])
		}
	}
	return values, true
}

// matchShortest gives each parameter the shortest value, from left to right, with
// which the rest matches.
func matchShortest(parts []Part, text string) (values []string, ok bool) {
	if len(parts) == 0 {
		return nil, text == ""
	}
	p := parts[0]
	if !p.Param {
		if text, ok = strings.CutPrefix(text, p.Text); !ok {
			return nil, false
		}
		return matchShortest(parts[1:], text)
	}
	for n := 1; n <= len(text); n++ {
		if value := text[:n]; p.takes(value) {
			if more, ok := matchShortest(parts[1:], text[n:]); ok {
				return append([]string{value}, more...), true
			}
		}
	}
	return nil, false
}

func (p Part) takes(value string) bool {
	switch {
	case p.Expr != "":
		return Regexp(p.Expr).MatchString(value)
	case p.Constraint != "":
		return p.Check(value)
	}
	return true
}

// isName reports whether a constraint is a name, and not an expression.
func isName(constraint string) bool {
	for i, c := range []byte(constraint) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return constraint != ""
}

var regexps sync.Map

// Regexp returns the expression for a whole text.
func Regexp(expr string) *regexp.Regexp {
	re, ok := regexps.Load(expr)
	if !ok {
		re, _ = regexps.LoadOrStore(expr, regexp.MustCompile(`\A(?:`+expr+`)\z`))
	}
	return re.(*regexp.Regexp)
}

// Exact reports whether segments that match a path do so without a catch-all at
// the end that takes any text.
func Exact(segs []Segment, path []string) bool {
	return segs[len(segs)-1].Kind != CatchAll || len(path) == len(segs) && path[len(path)-1] == ""
}

// MatchMethod returns 3 for a method by name, 2 for GET as HEAD, 1 for a pattern
// without method, and 0 for no match.
func MatchMethod(methods []string, method string) int {
	switch {
	case len(methods) == 0:
		return 1
	case slices.Contains(methods, method):
		return 3
	case method == "HEAD" && slices.Contains(methods, "GET"):
		return 2
	}
	return 0
}
