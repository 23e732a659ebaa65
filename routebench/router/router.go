// Package router defines the adapter of a router, which registers routes and serves
// requests.
package router

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/routebench/route"
)

// A Router is a router of the comparison; docs/adding-a-router.md shows how to add
// one.
type Router struct {
	Name   string // its name in reports, without spaces
	Module string // the module path, whose version reports show; "" for the standard library
	Note   string // what a reader should know, in a few words; may be empty
	Known  bool   // it is well known, and compared by default

	// Variant names the only scenarios in which the router takes part, because it has
	// another setup there. "" means all scenarios.
	Variant string

	Syntax route.Syntax
	// New returns an empty router. Routers returned by New are independent of each other.
	New func() Mux

	middleware int // see With
}

// A Mux is an empty router, to which routes are added.
type Mux struct {
	// Use adds one middleware to all routes, in the way of the router's users: a new
	// function that calls the next handler and does nothing else. It is called before
	// the first Add, once for each middleware. It is nil for a router that has no
	// middleware; then the middleware is wrapped around the whole router.
	Use func()
	// Add registers a route. path is the route's host and path in the router's Syntax. The
	// handler does work. If the router refuses the route, Add returns an error, or panics
	// as the router does.
	Add func(r *route.Route, path string, work *Work) error
	// Ready is called once, after the last Add, and returns what serves requests.
	Ready func() (Stack, error)
}

// A Task is the task of the handlers.
type Task int

// The tasks.
const (
	Nothing Task = iota // return immediately
	Write               // write the value of the route's first parameter
	ReadAll             // read the value of every parameter
	Answer              // write which route it is, and the value of every parameter
	Keep                // the same, and keep the values and what they were read from
)

// A Work is the work of the handler of a route.
type Work struct {
	Task  Task
	Route int      // the index of the route
	Names []string // the router's names for the route's parameters
	// TrimSlash reports whether the last value begins with a slash that must be removed.
	TrimSlash bool

	kept *Kept // for Keep
}

// HandlerFunc returns a handler that does the work, for routers whose handlers are those of
// net/http. param returns the value of a parameter of the request. For the task Nothing,
// the handler is an empty function.
func (k *Work) HandlerFunc(param func(r *http.Request, name string) string) http.HandlerFunc {
	if k.Task == Nothing {
		return func(http.ResponseWriter, *http.Request) {}
	}
	return func(w http.ResponseWriter, r *http.Request) { Do(k, w, r, param) }
}

// Do does the work. param returns the value of a parameter from c, which is what the router
// passes to its handlers, for example its context or a map. Adapters of routers with their
// own handler type call Do, and register an empty function if the Task is Nothing. Do does
// not allocate for [Write] and [ReadAll].
func Do[C any](k *Work, w io.Writer, c C, param func(c C, name string) string) {
	switch k.Task {
	case Write:
		io.WriteString(w, param(c, k.Names[0]))
	case ReadAll:
		n := 0
		for _, name := range k.Names {
			n += len(param(c, name))
		}
		if n < 0 { // never; n is used
			io.WriteString(w, "!")
		}
	case Answer:
		io.WriteString(w, answer(k.Route, values(k, c, param)))
	case Keep:
		keep(k, c, param)
		io.WriteString(w, answer(k.Route, values(k, c, param)))
	}
}

// values returns the values of the route's parameters.
func values[C any](k *Work, c C, param func(c C, name string) string) []string {
	values := make([]string, len(k.Names))
	for i, name := range k.Names {
		values[i] = param(c, name)
	}
	if k.TrimSlash && len(values) > 0 {
		last := &values[len(values)-1]
		*last = strings.TrimPrefix(*last, "/")
	}
	return values
}

// answer returns the body of the answer of a route with the values of its
// parameters.
func answer(route int, values []string) string {
	b := strconv.AppendInt(nil, int64(route), 10)
	for _, v := range values {
		b = fmt.Appendf(b, " %q", v)
	}
	return string(b)
}
