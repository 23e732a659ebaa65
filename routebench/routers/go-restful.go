package routers

import (
	"regexp"

	"github.com/emicklei/go-restful/v3"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
)

func init() {
	add(router.Router{
		Name:   "go-restful",
		Module: "github.com/emicklei/go-restful/v3",
		Note:   "handlers of its own; all routes in one WebService",
		Syntax: route.Syntax{Param: "{%s}", Regexp: "{%s:^(?:%s)$}", Rest: "{%s:*}", Or: "|", Beside: customVerb},
		New: func() router.Mux {
			c, ws := restful.NewContainer(), new(restful.WebService).Path("/")
			return router.Mux{
				Use: func() {
					c.Filter(func(r *restful.Request, w *restful.Response, next *restful.FilterChain) { next.ProcessFilter(r, w) })
				},
				Add: func(r *route.Route, path string, work *router.Work) error {
					h := func(r *restful.Request, w *restful.Response) {
						router.Do(work, w, r, (*restful.Request).PathParameter)
					}
					if work.Task == router.Nothing {
						h = func(*restful.Request, *restful.Response) {}
					}
					ws.Route(ws.Method(r.Method).Path(path).To(h))
					return nil
				},
				Ready: func() (router.Stack, error) {
					return router.HandlerStack(c.Add(ws)), nil
				},
			}
		},
	})
}

// customVerb reports whether a segment is a parameter followed by a verb, {id}:cancel.
func customVerb(g route.Segment) bool {
	return len(g) == 2 && verb.MatchString(g[1].Literal)
}

var verb = regexp.MustCompile(`^:[A-Za-z]+$`)
