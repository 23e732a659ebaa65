package benchmarks

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// A costRow is a kind of matcher with requests that are read for it.
type costRow struct {
	kind string
	// Option returns the matcher of route i. No two routes have the same one.
	option func(i int) muxwell.RouteOption
	// ordinary returns a request that only route i matches, and hostile one that is
	// long, that no route matches and that looks as if any could.
	ordinary, long func(i int) *http.Request
	hostile        func() *http.Request
	status         int // of the answer to the hostile request
}

// costRequest returns a request for /a with a query and some lines of a header.
func costRequest(query, name string, lines ...string) *http.Request {
	r := muxtest.NewRequest("GET", "/a")
	r.URL.RawQuery = query
	r.RemoteAddr = "10.0.0.1:80"
	if name != "" {
		r.Header[name] = lines
		r.ContentLength = 1
	}
	return r
}

const megabyte = 1 << 20

var costRows = []costRow{
	{
		kind: "queries",
		option: func(i int) muxwell.RouteOption {
			return muxwell.Queries("page", "{page:int}", fmt.Sprintf("k%d", i), "")
		},
		ordinary: func(i int) *http.Request {
			return costRequest(fmt.Sprintf("sort=name&page=7&k%d=1", i), "")
		},
		long: func(i int) *http.Request {
			return costRequest(strings.Repeat("columns%5B3%5D%5Bdata%5D=name&", 32)+fmt.Sprintf("page=7&k%d=1", i), "")
		},
		hostile: func() *http.Request { return costRequest(strings.Repeat("&", megabyte), "") },
		status:  http.StatusNotFound,
	},
	{
		kind:   "accept",
		option: func(i int) muxwell.RouteOption { return muxwell.Accept(fmt.Sprintf("application/vnd.v%d", i)) },
		ordinary: func(i int) *http.Request {
			return costRequest("", "Accept", fmt.Sprintf("application/vnd.v%d+json", i))
		},
		long: func(i int) *http.Request {
			return costRequest("", "Accept", fmt.Sprintf("text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,application/vnd.v%d;q=0.8", i))
		},
		hostile: func() *http.Request { return costRequest("", "Accept", "x/y"+strings.Repeat(",", megabyte)) },
		status:  http.StatusNotAcceptable,
	},
	{
		kind:   "contenttype",
		option: func(i int) muxwell.RouteOption { return muxwell.ContentType(fmt.Sprintf("application/vnd.v%d;x=1", i)) },
		ordinary: func(i int) *http.Request {
			return costRequest("", "Content-Type", fmt.Sprintf("application/vnd.v%d; charset=utf-8; x=1", i))
		},
		hostile: func() *http.Request { return costRequest("", "Content-Type", "x/y"+strings.Repeat(";", megabyte)) },
		status:  http.StatusUnsupportedMediaType,
	},
	{
		kind:     "headers",
		option:   func(i int) muxwell.RouteOption { return muxwell.Headers("X-Version", fmt.Sprintf("v%d", i)) },
		ordinary: func(i int) *http.Request { return costRequest("", "X-Version", fmt.Sprintf("v%d", i)) },
		hostile: func() *http.Request {
			return costRequest("", "X-Version", make([]string, megabyte/len("X-Version:\r\n"))...)
		},
		status: http.StatusNotFound,
	},
	{
		kind: "headersregexp",
		option: func(i int) muxwell.RouteOption {
			return muxwell.HeadersRegexp("X-Version", fmt.Sprintf(".*[^v]v%d", i))
		},
		ordinary: func(i int) *http.Request { return costRequest("", "X-Version", fmt.Sprintf("x-v%d", i)) },
		hostile:  func() *http.Request { return costRequest("", "X-Version", strings.Repeat("-v", megabyte/2)) },
		status:   http.StatusNotFound,
	},
	{
		kind: "clientip",
		option: func(i int) muxwell.RouteOption {
			return muxwell.ClientIP([]netip.Prefix{netip.MustParsePrefix(fmt.Sprintf("192.0.2.%d/32", i))}, netip.MustParsePrefix("10.0.0.0/8"))
		},
		ordinary: func(i int) *http.Request {
			return costRequest("", "X-Forwarded-For", fmt.Sprintf("192.0.2.%d, 10.0.0.2", i))
		},
		hostile: func() *http.Request {
			return costRequest("", "X-Forwarded-For", strings.Repeat("10.0.0.2,", megabyte/9)+"10.0.0.2")
		},
		status: http.StatusNotFound,
	},
	{
		kind:     "schemes",
		option:   func(int) muxwell.RouteOption { return muxwell.Schemes("https") },
		ordinary: func(int) *http.Request { return costRequest("", "X-Forwarded-Proto", "http, https") },
		hostile:  func() *http.Request { return costRequest("", "X-Forwarded-Proto", strings.Repeat("x", megabyte)) },
		status:   http.StatusNotFound,
	},
}

// newCostMux returns a mux with n routes of the row, and what counts how often
// one of them served a request. They share a path, or each has its own that
// matches the request, so that the search tries one after the other.
func newCostMux(t testing.TB, row costRow, n int, shared bool) (*muxwell.Mux, *int) {
	t.Helper()
	m, served := muxwell.New(muxwell.TrustedProxies(netip.MustParsePrefix("10.0.0.0/8"))), 0
	for i := range n {
		pattern := "GET /{x}"
		if !shared {
			pattern = fmt.Sprintf("GET /{x:a{1,%d}}", i+1)
		}
		if _, err := m.Add(pattern, muxwell.ParamsFunc(func(http.ResponseWriter, *http.Request, muxwell.Params) { served++ }), row.option(i)); err != nil {
			t.Fatal(err)
		}
	}
	return m, &served
}

// BenchmarkLookup has what matchers cost where several routes have them: for
// ordinary requests, which the last route matches, and for hostile ones, which
// none does.
func BenchmarkLookup(b *testing.B) {
	for _, row := range costRows {
		for _, n := range []int{1, 2, 20} {
			for _, kind := range []string{"ordinary", "long", "hostile"} {
				for _, paths := range []string{"shared", "searched"} {
					if kind == "long" && row.long == nil || kind == "hostile" && n < 20 || paths == "searched" && n == 1 {
						continue
					}
					b.Run(fmt.Sprintf("matcher=%s/routes=%d/request=%s/paths=%s", row.kind, n, kind, paths), func(b *testing.B) {
						m, served := newCostMux(b, row, n, paths == "shared")
						want, status := 1, 0
						var r *http.Request
						switch kind {
						case "ordinary":
							r = row.ordinary(n - 1)
						case "long":
							r = row.long(n - 1)
						default:
							r, want, status = row.hostile(), 0, row.status
						}
						w := muxtest.NewWriter()
						if m.ServeHTTP(w, r); *served != want || w.Status != status {
							b.Fatalf("status %d, served %d times; want status %d, %d times", w.Status, *served, status, want)
						}
						b.ReportAllocs()
						for b.Loop() {
							m.ServeHTTP(w, r)
							clear(w.Header())
						}
					})
				}
			}
		}
	}
}
