package muxwell

import (
	"net/http"
)

// serveHTTP hands the request to its handler. path is where the parameters stand,
// plain, with the bitmap of its slashes as find returned it.
func (rec *record) serveHTTP(w http.ResponseWriter, r *http.Request, path string, slashes uint64) {
	r.Pattern = rec.pattern
	if rec.value != nil {
		clearValues(r)
		rec.value(w, r, Params{path, rec.route, slashes})
		return
	}
	if rec.params > 0 {
		rec.deliver(r, path, slashes)
	} else {
		clearValues(r)
	}
	rec.serve(w, r)
}

// serveEscaped is serveHTTP for parameters that stand in an escaped path.
func (rec *record) serveEscaped(w http.ResponseWriter, r *http.Request, path string) {
	r.Pattern = rec.pattern
	if rec.value != nil {
		clearValues(r)
		rec.value(w, r, packEscaped(rec.route, path))
		return
	}
	vals := make([]string, rec.params)
	rec.route.fillEscaped(vals, path)
	setValues(r, rec.shape, rec.route.params.names, vals)
	rec.serve(w, r)
}

// setPathValues gives r its values through the exported API of net/http.
func setPathValues(r *http.Request, names, vals []string) {
	for i, name := range names {
		r.SetPathValue(name, vals[i])
	}
}
