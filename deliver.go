package muxwell

import (
	"net/http"
)

// A place is where the values of a request's parameters stand.
type place struct {
	path    string
	slashes uint64 // of a path that is not escaped, as find returns them
	escaped bool
}

// serveHTTP hands the request to its handler, with the values that stand in at.
func (rec *record) serveHTTP(w http.ResponseWriter, r *http.Request, at place) {
	r.Pattern = rec.pattern
	switch {
	case rec.value != nil:
		clearValues(r)
		rec.value(w, r, rec.route.paramsOf(r, at))
		return
	case rec.params == 0:
		clearValues(r)
	case rec.plain && !at.escaped:
		rec.deliver(r, at.path, at.slashes)
	default:
		vals := rec.freshValues(r, at)
		rec.route.values(vals, rec.route.hostOf(r), at)
		rec.route.queryValues(vals, r)
		setValues(r, rec.shape, rec.route.params.names, vals)
	}
	rec.serve(w, r)
}

// paramsOf returns the parameters of a request that goes to rt.
func (rt *Route) paramsOf(r *http.Request, at place) Params {
	if !rt.packed && !at.escaped {
		return Params{at.path, rt, at.slashes}
	}
	var space [16]string
	vals := space[:]
	if n := len(rt.params.names); n > len(vals) {
		vals = make([]string, n)
	}
	vals = vals[:len(rt.params.names)]
	// The values of a plain route may be unescaped later than they are found.
	later := at.escaped && rt.plain
	rt.values(vals, rt.hostOf(r), place{at.path, at.slashes, at.escaped && !later})
	rt.queryValues(vals, r)
	return packParams(rt, vals, later)
}

// queryValues sets the last of vals, one for each parameter of rt, to the values
// that the request's query gives.
func (rt *Route) queryValues(vals []string, r *http.Request) {
	if !rt.packed || rt.info == nil || len(rt.info.queries) == 0 {
		return
	}
	n := 0
	for i := range rt.info.queries {
		n += rt.info.queries[i].segment.params()
	}
	rt.info.queryValues(vals[len(vals)-n:], r.URL.RawQuery)
}

// hostOf returns the host of r if rt has parameters there, else "".
func (rt *Route) hostOf(r *http.Request) string {
	if !rt.inHost {
		return ""
	}
	return requestHost(r)
}

// requestHost returns the host of r as patterns are compared with it.
func requestHost(r *http.Request) string {
	if r.Method == http.MethodConnect {
		return foldHost(r.Host)
	}
	return foldHost(stripPort(r.Host))
}

// setPathValues gives r its values through the exported API of net/http.
func setPathValues(r *http.Request, names, vals []string) {
	for i, name := range names {
		r.SetPathValue(name, vals[i])
	}
}
