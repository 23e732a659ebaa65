package routers

import (
	"net/http"
	"strings"

	"github.com/dimfeld/httptreemux/v5"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "httptreemux",
		Module: "github.com/dimfeld/httptreemux/v5",
		Note:   "handlers of its own; parameters renamed, as those at one place must have one name",
		Known:  true,
		Syntax: route.Syntax{Param: ":%s", Rest: "*%s", Literal: treeLiteral, Places: true},
		New: func() router.Mux {
			m := httptreemux.New()
			return router.Mux{
				Use: func() {
					m.Use(func(next httptreemux.HandlerFunc) httptreemux.HandlerFunc {
						return func(w http.ResponseWriter, r *http.Request, p map[string]string) { next(w, r, p) }
					})
				},
				Add: func(r *route.Route, path string, work *router.Work) error {
					h := func(w http.ResponseWriter, _ *http.Request, p map[string]string) {
						router.Do(work, w, p, valueOf)
					}
					if work.Task == router.Nothing {
						h = func(http.ResponseWriter, *http.Request, map[string]string) {}
					}
					m.Handle(r.Method, path, h)
					return nil
				},
				Ready: router.NetHTTP(m),
			}
		},
	})
}

// treeLiteral returns the text of a segment, which may begin with the character of a
// parameter.
func treeLiteral(text string) string {
	if strings.HasPrefix(text, ":") {
		return `\` + escaped(text)
	}
	return escaped(text)
}
