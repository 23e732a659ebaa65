package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHandler(t *testing.T) {
	h := handler()
	for target, want := range map[string]string{
		"/hello/bar":           "BAr",
		"/old/things/7":        "thing 7",
		"/_routes/routes.json": "GET /hello/{name}",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
		if got := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(got, want) {
			t.Errorf("GET %s: got %d with %q, want 200 with %q", target, w.Code, got, want)
		}
	}
}
