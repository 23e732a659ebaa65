package oracle

import (
	"maps"
	"net/http"
	"strings"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/program"
)

// onRouter runs an op on a router, or an op that is a function.
func (m *Machine) onRouter(r *muxRouter, op program.Op) program.Seen {
	if op.MakesRoute() {
		return m.keepRoute(op, m.newRoute(r, op))
	}
	switch op.Call {
	case program.NewRouter:
		return m.keepRouter(op, newRouter())
	case program.ZeroRouter:
		return m.keepRouter(op, new(muxRouter))
	case program.StrictSlash:
		return same(r.StrictSlash(op.Nums[0] == 1) == r)
	case program.SkipClean:
		return same(r.SkipClean(op.Nums[0] == 1) == r)
	case program.UseEncodedPath:
		return same(r.UseEncodedPath() == r)
	case program.OmitRouteFromContext:
		return same(omitRoute(r, op.Nums[0] == 1) == r)
	case program.OmitRouterFromContext:
		return same(omitRouter(r, op.Nums[0] == 1) == r)
	case program.Use:
		r.Use(m.middleware(op.Nums)...)
	case program.UseCORS:
		if other := m.routers[op.Nums[0]]; other != nil {
			r.Use(corsMethodMiddleware(other))
		}
	case program.NotFoundHandler:
		r.NotFoundHandler = m.handler(op.Nums[0])
	case program.MethodNotAllowedHandler:
		r.MethodNotAllowedHandler = m.handler(op.Nums[0])
	case program.ServeHTTP:
		return m.serve(r, op)
	case program.Match, program.MatchAgain:
		return m.match(r.Match, op)
	case program.Walk:
		return m.walk(r, op.Nums[0])
	case program.Get:
		return program.Seen{Text: m.number(r.Get(op.Args[0])) + " " + m.number(r.GetRoute(op.Args[0]))}
	default:
		panic("no call of routers: " + op.Call)
	}
	return program.Seen{}
}

// newRoute makes a route of a router, or a free one.
func (m *Machine) newRoute(r *muxRouter, op program.Op) *muxRoute {
	switch op.Call {
	case program.ZeroRoute:
		return new(muxRoute)
	case program.NewRoute:
		return r.NewRoute()
	case program.Handle:
		h := m.handler(op.Nums[0])
		return m.base(r.Handle(op.Args[0], h), h)
	case program.HandleFunc:
		h := m.handler(op.Nums[0])
		return m.base(r.HandleFunc(op.Args[0], h.ServeHTTP), http.HandlerFunc(h.ServeHTTP))
	case program.Path:
		return r.Path(op.Args[0])
	case program.PathPrefix:
		return r.PathPrefix(op.Args[0])
	case program.Host:
		return r.Host(op.Args[0])
	case program.Headers:
		return r.Headers(op.Args...)
	case program.Queries:
		return r.Queries(op.Args...)
	case program.Schemes:
		return r.Schemes(clone(op.Args)...)
	case program.Methods:
		return r.Methods(clone(op.Args)...)
	case program.MatcherFunc:
		return r.MatcherFunc(m.matcher(op.Nums))
	case program.BuildVarsFunc:
		return r.BuildVarsFunc(varsFunc(op.Nums[0]))
	case program.Name:
		return r.Name(op.Args[0])
	}
	panic("no call that makes routes: " + op.Call)
}

// onRoute runs an op on a route.
func (m *Machine) onRoute(r *muxRoute, op program.Op) program.Seen {
	switch op.Call {
	case program.Subrouter:
		return m.keepRouter(op, r.Subrouter())
	case program.Match, program.MatchAgain:
		return m.match(r.Match, op)
	case program.Getters:
		return program.Seen{Text: m.getters(r)}
	case program.URL:
		return urlSeen(r.URL(op.Args...))
	case program.URLHost:
		return urlSeen(r.URLHost(op.Args...))
	case program.URLPath:
		return urlSeen(r.URLPath(op.Args...))
	}
	result := m.setUp(r, op)
	seen := m.routeState(r)
	if result != r {
		seen.Text += " returned " + m.number(result)
	}
	return seen
}

// setUp runs an op that changes a route.
func (m *Machine) setUp(r *muxRoute, op program.Op) *muxRoute {
	switch op.Call {
	case program.Path:
		return r.Path(op.Args[0])
	case program.PathPrefix:
		return r.PathPrefix(op.Args[0])
	case program.Host:
		return r.Host(op.Args[0])
	case program.Headers:
		return r.Headers(op.Args...)
	case program.HeadersRegexp:
		return r.HeadersRegexp(op.Args...)
	case program.Queries:
		return r.Queries(op.Args...)
	case program.Schemes:
		return r.Schemes(clone(op.Args)...)
	case program.Methods:
		return r.Methods(clone(op.Args)...)
	case program.MatcherFunc:
		return r.MatcherFunc(m.matcher(op.Nums))
	case program.BuildVarsFunc:
		return r.BuildVarsFunc(varsFunc(op.Nums[0]))
	case program.Name:
		return r.Name(op.Args[0])
	case program.BuildOnly:
		return r.BuildOnly()
	case program.Metadata:
		return setMetadata(r, op.Args[0], op.Nums[0])
	case program.Handler:
		h := m.handler(op.Nums[0])
		return m.base(r.Handler(h), h)
	case program.HandlerFunc:
		h := m.handler(op.Nums[0])
		return m.base(r.HandlerFunc(h.ServeHTTP), http.HandlerFunc(h.ServeHTTP))
	case program.Mount:
		if router := m.routers[op.Nums[0]]; router != nil {
			return m.base(r.Handler(router), router)
		}
		return r
	case program.Use:
		return m.useRoute(r, m.middleware(op.Nums))
	}
	panic("no call of routes: " + op.Call)
}

// useRoute adds middleware to a route.
func (m *Machine) useRoute(r *muxRoute, layers []muxMiddlewareFunc) *muxRoute {
	if !m.WrapHandlers {
		return useOnRoute(r, layers)
	}
	m.layers[r] = append(m.layers[r], layers...)
	return m.wrap(r)
}

// base records the handler of a route.
func (m *Machine) base(r *muxRoute, h http.Handler) *muxRoute {
	if m.WrapHandlers && r.GetError() == nil {
		m.bases[r] = h
		return m.wrap(r)
	}
	return r
}

func (m *Machine) wrap(r *muxRoute) *muxRoute {
	h := m.bases[r]
	if h == nil || len(m.layers[r]) == 0 {
		return r
	}
	for i := len(m.layers[r]) - 1; i >= 0; i-- {
		h = m.layers[r][i](h)
	}
	return r.Handler(h)
}

// same is the result of a call that returns its receiver.
func same(ok bool) program.Seen {
	if ok {
		return program.Seen{}
	}
	return program.Seen{Text: "returned another router"}
}

// clone copies the arguments of an op, in case the callee changes them.
func clone(args []string) []string { return append([]string(nil), args...) }

// matcher returns a matcher of package program.
func (m *Machine) matcher(nums []int) func(*http.Request, *muxMatch) bool {
	return func(r *http.Request, rm *muxMatch) bool {
		switch nums[0] {
		case program.MatchTrue:
		case program.MatchFalse:
			return false
		case program.MatchHeader:
			return r.Header.Get("X-M") != ""
		case program.MatchShortPath:
			return len(r.URL.Path) < 9
		case program.MatchNoError:
			return rm.MatchErr == nil
		case program.MatchMethodError:
			return rm.MatchErr == errMethodMismatch
		case program.SetVars:
			if rm.Vars == nil {
				rm.Vars = map[string]string{}
			}
			rm.Vars["set"] = r.Method
		case program.SetHandler:
			rm.Handler = m.handler(99)
		case program.SetRoute:
			rm.Route = m.routes[nums[1]]
		case program.SetMethodError:
			rm.MatchErr = errMethodMismatch
		case program.SetNoError:
			rm.MatchErr = nil
		case program.SetVarsFalse:
			rm.Vars = map[string]string{"left": "over"}
			return false
		case program.SetHandlerFalse:
			rm.Handler = m.handler(98)
			return false
		case program.CutPath:
			r.URL.Path = strings.TrimPrefix(r.URL.Path, "/a")
		case program.SetMethod:
			r.Method = "POST"
		case program.SetHost:
			r.Host = "www.example.com"
		}
		return true
	}
}

// varsFunc returns a function for BuildVarsFunc of package program.
func varsFunc(n int) func(map[string]string) map[string]string {
	return func(v map[string]string) map[string]string {
		switch n {
		case program.VarsFix:
			v["id"] = "7"
		case program.VarsUpper:
			for k := range v {
				v[k] = strings.ToUpper(v[k])
			}
		case program.VarsAppend:
			for k := range v {
				v[k] += "b"
			}
		case program.VarsNil:
			return nil
		case program.VarsCopy:
			return maps.Clone(v)
		}
		return v
	}
}
