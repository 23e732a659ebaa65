package behavior

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// TestParamsOfMany compares the ways to read many parameters, of which names begin
// alike, in short and long paths, next to literals and before a catch-all.
func TestParamsOfMany(t *testing.T) {
	for n := 1; n <= 40; n++ {
		for _, form := range []string{"/{%s}", "/{%s}/x", "/long-literal/{%s}"} {
			for _, tail := range []string{"", "/{tail...}"} {
				var names, values []string
				pattern, path := "", ""
				for i := range n {
					name := strings.Repeat("name", i%4) + fmt.Sprintf("%c%d", 'a'+i%3, i)
					names, values = append(names, name), append(values, fmt.Sprintf("v%d", i))
					pattern += fmt.Sprintf(form, name)
					path += strings.ReplaceAll(fmt.Sprintf(form, ""), "{}", values[i])
				}
				if tail != "" {
					pattern, path = pattern+tail, path+"/a/b"
					names, values = append(names, "tail"), append(values, "a/b")
				}
				var p muxwell.Params
				m := muxwell.New()
				m.HandleParams(pattern, func(_ http.ResponseWriter, _ *http.Request, got muxwell.Params) { p = got })
				m.ServeHTTP(muxtest.NewWriter(), muxtest.NewRequest("GET", path))
				var all []string
				for name, value := range p.All() {
					all = append(all, name+"="+value)
				}
				for i, name := range names {
					got, ok := p.Lookup(name)
					if want := values[i]; got != want || !ok || p.At(i) != want || p.Get(name) != want || all[i] != name+"="+want {
						t.Fatalf("%s, %s: parameter %d, %s: Lookup %q, %t, At %q, All %q, want %q", pattern, path, i, name, got, ok, p.At(i), all[i], want)
					}
				}
				for _, name := range []string{"", "name", "namename", "a", "tai", "taill", names[0] + "x"} {
					if got, ok := p.Lookup(name); ok && !slices.Contains(names, name) {
						t.Fatalf("%s: Lookup(%q) finds %q", pattern, name, got)
					}
				}
			}
		}
	}
}
