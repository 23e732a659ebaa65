package routers

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:    "huma-ServeMux",
		Module:  "github.com/danielgtaylor/huma/v2",
		Note:    "huma with ServeMux below it; parameters renamed, as the types of inputs name them",
		Variant: "huma",
		Syntax:  route.Syntax{Param: "{%s}", Literal: escaped, Places: true},
		New: func() router.Mux {
			m := http.NewServeMux()
			return router.Huma(humago.New(m, router.HumaConfig()), m)
		},
	})
}
