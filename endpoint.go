package muxwell

import (
	"math"
	"net/http"
	"slices"

	"github.com/muxwell/muxwell/internal/compose"
	"github.com/muxwell/muxwell/internal/params"
	"github.com/muxwell/muxwell/internal/pathvalue"
)

// Endpoints are what a snapshot knows about its routes: their handlers, composed with
// middleware, and how parameters are delivered. Most unchanged endpoints are shared with
// the previous snapshot.

// An endpoint has what serving a request needs to know about its route, in one cache
// line.
type endpoint struct {
	pattern string
	serve   func(http.ResponseWriter, *http.Request) // nil for a value handler
	value   ParamsFunc
	shape   pathvalue.Shape // of the parameters' names
	route   *Route
	layout  *params.Layout // of the route
	params  int32          // their number
	wrapped uint16         // number of middleware around the handler
	plain   bool           // as Layout.Plain
	// direct is set if the handler can be called right away: it has no parameters, or
	// gets them by value and none is encoded.
	direct bool
}

// fillEndpoints sets the endpoints of s. Those of routes that are in old with the same
// middleware are copied from there.
func (s *snapshot) fillEndpoints(old *snapshot, changed []*Route) {
	if !s.shares(old) {
		for _, rt := range s.routes {
			s.setEndpoint(rt, old)
		}
		return
	}
	for _, rt := range changed {
		*s.endpoints.At(rt.entry.Number) = endpoint{}
	}
	for _, rt := range changed {
		if s.has(rt) {
			s.setEndpoint(rt, old)
		}
	}
}

// setEndpoint sets the endpoint of a route of s.
func (s *snapshot) setEndpoint(rt *Route, old *snapshot) {
	at, wrapped := rt.entry.Number, uint16(min(rt.wrapping(), math.MaxUint16))
	if old != nil && int(at) < old.endpoints.Len() && old.compositions == s.compositions {
		if e := *old.endpoints.At(at); e.route == rt && e.wrapped == wrapped {
			*s.endpoints.At(at) = e
			return
		}
	}
	*s.endpoints.At(at) = s.config.newEndpoint(rt, rt.groups())
}

// has reports whether rt is one of the routes of s.
func (s *snapshot) has(rt *Route) bool {
	i, found := slices.BinarySearchFunc(s.routes, rt, byRegistration)
	return found && s.routes[i] == rt
}

// newEndpoint returns the endpoint of a route in groups.
func (c *config) newEndpoint(rt *Route, groups []*Group) endpoint {
	e := endpoint{pattern: rt.pattern.Text, value: rt.value(), route: rt, layout: &rt.layout, params: int32(len(rt.layout.Names.List)), plain: rt.layout.Plain}
	if e.params > 0 {
		e.shape = rt.layout.Names.Shape
	}
	h, errors := rt.handler, errorsOf(groups)
	if errors != nil {
		h = withErrors(h, errors)
	}
	if middleware := middlewareOf(groups); len(middleware) > 0 {
		if e.value != nil {
			h, e.value = valueAdapter{rt}, nil
		}
		chain := compose.Chain{Proxies: c.proxies}
		if errors != nil {
			chain.Refuse = errors.rejected(rt)
		}
		h = composeAround(h, middleware, &chain)
		e.wrapped = uint16(min(len(middleware), math.MaxUint16))
	}
	if f, ok := h.(http.HandlerFunc); ok {
		e.serve = f
	} else if e.value == nil {
		e.serve = h.ServeHTTP
	}
	e.direct = e.params == 0 || e.value != nil && !rt.layout.Encoded
	return e
}

// withErrors returns h, or, if it is an ErrorFunc, h with an ErrorHandler. Only programs
// that use ErrorFunc link what that needs, since it is called through an interface. A
// struct that embeds an ErrorFunc has the method too, but does not count.
func withErrors(h http.Handler, errors errorHandler) http.Handler {
	switch f := h.(type) {
	case ErrorFunc:
		return h.(interface {
			answered(errorHandler) http.Handler
		}).answered(errors)
	case stripped:
		f.handler = withErrors(f.handler, errors)
		return f
	}
	return h
}

// httpHandler returns the handler of an endpoint's route: as it was registered, or, if
// middleware or an ErrorHandler covers it, the composed handler.
func (s *snapshot) httpHandler(number uint32) http.Handler {
	e := s.endpoints.At(number)
	if e.wrapped > 0 {
		return http.HandlerFunc(e.serve)
	}
	h := e.route.httpHandler()
	if errors := errorsOf(e.route.groups()); errors != nil {
		return withErrors(h, errors)
	}
	return h
}

// serveHTTP calls the handler, with the parameter values that are in at.
func (e *endpoint) serveHTTP(w http.ResponseWriter, r *http.Request, at params.Source) {
	r.Pattern = e.pattern
	switch {
	case e.value != nil:
		pathvalue.Clear(r)
		e.value(w, r, Params{e.layout.Of(r, at)})
		return
	case e.params == 0:
		pathvalue.Clear(r)
	case e.plain && !at.Escaped:
		e.deliver(r, at.Path, at.Slashes)
	default:
		vals := e.freshValues(r, at)
		e.layout.Values(vals, e.layout.Host(r), at)
		e.layout.QueryValues(vals, r)
		if !pathvalue.Set(r, e.shape, vals) {
			e.setByName(r, vals)
		}
	}
	e.serve(w, r)
}

// deliver sets r's values to those of the endpoint's parameters in a plain path.
func (e *endpoint) deliver(r *http.Request, path string, slashes uint64) {
	vals := pathvalue.New(r, e.shape, int(e.params), len(path))
	e.layout.Fill(vals, path, slashes)
	if !pathvalue.Set(r, e.shape, vals) {
		e.setByName(r, vals)
	}
}

// setByName sets values of the request for names that have no shape.
func (e *endpoint) setByName(r *http.Request, vals []string) {
	pathvalue.SetByName(r, e.layout.Names.List, vals)
}

// freshValues returns a fresh slice for the values of the endpoint's parameters.
func (e *endpoint) freshValues(r *http.Request, at params.Source) []string {
	if at.Escaped {
		return make([]string, e.params) // they are texts of their own
	}
	return pathvalue.New(r, e.shape, int(e.params), max(len(at.Path), len(r.Host)))
}
