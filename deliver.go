package muxwell

import (
	"net/http"
	"reflect"
	"slices"

	"github.com/muxwell/muxwell/internal/hostname"
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

// setPathValues gives r its values through the exported API of net/http. Copies
// of r keep theirs.
func setPathValues(r *http.Request, names, vals []string) {
	unshareValues(r)
	for i, name := range names {
		r.SetPathValue(name, vals[i])
	}
}

// unshareValues gives r path values of its own: copies that WithContext or an
// assignment made of it share them, in a map and a slice that SetPathValue writes.
func unshareValues(r *http.Request) {
	if f := requestValues(r); f.known && f.matched.IsNil() && f.set.IsNil() {
		return // there are none to share
	}
	bare := *r // Clone copies the values, and deeply what else is not nil
	bare.URL, bare.Header, bare.Trailer, bare.TransferEncoding = nil, nil, nil, nil
	bare.Form, bare.PostForm, bare.MultipartForm = nil, nil, nil
	own := bare.Clone(r.Context())
	own.URL, own.Header, own.Trailer, own.TransferEncoding = r.URL, r.Header, r.Trailer, r.TransferEncoding
	own.Form, own.PostForm, own.MultipartForm = r.Form, r.PostForm, r.MultipartForm
	*r = *own
}

// requestFields are the private fields of http.Request in which path values are,
// as reflection reads them: those of the pattern that matched, and those that
// SetPathValue set besides.
type requestFields struct {
	matched, set reflect.Value // a slice, and a map by name
	known        bool
}

// matchedField and setField are the indices of these fields, and fieldsKnown says
// that this release of Go has them.
var matchedField, setField, fieldsKnown = findValueFields(reflect.TypeFor[http.Request]())

func findValueFields(request reflect.Type) (matched, set int, ok bool) {
	m, ok1 := request.FieldByName("matches")
	s, ok2 := request.FieldByName("otherValues")
	if !ok1 || !ok2 || len(m.Index) != 1 || len(s.Index) != 1 ||
		m.Type != reflect.TypeFor[[]string]() || s.Type != reflect.TypeFor[map[string]string]() {
		return 0, 0, false
	}
	return m.Index[0], s.Index[0], true
}

// requestValues returns the private fields of r.
func requestValues(r *http.Request) requestFields {
	if !fieldsKnown {
		return requestFields{}
	}
	v := reflect.ValueOf(r).Elem()
	return requestFields{v.Field(matchedField), v.Field(setField), true}
}

// carriesBlanks reports whether r, in which the values of names are all blank, was
// given them: whether a mux gave it the values of some pattern, or SetPathValue one
// of names.
func carriesBlanks(r *http.Request, names []string) bool {
	f := requestValues(r)
	if !f.known {
		return r.Pattern != ""
	}
	if !f.matched.IsNil() {
		return true
	}
	return slices.ContainsFunc(names, func(name string) bool { return f.set.MapIndex(reflect.ValueOf(name)).IsValid() })
}
