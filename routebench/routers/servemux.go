package routers

import (
	"net/http"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "ServeMux",
		Note:   "of net/http",
		Known:  true,
		Syntax: route.Syntax{Param: "{%s}", Rest: "{%s...}", Literal: escaped, End: true, Hosts: true},
		New: func() router.Mux {
			m := http.NewServeMux()
			return router.Mux{
				Add: func(r *route.Route, path string, work *router.Work) error {
					m.HandleFunc(r.Method+" "+path, work.HandlerFunc((*http.Request).PathValue))
					return nil
				},
				Ready: router.NetHTTP(m),
			}
		},
	})
}
