package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/program"
)

// A coverage counts what the compared programs do, so that the generator cannot
// stop to reach something without a test that fails.
type coverage struct {
	counts   map[string]int
	features map[int]map[string]bool // of the values of the program that runs
	roots    map[int]int             // of the values: the router that made the tree
}

func newCoverage() *coverage { return &coverage{counts: map[string]int{}} }

// served returns the number of requests that were compared.
func (c *coverage) served() int { return c.counts["requests"] }

// program counts what a program has.
func (c *coverage) program(p program.Program) {
	c.counts["programs"]++
	if !rulesFor(p).wrap {
		c.counts["programs with Route.Use on both sides"]++
	}
	asked := false
	c.features, c.roots = map[int]map[string]bool{}, map[int]int{}
	for _, op := range p {
		c.feature(op)
		if asked && op.Out != 0 {
			c.counts["registered after serving"]++
		}
		asked = asked || op.Call == program.ServeHTTP
		c.counts["call "+string(op.Call)]++
	}
}

// feature notes what the op gives to a router or a route. What is made of a value has
// what the value has.
func (c *coverage) feature(op program.Op) {
	target := op.On
	if op.Out != 0 {
		target = op.Out
		c.features[target] = maps.Clone(c.features[op.On])
		c.roots[target] = c.roots[op.On]
		if op.On == 0 {
			c.features[target], c.roots[target] = map[string]bool{}, target
		}
	}
	switch {
	case op.Call == program.Subrouter:
		for depth := range 3 {
			if name := fmt.Sprintf("a subrouter at depth %d", depth+1); !c.features[target][name] {
				c.features[target][name] = true
				break
			}
		}
	case op.Call == program.StrictSlash:
		c.features[target]["StrictSlash"] = op.Nums[0] == 1
	case op.Call == program.MatcherFunc && !program.PureMatcher(op.Nums[0]):
		c.features[target]["a MatcherFunc that changes or reads the match"] = true
	case !op.Compares() && !op.Asks():
		c.features[target][string(op.Call)] = true
		for _, arg := range op.Args {
			if strings.Contains(arg, ":") && strings.Contains(arg, "{") {
				c.features[target][string(op.Call)+" with a regexp"] = true
			}
		}
	}
}

// note counts what one op showed.
func (c *coverage) note(op program.Op, seen program.Seen) {
	if seen.Panic != "" {
		c.counts["panics in "+string(op.Call)]++
	}
	switch op.Call {
	case program.ServeHTTP:
		c.counts["requests"]++
		c.counts[fmt.Sprint("status ", seen.Code)]++
		if seen.Vars > 0 {
			c.counts["requests with variables"]++
		}
		var route int
		if _, rest, ok := strings.Cut(seen.Text, " route=v"); ok && seen.Code == 200 {
			fmt.Sscanf(rest, "%d", &route)
			if c.roots[route] != c.roots[op.On] {
				c.counts["served by a mounted router"]++
			}
			for name, has := range c.features[route] {
				if has {
					c.counts["served by a route with "+name]++
				}
			}
		}
		if seen.Header != "" {
			c.counts["requests with headers set"]++
		}
	case program.Match, program.MatchAgain:
		c.counts[fmt.Sprintf("%s %t, missed %t", op.Call, seen.Matched, seen.Missed)]++
	}
}

// shares are the least parts of the requests, of the programs for calls, that the
// classes make up.
var shares = map[string]float64{
	"status 200": 0.15, "status 301": 0.02, "status 404": 0.15, "status 405": 0.02, "status 403": 0.001,
	"requests with variables": 0.05, "requests with headers set": 0.05,
	"Match true, missed false": 0.03, "Match true, missed true": 0.002,
	"Match false, missed true": 0.03, "Match false, missed false": 0.03,
	"MatchAgain true, missed false": 0.01, "MatchAgain false, missed true": 0.01,
	"registered after serving": 0.02, "programs with Route.Use on both sides": 0.001,
	"panics in Path": 0.00005, "panics in HandleFunc": 0.00005, "panics in ServeHTTP": 0.0001,

	"served by a route with a subrouter at depth 1": 0.03, "served by a route with a subrouter at depth 2": 0.008,
	"served by a route with a subrouter at depth 3": 0.002, "served by a mounted router": 0.001,
	"served by a route with StrictSlash": 0.02, "served by a route with UseEncodedPath": 0.01,
	"served by a route with Queries": 0.015, "served by a route with Queries with a regexp": 0.005,
	"served by a route with Host": 0.02, "served by a route with Host with a regexp": 0.005,
	"served by a route with Headers": 0.01, "served by a route with HeadersRegexp": 0.003,
	"served by a route with Schemes": 0.005, "served by a route with Methods": 0.02,
	"served by a route with MatcherFunc":                                   0.008,
	"served by a route with a MatcherFunc that changes or reads the match": 0.004,
	"served by a route with PathPrefix":                                    0.02,
	"served by a route with PathPrefix with a regexp":                      0.005,
	"served by a route with Path with a regexp":                            0.003,
	"served by a route with NotFoundHandler":                               0.01,
	"served by a route with SkipClean":                                     0.005,
	"served by a route with OmitRouterFromContext":                         0.005,
	"served by a route with CORSMethodMiddleware":                          0.005,
	"served by a route with new(Router)":                                   0.003,
	"served by a route with new(Route)":                                    0.0001,
}

// check fails for classes that hardly occur, and for calls.
func (c *coverage) check(t *testing.T) {
	t.Helper()
	total := float64(c.served())
	for class, share := range shares {
		if got := float64(c.counts[class]) / total; got < share {
			t.Errorf("%s: %d of %.0f requests, want a share of %g at least", class, c.counts[class], total, share)
		}
	}
	for _, call := range []program.Call{
		program.NewRouter, program.ZeroRouter, program.ZeroRoute, program.NewRoute, program.Handle,
		program.HandleFunc, program.Subrouter, program.StrictSlash, program.SkipClean,
		program.UseEncodedPath, program.OmitRouteFromContext, program.OmitRouterFromContext,
		program.UseCORS, program.NotFoundHandler, program.MethodNotAllowedHandler, program.Path,
		program.PathPrefix, program.Host, program.Headers, program.HeadersRegexp, program.Queries,
		program.Schemes, program.Methods, program.MatcherFunc, program.BuildVarsFunc, program.Name,
		program.BuildOnly, program.Metadata, program.Handler, program.HandlerFunc, program.Mount,
		program.Use, program.Getters, program.Get, program.Walk, program.URL, program.URLHost,
		program.URLPath,
	} {
		if n := c.counts["call "+string(call)]; float64(n) < total/2000 {
			t.Errorf("%s is called %d times in programs for %.0f requests", call, n, total)
		}
	}
	classes := make([]string, 0, len(c.counts))
	for class, n := range c.counts {
		classes = append(classes, fmt.Sprintf("%9d %s", n, class))
	}
	slices.Sort(classes)
	for _, line := range classes {
		t.Log(line)
	}
}
