package routers

import (
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/humamuxwell"
	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:    "huma-muxwell",
		Module:  "github.com/danielgtaylor/huma/v2",
		Note:    "huma with muxwell below it; parameters renamed, as the types of inputs name them",
		Variant: "huma",
		Syntax:  route.Syntax{Param: "{%s}", Places: true},
		New: func() router.Mux {
			m := muxwell.New()
			return router.Huma(humamuxwell.New(m, router.HumaConfig()), m)
		},
	})
}
