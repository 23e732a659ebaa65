package registration

import (
	"go/ast"
	"go/types"
	"go/version"
	"strings"

	"github.com/muxwell/muxwell"

	"github.com/muxwell/muxwell/vet/internal/scratch"
)

// Options returns the options of a mux, as far as they are known.
func (t *Table) Options(r Router) scratch.Options {
	o := scratch.Options{Constraints: t.Constraints}
	if !r.Made {
		o.AnyName = true
		return o
	}
	o.Constraints = nil
	if r.New == nil {
		return o
	}
	if r.New.Ellipsis.IsValid() {
		o.AnyName = true
	}
	for _, arg := range r.New.Args {
		call, ok := ast.Unparen(arg).(*ast.CallExpr)
		if !ok {
			o.AnyName = true
			continue
		}
		fn := t.x.calledFunc(call)
		if fn == nil || fn.Pkg() == nil || kinds[fn.Pkg().Path()] != Muxwell {
			o.AnyName = true
			continue
		}
		switch fn.Name() {
		case "Constraint":
			if name := t.x.text(call.Args[0], nil, 0); name != nil {
				o.Constraints = append(o.Constraints, name.Value)
			} else {
				o.AnyName = true
			}
		case "UncleanPath":
			tv := t.x.pass.TypesInfo.Types[call.Args[0]]
			o.ServeUnclean = o.ServeUnclean || tv.Value == nil || strings.HasSuffix(types.ExprString(call.Args[0]), "PathServe")
		case "CaseInsensitive":
			o.Fold = true
		case "StrictConflicts":
			o.Strict = true
		}
	}
	return o
}

// OldServeMux reports whether http.ServeMux has the patterns of Go 1.21: the module's language
// is older than Go 1.22.
func (t *Table) OldServeMux() bool {
	v := t.x.pass.Pkg.GoVersion()
	if m := t.x.pass.Module; m != nil && m.GoVersion != "" {
		v = "go" + strings.TrimPrefix(m.GoVersion, "go")
	}
	return v != "" && version.Compare(v, "go1.22") < 0
}

// InTest reports whether a route is registered in a test file.
func (t *Table) InTest(rt *Route) bool { return t.x.InTest(rt) }

// RouteOptions returns the options of a route that have an effect on other routes or on its
// parameters. ok is false if they are not all known.
func (t *Table) RouteOptions(r *Route) (options []muxwell.RouteOption, ok bool) {
	if r.Spread || t.defaults() {
		return nil, false
	}
	for _, e := range r.Options {
		option, ok := t.routeOption(e)
		if !ok {
			return nil, false
		}
		options = append(options, option...)
	}
	return options, true
}

// defaults reports whether the package sets options for all routes of a group, other than
// metadata.
func (t *Table) defaults() bool {
	for _, e := range t.x.calls {
		if c, ok := calleeOf(t.x.calledFunc(e)); !ok || c.role != defaults {
			continue
		}
		for _, arg := range e.Args {
			if options, ok := t.routeOption(arg); !ok || len(options) > 0 || e.Ellipsis.IsValid() {
				return true
			}
		}
	}
	return false
}

func (t *Table) routeOption(e ast.Expr) (_ []muxwell.RouteOption, ok bool) {
	call, isCall := ast.Unparen(e).(*ast.CallExpr)
	if !isCall {
		return nil, false
	}
	fn := t.x.calledFunc(call)
	if fn == nil || fn.Pkg() == nil || kinds[fn.Pkg().Path()] != Muxwell {
		return nil, false
	}
	if name := fn.Name(); name == "Name" || name == "Meta" || name == "Source" {
		return nil, true
	}
	option := map[string]func(...string) muxwell.RouteOption{
		"Headers": muxwell.Headers, "HeadersRegexp": muxwell.HeadersRegexp, "Queries": muxwell.Queries,
		"Schemes": muxwell.Schemes, "Accept": muxwell.Accept, "ContentType": muxwell.ContentType,
	}[fn.Name()]
	if option == nil || call.Ellipsis.IsValid() {
		return nil, false
	}
	var args []string
	for _, a := range call.Args {
		text := t.x.text(a, nil, 0)
		if text == nil {
			return nil, false
		}
		args = append(args, text.Value)
	}
	return []muxwell.RouteOption{option(args...)}, true
}

// MayMount reports whether the package mounts muxes, or registers one as a handler.
func (t *Table) MayMount() bool {
	for _, e := range t.x.calls {
		c, ok := calleeOf(t.x.calledFunc(e))
		if ok && c.role == mounts {
			return true
		}
		if ok && c.role == registers && c.handler < len(e.Args) {
			if tv := t.x.pass.TypesInfo.Types[e.Args[c.handler]]; tv.Type != nil && tv.Type.String() == "*net/http.ServeMux" {
				return true
			}
		}
	}
	return false
}
