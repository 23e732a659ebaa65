package source

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/routebench/route"
)

func TestOpenAPI(t *testing.T) {
	tests := []struct {
		file           string
		want, warnings []string
	}{
		{"shop-3.0.json", []string{
			"9 GET /api/v2/users/{id}",
			"9 DELETE /api/v2/users/{id}",
			"14 GET /api/v2/users",
			"14 HEAD /api/v2/users",
			"14 POST /api/v2/users",
			"20 GET /api/v2/{$}",
			"21 PUT /carts-api/carts/{cart}/items/{$}",
			"22 GET /repos/{owner}/{repo}/compare/{base}...{head}",
		}, nil},
		{"shop-3.0.yaml", []string{
			"11 GET /api/users/{id}",
			"11 OPTIONS /api/users/{id}",
			"17 POST /api/v1/{name}:cancel",
			"20 GET /api/files/{dir}/{file}.{ext}",
			"20 TRACE /api/files/{dir}/{file}.{ext}",
			"23 PATCH /api/files/a%20b/ü%20c",
		}, nil},
		{"shop-3.1.json", []string{"3 PUT /a", "4 GET /b", "4 POST /b", "5 GET /c/{x}"}, nil},
		{"shop-2.0.yaml", []string{"9 GET /v1.41/users/{id}", "9 POST /v1.41/users/{id}", "18 HEAD /v1.41/files/{name}/{$}"}, nil},
		{"shop-2.0.json", []string{"3 GET /a", "4 DELETE /b/{x}"}, nil},
		{"slash-2.0.yaml", []string{"4 GET /v1/a"}, []string{`2: basePath "v1" does not begin with a slash; it is read as if it did`}},
		{"shop-3.2.yaml", []string{"4 GET /search", "4 QUERY /search", "4 COPY /search", "4 PURGE /search"}, nil},
		{
			"faults.yaml",
			[]string{
				"5 GET /ok/{id}",
				"11 POST /ok/{number}",
				"14 GET /users/{user}/{rest}/{p}/{a b}/{a b_2}",
				"18 GET /never/%7Bclosed",
				"20 GET /no/slash",
				"26 GET /nowhere",
				"35 PUT /text",
			},
			[]string{
				`33: "/list" is not an object and is ignored`,
				`36: "get" is not an object and is ignored`,
				`38: "/ok/{id}" occurs twice; the first one is used`,
				`25: path /elsewhere is in another file, "./elsewhere.yaml"; combine the files, for example with npx @redocly/cli bundle`,
				`27: path /nowhere refers to "#/components/pathItems/Missing", which does not exist`,
				`30: path /circle refers to "#/paths/~1circle", which does not exist`,
				`11: GET /ok/{number} is excluded: it matches the same requests as GET /ok/{id} (faults.yaml:5)`,
				`14: path /users/{user?}/{*rest}/{}/{a b}/{a b}: the parameter {user?} is called {user}`,
				`14: path /users/{user?}/{*rest}/{}/{a b}/{a b}: the parameter {*rest} is called {rest}`,
				`14: path /users/{user?}/{*rest}/{}/{a b}/{a b}: the parameter {} is called {p}`,
				`14: path /users/{user?}/{*rest}/{}/{a b}/{a b}: the parameter {a b} is called {a b_2}`,
				`16: GET /users/{x}{y} is excluded: two parameters need text between them`,
				`18: path /never/{closed: a '{' is never closed; it is literal text`,
				`20: path "no/slash" does not begin with a slash; it is read as if it did`,
				`22: path /search?q={q} has a query or a fragment, which is not part of a path; it is ignored`,
				`31: GET /a//b is excluded: no GET request reaches this path`,
				`40: A B /odd is excluded: `,
				`40: GET,PUT /odd is excluded: "GET,PUT /odd" does not begin with one method and a space`,
			},
		},
	}
	for _, tt := range tests {
		data, err := os.ReadFile(filepath.Join("testdata", tt.file))
		if err != nil {
			t.Fatal(err)
		}
		rs, warnings, err := OpenAPI(tt.file, data)
		if err != nil {
			t.Errorf("%s: %v", tt.file, err)
			continue
		}
		if got := sourced(tt.file, rs); !slices.Equal(got, tt.want) {
			t.Errorf("%s: routes\n\t%s\nwant\n\t%s", tt.file, strings.Join(got, "\n\t"), strings.Join(tt.want, "\n\t"))
		}
		hasPrefix := func(got, want string) bool { return strings.HasPrefix(got, tt.file+":"+want) }
		if !slices.EqualFunc(warnings, tt.warnings, hasPrefix) {
			t.Errorf("%s: warnings\n\t%s\nwant\n\t%s", tt.file, strings.Join(warnings, "\n\t"), strings.Join(tt.warnings, "\n\t"))
		}
		checkSamples(t, tt.file, rs, nil)
	}
}

// sourced returns routes as "line text".
func sourced(name string, rs []*route.Route) (all []string) {
	for _, r := range rs {
		all = append(all, strings.TrimPrefix(r.Source, name+":")+" "+r.Text)
	}
	return all
}

func TestOpenAPIErrors(t *testing.T) {
	tests := []struct{ data, want string }{
		{"", "f: this is not an OpenAPI file"},
		{"GET /a\nGET /b\n", "f: this is not an OpenAPI file"},
		{"[1]", "f: this is not an OpenAPI file"},
		{"{}", "f: this is not an OpenAPI file"},
		{"null", "f: this is not an OpenAPI file"},
		{"\x00\x01", "f: "},
		{`{"swagger": "1.2", "paths": {"/a": {"get": {}}}}`, "f: Swagger 1.2 is not supported; 2.0 and OpenAPI 3.0 to 3.2 are"},
		{"swagger: '2.0'", "f has no paths; "},
		{"openapi: 4.0.0", "f: OpenAPI 4.0.0 is not supported; versions 3.0 to 3.2 are"},
		{"openapi: 3.1", "f has no paths; "},
		{`{"openapi": "3.0.0", "paths": {}}`, "f has no paths; "},
		{`{"openapi": "3.0.0", "paths": null}`, "f has no paths; "},
		{`{"openapi": "3.0.0", "paths": {"/a": {}}}`, "f has no paths; "},
		{`{"openapi": "3.0.0", "paths": []}`, `f has no usable paths: f:1: "paths" is not an object`},
		{`{"openapi": "3.0.0", "paths": {"/a": {"$ref": "a.yaml"}}}`, "f has no usable paths: f:1: path /a is in another file"},
		{"{\"openapi\": \"3.0.0\",\n\"paths\": {\"/a\": {\"get\": {}\n", "f:2: unexpected "},
		{"openapi: 3.0.0\npaths:\n\t/a: {}\n", "f: line 3: found character that cannot start any token"},
		{"openapi: 3.0.0\npaths: *none", "f: unknown anchor 'none' referenced"},
	}
	for _, tt := range tests {
		rs, _, err := OpenAPI("f", []byte(tt.data))
		if err == nil || rs != nil || !strings.HasPrefix(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("OpenAPI(%q) = %v, error %v, want the error %q in one line", tt.data, rs, err, tt.want)
		}
	}
}

// TestOpenAPILenient reads files that most readers refuse, or read in other ways.
func TestOpenAPILenient(t *testing.T) {
	tests := []struct{ name, data string }{
		{"byte order mark", "\ufeff{\"openapi\": \"3.0.0\", \"paths\": {\"/a\": {\"get\": {}}}}"},
		{"JSON with a comma too many", `{"openapi": "3.0.0", "paths": {"/a": {"get": {},},},}`},
		{"a number as the version", "openapi: 3.1\npaths: {/a: {get: {}}}"},
		{"CRLF", "openapi: 3.0.0\r\npaths:\r\n  /a:\r\n    get: {}\r\n"},
		{"several documents", "openapi: 3.0.0\npaths: {/a: {get: {}}}\n---\nother: true\n"},
		{"keys that are no texts", "openapi: 3.0.0\n? [1]\n: 2\n3: 4\npaths: {/a: {get: {}, ? [x] : y}}"},
		{"aliases in a circle", "openapi: 3.0.0\nx: &x [*x]\npaths: &p\n  /a: {get: {}}\n  x-p: *p\ncomponents: *p"},
		{"merge keys in a circle", "openapi: 3.0.0\npaths: &p\n  /a: &a {get: {}, <<: [*a, *a]}\n  <<: *p"},
		{"servers that are none", `{"openapi": "3.0.0", "servers": [null, 1, {"url": ["x"]}], "paths": {"/a": {"get": {}}}}`},
		{"variables that are none", `{"openapi": "3.0.0", "servers": [{"url": "/", "variables": {"x": null, "y": {"default": 1}}}], "paths": {"/a": {"get": {}}}}`},
		{"deep bodies", `{"openapi": "3.0.0", "x": ` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `, "paths": {"/a": {"get": {}}}}`},
	}
	for _, tt := range tests {
		rs, _, err := OpenAPI("f", []byte(tt.data))
		if err != nil || len(rs) != 1 || rs[0].Text != "GET /a" {
			t.Errorf("%s: OpenAPI = %v, error %v, want GET /a", tt.name, rs, err)
		}
	}
}

// TestOpenAPIFetchesNothing has references to a server and to a file there are.
func TestOpenAPIFetchesNothing(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s %s was fetched", r.Method, r.URL)
	}))
	defer server.Close()
	file, err := filepath.Abs("testdata/shop-3.1.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{server.URL + "/x.yaml", server.URL + "/x.yaml#/paths/~1a", file + "#/paths/~1c~1{x}", "testdata/shop-3.1.json", "file://" + file} {
		data := strings.ReplaceAll(`{
			"openapi": "3.1.0", "jsonSchemaDialect": "REF",
			"paths": {
				"/other": {"$ref": "REF"},
				"/here": {"get": {
					"parameters": [{"$ref": "REF"}], "requestBody": {"$ref": "REF"}, "callbacks": {"x": {"$ref": "REF"}},
					"responses": {"200": {"$ref": "REF"}, "400": {"content": {"text/plain": {"schema": {"$ref": "REF", "$id": "REF"}}}}}
				}}
			},
			"components": {"pathItems": {"X": {"$ref": "REF"}}, "schemas": {"X": {"$ref": "REF"}}}
		}`, "REF", ref)
		rs, warnings, err := OpenAPI("f", []byte(data))
		if err != nil || len(rs) != 1 || rs[0].Text != "GET /here" {
			t.Errorf("references to %s: %v, error %v, want GET /here", ref, rs, err)
		}
		if len(warnings) != 2 || !strings.Contains(warnings[1], "/other is in another file") {
			t.Errorf("references to %s: warnings %q, want that /other and X stand in another file", ref, warnings)
		}
	}
}

// TestOpenAPILarge reads a file of a thousand paths, in both forms.
func TestOpenAPILarge(t *testing.T) {
	const n = 1000
	var asJSON, asYAML strings.Builder
	asJSON.WriteString("{\"openapi\": \"3.0.0\", \"paths\": {\n")
	asYAML.WriteString("openapi: 3.0.0\npaths:\n")
	for i := range n {
		path := fmt.Sprintf("/things%d/{id}/parts/{part_id}", i)
		if i > 0 {
			asJSON.WriteString(",\n")
		}
		fmt.Fprintf(&asJSON, `%q: {"get": {"responses": {}}, "delete": {"requestBody": {"content": {"a/b": {}}}}}`, path)
		fmt.Fprintf(&asYAML, "  %s: {get: {responses: {}}, delete: {}}\n", path)
	}
	asJSON.WriteString("}}")
	for form, data := range map[string]string{"JSON": asJSON.String(), "YAML": asYAML.String()} {
		rs, warnings, err := OpenAPI("f", []byte(data))
		if err != nil || len(warnings) > 0 || len(rs) != 2*n {
			t.Errorf("%s: %d routes, warnings %q, error %v, want %d routes", form, len(rs), warnings, err, 2*n)
			continue
		}
		for i, r := range rs {
			method := []string{"GET", "DELETE"}[i%2]
			if want := fmt.Sprintf("%s /things%d/{id}/parts/{part_id}", method, i/2); r.Text != want {
				t.Errorf("%s: route %d is %s, want %s", form, i, r, want)
			}
		}
		if want := fmt.Sprintf("f:%d", n+map[string]int{"JSON": 1, "YAML": 2}[form]); rs[2*n-1].Source != want {
			t.Errorf("%s: the last route is from %s, want %s", form, rs[2*n-1].Source, want)
		}
		checkSamples(t, form, rs, nil)
	}
}

// FuzzOpenAPI checks that no file makes the reader panic or leave a goroutine, and
// that the routes which it returns do not conflict with each other.
func FuzzOpenAPI(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatal("no files: ", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("openapi: 3.0.0\npaths: &p\n  /a: &a {$ref: '#/paths/~1b', <<: *a}\n  /b: {$ref: '#/paths/~1a'}\n  <<: [*p]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		before := runtime.NumGoroutine()
		rs, warnings, err := OpenAPI("f", data)
		if after := runtime.NumGoroutine(); after > before {
			t.Errorf("%d goroutines before and %d after", before, after)
		}
		if (err == nil) != (len(rs) > 0) {
			t.Fatalf("%d routes and the error %v", len(rs), err)
		}
		for _, w := range warnings {
			if !strings.HasPrefix(w, "f:") {
				t.Errorf("the warning %q does not begin with the file", w)
			}
		}
		if _, err := NewOracle(rs); err != nil {
			t.Fatalf("%v conflict with each other: %v", rs, err)
		}
	})
}
