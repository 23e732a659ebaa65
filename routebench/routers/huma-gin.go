package routers

import (
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	"github.com/gin-gonic/gin"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:    "huma-gin",
		Module:  "github.com/danielgtaylor/huma/v2",
		Note:    "huma with gin below it; parameters renamed, as the types of inputs name them",
		Variant: "huma",
		Syntax:  route.Syntax{Param: "{%s}", Places: true},
		New: func() router.Mux {
			e := gin.New()
			e.HandleMethodNotAllowed = true
			return router.Huma(humagin.New(e, router.HumaConfig()), e)
		},
	})
}
