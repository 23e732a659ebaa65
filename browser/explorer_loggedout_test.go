package browser

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestExplorerLoggedOut: what protects the explorer answers with a page of
// its own. The counts say so, and a search leads there.
func TestExplorerLoggedOut(t *testing.T) {
	target, err := url.Parse(serveList(t, exploreList))
	if err != nil {
		t.Fatal(err)
	}
	var out atomic.Bool
	proxy := httputil.NewSingleHostReverseProxy(target)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if out.Load() {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "<!doctype html><title>Log in</title><p id=login>Log in")
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	defer front.Close()
	ctx := open(t, front.URL+"/_routes/")
	until(t, ctx, `document.getElementById("live-text").textContent === "Live"`)
	out.Store(true)
	until(t, ctx, `document.getElementById("live-text").textContent === "Not connected"`)
	do(t, ctx, chromedp.SendKeys(chromedp.CSS("#q"), "users"+kb.Enter))
	do(t, ctx, chromedp.WaitVisible(chromedp.CSS("#login")))
}
