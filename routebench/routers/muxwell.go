package routers

import (
	"net/http"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "muxwell",
		Module: "github.com/muxwell/muxwell",
		Note:   "handlers of net/http, parameters by r.PathValue",
		Known:  true,
		Syntax: route.Syntax{Native: true, Hosts: true, HostParams: true, Options: true},
		New: func() router.Mux {
			m := muxwell.New()
			return router.Mux{
				Use: func() { m.Use(router.PassThrough) },
				Add: func(r *route.Route, path string, work *router.Work) error {
					_, err := m.Add(r.Method+" "+path, work.HandlerFunc((*http.Request).PathValue), r.Options...)
					return err
				},
				Ready: router.NetHTTP(m),
			}
		},
	})
}
