// Package pattern checks the constant patterns of routes. Each is registered on a mux of its
// kind that serves nothing, so that the router itself says what is wrong.
package pattern

import (
	"fmt"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/muxwell/muxwell/vet/internal/registration"
	"github.com/muxwell/muxwell/vet/internal/scratch"
)

// Analyzer reports invalid patterns.
var Analyzer = &analysis.Analyzer{
	Name: "pattern",
	Doc: `report invalid patterns of routes

Each constant pattern of http.ServeMux and of muxwell is registered on a mux that serves
nothing. Reported are patterns that the mux rejects, and those in the syntax of another
router, which would be literal text: /users/:id, /files/*path, get /x.`,
	URL:      registration.URL + "#pattern",
	Requires: []*analysis.Analyzer{registration.Analyzer},
	Run:      run,
}

var (
	catchAll bool
	tests    bool
)

func init() {
	Analyzer.Flags.BoolVar(&catchAll, "catchall", false, `report patterns with a final slash, which match everything below it`)
	Analyzer.Flags.BoolVar(&tests, "tests", false, "check patterns in _test.go files too")
}

func run(pass *analysis.Pass) (any, error) {
	table := pass.ResultOf[registration.Analyzer].(*registration.Table)
	type key struct {
		pos  token.Pos
		text string
	}
	reported := make(map[key]bool)
	for _, rt := range table.Routes {
		if rt.Text == nil || rt.Remote != "" || !tests && table.InTest(rt) {
			continue
		}
		problem := check(table, rt)
		if problem == nil {
			continue
		}
		k := key{rt.Text.Pos(problem.Offset), problem.Reason}
		if reported[k] {
			continue
		}
		reported[k] = true
		d := analysis.Diagnostic{
			Pos:     k.pos,
			Message: fmt.Sprintf("pattern %q: %s", rt.Text.Value, problem.Reason),
		}
		if problem.Instead != "" {
			if edit, ok := rt.Text.Replace(0, len(rt.Text.Value), problem.Instead); ok {
				d.SuggestedFixes = []analysis.SuggestedFix{{
					Message: "write " + problem.Instead, TextEdits: []analysis.TextEdit{edit},
				}}
			}
		}
		pass.Report(d)
	}
	return nil, nil
}

func check(table *registration.Table, rt *registration.Route) *scratch.Problem {
	text := rt.Text.Value
	switch rt.Kind {
	case registration.ServeMux:
		if table.OldServeMux() {
			return nil
		}
		if p := scratch.ServeMux(text); p != nil {
			return p
		}
	case registration.Muxwell:
		if p := table.Options(rt.Router).Muxwell(rt.Prefix, rt.Method, text); p != nil {
			return p
		}
	default:
		return nil
	}
	if catchAll && strings.HasSuffix(text, "/") && rt.Func != "Files" {
		return &scratch.Problem{
			Offset: len(text) - 1, End: len(text),
			Reason: fmt.Sprintf("the final slash matches every path below it; for this path only write %q", text+"{$}"),
		}
	}
	return nil
}
