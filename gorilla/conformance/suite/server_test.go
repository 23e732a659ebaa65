package suite_test

import (
	"io"
	"net/http/httptest"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// This file replaces mux_httpserver_test.go.

// TestSchemesOfServers asks servers with and without TLS.
func TestSchemesOfServers(t *testing.T) {
	r := mux.NewRouter()
	r.HandleFunc("/", says("plain")).Schemes("http")
	r.HandleFunc("/", says("secure")).Schemes("https")
	for want, start := range map[string]*httptest.Server{
		"plain": httptest.NewServer(r), "secure": httptest.NewTLSServer(r),
	} {
		defer start.Close()
		resp, err := start.Client().Get(start.URL)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != 200 || string(body) != want {
			t.Errorf("the response is %d %q, %v, want %q", resp.StatusCode, body, err, want)
		}
	}
}
