// Code generated from ../oracle/machine.go by copymachine; DO NOT EDIT.

// Package v181 runs programs with a package that has the API of gorilla/mux. There are
// three such packages: oracle for the main branch of gorilla/mux, v181 for its version 1.8.1,
// and subject for the package under test. The other two are generated from oracle.
package v181

//go:generate go run ../copymachine

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/program"
)

// A Machine runs programs. It implements program.Machine.
type Machine struct {
	// WrapHandlers makes Route.Use wrap the handler of the route instead of calling the
	// package. See "Route.Use" in the list of differences.
	WrapHandlers bool

	// Old leaves out of what is seen everything that v1.8.1 does not have.
	Old bool

	routers map[int]*muxRouter
	routes  map[int]*muxRoute
	numbers map[any]int // of routers and routes

	bases  map[*muxRoute]http.Handler // the handlers that WrapHandlers wraps
	layers map[*muxRoute][]muxMiddlewareFunc
	reused muxMatch // of MatchAgain
	deep   bool     // handlers report every getter
}

// New returns a machine with no values.
func New() *Machine {
	return &Machine{
		routers: map[int]*muxRouter{}, routes: map[int]*muxRoute{}, numbers: map[any]int{},
		bases: map[*muxRoute]http.Handler{}, layers: map[*muxRoute][]muxMiddlewareFunc{},
	}
}

// Do runs one op. An op on a value that is missing, because the call that creates it
// panicked, does nothing.
func (m *Machine) Do(op program.Op) (seen program.Seen) {
	defer func() {
		if p := recover(); p != nil {
			seen = program.Seen{Panic: fmt.Sprint(p)}
		}
	}()
	if router := m.routers[op.On]; router != nil || op.On == 0 {
		return m.onRouter(router, op)
	}
	if route := m.routes[op.On]; route != nil {
		return m.onRoute(route, op)
	}
	return program.Seen{}
}

func (m *Machine) keepRouter(op program.Op, r *muxRouter) program.Seen {
	m.routers[op.Out], m.numbers[r] = r, op.Out
	return program.Seen{}
}

func (m *Machine) keepRoute(op program.Op, r *muxRoute) program.Seen {
	if r == nil {
		return program.Seen{Text: "nil"}
	}
	m.routes[op.Out], m.numbers[r] = r, op.Out
	return m.routeState(r)
}

// routeState is the recorded state of a route after each call.
func (m *Machine) routeState(r *muxRoute) program.Seen {
	return program.Seen{Text: "error " + errorText(r.GetError())}
}

// number returns the number of a router or a route, "nil" or "unknown".
func (m *Machine) number(v any) string {
	switch v := v.(type) {
	case *muxRouter:
		if v == nil {
			return "nil"
		}
	case *muxRoute:
		if v == nil {
			return "nil"
		}
	}
	if n, ok := m.numbers[v]; ok {
		return fmt.Sprint("v", n)
	}
	return "unknown"
}

// serve has router answer the request.
func (m *Machine) serve(router *muxRouter, op program.Op) program.Seen {
	req := op.Req.HTTP()
	if req == nil {
		return program.Seen{}
	}
	m.deep = op.Nums[0] == 1
	rec := httptest.NewRecorder()
	router.ServeHTTP(rec, req)
	return response(rec)
}

// match calls match, the Match method of a router or a route.
func (m *Machine) match(match func(*http.Request, *muxMatch) bool, op program.Op) program.Seen {
	req := op.Req.HTTP()
	if req == nil {
		return program.Seen{}
	}
	rm := &muxMatch{}
	if op.Call == program.MatchAgain {
		rm = &m.reused
	}
	ok := match(req, rm)
	return program.Seen{
		Matched: ok,
		Vars:    len(rm.Vars),
		Missed:  rm.MatchErr != nil,
		Text: fmt.Sprintf("%t route=%s vars=%s handler=%s error=%s",
			ok, m.number(rm.Route), varsText(rm.Vars), m.chain(rm.Handler), errorText(rm.MatchErr)),
	}
}
