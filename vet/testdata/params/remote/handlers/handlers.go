// Package handlers has handlers that another package registers.
package handlers

import (
	"net/http"

	"github.com/muxwell/muxwell"
)

func Get(w http.ResponseWriter, r *http.Request) { r.PathValue("user_id") }

// Either reads one parameter of each of two patterns.
func Either(w http.ResponseWriter, r *http.Request) {
	if r.PathValue("user") == "" {
		r.PathValue("users")
	}
}

func Far(w http.ResponseWriter, r *http.Request) { r.PathValue("page") }

type Server struct{}

func (*Server) Get(w http.ResponseWriter, r *http.Request) { value(r, "user_id") }

func (*Server) Get2(w http.ResponseWriter, r *http.Request) { r.PathValue("user_id") }

func value(r *http.Request, name string) string { return r.PathValue(name) }

func New() http.Handler {
	return Logged(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { r.PathValue("user_id") }))
}

func Params(w http.ResponseWriter, r *http.Request, p muxwell.Params) { p.Get("user_id") }

func Logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(r.Context()))
	})
}

func Number(r *http.Request, name string) (int, error) { return muxwell.Param[int](r, name) }

type Resource struct{}

func (Resource) ServeHTTP(w http.ResponseWriter, r *http.Request) { r.PathValue("user_id") }

// Store gives the request away.
func Store(w http.ResponseWriter, r *http.Request) { last = r }

var last *http.Request
