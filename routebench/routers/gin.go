package routers

import (
	"github.com/gin-gonic/gin"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	gin.SetMode(gin.ReleaseMode)
	add(router.Router{
		Name:   "gin",
		Module: "github.com/gin-gonic/gin",
		Note:   "handlers of its own; parameters renamed, as those at one place must have one name",
		Known:  true,
		Syntax: route.Syntax{Param: ":%s", Rest: "*%s", RestSlash: true, Literal: backslashed, Prefix: true, Places: true},
		New: func() router.Mux {
			e := gin.New()
			e.HandleMethodNotAllowed = true
			return router.Mux{
				Use: func() { e.Use(func(c *gin.Context) { c.Next() }) },
				Add: func(r *route.Route, path string, work *router.Work) error {
					h := func(c *gin.Context) { router.Do(work, c.Writer, c, (*gin.Context).Param) }
					if work.Task == router.Nothing {
						h = func(*gin.Context) {}
					}
					e.Handle(r.Method, path, h)
					return nil
				},
				Ready: router.NetHTTP(e),
			}
		},
	})
}
