package explorer

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/muxwell/muxwell"
)

// pets is a document of OpenAPI 3.1 with all that a page shows.
func pets(t testing.TB) json.RawMessage {
	t.Helper()
	text, err := os.ReadFile("testdata/pets.json")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// petsMux returns a mux with routes for the operations of pets but one.
func petsMux() *muxwell.Mux {
	m := muxwell.New()
	for _, pattern := range []string{"GET,POST /v1/pets", "GET /v1/pets/{pet:uint}", "DELETE /v1/pets/{id}", "GET /v1/files/{path...}", "POST /v1/forms", "GET /health"} {
		m.HandleFunc(pattern, nothing)
	}
	if _, err := m.Add("PUT /deep/v2/named/{x}", http.HandlerFunc(nothing), muxwell.Name("put-named")); err != nil {
		panic(err)
	}
	m.HandleFunc("GET /v1/admin/secrets/{id}", nothing)
	return m
}

// operationURL returns the URL of an operation's page.
func operationURL(method, path string) string {
	return "/operation?" + url.Values{"method": {method}, "path": {path}}.Encode()
}

// A marshaler is a document that a function makes.
type marshaler func() ([]byte, error)

func (f marshaler) MarshalJSON() ([]byte, error) { return f() }

func TestSpecLinks(t *testing.T) {
	h := Handler(petsMux(), Spec(pets(t)))
	for _, view := range []string{"tree", "table"} {
		page := request(h, http.MethodGet, "/?view="+view).Body.String()
		for _, want := range []string{
			`<a class="op" href="./operation?method=GET&amp;path=%2Fpets">List pets</a>`,
			`<a class="op" href="./operation?method=POST&amp;path=%2Fpets">Add a pet</a>`,
			`path=%2Fpets%2F%7Bid%7D">get-pet</a>`,
			`<a class="op" href="./operation?method=PUT&amp;path=%2Fnamed%2F%7Bx%7D">put-named</a>`,
			`<span class="note warning">deprecated</span>`,
			`<h3 id="without">Operations without a route</h3>`,
			`<a class="op" href="./operation?method=PATCH&amp;path=%2Fnowhere"><code>/nowhere</code></a></li>`,
		} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: the page has not %s", view, want)
			}
		}
		if n := strings.Count(page, `<a class="op"`); n != 10 {
			t.Errorf("%s: %d links to operations, want 10", view, n)
		}
		checkPage(t, page)
	}
	found := request(h, http.MethodGet, "/?q=list+pets").Body.String()
	if strings.Count(found, `<a class="op"`) != 2 || strings.Contains(found, `id="without"`) { // the route has a second operation
		t.Errorf("a search for a summary finds %s", found)
	}
}

func TestOperationPage(t *testing.T) {
	h := Handler(petsMux(), Spec(pets(t)))
	for _, tt := range []struct {
		method, path string
		has          []string
	}{
		{"GET", "/pets", []string{
			`<title>List pets · Routes · muxwell</title>`, `<p class="summary">List pets</p>`, `<p class="description">All of them.
&lt;script&gt;alert(1)&lt;/script&gt;</p>`, `/v1/pets`, `data-method="POST">POST</b>`, `<li>none</li>`,
			`<code>limit</code> <span class="in">query</span> <span class="type">integer</span> <span class="note">≥ 1</span> <span class="note">≤ 100</span> <span class="note">default 20</span>`,
			`array of string</span>`, `<span class="type">array of Pet</span>`, `<span class="ref">Pet</span></span> <span class="cut">recursive</span>`,
			`<code>tag</code> <span class="type">string or null</span>`, `data-list`, `<code>X-Total</code>`,
			`curl &#39;http://example.com/v1/pets&#39;`, `data-target="/v1/pets"`, `<button id="send" data-method="GET">Send GET</button>`,
		}},
		{"POST", "/pets", []string{
			`<h3 id="body">Request body <span class="required">required</span></h3>`, `<figcaption>Example cat</figcaption>`, `<figcaption>Example dog</figcaption>`,
			`&#34;name&#34;: &#34;Tom &amp; &#39;Jerry&#39;&#34;`, `curl -X POST`, `--data-raw &#39;{`, `&#39;\&#39;&#39;Jerry`, `<li>key: header X-Key</li>`, `<li>or login: HTTP bearer with pets:write</li>`,
			`<input id="c0" data-in="header" data-name="X-Key"`, `data-name="Authorization" placeholder="Bearer …"`,
			`<span class="group">one of</span>`, `one of &#34;cat&#34;, &#34;dog&#34;`, `<option data-example="name: Rex">application/yaml</option>`,
		}},
		{"GET", "/pets/{id}", []string{`data-name="id" required value="1"`, `/v1/pets/1&#39;`, `{pet:uint}`, "example <code>", `<span class="note warning">deprecated</span>`, "Example, generated from the schema", `the reference leads nowhere`}},
		{"GET", "/files/{path}", []string{`data-name="path" data-rest required value="string"`}},
		{"POST", "/forms", []string{`a=1&amp;b=string`, `<option data-example="a=1&amp;b=string">application/x-www-form-urlencoded</option>`}},
		{"PUT", "/named/{x}", []string{`data-target="/deep/v2/named/{x}"`, `cannot be written here`}},
		{"PATCH", "/nowhere", []string{"No route has this method and path.", `data-target="/v1/nowhere"`}},
	} {
		w := request(h, http.MethodGet, operationURL(tt.method, tt.path))
		if w.Code != http.StatusOK {
			t.Fatalf("%s %s: %d, %s", tt.method, tt.path, w.Code, w.Body)
		}
		for _, want := range tt.has {
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s %s: the page has not %s:\n%s", tt.method, tt.path, want, w.Body)
			}
		}
		checkHeaders(t, tt.path, w.Header())
		checkPage(t, w.Body.String())
	}
	for _, target := range []string{"/operation", operationURL("GET", "/none"), operationURL("PUT", "/pets"), operationURL("get", "/pets")} {
		if w := request(h, http.MethodGet, target); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", target, w.Code)
		}
	}
	if w := request(Handler(petsMux()), http.MethodGet, operationURL("GET", "/pets")); w.Code != http.StatusNotFound {
		t.Errorf("without Spec: %d, want 404", w.Code)
	}
}

// Who sends a link to the page cannot fill in the form.
func TestOperationIgnoresQuery(t *testing.T) {
	page := request(Handler(petsMux(), Spec(pets(t))), http.MethodGet, operationURL("POST", "/pets")+"&X-Key=filled&text=filled&c0=filled&url=/filled").Body.String()
	if strings.Contains(page, "filled") {
		t.Error("the page has what its URL has")
	}
}

// A page that is read-only has no form and no script, and still has the curl command.
func TestReadOnly(t *testing.T) {
	page := request(Handler(petsMux(), Spec(pets(t)), ReadOnly()), http.MethodGet, operationURL("POST", "/pets")).Body.String()
	for _, bad := range []string{"<form", "<script", "<textarea"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
	if !strings.Contains(page, "curl -X POST") {
		t.Error("the page has no curl command")
	}
}

// openapi.json is the document as it is, unless something of it is hidden.
func TestSpecServed(t *testing.T) {
	if got := request(Handler(petsMux(), Spec(pets(t))), http.MethodGet, "/openapi.json"); got.Body.String() != string(pets(t)) || got.Header().Get("Content-Type") != "application/json" {
		t.Errorf("openapi.json is %s", got.Body)
	}
}

func TestSpecHide(t *testing.T) {
	hide := Hide(func(rt *muxwell.Route) bool {
		return strings.HasPrefix(rt.Path(), "/v1/admin/") || strings.HasPrefix(rt.Path(), "/v1/pets/{id}") || rt.Name() == "put-named"
	})
	for name, pattern := range map[string]string{"route": "", "subtree": "GET /v1/admin/", "catch-all": "GET /v1/admin/{all...}"} {
		m := petsMux()
		if pattern != "" {
			m.HandleFunc(pattern, nothing)
		}
		h := Handler(m, Spec(pets(t)), hide)
		served := request(h, http.MethodGet, "/openapi.json").Body.String()
		for _, target := range []string{"/", "/?view=table", "/openapi.json", operationURL("GET", "/pets")} {
			text := strings.ToLower(request(h, http.MethodGet, target).Body.String())
			for _, bad := range []string{"secret", "put-named", "remove-pet"} {
				if strings.Contains(text, bad) && (name != "route" || bad != "secret") {
					t.Errorf("%s: GET %s has %q", name, target, bad)
				}
			}
		}
		if w := request(h, http.MethodGet, operationURL("GET", "/admin/secrets/{id}")); w.Code != http.StatusNotFound {
			t.Errorf("%s: the page of a hidden operation answers %d, want 404", name, w.Code)
		}
		var doc document
		if err := json.Unmarshal([]byte(served), &doc.root); err != nil {
			t.Fatal(err)
		}
		schemas := objectOf(objectOf(doc.root, "components"), "schemas")
		if strings.Join(sortedKeys(schemas), " ") != "Animal Pet Tag" || len(objectOf(objectOf(doc.root, "components"), "securitySchemes")) != 2 {
			t.Errorf("%s: the components are %v", name, objectOf(doc.root, "components"))
		}
		if got := strings.Join(sortedKeys(objectOf(doc.root, "paths")), " "); got != "/files/{path} /forms /nowhere /pets /pets/{id}" {
			t.Errorf("%s: the paths are %s", name, got)
		}
	}
}

// A document is read once for the same routes, and again when they have changed.
func TestSpecIsReadAgain(t *testing.T) {
	m := muxwell.New()
	m.HandleFunc("GET /a", nothing)
	reads := 0
	doc := `{"openapi": "3.0.3", "paths": {"/a": {"get": {"summary": "First"}}}}`
	h := Handler(m, Spec(marshaler(func() ([]byte, error) { reads++; return []byte(doc), nil })))
	if reads != 0 {
		t.Error("Handler reads the document")
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { request(h, http.MethodGet, "/"); request(h, http.MethodGet, "/openapi.json") })
	}
	group.Wait()
	if reads != 1 {
		t.Errorf("the document was read %d times, want once", reads)
	}
	doc = strings.Replace(doc, `}}}`, `}}, "/b": {"get": {"summary": "Second"}}}`, 1)
	m.HandleFunc("GET /b", nothing)
	if page := request(h, http.MethodGet, "/").Body.String(); !strings.Contains(page, ">Second</a>") {
		t.Error("the page has not the operation that was added with a route")
	}
}

func TestSpecFaults(t *testing.T) {
	for _, tt := range []struct {
		spec json.Marshaler
		want string
	}{
		{marshaler(func() ([]byte, error) { return nil, errors.New("<b>no file</b>") }), "no file"},
		{marshaler(func() ([]byte, error) { panic("lost") }), "MarshalJSON panicked: lost"},
		{nil, "MarshalJSON panicked"},
		{json.RawMessage(`null`), `is &#34;&#34;; use a document of OpenAPI 3.0 or 3.1`},
		{json.RawMessage(`{"swagger": "2.0"}`), `use a document of OpenAPI 3.0 or 3.1`},
		{json.RawMessage(`{"openapi": "3.1.0"`), `unexpected EOF`},
		{json.RawMessage(`{"openapi": "3.1.0"} x`), `text follows the JSON`},
		{json.RawMessage(strings.Repeat("[", 20_000)), `exceeded max depth`},
		{json.RawMessage(`openapi: 3.1.0`), `invalid character`},
	} {
		m := muxwell.New()
		m.HandleFunc("GET /a", nothing)
		h := Handler(m, Spec(tt.spec))
		page := request(h, http.MethodGet, "/").Body.String()
		checkPage(t, page)
		if !strings.Contains(page, `<p class="fault">the OpenAPI document cannot be read: `) || !strings.Contains(page, tt.want) || !strings.Contains(page, `class="route"`) {
			t.Errorf("%v: the page has not the routes and %q: %s", tt.spec, tt.want, page)
		}
		for _, target := range []string{"/openapi.json", operationURL("GET", "/a")} {
			w := request(h, http.MethodGet, target)
			if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), strings.ReplaceAll(tt.want, "&#34;", `"`)) {
				t.Errorf("%v: GET %s: %d, %s", tt.spec, target, w.Code, w.Body)
			}
			checkHeaders(t, target, w.Header())
		}
	}
}

// What is of another type than OpenAPI says does not break a page.
func TestSpecHostile(t *testing.T) {
	wide := `{"openapi":"3.1.0","servers":[{"url":5},7,{"url":"https://x.example/{v}","variables":{"v":3}}],"paths":{"/a":{"get":%s}},"components":{"schemas":{"S":%s}}}`
	loop := `{"$ref":"#/components/schemas/S"}`
	many := func(n int, each string) string { return "[" + strings.Repeat(each+",", n) + each + "]" }
	response := func(schema string) string {
		return `{"responses":{"200":{"content":{"application/json":{"schema":` + schema + `}}}}}`
	}
	for name, tt := range map[string][2]string{
		"types":      {`{"summary":1,"parameters":{"a":1},"requestBody":[],"responses":[],"tags":"x","security":[1,{"a":3}]}`, `1`},
		"parameters": {`{"parameters":[1,null,{"name":"x"},{"in":"path"},{"name":2,"in":"q"},{"name":"y","in":"query","schema":true},{"$ref":"#/paths"}]}`, `[]`},
		"loop":       {response(loop), loop},
		"all":        {response(loop), `{"allOf":` + many(50, loop) + `,"properties":{"a":{"items":` + loop + `},"b":{"oneOf":` + many(9, loop) + `}}}`},
		"wide":       {response(loop), `{"properties":{"a":{"enum":` + many(100_000, `"<b>x</b>"`) + `}},"description":"` + strings.Repeat("<img src=x>", 100_000) + `"}`},
		"branching":  {response(loop), strings.Repeat(`{"properties":{"a":{"type":"string"},"b":{"type":["string","null"],"description":"`+strings.Repeat("x", 5000)+`"},"c":`, 50) + `true` + strings.Repeat(`}}`, 50)},
		"example":    {`{"requestBody":{"content":{"application/json":{"example":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}}}}`, `1`},
		"answers":    {`{"responses":{"x":{}` + strings.Repeat(`,"</td>%s":{"headers":{"a":{},"b":{}},"content":{"a/b":{},"c/d":{"schema":1}}}`, 1) + `}}`, `{}`},
		"pointer":    {response(`{"$ref":"#/paths/~1a/get/responses/200/content/application~1json/schema"}`), `1`},
		"remote":     {response(`{"$ref":"https://evil.example/x.json"}`), `1`},
	} {
		m := muxwell.New()
		m.HandleFunc("GET /a", nothing)
		h := Handler(m, Spec(json.RawMessage(fmt.Sprintf(wide, tt[0], tt[1]))))
		w := request(h, http.MethodGet, operationURL("GET", "/a"))
		if w.Code != http.StatusOK || w.Body.Len() > maxPage {
			t.Errorf("%s: status %d, %d bytes", name, w.Code, w.Body.Len())
		}
		checkPage(t, w.Body.String())
	}
}

// maxPage is the size of the largest page of an operation.
const maxPage = 2 << 20

// Types and notes are those of OpenAPI 3.0 and of 3.1; examples satisfy what is simple.
func TestSchemas(t *testing.T) {
	for _, tt := range []struct{ schema, facts, example string }{
		{`{"type":"string","nullable":true,"minLength":9}`, `string or null|min length 9`, `"stringxxx"`},
		{`{"type":["integer","null"],"exclusiveMinimum":5}`, `integer or null|> 5`, `6`},
		{`{"type":"integer","minimum":5,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":false}`, `integer|> 5|≤ 9`, `6`},
		{`{"type":"number","maximum":-2,"multipleOf":0.5}`, `number|≤ -2|multiple of 0.5`, `-2`},
		{`{"type":"string","maxLength":3,"pattern":"^a"}`, `string|max length 3|matches ^a`, `"str"`},
		{`{"type":"string","format":"uuid","deprecated":true}`, `string|uuid|deprecated`, `"123e4567-e89b-42d3-a456-426614174000"`},
		{`{"enum":["a",1,null]}`, `any|one of "a", 1, null`, `"a"`},
		{`{"type":"boolean","default":false}`, `boolean|default false`, `false`},
		{`{"const":"x"}`, `any|is "x"`, `"x"`},
		{`{"items":{"type":"integer","minimum":3},"uniqueItems":true}`, `array of integer|unique items|each: ≥ 3`, `[3]`},
		{`{"type":"object","additionalProperties":{"type":"string"}}`, `object`, `{}`},
		{`{"properties":{"a":{"type":"string","readOnly":true},"b":{"type":"string","writeOnly":true}}}`, `object`, `{"b":"string"}`},
		{`{"allOf":[{"properties":{"a":{"type":"boolean"}}},{"properties":{"b":{"type":"integer"}}}]}`, ``, `{"a":true,"b":1}`},
		{`{"type":"object","oneOf":[{"properties":{"a":{"type":"boolean"}}}],"properties":{"b":{"example":[1]}}}`, `object`, `{"a":true,"b":[1]}`},
		{`{"anyOf":[{"type":"null"},{"type":"string"}]}`, ``, `"string"`},
		{`{"$ref":"#/none"}`, `any`, `null`},
		{`true`, `any`, `null`},
		{`{"type":["null","string"]}`, `null or string`, `"string"`},
	} {
		var v any
		decoder := json.NewDecoder(strings.NewReader(tt.schema))
		decoder.UseNumber()
		if err := decoder.Decode(&v); err != nil {
			t.Fatal(err)
		}
		d := &document{root: object{}}
		n := (&specReader{doc: d}).schema("", v, nil)
		if got := strings.Join(append([]string{n.Type}, n.Notes...), "|"); got != tt.facts {
			t.Errorf("%s: %s, want %s", tt.schema, got, tt.facts)
		}
		g := generator{doc: d, to: ofRequest}
		got, err := json.Marshal(g.value(v, nil))
		if err != nil || string(got) != tt.example {
			t.Errorf("%s: example %s, want %s", tt.schema, got, tt.example)
		}
	}
}

func TestQuoteShell(t *testing.T) {
	for s, want := range map[string]string{"": "''", "a b": "'a b'", "it's": `'it'\''s'`, "$(x)`y`\\": "'$(x)`y`\\'"} {
		if got := quoteShell(s); got != want {
			t.Errorf("quoteShell(%q) = %s, want %s", s, got, want)
		}
	}
}

func TestServerPaths(t *testing.T) {
	for url, want := range map[string]string{
		"": "", "/": "", "/v1": "/v1", "/v1/": "/v1", "https://api.example.com": "", "https://api.example.com/v2/": "/v2", "//host/a/b?x": "/a/b", "v1": "", "{scheme}://{host}/v3": "/v3",
	} {
		if got := pathOfURL(url); got != want {
			t.Errorf("pathOfURL(%q) = %q, want %q", url, got, want)
		}
	}
	m := muxwell.New()
	m.HandleFunc("GET /{version}/a", nothing)
	m.HandleFunc("GET /v7/a", nothing)
	doc := `{"openapi":"3.0.0","servers":[{"url":"https://{host}/{version}","variables":{"host":{"default":"x"},"version":{"default":"v7"}}}],"paths":{"/a":{"get":{"summary":"A"}}}}`
	h := Handler(m, Spec(json.RawMessage(doc)))
	if page := request(h, http.MethodGet, "/").Body.String(); strings.Count(page, ">A</a>") != 2 {
		t.Error("an operation of a server with variables has not both routes")
	}
	if page := request(h, http.MethodGet, operationURL("GET", "/a")).Body.String(); !strings.Contains(page, `data-target="/v7/a"`) {
		t.Error("the target has not the default of the variable")
	}
}

// A route outside of the server's path serves an operation only if no other route does, as
// the path may be stripped in front of the mux.
func TestSpecBasePath(t *testing.T) {
	doc := json.RawMessage(`{"openapi":"3.1.0","servers":[{"url":"/api"}],"paths":{"/cart":{"get":{"summary":"A"}}}}`)
	for _, c := range []struct{ patterns, served string }{
		{"GET /api/cart, GET /cart", "GET /api/cart"},
		{"GET /cart, GET /api/cart", "GET /api/cart"},
		{"GET /cart, GET /api/{x}", "GET /cart"},
	} {
		m := muxwell.New()
		for pattern := range strings.SplitSeq(c.patterns, ", ") {
			m.HandleFunc(pattern, nothing)
		}
		page := request(Handler(m, Spec(doc)), http.MethodGet, operationURL("GET", "/cart")).Body.String()
		_, section, _ := strings.Cut(page, `id="served-by"`)
		section, _, _ = strings.Cut(section, "</section>")
		_, path, _ := strings.Cut(c.served, " ")
		if n := strings.Count(section, `class="route"`); n != 1 || !strings.Contains(section, ">"+path+"<") {
			t.Errorf("%s: served by %s, want %s", c.patterns, section, c.served)
		}
	}
}

// Operations that a hidden route could match are hidden, whatever their methods.
func TestCover(t *testing.T) {
	for _, tt := range []struct {
		pattern, shape string
		want           bool
	}{
		{"GET /a", "/a", true},
		{"GET /a", "/ab", false},
		{"GET /a/", "/a", true},
		{"GET /a/", "/a/b/{}", true},
		{"GET /a/", "/ab", false},
		{"GET /a/{$}", "/a/", true},
		{"GET /a/{$}", "/a/b", false},
		{"GET /{x}/b", "/a/b", true},
		{"GET /{x}/b", "/{}/b", true},
		{"GET /{x}/b", "/a/c", false},
		{"GET /a/{x}", "/a/b/c", false},
		{"GET /a.b/{x...}", "/a.b/c/d", true},
		{"GET /a.b/{x...}", "/acb/c", false},
		{"GET /{x...}/b", "/a/a/b", true},
		{"GET /a/{x}", "/a", false},
		{"GET /", "/any/{}", true},
	} {
		m := muxwell.New()
		m.HandleFunc(tt.pattern, nothing)
		if got := cover(&(&handler{mux: m}).view().Routes[0]).MatchString(tt.shape); got != tt.want {
			t.Errorf("%s covers %s: %v, want %v", tt.pattern, tt.shape, got, tt.want)
		}
	}
}

// Whatever a document is, pages are whole and bounded.
func FuzzSpec(f *testing.F) {
	f.Add([]byte(pets(f)))
	for _, seed := range []string{
		`{"openapi":"3.0.0","paths":{"/a":{"$ref":"#/paths/~1a"},"/{x}/{x}":{"get":{}}}}`,
		`{"openapi":"3.1.0","paths":{"/a{":{"get":{"parameters":[{"name":"{","in":"path","schema":{"items":{"$ref":"#"}}}]}}}}`,
		`{"openapi":"3.1.0","paths":{"/<b>x":{"post":{"requestBody":{"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/A"}]}}}}}}},"components":{"schemas":{"A":{"type":"object","properties":{"a":{"$ref":"#/components/schemas/A"}}}}}}`,
		`[]`, `{"openapi":"3."}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		m := petsMux()
		h := Handler(m, Spec(json.RawMessage(doc)), Hide(func(rt *muxwell.Route) bool { return rt.Path() == "/v1/admin/secrets/{id}" }))
		page := request(h, http.MethodGet, "/").Body.String()
		if len(page) > maxPage {
			t.Errorf("the page has %d bytes", len(page))
		}
		checkPage(t, page)
		w := request(h, http.MethodGet, "/openapi.json")
		if w.Code == http.StatusOK && !json.Valid(w.Body.Bytes()) {
			t.Errorf("openapi.json is %s", w.Body)
		}
		source := specSource{marshaler: json.RawMessage(doc)}
		s, err := source.at(&view{}, "")
		if err != nil {
			return
		}
		for _, op := range s.shown[:min(len(s.shown), 10)] {
			if w := request(h, http.MethodGet, operationURL(op.Method, op.Path)); w.Code == http.StatusOK {
				checkPage(t, w.Body.String())
				if w.Body.Len() > maxPage {
					t.Errorf("the page of %s %s has %d bytes", op.Method, op.Path, w.Body.Len())
				}
			}
		}
	})
}
