package pattern

import (
	"strings"
	"testing"
)

// TestFit holds how well methods fit.
func TestFit(t *testing.T) {
	for _, row := range []struct {
		methods, method string
		want            int
	}{
		{"", "GET", 1},
		{"", "HEAD", 1},
		{"", "POST", 1},
		{"", "", 1},
		{"", "x", 1},
		{"GET", "GET", 3},
		{"GET", "HEAD", 2},
		{"GET", "POST", 0},
		{"GET", "get", 0},
		{"GET", "", 0},
		{"HEAD", "HEAD", 3},
		{"HEAD", "GET", 0},
		{"GET,HEAD", "HEAD", 3},
		{"HEAD,GET", "HEAD", 3},
		{"GET,HEAD", "GET", 3},
		{"POST,GET", "HEAD", 2},
		{"POST,GET", "GET", 3},
		{"POST,PUT", "HEAD", 0},
		{"M-SEARCH", "M-SEARCH", 3},
		{"M-SEARCH", "SEARCH", 0},
		{"OPTIONS,TRACE", "TRACE", 3},
	} {
		p := &Pattern{}
		if row.methods != "" {
			p.Methods = strings.Split(row.methods, ",")
		}
		if got := p.MethodRank(row.method); got != row.want {
			t.Errorf("fit of %q for %q: got %d, want %d", row.methods, row.method, got, row.want)
		}
	}
}
