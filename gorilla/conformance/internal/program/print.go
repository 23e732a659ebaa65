package program

import (
	"fmt"
	"strconv"
	"strings"
)

// String returns the program as Go statements. Values are called v1, v2 and so on.
// handler(n) answers with what it sees of the request. middleware(n) writes its number to
// the header before it calls the next handler.
func (p Program) String() string {
	var b strings.Builder
	for _, op := range p {
		b.WriteString(op.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// String returns the op as a Go statement.
func (op Op) String() string {
	s := op.expression()
	if op.Out != 0 {
		return fmt.Sprintf("v%d := %s", op.Out, s)
	}
	return s
}

func (op Op) expression() string {
	on := "v" + strconv.Itoa(op.On)
	switch op.Call {
	case NewRouter:
		return "mux.NewRouter()"
	case ZeroRouter:
		return "new(mux.Router)"
	case ZeroRoute:
		return "new(mux.Route)"
	case Handle, HandleFunc:
		return fmt.Sprintf("%s.%s(%q, %s)", on, op.Call, op.Args[0], op.handler())
	case Handler, HandlerFunc:
		return fmt.Sprintf("%s.%s(%s)", on, op.Call, op.handler())
	case NotFoundHandler, MethodNotAllowedHandler:
		return fmt.Sprintf("%s.%s = %s", on, op.Call, op.handler())
	case Mount:
		return fmt.Sprintf("%s.Handler(v%d)", on, op.Nums[0])
	case StrictSlash, SkipClean, OmitRouteFromContext, OmitRouterFromContext:
		return fmt.Sprintf("%s.%s(%t)", on, op.Call, op.Nums[0] == 1)
	case UseCORS:
		return fmt.Sprintf("%s.Use(mux.CORSMethodMiddleware(v%d))", on, op.Nums[0])
	case Use:
		list := make([]string, len(op.Nums))
		for i, n := range op.Nums {
			list[i] = fmt.Sprintf("middleware(%d)", n)
		}
		return fmt.Sprintf("%s.Use(%s)", on, strings.Join(list, ", "))
	case MatcherFunc:
		body := matchers[op.Nums[0]]
		if op.Nums[0] == SetRoute {
			body = fmt.Sprintf(body, op.Nums[1])
		}
		return fmt.Sprintf("%s.MatcherFunc(func(r *http.Request, m *mux.RouteMatch) bool { %s })", on, body)
	case BuildVarsFunc:
		return fmt.Sprintf("%s.BuildVarsFunc(func(m map[string]string) map[string]string { %s })",
			on, varsFuncs[op.Nums[0]])
	case Metadata:
		return fmt.Sprintf("%s.Metadata(%q, %d)", on, op.Args[0], op.Nums[0])
	case ServeHTTP:
		return fmt.Sprintf("%s.ServeHTTP(w, %s)", on, op.Req)
	case Match:
		return fmt.Sprintf("%s.Match(%s, &mux.RouteMatch{})", on, op.Req)
	case MatchAgain:
		return fmt.Sprintf("%s.Match(%s, &reused)", on, op.Req)
	case Getters:
		return fmt.Sprintf("// all getters of %s", on)
	case Walk:
		return fmt.Sprintf("%s.Walk(…) // %s", on, walkComment(op.Nums[0]))
	}
	args := make([]string, len(op.Args))
	for i, a := range op.Args {
		args[i] = strconv.Quote(a)
	}
	return fmt.Sprintf("%s.%s(%s)", on, op.Call, strings.Join(args, ", "))
}

func (op Op) handler() string {
	switch {
	case op.Nums[0] == Nil:
		return "nil"
	case op.Call == HandleFunc || op.Call == HandlerFunc:
		return fmt.Sprintf("handler(%d).ServeHTTP", op.Nums[0])
	}
	return fmt.Sprintf("handler(%d)", op.Nums[0])
}

func walkComment(n int) string {
	switch {
	case n > 0:
		return fmt.Sprintf("visit %d returns SkipRouter", n)
	case n < 0:
		return fmt.Sprintf("visit %d returns an error", -n)
	}
	return "to the end"
}

// String returns the request as an approximate Go expression.
func (r *Request) String() string {
	s := fmt.Sprintf("request(%q, %q, Host: %q", r.Method, r.Target, r.Host)
	for i := 0; i+1 < len(r.Header); i += 2 {
		s += fmt.Sprintf(", %s: %q", r.Header[i], r.Header[i+1])
	}
	if r.TLS {
		s += ", TLS"
	}
	if r.Strip != "" {
		s += fmt.Sprintf(", StripPrefix: %q", r.Strip)
	}
	if r.Path != "" {
		s += fmt.Sprintf(", URL.Path = %q", r.Path)
	}
	return s + ")"
}
