package routers

import (
	"github.com/danielgtaylor/huma/v2/adapters/humachi"
	"github.com/go-chi/chi/v5"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:    "huma-chi",
		Module:  "github.com/danielgtaylor/huma/v2",
		Note:    "huma with chi below it; parameters renamed, as the types of inputs name them",
		Variant: "huma",
		Syntax:  route.Syntax{Param: "{%s}", Places: true},
		New: func() router.Mux {
			m := chi.NewRouter()
			return router.Huma(humachi.New(m, router.HumaConfig()), m)
		},
	})
}
