package muxwell

import (
	"fmt"
	"net/http"
	"path"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/compose"
)

// Middleware is composed when a snapshot is built, from the innermost outward. A route
// keeps its composed handler until more middleware is added. Middleware is never
// removed, so its number identifies what was composed.

// composeAround returns h wrapped in middleware, whose parts join chain. The first one
// becomes the outermost.
func composeAround(h http.Handler, middleware []Middleware, chain *compose.Chain) http.Handler {
	for _, mw := range slices.Backward(middleware) {
		next := mw(h)
		if isNil(next) {
			panic("muxwell: middleware " + functionName(mw) + " returned no handler; return next to do nothing")
		}
		if p, ok := next.(compose.Part); ok {
			next = p.Join(chain)
		}
		h = next
	}
	return h
}

// middlewareOf returns the middleware of groups. Each group is inside the one before
// it.
func middlewareOf(groups []*Group) []Middleware {
	var all []Middleware
	for _, g := range groups {
		all = append(all, g.state.Load().middleware...)
	}
	return all
}

// groups returns the groups around a route, the outermost first: those of the mux,
// then, if the route comes from a mounted mux, the groups there.
func (rt *Route) groups() []*Group {
	path := rt.group.path()
	if rt.isMounted() {
		path = append(path, rt.info.origin.groups()...)
	}
	return path
}

// wrapping returns the number of middleware around the route.
func (rt *Route) wrapping() (n int) {
	for {
		for g := rt.group; g != nil; g = g.parent {
			n += len(g.state.Load().middleware)
		}
		if !rt.isMounted() {
			return n
		}
		rt = rt.info.origin
	}
}

// functionName returns the name of a function for people to read; see nameOf.
func functionName(f any) string {
	fn := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	if fn == nil {
		return "unknown"
	}
	file, line := fn.FileLine(fn.Entry())
	return nameOf(fn.Name(), file, line)
}

// nameOf returns the name of a function, given its linker symbol and the position of
// its body.
//
// A function literal is named after the function that contains it. If the compiler has
// inlined that function into another one, the symbol names the caller first, then the
// function without its package. The position of the body does not change:
//
//	mw/log.go:12    func Log() Middleware { return func(…) … }     mw.Log.func1
//	main.go:20      func newMux() { m.Use(mw.Log()) }              main.newMux.Log.func1
//
// The last part is always the function that made the literal. The directory of the body
// shows whether it belongs to package middleware.
func nameOf(symbol, file string, line int) string {
	name := symbolName(symbol)
	_, function, _ := strings.Cut(strings.ReplaceAll(name, "[...]", ""), ".")
	literal := !strings.HasSuffix(strings.TrimSuffix(symbol, "-fm"), name)
	dots := strings.Count(function, ".")
	switch {
	case !literal, dots == 0, dots == 1 && strings.HasPrefix(function, "("): // of a method
		return name
	case path.Dir(file) == bundledDir():
		return "middleware" + function[strings.LastIndexByte(function, '.'):]
	}
	return fmt.Sprintf("%s (%s:%d)", name, path.Base(file), line)
}

// bundledDir returns the directory of package middleware in the form that the compiler
// writes. This package does not import that one, but is its parent directory.
func bundledDir() string {
	_, file, _, _ := runtime.Caller(0)
	return path.Join(path.Dir(file), "middleware")
}

// symbolName returns the name of a function as a program writes it, given its linker
// symbol: without the path of its package, and without the suffixes that mark a method
// value or a nested function. So what main.auth(…) returned is named main.auth.
func symbolName(symbol string) string {
	symbol = strings.TrimSuffix(symbol, "-fm")
	path, _, _ := strings.Cut(symbol, "[") // type arguments have paths too
	name := symbol[strings.LastIndexByte(path, '/')+1:]
	for {
		at := strings.LastIndexByte(name, '.')
		if at <= 0 || strings.IndexByte(name[:at], '.') < 0 {
			return name
		}
		number, _ := strings.CutPrefix(name[at+1:], "func")
		if number, _ = strings.CutPrefix(number, "gowrap"); number == "" || strings.Trim(number, "0123456789") != "" {
			return name
		}
		name = name[:at]
	}
}
