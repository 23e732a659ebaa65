package muxwell

import (
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/muxwell/muxwell/internal/matcher"
)

// TestGroupPrefixes: a prefix stands in front of the path of a pattern, and the
// host of either in front of both.
func TestGroupPrefixes(t *testing.T) {
	for _, row := range []struct {
		prefixes []string // from the outside
		pattern  string
		want     string // the pattern in the mux
		request  string
		answer   string
	}{
		{[]string{"/api"}, "", "/api", "GET /api", "200 /api"},
		{[]string{"/api"}, "/", "/api/", "GET /api", "307 /api/ /api/"},
		{[]string{"/api"}, "/", "/api/", "GET /api/x/y", "200 /api/"},
		{[]string{"/api"}, "/{$}", "/api/{$}", "GET /api/x", "404"},
		{[]string{"/api"}, "/x", "/api/x", "GET /api/x", "200 /api/x"},
		{[]string{"/api"}, "GET /x", "GET /api/x", "POST /api/x", "405 GET, HEAD"},
		{[]string{"/api"}, "GET,POST /x", "GET,POST /api/x", "POST /api/x", "200 GET,POST /api/x"},
		{[]string{"/api"}, "GET", "GET /api", "GET /api", "200 GET /api"},
		{[]string{"/api"}, "GET ", "GET /api", "GET /api", "200 GET /api"},
		{[]string{"/api"}, "GET\t /x", "GET\t /api/x", "GET /api/x", "200 GET\t /api/x"},
		{[]string{"/api"}, "example.com", "example.com/api", "GET example.com/api", "200 example.com/api"},
		{[]string{"/api"}, "GET example.com", "GET example.com/api", "GET Example.com./api", "200 GET example.com/api"},
		{[]string{"/api"}, "example.com/x", "example.com/api/x", "GET other/api/x", "404"},
		{[]string{"/api"}, "GET {t}.example.com/x/{id}", "GET {t}.example.com/api/x/{id}", "GET a.example.com/api/x/7", "200 GET {t}.example.com/api/x/{id} t=a id=7"},
		{[]string{"/api/"}, "/x", "/api/x", "GET /api/x", "200 /api/x"},
		{[]string{"/api/"}, "", "/api", "GET /api", "200 /api"},
		{[]string{"/", "/x"}, "/y", "/x/y", "GET /x/y", "200 /x/y"},
		{[]string{"", "/x", ""}, "", "/x", "GET /x", "200 /x"},
		{[]string{"", ""}, "/y", "/y", "GET /y", "200 /y"},
		{[]string{"/a", "/b", "/c/d"}, "/e", "/a/b/c/d/e", "GET /a/b/c/d/e", "200 /a/b/c/d/e"},
		{[]string{"/u/{id}"}, "/x/{y}", "/u/{id}/x/{y}", "GET /u/1/x/2", "200 /u/{id}/x/{y} id=1 y=2"},
		{[]string{"/u/{id:int}"}, "", "/u/{id:int}", "GET /u/x", "404"},
		{[]string{"/u/{id:int}"}, "/{n:[a-z]{2}}", "/u/{id:int}/{n:[a-z]{2}}", "GET /u/-1/ab", "200 /u/{id:int}/{n:[a-z]{2}} id=-1 n=ab"},
		{[]string{"/u/{id:[^/]+}"}, "/x", "/u/{id:[^/]+}/x", "GET /u/a/x", "200 /u/{id:[^/]+}/x id=a"},
		{[]string{"/f/{n}.{e}"}, "/x", "/f/{n}.{e}/x", "GET /f/a.b/x", "200 /f/{n}.{e}/x n=a e=b"},
		{[]string{"/r/{p...}"}, "/raw", "/r/{p...}/raw", "GET /r/a/b/raw", "200 /r/{p...}/raw p=a/b"},
		{[]string{"/r/{p...}"}, "", "/r/{p...}", "GET /r/", "200 /r/{p...} p="},
		{[]string{"/%7Bx"}, "/%2F", "/%7Bx/%2F", "GET /%7Bx/%2F", "200 /%7Bx/%2F"},
		{[]string{"example.com"}, "/x", "example.com/x", "GET example.com/x", "200 example.com/x"},
		{[]string{"example.com/"}, "/", "example.com/", "GET example.com/x", "200 example.com/"},
		{[]string{"localhost/"}, "/x", "localhost/x", "GET localhost:8080/x", "200 localhost/x"},
		{[]string{"example.com/api"}, "GET /x", "GET example.com/api/x", "GET example.com/api/x", "200 GET example.com/api/x"},
		{[]string{"example.com/api"}, "example.com/x", "example.com/api/x", "GET example.com/api/x", "200 example.com/api/x"},
		{[]string{"Example.com/api"}, "GET example.COM/x", "GET Example.com/api/x", "GET example.com/api/x", "200 GET Example.com/api/x"},
		{[]string{"/api", "example.com"}, "/x", "example.com/api/x", "GET example.com/api/x", "200 example.com/api/x"},
		{[]string{"/api", "localhost/"}, "/x", "localhost/api/x", "GET localhost/api/x", "200 localhost/api/x"},
		{[]string{"/api", "example.com/v2"}, "/x", "example.com/api/v2/x", "GET example.com/api/v2/x", "200 example.com/api/v2/x"},
		{[]string{"example.com", "example.com/v2"}, "/x", "example.com/v2/x", "GET example.com/v2/x", "200 example.com/v2/x"},
		{[]string{"{t}.example.com", "/u/{id}"}, "/x", "{t}.example.com/u/{id}/x", "GET a.example.com/u/7/x", "200 {t}.example.com/u/{id}/x t=a id=7"},
		{[]string{"*.example.com", "/u"}, "", "*.example.com/u", "GET a.example.com/u", "200 *.example.com/u"},
		{[]string{"[::1]/api"}, "/x", "[::1]/api/x", "GET [::1]:80/api/x", "200 [::1]/api/x"},
		{[]string{"example.com:443/c"}, "CONNECT /x", "CONNECT example.com:443/c/x", "CONNECT example.com:443/c/x", "200 CONNECT example.com:443/c/x"},
	} {
		m := New()
		g := m.Group(nil)
		for _, prefix := range row.prefixes {
			g = g.Route(prefix, nil)
		}
		var rt *Route
		rt, err := g.Add(row.pattern, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for _, name := range rt.ParamNames() {
				fmt.Fprintf(w, " %s=%s", name, r.PathValue(name))
			}
		}))
		if err != nil {
			t.Errorf("%q under %q: got error %v", row.pattern, row.prefixes, err)
			continue
		}
		alone, err := New().Add(row.want, http.HandlerFunc(ok))
		if err != nil {
			t.Fatalf("%q: %v", row.want, err)
		}
		if rt.Pattern() != row.want || rt.Path() != alone.Path() || rt.Host() != alone.Host() || !slices.Equal(rt.Methods(), alone.Methods()) {
			t.Errorf("%q under %q: got pattern %q with methods %q, host %q, path %q, want %q", row.pattern, row.prefixes, rt, rt.Methods(), rt.Host(), rt.Path(), row.want)
		}
		if rt.Prefix() != g.Prefix() {
			t.Errorf("%q under %q: the route's prefix is %q, the group's %q", row.pattern, row.prefixes, rt.Prefix(), g.Prefix())
		}
		if got := answerLine(t, m, requestOf(row.request)); got != strings.TrimRight(row.answer, " ") {
			t.Errorf("%s, %q under %q: got %q, want %q", row.request, row.pattern, row.prefixes, got, row.answer)
		}
		if m.Explain(requestOf(row.request)).Route != m.RouteOf(served(m, row.request)) && !strings.HasPrefix(row.answer, "307") {
			t.Errorf("%s, %q under %q: Explain says another route than serves", row.request, row.pattern, row.prefixes)
		}
	}
}

// served returns the request of a line when m has served it.
func served(m *Mux, line string) *http.Request {
	r := requestOf(line)
	answerTo(m, r)
	return r
}

// TestGroupRefusals: what is wrong with a prefix, or with a pattern behind it, is an
// error that names both, and changes nothing.
func TestGroupRefusals(t *testing.T) {
	m := New()
	m.HandleFunc("GET /api/taken", ok)
	before := stateOf(m)
	for _, row := range []struct{ prefix, want string }{
		{"api", `"/api"`},
		{"GET /api", "method"},
		{"GET\t/api", "method"},
		{"/api/{", "{"},
		{"/api/{x", "{x"},
		{"/{x}/{x}", `"x"`},
		{"/{$}", "{$}"},
		{"/a/{$}/b", "{$}"},
		{"/{x:no}", "no"},
		{"/{x:[}", "["},
		{"/{p...}/{q...}", "catch-all"},
		{"{h", "{h"},
		{"ex ample.com/x", "method"},
	} {
		for name, route := range map[string]func(){
			"Mux.Route":   func() { m.Route(row.prefix, func(*Group) { t.Errorf("Route(%q) called its function", row.prefix) }) },
			"Group.Route": func() { m.Group(nil).Route(row.prefix, nil) },
			"Mux.Mount":   func() { m.Mount(row.prefix, http.HandlerFunc(ok)) },
			"mount a mux": func() { m.Mount(row.prefix, newMuxOf([]string{"/x"})) },
		} {
			err, _ := recovered(route).(error)
			var e *PatternError
			if !errors.As(err, &e) || e.Pattern != row.prefix || e.Offset < 0 || e.Offset > len(row.prefix) || !strings.Contains(e.Error(), row.want) {
				t.Errorf("%s(%q): panicked with %v, want a *PatternError about %s", name, row.prefix, err, row.want)
			}
		}
	}
	api, hosted, param := m.Route("/api", nil), m.Route("example.com/api", nil), m.Route("{t}.com/u/{id}", nil)
	for _, row := range []struct {
		group         *Group
		pattern, want string
	}{
		{api, "x", "/api"},
		{api, "GET x", "/x"},
		{api, "users", "/users"},
		{param, "x", "/x"},
		{api, "GET /taken", "group_test.go"},
		{api, "/{x}/{x}", `"x"`},
		{api, "GET //x", "//x"},
		{api, "/{", "{"},
		{hosted, "other.com/x", "host"},
		{hosted, "GET other.com", "host"},
		{hosted, "other.com", "host"},
		{param, "/{id}", `"id"`},
		{param, "/{t}", `"t"`},
		{param, "{t}.org/x", "host"},
	} {
		rt, err := row.group.Add(row.pattern, http.HandlerFunc(ok))
		if err == nil || rt != nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%q under %q: got route %v, error %v, want one about %s", row.pattern, row.group.Prefix(), rt, err, row.want)
		}
	}
	if v := recovered(func() { api.Get("POST /x", ok) }); !strings.Contains(fmt.Sprint(v), "method") {
		t.Errorf("Get with a method: panicked with %v", v)
	}
	for _, f := range []func(){
		func() { api.Handle("/n", nil) },
		func() { api.Get("/n", nil) },
		func() { api.HandleParams("/n", nil) },
		func() { api.HandleError("/n", nil) },
		func() { api.Mount("/n", nil) },
		func() { api.Mount("/n", (*Mux)(nil)) },
		func() { api.Mount("/n", http.HandlerFunc(nil)) },
		func() { m.Mount("/n", nil) },
	} {
		if err, _ := recovered(f).(error); !errors.Is(err, ErrNilHandler) {
			t.Errorf("a nil handler in a group: panicked with %v, want ErrNilHandler", err)
		}
	}
	if v := recovered(func() { api.NotFound(nil) }); v == nil {
		t.Error("Group.NotFound(nil) did not panic")
	}
	if v := recovered(func() { api.MethodNotAllowed(http.HandlerFunc(nil)) }); v == nil {
		t.Error("Group.MethodNotAllowed(nil) did not panic")
	}
	if got := stateOf(m); got != before {
		t.Errorf("the mux is now\n%s\nwas\n%s", got, before)
	}
}

// TestGroupDuplicates: it does not matter in which group a pattern was registered.
func TestGroupDuplicates(t *testing.T) {
	m := New()
	m.Route("/a", func(g *Group) {
		g.Route("/b", func(g *Group) { g.Get("/{x}", ok) })
	})
	for what, add := range map[string]func() (*Route, error){
		"the mux":            func() (*Route, error) { return m.Add("GET /a/b/{y}", http.HandlerFunc(ok)) },
		"a shorter prefix":   func() (*Route, error) { return m.Route("/a", nil).Add("GET /b/{y}", http.HandlerFunc(ok)) },
		"a longer prefix":    func() (*Route, error) { return m.Route("/a/b/{y}", nil).Add("GET", http.HandlerFunc(ok)) },
		"the same prefix":    func() (*Route, error) { return m.Route("/a/b", nil).Add("GET,PUT /{y}", http.HandlerFunc(ok)) },
		"another middleware": func() (*Route, error) { return m.With(mark("x")).Add("GET /a/b/{y}", http.HandlerFunc(ok)) },
	} {
		_, err := add()
		var e *ConflictError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), "group_test.go") {
			t.Errorf("a duplicate in %s: got error %v", what, err)
		}
	}
	if _, err := m.Route("/a", nil).Add("POST /b/{y}", http.HandlerFunc(ok)); err != nil {
		t.Errorf("another method: got error %v", err)
	}
}

// TestGroupHasTheMethodsOfMux: each function of a Mux that registers is there for a
// Group, with the same parameters, and its documentation begins with the same sentence.
func TestGroupHasTheMethodsOfMux(t *testing.T) {
	ofMux := []string{"ByPrecedence", "Check", "Explain", "Handler", "Path", "RouteOf", "Routes", "Sample", "URL", "Update"}
	ofGroup := []string{"MethodNotAllowed", "NotFound", "Prefix"}
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

// TestGroupSource: a route knows the line on which it was registered, in groups,
// mounts and transactions too.
func TestGroupSource(t *testing.T) {
	m, child := New(), New()
	g := m.Route("/g", nil)
	value := func(http.ResponseWriter, *http.Request, Params) {}
	fails := func(http.ResponseWriter, *http.Request) error { return nil }
	fsys := fstest.MapFS{"a": {}}
	m.Mount("/child", child)
	tx := func(f func(*Tx) string) (line string) {
		if err := m.Update(func(tx *Tx) error { line = f(tx); return nil }); err != nil {
			t.Fatal(err)
		}
		return line
	}
	h := http.HandlerFunc(ok)
	for path, register := range map[string]func() string{
		"/HandleError":    func() string { m.HandleError("/HandleError", fails); return here() },
		"/AddError":       func() string { m.Add("/AddError", ErrorFunc(fails)); return here() },
		"/Files/":         func() string { m.Files("/Files/", fsys); return here() },
		"/Mount":          func() string { m.Mount("/Mount", h); return here() },
		"/Mount/":         func() string { m.Mount("/Mount2", h); return "" },
		"/g/Mount":        func() string { g.Mount("/Mount", h); return here() },
		"/g/Handle":       func() string { g.Handle("/Handle", h); return here() },
		"/g/HandleFunc":   func() string { g.HandleFunc("/HandleFunc", ok); return here() },
		"/g/HandleParams": func() string { g.HandleParams("/HandleParams", value); return here() },
		"/g/HandleError":  func() string { g.HandleError("/HandleError", fails); return here() },
		"/g/Add":          func() string { g.Add("/Add", h); return here() },
		"/g/AddParams":    func() string { g.Add("/AddParams", ParamsFunc(value)); return here() },
		"/g/AddError":     func() string { g.Add("/AddError", ErrorFunc(fails)); return here() },
		"/g/Files/":       func() string { g.Files("/Files/", fsys); return here() },
		"/g/Get":          func() string { g.Get("/Get", ok); return here() },
		"/g/Head":         func() string { g.Head("/Head", ok); return here() },
		"/g/Post":         func() string { g.Post("/Post", ok); return here() },
		"/g/Put":          func() string { g.Put("/Put", ok); return here() },
		"/g/Patch":        func() string { g.Patch("/Patch", ok); return here() },
		"/g/Delete":       func() string { g.Delete("/Delete", ok); return here() },
		"/g/Connect":      func() string { g.Connect("/Connect", ok); return here() },
		"/g/Options":      func() string { g.Options("/Options", ok); return here() },
		"/g/Trace":        func() string { g.Trace("/Trace", ok); return here() },
		"/g/Query":        func() string { g.Query("/Query", ok); return here() },
		"/g/With":         func() string { g.With(mark("x")).Get("/With", ok); return here() },
		"/child/Get":      func() string { child.Get("/Get", ok); return here() },
		"/child/g/Get":    func() string { child.Route("/g", nil).Get("/Get", ok); return here() },
		"/tx":             func() string { return tx(func(tx *Tx) string { tx.Add("/tx", h); return here() }) },
		"/txParams": func() string {
			return tx(func(tx *Tx) string { tx.Add("/txParams", ParamsFunc(value)); return here() })
		},
		"/txError": func() string { return tx(func(tx *Tx) string { tx.Add("/txError", ErrorFunc(fails)); return here() }) },
		"/g/tx":    func() string { return tx(func(tx *Tx) string { tx.In(g).Add("/tx", h); return here() }) },
		"/g/replaced": func() string {
			return tx(func(tx *Tx) string {
				rt, _ := tx.In(g).Add("/replaced", h)
				tx.Replace(rt, "", h)
				return here()
			})
		},
	} {
		want := register()
		if want == "" {
			continue
		}
		got := "no route"
		for rt := range m.Routes() {
			if rt.Path() == path {
				got = rt.Source()
			}
		}
		if path == "/g/replaced" {
			if !sameLine(got, want, -1) {
				t.Errorf("%s: got %s, want the line before %s", path, got, want)
			}
			continue
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
		if file, _, _ := strings.Cut(filepath.Base(got), ":"); file != "group_test.go" {
			t.Errorf("%s: got file %s, want group_test.go", path, file)
		}
	}
}

// TestGroupAnswers: a request that no route takes goes to the handler of the
// innermost prefix that has one for it.
func TestGroupAnswers(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(code)
			fmt.Fprintf(w, "%s x=%s y=%s", r.Pattern, r.PathValue("x"), r.PathValue("y"))
		}
	}
	m := New(NotFound(status(600)), MethodNotAllowed(status(650)), TrailingSlash(SlashStrict))
	a := m.Route("/a", nil)
	a.NotFound(status(601))
	a.MethodNotAllowed(status(651))
	m.Route("/a/b", nil).MethodNotAllowed(status(652)) // not in a, but below its prefix
	a.Route("/c", nil).NotFound(status(603))
	m.Route("/p/{x}", nil).NotFound(status(604))
	m.Route("/p/{x:int}/q", nil).NotFound(status(605))
	m.Route("h.com", nil).NotFound(status(606))
	m.Route("{y}.com/z", nil).NotFound(status(607))
	m.Route("/r/{x...}", nil).NotFound(status(608))
	m.Group(nil).Route("/g", func(g *Group) {
		g.With(mark("inside")).Group(func(g *Group) {
			g.NotFound(status(609))
			g.MethodNotAllowed(status(659))
		})
	})
	for _, pattern := range []string{"GET /a/x", "GET /a/b/x", "GET /a/c/x", "GET /p/{z}/x", "GET /g/x", "GET /x"} {
		m.HandleFunc(pattern, ok)
	}
	for request, want := range map[string]string{
		"GET /none": "600", "POST /x": "650", "GET /a": "601", "GET /a/": "601", "GET /a/none": "601", "GET /ab": "600", "GET /A/none": "600",
		"POST /a/x": "651", "POST /a/b/x": "652", "GET /a/b/none": "601", "GET /a/c/none": "603", "POST /a/c/x": "651", "GET /a/c": "603",
		"GET /p/1": "604 x=1", "GET /p/1/2/3": "604 x=1", "GET /p/": "600", "GET /p/1/q/z": "605 x=1", "GET /p/a/q/z": "604 x=a", "POST /p/1/x": "650 x=1", "GET /p/a%2Fb/z": "604 x=a/b",
		"GET h.com/none": "606", "GET h.com:80/a/none": "606", "GET i.com/z/none": "607 y=i", "GET i.com/none": "600", "GET h.com/z/none": "606",
		"GET /r/1/2": "608 x=1/2", "GET /r": "600",
		"GET /g/none": "609", "POST /g/x": "659", "GET *": "600",
		"CONNECT h.com:80/none": "600", "CONNECT h.com/none": "606", "GET /a//none": "307", "GET /a/%2F": "601", "GET /%61/none": "601",
	} {
		w := httptest.NewRecorder()
		if request == "GET *" {
			continue
		}
		r := requestOf(request)
		m.ServeHTTP(w, r)
		got := fmt.Sprint(w.Code)
		if w.Code >= 600 {
			body := strings.Fields(w.Body.String())
			body = slices.DeleteFunc(body, func(s string) bool { return strings.HasSuffix(s, "=") })
			got = strings.TrimSpace(got + " " + strings.Join(body, " "))
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", request, got, want)
		}
		if w.Code >= 650 && w.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: Allow %q, want GET, HEAD", request, w.Header().Get("Allow"))
		}
	}
}

// TestGroupAnswersOfTheSamePrefix: of groups with one prefix one can have such
// handlers.
func TestGroupAnswersOfTheSamePrefix(t *testing.T) {
	m := New()
	for _, prefix := range []string{"", "/a", "/a/{x}", "h.com", "{t}.com/a", "/{x:int}"} {
		g := m.Route(prefix, nil)
		g.NotFound(tells(404))
		g.NotFound(tells(405))
		g.MethodNotAllowed(tells(405))
		other := prefix
		if prefix != "" {
			other = strings.NewReplacer("{x}", "{z}", "{x:", "{z:", "{t}", "{u}", "h.com", "H.com").Replace(prefix) + "/"
		}
		if v := recovered(func() { m.Route(other, nil).NotFound(tells(404)) }); !strings.Contains(fmt.Sprint(v), "prefix") {
			t.Errorf("a second group with prefix %q, written %q: panicked with %v", prefix, other, v)
		}
		if v := recovered(func() { g.With().MethodNotAllowed(tells(404)) }); v == nil {
			t.Errorf("a group without prefix within %q can have a handler of its own", prefix)
		}
	}
}

// TestGroupNames: URLs of routes in groups have the prefix, with its parameters.
func TestGroupNames(t *testing.T) {
	m := New()
	m.Route("{t}.example.com/u/{id:int}", func(g *Group) {
		g.Add("GET /x/{y}", http.HandlerFunc(ok), Name("y"))
		g.Add("GET", http.HandlerFunc(ok), Name("root"))
	})
	for _, row := range []struct {
		pairs []string
		want  string
	}{
		{[]string{"y", "t", "acme", "id", "7", "y", "a/b"}, "//acme.example.com/u/7/x/a%2Fb"},
		{[]string{"root", "t", "acme", "id", "7"}, "//acme.example.com/u/7"},
		{[]string{"y", "t", "acme", "id", "x", "y", "1"}, ""},
		{[]string{"y", "t", "acme", "y", "1"}, ""},
	} {
		u, err := m.URL(row.pairs[0], row.pairs[1:]...)
		if row.want == "" {
			if err == nil {
				t.Errorf("URL(%q): got %v, want an error", row.pairs, u)
			}
		} else if err != nil || u.String() != row.want {
			t.Errorf("URL(%q): got %v, error %v, want %s", row.pairs, u, err, row.want)
		}
	}
}

func namedMiddleware(next http.Handler) http.Handler { return next }

// TestIntrospection: a route says what it has from the groups and mounts around it.
func TestIntrospection(t *testing.T) {
	m, child := New(), New()
	m.Use(namedMiddleware)
	child.Use(mark("child"))
	var inGroup, inChild *Route
	m.Route("h.com/a", func(g *Group) {
		g.Use(mark("a"))
		inGroup, _ = g.With(namedMiddleware).Add("GET,POST /{x}", http.HandlerFunc(ok), Name("n"), Headers("X-Beta", "1"), Meta("k", 1))
		g.Mount("/m/{t}", child)
	})
	inChild, _ = child.Route("/c", nil).Add("PUT /{x}", http.HandlerFunc(ok), Name("c"), Meta("k", 2), Queries("q", "{q}"))
	derived := m.RouteOf(served(m, "PUT h.com/a/m/1/c/2?q=3"))
	if derived == nil || derived == inChild {
		t.Fatalf("the derived route is %v", derived)
	}
	for _, row := range []struct {
		rt   *Route
		want string
	}{
		{inGroup, `GET,POST h.com/a/{x}; [GET POST] "h.com" "/a/{x}"; names [x]; name "n"; k=1; prefix "h.com/a"; in [muxwell.namedMiddleware muxtest.Mark muxwell.namedMiddleware]; [Headers("X-Beta", "1")]`},
		{inChild, `PUT /c/{x}; [PUT] "" "/c/{x}"; names [x q]; name "c"; k=2; prefix "/c"; in [muxtest.Mark]; [Queries("q", "{q}")]`},
		{derived, `PUT h.com/a/m/{t}/c/{x}; [PUT] "h.com" "/a/m/{t}/c/{x}"; names [t x q]; name "c"; k=2; prefix "h.com/a/m/{t}/c"; in [muxwell.namedMiddleware muxtest.Mark muxtest.Mark]; [Queries("q", "{q}")]`},
	} {
		rt := row.rt
		k, _ := rt.Meta("k")
		got := fmt.Sprintf("%s; %v %q %q; names %v; name %q; k=%v; prefix %q; in %v; %v", rt, rt.Methods(), rt.Host(), rt.Path(), rt.ParamNames(), rt.Name(), k, rt.Prefix(), rt.Middleware(), rt.Matchers())
		if got != row.want {
			t.Errorf("got  %s\nwant %s", got, row.want)
		}
	}
	if inChild.Source() != derived.Source() {
		t.Errorf("the derived route is of %s, its origin of %s", derived.Source(), inChild.Source())
	}
}

// TestByPrecedenceIsWhatWins: the routes in the order of precedence are the routes,
// and of those that match a request the first one takes it.
func TestByPrecedenceIsWhatWins(t *testing.T) {
	m, child := New(), New()
	for _, pattern := range []string{"/{x}", "/{x:int}", "/{x:[0-9]+}", "GET /{x}", "/a", "h.com/{x}", "{t}.com/", "{t}.h.com/{x...}", "/", "/a/{y}", "/{p...}/y", "/v{x}", "/{x}v", "GET,HEAD /a/b"} {
		m.HandleFunc(pattern, ok)
	}
	m.Mount("/", child)
	m.Mount("/a", child)
	child.HandleFunc("GET /{y:[a-z]+}", ok)
	child.HandleFunc("POST /a", ok)
	child.Add("/m/{$}", http.HandlerFunc(ok), Headers("X", "1"))
	child.Add("/m/{$}", http.HandlerFunc(ok), Headers("X", "2"))
	child.HandleFunc("/m/{$}", ok)
	order := slices.Collect(m.ByPrecedence())
	registered := slices.Collect(m.Routes())
	for _, rt := range registered {
		if !slices.Contains(order, rt) {
			t.Errorf("ByPrecedence misses %v", rt)
		}
	}
	if len(order) != len(registered) {
		t.Errorf("ByPrecedence has %d routes of %d", len(order), len(registered))
	}
	for _, host := range []string{"", "h.com", "i.com", "i.h.com"} {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT"} {
			for _, path := range []string{"/", "/a", "/7", "/v1", "/1v", "/abc", "/a/b", "/a/7", "/a/a", "/x/y", "/x/z/y", "/m/", "/a/m/", "/a/b/c"} {
				for _, x := range []string{"", "1", "2"} {
					line := method + " " + host + path
					r := requestOf(line)
					r.Header.Set("X", x)
					e := m.Explain(r)
					candidates := []*Route{e.Route}
					for _, c := range e.Others {
						if c.Matched && !slices.ContainsFunc(c.Route.matchers(), func(mt matcher.Matcher) bool { return !mt.Matches(r, m.config.proxies) }) {
							candidates = append(candidates, c.Route)
						}
					}
					if e.Route == nil {
						t.Errorf("%s: no route takes it", line)
						continue
					}
					first := slices.IndexFunc(order, func(rt *Route) bool { return slices.Contains(candidates, rt) })
					if answerTo(m, r); m.RouteOf(r) != e.Route && !safeBuild { // routes share patterns
						t.Errorf("%s, X %q: %v serves, Explain says %v", line, x, m.RouteOf(r), e.Route)
					}
					if order[first] != e.Route && order[first].pattern.Fit(method) == e.Route.pattern.Fit(method) {
						t.Errorf("%s, X %q: %v takes it, but ByPrecedence has %v first", line, x, e.Route, order[first])
					}
				}
			}
		}
	}
}
