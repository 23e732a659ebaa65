package routers

import (
	"fmt"
	"net/http"

	"github.com/zenazn/goji/web"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "goji1",
		Module: "github.com/zenazn/goji",
		Note:   "handlers of its own; takes the first route that matches; no longer maintained",
		Syntax: route.Syntax{Param: ":%s", Rest: "*", RestName: "*", RestSlash: true, Beside: gojiBeside},
		New: func() router.Mux {
			m := web.New()
			return router.Mux{
				Use: func() { m.Use(router.PassThrough) },
				Add: func(r *route.Route, path string, work *router.Work) error {
					h := func(c web.C, w http.ResponseWriter, _ *http.Request) {
						router.Do(work, w, c.URLParams, valueOf)
					}
					if work.Task == router.Nothing {
						h = func(web.C, http.ResponseWriter, *http.Request) {}
					}
					handle, ok := map[string]func(web.PatternType, web.HandlerType){
						"CONNECT": m.Connect, "DELETE": m.Delete, "GET": m.Get, "HEAD": m.Head, "OPTIONS": m.Options,
						"PATCH": m.Patch, "POST": m.Post, "PUT": m.Put, "TRACE": m.Trace,
					}[r.Method]
					if !ok {
						return fmt.Errorf("it has no method %s", r.Method)
					}
					handle(path, h)
					return nil
				},
				Ready: func() (router.Stack, error) {
					m.Compile()
					return router.HandlerStack(m), nil
				},
			}
		},
	})
}
