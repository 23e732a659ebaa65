package muxwell

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var updateAPI = flag.Bool("update-api", false, "write the exported API to testdata/api.txt")

// TestAPI: the exported API is that of testdata/api.txt, so that nothing is exported,
// changed or removed by accident.
func TestAPI(t *testing.T) {
	got := exportedAPI(t)
	file := filepath.Join("testdata", "api.txt")
	if *updateAPI {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	lines := strings.Split(got, "\n")
	for _, line := range lines {
		if !slices.Contains(want, line) {
			t.Errorf("new: %s", line)
		}
	}
	for _, line := range want {
		if !slices.Contains(lines, line) {
			t.Errorf("gone: %s", line)
		}
	}
	if t.Failed() {
		t.Log("If it is meant, say so in CHANGELOG.md and run: go test -run TestAPI . -update-api")
	}
}

// exportedAPI returns the declarations that the module's packages export, a line each.
func exportedAPI(t *testing.T) string {
	var lines []string
	err := filepath.WalkDir(".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name := d.Name(); name == "internal" || name == "testdata" || name == "cmd" || len(name) > 1 && strings.HasPrefix(name, ".") {
			return fs.SkipDir
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && dir != "." {
			return fs.SkipDir // a module of its own
		}
		lines = append(lines, packageAPI(t, dir)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n") + "\n"
}

// packageAPI returns the same of a package.
func packageAPI(t *testing.T, dir string) (lines []string) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		prefix := "pkg " + filepath.ToSlash(filepath.Join("muxwell", dir)) + ": "
		ast.FileExports(file)
		for _, decl := range file.Decls {
			for _, text := range declared(t, fset, decl) {
				lines = append(lines, prefix+text)
			}
		}
	}
	return lines
}

// declared returns what a declaration declares, without values and bodies.
func declared(t *testing.T, fset *token.FileSet, decl ast.Decl) (texts []string) {
	text := func(prefix string, node any) {
		var b bytes.Buffer
		if err := printer.Fprint(&b, fset, node); err != nil {
			t.Fatal(err)
		}
		line := strings.Join(strings.Fields(b.String()), " ")
		texts = append(texts, prefix+strings.ReplaceAll(line, "// contains filtered or unexported fields ", ""))
	}
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil && !ast.IsExported(receiver(d.Recv.List[0].Type)) {
			return nil
		}
		d.Doc, d.Body = nil, nil
		text("", d)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				s.Doc, s.Comment = nil, nil
				undocument(s)
				text("type ", s)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					texts = append(texts, fmt.Sprintf("%s %s", d.Tok, name))
				}
			}
		}
	}
	return texts
}

// receiver returns the name of a receiver's type.
func receiver(expr ast.Expr) string {
	for {
		switch e := expr.(type) {
		case *ast.StarExpr:
			expr = e.X
		case *ast.IndexExpr:
			expr = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

// undocument drops the comments of fields and methods.
func undocument(node ast.Node) {
	ast.Inspect(node, func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok {
			f.Doc, f.Comment, f.Tag = nil, nil, nil
		}
		return true
	})
}

// TestGroupHasTheMethodsOfMux: each function of a Mux that registers is there for a
// Group, with the same parameters, and its documentation begins with the same sentence.
func TestGroupHasTheMethodsOfMux(t *testing.T) {
	ofMux := []string{"ByPrecedence", "Check", "Explain", "Handler", "Path", "RouteOf", "Routes", "Sample", "TrustedProxies", "URL", "Update"}
	ofGroup := []string{"ErrorHandler", "MethodNotAllowed", "NotFound", "Prefix"}
	muxMethods, groupMethods := methodsInSource(t, "Mux"), methodsInSource(t, "Group")
	if len(muxMethods) < 30 || len(groupMethods) < 20 {
		t.Fatalf("%d methods of Mux and %d of Group found, want 30 and 20 at least", len(muxMethods), len(groupMethods))
	}
	for name, method := range muxMethods {
		g, found := groupMethods[name]
		switch {
		case slices.Contains(ofMux, name):
			if found {
				t.Errorf("%s is a method of both, and was not expected to be", name)
			}
		case !found:
			t.Errorf("*Group has no method %s", name)
		case g.signature != method.signature:
			t.Errorf("%s: *Mux has %s, *Group has %s", name, method.signature, g.signature)
		case strings.ReplaceAll(g.sentence, "the group", "the mux") != method.sentence:
			t.Errorf("%s: the first sentences differ:\n*Mux:   %s\n*Group: %s", name, method.sentence, g.sentence)
		case !strings.HasPrefix(method.sentence, name+" "):
			t.Errorf("%s: the documentation begins with %q", name, method.sentence)
		}
	}
	for name := range groupMethods {
		if _, found := muxMethods[name]; !found && !slices.Contains(ofGroup, name) {
			t.Errorf("*Mux has no method %s", name)
		}
	}
}

// A sourceMethod is an exported method as the source has it.
type sourceMethod struct {
	signature string
	sentence  string // the first of its documentation
}

// methodsInSource returns the exported methods of a type of this package. It fails if a
// field of the type is embedded, which would have methods of its own.
func methodsInSource(t *testing.T, typeName string) map[string]sourceMethod {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	methods, fset := make(map[string]sourceMethod), token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv != nil && n.Name.IsExported() && receiver(n.Recv.List[0].Type) == typeName {
					var b strings.Builder
					if err := printer.Fprint(&b, fset, n.Type); err != nil {
						t.Fatal(err)
					}
					methods[n.Name.Name] = sourceMethod{b.String(), new(doc.Package).Synopsis(n.Doc.Text())}
				}
				return false
			case *ast.TypeSpec:
				fields, isStruct := n.Type.(*ast.StructType)
				if isStruct && n.Name.Name == typeName && slices.ContainsFunc(fields.Fields.List, func(f *ast.Field) bool { return f.Names == nil }) {
					t.Errorf("%s has an embedded field", typeName)
				}
			}
			return true
		})
	}
	return methods
}

// A muxOrGroup is what Mux and Group have in common to register a route.
type muxOrGroup interface {
	HandleParams(string, func(http.ResponseWriter, *http.Request, Params), ...RouteOption) *Route
	HandleError(string, func(http.ResponseWriter, *http.Request) error, ...RouteOption) *Route
	Get(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Head(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Post(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Put(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Patch(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Delete(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Connect(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Options(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Trace(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Query(string, func(http.ResponseWriter, *http.Request), ...RouteOption) *Route
	Add(string, http.Handler, ...RouteOption) (*Route, error)
}

// shorthands are the functions that return a route, by what precedes the path in its
// pattern. Each returns the place of its call too. A nil handler is registered if
// isNil is set.
func shorthands(to muxOrGroup, isNil bool) map[string]func(string, ...RouteOption) (*Route, string) {
	plain := ok
	value := func(http.ResponseWriter, *http.Request, Params) {}
	fails := func(http.ResponseWriter, *http.Request) error { return nil }
	if isNil {
		plain, value, fails = nil, nil, nil
	}
	return map[string]func(string, ...RouteOption) (*Route, string){
		"GET ":     func(p string, o ...RouteOption) (*Route, string) { return to.Get(p, plain, o...), here() },
		"HEAD ":    func(p string, o ...RouteOption) (*Route, string) { return to.Head(p, plain, o...), here() },
		"POST ":    func(p string, o ...RouteOption) (*Route, string) { return to.Post(p, plain, o...), here() },
		"PUT ":     func(p string, o ...RouteOption) (*Route, string) { return to.Put(p, plain, o...), here() },
		"PATCH ":   func(p string, o ...RouteOption) (*Route, string) { return to.Patch(p, plain, o...), here() },
		"DELETE ":  func(p string, o ...RouteOption) (*Route, string) { return to.Delete(p, plain, o...), here() },
		"CONNECT ": func(p string, o ...RouteOption) (*Route, string) { return to.Connect(p, plain, o...), here() },
		"OPTIONS ": func(p string, o ...RouteOption) (*Route, string) { return to.Options(p, plain, o...), here() },
		"TRACE ":   func(p string, o ...RouteOption) (*Route, string) { return to.Trace(p, plain, o...), here() },
		"QUERY ":   func(p string, o ...RouteOption) (*Route, string) { return to.Query(p, plain, o...), here() },
		"LINK ": func(p string, o ...RouteOption) (*Route, string) {
			return to.HandleParams("LINK "+p, value, o...), here()
		},
		"UNLINK ": func(p string, o ...RouteOption) (*Route, string) {
			return to.HandleError("UNLINK "+p, fails, o...), here()
		},
	}
}

// TestShorthands: a function that registers takes options, returns the route, which
// knows where it was called, and panics with the error of Add.
func TestShorthands(t *testing.T) {
	for prefix, target := range map[string]func(*Mux) muxOrGroup{
		"":      func(m *Mux) muxOrGroup { return m },
		"/g":    func(m *Mux) muxOrGroup { return m.Route("/g", nil) },
		"/h/in": func(m *Mux) muxOrGroup { return m.Route("/h", nil).Route("/in", nil).With(mark("x")) },
	} {
		m := New()
		to := target(m)
		for method, register := range shorthands(to, false) {
			rt, place := register("/{id}", Name(method), Meta("k", method), Headers("X-Beta", "1"))
			meta, _ := rt.Meta("k")
			if rt.Pattern() != method+prefix+"/{id}" || rt.Name() != method || meta != method || !slices.Equal(rt.Matchers(), []string{`Headers("X-Beta", "1")`}) {
				t.Errorf("%sunder %q: got %v named %q with meta %v and matchers %q", method, prefix, rt, rt.Name(), meta, rt.Matchers())
			}
			if rt.Source() != place {
				t.Errorf("%sunder %q: got source %s, want %s", method, prefix, rt.Source(), place)
			}
			if !slices.Contains(slices.Collect(m.Routes()), rt) {
				t.Errorf("%sunder %q: the route that was returned is not in the mux", method, prefix)
			}
			rt, _ = register("/plain") // without options
			if got := matchOf(m, rt.Methods()[0], prefix+"/plain"); got != method+prefix+"/plain" {
				t.Errorf("%sunder %q: a request for it matches %s", method, prefix, got)
			}
		}
		before := stateOf(m)
		for method, register := range shorthands(to, false) {
			for what, want := range map[string]struct {
				pattern string
				options []RouteOption
				err     any
			}{
				"a duplicate":     {"/plain", nil, new(*ConflictError)},
				"a bad pattern":   {"/{", nil, new(*PatternError)},
				"a name's second": {"/new", []RouteOption{Name(method)}, new(*NameError)},
				"a bad option":    {"/new", []RouteOption{Headers()}, new(*OptionError)},
			} {
				err, _ := recovered(func() { register(want.pattern, want.options...) }).(error)
				if err == nil || !errors.As(err, want.err) {
					t.Errorf("%sunder %q, %s: panicked with %v, want a %T", method, prefix, what, err, want.err)
				}
			}
		}
		for method, register := range shorthands(to, true) {
			if err, _ := recovered(func() { register("/new") }).(error); !errors.Is(err, ErrNilHandler) {
				t.Errorf("%sunder %q: a nil handler: panicked with %v, want ErrNilHandler", method, prefix, err)
			}
		}
		if got := stateOf(m); got != before {
			t.Errorf("under %q: the mux is now\n%s\nwas\n%s", prefix, got, before)
		}
	}
}
