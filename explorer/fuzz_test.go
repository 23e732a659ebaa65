package explorer

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
)

// No route that can be registered breaks a file or the page.
func FuzzFiles(f *testing.F) {
	for i, pattern := range []string{
		"GET /users/{id:int}", "/a%2Fb/{x...}", "PURGE *.example.com/{a}.{b}", "/{x:a\\|b|[0-9]{2}}/", "/\"><script>alert(1)</script>", "/`|``/{`}",
		"/{<img src=x onerror=alert(1)>}", "/\\N&amp;\n\u202e", "/a}", "/\xff", "{a:[a-z]{2}}.{b...}.example.com/{$}", "GET /javascript:alert(1)/'",
	} {
		f.Add(pattern, []string{"", "name", "<b>", "`|\\"}[i%4], "key", "v</td>")
	}
	f.Fuzz(func(t *testing.T, pattern, name, key, value string) {
		m := muxwell.New()
		options := []muxwell.RouteOption{muxwell.Queries(key, ""), muxwell.Headers("X-Value", value)}
		if name != "" {
			options = append(options, muxwell.Name(name), muxwell.Meta(key, value))
		}
		if _, err := m.Add(pattern, http.HandlerFunc(nothing), options...); err != nil {
			if _, err := m.Add(pattern, http.HandlerFunc(nothing)); err != nil {
				t.Skip(err)
			}
		}
		m.HandleFunc("GET /beside/{x}", nothing)
		v := (&handler{title: "Fuzz", mux: m, keys: []string{key}}).view()
		checkFiles(t, v)
		h := Handler(m, MetaKeys(key))
		for _, view := range []string{"tree", "table"} {
			checkPage(t, request(h, http.MethodGet, "/?view="+view).Body.String())
		}
	})
}

// checkPage checks that a page has no element, attribute or link that only text of
// others could have made.
func checkPage(t *testing.T, page string) {
	t.Helper()
	lower := strings.ToLower(page)
	if n := strings.Count(lower, "<script"); n != 1 {
		t.Errorf("%d scripts in the page, want 1", n)
	}
	for _, hostile := range []string{"<img", "<b>x", "<svg", "<iframe", "<style", " onerror=\"", "href=\"javascript", "</td>\"", "src=x>"} {
		if strings.Contains(lower, hostile) {
			t.Errorf("the page has %q", hostile)
		}
	}
	if !strings.HasSuffix(page, "</html>\n") {
		t.Error("the page has no end")
	}
}

// Whatever is asked, the answer is JSON, and the page shows it as text.
func FuzzMatch(f *testing.F) {
	f.Add("GET", "/users/7", "example.com")
	f.Add("get", "users", "")
	f.Add("CONNECT", "proxy.example.com:443", "a b")
	f.Add("GET", "https://[::1/\r\nX: y", "x\r\ny")
	f.Add("<script>", "/\"><img src=x onerror=alert(1)>", "<svg>")
	f.Add("GET", "//evil.example.com/%zz#x", "a")
	f.Add("OPTIONS", "*", "a")
	m := shop(f)
	h := Handler(m)
	f.Fuzz(func(t *testing.T, method, target, host string) {
		query := url.Values{"method": {method}, "url": {target}}.Encode()
		r := httptest.NewRequest(http.MethodGet, "/match?"+query, nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		var answer struct {
			explanation
			faultJSON
		}
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatalf("%q %q: %v in %s", method, target, err, w.Body)
		}
		switch {
		case w.Code == http.StatusOK && answer.Error == "" && (answer.Route != nil) != (answer.Status != 0):
		case w.Code == http.StatusBadRequest && answer.Error != "":
		default:
			t.Errorf("%q %q: status %d, %s", method, target, w.Code, w.Body)
		}
		checkPage(t, request(h, http.MethodGet, "/?q=nothing-has-this&"+query).Body.String())
	})
}
