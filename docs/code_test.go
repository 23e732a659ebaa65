package docs

import (
	"context"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// A block of Go code is one of three:
//
//   - a file, which begins with its package clause. Those of a page that are of the same
//     package are compiled together, but for programs; one that imports "testing" has tests;
//   - declarations, which the code behind them on the page may use;
//   - the inside of a function.
//
// Declarations and insides of a page are one package with testdata/PAGE/names.go, whose
// imports they may use.

// codePages are the pages with Go code that are not in this folder.
var codePages = []string{"README.md", "SECURITY.md"}

// standIns are for what the repository's modules do not require.
var standIns = strings.NewReplacer(
	`"github.com/go-chi/chi"`, `"github.com/go-chi/chi/v5"`, // which has the same functions
)

// absent are modules that no module of the repository can require, since the module proxy that it is
// built with answers 403 for all their versions. Files that import one of them are formatted Go, but are
// not compiled here. The tests of routebench/routers check how those of adding-a-router.md use routebench.
var absent = map[string]string{ // the page by module
	"github.com/FlavioCFOliveira/MuxMaster": "docs/adding-a-router.md",
	"github.com/fox-toolkit/fox":            "docs/adding-a-router.md",
	"github.com/naoina/denco":               "docs/adding-a-router.md",
	"github.com/nbari/violetear":            "docs/adding-a-router.md",
}

// absentImport returns the module that a file imports and the repository cannot require, or "".
func absentImport(f *ast.File) string {
	for _, spec := range f.Imports {
		if name := strings.Trim(spec.Path.Value, `"`); absent[name] != "" {
			return name
		}
	}
	return ""
}

// TestAbsentModules: a module is exempt from compiling only as long as the page imports it and lists it
// in a table, and no module of the repository requires it.
func TestAbsentModules(t *testing.T) {
	text, err := os.ReadFile(workspace(t))
	if err != nil {
		t.Fatal(err)
	}
	var required strings.Builder
	for _, m := range usedModule.FindAllStringSubmatch(string(text), -1) {
		file, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(m[1]), "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		required.Write(file)
	}
	if !strings.Contains(required.String(), "\tgithub.com/gin-gonic/gin v") {
		t.Fatal("the go.mod files of the workspace were not read: none requires gin")
	}
	imported := make(map[string]string)
	tables := make(map[string]string)
	for _, p := range pagesWithCode(t) {
		for _, b := range goBlocks(p) {
			if f, err := parser.ParseFile(token.NewFileSet(), "", b.text, parser.ImportsOnly); err == nil {
				if name := absentImport(f); name != "" {
					imported[name] = p.name
				}
			}
		}
		tables[p.name] = strings.Join(p.prose, "\n")
	}
	for module, page := range absent {
		if imported[module] != page {
			t.Errorf("%s does not import %s, but %q does", page, module, imported[module])
		}
		if !regexp.MustCompile("(?m)^\\|.*`" + regexp.QuoteMeta(module) + "`.*\\|$").MatchString(tables[page]) {
			t.Errorf("%s has no table with %s", page, module)
		}
		if strings.Contains(required.String(), module+" v") {
			t.Errorf("a module of the repository requires %s: its code can be compiled", module)
		}
	}
}

func pagesWithCode(t *testing.T) []page {
	t.Helper()
	pages := guides(t)
	for _, name := range codePages {
		pages = append(pages, readPage(t, name))
	}
	return pages
}

func goBlocks(p page) []block {
	var blocks []block
	for _, b := range p.blocks {
		if b.lang == "go" {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// TestCodeIsFormatted: gofmt changes nothing.
func TestCodeIsFormatted(t *testing.T) {
	blocks := 0
	for _, p := range pagesWithCode(t) {
		for _, b := range goBlocks(p) {
			blocks++
			formatted, err := format.Source([]byte(b.text))
			if err != nil {
				t.Errorf("%s:%d: %v", b.page, b.line, err)
			} else if string(formatted) != b.text {
				t.Errorf("%s:%d: gofmt makes of it\n%s", b.page, b.line, formatted)
			}
		}
	}
	if blocks < 30 {
		t.Errorf("%d blocks of Go code found, want 30 at least", blocks)
	}
}

// TestCode: all code compiles, and go vet has nothing to say. Its tests pass. The code of
// all pages is one module, so that one command reads what it imports.
func TestCode(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("the compiler takes long, and no other way under the race detector")
	}
	m := newModule(t)
	for _, p := range pagesWithCode(t) {
		for name, files := range packagesOf(t, p) {
			m.add(t, strings.TrimSuffix(p.name, ".md")+"/"+name, files)
		}
	}
	m.run(t, "vet", "./...")
	m.run(t, append([]string{"test", "-vet=off"}, m.tested...)...)
}

// packagesOf returns the files of a page's packages. Programs are called main1 and so on.
func packagesOf(t *testing.T, p page) map[string]map[string]string {
	t.Helper()
	packages := make(map[string]map[string]string)
	add := func(name, file, text string) {
		if packages[name] == nil {
			packages[name] = make(map[string]string)
		}
		packages[name][file] = text
	}
	blocks := goBlocks(p)
	if len(blocks) == 0 {
		return nil
	}
	n := readNames(t, p)
	for i, b := range blocks {
		file, text := fmt.Sprintf("block%d.go", i), standIns.Replace(b.text)
		f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ParseComments)
		if err != nil {
			if text, err := n.fileOf(b); err != nil {
				t.Errorf("%s:%d: %v", b.page, b.line, err)
			} else {
				add(n.pkg, file, text)
			}
			continue
		}
		if absentImport(f) != "" {
			continue
		}
		name := f.Name.Name
		if name == "main" {
			name = fmt.Sprint("main", i)
		}
		if strings.Contains(text, `"testing"`) {
			file = fmt.Sprintf("block%d_test.go", i)
		}
		add(name, file, lineOf(b)+text)
	}
	if packages[n.pkg] != nil {
		add(n.pkg, "names.go", n.text)
	}
	return packages
}

// names is what a page's code may use and does not show.
type names struct {
	text    string
	pkg     string
	imports map[string]string // import declarations by the name in code
}

var version = regexp.MustCompile(`^v[0-9]+$`)

func readNames(t *testing.T, p page) names {
	t.Helper()
	file := filepath.Join("testdata", filepath.FromSlash(strings.TrimSuffix(p.name, ".md")), "names.go")
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return names{text: "package page\n", pkg: "page"}
	}
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := names{string(text), f.Name.Name, make(map[string]string)}
	for _, spec := range f.Imports {
		name := strings.Trim(spec.Path.Value, `"`)
		if version.MatchString(path.Base(name)) {
			name = path.Dir(name)
		}
		name, decl := path.Base(name), "import "+spec.Path.Value
		if spec.Name != nil && spec.Name.Name != "_" {
			name, decl = spec.Name.Name, "import "+spec.Name.Name+" "+spec.Path.Value
		}
		n.imports[name] = decl
	}
	return n
}

// fileOf makes a file of a block that is declarations or the inside of a function, with
// the imports that it needs.
func (n names) fileOf(b block) (string, error) {
	before, after := "", ""
	f, err := n.parse(b.text)
	if err != nil {
		before, after = "func _() {\n", "}\n"
		f, err = n.parse(before + b.text + after)
	}
	if err != nil {
		return "", fmt.Errorf("it is neither a file nor declarations nor the inside of a function: %w", err)
	}
	if before != "" {
		after = leftOver(f) + after
	}
	used := make(map[string]bool)
	var imports strings.Builder
	for _, id := range f.Unresolved {
		if decl := n.imports[id.Name]; decl != "" && !used[id.Name] {
			used[id.Name] = true
			imports.WriteString(decl + "\n")
		}
	}
	return fmt.Sprintf("package %s\n%s%s%s%s%s", n.pkg, &imports, before, lineOf(b), b.text, after), nil
}

func (n names) parse(text string) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), "", "package "+n.pkg+"\n"+text, 0)
}

// leftOver returns statements that use what the first function of a file defines at its
// top, and leaves to the code that would follow.
func leftOver(f *ast.File) string {
	body := f.Decls[0].(*ast.FuncDecl).Body
	uses := make(map[string]int)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			uses[n.Name]++
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if id, ok := e.(*ast.Ident); ok {
					uses[id.Name]-- // which is no use
				}
			}
		}
		return true
	})
	var left strings.Builder
	for _, stmt := range body.List {
		if def, ok := stmt.(*ast.AssignStmt); ok && def.Tok == token.DEFINE {
			for _, e := range def.Lhs {
				if name := e.(*ast.Ident).Name; name != "_" && uses[name] == 0 {
					fmt.Fprintf(&left, "_ = %s\n", name)
				}
			}
		}
	}
	return left.String()
}

// lineOf returns a line after which positions are those of a page.
func lineOf(b block) string { return fmt.Sprintf("//line /%s:%d\n", b.page, b.line) }

// A module has the packages of all pages, as PAGE/PACKAGE. It is in a workspace with all
// modules of the repository: the code of a page may import what any of them requires.
type module struct {
	dir    string
	tested []string // packages that have tests, as patterns for the go command
}

// use is a module of the repository in go.work.
var use = regexp.MustCompile(`(?m)^\t\.`)

// usedModule is the folder of a module of the repository in go.work.
var usedModule = regexp.MustCompile(`(?m)^\t(\.\S*)$`)

func newModule(t *testing.T) *module {
	t.Helper()
	m := &module{dir: t.TempDir()}
	work := workspace(t)
	text, err := os.ReadFile(work)
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(work + ".sum")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod":      "module code.example\n\ngo 1.26\n",
		"go.work":     use.ReplaceAllLiteralString(string(text), "\t"+filepath.Dir(work)+"/.") + "\nuse .\n",
		"go.work.sum": string(sums),
	} {
		m.write(t, name, text)
	}
	return m
}

func (m *module) write(t *testing.T, name, text string) {
	t.Helper()
	file := filepath.Join(m.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// add adds a package.
func (m *module) add(t *testing.T, pkg string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		m.write(t, pkg+"/"+name, text)
		if pattern := "./" + pkg; strings.HasSuffix(name, "_test.go") && !slices.Contains(m.tested, pattern) {
			m.tested = append(m.tested, pattern)
		}
	}
}

// run runs the go command in the module. What it says has the pages' positions.
func (m *module) run(t *testing.T, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOWORK="+filepath.Join(m.dir, "go.work"), "GUIDE="+filepath.Join(filepath.Dir(workspace(t)), "docs", "guide.md"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// workspace returns the path of go.work.
func workspace(t *testing.T) string {
	t.Helper()
	file, err := filepath.Abs("../go.work")
	if err != nil {
		t.Fatal(err)
	}
	return file
}
