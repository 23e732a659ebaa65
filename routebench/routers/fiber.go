package routers

import (
	"github.com/gofiber/fiber/v3"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "fiber",
		Module: "github.com/gofiber/fiber/v3",
		Note:   "on fasthttp; takes the first route that matches",
		Syntax: route.Syntax{Param: ":%s", Regexp: ":%s<regex(^%s$)>", Rest: "*", RestName: "*", Literal: fiberLiteral, Mixed: true, Middle: true},
		New: func() router.Mux {
			app := fiber.New()
			return router.Mux{
				Use: func() { app.Use(func(c fiber.Ctx) error { return c.Next() }) },
				Add: func(r *route.Route, path string, work *router.Work) error {
					h := func(c fiber.Ctx) error {
						router.Do(work, c, c, func(c fiber.Ctx, name string) string { return c.Params(name) })
						return nil
					}
					if work.Task == router.Nothing {
						h = func(fiber.Ctx) error { return nil }
					}
					app.Add([]string{r.Method}, path, h)
					return nil
				},
				Ready: func() (router.Stack, error) {
					app.Handler() // makes its tree
					return router.FastHTTP(app.Server())()
				},
			}
		},
	})
}

// fiberLiteral returns literal text: fiber compares paths as they were sent.
func fiberLiteral(text string) string { return backslashed(escaped(text)) }
