// Package list describes the routes of a package as data, for the command that prints them.
package list

import (
	"encoding/json"
	"fmt"
	"go/types"
	"path"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/muxwell/muxwell"

	"github.com/muxwell/muxwell/vet/internal/registration"
	"github.com/muxwell/muxwell/vet/internal/scratch"
)

// Analyzer reports each route as a diagnostic whose message is a [Route] in JSON. It does
// nothing unless its flag json is set.
var Analyzer = &analysis.Analyzer{
	Name:     "routelist",
	Doc:      "describe the routes for the command muxwell-vet routes",
	URL:      registration.URL + "#routes",
	Requires: []*analysis.Analyzer{registration.Analyzer},
	Run:      run,
}

var enabled, tests bool

func init() {
	Analyzer.Flags.BoolVar(&enabled, "json", false, "report routes as JSON")
	Analyzer.Flags.BoolVar(&tests, "tests", false, "report routes in _test.go files too")
}

// A Route is a route of a program.
type Route struct {
	Pattern    string   `json:"pattern,omitempty"` // for muxwell; empty if it is not known
	Handler    string   `json:"handler,omitempty"`
	Middleware []string `json:"middleware,omitempty"` // of groups and routers, outermost first
	Router     string   `json:"router"`               // its type
	RouterAt   string   `json:"routerAt,omitempty"`   // file:line where it was made
	Source     string   `json:"source"`               // file:line
	Column     int      `json:"column"`
	Package    string   `json:"package"`
	Unknown    string   `json:"unknown,omitempty"` // what is not known
}

func run(pass *analysis.Pass) (any, error) {
	if !enabled {
		return nil, nil
	}
	table := pass.ResultOf[registration.Analyzer].(*registration.Table)
	for _, rt := range table.Routes {
		if !tests && table.InTest(rt) {
			continue
		}
		p := pass.Fset.Position(rt.Pos())
		middleware, _ := table.Middleware(rt)
		inner := rt
		rt = table.Prefixed(rt)
		if rt.Remote != "" && rt.Router.Returned() && rt.Router.Key() == inner.Router.Key() {
			continue // it is in the list of the other package
		}
		r := Route{
			Router: rt.Kind.String(), Handler: table.Name(rt), Package: pass.Pkg.Path(),
			Source: fmt.Sprintf("%s:%d", p.Filename, p.Line), Column: p.Column,
		}
		if pos := rt.Router.Pos(); pos.IsValid() {
			p := pass.Fset.Position(pos)
			r.RouterAt = fmt.Sprintf("%s:%d", p.Filename, p.Line)
		}
		for _, m := range middleware {
			r.Middleware = append(r.Middleware, types.ExprString(m.Expr))
		}
		r.Pattern, r.Unknown = pattern(table, rt)
		b, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		pass.Report(analysis.Diagnostic{Pos: rt.Pos(), Message: string(b)})
	}
	return nil, nil
}

// pattern returns the pattern that muxwell has for a route, or what is not known.
func pattern(table *registration.Table, rt *registration.Route) (pattern, unknown string) {
	if rt.Text == nil {
		return "", "the pattern is not constant"
	}
	text := rt.Text.Value
	if rt.Prefix == nil {
		if rt.Below != "" {
			text = rt.Below + text
		}
		return "", fmt.Sprintf("%s is below a prefix that is not known", strings.TrimSpace(rt.Method+" …"+text))
	}
	methods, ok := table.Methods(rt)
	if !ok {
		return "", fmt.Sprintf("the methods or matchers of %q are not known", text)
	}
	if rt.Kind == registration.Chi && strings.HasSuffix(text, "/*") {
		text = path.Dir(text)
		text = strings.TrimSuffix(text, "/") + "/{path...}"
	}
	o := table.Options(rt.Router)
	o.AnyName = true // each constraint is accepted
	method := rt.Method
	if method == "" && len(methods) > 0 {
		text = strings.Join(methods, ",") + " " + text
	}
	added, err := o.Register(*rt.Prefix, method, text)
	if err != nil {
		if perr, ok := err.(*muxwell.PatternError); ok {
			return "", fmt.Sprintf("pattern %q: %s", rt.Text.Value, perr.Reason)
		}
		return "", err.Error()
	}
	return added.Pattern(), ""
}

// Mux returns a mux with the routes, for a description of them. Those that conflict with another
// one are left out.
func Mux(routes []Route) *muxwell.Mux {
	var patterns []string
	for _, r := range routes {
		if r.Pattern != "" {
			patterns = append(patterns, r.Pattern)
		}
	}
	return scratch.Options{AnyName: true}.Mux(patterns)
}
