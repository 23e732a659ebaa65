package middleware

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/tests/long"
)

const namesProgram = "./testdata/names"

// TestNames: Route.Middleware has the names of this package's functions, wherever the
// compiler has inlined them, and says where that of others is if it does not know.
func TestNames(t *testing.T) {
	builds := []struct {
		name    string
		inlined bool
		slow    bool
		flags   []string
	}{
		{"inlined", true, false, nil},
		{"not inlined", false, false, []string{"-gcflags=github.com/muxwell/...=-l"}},
		{"package not inlined", true, true, []string{"-gcflags=github.com/muxwell/muxwell/middleware=-l"}},
		{"trimmed paths", true, true, []string{"-trimpath"}},
		{"stripped", true, true, []string{"-ldflags=-s -w"}},
		{"covered", true, true, []string{"-cover", "-covermode=set", "-coverpkg=github.com/muxwell/muxwell/middleware"}},
	}
	if raceEnabled { // so that there is a standard library for it
		builds[0].flags = []string{"-race"}
	}
	functions := middlewareFunctions(t)
	for _, b := range builds {
		t.Run(b.name, func(t *testing.T) {
			if b.slow {
				long.Only(t, "it compiles a program once more, and with some flags the standard library")
			}
			got := namesOf(t, b.flags)
			for _, f := range functions {
				if got[f] == "" {
					t.Errorf("%s does not show %s", namesProgram, f)
				}
			}
			for form, name := range got {
				function, _, _ := strings.Cut(form, "-")
				if want := "middleware." + function; function != "own" && name != want {
					t.Errorf("%s: got %q, want %q", form, name, want)
				}
			}
			plain, placed := ownNames(t, false), ownNames(t, b.inlined)
			for form, want := range placed { // a release of Go may inline less
				if name := got[form]; name != want && name != plain[form] {
					t.Errorf("%s: got %q, want %q or %q", form, name, want, plain[form])
				}
			}
		})
	}
}

// namesOf returns what the program prints, by form, if it is built with flags.
func namesOf(t *testing.T, flags []string) map[string]string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "names.exe")
	args := append(append([]string{"build", "-o", program}, flags...), namesProgram)
	if out, err := exec.CommandContext(t.Context(), "go", args...).CombinedOutput(); err != nil {
		t.Fatalf("go %q: %v\n%s", args, err, out)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), "GOCOVERDIR="+t.TempDir())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for line := range strings.Lines(string(out)) {
		form, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		names[form] = name
	}
	return names
}

// ownNames returns what the program prints of middleware that is not this package's.
func ownNames(t *testing.T, inlined bool) map[string]string {
	t.Helper()
	names := map[string]string{
		"own-plain":            "own.Plain",
		"own-literal":          "own.Logged",
		"own-generic":          "own.LoggedOf[...]",
		"own-method":           "own.(*T).Wrap",
		"own-value-method":     "own.T.WrapValue",
		"own-interface-method": "main.wrapping.Wrap",
		"own-of-method":        "own.(*T).Logged",
		"own-here":             "main.ownMiddleware",
	}
	if inlined {
		source, err := os.ReadFile(filepath.Join(namesProgram, "own", "own.go"))
		if err != nil {
			t.Fatal(err)
		}
		for form, header := range map[string]string{
			"own-literal":   "func Logged() ",
			"own-generic":   "func LoggedOf[V any]() ",
			"own-of-method": "func (t *T) Logged() ",
		} {
			before, _, found := strings.Cut(string(source), header)
			if !found {
				t.Fatalf("own.go has no %q", header)
			}
			line := strconv.Itoa(strings.Count(before, "\n") + 2) // the one below
			names[form] = strings.Replace(names[form], "own.", "main.ownMiddleware.", 1) + " (own.go:" + line + ")"
		}
	}
	return names
}

// middlewareFunctions returns the names of the package's functions that are or return
// middleware.
func middlewareFunctions(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			if results := f.Type.Results; results != nil && len(results.List) == 1 && (isMiddleware(f.Type) || isMiddleware(results.List[0].Type)) {
				names = append(names, f.Name.Name)
			}
		}
	}
	if len(names) < 15 {
		t.Errorf("%d functions found, %q, want 15 at least", len(names), names)
	}
	return names
}

// isMiddleware reports whether a type is func(http.Handler) http.Handler.
func isMiddleware(e ast.Expr) bool {
	f, ok := e.(*ast.FuncType)
	return ok && f.Params.NumFields() == 1 && f.Results.NumFields() == 1 && isHandler(f.Params.List[0].Type) && isHandler(f.Results.List[0].Type)
}

func isHandler(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Handler"
}
