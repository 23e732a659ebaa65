package routers

import (
	"net/http"
	"regexp"
	"strings"

	"github.com/go-martini/martini"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "martini",
		Module: "github.com/go-martini/martini",
		Note:   "calls handlers by reflection; takes the first route that matches; no longer maintained",
		Syntax: route.Syntax{Param: ":%s", Regexp: "(?P<%s>%s)", Or: "|", Rest: "**", RestName: "_1", Literal: martiniLiteral, Mixed: true, Middle: true},
		New: func() router.Mux {
			m, rt := martini.New(), martini.NewRouter()
			m.MapTo(rt, (*martini.Routes)(nil))
			m.Action(rt.Handle)
			return router.Mux{
				Use: func() { m.Use(func(c martini.Context) { c.Next() }) },
				Add: func(r *route.Route, path string, work *router.Work) error {
					h := func(w http.ResponseWriter, p martini.Params) { router.Do(work, w, p, valueOf) }
					if work.Task == router.Nothing {
						rt.AddRoute(r.Method, path, func() {})
						return nil
					}
					rt.AddRoute(r.Method, path, h)
					return nil
				},
				Ready: router.NetHTTP(m),
			}
		},
	})
}

// martiniLiteral returns literal text as an expression, in which martini would take a
// colon for a parameter.
func martiniLiteral(text string) string {
	return strings.ReplaceAll(regexp.QuoteMeta(text), ":", `\x3a`)
}
