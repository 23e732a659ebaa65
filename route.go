package muxwell

import (
	"math"
	"net/http"
	"runtime"
	"slices"
	"strconv"

	"github.com/muxwell/muxwell/internal/inspect"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/params"
	"github.com/muxwell/muxwell/internal/pathvalue"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/routing"
)

// A Route is one registration: a pattern with its handler. It does not change and is
// safe for concurrent use. [Mux.Add] returns it, [Mux.Routes] lists it, and
// [Mux.RouteOf] returns the one that matched a request.
//
// The methods of a nil *Route, which RouteOf returns if no route matched, return zero
// values: "", nil and false. String returns "<nil>" and URL an error.
type Route struct {
	pattern pattern.Pattern
	handler http.Handler
	layout  params.Layout
	entry   routing.Entry // what the tables have of it; numbered when it is added to its mux
	info    *routeInfo    // nil for most routes
	caller  uintptr       // the program counter of the registration, or 0; see routeInfo.file
	group   *Group        // the group with which it was registered
	next    *Route        // the one before with the same shape hash; see Mux.duplicateIndex
}

// A routeInfo is what options add to a route.
type routeInfo struct {
	named bool // it has a name
	name  string
	meta  []metaEntry
	matcher.Set
	file    string // where the route was registered, instead of caller; "" if that has it
	line    int32
	options []RouteOption // that were applied, for routes that are derived from this one
	origin  *Route        // the mounted mux's route from which this one is derived
	mount   *mount        // the mount through which it is derived
}

type metaEntry struct {
	key   string
	value any
}

// A RouteOption sets a property of one route at registration; see [Mux.Add].
// The zero RouteOption sets none.
type RouteOption struct {
	apply func(*Route, pattern.Rules) error // returns an *OptionError, without the pattern, or a *PatternError
}

// Name gives a route a name. It must not be empty, and must be unique in its mux.
func Name(name string) RouteOption {
	return RouteOption{func(rt *Route, _ pattern.Rules) error {
		rt.addInfo().name, rt.info.named = name, true
		return nil
	}}
}

// Meta attaches a value to a route under key, for middleware and tools: an owner, a
// permission, a rate class. If a key is given twice, the later value wins. All callers
// of [Route.Meta] share the value.
func Meta(key string, value any) RouteOption {
	return RouteOption{func(rt *Route, _ pattern.Rules) error {
		rt.addInfo().meta = append(rt.info.meta, metaEntry{key, value})
		return nil
	}}
}

// Source sets the position that [Route.Source] and errors show, instead of the line of
// Go code that registers the route. It is for routes that come from a file.
func Source(file string, line int) RouteOption {
	return RouteOption{func(rt *Route, _ pattern.Rules) error {
		rt.addInfo().file, rt.info.line = file, int32(min(max(line, 0), math.MaxInt32))
		rt.caller = 0
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

// applyAll applies all options of the route.
func (rt *Route) applyAll(options []RouteOption, r pattern.Rules) error {
	err := rt.apply(options, r)
	if rt.info != nil {
		rt.info.options = options
	}
	return err
}

// Pattern returns the pattern as it was registered, as r.Pattern shows it.
func (rt *Route) Pattern() string {
	if rt == nil {
		return ""
	}
	return rt.pattern.Text
}

// Methods returns the methods of the pattern in the order written, or nil if it matches
// every method. GET includes HEAD. The caller may modify the slice.
func (rt *Route) Methods() []string {
	if rt == nil {
		return nil
	}
	return slices.Clone(rt.pattern.Methods)
}

// Host returns the host of the pattern in the form in which it is compared: in lower
// case, without final dot and brackets, with its parameters. It is "" if the pattern
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

// ParamNames returns the names of the route's parameters: those of the host, those of
// the path from left to right, then those of [Queries]. The caller may modify the
// slice.
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

// Source returns the position of the registration as file:line.
func (rt *Route) Source() string {
	if rt == nil {
		return ""
	}
	file, line := "", 0
	if rt.caller != 0 {
		frame, _ := runtime.CallersFrames([]uintptr{rt.caller}).Next()
		file, line = frame.File, frame.Line
	} else if rt.info != nil {
		file, line = rt.info.file, int(rt.info.line)
	}
	if file == "" {
		return "unknown location"
	}
	return file + ":" + strconv.Itoa(line)
}

// callerOf returns the program counter of a caller of its caller; 0 is the direct one.
func callerOf(depth int) uintptr {
	var callers [1]uintptr
	runtime.Callers(depth+3, callers[:])
	return callers[0]
}

// String returns the pattern.
func (rt *Route) String() string {
	if rt == nil {
		return "<nil>"
	}
	return rt.pattern.Text
}

// addInfo returns rt.info, which it allocates if it is nil.
func (rt *Route) addInfo() *routeInfo {
	if rt.info == nil {
		rt.info = new(routeInfo)
	}
	return rt.info
}

// httpHandler returns the handler as it was registered or, for a value handler, an
// adapter that reads the parameters from its request.
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

// A valueAdapter makes a value handler an http.Handler. Its Params have the results of
// r.PathValue, even empty ones. If the request has no values, because middleware made a
// new one or the adapter came from [Mux.Handler], the route's pattern is matched again.
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

// paramsAgain returns the parameters of a request that did not go through the mux, and
// whether the route matches it.
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
		if !new(matcher.State).MatchesQuery(rt.info.Queries, r.URL.RawQuery) {
			return p, false
		}
	}
	return Params{rt.layout.Of(r, params.SourceOf(path, escaped))}, true
}

// complete sets the fields that follow from the route's pattern and options, except for
// the names of its parameters, its number and its index.
func (rt *Route) complete() error {
	rt.entry.Pattern, rt.entry.Matchers = &rt.pattern, rt.set()
	names := rt.layout.Names
	l, err := params.NewLayout(&rt.pattern, rt.set())
	rt.layout, rt.layout.Names = l, names
	return publicError(err)
}

// allNames returns the names of all parameters: host, path, query.
func (rt *Route) allNames() []string { return append(rt.pattern.Names(), rt.set().QueryNames()...) }

// ownName returns the route's name, or "" if the name comes from a mounted mux.
func (rt *Route) ownName() string {
	if rt.isMounted() {
		return ""
	}
	return rt.Name()
}

// Prefix returns the part of the pattern, [HOST][/PATH], that comes from the groups
// around the route and from mounts, or "".
func (rt *Route) Prefix() string {
	if rt == nil {
		return ""
	}
	if !rt.isMounted() {
		return rt.group.prefix
	}
	prefix, _ := joinPattern(rt.group.prefix, rt.info.origin.Prefix()) // it was joined in the same way before
	return prefix
}

// Middleware returns the names of the middleware around the handler at the time of the
// call, the outermost first, or nil if there is none. The caller may modify the slice.
//
// A name is package.function or package.(*T).method. A function literal has the name of
// the function that contains it: what middleware.Log returns is named middleware.Log.
// The names of package middleware are exact. The name of another literal may begin with
// that of a caller into which the compiler has inlined the containing function. Then
// the file and the line of the literal follow the name. They also do for a literal in a
// method whose receiver is not a pointer:
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

// Matchers returns the route's matchers as their options are written in a program,
// Headers("X-Beta", "1"), in the order given, or nil if there are none. The caller may
// modify the slice.
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
