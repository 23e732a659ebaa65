package benchmarks

import (
	"net/http"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// pass is middleware that does nothing.
func pass(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
}

// An adder is a mux or a group.
type adder interface {
	Add(pattern string, handler http.Handler, options ...muxwell.RouteOption) (*muxwell.Route, error)
}

// An aroundRow is a mux in which something is around a match, and a request.
type aroundRow struct {
	name    string
	options []muxwell.Option
	mux     func(m *muxwell.Mux, handle func(to adder, pattern string, options ...muxwell.RouteOption))
	request string
	header  http.Header
	status  int // expected; 0 for 200
	// The allocations by value and by PathValue; of slabs the share is 0.
	value, pathValue float64
}

func aroundRows() []aroundRow {
	type handle = func(to adder, pattern string, options ...muxwell.RouteOption)
	return []aroundRow{
		{name: "plain", mux: func(m *muxwell.Mux, h handle) { h(m, "GET /users/{id}") }, request: "GET /users/7"},
		{name: "group", mux: func(m *muxwell.Mux, h handle) { h(m.Route("/api/v1", nil), "GET /users/{id}") }, request: "GET /api/v1/users/7"},
		{name: "middleware=1", mux: func(m *muxwell.Mux, h handle) { m.Use(pass); h(m, "GET /users/{id}") }, request: "GET /users/7"},
		{name: "middleware=5", mux: func(m *muxwell.Mux, h handle) { m.Use(pass, pass, pass, pass, pass); h(m, "GET /users/{id}") }, request: "GET /users/7"},
		{name: "middleware=5,static", mux: func(m *muxwell.Mux, h handle) { m.Use(pass, pass, pass, pass, pass); h(m, "GET /users") }, request: "GET /users"},
		{name: "mount=mux", mux: func(m *muxwell.Mux, h handle) {
			child := muxwell.New()
			h(child, "GET /users/{id}")
			m.Mount("/api", child)
		}, request: "GET /api/users/7"},
		{name: "mount=handler", mux: func(m *muxwell.Mux, h handle) {
			child := muxwell.New()
			h(child, "GET /users/{id}")
			m.Mount("/api", http.Handler(pass(child)))
		}, request: "GET /api/users/7", value: 2, pathValue: 2},
		{name: "matcher=header", mux: func(m *muxwell.Mux, h handle) { h(m, "GET /users/{id}", muxwell.Headers("X-Beta", "1")) }, request: "GET /users/7", header: http.Header{"X-Beta": {"1"}}},
		{name: "matcher=missed", mux: func(m *muxwell.Mux, h handle) {
			h(m, "GET /users/{id}", muxwell.Headers("X-Beta", "1"))
			h(m, "GET /users/{id}")
		}, request: "GET /users/7"},
		{name: "matcher=query", mux: func(m *muxwell.Mux, h handle) { h(m, "GET /users/{id}", muxwell.Queries("page", "{page:int}")) }, request: "GET /users/7?sort=asc&page=12", value: 1},
		{name: "matcher=accept", mux: func(m *muxwell.Mux, h handle) {
			h(m, "GET /users/{id}", muxwell.Accept("text/html"))
			h(m, "GET /users/{id}", muxwell.Accept("application/json"))
		}, request: "GET /users/7", header: http.Header{"Accept": {"application/json, */*;q=0.5"}}},
		{name: "case=lower", options: []muxwell.Option{muxwell.CaseInsensitive()}, mux: func(m *muxwell.Mux, h handle) { h(m, "GET /Users/{id}") }, request: "GET /users/7"},
		{name: "case=upper", options: []muxwell.Option{muxwell.CaseInsensitive()}, mux: func(m *muxwell.Mux, h handle) { h(m, "GET /Users/{id}") }, request: "GET /USERS/7", value: 1, pathValue: 1},
		{name: "404", mux: func(m *muxwell.Mux, h handle) { h(m, "GET /users/{id}") }, request: "GET /user/7", status: 404, value: 3, pathValue: 3},
		{name: "404,middleware=1", mux: func(m *muxwell.Mux, h handle) { m.Use(pass); h(m, "GET /users/{id}") }, request: "GET /user/7", status: 404, value: 5, pathValue: 5},
	}
}

// newAround returns the mux of a row, with value handlers or others, and its
// request.
func newAround(t testing.TB, row aroundRow, value bool) (*muxwell.Mux, *http.Request) {
	m, served := muxwell.New(row.options...), false
	row.mux(m, func(to adder, pattern string, options ...muxwell.RouteOption) {
		var err error
		if value {
			_, err = to.Add(pattern, muxwell.ParamsFunc(func(http.ResponseWriter, *http.Request, muxwell.Params) { served = true }), options...)
		} else {
			_, err = to.Add(pattern, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served = true }), options...)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	method, path, _ := strings.Cut(row.request, " ")
	path, query, _ := strings.Cut(path, "?")
	r := muxtest.NewRequest(method, path)
	r.URL.RawQuery, r.Header = query, row.header
	w := muxtest.NewWriter()
	if m.ServeHTTP(w, r); served != (row.status == 0) || w.Status != row.status {
		t.Fatalf("%s: status %d, served %v", row.request, w.Status, served)
	}
	return m, r
}

// TestAroundAllocs holds what groups, middleware, mounts and matchers cost.
func TestAroundAllocs(t *testing.T) {
	switch {
	case muxtest.SafeBuild:
		t.Skip("the build tag muxwell_safe sets values by SetPathValue, which allocates; it promises no more")
	case muxtest.RaceEnabled:
		t.Skip("the race detector allocates, so that allocations cannot be counted")
	}
	for _, row := range aroundRows() {
		for _, value := range []bool{true, false} {
			m, r := newAround(t, row, value)
			want, w := row.pathValue, muxtest.NewWriter()
			if value {
				want = row.value
			}
			if got := testing.AllocsPerRun(500, func() { m.ServeHTTP(w, r) }); got > want {
				t.Errorf("%s, value %v: %v allocations, want %v", row.name, value, got, want)
			}
		}
	}
}

// BenchmarkAround has a row for each thing that may be around a match: what it
// costs is the difference to plain.
func BenchmarkAround(b *testing.B) {
	for _, row := range aroundRows() {
		for _, kind := range benchMuxs[:2] {
			b.Run("row="+row.name+"/mux="+kind, func(b *testing.B) {
				m, r := newAround(b, row, kind == "value")
				w := muxtest.NewWriter()
				b.ReportAllocs()
				for b.Loop() {
					m.ServeHTTP(w, r)
				}
			})
		}
	}
}
