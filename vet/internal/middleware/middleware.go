// Package middleware checks what is around muxes: middleware that reads what a mux sets later,
// and muxes that never see a path that they match.
package middleware

import (
	"fmt"
	"go/ast"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/muxwell/muxwell/vet/internal/registration"
)

// Analyzer reports mistakes around muxes.
var Analyzer = &analysis.Analyzer{
	Name: "middleware",
	Doc: `report middleware that reads an empty r.Pattern, and muxes without http.StripPrefix

A middleware around a whole mux sees an empty r.Pattern until the mux has matched the request,
and always if it calls the mux with a copy of the request, such as that of r.WithContext.
An http.ServeMux that is the handler of a subtree such as "/api/" gets whole paths: if all of
its patterns begin with another segment, none ever matches, unless http.StripPrefix is around
it.`,
	URL:      registration.URL + "#middleware",
	Requires: []*analysis.Analyzer{registration.Analyzer},
	Run:      run,
}

var order bool

func init() {
	Analyzer.Flags.BoolVar(&order, "order", false, "report calls of chi's Use after routes, for migrations: chi panics, muxwell does not mind")
}

func run(pass *analysis.Pass) (any, error) {
	table := pass.ResultOf[registration.Analyzer].(*registration.Table)
	if table.SSA == nil {
		return nil, nil
	}
	for _, read := range table.EmptyPatterns() {
		if read.Replaced {
			pass.Reportf(read.Pos, "r.Pattern is empty here: the mux sets it in the copy of the request that ServeHTTP got")
		} else {
			pass.Reportf(read.Pos, "r.Pattern is empty here: the mux sets it when ServeHTTP is called, which comes later")
		}
	}
	reported := make(map[*ast.CallExpr]bool)
	for _, rt := range table.Routes {
		if rt.Text == nil || rt.Kind != registration.ServeMux && rt.Kind != registration.Muxwell || table.InTest(rt) || reported[rt.Call] {
			continue
		}
		if prefix, other, ok := dead(rt, table.Inner(rt)); ok {
			reported[rt.Call] = true
			report(pass, rt, prefix, other)
		}
	}
	if order {
		chiOrder(pass, table)
	}
	return nil, nil
}

// dead returns the prefix of a subtree whose handler is a mux with no pattern for paths below
// it, and one of these patterns.
func dead(rt *registration.Route, inner []*registration.Route) (prefix, other string, ok bool) {
	_, path, _ := cutPath(rt.Text.Value)
	if rt.Prefix == nil || len(inner) == 0 || !strings.HasSuffix(path, "/") || strings.Contains(path, "{") {
		return "", "", false
	}
	_, before, _ := cutPath(*rt.Prefix)
	prefix = strings.TrimSuffix(before+path, "/")
	want := firstSegment(prefix)
	if want == "" {
		return "", "", false
	}
	for _, r := range inner {
		_, p, ok := cutPath(r.Text.Value)
		first := firstSegment(p)
		if !ok || first == want || first == "" || strings.ContainsAny(first, "{}%") {
			return "", "", false
		}
	}
	return prefix, inner[0].Text.Value, true
}

// cutPath returns what is before the path of a pattern, and the path.
func cutPath(pattern string) (before, path string, ok bool) {
	i := strings.IndexByte(pattern, '/')
	if i < 0 {
		return pattern, "", false
	}
	return pattern[:i], pattern[i:], true
}

func firstSegment(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return first
}

func report(pass *analysis.Pass, rt *registration.Route, prefix, other string) {
	d := analysis.Diagnostic{
		Pos: rt.Handler.Pos(), End: rt.Handler.End(),
		Message: fmt.Sprintf("the mux gets whole paths, which begin with %q, and has no such pattern, only ones like %q; use http.StripPrefix", prefix, other),
	}
	if fun := httpName(pass, rt); fun != "" && !strings.Contains(prefix, "%") {
		d.SuggestedFixes = []analysis.SuggestedFix{{
			Message: "use http.StripPrefix",
			TextEdits: []analysis.TextEdit{
				{Pos: rt.Handler.Pos(), End: rt.Handler.Pos(), NewText: []byte(fun + ".StripPrefix(" + strconv.Quote(prefix) + ", ")},
				{Pos: rt.Handler.End(), End: rt.Handler.End(), NewText: []byte(")")},
			},
		}}
	}
	pass.Report(d)
}

// httpName returns the name of package net/http in the file of a route, or "".
func httpName(pass *analysis.Pass, rt *registration.Route) string {
	for _, f := range pass.Files {
		if f.FileStart > rt.Pos() || rt.Pos() >= f.FileEnd {
			continue
		}
		for _, spec := range f.Imports {
			if spec.Path.Value != `"net/http"` {
				continue
			}
			if spec.Name == nil {
				return "http"
			}
			if name := spec.Name.Name; name != "." && name != "_" {
				return name
			}
		}
	}
	return ""
}

// chiOrder reports calls of Use that surely come after a route of the same router of chi.
func chiOrder(pass *analysis.Pass, table *registration.Table) {
	for _, use := range table.Uses {
		for _, rt := range table.Routes {
			if use.Kind == registration.Chi && rt.Router.Key() == use.Router.Key() && registration.Before(rt, use) {
				pass.Reportf(use.Pos(), "Use after a route: chi panics; muxwell applies the middleware to all routes")
				break
			}
		}
	}
}
