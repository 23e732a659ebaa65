package routers

import (
	"net/http"

	"github.com/uptrace/bunrouter"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "bunrouter",
		Module: "github.com/uptrace/bunrouter",
		Note:   "handlers of its own",
		Known:  true,
		Syntax: route.Syntax{Param: ":%s", Rest: "*%s"},
		New: func() router.Mux {
			m := bunrouter.New()
			routes := &m.Group
			return router.Mux{
				Use: func() { routes = routes.Use(bunrouterPass) },
				Add: func(r *route.Route, path string, work *router.Work) error {
					h := func(w http.ResponseWriter, r bunrouter.Request) error {
						router.Do(work, w, r, bunrouter.Request.Param)
						return nil
					}
					if work.Task == router.Nothing {
						h = func(http.ResponseWriter, bunrouter.Request) error { return nil }
					}
					routes.Handle(r.Method, path, h)
					return nil
				},
				Ready: router.NetHTTP(m),
			}
		},
	})
}

// bunrouterPass is a middleware that calls next and does nothing else.
func bunrouterPass(next bunrouter.HandlerFunc) bunrouter.HandlerFunc {
	return func(w http.ResponseWriter, r bunrouter.Request) error { return next(w, r) }
}
