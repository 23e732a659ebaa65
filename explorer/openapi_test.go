package explorer

import (
	"encoding/json"
	"html"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/constraint"
	"github.com/muxwell/muxwell/internal/tests/builtin"
	"github.com/muxwell/muxwell/internal/text"
)

func printable(s string) string    { return text.Printable(s, "") }
func unescapeHTML(s string) string { return html.UnescapeString(s) }

var templateParam = regexp.MustCompile(`\{([^{}]*)\}`)

// checkOpenAPI checks what OpenAPI 3.1 requires of paths, parameters and operations,
// and that no route is lost.
func checkOpenAPI(t *testing.T, v *view) {
	t.Helper()
	var doc openDoc
	if err := json.Unmarshal(openAPI(v), &doc); err != nil {
		t.Fatalf("openapi.json: %v", err)
	}
	if !strings.HasPrefix(doc.OpenAPI, "3.1.") || doc.Info.Title == "" || doc.Info.Version == "" {
		t.Errorf("openapi.json: %q, %+v", doc.OpenAPI, doc.Info)
	}
	shapes, ids, said := map[string]string{}, map[string]bool{}, map[string]bool{}
	for path, item := range doc.Paths {
		shape := templateParam.ReplaceAllString(path, "{}")
		if other, there := shapes[shape]; there {
			t.Errorf("openapi.json: the paths %q and %q are one", path, other)
		}
		shapes[shape] = path
		if !strings.HasPrefix(path, "/") || strings.ContainsAny(strings.ReplaceAll(shape, "{}", ""), "{}?# \"<>") {
			t.Errorf("openapi.json: %q is no path", path)
		}
		for method, op := range operations(item) {
			checkOperation(t, path, method, op)
			if ids[op.OperationID] || op.OperationID == "" {
				t.Errorf("openapi.json: %s %s: operationId %q is not its own", method, path, op.OperationID)
			}
			ids[op.OperationID], said[op.Pattern] = true, true
			for _, also := range op.Also {
				said[also] = true
			}
		}
	}
	for i := range v.Routes {
		r := &v.Routes[i]
		if full := strings.Join(append([]string{r.Pattern}, r.Matchers...), " "); !said[valid(r.Pattern)] && !said[valid(full)] {
			t.Errorf("openapi.json: no route %q", full)
		}
	}
}

// valid returns s as JSON keeps it.
func valid(s string) string { return string([]rune(s)) }

// operations returns the operations of a path by method.
func operations(p *openPath) map[string]*operation {
	ops := map[string]*operation{}
	for _, method := range []string{"GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"} {
		if op := p.operation(method); op != nil {
			ops[method] = op
		}
	}
	for method, op := range p.Others {
		ops[method] = op
	}
	return ops
}

// checkOperation checks that the parameters of an operation are those of its path,
// each once, and what else OpenAPI asks.
func checkOperation(t *testing.T, path, method string, op *operation) {
	t.Helper()
	declared := map[string]bool{}
	for _, p := range op.Parameters {
		key := p.In + " " + p.Name
		if declared[key] || !p.Required || p.Schema == nil || p.Schema.Type == "" {
			t.Errorf("openapi.json: %s %s: parameter %+v", method, path, p)
		}
		declared[key] = true
	}
	inPath := 0
	for _, match := range templateParam.FindAllStringSubmatch(path, -1) {
		inPath++
		if !declared["path "+match[1]] {
			t.Errorf("openapi.json: %s %s: %q is not declared", method, path, match[1])
		}
	}
	for key := range declared {
		if strings.HasPrefix(key, "path ") {
			inPath--
		}
	}
	if inPath != 0 {
		t.Errorf("openapi.json: %s %s: %d parameters too few or many", method, path, inPath)
	}
	if len(op.Responses) == 0 || op.Responses["default"].Description == "" {
		t.Errorf("openapi.json: %s %s: no response with a description", method, path)
	}
}

func TestSchema(t *testing.T) {
	tests := []struct{ pattern, want string }{
		{"/{x}", `{"type":"string","minLength":1}`},
		{"/{x:int}", `{"type":"integer"}`},
		{"/{x:uint}", `{"type":"integer","minimum":0}`},
		{"/{x:uuid}", `{"type":"string","format":"uuid"}`},
		{"/{x:date}", `{"type":"string","format":"date"}`},
		{"/{x:ipv4}", `{"type":"string","format":"ipv4"}`},
		{"/{x:hex}", `{"type":"string","pattern":"^[0-9A-Fa-f]+$"}`},
		{"/{x:sku}", `{"type":"string","minLength":1,"x-muxwell-constraint":"sku"}`},
		{"/{x:a:b|[0-9]{2}}", `{"type":"string","pattern":"^(?:a:b|[0-9]{2})$"}`},
		{"/{x...}", `{"type":"string"}`},
		{"/{x...}/y", `{"type":"string","minLength":1}`},
	}
	for _, tt := range tests {
		m := muxwell.New(muxwell.Constraint("sku", func(string) bool { return true }))
		m.HandleFunc("GET "+tt.pattern, nothing)
		var doc openDoc
		if err := json.Unmarshal(openAPI((&handler{title: "t", mux: m}).view()), &doc); err != nil {
			t.Fatal(err)
		}
		for path, item := range doc.Paths {
			got, err := json.Marshal(item.operation(http.MethodGet).Parameters[0].Schema)
			if err != nil || string(got) != tt.want {
				t.Errorf("%s: schema of %s is %s, want %s", tt.pattern, path, got, tt.want)
			}
		}
	}
}

// TestSchemaOfBuiltins: the schema of each built-in constraint, and of one that is new in
// their table, is that of its row.
func TestSchemaOfBuiltins(t *testing.T) {
	builtin.Add(t)
	for _, b := range constraint.Builtins {
		got := newSchema(b.Name)
		if got.Type != b.Type || got.Format != b.Format || got.Pattern != b.Pattern() || got.Minimum != b.Minimum || got.MinLength != 0 || got.Constraint != "" {
			t.Errorf("the schema of %s is %+v, want that of %+v", b.Name, got, b)
		}
		if got.Type == "string" && got.Format == "" && !regexp.MustCompile(got.Pattern).MatchString(b.Example) {
			t.Errorf("the schema of %s has the pattern %s, which does not match %s", b.Name, got.Pattern, b.Example)
		}
	}
}

// notInOpenAPI are the matchers that OpenAPI can say nothing of. A server of a document
// has a scheme, an operation has none.
var notInOpenAPI = []string{"ClientIP", "MatchFunc", "Schemes"}

// TestRequirements: the table has each matcher of package muxwell but these, and nothing
// else.
func TestRequirements(t *testing.T) {
	api, err := os.ReadFile("../testdata/api.txt")
	if err != nil {
		t.Fatal(err)
	}
	matchers := make(map[string]bool)
	for _, found := range regexp.MustCompile(`(?m)^pkg muxwell: func ([A-Z]\w*)\(.*\) RouteOption$`).FindAllSubmatch(api, -1) {
		if name := string(found[1]); name != "Name" && name != "Meta" && name != "Source" { // these require nothing of a request
			matchers[name] = true
		}
	}
	for name := range matchers {
		if _, ok := requirements[name]; ok == slices.Contains(notInOpenAPI, name) {
			t.Errorf("%s: add it to requirements or to notInOpenAPI, and not to both", name)
		}
	}
	for name := range requirements {
		if !matchers[name] || requirements[name].add == nil {
			t.Errorf("%s is no matcher", name)
		}
	}
}

func TestSplitMatcher(t *testing.T) {
	tests := []struct{ matcher, want string }{
		{`Queries("a", "b, \"c\")")`, `Queries|a|b, "c")`},
		{`Headers("X", "")`, `Headers|X|`},
		{`Accept("a/b")`, `Accept|a/b`},
		{`MatchFunc(main.f)`, ``},
		{`Queries("a")`, ``},
		{`Queries(`, ``},
		{``, ``},
	}
	for _, tt := range tests {
		name, args := splitMatcher(tt.matcher)
		if got := strings.Join(append([]string{name}, args...), "|"); got != tt.want {
			t.Errorf("splitMatcher(%s) = %s, want %s", tt.matcher, got, tt.want)
		}
	}
}
