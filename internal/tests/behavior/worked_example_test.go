package behavior

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
)

// TestWorkedExample: each row of the worked example in docs/patterns.md is so.
func TestWorkedExample(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "patterns.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, examples, _ := strings.Cut(string(text), "### A worked example\n")
	examples, _, _ = strings.Cut(examples, "\n### ")
	m, routes := muxwell.New(), make(map[string]*muxwell.Route)
	for _, line := range regexp.MustCompile(`(?m)^\( ?(\d+)\) (.+)$`).FindAllStringSubmatch(examples, -1) {
		rt, err := m.Add(line[2], http.NotFoundHandler())
		if err != nil {
			t.Fatal(err)
		}
		routes[line[1]] = rt
	}
	rows := regexp.MustCompile("(?m)^\\| `(\\S+) (\\S+)`(?: of `(\\S+)`)? \\| ([^|]+) \\|").FindAllStringSubmatch(examples, -1)
	if len(routes) < 10 || len(rows) < 15 {
		t.Fatalf("%d routes and %d rows found, want 10 and 15 at least", len(routes), len(rows))
	}
	for _, row := range rows {
		r := httptest.NewRequest(row[1], row[2], nil)
		if row[3] != "" {
			r.Host = row[3]
		}
		e := m.Explain(r)
		redirect := "redirect to `" + e.Location + "`"
		switch want := row[4]; {
		case e.Route != nil && e.Route == routes[want]:
		case e.Location != "" && want == redirect:
		case e.Status == http.StatusNotFound && want == "404":
		default:
			t.Errorf("%s: want %s, got\n%v", row[0], want, e)
		}
	}
}
