package migrate

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// A spec is what the links of a chain say about a route.
type spec struct {
	methods  []string
	path     string   // the path of muxwell
	pathExpr ast.Expr // nil if there is none
	original string   // its constant value
	isPrefix bool
	host     string
	hostExpr ast.Expr
	options  []string
	name     string // its constant name
	handler  ast.Expr
	isFunc   bool
	err      string
	errPos   token.Pos
}

// matchers returns the number of options that decide whether the route matches.
func (s spec) matchers() (n int) {
	for _, o := range s.options {
		if !strings.HasPrefix(o, "muxwell.Name(") && !strings.HasPrefix(o, "muxwell.Meta(") {
			n++
		}
	}
	return n
}

func (b *gorillaRewriter) spec(f *file, links []link, subrouter bool) (s spec) {
	fail := func(pos token.Pos, format string, args ...any) {
		if s.err == "" {
			s.err, s.errPos = fmt.Sprintf(format, args...), pos
		}
	}
	for _, l := range links {
		args := l.call.Args
		var constants []string
		for _, arg := range args {
			if c, ok := constString(f, arg); ok {
				constants = append(constants, c)
			}
		}
		constant := len(constants) == len(args) && !l.call.Ellipsis.IsValid()
		quoted := func() string {
			var list []string
			for _, arg := range args {
				list = append(list, b.text(f, arg))
			}
			return strings.Join(list, ", ")
		}
		switch l.name {
		case "HandleFunc", "Handle", "Path", "PathPrefix":
			if s.pathExpr != nil {
				fail(l.sel.Sel.Pos(), "a route with two paths: write them as one pattern")
				break
			}
			s.pathExpr = args[0]
			s.isPrefix = l.name == "PathPrefix"
			pattern, ok := constString(f, args[0])
			if !ok && !s.isPrefix {
				pattern, ok = b.tail(f, args[0])
			}
			if !ok {
				fail(args[0].Pos(), "the path is not constant, so it is not known whether it means the same in muxwell: "+
					"there a final slash is a catch-all unless {$} follows, and expressions match one segment")
				break
			}
			s.original = pattern
			path, err := gorillaPath(s.original, s.isPrefix, subrouter)
			if _, whole := constString(f, args[0]); !whole && err == nil && !strings.HasPrefix(path, pattern) {
				err = errors.New("it follows a prefix that is not constant")
			}
			if err != nil {
				fail(args[0].Pos(), "pattern %q: %v", s.original, err)
				break
			}
			s.path = path
			if len(args) == 2 {
				s.handler, s.isFunc = args[1], l.name == "HandleFunc"
			}
		case "Handler", "HandlerFunc":
			s.handler, s.isFunc = args[0], l.name == "HandlerFunc"
		case "NewRoute", "Subrouter":
		case "Methods":
			if !constant {
				fail(l.sel.Sel.Pos(), "the methods are not constant; in muxwell they are a part of the pattern")
				break
			}
			if s.methods != nil {
				fail(l.sel.Sel.Pos(), "a route with two calls of Methods matches only methods that are in both")
				break
			}
			for _, c := range constants {
				if c = strings.ToUpper(c); !slices.Contains(s.methods, c) {
					s.methods = append(s.methods, c)
				}
			}
			if slices.Contains(s.methods, "GET") {
				s.methods = slices.DeleteFunc(s.methods, func(m string) bool { return m == "HEAD" })
			}
		case "Host":
			host, err := "", error(nil)
			if constant {
				host, err = gorillaHost(constants[0])
			}
			switch {
			case !constant:
				fail(l.sel.Sel.Pos(), "the host is not constant")
			case err != nil:
				fail(args[0].Pos(), "host %q: %v", constants[0], err)
			case s.hostExpr != nil:
				fail(l.sel.Sel.Pos(), "a route with two hosts")
			}
			s.host, s.hostExpr = host, args[0]
			b.change("The case of a host is ignored.")
		case "Name":
			s.options = append(s.options, "muxwell.Name("+quoted()+")")
			if constant {
				s.name = constants[0]
			}
		case "Metadata":
			s.options = append(s.options, "muxwell.Meta("+quoted()+")")
		case "Schemes":
			for _, c := range constants {
				constant = constant && (strings.EqualFold(c, "http") || strings.EqualFold(c, "https"))
			}
			if !constant {
				fail(l.sel.Sel.Pos(), "Schemes: muxwell knows only the constants http and https")
				break
			}
			s.options = append(s.options, "muxwell.Schemes("+quoted()+")")
			b.change("A scheme is that of the connection, or of the header X-Forwarded-Proto if the proxy is one of the option TrustedProxies.")
		case "Headers":
			if l.call.Ellipsis.IsValid() {
				quoted := b.text(f, args[0])
				s.options = append(s.options, "muxwell.Headers("+quoted+"...)")
				break
			}
			s.options = append(s.options, "muxwell.Headers("+quoted()+")")
		case "HeadersRegexp":
			if !constant {
				fail(l.sel.Sel.Pos(), "the expressions are not constant; in muxwell they match the whole value, so add .* at both ends")
				break
			}
			var list []string
			for i, c := range constants {
				if i%2 == 1 {
					c = wholeLine(c)
				}
				list = append(list, strconv.Quote(c))
			}
			s.options = append(s.options, "muxwell.HeadersRegexp("+strings.Join(list, ", ")+")")
		case "Queries":
			if !constant || len(constants)%2 != 0 {
				fail(l.sel.Sel.Pos(), "the queries are not constant")
				break
			}
			var list []string
			for i, c := range constants {
				if i%2 == 1 {
					q, err := gorillaQuery(c)
					if err != nil {
						fail(args[i].Pos(), "query %q: %v", c, err)
					}
					c = q
				}
				list = append(list, strconv.Quote(c))
			}
			s.options = append(s.options, "muxwell.Queries("+strings.Join(list, ", ")+")")
		case "MatcherFunc":
			fn, ok := ast.Unparen(args[0]).(*ast.FuncLit)
			if !ok || len(fn.Type.Params.List) != 2 || unused(f, fn.Type.Params.List[1]) != nil {
				fail(l.sel.Sel.Pos(), "MatcherFunc: use the option muxwell.MatchFunc with a func(*http.Request) bool, which cannot change the match")
				break
			}
			match := fn.Type.Params.List[1]
			text := b.between(f, fn.Pos(), fn.Type.Params.List[0].End()) + b.between(f, match.End(), fn.End())
			ast.Inspect(match, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					b.done[id] = true
				}
				return true
			})
			s.options = append(s.options, "muxwell.MatchFunc("+text+")")
		case "Use":
			fail(l.sel.Sel.Pos(), "middleware of a route: use m.With(middleware) for it")
		default:
			fail(l.sel.Sel.Pos(), "%s on a route: muxwell has no equivalent in a registration", l.name)
		}
	}
	return s
}

// unused returns a use of a parameter, or nil.
func unused(f *file, field *ast.Field) (use *ast.Ident) {
	for _, name := range field.Names {
		obj := f.info.Defs[name]
		for id, o := range f.info.Uses {
			if obj != nil && o == obj {
				use = id
			}
		}
	}
	return use
}

// wholeLine returns an expression that matches the lines in which expr finds something.
func wholeLine(expr string) string {
	if alternatives(expr) {
		return ".*(?:" + expr + ").*"
	}
	if cut, ok := strings.CutPrefix(expr, "^"); ok {
		expr = cut
	} else {
		expr = ".*" + expr
	}
	if strings.HasSuffix(expr, "$") && !strings.HasSuffix(expr, `\$`) {
		return strings.TrimSuffix(expr, "$")
	}
	return expr + ".*"
}

// gorillaQuery returns the template of muxwell for that of a query.
func gorillaQuery(template string) (string, error) {
	parts, err := splitPattern(template)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, p := range parts {
		switch {
		case !p.param:
			out.WriteString(p.text)
		case (p.expr == "" || p.expr == ".*") && len(parts) == 1:
			fmt.Fprintf(&out, "{%s...}", p.name)
		case p.expr == "" || matchesEmpty(p.expr):
			return "", fmt.Errorf("{%s} next to text also matches the empty text, and a parameter of muxwell does not", p.name)
		default:
			fmt.Fprintf(&out, "{%s:%s}", p.name, p.expr)
		}
	}
	return out.String(), nil
}
