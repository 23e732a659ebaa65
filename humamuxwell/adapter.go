// Package humamuxwell serves APIs of [huma] from a [muxwell.Mux] or a [muxwell.Group].
//
//	var api huma.API
//	m := muxwell.New(muxwell.ErrorHandler(humamuxwell.ErrorHandler(&api)))
//	api = humamuxwell.New(m, huma.DefaultConfig("Pets", "1.0.0"))
//	huma.Get(api, "/pets/{id:int}", getPet)
//
// The path of an operation is a pattern of muxwell without a method. Each operation
// becomes a route:
//
//   - Its OperationID is the name of the route, so it must be unique in the mux. The one
//     that huma.Get and the like make has the method and the path only: operations that
//     differ in constraints, hosts or matchers need OperationIDs of their own.
//   - Its tags are the route's metadata "tags", a []string, and its security
//     requirements the metadata "security", a []map[string][]string. An operation
//     without requirements of its own has those that the API has when it is registered.
//     An empty list is no metadata.
//   - The Source of the route is the line that called a function of huma.
//   - [Options] adds other options, such as matchers.
//
// In the OpenAPI document a path has no constraints; they are part of the schemas of the
// parameters. See [New].
//
// Registration panics with the errors of [muxwell.Mux.Add]. A function that needs the
// request or the [http.ResponseWriter] of a [huma.Context] gets them from humago.Unwrap.
//
// [huma]: https://huma.rocks
package humamuxwell

import (
	"net/http"
	"runtime"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/muxwell/muxwell"
)

// New returns an API whose operations are routes of m. It also registers the routes of
// huma's configuration, such as /openapi.json and /docs.
//
// The OpenAPI document differs from the patterns as follows:
//
//   - {id:int} is {id} in the path. The parameter's schema has what the constraint
//     says: a type, format, pattern or minimum, and for alternatives such as
//     {kind:cat|dog} an enum. Keywords that the field of the input has win. Expressions
//     are copied, although the syntax of package regexp is not quite that of JSON Schema.
//     A constraint of the program is named by x-muxwell-constraint.
//   - Parameters that the input does not have are added.
//   - {path...} is {path}, marked with x-muxwell-catch-all, and a final {$} is left out.
//   - A host is the operation's server. Its parameters are variables of the server, not
//     parameters of the operation.
//   - Matchers are in x-muxwell-matchers.
//
// OpenAPI cannot distinguish operations whose method and path differ only in
// constraints, hosts or matchers: the document has the one registered last. Give the
// others Hidden: true to decide which that is. Parameters of such operations should have
// the same names: /pets/{id:int} and /pets/{name} are two paths, which the document must
// not have.
//
// If m is mounted below a prefix, add that to the servers of config.
func New(m *muxwell.Mux, config huma.Config) huma.API {
	return newAPI(m, m, "", config)
}

// NewGroup returns an API whose operations are routes of g. It is like [New] otherwise.
//
// The paths of the OpenAPI document do not have the prefix of g. It is the document's
// server, unless config has servers. A prefix with parameters cannot be a server: then
// the paths have it, and the pages of the documentation and the links to schemas do not
// work.
//
// Package autopatch sends requests without the prefix. It needs an API of New, in a mux
// that may be mounted.
func NewGroup(g *muxwell.Group, config huma.Config) huma.API {
	return newAPI(g, g, g.Prefix(), config)
}

// A registrar is a mux or a group.
type registrar interface {
	Add(pattern string, handler http.Handler, options ...muxwell.RouteOption) (*muxwell.Route, error)
}

func newAPI(routes registrar, handler http.Handler, prefix string, config huma.Config) huma.API {
	if config.OpenAPI == nil {
		config.OpenAPI = new(huma.OpenAPI)
	}
	a := &adapter{Handler: handler, routes: routes}
	switch {
	case strings.ContainsAny(prefix, "{*"):
		a.prefix = prefix
	case prefix != "" && len(config.Servers) == 0:
		host, path := splitHost(prefix)
		if host != "" {
			host = "//" + host
		}
		config.Servers = []*huma.Server{{URL: host + path}}
	}
	a.api = huma.NewAPI(config, a)
	return a.api
}

// An adapter is the [huma.Adapter] of a mux or a group.
type adapter struct {
	http.Handler
	routes registrar
	prefix string   // of the paths in the document
	api    huma.API // nil while huma registers the routes of its configuration
}

// Handle registers the route of an operation. Huma has put the operation into the
// document before, unless it is hidden, with the pattern as its path.
func (a *adapter) Handle(op *huma.Operation, handler func(huma.Context)) {
	pattern := strings.ToUpper(op.Method) + " " + op.Path
	documented := a.document(op)
	if documented != nil {
		op.OperationID = documented.OperationID // in which huma has replaced spaces
	}
	var options []muxwell.RouteOption
	if op.OperationID != "" {
		options = append(options, muxwell.Name(op.OperationID))
	}
	if len(op.Tags) > 0 {
		options = append(options, muxwell.Meta("tags", op.Tags))
	}
	if security := a.security(op); len(security) > 0 {
		options = append(options, muxwell.Meta("security", security))
	}
	if file, line := caller(); file != "" {
		options = append(options, muxwell.Source(file, line))
	}
	own, _ := op.Metadata[optionsKey].([]muxwell.RouteOption)
	rt, err := a.routes.Add(pattern, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler(humago.NewContext(op, r, w))
	}), append(options, own...)...)
	if err != nil {
		panic(err)
	}
	if matchers := rt.Matchers(); documented != nil && len(matchers) > 0 {
		if documented.Extensions == nil {
			documented.Extensions = make(map[string]any)
		}
		documented.Extensions["x-muxwell-matchers"] = matchers
	}
}

// security returns the requirements of an operation: its own, which may be an empty
// list, or else those of the API.
func (a *adapter) security(op *huma.Operation) []map[string][]string {
	if op.Security == nil && a.api != nil {
		return a.api.OpenAPI().Security
	}
	return op.Security
}

// optionsKey is the key of an operation's metadata for [Options].
const optionsKey = "muxwell.options"

// Options returns a function that adds options to the route of an operation, such as
// matchers. It is for huma.Get and the like. Options for several operations are for
// [muxwell.Group.Defaults].
//
//	huma.Get(api, "/pets", list, humamuxwell.Options(muxwell.Accept("application/json")))
func Options(options ...muxwell.RouteOption) func(*huma.Operation) {
	return func(op *huma.Operation) {
		there, _ := op.Metadata[optionsKey].([]muxwell.RouteOption)
		if op.Metadata == nil {
			op.Metadata = make(map[string]any)
		}
		op.Metadata[optionsKey] = append(there[:len(there):len(there)], options...)
	}
}

// caller returns the innermost caller that belongs neither to this package nor to
// huma, or "".
func caller() (file string, line int) {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	for {
		frame, more := frames.Next()
		if !strings.HasPrefix(frame.Function, "github.com/muxwell/muxwell/humamuxwell.") &&
			!strings.HasPrefix(frame.Function, "github.com/danielgtaylor/huma/v2.") &&
			!strings.HasPrefix(frame.Function, "github.com/danielgtaylor/huma/v2/") {
			return frame.File, frame.Line
		}
		if !more {
			return "", 0
		}
	}
}
