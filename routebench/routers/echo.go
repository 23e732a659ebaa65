package routers

import (
	"github.com/labstack/echo/v5"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "echo",
		Module: "github.com/labstack/echo/v5",
		Note:   "handlers of its own",
		Known:  true,
		Syntax: route.Syntax{Param: ":%s", Rest: "*", RestName: "*", Literal: backslashed, Prefix: true},
		New: func() router.Mux {
			e := echo.New()
			return router.Mux{
				Use: func() {
					e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
						return func(c *echo.Context) error { return next(c) }
					})
				},
				Add: func(r *route.Route, path string, work *router.Work) error {
					h := func(c *echo.Context) error {
						router.Do(work, c.Response(), c, (*echo.Context).Param)
						return nil
					}
					if work.Task == router.Nothing {
						h = func(*echo.Context) error { return nil }
					}
					e.Add(r.Method, path, h)
					return nil
				},
				Ready: router.NetHTTP(e),
			}
		},
	})
}
