package muxwell

import (
	"math"
	"net/http"
	"slices"

	"github.com/muxwell/muxwell/internal/params"
	"github.com/muxwell/muxwell/internal/pathvalue"
)

// Records are what a snapshot knows of its routes: their handlers, composed with
// middleware, and how parameters are delivered. What did not change is taken from
// the snapshot before.

// A record is what a request needs of its route, in one cache line.
type record struct {
	pattern string
	serve   func(http.ResponseWriter, *http.Request) // nil for a value handler
	value   ParamsFunc
	shape   pathvalue.Shape // of the parameters' names
	route   *Route
	layout  *params.Layout // of the route
	params  int32          // their number
	wrapped uint16         // how much middleware the handler is in
	plain   bool           // as Layout.Plain
	// direct says that the handler can be called at once: it has no parameters,
	// or is given them by value and not packed.
	direct bool
}

// fillRecords sets the records of s. Those of routes that are in old, in as much
// middleware as now, are taken from there.
func (s *snapshot) fillRecords(old *snapshot, changed []*Route) {
	if old == nil || old.version == 0 || old.uses != s.uses {
		for _, rt := range s.routes {
			s.setRecord(rt, old)
		}
		return
	}
	copy(s.records, old.records)
	for _, rt := range changed {
		s.records[rt.entry.Number] = record{}
	}
	for _, rt := range changed {
		if s.has(rt) {
			s.setRecord(rt, old)
		}
	}
}

// setRecord sets the record of a route of s.
func (s *snapshot) setRecord(rt *Route, old *snapshot) {
	at, wrapped := rt.entry.Number, uint16(min(rt.wrapping(), math.MaxUint16))
	if old == nil || int(at) >= len(old.records) || old.records[at].route != rt {
		s.records[at] = newRecord(rt, middlewareOf(rt.groups()))
		return
	}
	if s.records[at] = old.records[at]; s.records[at].wrapped != wrapped {
		s.records[at] = newRecord(rt, middlewareOf(rt.groups()))
	}
}

// has reports whether rt is one of the routes of s.
func (s *snapshot) has(rt *Route) bool {
	i, found := slices.BinarySearchFunc(s.routes, rt, byRegistration)
	return found && s.routes[i] == rt
}

// newRecord returns the record of a route in middleware.
func newRecord(rt *Route, middleware []Middleware) record {
	rec := record{pattern: rt.pattern.Text, value: rt.value(), route: rt, layout: &rt.layout, params: int32(len(rt.layout.Names.List)), plain: rt.layout.Plain}
	if rec.params > 0 {
		rec.shape = rt.layout.Names.Shape
	}
	h := rt.handler
	if len(middleware) > 0 {
		h, rec.value = compose(middleware, rt.httpHandler()), nil
		rec.wrapped = uint16(min(len(middleware), math.MaxUint16))
	}
	if f, ok := h.(http.HandlerFunc); ok {
		rec.serve = f
	} else if rec.value == nil {
		rec.serve = h.ServeHTTP
	}
	rec.direct = rec.params == 0 || rec.value != nil && !rt.layout.Encoded
	return rec
}

// httpHandler returns the handler of a record's route: as it was registered, or if
// middleware covers it what that made of it.
func (s *snapshot) httpHandler(record uint32) http.Handler {
	if rec := &s.records[record]; rec.wrapped > 0 {
		return http.HandlerFunc(rec.serve)
	}
	return s.records[record].route.httpHandler()
}
