package routers

import (
	"context"

	"github.com/cloudwego/hertz/pkg/app"
	"github.com/cloudwego/hertz/pkg/app/server"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "hertz",
		Module: "github.com/cloudwego/hertz",
		Note:   "on a server of its own",
		Syntax: route.Syntax{Param: ":%s", Rest: "*%s", Prefix: true},
		New: func() router.Mux {
			h := server.New(server.WithHandleMethodNotAllowed(true), server.WithDisablePrintRoute(true))
			return router.Mux{
				Use: func() { h.Use(func(ctx context.Context, c *app.RequestContext) { c.Next(ctx) }) },
				Add: func(r *route.Route, path string, work *router.Work) error {
					f := func(_ context.Context, c *app.RequestContext) {
						router.Do(work, c, c, (*app.RequestContext).Param)
					}
					if work.Task == router.Nothing {
						f = func(context.Context, *app.RequestContext) {}
					}
					h.Handle(r.Method, path, f)
					return nil
				},
				Ready: router.Hertz(h),
			}
		},
	})
}
