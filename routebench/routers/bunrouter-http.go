package routers

import (
	"net/http"

	"github.com/uptrace/bunrouter"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "bunrouter-http",
		Module: "github.com/uptrace/bunrouter",
		Note:   "handlers of net/http",
		Syntax: route.Syntax{Param: ":%s", Rest: "*%s"},
		New: func() router.Mux {
			m := bunrouter.New()
			routes := m.Compat().CompatGroup
			return router.Mux{
				Use: func() { routes = routes.WithMiddleware(bunrouterPass) },
				Add: func(r *route.Route, path string, work *router.Work) error {
					h := func(w http.ResponseWriter, r *http.Request) {
						router.Do(work, w, bunrouter.ParamsFromContext(r.Context()), bunrouter.Params.ByName)
					}
					if work.Task == router.Nothing {
						h = func(http.ResponseWriter, *http.Request) {}
					}
					routes.Handle(r.Method, path, h)
					return nil
				},
				Ready: router.NetHTTP(m),
			}
		},
	})
}
