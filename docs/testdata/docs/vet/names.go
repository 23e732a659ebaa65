// Package page has what vet.md's code uses and does not show.
package page

import (
	"context"
	_ "log"
	"net/http"

	"github.com/muxwell/muxwell"
)

var (
	m   *http.ServeMux
	mux *muxwell.Mux

	h, index, debugIndex http.HandlerFunc
	debug                bool
	addr                 string

	w    http.ResponseWriter
	r    *http.Request
	p    muxwell.Params
	next http.Handler

	api   struct{ New func() *muxwell.Mux }
	users struct{ Get http.HandlerFunc }

	trace func(context.Context) context.Context
	show  func(http.ResponseWriter, ...string)
)
