package oracle

import (
	"regexp"

	"github.com/minio/mux"
)

type (
	muxRouter         = mux.Router
	muxRoute          = mux.Route
	muxMatch          = mux.RouteMatch
	muxMiddlewareFunc = mux.MiddlewareFunc
)

var (
	newRouter            = mux.NewRouter
	vars                 = mux.Vars
	currentRoute         = mux.CurrentRoute
	currentRouter        = mux.CurrentRouter
	corsMethodMiddleware = mux.CORSMethodMiddleware
	errMethodMismatch    = mux.ErrMethodMismatch
	errNotFound          = mux.ErrNotFound
	errMetadataKey       = mux.ErrMetadataKeyNotFound
	errSkipRouter        = mux.SkipRouter
)

// SetCompileFunc makes the package compile regular expressions with compile. It returns the
// previous function.
func SetCompileFunc(compile func(string) (*regexp.Regexp, error)) (old func(string) (*regexp.Regexp, error)) {
	old, mux.RegexpCompileFunc = mux.RegexpCompileFunc, compile
	return old
}
