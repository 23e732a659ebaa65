// Package mux has the declarations of gorilla/mux that the checks know.
package mux

import "net/http"

type Router struct{}

type Route struct{}

func NewRouter() *Router { return nil }

func (r *Router) HandleFunc(path string, f func(http.ResponseWriter, *http.Request)) *Route {
	return nil
}

func (r *Route) Methods(methods ...string) *Route { return r }
func (r *Route) Queries(pairs ...string) *Route   { return r }
