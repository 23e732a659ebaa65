package page

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
)

// Both lines have the IDs and the pattern, and that of the request has the attribute.
func TestAttributes(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	stderr := os.Stderr
	defer func() { os.Stderr = stderr }()
	m, os.Stderr = muxwell.New(), file
	register()
	r := httptest.NewRequest("POST", "/orders", nil)
	r.Header.Set("Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	m.ServeHTTP(httptest.NewRecorder(), r)
	text, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `"msg":"low stock","left":2`) || !strings.Contains(lines[1], `"msg":"request"`) || !strings.Contains(lines[1], `"order":"A-17"`) {
		t.Fatalf("got %q", lines)
	}
	for _, line := range lines {
		for _, attr := range []string{`"request_id":"[A-Z2-7]{26}"`, `"trace_id":"4bf92f3577b34da6a3ce929d0e0e4736"`, `"pattern":"POST /orders"`} {
			if len(regexp.MustCompile(attr).FindAllString(line, -1)) != 1 {
				t.Errorf("%s is not exactly once in %s", attr, line)
			}
		}
	}
}
