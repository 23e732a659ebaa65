package routers

import (
	"fmt"

	"github.com/kataras/iris/v12"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "iris",
		Module: "github.com/kataras/iris/v12",
		Note:   "handlers of its own",
		Syntax: route.Syntax{Param: "{%s}", Regexp: "{%s:string regexp(^%s$)}", Or: "$|^", Rest: "{%s:path}"},
		New: func() router.Mux {
			app := iris.New()
			app.Logger().SetLevel("disable")
			app.Configure(iris.WithFireMethodNotAllowed)
			return router.Mux{
				Use: func() { app.Use(func(c iris.Context) { c.Next() }) },
				Add: func(r *route.Route, path string, work *router.Work) error {
					h := func(c iris.Context) {
						router.Do(work, c.ResponseWriter(), c, func(c iris.Context, name string) string { return c.Params().Get(name) })
					}
					if work.Task == router.Nothing {
						h = func(iris.Context) {}
					}
					if app.Handle(r.Method, path, h) == nil {
						return fmt.Errorf("it refuses %s", path)
					}
					return nil
				},
				Ready: func() (router.Stack, error) { return router.HandlerStack(app), app.Build() },
			}
		},
	})
}
