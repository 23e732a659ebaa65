package muxwell

import (
	"fmt"
	"net/http"
	"path"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// Middleware is composed when a snapshot is built, the innermost first. A route
// keeps what was composed for it until more middleware is added: it is never
// taken away, so that its number tells.

// compose returns h in middleware, of which the first is the outermost.
func compose(middleware []Middleware, h http.Handler) http.Handler {
	for _, mw := range slices.Backward(middleware) {
		next := mw(h)
		if isNil(next) {
			panic("muxwell: middleware " + functionName(mw) + " returned no handler; return next to do nothing")
		}
		h = next
	}
	return h
}

// middlewareOf returns the middleware of groups, each of which is in the one
// before.
func middlewareOf(groups []*Group) []Middleware {
	var all []Middleware
	for _, g := range groups {
		all = append(all, g.state.Load().middleware...)
	}
	return all
}

// groups returns the groups around a route, from the outside: those of the mux,
// then if the route comes from a mounted mux the groups there.
func (rt *Route) groups() []*Group {
	path := rt.group.path()
	if rt.isMounted() {
		path = append(path, rt.info.origin.groups()...)
	}
	return path
}

// wrapping returns how much middleware covers the route.
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

// functionName returns the name of a function as a reader knows it; see nameOf.
func functionName(f any) string {
	fn := runtime.FuncForPC(reflect.ValueOf(f).Pointer())
	if fn == nil {
		return "unknown"
	}
	file, line := fn.FileLine(fn.Entry())
	return nameOf(fn.Name(), file, line)
}

// nameOf returns the name of a function, given its linker's name and the place of
// its body.
//
// A function literal is named after the function around it. If the compiler has
// inlined that into another, the name is that of the caller, then that of the
// function without its package. The place of the body does not change:
//
//	mw/log.go:12    func Log() Middleware { return func(…) … }     mw.Log.func1
//	main.go:20      func newMux() { m.Use(mw.Log()) }              main.newMux.Log.func1
//
// The last part is always the function that made the literal. The folder of the body
// tells whether that is one of package middleware.
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

// bundledDir returns the folder of package middleware as the compiler writes it. This
// package does not import that one, but has its folder next to it.
func bundledDir() string {
	_, file, _, _ := runtime.Caller(0)
	return path.Join(path.Dir(file), "middleware")
}

// symbolName returns the name that a program has for a function, of the linker's
// name: without the path of its package, and without what marks a method value or
// a function within another, so that what a call of main.auth(…) returned is
// main.auth.
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
