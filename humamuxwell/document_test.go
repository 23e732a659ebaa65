package humamuxwell_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/autopatch"
	"github.com/getkin/kin-openapi/openapi3"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/humamuxwell"
)

// document registers a GET operation with an input of type I for a pattern, in a mux
// with a constraint "even", and returns its path and the operation as JSON has it.
func document[I any](t *testing.T, pattern string, options ...func(*huma.Operation)) (path string, op map[string]any) {
	t.Helper()
	m := muxwell.New(muxwell.Constraint("even", func(v string) bool { return len(v)%2 == 0 }))
	api := humamuxwell.New(m, config())
	get[I](api, pattern, options...)
	data, err := json.Marshal(api.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]struct{ Get map[string]any }
	}
	if err := json.Unmarshal(data, &doc); err != nil || len(doc.Paths) != 1 {
		t.Fatalf("%s: %v, %d paths in %s", pattern, err, len(doc.Paths), data)
	}
	validate(t, api)
	for path := range doc.Paths {
		return path, doc.Paths[path].Get
	}
	panic("unreachable")
}

// validate checks the document with kin-openapi, as the version that it knows best.
func validate(t *testing.T, api huma.API) {
	t.Helper()
	data, err := api.OpenAPI().Downgrade()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	if err := doc.Validate(context.Background()); err != nil {
		t.Errorf("%v in %s", err, data)
	}
	for path := range doc.Paths.Map() {
		if regexp.MustCompile(`\{[^}]*[:.$]`).MatchString(path) {
			t.Errorf("the path %s is a pattern", path)
		}
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

type (
	stringV struct {
		V string `path:"v"`
	}
	intV struct {
		V int `path:"v"`
	}
	boundedV struct {
		V int `path:"v" minimum:"5" maximum:"9"`
	}
	uintV struct {
		V uint8 `path:"v"`
	}
	lengthV struct {
		V string `path:"v" maxLength:"3"`
	}
	patternV struct {
		V string `path:"v" pattern:"^a"`
	}
	enumV struct {
		V string `path:"v" enum:"cat"`
	}
	formatV struct {
		V string `path:"v" format:"byte" doc:"Bytes"`
	}
	floatV struct {
		V float64 `path:"v"`
	}
	boolV struct {
		V bool `path:"v"`
	}
)

func TestSchemas(t *testing.T) {
	for _, c := range []struct {
		register func(*testing.T, string, ...func(*huma.Operation)) (string, map[string]any)
		param    string
		want     string
	}{
		{document[none], "{v}", `{"type":"string"}`},
		{document[none], "{v:int}", `{"type":"integer"}`},
		{document[none], "{v:uint}", `{"minimum":0,"type":"integer"}`},
		{document[none], "{v:uuid}", `{"format":"uuid","type":"string"}`},
		{document[none], "{v:date}", `{"format":"date","type":"string"}`},
		{document[none], "{v:slug}", `{"pattern":"^[0-9a-z]+(-[0-9a-z]+)*$","type":"string"}`},
		{document[none], "{v:[0-9]{4}}", `{"pattern":"^(?:[0-9]{4})$","type":"string"}`},
		{document[none], "{v:cat|dog}", `{"enum":["cat","dog"],"type":"string"}`},
		{document[none], "{v:cat|d.g}", `{"pattern":"^(?:cat|d.g)$","type":"string"}`},
		{document[none], "{v:even}", `{"type":"string","x-muxwell-constraint":"even"}`},
		{document[none], "{v...}", `{"type":"string"}`},

		{document[stringV], "{v}", `{"type":"string"}`},
		{document[stringV], "{v:int}", `{"type":"integer"}`},
		{document[stringV], "{v...}", `{"type":"string"}`},
		{document[stringV], "{v:uint}", `{"minimum":0,"type":"integer"}`},
		{document[stringV], "{v:uuid}", `{"format":"uuid","type":"string"}`},
		{document[stringV], "{v:[0-9]{4}}", `{"pattern":"^(?:[0-9]{4})$","type":"string"}`},
		{document[stringV], "{v:cat|dog}", `{"enum":["cat","dog"],"type":"string"}`},
		{document[stringV], "{v:even}", `{"type":"string","x-muxwell-constraint":"even"}`},

		{document[intV], "{v}", `{"format":"int64","type":"integer"}`},
		{document[intV], "{v:int}", `{"format":"int64","type":"integer"}`},
		{document[intV], "{v:uint}", `{"format":"int64","minimum":0,"type":"integer"}`},
		{document[intV], "{v:[0-9]{4}}", `{"format":"int64","type":"integer"}`},
		{document[intV], "{v:1|2}", `{"enum":[1,2],"format":"int64","type":"integer"}`},
		{document[intV], "{v:1|x}", `{"format":"int64","type":"integer"}`},
		{document[boundedV], "{v:uint}", `{"format":"int64","maximum":9,"minimum":5,"type":"integer"}`},
		{document[uintV], "{v:int}", `{"format":"int32","minimum":0,"type":"integer"}`},

		{document[lengthV], "{v:int}", `{"maxLength":3,"type":"string"}`},
		{document[lengthV], "{v:alpha}", `{"maxLength":3,"pattern":"^[A-Za-z]+$","type":"string"}`},
		{document[patternV], "{v:alpha}", `{"pattern":"^a","type":"string"}`},
		{document[enumV], "{v:cat|dog}", `{"enum":["cat"],"type":"string"}`},
		{document[formatV], "{v:uuid}", `{"description":"Bytes","format":"byte","type":"string"}`},
		{document[floatV], "{v:int}", `{"format":"double","type":"number"}`},
		{document[boolV], "{v:true|false}", `{"type":"boolean"}`},
	} {
		path, op := c.register(t, "/x/"+c.param)
		if path != "/x/{v}" {
			t.Errorf("%s: path %s, want /x/{v}", c.param, path)
		}
		params := op["parameters"].([]any)
		if len(params) != 1 {
			t.Errorf("%s: %d parameters, want 1", c.param, len(params))
		}
		param := params[0].(map[string]any)
		if got := asJSON(t, param["schema"]); got != c.want {
			t.Errorf("%s: schema %s, want %s", c.param, got, c.want)
		}
		if got, want := param["x-muxwell-catch-all"] == true, c.param == "{v...}"; got != want {
			t.Errorf("%s: marked as a catch-all: %t", c.param, got)
		}
	}
}

func TestPaths(t *testing.T) {
	for _, c := range []struct {
		pattern string
		path    string
		servers string
	}{
		{"/", "/", "null"},
		{"/{$}", "/", "null"},
		{"/a/{$}", "/a/", "null"},
		{"/{name}.{ext:png|jpg}", "/{name}.{ext}", "null"},
		{"/{path...}/raw", "/{path}/raw", "null"},
		{"/x/{v:[a-z/]{2,}}", "/x/{v}", "null"},
		{"api.example.com/x", "/x", `[{"url":"//api.example.com"}]`},
		{"{t:alpha}.example.com/x/{t2:hex}", "/x/{t2}", `[{"url":"//{t}.example.com","variables":{"t":{"default":"t","description":"matches alpha"}}}]`},
		{"*.example.com/x", "/x", `[{"url":"//{any}.example.com","variables":{"any":{"default":"any"}}}]`},
		{"{sub...}.example.com/x", "/x", `[{"url":"//{sub}.example.com","variables":{"sub":{"default":"sub"}}}]`},
	} {
		path, op := document[none](t, c.pattern)
		if path != c.path {
			t.Errorf("%s: path %s, want %s", c.pattern, path, c.path)
		}
		if got := asJSON(t, op["servers"]); got != c.servers {
			t.Errorf("%s: servers %s, want %s", c.pattern, got, c.servers)
		}
	}
}

func TestOperation(t *testing.T) {
	// A value of the host is not a parameter of the path; those of queries stay.
	_, op := document[struct {
		Tenant string `path:"tenant"`
		ID     int    `path:"id" doc:"The pet"`
		Page   int    `query:"page"`
	}](t, "{tenant}.example.com/pets/{kind:cat|dog}/{id:int}", humamuxwell.Options(muxwell.Headers("X-Version", "2")), humamuxwell.Options(muxwell.Accept("application/json")))
	var names []string
	for _, p := range op["parameters"].([]any) {
		names = append(names, p.(map[string]any)["name"].(string))
	}
	if want := []string{"kind", "id", "page"}; !slices.Equal(names, want) {
		t.Errorf("parameters %q, want %q", names, want)
	}
	for key, want := range map[string]string{
		"x-muxwell-matchers": `["Headers(\"X-Version\", \"2\")","Accept(\"application/json\")"]`,
		"operationId":        `"get-pets-by-kind-by-id"`,
		"summary":            `"Get pets by kind by ID"`,
	} {
		if got := asJSON(t, op[key]); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
	if op["responses"].(map[string]any)["default"] == nil {
		t.Error("no default response, which the mux's refusals are")
	}
}

// TestMethods: operations of one path stay together, whatever their patterns are.
func TestMethods(t *testing.T) {
	m := muxwell.New()
	api := humamuxwell.New(m, config())
	methods := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}
	for i, method := range methods {
		huma.Register(api, huma.Operation{OperationID: method, Method: method, Path: []string{"/{id:int}", "/{id}"}[i%2]},
			func(context.Context, *none) (*none, error) { return nil, nil })
	}
	huma.Register(api, huma.Operation{OperationID: "lock", Method: "LOCK", Path: "/{id:int}", Hidden: true},
		func(context.Context, *none) (*none, error) { return nil, nil })
	paths := api.OpenAPI().Paths
	if len(paths) != 1 || paths["/{id}"] == nil {
		t.Fatalf("paths %v, want only /{id}", paths)
	}
	item := paths["/{id}"]
	for i, op := range []*huma.Operation{item.Get, item.Head, item.Post, item.Put, item.Patch, item.Delete, item.Options, item.Trace} {
		if op == nil || op.OperationID != methods[i] {
			t.Errorf("%s: got %+v", methods[i], op)
		}
		if status, _ := send(t, m, methods[i]+" /7"); status != http.StatusNoContent {
			t.Errorf("%s /7: %d", methods[i], status)
		}
	}
	if status, _ := send(t, m, "LOCK /7"); status != http.StatusNoContent {
		t.Errorf("LOCK /7: %d", status)
	}
	validate(t, api)
}

// TestSamePath: of the operations that OpenAPI cannot distinguish, the document has the
// last one that is not hidden.
func TestSamePath(t *testing.T) {
	m := muxwell.New()
	api := humamuxwell.New(m, config())
	id := func(id string, hidden bool) func(*huma.Operation) {
		return func(op *huma.Operation) { op.OperationID, op.Hidden = id, hidden }
	}
	version := func(v string) func(*huma.Operation) { return humamuxwell.Options(muxwell.Headers("X-Version", v)) }
	get[stringV](api, "/{v:int}", id("int", false))
	get[stringV](api, "/{v:alpha}", id("alpha", false))
	get[stringV](api, "/{v}", id("any", true))
	get[stringV](api, "/{v:alpha}", id("alpha-2", true), version("2"))
	get[none](api, "/matched", id("matched-2", false), version("2"))
	get[none](api, "/matched", id("matched", false))
	get[none](api, "/matched", id("matched-3", true), version("3"))

	for path, want := range map[string]string{"/{v}": "alpha", "/matched": "matched"} {
		op := api.OpenAPI().Paths[path].Get
		if op.OperationID != want || op.Extensions["x-muxwell-matchers"] != nil {
			t.Errorf("%s: %s with %v, want %s", path, op.OperationID, op.Extensions, want)
		}
	}
	if n := len(api.OpenAPI().Paths); n != 2 {
		t.Errorf("%d paths, want 2", n)
	}
	var names []string
	for rt := range m.Routes() {
		if rt.Name() != "" {
			names = append(names, rt.Name())
		}
	}
	if want := []string{"int", "alpha", "any", "alpha-2", "matched-2", "matched", "matched-3"}; !slices.Equal(names, want) {
		t.Errorf("the routes are called %q, want %q", names, want)
	}
	validate(t, api)
}

// TestAutoPatch: package autopatch registers with a path of the document.
func TestAutoPatch(t *testing.T) {
	type pet struct {
		Body struct {
			Name string `json:"name"`
			Age  int    `json:"age"`
		}
	}
	var stored pet
	stored.Body.Name, stored.Body.Age = "Rex", 3
	m, inner := muxwell.New(), muxwell.New()
	m.Mount("/v1", inner)
	api := humamuxwell.New(inner, config())
	huma.Get(api, "/pets/{id:int}", func(context.Context, *byID) (*pet, error) { return &stored, nil })
	huma.Put(api, "/pets/{id:int}", func(_ context.Context, in *struct {
		byID
		pet
	},
	) (*pet, error) {
		stored = in.pet
		return &stored, nil
	})
	autopatch.AutoPatch(api)
	r := httptest.NewRequest("PATCH", "/v1/pets/7", strings.NewReader(`{"age": 4}`))
	r.Header.Set("Content-Type", "application/merge-patch+json")
	w := httptest.NewRecorder()
	m.ServeHTTP(w, r)
	if w.Code != 200 || stored.Body.Name != "Rex" || stored.Body.Age != 4 {
		t.Errorf("%d %s, stored %+v", w.Code, w.Body, stored)
	}
	validate(t, api)
}

// TestInputIsValidatedAsDeclared: what the document gains does not reject requests.
func TestInputIsValidatedAsDeclared(t *testing.T) {
	m := muxwell.New()
	api := humamuxwell.New(m, config())
	get[stringV](api, "/{v:int}")
	if status, body := send(t, m, "GET /007"); status != 200 || body != `"{V:007}"` {
		t.Errorf("%d %s", status, body)
	}
}
