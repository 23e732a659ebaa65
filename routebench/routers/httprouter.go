package routers

import (
	"net/http"

	"github.com/julienschmidt/httprouter"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "httprouter",
		Module: "github.com/julienschmidt/httprouter",
		Note:   "handlers of its own; parameters renamed, as those at one place must have one name",
		Known:  true,
		Syntax: route.Syntax{Param: ":%s", Rest: "*%s", RestSlash: true, Prefix: true, Places: true},
		New: func() router.Mux {
			m := httprouter.New()
			return router.Mux{
				Add: func(r *route.Route, path string, work *router.Work) error {
					h := func(w http.ResponseWriter, _ *http.Request, p httprouter.Params) {
						router.Do(work, w, p, httprouter.Params.ByName)
					}
					if work.Task == router.Nothing {
						h = func(http.ResponseWriter, *http.Request, httprouter.Params) {}
					}
					m.Handle(r.Method, path, h)
					return nil
				},
				Ready: router.NetHTTP(m),
			}
		},
	})
}
