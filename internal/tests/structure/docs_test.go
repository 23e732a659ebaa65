package structure

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestPackageDocs: the documentation of each package of the repository begins with a
// synopsis of one sentence, and each of its links leads to a declaration.
func TestPackageDocs(t *testing.T) {
	const longest = 180 // characters of a synopsis
	packages, links := 0, 0
	for _, dir := range folders(t) {
		p := docOf(t, dir)
		if p == nil {
			continue
		}
		packages++
		synopsis := p.Synopsis(p.Doc)
		start := "Package " + p.Name + " "
		if p.Name == "main" {
			start = "Command "
		}
		switch {
		case synopsis == "":
			t.Errorf("%s: package %s has no documentation", dir, p.Name)
		case !strings.HasPrefix(synopsis, start) || !strings.HasSuffix(synopsis, "."):
			t.Errorf("%s: the synopsis %q is not a sentence that begins with %q", dir, synopsis, start)
		case len(synopsis) > longest:
			t.Errorf("%s: the synopsis has %d characters, want %d at most: %q", dir, len(synopsis), longest, synopsis)
		}
		for name, text := range commentsOf(p) {
			n, broken := brokenLinks(p, text)
			links += n
			for _, link := range broken {
				t.Errorf("%s: the documentation of %s links to %s, which is not there", dir, name, link)
			}
		}
	}
	if packages < 60 || links < 500 {
		t.Errorf("%d packages with %d links found, want 60 and 500 at least", packages, links)
	}
}

// folders returns the folders of the repository that may have a package.
func folders(t *testing.T) []string {
	t.Helper()
	var dirs []string
	root := filepath.Join("..", "..", "..")
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil || !d.IsDir():
			return err
		case name == "testdata" || name == "target" || name == "node_modules" || len(name) > 2 && name[0] == '.':
			return filepath.SkipDir
		}
		dirs = append(dirs, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

// docOf returns the documentation of the package in a folder, nil if there is none but
// for tests.
func docOf(t *testing.T, dir string) *doc.Package {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, file := range names {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil
	}
	p, err := doc.NewFromFiles(fset, files, filepath.ToSlash(dir))
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	return p
}

// commentsOf returns the doc comments of a package by what they document.
func commentsOf(p *doc.Package) map[string]string {
	comments := map[string]string{"package " + p.Name: p.Doc}
	funcs := func(prefix string, funcs []*doc.Func) {
		for _, f := range funcs {
			comments[prefix+f.Name] = f.Doc
		}
	}
	values := func(values []*doc.Value) {
		for _, v := range values {
			comments[strings.Join(v.Names, ", ")] = v.Doc
		}
	}
	funcs("", p.Funcs)
	values(p.Consts)
	values(p.Vars)
	for _, typ := range p.Types {
		comments[typ.Name] = typ.Doc
		funcs("", typ.Funcs)
		funcs(typ.Name+".", typ.Methods)
		values(typ.Consts)
		values(typ.Vars)
	}
	return comments
}

// unresolved is what looks like a link to a declaration. In a comment that was parsed it
// is text only if there is no such declaration.
var unresolved = regexp.MustCompile(`\[\*?[A-Za-z]\w*(?:\.[A-Z]\w*){1,2}\]|\[\*?[A-Z]\w*[a-z]\w*\]`)

// brokenLinks returns the number of links to declarations in a doc comment, and those
// that lead nowhere.
func brokenLinks(p *doc.Package, text string) (links int, broken []string) {
	var visit func(texts []comment.Text)
	visit = func(texts []comment.Text) {
		for _, text := range texts {
			switch text := text.(type) {
			case comment.Plain:
				broken = append(broken, unresolved.FindAllString(string(text), -1)...)
			case *comment.DocLink:
				links++
			case *comment.Link:
				visit(text.Text)
			}
		}
	}
	var blocks func([]comment.Block)
	blocks = func(all []comment.Block) {
		for _, b := range all {
			switch b := b.(type) {
			case *comment.Paragraph:
				visit(b.Text)
			case *comment.Heading:
				visit(b.Text)
			case *comment.List:
				for _, item := range b.Items {
					blocks(item.Content)
				}
			}
		}
	}
	blocks(p.Parser().Parse(text).Content)
	return links, broken
}
