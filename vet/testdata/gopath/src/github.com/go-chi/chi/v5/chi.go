// Package chi has the declarations of chi that the checks know.
package chi

import "net/http"

type Router interface {
	Use(middlewares ...func(http.Handler) http.Handler)
	With(middlewares ...func(http.Handler) http.Handler) Router
	Route(pattern string, fn func(r Router)) Router
	Mount(pattern string, h http.Handler)
	Get(pattern string, h http.HandlerFunc)
	Handle(pattern string, h http.Handler)
	http.Handler
}

type Mux struct{ Router }

func NewRouter() *Mux { return nil }

func (m *Mux) Use(middlewares ...func(http.Handler) http.Handler) {}
func (m *Mux) Get(pattern string, h http.HandlerFunc)             {}
func (m *Mux) Mount(pattern string, h http.Handler)               {}
func (m *Mux) Route(pattern string, fn func(r Router)) Router     { return nil }
