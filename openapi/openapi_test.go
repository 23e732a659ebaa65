package openapi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/middleware"
	"github.com/muxwell/muxwell/openapi"
	"github.com/muxwell/muxwell/problem"
)

const petsSpec = `openapi: 3.0.3
info: {title: Pets, version: "1"}
servers: [{url: /v1}]
paths:
  /pets:
    get:
      operationId: listPets
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}
      responses:
        "200":
          description: all
          content: {application/json: {schema: {type: array, items: {type: string}}}}
    post:
      operationId: addPet
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name]
              additionalProperties: false
              properties: {name: {type: string, minLength: 1}}
      responses: {"201": {description: added}}
  /pets/{pet-id}:
    get:
      operationId: getPet
      parameters:
        - {name: pet-id, in: path, required: true, schema: {type: integer}}
      responses: {"200": {description: one}}
    delete:
      operationId: deletePet
      security: [{key: []}]
      parameters:
        - {name: pet-id, in: path, required: true, schema: {type: integer}}
      responses: {"204": {description: gone}}
components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
`

// load returns a valid description.
func load(t testing.TB, text string) *openapi3.T {
	t.Helper()
	l := openapi3.NewLoader()
	l.IncludeOrigin = true
	spec, err := l.LoadFromData([]byte(text))
	if err == nil {
		err = spec.Validate(l.Context)
	}
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func ok(http.ResponseWriter, *http.Request) {}

// withPaths returns a description with servers and paths, all of which have GET, and
// those that end in "post" POST.
func withPaths(servers []string, paths []string) *openapi3.T {
	spec := &openapi3.T{OpenAPI: "3.0.3", Info: &openapi3.Info{Title: "t", Version: "1"}, Paths: openapi3.NewPaths()}
	for _, url := range servers {
		spec.Servers = append(spec.Servers, &openapi3.Server{URL: url, Variables: map[string]*openapi3.ServerVariable{
			"port": {Default: "8080"}, "scheme": {Default: "https", Enum: []string{"https", "http"}}, "tenant": {Default: "t"},
		}})
	}
	for _, path := range paths {
		item := &openapi3.PathItem{Get: openapi3.NewOperation()}
		if strings.HasSuffix(path, "post") {
			item.Post = openapi3.NewOperation()
		}
		spec.Paths.Set(path, item)
	}
	return spec
}

// TestRouterLikeGorilla: the router finds what that of kin-openapi finds, in random
// descriptions. Only values differ: gorilla's are escaped, and have the default port.
func TestRouterLikeGorilla(t *testing.T) {
	segments := []string{"a", "b", "{x}", "{y}", "{user-id}", "post"}
	servers := [][]string{nil, {"/"}, {"/v1"}, {"/v1", "/v2/"}, {"https://example.com"}, {"http://example.com:8080/base"}, {"{scheme}://example.com/v1"}, {"http://example.com:{port}/v1"}, {"https://{tenant}.example.com/v1"}}
	found, missed := 0, 0
	for seed := range uint64(600) {
		src := rand.New(rand.NewPCG(seed, 21))
		var paths []string
		shapes := make(map[string]bool)
		for range 1 + src.IntN(5) {
			path, shape := "", ""
			used := make(map[string]bool)
			for range 1 + src.IntN(3) {
				s := segments[src.IntN(len(segments))]
				if used[s] {
					s = "c"
				}
				used[s] = true
				path += "/" + s
				if strings.HasPrefix(s, "{") {
					s = "{}"
				}
				shape += "/" + s
			}
			if !shapes[shape] { // the same path twice is not valid
				shapes[shape] = true
				paths = append(paths, path)
			}
		}
		server := servers[src.IntN(len(servers))]
		spec := withPaths(server, paths)
		ours, err := openapi.NewRouter(spec)
		if err != nil {
			t.Fatalf("seed %d: %v: %v", seed, paths, err)
		}
		theirs, err := gorillamux.NewRouter(spec)
		if err != nil {
			t.Fatalf("seed %d: %v: %v", seed, paths, err)
		}
		for range 60 {
			path := []string{"", "/v1", "/v2", "/base"}[src.IntN(4)]
			for range 1 + src.IntN(3) {
				path += "/" + []string{"a", "b", "c", "7", "post", "x%20y"}[src.IntN(6)]
			}
			method := []string{"GET", "GET", "POST", "HEAD"}[src.IntN(4)]
			origin := []string{"", "https://example.com", "http://example.com", "http://example.com:8080", "https://acme.example.com", "http://other.com"}[src.IntN(6)]
			r := httptest.NewRequest(method, origin+path, nil)
			want, wantValues, wantErr := theirs.FindRoute(r)
			got, values, gotErr := ours.FindRoute(r)
			switch {
			case wantErr != nil:
				missed++
				if !errors.Is(gotErr, wantErr) {
					t.Errorf("seed %d: %s %s%s of %v at %v: got %v, %v, want %v", seed, method, origin, path, paths, server, got, gotErr, wantErr)
				}
				continue
			case gotErr != nil:
				t.Errorf("seed %d: %s %s%s of %v at %v: got %v, want %s", seed, method, origin, path, paths, server, gotErr, want.Path)
				continue
			}
			found++
			for name, value := range wantValues { // gorilla's are escaped
				wantValues[name] = strings.ReplaceAll(value, "%20", " ")
			}
			delete(wantValues, "port") // its default, which no client sends
			if got.Path != want.Path || got.Method != want.Method || got.Operation != want.Operation || got.Server != want.Server || !reflect.DeepEqual(values, wantValues) {
				t.Errorf("seed %d: %s %s%s of %v at %v: got %s %v, want %s %v", seed, method, origin, path, paths, server, got.Path, values, want.Path, wantValues)
			}
		}
		if t.Failed() {
			return
		}
	}
	if found < 1000 || missed < 1000 {
		t.Errorf("%d requests were found and %d were not, want 1,000 of each", found, missed)
	}
}

// TestRouter: what a router of kin-openapi's kind must know besides.
func TestRouter(t *testing.T) {
	r, err := openapi.NewRouter(load(t, petsSpec))
	if err != nil {
		t.Fatal(err)
	}
	req := httptest.NewRequest("GET", "/v1/pets/7", nil)
	route, values, err := r.FindRoute(req)
	if err != nil || route.Operation.OperationID != "getPet" || values["pet-id"] != "7" || route.Server.URL != "/v1" || req.Pattern != "" {
		t.Errorf("got %v, %v, %v; the request has the pattern %q", route, values, err, req.Pattern)
	}
	for line, want := range map[string]error{
		"PUT /v1/pets": routers.ErrMethodNotAllowed, "GET /pets": routers.ErrPathNotFound, "GET /v1/pets/": routers.ErrPathNotFound,
		"GET /v1//pets": routers.ErrPathNotFound, "OPTIONS *": routers.ErrPathNotFound,
	} {
		method, target, _ := strings.Cut(line, " ")
		if _, _, err := r.FindRoute(httptest.NewRequest(method, target, nil)); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", line, err, want)
		}
	}
	for path, want := range map[string]string{
		"/a/{x": "has a { without a }", "/a/x}": "has a } without a {", "a": "must begin with a slash",
	} {
		if _, err := openapi.NewRouter(withPaths(nil, []string{path})); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "openapi: path "+path) {
			t.Errorf("path %s: got %v, want %s", path, err, want)
		}
	}
	all, err := openapi.NewRouter(withPaths(nil, []string{"/files/{path:.*}"}))
	if err != nil {
		t.Fatal(err)
	}
	if _, values, err := all.FindRoute(httptest.NewRequest("GET", "/files/a/b", nil)); err != nil || values["path"] != "a/b" {
		t.Errorf("the rest of a path: got %v, %v", values, err)
	}
}

// newPets returns a mux with validated requests, in a group behind /v1.
func newPets(t testing.TB, o *openapi.ValidateOptions, list http.HandlerFunc) *muxwell.Mux {
	m := muxwell.New(muxwell.ErrorHandler(problem.Answer))
	m.Route("/v1", func(g *muxwell.Group) {
		g.Use(middleware.MaxBytes(100), openapi.Validate(m, load(t, petsSpec), o))
		g.Get("/pets", list)
		g.Post("/pets", func(w http.ResponseWriter, r *http.Request) {
			b, _ := io.ReadAll(r.Body)
			w.WriteHeader(http.StatusCreated)
			w.Write(b)
		})
		g.HandleParams("GET /pets/{id}", func(w http.ResponseWriter, _ *http.Request, p muxwell.Params) { io.WriteString(w, p.Get("id")) })
		g.Delete("/pets/{id}", ok)
		g.Get("/other", ok)
	})
	return m
}

func send(h http.Handler, line, body string, headers ...string) *httptest.ResponseRecorder {
	method, target, _ := strings.Cut(line, " ")
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestValidateRequests(t *testing.T) {
	m := newPets(t, nil, ok)
	const isJSON = "Content-Type: application/json"
	for _, row := range []struct {
		line, body, header string
		status             int
		want               string
	}{
		{"GET /v1/pets", "", "", 200, ""},
		{"GET /v1/pets?limit=7", "", "", 200, ""},
		{"GET /v1/pets?limit=0", "", "", 400, `"detail":"parameter \"limit\" in query: number must be at least 1","reason":"invalid_request"`},
		{"GET /v1/pets?limit=x", "", "", 400, `"detail":"parameter \"limit\" in query: an invalid value"`},
		{"GET /v1/pets/7", "", "", 200, "7"},
		{"GET /v1/pets/x", "", "", 400, `parameter \"pet-id\" in path: an invalid value`},
		{"POST /v1/pets", `{"name":"a"}`, isJSON, 201, `{"name":"a"}`},
		{"POST /v1/pets", `{"name":""}`, isJSON, 400, `"detail":"body at /name: minimum string length is 1"`},
		{"POST /v1/pets", `{"name":"a","x":1}`, isJSON, 400, `"detail":"body: property \"x\" is unsupported"`},
		{"POST /v1/pets", `{`, isJSON, 400, `"detail":"body: an invalid value"`},
		{"POST /v1/pets", ``, isJSON, 400, `"detail":"body: it is required"`},
		{"POST /v1/pets", `name=a`, "Content-Type: text/plain", 415, `"reason":"unsupported_media_type"`},
		{"POST /v1/pets", `{"name":"` + strings.Repeat("a", 200) + `"}`, isJSON, 413, `"reason":"body_too_large"`},
		{"DELETE /v1/pets/7", "", "", 200, ""}, // no AuthenticationFunc
		{"GET /v1/other", "", "", 200, ""},     // not in the description
		{"GET /v1/nope", "", "", 404, `"reason":"not_found"`},
	} {
		w := send(m, row.line, row.body, row.header)
		if w.Code != row.status || !strings.Contains(w.Body.String(), row.want) {
			t.Errorf("%s %.30s: got %d %s, want %d %s", row.line, row.body, w.Code, w.Body, row.status, row.want)
		}
		if strings.Contains(w.Body.String(), "Schema") {
			t.Errorf("%s: the client sees the schema: %s", row.line, w.Body)
		}
	}
	slow := &http.Request{Method: "POST", URL: httptest.NewRequest("POST", "/v1/pets", nil).URL, Header: http.Header{"Content-Type": {"application/json"}}, ContentLength: -1, Body: io.NopCloser(strings.NewReader(strings.Repeat(" ", 200)))}
	w := httptest.NewRecorder()
	if m.ServeHTTP(w, slow); w.Code != 413 {
		t.Errorf("a long body of unknown length: got %d %s", w.Code, w.Body)
	}
}

// TestValidateSecurity: security requirements are checked if there is a function for it.
func TestValidateSecurity(t *testing.T) {
	check := func(_ context.Context, in *openapi3filter.AuthenticationInput) error {
		if in.RequestValidationInput.Request.Header.Get("X-Key") != "k" {
			return errors.New("secret")
		}
		return nil
	}
	m := newPets(t, &openapi.ValidateOptions{Filter: &openapi3filter.Options{AuthenticationFunc: check}}, ok)
	for header, want := range map[string]int{"X-Key: k": 200, "X-Key: x": 401, "": 401} {
		if w := send(m, "DELETE /v1/pets/7", "", header); w.Code != want || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s: got %d %s, want %d", header, w.Code, w.Body, want)
		}
	}
}

// TestValidateResponses: an invalid response is replaced; one that is flushed is not.
func TestValidateResponses(t *testing.T) {
	for what, row := range map[string]struct {
		list   http.HandlerFunc
		status int
		want   string
	}{
		"valid": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `["a"]`)
		}, 200, `["a"]`},
		"wrong type": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `[1]`)
		}, 500, `"reason":"invalid_response"`},
		"another status": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(418) }, 500, `"reason":"invalid_response"`},
		"flushed": {func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "a stream")
			http.NewResponseController(w).Flush()
			io.WriteString(w, " goes on")
		}, 200, "a stream goes on"},
	} {
		m := newPets(t, &openapi.ValidateOptions{Responses: true}, row.list)
		w := send(m, "GET /v1/pets", "")
		if w.Code != row.status || !strings.Contains(w.Body.String(), row.want) {
			t.Errorf("%s: got %d %s, want %d %s", what, w.Code, w.Body, row.status, row.want)
		}
	}
}

// TestValidateAlone: without an ErrorHandler, and outside of a mux's chain, the answer is
// plain text.
func TestValidateAlone(t *testing.T) {
	m := muxwell.New()
	m.Use(openapi.Validate(m, load(t, petsSpec), nil))
	m.Get("/pets", ok)
	if w := send(m, "GET /pets?limit=0", ""); w.Code != 400 || w.Body.String() != "Bad Request: parameter \"limit\" in query: number must be at least 1\n" {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
}

// A recorder is a TB that keeps errors.
type recorder struct{ errors []string }

func (r *recorder) Helper()           {}
func (r *recorder) Error(args ...any) { r.errors = append(r.errors, fmt.Sprint(args...)) }

func TestCheck(t *testing.T) {
	spec := load(t, petsSpec)
	m := muxwell.New()
	m.Route("/v1", func(g *muxwell.Group) {
		g.Get("/pets", ok)
		g.Get("/pets/{id:int}", ok)
		g.Put("/pets/{pet}", ok)
		g.Get("/more/{x:[0-9]{2}}", ok)
	})
	m.Get("/healthz", ok)
	m.Get("/debug/x", ok)
	var r recorder
	openapi.Check(&r, m, spec, "/healthz", "/debug/")
	want := []string{
		`GET /v1/pets/{id:int} (…) names a parameter "id", /pets/{pet-id} (line 26) names it "pet-id"`,
		`PUT /v1/pets/{pet} (…) names a parameter "pet", /pets/{pet-id} (line 26) names it "pet-id"`,
		`PUT /v1/pets/{pet} (…): the path /pets/{pet-id} (line 26) has no operation PUT`,
		`GET /v1/more/{x:[0-9]{2}} (…) is not in the description`,
		`POST /pets (line 14) has no route`,
		`DELETE /pets/{pet-id} (line 32) has no route`,
	}
	var got []string
	for _, e := range r.errors {
		before, rest, found := strings.Cut(e, "(/")
		if found {
			if !strings.Contains(rest, "openapi_test.go:") {
				t.Errorf("no position in %s", e)
			}
			_, after, _ := strings.Cut(rest, ")")
			e = before + "(…)" + after
		}
		got = append(got, e)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// FuzzTemplate: every path is refused or makes a pattern that a mux takes, with a
// parameter for each name.
func FuzzTemplate(f *testing.F) {
	for _, path := range []string{"/a/{b}", "/a/{b:.*}", "/{a}{b}", "/{", "/}", "/{a:[0-9]{2}}", "/{x...}", "/{$}", "//", "/{a}.json"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		spec := withPaths(nil, []string{path})
		r, err := openapi.NewRouter(spec)
		if err != nil {
			return
		}
		if _, _, err := r.FindRoute(httptest.NewRequest("GET", "/a/b", nil)); err != nil && !errors.Is(err, routers.ErrPathNotFound) {
			t.Errorf("%q: %v", path, err)
		}
	})
}

// BenchmarkFindRoute compares the router with that of kin-openapi.
func BenchmarkFindRoute(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		var paths []string
		for i := range n {
			paths = append(paths, fmt.Sprintf("/api/v1/resource%d/{id}/items/{item}", i))
		}
		spec := withPaths(nil, paths)
		ours, err := openapi.NewRouter(spec)
		if err != nil {
			b.Fatal(err)
		}
		theirs, err := gorillamux.NewRouter(spec)
		if err != nil {
			b.Fatal(err)
		}
		r := httptest.NewRequest("GET", fmt.Sprintf("/api/v1/resource%d/7/items/8", n/2), nil)
		for name, router := range map[string]routers.Router{"muxwell": ours, "gorillamux": theirs} {
			b.Run(fmt.Sprintf("operations=%d/router=%s", n, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, _, err := router.FindRoute(r); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
