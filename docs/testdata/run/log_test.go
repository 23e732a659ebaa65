package page

import (
	"bytes"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
)

// The line of a 404 says what was asked for.
func TestLog(t *testing.T) {
	var log bytes.Buffer
	m, logger = muxwell.New(), slog.New(slog.NewTextHandler(&log, nil))
	register()
	m.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/wp-login.php?token=s3cret", nil))
	if line := log.String(); !strings.Contains(line, ` pattern="" status=404 `) || !strings.Contains(line, " path=/wp-login.php") || strings.Contains(line, "s3cret") {
		t.Errorf("the line is %q", line)
	}
}
