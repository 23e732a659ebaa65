package routers

import (
	"net/http"
	"strings"

	"github.com/gorilla/mux"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

// gorillaSyntax is the syntax of all releases.
var gorillaSyntax = route.Syntax{
	Param: "{%s}", Regexp: "{%s:%s}", Rest: "{%s:.*}",
	Mixed: true, Middle: true, Hosts: true, HostParams: true,
}

func init() {
	add(router.Router{
		Name:   "gorilla",
		Module: "github.com/gorilla/mux",
		Note:   "takes the first route that matches",
		Known:  true,
		Syntax: gorillaSyntax,
		New: func() router.Mux {
			m := mux.NewRouter()
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
		},
	})
}
