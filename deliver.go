package muxwell

import (
	"net/http"

	"github.com/muxwell/muxwell/internal/params"
	"github.com/muxwell/muxwell/internal/pathvalue"
)

// serveHTTP hands the request to its handler, with the values that stand in at.
func (rec *record) serveHTTP(w http.ResponseWriter, r *http.Request, at params.Source) {
	r.Pattern = rec.pattern
	switch {
	case rec.value != nil:
		pathvalue.Clear(r)
		rec.value(w, r, Params{rec.route.layout.Of(r, at)})
		return
	case rec.params == 0:
		pathvalue.Clear(r)
	case rec.plain && !at.Escaped:
		rec.deliver(r, at.Path, at.Slashes)
	default:
		vals := rec.freshValues(r, at)
		rec.route.layout.Values(vals, rec.route.layout.Host(r), at)
		rec.route.layout.QueryValues(vals, r)
		rec.set(r, vals)
	}
	rec.serve(w, r)
}

// deliver sets r's values to those that a plain path gives rec's parameters.
func (rec *record) deliver(r *http.Request, path string, slashes uint64) {
	vals := pathvalue.New(r, rec.shape, int(rec.params), len(path))
	rec.route.layout.Fill(vals, path, slashes)
	rec.set(r, vals)
}

// set gives the request the values of rec's parameters.
func (rec *record) set(r *http.Request, vals []string) {
	if !pathvalue.Set(r, rec.shape, vals) {
		pathvalue.SetByName(r, rec.route.layout.Names.List, vals)
	}
}

// freshValues returns a fresh slice for the values of rec's parameters.
func (rec *record) freshValues(r *http.Request, at params.Source) []string {
	if at.Escaped {
		return make([]string, rec.params) // they are texts of their own
	}
	return pathvalue.New(r, rec.shape, int(rec.params), max(len(at.Path), len(r.Host)))
}
