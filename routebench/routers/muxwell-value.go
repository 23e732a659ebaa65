package routers

import (
	"net/http"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "muxwell-value",
		Module: "github.com/muxwell/muxwell",
		Note:   "handlers that are given the parameters by value",
		Known:  true,
		Syntax: route.Syntax{Native: true, Hosts: true, HostParams: true, Options: true},
		New: func() router.Mux {
			m := muxwell.New()
			return router.Mux{
				Use: func() { m.Use(router.PassThrough) },
				Add: func(r *route.Route, path string, work *router.Work) error {
					h := func(w http.ResponseWriter, _ *http.Request, p muxwell.Params) {
						router.Do(work, w, p, muxwell.Params.Get)
					}
					if work.Task == router.Nothing {
						h = func(http.ResponseWriter, *http.Request, muxwell.Params) {}
					}
					_, err := m.Add(r.Method+" "+path, muxwell.ParamsFunc(h), r.Options...)
					return err
				},
				Ready: router.NetHTTP(m),
			}
		},
	})
}
