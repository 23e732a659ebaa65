package muxwell

import (
	"errors"
	"net/http"
	"slices"
	"testing"
)

// A muxOrGroup is what Mux and Group have in common to register a route.
type muxOrGroup interface {
	HandleParams(string, func(http.ResponseWriter, *http.Request, Params), ...RouteOption) *Route
	HandleError(string, func(http.ResponseWriter, *http.Request) error, ...RouteOption) *Route
	Get(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Head(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Post(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Put(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Patch(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Delete(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Connect(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Options(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Trace(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Query(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Add(string, http.Handler, ...RouteOption) (*Route, error)
}

// shorthands are the functions that return a route, by what precedes the path in its
// pattern. Each returns the place of its call too. A nil handler is registered if
// isNil is set.
func shorthands(to muxOrGroup, isNil bool) map[string]func(string, ...RouteOption) (*Route, string) {
	plain := ok
	value := func(http.ResponseWriter, *http.Request, Params) {}
	fails := func(http.ResponseWriter, *http.Request) error { return nil }
	if isNil {
		plain, value, fails = nil, nil, nil
	}
	return map[string]func(string, ...RouteOption) (*Route, string){
		"GET ":     func(p string, o ...RouteOption) (*Route, string) { return to.Get(p, plain, o...), here() },
		"HEAD ":    func(p string, o ...RouteOption) (*Route, string) { return to.Head(p, plain, o...), here() },
		"POST ":    func(p string, o ...RouteOption) (*Route, string) { return to.Post(p, plain, o...), here() },
		"PUT ":     func(p string, o ...RouteOption) (*Route, string) { return to.Put(p, plain, o...), here() },
		"PATCH ":   func(p string, o ...RouteOption) (*Route, string) { return to.Patch(p, plain, o...), here() },
		"DELETE ":  func(p string, o ...RouteOption) (*Route, string) { return to.Delete(p, plain, o...), here() },
		"CONNECT ": func(p string, o ...RouteOption) (*Route, string) { return to.Connect(p, plain, o...), here() },
		"OPTIONS ": func(p string, o ...RouteOption) (*Route, string) { return to.Options(p, plain, o...), here() },
		"TRACE ":   func(p string, o ...RouteOption) (*Route, string) { return to.Trace(p, plain, o...), here() },
		"QUERY ":   func(p string, o ...RouteOption) (*Route, string) { return to.Query(p, plain, o...), here() },
		"LINK ": func(p string, o ...RouteOption) (*Route, string) {
			return to.HandleParams("LINK "+p, value, o...), here()
		},
		"UNLINK ": func(p string, o ...RouteOption) (*Route, string) {
			return to.HandleError("UNLINK "+p, fails, o...), here()
		},
	}
}

// TestShorthands: a function that registers takes options, returns the route, which
// knows where it was called, and panics with the error of Add.
func TestShorthands(t *testing.T) {
	for prefix, target := range map[string]func(*Mux) muxOrGroup{
		"":      func(m *Mux) muxOrGroup { return m },
		"/g":    func(m *Mux) muxOrGroup { return m.Route("/g", nil) },
		"/h/in": func(m *Mux) muxOrGroup { return m.Route("/h", nil).Route("/in", nil).With(mark("x")) },
	} {
		m := New()
		to := target(m)
		for method, register := range shorthands(to, false) {
			rt, place := register("/{id}", Name(method), Meta("k", method), Headers("X-Beta", "1"))
			meta, _ := rt.Meta("k")
			if rt.Pattern() != method+prefix+"/{id}" || rt.Name() != method || meta != method || !slices.Equal(rt.Matchers(), []string{`Headers("X-Beta", "1")`}) {
				t.Errorf("%sunder %q: got %v named %q with meta %v and matchers %q", method, prefix, rt, rt.Name(), meta, rt.Matchers())
			}
			if rt.Source() != place {
				t.Errorf("%sunder %q: got source %s, want %s", method, prefix, rt.Source(), place)
			}
			if !slices.Contains(slices.Collect(m.Routes()), rt) {
				t.Errorf("%sunder %q: the route that was returned is not in the mux", method, prefix)
			}
			rt, _ = register("/plain") // without options
			if got := matchOf(m, rt.Methods()[0], prefix+"/plain"); got != method+prefix+"/plain" {
				t.Errorf("%sunder %q: a request for it matches %s", method, prefix, got)
			}
		}
		before := stateOf(m)
		for method, register := range shorthands(to, false) {
			for what, want := range map[string]struct {
				pattern string
				options []RouteOption
				err     any
			}{
				"a duplicate":     {"/plain", nil, new(*ConflictError)},
				"a bad pattern":   {"/{", nil, new(*PatternError)},
				"a name's second": {"/new", []RouteOption{Name(method)}, new(*NameError)},
				"a bad option":    {"/new", []RouteOption{Headers()}, new(*OptionError)},
			} {
				err, _ := recovered(func() { register(want.pattern, want.options...) }).(error)
				if err == nil || !errors.As(err, want.err) {
					t.Errorf("%sunder %q, %s: panicked with %v, want a %T", method, prefix, what, err, want.err)
				}
			}
		}
		for method, register := range shorthands(to, true) {
			if err, _ := recovered(func() { register("/new") }).(error); !errors.Is(err, ErrNilHandler) {
				t.Errorf("%sunder %q: a nil handler: panicked with %v, want ErrNilHandler", method, prefix, err)
			}
		}
		if got := stateOf(m); got != before {
			t.Errorf("under %q: the mux is now\n%s\nwas\n%s", prefix, got, before)
		}
	}
}
