package route

import (
	"strings"

	"github.com/muxwell/muxwell/internal/constraint"
)

// looser are the built-in constraints of which other routers are given an expression
// that matches more.
var looser = map[string]string{
	"date": `[0-9]{4}-[01][0-9]-[0-3][0-9]`, // and the calendar, which routers leave to handlers
}

// expression returns a constraint as an expression in the syntax of the router.
func (s *Syntax) expression(constraint string) string {
	switch all := alternatives(Expression(constraint)); {
	case len(all) == 1:
		return all[0]
	case s.Or == "":
		return "(?:" + strings.Join(all, "|") + ")"
	default:
		return strings.Join(all, s.Or)
	}
}

// alternatives splits an expression at each "|" outside of groups and classes. It drops a
// group that only encloses the whole expression.
func alternatives(e string) []string {
	var all []string
	begin, depth, closed := 0, 0, -1 // closed is where the first group ends
	for i := 0; i < len(e); i++ {
		switch e[i] {
		case '\\':
			i++
		case '[':
			i = classEnd(e, i)
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 && closed < 0 {
				closed = i
			}
		case '|':
			if depth == 0 {
				all = append(all, e[begin:i])
				begin = i + 1
			}
		}
	}
	if all == nil && strings.HasPrefix(e, "(?:") && closed == len(e)-1 {
		return alternatives(e[3:closed])
	}
	return append(all, e[begin:])
}

// classEnd returns where the class ends that begins at i: at the first "]" that is
// neither its first character nor that of a name, [:alpha:].
func classEnd(e string, i int) int {
	if i++; strings.HasPrefix(e[i:], "^") {
		i++
	}
	for first := i; i < len(e) && (e[i] != ']' || i == first); i++ {
		if e[i] == '\\' {
			i++
		} else if end := strings.Index(e[i:], ":]"); strings.HasPrefix(e[i:], "[:") && end > 0 {
			i += end + 1
		}
	}
	return i
}

// Expression returns the expression for the text of a constraint.
func Expression(text string) string {
	if e, ok := looser[text]; ok {
		return e
	}
	if b := constraint.Find(text); b != nil {
		return b.Expr
	}
	return text
}
