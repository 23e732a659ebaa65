package humamuxwell_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/humamuxwell"
)

// FuzzPattern registers operations with any pattern that a mux accepts: the document has
// one path for it, with the parameters that the route has after those of its host.
func FuzzPattern(f *testing.F) {
	for _, pattern := range []string{
		"/", "/{$}", "/a/{id:int}", "/{a}.{b:x|y}", "/{p...}/raw", "/{p...}", "{t}.example.com/{x:[/{}]{2}}", "*.example.com/",
		`/{x:\{}`, "/{x:a/b}", "/%7Bx%7D", "{s...}.com/{y:[^}]}", "h:80/x",
	} {
		f.Add(pattern)
	}
	names := regexp.MustCompile(`\{([^{}]*)\}`)
	f.Fuzz(func(t *testing.T, pattern string) {
		if !strings.Contains(pattern, "/") || strings.ContainsAny(pattern, " \t") {
			return // a method
		}
		rt, err := muxwell.New().Add("GET "+pattern, http.NotFoundHandler())
		if err != nil {
			return
		}
		api := humamuxwell.New(muxwell.New(), config())
		get[none](api, pattern)
		if n := len(api.OpenAPI().Paths); n != 1 {
			t.Fatalf("%q: %d paths", pattern, n)
		}
		for path, item := range api.OpenAPI().Paths {
			var params, inPath []string
			for _, p := range item.Get.Parameters {
				params = append(params, p.Name)
			}
			for _, m := range names.FindAllStringSubmatch(path, -1) {
				inPath = append(inPath, m[1])
			}
			all := rt.ParamNames()
			if want := all[max(0, len(all)-len(params)):]; !slices.Equal(params, want) || !slices.Equal(inPath, want) {
				t.Errorf("%q: the path %q and the parameters %q, want those of %q", pattern, path, params, all)
			}
			if host := rt.Host(); (host != "") != (len(item.Get.Servers) == 1) || host == "" && len(params) != len(all) {
				t.Errorf("%q: host %q, servers %v, parameters %q of %q", pattern, host, item.Get.Servers, params, all)
			}
		}
	})
}
