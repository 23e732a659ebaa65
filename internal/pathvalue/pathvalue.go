package pathvalue

import (
	"net/http"
	"reflect"
	"slices"
)

// Add sets values of r through the exported API of net/http, in addition to those that it
// has. Copies of r keep theirs.
func Add(r *http.Request, names, vals []string) {
	unshareValues(r)
	for i, name := range names {
		r.SetPathValue(name, vals[i])
	}
}

// unshareValues gives r path values of its own. Copies that were made by WithContext or
// an assignment share them, in a map and a slice that SetPathValue writes.
func unshareValues(r *http.Request) {
	if f := requestValues(r); f.known && f.matched.IsNil() && f.set.IsNil() {
		return // no values to share
	}
	bare := *r // Clone copies the values, and makes deep copies of other fields that are not nil
	bare.URL, bare.Header, bare.Trailer, bare.TransferEncoding = nil, nil, nil, nil
	bare.Form, bare.PostForm, bare.MultipartForm = nil, nil, nil
	own := bare.Clone(r.Context())
	own.URL, own.Header, own.Trailer, own.TransferEncoding = r.URL, r.Header, r.Trailer, r.TransferEncoding
	own.Form, own.PostForm, own.MultipartForm = r.Form, r.PostForm, r.MultipartForm
	*r = *own
}

// requestFields are the private fields of http.Request that have path values, as
// reflection reads them: those of the pattern that matched, and those that SetPathValue
// set in addition.
type requestFields struct {
	matched, set reflect.Value // a slice, and a map by name
	known        bool
}

// matchedField and setField are the indices of these fields. fieldsKnown is set if this
// release of Go has them.
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

// CarriesBlanks reports whether r, in which the values of names are all empty, has such
// values: whether a mux set the values of some pattern, or SetPathValue one of names.
func CarriesBlanks(r *http.Request, names []string) bool {
	f := requestValues(r)
	if !f.known {
		return r.Pattern != ""
	}
	if !f.matched.IsNil() {
		return true
	}
	return slices.ContainsFunc(names, func(name string) bool { return f.set.MapIndex(reflect.ValueOf(name)).IsValid() })
}
