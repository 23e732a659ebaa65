package routers

import (
	"net/http"
	"strings"

	"github.com/minio/mux"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "gorilla-main",
		Module: "github.com/minio/mux",
		Note:   "gorilla/mux as its main branch has it",
		Syntax: gorillaSyntax,
		New:    func() router.Mux { return gorillaMain(mux.NewRouter()) },
	})
	add(router.Router{
		Name:    "gorilla-main-omit",
		Module:  "github.com/minio/mux",
		Note:    "the same, without route and router in the request's context",
		Variant: "omit_route_from_ctx",
		Syntax:  gorillaSyntax,
		New: func() router.Mux {
			return gorillaMain(mux.NewRouter().OmitRouteFromContext(true).OmitRouterFromContext(true))
		},
	})
}

// gorillaMain returns m, which has no routes, for the comparison.
func gorillaMain(m *mux.Router) router.Mux {
	return router.Mux{
		Use: func() { m.Use(router.PassThrough) },
		Add: func(r *route.Route, path string, work *router.Work) error {
			h := func(w http.ResponseWriter, r *http.Request) { router.Do(work, w, mux.Vars(r), valueOf) }
			if work.Task == router.Nothing {
				h = func(http.ResponseWriter, *http.Request) {}
			}
			slash := strings.IndexByte(path, '/')
			added := m.HandleFunc(path[slash:], h).Methods(r.Method)
			if slash > 0 {
				added.Host(path[:slash])
			}
			return added.GetError()
		},
		Ready: router.NetHTTP(m),
	}
}
