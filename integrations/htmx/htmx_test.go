package htmx_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/integrations/htmx"
)

func newServer(t *testing.T) string {
	items := func(r *http.Request) []string { return []string{"<b>", r.FormValue("q")} }
	m := muxwell.New()
	m.Use(htmx.Vary)
	m.Get("/items", htmx.List(items), htmx.Fragment())
	m.Get("/items", htmx.Page(items))
	s := httptest.NewServer(m)
	t.Cleanup(s.Close)
	return s.URL
}

func TestFragmentAndPage(t *testing.T) {
	url := newServer(t)
	const list = `<ul id="items"><li>&lt;b&gt;</li><li>x</li></ul>`
	for _, tt := range []struct {
		name    string
		headers []string
		page    bool
	}{
		{"a browser", nil, true},
		{"htmx", []string{"HX-Request"}, false},
		{"a link with hx-boost", []string{"HX-Request", "HX-Boosted"}, true},
		{"history that htmx has no copy of", []string{"HX-Request", "HX-History-Restore-Request"}, true},
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			r, err := http.NewRequest(method, url+"/items?q=x", nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range tt.headers {
				r.Header.Set(name, "true")
			}
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || resp.StatusCode != http.StatusOK {
				t.Fatalf("%s: status %d, %v", tt.name, resp.StatusCode, err)
			}
			if got := resp.Header.Get("Vary"); !strings.HasPrefix(got, "HX-Request, ") {
				t.Errorf("%s: Vary = %q", tt.name, got)
			}
			if got := resp.Header.Get("Content-Type"); got != "text/html; charset=utf-8" {
				t.Errorf("%s: Content-Type = %q", tt.name, got)
			}
			got := string(body)
			if method == http.MethodHead {
				continue
			}
			if !strings.Contains(got, list) || strings.Contains(got, "<html") != tt.page {
				t.Errorf("%s: %q, want %s in a page: %t", tt.name, got, list, tt.page)
			}
		}
	}
}

// TestVersion compares the version of the command with that of the package.
func TestVersion(t *testing.T) {
	text, err := os.ReadFile("htmx.go")
	if err != nil {
		t.Fatal(err)
	}
	if want := "templ@" + templ.Version() + " generate"; !strings.Contains(string(text), want) {
		t.Errorf("htmx.go does not have %q", want)
	}
}
