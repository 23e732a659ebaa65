package routers

import (
	fasthttprouter "github.com/fasthttp/router"
	"github.com/valyala/fasthttp"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "fasthttp-router",
		Module: "github.com/fasthttp/router",
		Note:   "on fasthttp",
		Syntax: route.Syntax{Param: "{%s}", Regexp: "{%s:%s}", Rest: "{%s:*}", Literal: escaped, Mixed: true},
		New: func() router.Mux {
			m := fasthttprouter.New()
			return router.Mux{
				Add: func(r *route.Route, path string, work *router.Work) error {
					h := func(c *fasthttp.RequestCtx) {
						router.Do(work, c, c, func(c *fasthttp.RequestCtx, name string) string {
							value, _ := c.UserValue(name).(string)
							return value
						})
					}
					if work.Task == router.Nothing {
						h = func(*fasthttp.RequestCtx) {}
					}
					m.Handle(r.Method, path, h)
					return nil
				},
				Ready: router.FastHTTP(&fasthttp.Server{Handler: m.Handler}),
			}
		},
	})
}
