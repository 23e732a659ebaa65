//go:build !muxwell_safe

package pathvalue

import (
	"context"
	"net/http"
	"net/url"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

//lint:file-ignore U1000 fields that only reflection looks at

// TestLayout: the private fields are found in http.Request, and a struct that
// differs in anything that matters is refused.
func TestLayout(t *testing.T) {
	if !layoutKnown {
		t.Errorf("the layout of http.Request in %s is not known: values go through SetPathValue", runtime.Version())
	}
	type segment struct {
		s           string
		wild, multi bool
	}
	type good struct {
		str      string
		segments []segment
	}
	type noSegments struct{ str string }
	type otherSegments struct{ segments []string }
	type fewerFields struct{ segments []struct{ s string } }
	type otherTypes struct {
		segments []struct {
			s           string
			wild, multi int
		}
	}
	type embedded struct{ good }
	tests := []struct {
		request any
		want    bool
	}{
		{struct {
			x       int
			pat     *good
			matches []string
		}{}, true},
		{struct{ pat *good }{}, false},
		{struct{ matches []string }{}, false},
		{struct {
			pat     good
			matches []string
		}{}, false},
		{struct {
			pat     *good
			matches []int
		}{}, false},
		{struct {
			pat     *int
			matches []string
		}{}, false},
		{struct {
			pat     *noSegments
			matches []string
		}{}, false},
		{struct {
			pat     *otherSegments
			matches []string
		}{}, false},
		{struct {
			pat     *fewerFields
			matches []string
		}{}, false},
		{struct {
			pat     *otherTypes
			matches []string
		}{}, false},
		{struct {
			pat     *embedded
			matches []string
		}{}, false},
	}
	for _, test := range tests {
		typ := reflect.TypeOf(test.request)
		if l, ok := findLayout(typ); ok != test.want {
			t.Errorf("%v: found %+v, %v, want %v", typ, l, ok, test.want)
		}
	}
}

// TestUnknownLayout: should the layout change, values go through SetPathValue.
func TestUnknownLayout(t *testing.T) {
	defer func(known bool) { layoutKnown = known }(layoutKnown)
	layoutKnown = false
	r, names := new(http.Request), []string{"a", "b"}
	shape := NewShape(names)
	for _, want := range []string{"x y/z", "1 2"} {
		vals := New(r, shape, len(names), 10)
		copy(vals, strings.Fields(want))
		set(r, shape, names, vals)
		if got := r.PathValue("a") + " " + r.PathValue("b"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	Clear(r) // cannot, and does no harm
}

func TestTakeStrings(t *testing.T) {
	r := new(http.Request)
	seen := make(map[*string]bool)
	for n := range 3 * slabStrings {
		vals := takeStrings(r, n%(slabStrings+2)+1, 10)
		if cap(vals) != len(vals) {
			t.Fatalf("%d strings have capacity %d: an append would write into the next request's", len(vals), cap(vals))
		}
		for i := range vals {
			if seen[&vals[i]] || vals[i] != "" {
				t.Fatalf("string %d of %d was handed out before", i, len(vals))
			}
			seen[&vals[i]] = true
			vals[i] = "used"
		}
	}
}

// TestUnknownFieldsLeaveCopiesAlone: also in a Go release whose requests keep their
// values elsewhere, giving values to a copy changes no other.
func TestUnknownFieldsLeaveCopiesAlone(t *testing.T) {
	defer func(layout, fields bool) { layoutKnown, fieldsKnown = layout, fields }(layoutKnown, fieldsKnown)
	for _, fields := range []bool{true, false} {
		layoutKnown, fieldsKnown = false, fields
		names := []string{"id"}
		shape := NewShape(names)
		r := &http.Request{Pattern: "/{id}", URL: new(url.URL), Header: http.Header{}}
		set(r, shape, names, []string{"1"})
		r.SetPathValue("user", "anna")
		copied := r.WithContext(context.Background())
		set(copied, shape, names, []string{"2"})
		if a, b := r.PathValue("id"), copied.PathValue("id"); a != "1" || b != "2" {
			t.Errorf("fields known %v: the request has id %q, the copy %q; want 1, 2", fields, a, b)
		}
		if got := copied.PathValue("user"); got != "anna" {
			t.Errorf("fields known %v: the copy has user %q, want anna", fields, got)
		}
		if copied.URL != r.URL || copied.Header == nil {
			t.Errorf("fields known %v: the copy lost its URL or its header", fields)
		}
		blank := &http.Request{Pattern: "/{id}"}
		blank.SetPathValue("id", "")
		if !CarriesBlanks(blank, names) {
			t.Errorf("fields known %v: an empty value is taken for none", fields)
		}
		if bare := new(http.Request); CarriesBlanks(bare, names) {
			t.Errorf("fields known %v: no value is taken for an empty one", fields)
		}
	}
}

// set is what callers do.
func set(r *http.Request, shape Shape, names, vals []string) {
	if !Set(r, shape, vals) {
		SetByName(r, names, vals)
	}
}

// TestOwner: a shape leads to its owner in a request and its copies, until another mux or
// another shape replaces it.
func TestOwner(t *testing.T) {
	type owner struct{ name string }
	for _, names := range [][]string{nil, {"id"}, {"a", "b-c"}} {
		own := &owner{strings.Join(names, ",")}
		shape := NewOwned(names, own)
		r := &http.Request{Method: "GET", URL: &url.URL{Path: "/x"}, Header: http.Header{}}
		if got := Owner(r); got != nil || Carries(r) {
			t.Errorf("%q: a new request has the owner %v", names, got)
		}
		vals := []string{"1", "2"}[:len(names)]
		if !Set(r, shape, vals) {
			t.Fatalf("%q: Set does nothing", names)
		}
		runtime.GC()
		for _, req := range []*http.Request{r, r.WithContext(context.Background()), r.Clone(context.Background())} {
			if got := Owner(req); got != own || Carries(req) != (len(names) > 0) {
				t.Errorf("%q: got the owner %v, want %v; carries values: %v", names, got, own, Carries(req))
			}
			for i, name := range names {
				if got := req.PathValue(name); got != vals[i] {
					t.Errorf("%q: %s is %q, want %q", names, name, got, vals[i])
				}
			}
			for _, name := range []string{"", "other", "\x00"} {
				if got := req.PathValue(name); got != "" {
					t.Errorf("%q: %q is %q, want nothing", names, name, got)
				}
			}
		}
		r.SetPathValue("other", "3")
		if got := r.PathValue("other"); got != "3" || Owner(r) != own {
			t.Errorf("%q: a value that was set is %q, the owner then %v", names, got, Owner(r))
		}
		for _, pattern := range []string{"/", "/x", "/{id}", "GET /{$}", "\x00/{id...}"} {
			served := r.Clone(context.Background())
			mux := http.NewServeMux()
			func() {
				defer func() { _ = recover() }() // some patterns are invalid
				mux.HandleFunc(pattern, func(_ http.ResponseWriter, req *http.Request) {
					if got := Owner(req); got != nil {
						t.Errorf("%q: got the owner %v in http.ServeMux", names, got)
					}
				})
			}()
			mux.ServeHTTP(discard{}, served)
		}
		Set(r, NewShape([]string{"id"}), []string{"4"})
		if got := Owner(r); got != nil {
			t.Errorf("%q: got the owner %v of another shape", names, got)
		}
		Clear(r)
		if got := Owner(r); got != nil || Carries(r) {
			t.Errorf("%q: got the owner %v after Clear", names, got)
		}
	}
	defer func(known bool) { layoutKnown = known }(layoutKnown)
	layoutKnown = false
	if NewOwned(nil, 1) != nil || Owner(new(http.Request)) != nil || Carries(new(http.Request)) {
		t.Error("there is an owned shape though the layout is not known")
	}
}

// discard is a response that nobody reads.
type discard struct{}

func (discard) Header() http.Header         { return http.Header{} }
func (discard) Write(b []byte) (int, error) { return len(b), nil }
func (discard) WriteHeader(int)             {}
