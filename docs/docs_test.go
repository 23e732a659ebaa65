package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var (
	link   = regexp.MustCompile(`\]\(([^)\s]+)(?: "[^"]*")?\)`)
	source = regexp.MustCompile(`(?:src|srcset|href)="([^"\s]+)"`)
)

// TestLinks: a relative link of a page of the repository leads to a file or a folder
// that is there, and its anchor to a heading of that page.
func TestLinks(t *testing.T) {
	links := 0
	for _, name := range allPages(t) {
		p := readPage(t, name)
		for i, line := range p.prose {
			line = codeSpan.ReplaceAllString(line, "`code`")
			for _, found := range append(link.FindAllStringSubmatch(line, -1), source.FindAllStringSubmatch(line, -1)...) {
				if strings.Contains(found[1], "://") || strings.HasPrefix(found[1], "mailto:") {
					continue
				}
				links++
				if fault := followLink(t, p, found[1]); fault != "" {
					t.Errorf("%s:%d: the link %s: %s", name, i+1, found[1], fault)
				}
			}
		}
	}
	if links < 100 {
		t.Errorf("%d relative links found, want 100 at least", links)
	}
}

// TestReadmeIsShort: README.md is for someone who chooses a router in five minutes.
func TestReadmeIsShort(t *testing.T) {
	const most = 200
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > most {
		t.Errorf("README.md has %d lines, want %d at most; move what explains to a page of docs", n, most)
	}
}

// allPages returns the Markdown files of the repository, without those that tests have
// as their data.
func allPages(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "target" || len(d.Name()) > 2 && d.Name()[0] == '.'):
			return filepath.SkipDir
		case strings.HasSuffix(file, ".md"):
			names = append(names, filepath.ToSlash(strings.TrimPrefix(file, ".."+string(filepath.Separator))))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// followLink says what is wrong with a relative link, or returns "".
func followLink(t *testing.T, p page, target string) string {
	t.Helper()
	file, anchor, _ := strings.Cut(target, "#")
	name := p.name
	if file != "" {
		name = path.Join(path.Dir(p.name), file)
		if _, err := os.Stat(filepath.Join("..", name)); err != nil {
			return "there is no " + name
		}
		if anchor == "" || !strings.HasSuffix(name, ".md") {
			return ""
		}
		p = readPage(t, name)
	}
	if !slices.Contains(anchorsOf(p), anchor) {
		return name + " has no such heading"
	}
	return ""
}

var (
	heading = regexp.MustCompile(`^#{1,6} (.+)$`)
	named   = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
)

// anchorsOf returns the anchors of a page as GitHub makes them of its headings: in lower
// case, without punctuation, with a '-' for each blank.
func anchorsOf(p page) []string {
	var anchors []string
	times := make(map[string]int)
	for _, line := range p.prose {
		for _, found := range named.FindAllStringSubmatch(line, -1) {
			anchors = append(anchors, found[1])
		}
		found := heading.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		anchor := strings.Map(func(c rune) rune {
			switch {
			case c == ' ':
				return '-'
			case unicode.IsLetter(c), unicode.IsDigit(c), c == '-', c == '_':
				return unicode.ToLower(c)
			}
			return -1
		}, link.ReplaceAllString(found[1], "]"))
		times[anchor]++
		if n := times[anchor]; n > 1 {
			anchor += "-" + string(rune('0'+n-1))
		}
		anchors = append(anchors, anchor)
	}
	return anchors
}

// TestPathsDifferInMoreThanCase: no two files or folders of the repository have paths
// that differ only in case. The go command refuses to download a module with such paths,
// and some file systems cannot hold both.
func TestPathsDifferInMoreThanCase(t *testing.T) {
	files, paths := 0, make(map[string]string)
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		files++
		folded := strings.ToLower(strings.ToUpper(file))
		if other, ok := paths[folded]; ok {
			t.Errorf("%s and %s differ only in case", other, file)
		}
		paths[folded] = file
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 500 {
		t.Errorf("%d files and folders found, want 500 at least", files)
	}
}

var testLink = regexp.MustCompile("\\[`(\\w+)`\\]\\(([^)]+_test\\.go)\\)")

// TestThreats: each line of the threat model names a test, and each test that it names
// is in the file that it leads to.
func TestThreats(t *testing.T) {
	tests := 0
	for _, r := range rowsOf(readPage(t, "docs/security.md"), "test") {
		links := testLink.FindAllStringSubmatch(r.cells["test"], -1)
		if len(links) == 0 {
			t.Errorf("%s:%d: the threat %q names no test", r.page, r.line, r.cells["threat"])
		}
		for _, l := range links {
			tests++
			if !slices.Contains(functionsOf(t, path.Join("docs", l[2])), l[1]) {
				t.Errorf("%s:%d: there is no %s in %s", r.page, r.line, l[1], l[2])
			}
		}
	}
	if tests < 30 {
		t.Errorf("%d tests named, want 30 at least", tests)
	}
}

// functionsOf returns the functions that a Go file declares.
func functionsOf(t *testing.T, name string) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", name), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return nil
	}
	var functions []string
	for _, decl := range f.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil {
			functions = append(functions, fn.Name.Name)
		}
	}
	return functions
}
