package muxwell

import (
	"net/http"

	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/pathvalue"
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
		pathvalue.Clear(r)
		rec.value(w, r, rec.route.paramsOf(r, at))
		return
	case rec.params == 0:
		pathvalue.Clear(r)
	case rec.plain && !at.escaped:
		rec.deliver(r, at.path, at.slashes)
	default:
		vals := rec.freshValues(r, at)
		rec.route.values(vals, rec.route.hostOf(r), at)
		rec.route.queryValues(vals, r)
		rec.set(r, vals)
	}
	rec.serve(w, r)
}

// deliver sets r's values to those that a plain path gives rec's parameters.
func (rec *record) deliver(r *http.Request, path string, slashes uint64) {
	vals := pathvalue.New(r, rec.shape, int(rec.params), len(path))
	rec.route.fill(vals, path, slashes)
	rec.set(r, vals)
}

// set gives the request the values of rec's parameters.
func (rec *record) set(r *http.Request, vals []string) {
	if !pathvalue.Set(r, rec.shape, vals) {
		pathvalue.SetByName(r, rec.route.params.names, vals)
	}
}

// freshValues returns a fresh slice for the values of rec's parameters.
func (rec *record) freshValues(r *http.Request, at place) []string {
	if at.escaped {
		return make([]string, rec.params) // they are texts of their own
	}
	return pathvalue.New(r, rec.shape, int(rec.params), max(len(at.path), len(r.Host)))
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

// QueryValues sets the last of vals, one for each parameter of rt, to the values
// that the request's query gives.
func (rt *Route) queryValues(vals []string, r *http.Request) {
	if !rt.packed || rt.info == nil || len(rt.info.Queries) == 0 {
		return
	}
	n := 0
	for i := range rt.info.Queries {
		n += rt.info.Queries[i].Segment.Params()
	}
	rt.info.QueryValues(vals[len(vals)-n:], r.URL.RawQuery)
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
		return hostname.Fold(r.Host)
	}
	return hostname.Fold(hostname.StripPort(r.Host))
}
