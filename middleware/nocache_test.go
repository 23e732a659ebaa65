package middleware

import (
	"net/http"
	"testing"
)

func TestNoCache(t *testing.T) {
	own := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Cache-Control", "max-age=1") })
	for want, h := range map[string]http.Handler{"no-store": says(""), "max-age=1": own} {
		if got := answer(NoCache(h), newRequest("GET", "/")).Header().Get("Cache-Control"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
