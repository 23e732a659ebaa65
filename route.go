package muxwell

import (
	"math"
	"net/http"
	"slices"
	"strconv"
)

// A Route is one registration: a pattern with its handler. It does not change
// and is safe for concurrent use. [Mux.Add] returns it,
// [Mux.Routes] lists it, and [Mux.RouteOf] finds the one that serves a request.
type Route struct {
	pattern
	handler http.Handler // nil for a value handler
	value   ParamsFunc   // nil for an http.Handler
	params  *paramNames
	gaps    []uint32 // for each parameter, the bytes between the end of the one before and its start
	tail    bool     // the last parameter is a catch-all
	named   bool     // it was given a name
	name    string
	meta    []metaEntry
	file    string // where the route was registered
	line    int32
	index   int32  // registration number, from 0
	next    *Route // the one before with the same shape hash; see Mux.shapes
}

type metaEntry struct {
	key   string
	value any
}

// A RouteOption sets a property of one route at registration; see [Mux.Add].
// The zero RouteOption sets none.
type RouteOption struct{ apply func(*Route) }

// Name gives a route a name, which is not empty and unique in its mux.
func Name(name string) RouteOption {
	return RouteOption{func(rt *Route) { rt.name, rt.named = name, true }}
}

// Meta attaches a value to a route under key: an owner, a permission, a rate
// class, whatever middleware and tools want to know of it. A key given twice
// keeps the later value. The value is shared with everyone who asks for it.
func Meta(key string, value any) RouteOption {
	return RouteOption{func(rt *Route) { rt.meta = append(rt.meta, metaEntry{key, value}) }}
}

// Pattern returns the pattern as it was registered, as r.Pattern shows it.
func (rt *Route) Pattern() string { return rt.str }

// Methods returns the methods of the pattern in the order written, or nil if it
// matches every method. GET stands for HEAD too. The slice is the caller's.
func (rt *Route) Methods() []string { return slices.Clone(rt.methods) }

// Host returns the host of the pattern as it is compared: in lower case,
// without final dot and brackets. It is empty if the pattern matches every host.
func (rt *Route) Host() string { return rt.host }

// Path returns the path of the pattern as it was written.
func (rt *Route) Path() string { return rt.str[rt.path:] }

// ParamNames returns the names of the pattern's parameters from left to right.
// The slice is the caller's.
func (rt *Route) ParamNames() []string { return rt.paramNames() }

// Name returns the route's name, or "".
func (rt *Route) Name() string { return rt.name }

// Meta returns the value attached under key, and whether there is one.
func (rt *Route) Meta(key string) (any, bool) {
	for _, e := range slices.Backward(rt.meta) {
		if e.key == key {
			return e.value, true
		}
	}
	return nil, false
}

// Source returns the place of the registration as file:line.
func (rt *Route) Source() string {
	if rt.file == "" {
		return "unknown location"
	}
	return rt.file + ":" + strconv.Itoa(int(rt.line))
}

// String returns the pattern.
func (rt *Route) String() string { return rt.str }

// methodsOrAny returns the methods, or "" alone for every method.
func (rt *Route) methodsOrAny() []string {
	if rt.methods == nil {
		return []string{""}
	}
	return rt.methods
}

// httpHandler returns the handler as it was registered; for a value handler an
// adapter that reads the parameters from the request it is given.
func (rt *Route) httpHandler() http.Handler {
	if rt.value == nil {
		return rt.handler
	}
	return valueAdapter{rt}
}

// A valueAdapter makes a value handler an http.Handler: it takes the values of
// the route's parameters from r.PathValue.
type valueAdapter struct{ route *Route }

func (a valueAdapter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	vals := make([]string, len(a.route.params.names))
	for i, name := range a.route.params.names {
		vals[i] = r.PathValue(name)
	}
	a.route.value(w, r, packParams(a.route, vals))
}

// paramNames is a list of parameter names, one object for all routes of a mux
// that have the same list.
type paramNames struct {
	names []string
	shape requestShape // what net/http needs to find the values by name
}

// measure sets what delivery needs to know of the pattern.
func (rt *Route) measure() error {
	gap := uint64(0)
	for _, g := range rt.segs {
		gap++ // the slash
		if g.kind == literal {
			gap += uint64(len(g.text))
		} else if g.text != "" {
			rt.gaps = append(rt.gaps, uint32(gap))
			rt.tail = g.kind == rest
			gap = 0
		}
		if gap > math.MaxInt32 {
			return &PatternError{Pattern: rt.str, Offset: rt.path, Reason: "the path is longer than 2 GB"}
		}
	}
	return nil
}

// paramNames returns the names of the pattern's parameters from left to right.
func (p *pattern) paramNames() []string {
	var names []string
	for _, g := range p.segs {
		if (g.kind == param || g.kind == rest) && g.text != "" {
			names = append(names, g.text)
		}
	}
	return names
}
