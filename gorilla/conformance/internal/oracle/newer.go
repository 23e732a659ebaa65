package oracle

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"

	"github.com/minio/mux"
)

// This file has everything that v1.8.1 of gorilla/mux does not have. Package v181 has a
// file of its own instead.

var currentRouter = mux.CurrentRouter

// SetCompileFunc makes the package compile regular expressions with compile. It returns the
// previous function.
func SetCompileFunc(compile func(string) (*regexp.Regexp, error)) (old func(string) (*regexp.Regexp, error)) {
	old, mux.RegexpCompileFunc = mux.RegexpCompileFunc, compile
	return old
}

// SetNewRouter makes machines call f for a new router. It returns the previous function.
func SetNewRouter(f func() *mux.Router) (old func() *mux.Router) {
	old, newRouter = newRouter, f
	return old
}

func omitRoute(r *muxRouter, omit bool) *muxRouter  { return r.OmitRouteFromContext(omit) }
func omitRouter(r *muxRouter, omit bool) *muxRouter { return r.OmitRouterFromContext(omit) }

func setMetadata(r *muxRoute, key, value any) *muxRoute { return r.Metadata(key, value) }

func useOnRoute(r *muxRoute, layers []muxMiddlewareFunc) *muxRoute { return r.Use(layers...) }

func wrappedHandler(r *muxRoute) http.Handler { return r.GetHandlerWithMiddlewares() }

// writeMetadata writes the results of the getters of metadata.
func writeMetadata(w io.Writer, r *muxRoute) {
	fmt.Fprintf(w, "metadata %t %v\n", r.GetMetadata() == nil, r.GetMetadata())
	for _, key := range []string{"k", "other"} {
		value, err := r.GetMetadataValue(key)
		fmt.Fprintf(w, "%s %t %v %t %v\n", key, r.MetadataContains(key), value,
			errors.Is(err, mux.ErrMetadataKeyNotFound), r.GetMetadataValueOr(key, -1))
	}
}
