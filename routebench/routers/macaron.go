package routers

import (
	"io"
	"slices"

	"gopkg.in/macaron.v1"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "macaron",
		Module: "gopkg.in/macaron.v1",
		Note:   "handlers of its own; parameters renamed, as their names must have no underscores",
		Syntax: route.Syntax{Param: ":%s", Regexp: ":%s(^%s$)", Or: "$|^", Rest: "*", RestName: "*", Beside: withoutExpressions, Places: true},
		New: func() router.Mux {
			m := macaron.NewWithLogger(io.Discard)
			return router.Mux{
				Use: func() { m.Use(func(c *macaron.Context) { c.Next() }) },
				Add: func(r *route.Route, path string, work *router.Work) error {
					h := func(c *macaron.Context) { router.Do(work, c.Resp, c, (*macaron.Context).Params) }
					if work.Task == router.Nothing {
						h = func(*macaron.Context) {}
					}
					m.Handle(r.Method, path, []macaron.Handler{h})
					return nil
				},
				Ready: router.NetHTTP(m),
			}
		},
	})
}

// withoutExpressions reports whether a segment has none: macaron looks for an
// expression anywhere in a segment, so that it must be anchored, and stand alone.
func withoutExpressions(g route.Segment) bool {
	return !slices.ContainsFunc(g, func(p route.Piece) bool { return p.Constraint != "" })
}
