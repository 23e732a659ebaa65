package source

import (
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/muxwell/muxwell/routebench/route"
)

func TestWritePattern(t *testing.T) {
	tests := []struct {
		template, want string
		changes        int
	}{
		{"/", "/{$}", 0},
		{"/a", "/a", 0},
		{"/a/", "/a/{$}", 0},
		{"/{id}", "/{id}", 0},
		{"/{id}/", "/{id}/{$}", 0},
		{"/{owner}.{ext}", "/{owner}.{ext}", 0},
		{"/v1/{name}:cancel", "/v1/{name}:cancel", 0},
		{"/{base}...{head}", "/{base}...{head}", 0},
		{"/{enterprise-team}/{user name}/{é}", "/{enterprise-team}/{user name}/{é}", 0},
		{"/a%2fb%7Bc/100%/%zz", "/a%2fb%7Bc/100%25/%25zz", 0},
		{"/a b\t\x7f", "/a%20b%09%7F", 0},
		{"/a}b", "/a%7Db", 0},
		{"/*/:x/$/é~", "/*/:x/$/é~", 0},
		{"/{a/b}", "/%7Ba/b%7D", 1},
		{"/{a{b}", "/%7Ba{b}", 1},
		{"/{", "/%7B", 1},
		{"/{}/{...}/{$}", "/{p}/{p_2}/{p_3}", 3},
		{"/{id?}", "/{id}", 1},
		{"/{path*}", "/{path}", 1},
		{"/{+path}", "/{+path}", 0},
		{"/{path...}", "/{path}", 1},
		{"/{id:int}", "/{idint}", 1},
		{"/{ id }", "/{id}", 1},
		{"/{a\nb}", "/{ab}", 1},
		{"/{id}/{id}/{id_2}", "/{id}/{id_2}/{id_2_2}", 2},
	}
	for _, tt := range tests {
		got, changes := writePattern(tt.template)
		if got != tt.want || len(changes) != tt.changes {
			t.Errorf("writePattern(%q) = %q, changes %q, want %q and %d changes", tt.template, got, changes, tt.want, tt.changes)
		}
		if _, err := route.Parse("GET " + got); err != nil {
			t.Errorf("writePattern(%q) = %q, which is no pattern: %v", tt.template, got, err)
		}
	}
}

func TestBasePath(t *testing.T) {
	variables := map[string]*openapi3.ServerVariable{"v": {Default: "v2"}, "host": {Default: "example.com"}, "none": {}, "odd": {Default: "{v}"}}
	for url, want := range map[string]string{
		"":                                  "",
		"/":                                 "",
		"/v1":                               "/v1",
		"/v1/":                              "/v1",
		"v1/x":                              "/v1/x",
		"./v1/../v3":                        "/v3",
		"https://example.com":               "",
		"https://example.com/":              "",
		"https://example.com:8443/a/b//c/":  "/a/b/c",
		"//example.com/a":                   "/a",
		"https://{host}/{v}/x?y=/z#/a":      "/v2/x",
		"https://example.com/{none}/{else}": "/{none}/{else}",
		"/{odd}/{v}":                        "/{v}/v2",
		"https://example.com/a%20b":         "/a%20b",
	} {
		got := basePath(openapi3.Servers{{URL: url, Variables: variables}, {URL: "/second"}})
		if got != want {
			t.Errorf("basePath(%q) = %q, want %q", url, got, want)
		}
	}
	if got := basePath(nil); got != "" {
		t.Errorf("basePath without servers = %q, want none", got)
	}
}

func TestInOrder(t *testing.T) {
	operations := make(map[string]*openapi3.Operation)
	for _, method := range append([]string{"UNLOCK", "LOCK", "get"}, methods...) {
		operations[method] = nil
	}
	want := append(slices.Clone(methods), "LOCK", "UNLOCK", "get")
	if got := inOrder(operations); !slices.Equal(got, want) {
		t.Errorf("inOrder = %q, want %q", got, want)
	}
}
