package benchmarks

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// TestMatchersParseOnce: what several routes have matchers for is parsed once for a
// request, for the routes of a path and for those of several that the search tries. So
// more routes allocate no more.
func TestMatchersParseOnce(t *testing.T) {
	var query, accept strings.Builder
	for i := range 50 {
		fmt.Fprintf(&query, "&long-key-%d=value", i)
		fmt.Fprintf(&accept, ",text/x-%d", i)
	}
	for _, row := range []struct {
		kind    string
		option  func(i int) muxwell.RouteOption
		request *http.Request
		short   *http.Request // the same, but too short to be parsed
		escaped bool          // each reading allocates
	}{
		{
			kind:    "queries",
			option:  func(i int) muxwell.RouteOption { return muxwell.Queries("q", fmt.Sprintf("v%d", i)) },
			request: costRequest("q=-"+query.String(), ""),
			short:   costRequest("q=-", ""),
		},
		{
			kind:    "queries with an escape",
			option:  func(i int) muxwell.RouteOption { return muxwell.Queries("q", fmt.Sprintf("v%d", i)) },
			request: costRequest("q=%2D"+query.String(), ""),
			short:   costRequest("q=-", ""),
			escaped: true,
		},
		{
			kind:    "accept",
			option:  func(i int) muxwell.RouteOption { return muxwell.Accept(fmt.Sprintf("application/vnd.v%d", i)) },
			request: costRequest("", "Accept", "text/html"+accept.String()),
			short:   costRequest("", "Accept", "a/b"),
		},
	} {
		for _, shared := range []bool{true, false} {
			var counts []float64
			for _, n := range []int{40, 100} {
				name := fmt.Sprintf("%s, %d routes, shared %t", row.kind, n, shared)
				m, served := newCostMux(t, costRow{option: row.option}, n, shared)
				allocs := func(r *http.Request) float64 {
					w := muxtest.NewWriter()
					return testing.AllocsPerRun(10, func() {
						m.ServeHTTP(w, r)
						clear(w.Header())
					})
				}
				got := allocs(row.request)
				counts = append(counts, got)
				if short := allocs(row.short); got <= short && !muxtest.RaceEnabled {
					t.Errorf("%s: %v allocations, and %v for a request that is not parsed", name, got, short)
				}
				if *served > 0 {
					t.Errorf("%s: a route matched", name)
				}
			}
			if len(counts) == 2 && counts[0] != counts[1] && !muxtest.RaceEnabled {
				t.Errorf("%s, shared %t: %v allocations for 40 routes, %v for 100", row.kind, shared, counts[0], counts[1])
			}
		}
	}
}

// TestMatchersReadSoMuch: a matcher matches what is as long as its documentation says,
// and nothing longer, of which it reads nothing. Then the answer is that of a matcher
// that does not match, or another route matches, and Explain says so.
func TestMatchersReadSoMuch(t *testing.T) {
	lines := func(n int, last string) []string { return append(make([]string, n-1), last) }
	queries, accept := muxwell.Queries("q", "{q:int}"), muxwell.Accept("text/html")
	for _, row := range []struct {
		name         string
		option       muxwell.RouteOption
		most, longer *http.Request
		status       int
		reason       string
	}{
		{
			"bytes of a query", queries,
			costRequest("q=7&"+strings.Repeat("x", 16380), ""), costRequest("q=7&"+strings.Repeat("x", 16381), ""),
			404, "query has more than 16384 bytes or 1000 pairs, the limits of what is read",
		},
		{
			"pairs of a query", queries,
			costRequest(strings.Repeat("&", 999)+"q=7", ""), costRequest(strings.Repeat("&", 1000)+"q=7", ""),
			404, "query has more than 16384 bytes or 1000 pairs, the limits of what is read",
		},
		{
			"a megabyte of a query", queries,
			costRequest("q=7"+strings.Repeat("&", 999), ""), costRequest("q=7"+strings.Repeat("&", megabyte), ""),
			404, "query has more than 16384 bytes or 1000 pairs, the limits of what is read",
		},
		{
			"bytes of Accept", accept,
			costRequest("", "Accept", "text/html;q=0.5", strings.Repeat(" ", 4081)), costRequest("", "Accept", "text/html;q=0.5", strings.Repeat(" ", 4082)),
			406, "Accept has more than 4096 bytes or 256 elements, the limits of what is read",
		},
		{
			"elements of Accept", accept,
			costRequest("", "Accept", strings.Repeat(",", 255)+"text/html"), costRequest("", "Accept", strings.Repeat(",", 256)+"text/html"),
			406, "Accept has more than 4096 bytes or 256 elements, the limits of what is read",
		},
		{
			"lines of Accept", accept,
			costRequest("", "Accept", lines(256, "text/html")...), costRequest("", "Accept", lines(257, "text/html")...),
			406, "Accept has more than 4096 bytes or 256 elements, the limits of what is read",
		},
		{
			"a megabyte of Accept", accept,
			costRequest("", "Accept", "text/html"+strings.Repeat(",", 255)), costRequest("", "Accept", "text/html"+strings.Repeat(",", megabyte)),
			406, "Accept has more than 4096 bytes or 256 elements, the limits of what is read",
		},
		{
			"bytes of Content-Type", muxwell.ContentType("text/csv"),
			costRequest("", "Content-Type", "text/csv"+strings.Repeat(";", 1016)), costRequest("", "Content-Type", "text/csv"+strings.Repeat(";", 1017)),
			415, "Content-Type has 1025 bytes, but at most 1024 are read",
		},
		{
			"lines of a header", muxwell.Headers("X-Beta", "1"),
			costRequest("", "X-Beta", lines(256, "1")...), costRequest("", "X-Beta", lines(257, "1")...),
			404, "header X-Beta has 257 lines, but at most 256 are read",
		},
		{
			"bytes for an expression", muxwell.HeadersRegexp("X-Beta", "x*1"),
			costRequest("", "X-Beta", strings.Repeat("x", 16383)+"1"), costRequest("", "X-Beta", strings.Repeat("x", 16383)+"1", "1"),
			404, "header X-Beta has more than 256 lines or 16384 bytes, the limits of what is read",
		},
		{
			"lines for an expression", muxwell.HeadersRegexp("X-Beta", "1"),
			costRequest("", "X-Beta", lines(256, "1")...), costRequest("", "X-Beta", lines(257, "1")...),
			404, "header X-Beta has more than 256 lines or 16384 bytes, the limits of what is read",
		},
		{
			"addresses", muxwell.ClientIP([]netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}, netip.MustParsePrefix("10.0.0.0/8")),
			costRequest("", "X-Forwarded-For", "192.0.2.1"+strings.Repeat(",10.0.0.2", 255)), costRequest("", "X-Forwarded-For", "192.0.2.1"+strings.Repeat(",10.0.0.2", 256)),
			404, "the client's address is unknown",
		},
	} {
		m, q := muxwell.New(), ""
		rt, err := m.Add("/a", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { q = r.PathValue("q") }), row.option)
		if err != nil {
			t.Fatal(err)
		}
		serve := func(r *http.Request) int {
			w := httptest.NewRecorder()
			m.ServeHTTP(w, r)
			return w.Code
		}
		if got := serve(row.most); got != 200 || len(rt.ParamNames()) > 0 && q != "7" {
			t.Errorf("%s: status %d and parameter %q for as many as are read, want 200 and 7", row.name, got, q)
		}
		if e := m.Explain(row.most); e.Route != rt {
			t.Errorf("%s: Explain of as many as are read: %.500s", row.name, e)
		}
		if got := serve(row.longer); got != row.status {
			t.Errorf("%s: status %d for more, want %d", row.name, got, row.status)
		}
		e := m.Explain(row.longer)
		if e.Route != nil || e.Status != row.status || len(e.Others) != 1 || e.Others[0].Reason != row.reason {
			t.Errorf("%s: Explain of more: %.500s\nwant status %d, %s", row.name, e, row.status, row.reason)
		}
		other, err := m.Add("/{x}", http.NotFoundHandler())
		if err != nil {
			t.Fatal(err)
		}
		if h, pattern := m.Handler(row.longer); pattern != other.Pattern() {
			t.Errorf("%s: %q, %v serves more, want %v", row.name, pattern, h, other)
		}
	}
	m := muxwell.New()
	rt, err := m.Add("/a", http.NotFoundHandler(), muxwell.Headers("X-Beta", ""))
	if err != nil {
		t.Fatal(err)
	}
	if e := m.Explain(costRequest("", "X-Beta", lines(300, "")...)); e.Route != rt {
		t.Errorf("any line: %.500s", e)
	}
}
