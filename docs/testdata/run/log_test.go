package page

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
)

// The lines have what the guide says, and no secret.
func TestLog(t *testing.T) {
	for _, row := range []struct{ target, want string }{
		{"/users?page=2&token=s3cret", ` path=/users query="page=2&token=REDACTED" pattern="" status=404 `},
		{"/reset/s3cret", ` method=GET pattern="GET /reset/{token}" status=200 `},
	} {
		var log bytes.Buffer
		m, logger = muxwell.New(), slog.New(slog.NewTextHandler(&log, nil))
		m.HandleFunc("GET /reset/{token}", func(http.ResponseWriter, *http.Request) {})
		register()
		m.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", row.target, nil))
		if line := log.String(); !strings.Contains(line, row.want) || strings.Contains(line, "s3cret") {
			t.Errorf("%s: the line is %q, want %q in it", row.target, line, row.want)
		}
	}
}
