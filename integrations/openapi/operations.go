package openapi

import (
	"net/http"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/muxwell/muxwell"
)

// Operations is a BaseRouter for the generated code that registers each operation with a
// group. The name of the route is that of the generated method, such as GetPet, and its
// metadata are the extensions of the operation, such as x-role. The prefix, the middleware
// and the defaults of the group apply. BaseURL must be empty.
type Operations struct {
	*muxwell.Group
	Spec       *openapi3.T                                    // from GetSpec, for the option embedded-spec of the generator
	Middleware func(*openapi3.Operation) []muxwell.Middleware // of a single operation
}

// HandleFunc is called by the generated code.
func (o Operations) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	method, path, _ := strings.Cut(pattern, " ")
	op := o.Spec.Paths.Value(path).GetOperation(method)
	options := []muxwell.RouteOption{muxwell.Name(op.OperationID)}
	for key, value := range op.Extensions {
		options = append(options, muxwell.Meta(key, value))
	}
	if _, err := o.With(o.Middleware(op)...).Add(pattern, http.HandlerFunc(handler), options...); err != nil {
		panic(err)
	}
}
