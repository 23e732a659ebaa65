package routers

import (
	"net/http"
	"strings"

	"goji.io"
	"goji.io/pat"
	"goji.io/pattern"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "goji2",
		Module: "goji.io",
		Note:   "takes the first route that matches; no longer maintained",
		Syntax: route.Syntax{Param: ":%s", Rest: "*", RestName: "*", RestSlash: true, Literal: escaped, Beside: gojiBeside},
		New: func() router.Mux {
			m := goji.NewMux()
			return router.Mux{
				Use: func() { m.Use(router.PassThrough) },
				Add: func(r *route.Route, path string, work *router.Work) error {
					m.HandleFunc(pat.NewWithMethods(path, r.Method), work.HandlerFunc(gojiParam))
					return nil
				},
				Ready: router.NetHTTP(m),
			}
		},
	})
}

// gojiParam returns the value of a parameter; the rest of the path is none to goji.
func gojiParam(r *http.Request, name string) string {
	if name == "*" {
		return pattern.Path(r.Context())
	}
	return pat.Param(r, name)
}

// gojiBeside reports whether goji, in both versions, sees where the parameters of a
// segment begin and end: between them and the text are only some characters.
func gojiBeside(g route.Segment) bool {
	for i, p := range g {
		text := p.Literal
		if text != "" && (i > 0 && !strings.Contains(".;,", text[:1]) || i+1 < len(g) && !strings.Contains(".;,", text[len(text)-1:])) {
			return false
		}
	}
	return true
}
