// Package params checks the names by which handlers read parameters against the patterns of
// their routes.
package params

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/muxwell/muxwell"

	"github.com/muxwell/muxwell/vet/internal/registration"
	"github.com/muxwell/muxwell/vet/internal/scratch"
)

// Analyzer reports reads of parameters that no pattern has.
var Analyzer = &analysis.Analyzer{
	Name: "params",
	Doc: `report reads of parameters that no pattern of the handler has

r.PathValue("idd") compiles and returns "". Reported are names that r.PathValue, Params.Get,
Params.Lookup and muxwell.Param read in a handler all of whose routes are known, if no pattern
of them has such a parameter. If another package may register the handler too, only names that
are nearly those of a parameter are reported, and likewise if the handler is of another package
than its route. Also reported are r.PathValue in a value handler,
where it is empty, and types that no value of a constraint has.`,
	URL:      registration.URL + "#params",
	Requires: []*analysis.Analyzer{registration.Analyzer},
	Run:      run,
}

var unread bool

func init() {
	Analyzer.Flags.BoolVar(&unread, "unread", false, "report parameters of a pattern that its handler never reads")
}

// A finding is what is known about a read by a name in the source. The same name may be read
// in several ways, if a function gets it as a parameter.
type finding struct {
	read     registration.Read
	ok       bool     // it may be right
	open     bool     // other packages may register the handler
	patterns []string // that the handler has
	names    []string // of their parameters
	value    bool     // in all ways it is PathValue in a value handler
	mismatch string   // constraint that no value of the type satisfies, in all ways
	ways     int
}

func run(pass *analysis.Pass) (any, error) {
	table := pass.ResultOf[registration.Analyzer].(*registration.Table)
	if table.SSA == nil || table.Sets {
		return nil, nil
	}
	c := &checker{pass: pass, table: table, reach: make(map[*ssa.Function]*registration.Reach)}
	found := make(map[token.Pos]*finding)
	var order []token.Pos
	for _, r := range table.Reads() {
		pos := r.Name.Pos(0)
		f := found[pos]
		if f == nil {
			f = &finding{read: r, value: true}
			found[pos] = f
			order = append(order, pos)
		}
		if f.read.Name.Value != r.Name.Value {
			f.ok = true
		}
		c.check(f, r)
	}
	slices.Sort(order)
	for _, pos := range order {
		c.report(pos, found[pos])
	}
	c.registered()
	return nil, nil
}

type checker struct {
	pass  *analysis.Pass
	table *registration.Table
	reach map[*ssa.Function]*registration.Reach
}

// check adds what is known about one way of a read.
func (c *checker) check(f *finding, r registration.Read) {
	reach := c.reach[r.Owner]
	if reach == nil {
		reach = c.table.Reach(r.Owner)
		c.reach[r.Owner] = reach
	}
	if reach.Unknown || len(reach.Routes) == 0 {
		f.ok = true
		return
	}
	f.ways++
	f.open = f.open || reach.Open
	mismatch := true
	constraint := ""
	has := false
	for _, rt := range reach.Routes {
		names, ok := c.names(rt)
		if !ok {
			f.ok = true
			return
		}
		if slices.Contains(names, r.Name.Value) {
			has = true
			found := mismatchOf(r.Type, r.Name.Value, rt.Text.Value)
			mismatch = mismatch && found != ""
			constraint = found
		}
		f.open = f.open || c.mayBeMounted(rt)
		f.value = f.value && rt.Func == "HandleParams" && r.Func == "PathValue"
		if p := describe(rt); !slices.Contains(f.patterns, p) {
			f.patterns = append(f.patterns, p)
		}
		for _, n := range names {
			if !slices.Contains(f.names, n) {
				f.names = append(f.names, n)
			}
		}
	}
	if has && mismatch && constraint != "" && (f.ways == 1 || f.mismatch != "") {
		f.mismatch = constraint
	} else {
		f.mismatch = ""
	}
	f.ok = f.ok || has && f.mismatch == "" && !f.value
}

// names returns the names of a route's parameters.
func (c *checker) names(rt *registration.Route) ([]string, bool) {
	options, ok := c.table.RouteOptions(rt)
	if !ok {
		return nil, false
	}
	o := c.table.Options(rt.Router)
	prefix := ""
	if rt.Prefix != nil {
		prefix = *rt.Prefix
	}
	added, err := o.Register(prefix, rt.Method, rt.Text.Value, options...)
	if err != nil {
		return nil, false
	}
	return added.ParamNames(), true
}

// mayBeMounted reports whether a route may have parameters of a prefix that is not known.
func (c *checker) mayBeMounted(rt *registration.Route) bool {
	if rt.Kind == registration.ServeMux && !c.table.Kinds[registration.Muxwell] {
		return c.table.Kinds[registration.Chi] // other routers set no path values
	}
	return rt.Prefix == nil || c.pass.Pkg.Name() != "main" || c.table.MayMount()
}

func (c *checker) report(pos token.Pos, f *finding) {
	if f.ok {
		return
	}
	name := f.read.Name.Value
	d := analysis.Diagnostic{Pos: pos}
	switch {
	case f.value && !f.open:
		d.Message = "r.PathValue returns nothing in a value handler; read the Params"
	case f.value:
		return
	case f.mismatch != "":
		d.Message = fmt.Sprintf("parameter %q is never a valid %s: its constraint is %s", name, types.TypeString(f.read.Type, types.RelativeTo(c.pass.Pkg)), f.mismatch)
	default:
		if slices.Contains(f.names, name) {
			return
		}
		near := nearest(name, f.names)
		if near == "" && f.open {
			return
		}
		d.Message = fmt.Sprintf("no pattern of the handler has a parameter %q: %s", name, shorten(f.patterns))
		if near != "" {
			d.Message += fmt.Sprintf("; did you mean %q?", near)
			if edit, ok := f.read.Name.Replace(0, len(name), near); ok {
				d.SuggestedFixes = []analysis.SuggestedFix{{Message: "read " + strconv.Quote(near), TextEdits: []analysis.TextEdit{edit}}}
			}
		}
	}
	c.pass.Report(d)
}

// describe returns the pattern of a route for messages.
func describe(rt *registration.Route) string {
	text := rt.Text.Value
	if rt.Prefix == nil {
		text = "…" + text
	} else if *rt.Prefix != "" {
		if added, err := scratch.Add(muxwell.New(), *rt.Prefix, rt.Method, rt.Text.Value); err == nil {
			return added.Pattern()
		}
		text = *rt.Prefix + text
	}
	if rt.Method != "" {
		text = rt.Method + " " + text
	}
	return text
}

// nearest returns the name that was probably meant, or "".
func nearest(name string, names []string) string {
	fold := func(s string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(s))
	}
	best, distance := "", len(name)
	for _, n := range names {
		if fold(n) == fold(name) {
			return n
		}
		short := min(len(name), len(n))
		limit := short / 3
		if short == 2 && len(name) != len(n) {
			limit = 1 // id and idd, but not id and ip
		}
		if d := edits(name, n); d <= limit && d < distance {
			best, distance = n, d
		}
	}
	return best
}

// edits returns the number of insertions, deletions, replacements and swaps of neighbors that
// make one text of the other.
func edits(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			d := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			d = min(d, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(a)][len(b)]
}
