package mux

import (
	"net/http"
	"regexp"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// The types of gorilla/mux.
type (
	Router         = mux.Router
	Route          = mux.Route
	RouteMatch     = mux.RouteMatch
	MatcherFunc    = mux.MatcherFunc
	BuildVarsFunc  = mux.BuildVarsFunc
	MiddlewareFunc = mux.MiddlewareFunc
	WalkFunc       = mux.WalkFunc
)

// The errors of gorilla/mux.
var (
	ErrMethodMismatch      = mux.ErrMethodMismatch
	ErrNotFound            = mux.ErrNotFound
	ErrMetadataKeyNotFound = mux.ErrMetadataKeyNotFound
	SkipRouter             = mux.SkipRouter
)

// RegexpCompileFunc compiles the regular expressions of templates and headers. It is the
// variable [mux.RegexpCompileFunc], which is not used if this package is imported.
var RegexpCompileFunc = regexp.Compile

func init() { mux.CompileRegexpsWith(&RegexpCompileFunc) }

// NewRouter is [mux.NewRouter].
func NewRouter() *Router { return mux.NewRouter() }

// Vars is [mux.Vars].
func Vars(r *http.Request) map[string]string { return mux.Vars(r) }

// CurrentRoute is [mux.CurrentRoute].
func CurrentRoute(r *http.Request) *Route { return mux.CurrentRoute(r) }

// CurrentRouter is [mux.CurrentRouter].
func CurrentRouter(r *http.Request) *Router { return mux.CurrentRouter(r) }

// SetURLVars is [mux.SetURLVars].
func SetURLVars(r *http.Request, val map[string]string) *http.Request {
	return mux.SetURLVars(r, val)
}

// CORSMethodMiddleware is [mux.CORSMethodMiddleware].
func CORSMethodMiddleware(r *Router) MiddlewareFunc { return mux.CORSMethodMiddleware(r) }
