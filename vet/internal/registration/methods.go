package registration

import (
	"go/ast"
	"go/types"
	"net/http"
	"slices"
	"strings"
)

// exprString returns an expression on one line, without the bodies of functions.
func exprString(e ast.Expr) string { return types.ExprString(e) }

// Methods returns the methods of a route of gorilla/mux or chi that are not in its pattern, and
// whether they are known.
func (t *Table) Methods(rt *Route) ([]string, bool) {
	switch {
	case rt.Method != "":
		return []string{rt.Method}, true
	case rt.Kind == Chi && strings.HasPrefix(rt.Func, "Method"):
		if text := t.x.text(rt.Call.Args[0], nil, 0); text != nil {
			return []string{strings.ToUpper(text.Value)}, true
		}
		return nil, false
	case rt.Kind != Gorilla:
		return nil, true
	}
	var methods []string
	for base := rt.Call; base != nil; base = t.x.chained[base] {
		sel, ok := base.Fun.(*ast.SelectorExpr)
		if !ok || base == rt.Call {
			continue
		}
		switch sel.Sel.Name {
		case "Methods":
			for _, arg := range base.Args {
				text := t.x.text(arg, nil, 0)
				if text == nil {
					return nil, false
				}
				methods = append(methods, strings.ToUpper(text.Value))
			}
		case "Name", "HandlerFunc", "Handler":
		default:
			return nil, false // a matcher
		}
	}
	for i, m := range methods {
		if m == http.MethodHead && len(methods) > 1 && slices.Contains(methods, http.MethodGet) {
			methods = append(methods[:i:i], methods[i+1:]...) // GET matches HEAD
			break
		}
	}
	return methods, true
}
