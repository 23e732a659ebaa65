package behavior

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// TestGithubREST: the GitHub REST API of today loads as it is written, and each
// operation's own request reaches it with its values.
func TestGithubREST(t *testing.T) {
	const operations = 1223
	routes := muxtest.Routes("github-rest")
	if len(routes) != operations {
		t.Fatalf("%d operations, want %d", len(routes), operations)
	}
	m := muxwell.New()
	var got *http.Request
	var values muxwell.Params
	for _, pattern := range routes {
		if _, err := m.Add(pattern, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r })); err != nil {
			t.Fatal(err)
		}
	}
	byValue := muxwell.New()
	for _, pattern := range routes {
		byValue.HandleParams(pattern, func(_ http.ResponseWriter, r *http.Request, p muxwell.Params) { got, values = r, p })
	}
	braces := regexp.MustCompile(`\{([^}]+)\}`)
	for _, pattern := range routes {
		method, path, _ := strings.Cut(pattern, " ")
		var names, want []string
		path = braces.ReplaceAllStringFunc(path, func(s string) string {
			names = append(names, s[1:len(s)-1])
			want = append(want, fmt.Sprintf("v%d", len(names)))
			return want[len(want)-1]
		})
		got = nil
		m.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, path, nil))
		if got == nil || got.Pattern != pattern {
			t.Errorf("%s %s: got %v, want route %s", method, path, got, pattern)
			continue
		}
		for i, name := range names {
			if v := got.PathValue(name); v != want[i] {
				t.Errorf("%s %s: %s is %q, want %q", method, path, name, v, want[i])
			}
		}
		got = nil
		byValue.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, path, nil))
		if got == nil || got.Pattern != pattern || values.Len() != len(want) {
			t.Errorf("%s %s: by value: got %v, want route %s", method, path, got, pattern)
			continue
		}
		for i, v := range want {
			if values.At(i) != v || values.Name(i) != names[i] {
				t.Errorf("%s %s: by value: %s is %q, want %s = %q", method, path, values.Name(i), values.At(i), names[i], v)
			}
		}
	}
}
