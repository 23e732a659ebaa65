package docs

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/middleware"
)

// TestExpressionsDoNotBacktrack: values that a matcher which tries one way after another
// would not be done with in a lifetime are refused. That the test ends shows it.
func TestExpressionsDoNotBacktrack(t *testing.T) {
	long := strings.Repeat("a", 50_000)
	for _, row := range []struct{ pattern, taken, refused string }{
		{"/{x:(a+)+b}", "/" + long + "b", "/" + long},
		{"/{x:(a|aa)+b}", "/" + long + "b", "/" + long},
		{"/{x:(a*)*(a*)*b}", "/" + long + "b", "/" + long + "c"},
		{"/{x:(.*)(.*)(.*)(.*)b}", "/" + long + "b", "/" + long},
		{"/{x:a+a+a+a+}-{y:a+a+a+b}", "/" + long + "-" + long + "b", "/" + long + "-" + long},
		{"/{x}-{y}-{z}.b", "/" + long + "-" + long + "-a.b", "/" + strings.Repeat("-a", 25_000)},
	} {
		m := muxwell.New()
		m.HandleFunc(row.pattern, func(http.ResponseWriter, *http.Request) {})
		for target, want := range map[string]int{row.taken: http.StatusOK, row.refused: http.StatusNotFound} {
			w := httptest.NewRecorder()
			m.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
			if w.Code != want {
				t.Errorf("%s, a value of %d bytes that ends in %q: got status %d, want %d", row.pattern, len(target)-1, target[len(target)-3:], w.Code, want)
			}
		}
	}
}

// TestLongHeaders: the server refuses what is longer than its limit, and the mux takes
// what is not.
func TestLongHeaders(t *testing.T) {
	m := muxwell.New()
	m.HandleFunc("GET /{x}", func(http.ResponseWriter, *http.Request) {})
	s := httptest.NewUnstartedServer(m)
	s.Config.MaxHeaderBytes = 64 << 10
	s.Start()
	defer s.Close()
	for _, row := range []struct{ path, header, status int }{
		{60 << 10, 0, http.StatusOK},
		{0, 60 << 10, http.StatusOK},
		{80 << 10, 0, http.StatusRequestHeaderFieldsTooLarge},
		{0, 80 << 10, http.StatusRequestHeaderFieldsTooLarge},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/x"+strings.Repeat("a", row.path), nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Long", strings.Repeat("a", row.header))
		answer, err := s.Client().Do(r)
		if err != nil {
			t.Errorf("path of %d bytes, header of %d: %v", row.path, row.header, err)
			continue
		}
		answer.Body.Close()
		if answer.StatusCode != row.status {
			t.Errorf("path of %d bytes, header of %d: got status %d, want %d", row.path, row.header, answer.StatusCode, row.status)
		}
	}
}

// TestClients: each row of security.md's table of clients is so, with the proxies
// 10.0.0.0/8.
func TestClients(t *testing.T) {
	rows := rowsOf(readPage(t, "docs/security.md"), "the client")
	if len(rows) < 5 {
		t.Fatalf("%d rows found, want 5 at least", len(rows))
	}
	proxies := netip.MustParsePrefix("10.0.0.0/8")
	for _, row := range rows {
		got := ""
		h := middleware.ClientIP(middleware.FromXForwardedFor(proxies))(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got = "unknown"
			if addr, ok := middleware.ClientIPFrom(r.Context()); ok {
				got = addr.String()
			}
		}))
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = row.cells["peer"] + ":4711"
		if header := row.cells["X-Forwarded-For"]; header != "" {
			r.Header.Set("X-Forwarded-For", header)
		}
		h.ServeHTTP(httptest.NewRecorder(), r)
		if want, _, _ := strings.Cut(row.cells["the client"], ":"); got != want {
			t.Errorf("%s:%d: the row has the client %s, got %s", row.page, row.line, want, got)
		}
	}
}
