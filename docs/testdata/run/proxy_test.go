package page

import (
	"bytes"
	"crypto/tls"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Only the proxy's headers determine the client and the scheme.
func TestProxy(t *testing.T) {
	showAccount = func(http.ResponseWriter, *http.Request) {}
	for _, row := range []struct {
		peer   string
		tls    bool
		status int
		client string // in the log; "" if the mux is not reached
	}{
		{"10.0.0.1:5", false, http.StatusOK, "client=203.0.113.7"},
		{"198.51.100.9:5", false, http.StatusMovedPermanently, ""},
		{"198.51.100.9:5", true, http.StatusOK, "client=198.51.100.9"},
	} {
		var log bytes.Buffer
		server, logger = new(http.Server), slog.New(slog.NewTextHandler(&log, nil))
		register()
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "http://www.example.com/account", nil)
		r.RemoteAddr = row.peer
		r.Header.Set("X-Forwarded-For", "203.0.113.7")
		r.Header.Set("X-Forwarded-Proto", "https")
		if row.tls {
			r.TLS = new(tls.ConnectionState)
		}
		server.Handler.ServeHTTP(w, r)
		if line := log.String(); w.Code != row.status || !strings.Contains(line, row.client) || (row.client == "") != (line == "") {
			t.Errorf("%+v: got %d and the line %q", row, w.Code, line)
		}
	}
}
