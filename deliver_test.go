//go:build !muxwell_safe

package muxwell

import (
	"bufio"
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
	m := New()
	var got []string
	m.HandleFunc("/{a}/{b...}", func(_ http.ResponseWriter, r *http.Request) {
		got = append(got, r.PathValue("a"), r.PathValue("b"))
	})
	m.HandleFunc("/{$}", func(_ http.ResponseWriter, r *http.Request) {})
	for _, path := range []string{"/x/y/z", "/x%2Fy/z", "/"} {
		u, _ := url.Parse(path)
		m.ServeHTTP(&benchWriter{header: http.Header{}}, &http.Request{Method: "GET", URL: u})
	}
	if want := "x y/z x/y z"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSlabsPinLittle: a value keeps alive no long path but its own, so the
// slabs cannot hold on to gigabytes.
func TestSlabsPinLittle(t *testing.T) {
	m := New()
	m.HandleFunc("/{a}", func(http.ResponseWriter, *http.Request) {})
	const paths, size = 200, 1 << 20
	for range paths {
		func() {
			r := &http.Request{Method: "GET", URL: &url.URL{Path: "/" + strings.Repeat("x", size)}}
			m.ServeHTTP(&benchWriter{}, r)
		}()
	}
	if got, limit := uint64(liveBytes()), uint64(paths*size/4); got > limit {
		t.Errorf("%d bytes are alive after %d paths of %d bytes were served; want at most %d", got, paths, size, limit)
	}
}

// TestSlabsPinNoRequestLines: what a server reads is one string, of which the
// path may be a small part.
func TestSlabsPinNoRequestLines(t *testing.T) {
	m := New()
	m.HandleFunc("/{a}", func(http.ResponseWriter, *http.Request) {})
	const requests, size = 400, 200 << 10
	for range requests {
		line := "GET /x?" + strings.Repeat("q", size) + " HTTP/1.1\r\nHost: h\r\n\r\n"
		r, err := http.ReadRequest(bufio.NewReaderSize(strings.NewReader(line), len(line)))
		if err != nil {
			t.Fatal(err)
		}
		m.ServeHTTP(&benchWriter{}, r)
		if r.PathValue("a") != "x" {
			t.Fatalf("the value is %q, want x", r.PathValue("a"))
		}
	}
	if got, limit := uint64(liveBytes()), uint64(requests*size/4); got > limit {
		t.Errorf("%d bytes are alive after %d requests of %d bytes were served; want at most %d", got, requests, size, limit)
	}
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
// values elsewhere, serving a copy changes no other, and a value handler is given
// what middleware set.
func TestUnknownFieldsLeaveCopiesAlone(t *testing.T) {
	defer func(layout, fields bool) { layoutKnown, fieldsKnown = layout, fields }(layoutKnown, fieldsKnown)
	for _, fields := range []bool{true, false} {
		layoutKnown, fieldsKnown = false, fields
		m := New()
		var copied, params string
		m.HandleFunc("GET /copy/{id}", func(_ http.ResponseWriter, r *http.Request) { copied = r.PathValue("id") })
		m.HandleFunc("GET /start/{id}", func(_ http.ResponseWriter, r *http.Request) {
			answerTo(m, copyFor(r, "/copy/2"))
			if got := r.PathValue("id"); got != "1" || copied != "2" {
				t.Errorf("fields known %v: after a copy was served the request has id %q, the copy %q; want 1, 2", fields, got, copied)
			}
		})
		m.With(replacing(func(r *http.Request) *http.Request { r.SetPathValue("id", ""); return r })).HandleParams("GET /blank/{id}", func(_ http.ResponseWriter, _ *http.Request, p Params) {
			params = p.Get("id")
		})
		params = "none"
		answerTo(m, newBenchRequest("GET", "/start/1"))
		if answerTo(m, newBenchRequest("GET", "/blank/1")); params != "" {
			t.Errorf("fields known %v: the blanked parameter is %q", fields, params)
		}
	}
}
