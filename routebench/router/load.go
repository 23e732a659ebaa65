package router

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell/routebench/route"
)

// A Loaded is a router with the routes that it accepted.
type Loaded struct {
	Stack
	Faults []Fault // the routes that it does not take
	Kept   *Kept   // what the handlers kept, for the task Keep
}

// A Fault is the reason why a route is excluded for a router.
type Fault struct {
	Route   int    // the index of the route; -1 for a request of none
	Request string // the request that was answered wrongly; "" if the route was refused
	Reason  string
}

// restarts is after how many refusals a load no longer begins again at once: among
// thousands of routes thousands may be refused.
const restarts = 32

// Load returns a router with routes whose handlers do task. A route that the router cannot
// express, or refuses with an error or a panic, is a fault. The returned router has seen
// only the other routes, so failed attempts leave nothing in it. Load returns an error if
// the router cannot be made ready.
//
// The first routes that are refused are refused by a router without any trace of
// those before; behind them a refusal may also be the trace of another.
func (r *Router) Load(routes []*route.Route, task Task) (*Loaded, error) {
	return r.Prepare(routes, task).Load()
}

// Prepared are routes in the syntax of a router. Only the router's own work is left to do.
type Prepared struct {
	router *Router
	routes []preparedRoute
	kept   *Kept
}

// A preparedRoute is a route as a router writes it.
type preparedRoute struct {
	*route.Route
	path string
	work *Work
	err  error // why it cannot be written
}

// Prepare does the part of [Router.Load] that is not the router's work.
func (r *Router) Prepare(routes []*route.Route, task Task) *Prepared {
	p := &Prepared{router: r, routes: make([]preparedRoute, len(routes)), kept: new(Kept)}
	for i, rt := range routes {
		path, names, err := r.Syntax.Format(rt)
		work := &Work{Task: task, Route: i, Names: names, TrimSlash: r.Syntax.RestSlash && rt.EndsInRest(), kept: p.kept}
		if task == Write && len(names) == 0 {
			work.Task = Nothing
		}
		p.routes[i] = preparedRoute{rt, path, work, err}
	}
	return p
}

// Load returns a new router with the routes, as [Router.Load] does.
func (p *Prepared) Load() (*Loaded, error) {
	l := &Loaded{Kept: p.kept}
	refused := make([]bool, len(p.routes))
	for begun := 0; ; begun++ {
		mux, spoiled := p.router.New(), false
		if err := use(mux, p.router.middleware); err != nil {
			return l, err
		}
		for i, rt := range p.routes {
			if refused[i] {
				continue
			}
			err := rt.err
			if err == nil {
				err = add(mux, rt.Route, rt.path, rt.work)
				spoiled = spoiled || err != nil
			}
			if err == nil {
				continue
			}
			refused[i] = true
			l.Faults = append(l.Faults, Fault{Route: i, Reason: firstLine(err.Error())})
			if spoiled && begun < restarts {
				break
			}
		}
		if !spoiled {
			slices.SortFunc(l.Faults, func(a, b Fault) int { return a.Route - b.Route })
			var err error
			l.Stack, err = ready(mux, p.router.middleware)
			return l, err
		}
	}
}

// add is mux.Add with a panic as an error.
func add(mux Mux, rt *route.Route, path string, work *Work) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%s", firstLine(fmt.Sprint(v)))
		}
	}()
	return mux.Add(rt, path, work)
}

// ready is mux.Ready with a panic as an error. If the router has no middleware of its
// own, the stack is wrapped by n of them.
func ready(mux Mux, n int) (s Stack, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%s", firstLine(fmt.Sprint(v)))
		}
	}()
	s, err = mux.Ready()
	if err != nil || mux.Use != nil {
		return s, err
	}
	return wrapped(s, n)
}

// folders are those of a file of Go with a line number, as panics name it.
var folders = regexp.MustCompile(`(?:[A-Za-z]:)?[/\\][^\s:]*[/\\]([^/\\\s:]+\.go:\d)`)

// registered is what http.ServeMux says about where a route was registered, which is
// the adapter.
var registered = regexp.MustCompile(` \(registered at [^)]*\)`)

// firstLine returns the first line of a message without surrounding spaces, without a colon
// at its end, and without the directories of files, which would reveal the machine's
// layout.
func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	line = registered.ReplaceAllString(strings.TrimSpace(line), "")
	return strings.TrimSuffix(folders.ReplaceAllString(line, "$1"), ":")
}

// Prove sends requests to a router that was loaded with the task Answer, and returns those
// with a wrong answer. It skips requests whose route the router refused. The answer to a
// HEAD request may be empty.
func (l *Loaded) Prove(requests []*route.Request) []Fault {
	var faults []Fault
	for _, q := range requests {
		if !l.Takes(q.Route) {
			continue
		}
		if reason := l.prove(q); reason != "" {
			faults = append(faults, Fault{Route: q.Route, Request: q.String(), Reason: reason})
		}
	}
	return faults
}

// Takes reports whether the router accepted a route.
func (l *Loaded) Takes(route int) bool {
	return !slices.ContainsFunc(l.Faults, func(f Fault) bool { return route >= 0 && f.Route == route })
}

// prove returns a description of a wrong answer to a request, or "".
func (l *Loaded) prove(q *route.Request) (reason string) {
	defer func() {
		if v := recover(); v != nil {
			reason = "panics: " + firstLine(fmt.Sprint(v))
		}
	}()
	got := l.Reply(q.HTTP)
	switch {
	case got.Status != q.Status:
		reason = fmt.Sprintf("status %d, want %d", got.Status, q.Status)
		if location := got.Header.Get("Location"); location != "" {
			reason += ", a redirect to " + location
		}
		return reason
	case q.Status != http.StatusOK, q.HTTP.Method == http.MethodHead && got.Body == "":
		return ""
	}
	if want := answer(q.Route, q.Values); got.Body != want {
		return fmt.Sprintf("route and values %s, want %s", abridge(got.Body), want)
	}
	return ""
}

// Answers sends a request to a router that was loaded with the task Answer, and returns the
// index of the route that answers it, or -1.
func (l *Loaded) Answers(r *http.Request) (route int) {
	defer func() {
		if recover() != nil {
			route = -1
		}
	}()
	got := l.Reply(r)
	first, _, _ := strings.Cut(got.Body, " ")
	route, err := strconv.Atoi(first)
	if err != nil || got.Status != http.StatusOK {
		return -1
	}
	return route
}

// abridge shortens an answer for a message.
func abridge(s string) string {
	if len(s) > 200 {
		return s[:200] + "…"
	}
	return s
}
