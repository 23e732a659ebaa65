package routers

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/bmizerany/pat"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "pat",
		Module: "github.com/bmizerany/pat",
		Note:   "puts the parameters into the query; takes the first route that matches; no longer maintained",
		Syntax: route.Syntax{Param: ":%s", Rest: "*", RestName: "*", Literal: escaped, Mixed: true},
		New: func() router.Mux {
			m := pat.New()
			return router.Mux{
				Add: func(r *route.Route, path string, work *router.Work) error {
					h := func(w http.ResponseWriter, r *http.Request) {
						router.Do(work, w, r.URL.Query(), func(q url.Values, name string) string {
							if name == "*" {
								return pat.Tail(path, r.URL.Path)
							}
							return q.Get(":" + name)
						})
					}
					if work.Task == router.Nothing {
						h = func(http.ResponseWriter, *http.Request) {}
					}
					path = strings.TrimSuffix(path, "*") // what ends in a slash takes the rest
					if r.Method == http.MethodGet {
						m.Get(path, http.HandlerFunc(h)) // and HEAD
					} else {
						m.Add(r.Method, path, http.HandlerFunc(h))
					}
					return nil
				},
				Ready: router.NetHTTP(m),
			}
		},
	})
}
