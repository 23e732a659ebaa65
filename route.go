package muxwell

import (
	"math"
	"net/http"
	"slices"
	"strconv"

	"github.com/muxwell/muxwell/internal/inspect"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/params"
	"github.com/muxwell/muxwell/internal/pathvalue"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/routing"
)

// A Route is one registration: a pattern with its handler. It does not change
// and is safe for concurrent use. [Mux.Add] returns it,
// [Mux.Routes] lists it, and [Mux.RouteOf] finds the one that serves a request.
//
// The methods of a nil *Route, which RouteOf returns where no route matched, return zero
// values: "", nil and false. String returns "<nil>" and URL an error.
type Route struct {
	pattern pattern.Pattern
	handler http.Handler // an errorFunc in place of an ErrorFunc
	layout  params.Layout
	entry   routing.Entry // what the tables know; numbered when it is added to its mux
	info    *routeInfo    // nil for most routes
	file    string        // where the route was registered
	line    int32
	group   *Group // that it was registered with
	next    *Route // the one before with the same shape hash; see Mux.duplicateIndex
}

// A routeInfo is what options say about a route besides.
type routeInfo struct {
	named bool // it was given a name
	name  string
	meta  []metaEntry
	matcher.Set
	origin *Route // the mounted mux's route that this one is derived from
	mount  *mount // through which
}

type metaEntry struct {
	key   string
	value any
}

// A RouteOption sets a property of one route at registration; see [Mux.Add].
// The zero RouteOption sets none.
type RouteOption struct {
	apply func(*Route, pattern.Rules) error // an error is an *OptionError, without the pattern, or a *PatternError
}

// Name gives a route a name, which is not empty and unique in its mux.
func Name(name string) RouteOption {
	return RouteOption{func(rt *Route, _ pattern.Rules) error {
		rt.addInfo().name, rt.info.named = name, true
		return nil
	}}
}

// Meta attaches a value to a route under key: an owner, a permission, a rate
// class, whatever middleware and tools want to know of it. A key given twice
// keeps the later value. The value is shared with everyone who asks for it.
func Meta(key string, value any) RouteOption {
	return RouteOption{func(rt *Route, _ pattern.Rules) error {
		rt.addInfo().meta = append(rt.info.meta, metaEntry{key, value})
		return nil
	}}
}

// Source sets the place that [Route.Source] and errors show, instead of the
// line of Go code that registers the route: for routes that come from a file.
func Source(file string, line int) RouteOption {
	return RouteOption{func(rt *Route, _ pattern.Rules) error {
		rt.file, rt.line = file, int32(min(max(line, 0), math.MaxInt32))
		return nil
	}}
}

// apply applies the options.
func (rt *Route) apply(options []RouteOption, r pattern.Rules) error {
	for _, o := range options {
		if o.apply == nil {
			continue
		}
		if err := o.apply(rt, r); err != nil {
			if e, ok := err.(*OptionError); ok {
				e.Pattern = rt.pattern.Text
			}
			return err
		}
	}
	return nil
}

// Pattern returns the pattern as it was registered, as r.Pattern shows it.
func (rt *Route) Pattern() string {
	if rt == nil {
		return ""
	}
	return rt.pattern.Text
}

// Methods returns the methods of the pattern in the order written, or nil if it
// matches every method. GET stands for HEAD too. The slice is the caller's.
func (rt *Route) Methods() []string {
	if rt == nil {
		return nil
	}
	return slices.Clone(rt.pattern.Methods)
}

// Host returns the host of the pattern as it is compared: in lower case,
// without final dot and brackets, with its parameters. It is empty if the pattern
// matches every host.
func (rt *Route) Host() string {
	if rt == nil {
		return ""
	}
	return rt.pattern.HostText()
}

// Path returns the path of the pattern as it was written.
func (rt *Route) Path() string {
	if rt == nil {
		return ""
	}
	return rt.pattern.Text[rt.pattern.PathAt:]
}

// ParamNames returns the names of the route's parameters: those of the host, of
// the path from left to right, then of [Queries]. The slice is the caller's.
func (rt *Route) ParamNames() []string {
	if rt == nil {
		return nil
	}
	return rt.allNames()
}

// Name returns the route's name, or "".
func (rt *Route) Name() string {
	if rt == nil || rt.info == nil {
		return ""
	}
	return rt.info.name
}

// Meta returns the value attached under key, and whether there is one.
func (rt *Route) Meta(key string) (any, bool) {
	if rt == nil || rt.info == nil {
		return nil, false
	}
	for _, e := range slices.Backward(rt.info.meta) {
		if e.key == key {
			return e.value, true
		}
	}
	return nil, false
}

// Source returns the place of the registration as file:line.
func (rt *Route) Source() string {
	if rt == nil {
		return ""
	}
	if rt.file == "" {
		return "unknown location"
	}
	return rt.file + ":" + strconv.Itoa(int(rt.line))
}

// String returns the pattern.
func (rt *Route) String() string {
	if rt == nil {
		return "<nil>"
	}
	return rt.pattern.Text
}

// addInfo returns rt.info, which it makes if there is none.
func (rt *Route) addInfo() *routeInfo {
	if rt.info == nil {
		rt.info = new(routeInfo)
	}
	return rt.info
}

// httpHandler returns the handler as it was registered; for a value handler an
// adapter that reads the parameters from the request it is given.
func (rt *Route) httpHandler() http.Handler {
	if rt.value() == nil {
		return rt.handler
	}
	return valueAdapter{rt}
}

// value returns the route's value handler, or nil.
func (rt *Route) value() ParamsFunc {
	f, _ := rt.handler.(ParamsFunc)
	return f
}

// A valueAdapter makes a value handler an http.Handler. Its Params are what
// r.PathValue returns, blank or not. If the request carries no values, since
// middleware made a new one or the adapter was got from [Mux.Handler], they are
// those that the route's pattern gives to it.
type valueAdapter struct{ route *Route }

func (a valueAdapter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rt := a.route
	if v, ok := rt.layout.Given(r); ok {
		rt.value()(w, r, Params{v})
		return
	}
	rt.value()(w, r, rt.paramsSet(r))
}

// paramsSet returns the parameters of a request that middleware passes on, in which they
// are not those that its path has.
func (rt *Route) paramsSet(r *http.Request) Params {
	var space [16]string
	names, vals, blank := rt.layout.Names.List, space[:0], true
	for _, name := range names {
		val := r.PathValue(name)
		vals, blank = append(vals, val), blank && val == ""
	}
	if blank && len(names) > 0 && !pathvalue.CarriesBlanks(r, names) {
		if p, ok := rt.paramsAgain(r); ok {
			return p
		}
	}
	return Params{params.Encoded(&rt.layout, vals, false)}
}

// paramsAgain returns the parameters of a request that did not go through the
// mux, and whether the route matches it.
func (rt *Route) paramsAgain(r *http.Request) (p Params, ok bool) {
	path, escaped := routing.SentPath(r)
	path, ok = inspect.MatchPath(rt.pattern.Segments, path, escaped, r.Method == http.MethodConnect)
	if !ok {
		return p, false
	}
	if rt.layout.InHost && !rt.pattern.HostPattern().Matches(rt.layout.Host(r), nil) {
		return p, false
	}
	if rt.info != nil {
		if !new(matcher.State).TakesQuery(rt.info.Queries, r.URL.RawQuery) {
			return p, false
		}
	}
	return Params{rt.layout.Of(r, params.SourceOf(path, escaped))}, true
}

// complete sets what follows from the route's pattern and options, but for the names of
// its parameters, its number and its index.
func (rt *Route) complete() error {
	rt.entry.Pattern, rt.entry.Matchers = &rt.pattern, rt.set()
	names := rt.layout.Names
	l, err := params.NewLayout(&rt.pattern, rt.set())
	rt.layout, rt.layout.Names = l, names
	return publicError(err)
}

// allNames returns the names of all parameters: host, path, query.
func (rt *Route) allNames() []string { return append(rt.pattern.Names(), rt.set().QueryNames()...) }

// ownName returns the route's name, or "" if it has it from a mounted mux.
func (rt *Route) ownName() string {
	if rt.isMounted() {
		return ""
	}
	return rt.Name()
}

// Prefix returns what the route has from the groups around it and from mounts,
// [HOST][/PATH] as it is in the pattern, or "".
func (rt *Route) Prefix() string {
	if rt == nil {
		return ""
	}
	if !rt.isMounted() {
		return rt.group.prefix
	}
	prefix, _ := joinPattern(rt.group.prefix, rt.info.origin.Prefix()) // it was joined so before
	return prefix
}

// Middleware returns the names of the middleware around the handler, the
// outermost first; nil if there is none. It returns what there is when it is
// called. The slice is the caller's.
//
// A name is package.function or package.(*T).method. A function literal has the name
// of the function around it: what middleware.Log returns is middleware.Log. The names
// of package middleware are exact. The name of another literal may begin with that of
// a caller into which the compiler has inlined the function around it. Then the file
// and the line of the literal follow the name, as they do in a method of a type that
// is not a pointer:
//
//	main.newMux.logged (log.go:12)    newMux calls logged, which returns the literal
//
// Names are for people to read, and may differ between builds.
func (rt *Route) Middleware() []string {
	if rt == nil {
		return nil
	}
	var names []string
	for _, mw := range middlewareOf(rt.groups()) {
		names = append(names, functionName(mw))
	}
	return names
}

// Matchers returns what the route asks of a request besides method, host and
// path, as options are written, Headers("X-Beta", "1"), in the order given; nil if
// it asks for nothing. The slice is the caller's.
func (rt *Route) Matchers() []string {
	if rt == nil {
		return nil
	}
	var texts []string
	for _, m := range rt.matchers() {
		texts = append(texts, m.Text)
	}
	return texts
}
