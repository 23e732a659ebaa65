package openapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/muxwell/muxwell"
)

// Check fails a test for each difference between the routes of a mux and the operations
// of a description; see [Differences].
//
//	func TestAPI(t *testing.T) { openapi.Check(t, newMux(), spec, "/healthz", "/debug/") }
func Check(t TB, m *muxwell.Mux, spec *openapi3.T, ignored ...string) {
	t.Helper()
	for _, d := range Differences(m, spec, ignored...) {
		t.Error(d)
	}
}

// A TB is a test or benchmark, such as a [testing.T].
type TB interface {
	Helper()
	Error(args ...any)
}

// Differences compares the routes of a mux with the operations of a description:
//
//   - an operation that has no route, and a route that has no operation,
//   - a path that both have with other methods,
//   - a parameter that both have with other names.
//
// Each is one line with the position in the program and, if the description was loaded
// with IncludeOrigin, the position there. Paths are compared without the names and the
// constraints of their parameters. Those of the description are behind the base path of
// one of its servers, or not. A GET route answers HEAD requests, so HEAD is not missed.
//
// Routes whose path is one of ignored, or begins with one that ends in a slash, are left
// out. So are hosts and matchers.
func Differences(m *muxwell.Mux, spec *openapi3.T, ignored ...string) []string {
	all := operationsOf(spec)
	served := make(map[*documentedPath][]*muxwell.Route)
	var found []string
	for rt := range m.Routes() {
		if isIgnored(rt.Path(), ignored) {
			continue
		}
		var p *documentedPath
		t, err := newTemplate(rt.Path())
		if err == nil {
			p = all.find(t.shape)
		}
		if p == nil {
			found = append(found, fmt.Sprintf("%s (%s) is not in the description", rt.Pattern(), rt.Source()))
			continue
		}
		served[p] = append(served[p], rt)
		for i, name := range p.names {
			if t.names[i] != name {
				found = append(found, fmt.Sprintf("%s (%s) names a parameter %q, %s%s names it %q", rt.Pattern(), rt.Source(), t.names[i], p.path, at(p.item.Origin), name))
			}
		}
		for _, method := range rt.Methods() {
			if p.item.GetOperation(method) == nil && !(method == http.MethodHead && p.item.Get != nil) {
				found = append(found, fmt.Sprintf("%s (%s): the path %s%s has no operation %s", rt.Pattern(), rt.Source(), p.path, at(p.item.Origin), method))
			}
		}
	}
	for _, p := range all.paths {
		for _, method := range slices.Sorted(methodsOf(p.item)) {
			if !slices.ContainsFunc(served[p], func(rt *muxwell.Route) bool { return serves(rt, method) }) {
				found = append(found, fmt.Sprintf("%s %s%s has no route", method, p.path, at(p.item.GetOperation(method).Origin)))
			}
		}
	}
	return found
}

// serves reports whether a route takes requests with a method.
func serves(rt *muxwell.Route, method string) bool {
	methods := rt.Methods()
	return methods == nil || slices.Contains(methods, method) || method == http.MethodHead && slices.Contains(methods, http.MethodGet)
}

// methodsOf iterates over the methods of a path's operations.
func methodsOf(item *openapi3.PathItem) func(func(string) bool) {
	return func(yield func(string) bool) {
		for method := range item.Operations() {
			if !yield(method) {
				return
			}
		}
	}
}

func isIgnored(path string, ignored []string) bool {
	return slices.ContainsFunc(ignored, func(s string) bool {
		return path == s || strings.HasSuffix(s, "/") && strings.HasPrefix(path, s)
	})
}

// operations has the paths of a description by their shapes.
type operations struct {
	paths   []*documentedPath
	byShape map[string]*documentedPath
	bases   []string // the base paths of servers, the longest first, and ""
}

type documentedPath struct {
	path  string
	item  *openapi3.PathItem
	names []string
}

func operationsOf(spec *openapi3.T) operations {
	all := operations{byShape: make(map[string]*documentedPath), bases: []string{""}}
	for _, s := range spec.Servers {
		if a, err := addressOf(s); err == nil && !slices.Contains(all.bases, a.base) {
			all.bases = append(all.bases, a.base)
		}
	}
	slices.SortFunc(all.bases, func(a, b string) int { return len(b) - len(a) })
	for _, path := range spec.Paths.InMatchingOrder() {
		if t, err := newTemplate(path); err == nil {
			p := &documentedPath{path, spec.Paths.Value(path), t.names}
			all.paths = append(all.paths, p)
			all.byShape[t.shape] = p
		}
	}
	return all
}

// find returns the path with a shape, or nil.
func (o *operations) find(shape string) *documentedPath {
	for _, base := range o.bases {
		if rest, ok := strings.CutPrefix(shape, base); ok {
			if p := o.byShape[rest]; p != nil {
				return p
			}
		}
	}
	return nil
}
