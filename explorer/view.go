package explorer

import (
	"fmt"
	"strings"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/routelist"
)

// A view has what the mux tells of its routes at one moment, as plain data. The
// page and all files are made of it, and of nothing else.
type view struct {
	Title  string
	Routes []route  // in the order of registration
	Other  *Stats   // of the requests that no route matched; nil if there are none
	Shared []string // the middleware around all routes, if there are several
	hidden []route  // that no file has, if there is a Spec
}

// A route is a [muxwell.Route] as plain data. All its texts but the source are as
// they were registered: they may hold anything.
type route struct {
	ID         int // its place in the order of registration
	Pattern    string
	Methods    []string // nil if it matches every method
	Host, Path string
	Prefix     string
	Params     []string
	Name       string
	Matchers   []string
	Meta       []metaEntry
	Middleware []string
	Own        []string // the middleware behind that which all routes share
	Source     string
	Stats      *Stats // nil if there are none
	Operations []*specOperation
}

// A metaEntry is a key of a route's metadata with its value as text.
type metaEntry struct{ Key, Value string }

// view returns the view of the handler's mux, with statistics if it has an Observer.
func (h *handler) view() *view {
	v := &view{Title: h.title}
	add := func(rt *muxwell.Route, s *Stats) {
		if h.hides(rt) {
			if h.spec != nil {
				v.hidden = append(v.hidden, newRoute(rt, nil))
			}
			return
		}
		r := newRoute(rt, h.keys)
		r.ID, r.Stats = len(v.Routes), s
		v.Routes = append(v.Routes, r)
	}
	if h.observer == nil {
		for rt := range h.mux.Routes() {
			add(rt, nil)
		}
	} else {
		for rt, s := range h.observer.Routes() {
			add(rt, &s)
		}
		other := h.observer.Other()
		v.Other = &other
	}
	sources := make([]string, len(v.Routes))
	for i, r := range v.Routes {
		sources[i] = r.Source
	}
	shorten := newShortener(sources)
	for i := range v.Routes {
		v.Routes[i].Source = shorten.short(v.Routes[i].Source)
	}
	v.share()
	return v
}

// share sets Shared, and Own of each route.
func (v *view) share() {
	if len(v.Routes) > 1 {
		v.Shared = v.Routes[0].Middleware
	}
	for i := range v.Routes {
		n := 0
		for m := v.Routes[i].Middleware; n < min(len(v.Shared), len(m)) && v.Shared[n] == m[n]; {
			n++
		}
		v.Shared = v.Shared[:n]
	}
	for i := range v.Routes {
		v.Routes[i].Own = v.Routes[i].Middleware[len(v.Shared):]
	}
}

func newRoute(rt *muxwell.Route, keys []string) route {
	r := route{
		Pattern: rt.Pattern(), Methods: rt.Methods(), Host: rt.Host(), Path: rt.Path(), Prefix: rt.Prefix(),
		Params: rt.ParamNames(), Name: rt.Name(), Matchers: rt.Matchers(), Middleware: rt.Middleware(), Source: rt.Source(),
	}
	for _, key := range keys {
		if value, ok := rt.Meta(key); ok {
			r.Meta = append(r.Meta, metaEntry{key, abridge(fmt.Sprint(value))})
		}
	}
	return r
}

// abridge returns s, cut if it is too long to show.
func abridge(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// MethodText returns the methods as a pattern has them, or ANY.
func (r *route) MethodText() string {
	if len(r.Methods) == 0 {
		return "ANY"
	}
	return strings.Join(r.Methods, ",")
}

// segments splits a path in front of its slashes: /users/{id}/ is /users, /{id}
// and /.
func segments(path string) []string {
	var all []string
	from := 0
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case '/':
			if i > from {
				all, from = append(all, path[from:i]), i
			}
		case '{':
			if closing := routelist.ClosingBrace(path, i); closing > 0 {
				i = closing
			}
		}
	}
	return append(all, path[from:])
}
