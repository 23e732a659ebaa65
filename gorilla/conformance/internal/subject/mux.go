// Code generated from ../oracle/mux.go by copymachine; DO NOT EDIT.

package subject

import "github.com/muxwell/muxwell/gorilla/mux"

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
	corsMethodMiddleware = mux.CORSMethodMiddleware
	errMethodMismatch    = mux.ErrMethodMismatch
	errNotFound          = mux.ErrNotFound
	errSkipRouter        = mux.SkipRouter
)
