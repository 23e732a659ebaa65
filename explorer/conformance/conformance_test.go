package conformance

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/pb33f/libopenapi"
	"github.com/pb33f/libopenapi-validator/schema_validation"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/explorer"
	"github.com/muxwell/muxwell/humamuxwell"
	"github.com/muxwell/muxwell/internal/routelist"
)

func nothing(http.ResponseWriter, *http.Request) {}

// served returns the openapi.json of an explorer.
func served(t *testing.T, h http.Handler) []byte {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("openapi.json: %d, %s", w.Code, w.Body)
	}
	return w.Body.Bytes()
}

// faults returns what the validators say of a document.
func faults(text []byte) []string {
	var all []string
	loader := openapi3.NewLoader()
	if doc, err := loader.LoadFromData(text); err != nil {
		all = append(all, "kin-openapi: "+err.Error())
	} else if err := doc.Validate(context.Background()); err != nil {
		all = append(all, "kin-openapi: "+err.Error())
	}
	doc, err := libopenapi.NewDocument(text)
	if err != nil {
		return append(all, "libopenapi: "+err.Error())
	}
	if model, err := doc.BuildV3Model(); err != nil || model == nil {
		all = append(all, fmt.Sprint("libopenapi: ", err))
	}
	_, errs := schema_validation.ValidateOpenAPIDocument(doc)
	for _, e := range errs {
		all = append(all, "libopenapi-validator: "+e.Error())
		for _, s := range e.SchemaValidationErrors {
			all = append(all, fmt.Sprintf("libopenapi-validator: %s: %s", s.FieldPath, s.Reason))
		}
	}
	return all
}

func check(t *testing.T, text []byte) {
	t.Helper()
	for _, fault := range faults(text) {
		t.Errorf("%.500s", fault)
	}
}

// TestFaults: each validator finds what is wrong, so that the other tests can fail.
func TestFaults(t *testing.T) {
	for name, text := range map[string]string{
		"no info":                  `{"openapi":"3.1.0","paths":{}}`,
		"parameter":                `{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{"/a":{"get":{"parameters":[{"name":"x"}],"responses":{"200":{"description":"x"}}}}}}`,
		"response":                 `{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{"/a":{"get":{"responses":{"200":{}}}}}}`,
		"a path without its slash": `{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{"a":{"get":{"responses":{"200":{"description":"x"}}}}}}`,
	} {
		all := strings.Join(faults([]byte(text)), "\n")
		if !strings.Contains(all, "kin-openapi: ") || !strings.Contains(all, "libopenapi") {
			t.Errorf("%s: not both validators find it: %s", name, all)
		}
	}
}

// TestLists: the skeleton of each list of routes is valid.
func TestLists(t *testing.T) {
	lists, err := filepath.Glob("../../routes/*.txt")
	if err != nil || len(lists) == 0 {
		t.Fatalf("no lists: %v", err)
	}
	for _, list := range lists {
		t.Run(filepath.Base(list), func(t *testing.T) {
			text, err := os.ReadFile(list)
			if err != nil {
				t.Fatal(err)
			}
			m := muxwell.New()
			if err := routelist.Load(m, list, bytes.NewReader(text), func(routelist.Entry) http.Handler { return http.HandlerFunc(nothing) }); err != nil {
				t.Fatal(err)
			}
			check(t, served(t, explorer.Handler(m)))
		})
	}
}

// TestPatterns: so is that of patterns that OpenAPI cannot say.
func TestPatterns(t *testing.T) {
	m := muxwell.New(muxwell.Constraint("sku", func(string) bool { return true }))
	for _, pattern := range []string{
		"GET /{$}", "/", "GET /docs/", "GET /papers/{path...}", "GET,POST /users", "/any", "PROPFIND /dav/{x}", "CONNECT proxy.example.com:443/up",
		"GET /users/{id:int}", "DELETE /users/{user:uuid}", "PATCH /users/{name}", "GET /repos/{path...}/raw/{file}.{ext:alnum}", "GET /items/{sku:sku}/{n:uint}/{day:date}",
		"GET /{year:(19|20)[0-9]{2}}/{tag:a\\|b}", "GET {tenant}.example.com/a%2Fb c/{x}", "GET *.example.org/", "GET {a:[a-z]{2}}.{b...}.example.net/x", "GET /a-b", "GET /a_b",
		"GET /\"<script>alert(1)</script>&amp;\\N/{<img src=x onerror=alert(1)>}", "GET /\u00e4\u202e/{\u00fc}", "GET /a}", "GET /{x}-{y}", "TRACE /t", "QUERY /q",
	} {
		if _, err := m.Add(pattern, http.HandlerFunc(nothing)); err != nil {
			t.Fatal(err)
		}
	}
	for i, options := range [][]muxwell.RouteOption{
		{muxwell.Headers("x-beta", "1", "X-Any", ""), muxwell.HeadersRegexp("X-Expr", "a|b"), muxwell.Queries("q", "", "page", "{page:int}", "on", "yes")},
		{muxwell.Accept("application/json", "text/csv"), muxwell.Name("<b>|`*_\\|[x](javascript:alert(1))")},
		{muxwell.ContentType("application/json", "text/*"), muxwell.Schemes("https")},
		{muxwell.MatchFunc(func(*http.Request) bool { return true })},
	} {
		for _, pattern := range []string{"POST /v", fmt.Sprint("GET,PUT /w/{id}/", i)} {
			if strings.HasPrefix(pattern, "GET") {
				options = options[:1] // names are unique
			}
			if _, err := m.Add(pattern, http.HandlerFunc(nothing), options...); err != nil {
				t.Fatal(err)
			}
		}
	}
	check(t, served(t, explorer.Handler(m)))
}

type pet struct {
	Name string   `json:"name" minLength:"1" example:"Tom"`
	Kind string   `json:"kind" enum:"cat,dog"`
	Tags []string `json:"tags,omitempty" maxItems:"10"`
}

// newPets returns an API of huma.
func newPets() (*muxwell.Mux, huma.API) {
	m := muxwell.New()
	api := humamuxwell.New(m, huma.DefaultConfig("Pets", "1.0.0"))
	huma.Register(api, huma.Operation{OperationID: "get-pet", Method: http.MethodGet, Path: "/pets/{kind:cat|dog}/{id:uint}", Summary: "Get a pet"},
		func(context.Context, *struct {
			Kind string `path:"kind"`
			ID   int    `path:"id"`
			Full bool   `query:"full"`
		},
		) (*struct{ Body pet }, error) {
			return nil, huma.Error404NotFound("none")
		})
	huma.Register(api, huma.Operation{OperationID: "add-pet", Method: http.MethodPost, Path: "/pets", Summary: "Add a pet"},
		func(context.Context, *struct{ Body pet }) (*struct{ Body pet }, error) { return nil, nil })
	return m, api
}

// TestHuma: the document of an API is served as huma has it, and its operations are
// linked to their routes.
func TestHuma(t *testing.T) {
	m, api := newPets()
	h := explorer.Handler(m, explorer.Spec(api.OpenAPI()))
	check(t, served(t, h))
	checkLinks(t, h)
	huma.Get(api, "/late/{id}", func(context.Context, *struct {
		ID string `path:"id"`
	},
	) (*struct{ Body pet }, error) {
		return nil, nil
	})
	if text := served(t, h); !bytes.Contains(text, []byte(`"/late/{id}"`)) {
		t.Error("an operation that is registered later is not in openapi.json")
	}
	hidden := explorer.Handler(m, explorer.Spec(api.OpenAPI()), explorer.Hide(func(rt *muxwell.Route) bool { return rt.Name() == "add-pet" }))
	text := served(t, hidden)
	check(t, text)
	if bytes.Contains(text, []byte("add-pet")) {
		t.Error("openapi.json has an operation of a hidden route")
	}
}

// checkLinks checks that the operations of newPets are on the page and have pages.
func checkLinks(t *testing.T, h http.Handler) {
	t.Helper()
	for target, want := range map[string]string{
		"/":                                 "path=%2Fpets%2F%7Bkind%7D%2F%7Bid%7D\">Get a pet</a>",
		"/operation?method=POST&path=/pets": `one of &#34;cat&#34;, &#34;dog&#34;`,
		"/operation?method=GET&path=/pets/{kind}/{id}": `/pets/{kind:cat|dog}`,
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
		plain := strings.NewReplacer("<wbr>", "", "<var>", "", "</var>", "").Replace(w.Body.String())
		if !strings.Contains(plain, want) || strings.Contains(plain, `id="without"`) || strings.Contains(plain, "No route has") {
			t.Errorf("GET %s: %d, want %s and no operation without a route: %s", target, w.Code, want, plain)
		}
	}
}

// TestKin: the same document, in both versions, as an openapi3.T.
func TestKin(t *testing.T) {
	m, api := newPets()
	old, err := api.OpenAPI().Downgrade()
	if err != nil {
		t.Fatal(err)
	}
	current, err := json.Marshal(api.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range [][]byte{old, current} {
		doc, err := openapi3.NewLoader().LoadFromData(text)
		if err != nil {
			t.Fatal(err)
		}
		h := explorer.Handler(m, explorer.Spec(doc))
		check(t, served(t, h))
		checkLinks(t, h)
	}
}
