package routers

import (
	"net/http"

	"goji.io"
	"goji.io/pat"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "goji2",
		Module: "goji.io",
		Note:   "takes the first route that matches; no longer maintained",
		Syntax: route.Syntax{Param: ":%s", Literal: escaped, Mixed: true},
		New: func() router.Mux {
			m := goji.NewMux()
			return router.Mux{
				Add: func(r *route.Route, path string, work *router.Work) error {
					m.HandleFunc(pat.NewWithMethods(path, r.Method), work.HandlerFunc(func(r *http.Request, name string) string {
						return pat.Param(r, name)
					}))
					return nil
				},
				Ready: router.NetHTTP(m),
			}
		},
	})
}
