package routers

import (
	"github.com/go-chi/chi/v5"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "chi",
		Module: "github.com/go-chi/chi/v5",
		Known:  true,
		Syntax: route.Syntax{Param: "{%s}", Regexp: "{%s:%s}", Rest: "*", RestName: "*", Mixed: true},
		New: func() router.Mux {
			m := chi.NewRouter()
			return router.Mux{
				Use: func() { m.Use(router.PassThrough) },
				Add: func(r *route.Route, path string, work *router.Work) error {
					m.MethodFunc(r.Method, path, work.HandlerFunc(chi.URLParam))
					return nil
				},
				Ready: router.NetHTTP(m),
			}
		},
	})
}
