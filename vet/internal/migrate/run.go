package migrate

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const usage = `usage: muxwell-vet migrate [flags] [packages]

Migrate rewrites a program that uses http.ServeMux, chi or gorilla/mux for muxwell. The
packages are ./... by default, and should be all of the program: routers cross packages.
Without -w and -diff it only reports what it would do.

It rewrites what is certain. Everything else is a line FILE:LINE:COLUMN: REASON, to be
edited by hand, and with the first of these nothing is written, unless -partial is set.

Exit status: 0 if nothing is left to do by hand, 1 if something is, 2 for a usage error or a
program that does not compile.

`

// A Report is what -json prints.
type Report struct {
	Rewritten   map[string]int      `json:"rewritten"` // uses by router
	Files       []string            `json:"files"`     // those that change
	Written     bool                `json:"written"`
	Diagnostics []Diagnostic        `json:"diagnostics"`
	Faults      []Diagnostic        `json:"faults"`  // where the result does not compile: lines of the changed files
	Changes     map[string][]string `json:"changes"` // what the program does differently, by router
	Commands    []string            `json:"commands"`
}

// options are the flags.
type options struct {
	from     []string
	write    bool
	diff     bool
	json     bool
	partial  bool
	tags     string
	dir      string
	replace  string
	patterns []string
}

// Run is the command muxwell-vet migrate. It returns the exit status.
func Run(args []string, stdout, stderr io.Writer) int {
	var o options
	var from string
	fs := flag.NewFlagSet("migrate", flag.ContinueOnError)
	fs.SetOutput(stderr)
	fs.Usage = func() {
		fmt.Fprint(stderr, usage)
		fs.PrintDefaults()
	}
	fs.StringVar(&from, "from", "", "rewrite only these routers: a list of servemux, chi, gorilla (default all)")
	fs.BoolVar(&o.write, "w", false, "write the files, and add the requirement to go.mod")
	fs.BoolVar(&o.diff, "diff", false, "print the changes as a unified diff")
	fs.BoolVar(&o.json, "json", false, "print the report as JSON")
	fs.BoolVar(&o.partial, "partial", false, "write what is certain even if the rest is left to do; the program may not compile until then")
	fs.StringVar(&o.tags, "tags", "", "build tags, as for go build")
	fs.StringVar(&o.dir, "C", ".", "the directory of the program")
	fs.StringVar(&o.replace, "replace", "", "require muxwell from a local directory, with a replace directive")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	o.from = []string{fromServeMux, fromChi, fromGorilla}
	if from != "" {
		o.from = strings.Split(from, ",")
	}
	for _, name := range o.from {
		if name != fromServeMux && name != fromChi && name != fromGorilla {
			fmt.Fprintf(stderr, "muxwell-vet migrate: -from %s: want servemux, chi or gorilla\n", name)
			return 2
		}
	}
	o.patterns = fs.Args()
	if len(o.patterns) == 0 {
		o.patterns = []string{"./..."}
	}
	if o.replace != "" {
		abs, err := filepath.Abs(o.replace)
		if err != nil {
			fmt.Fprintln(stderr, "muxwell-vet migrate:", err)
			return 2
		}
		o.replace = abs
	}
	r, err := run(o)
	if err != nil {
		fmt.Fprintln(stderr, "muxwell-vet migrate:", err)
		return 2
	}
	r.print(o, stdout)
	if len(r.report.Diagnostics)+len(r.report.Faults) > 0 {
		return 1
	}
	return 0
}

// A result is what run found.
type result struct {
	report Report
	files  []changed
}

// A changed file has its source before and after.
type changed struct {
	name          string
	before, after []byte
}

// run migrates the program, and writes the files if that is asked for and allowed.
func run(o options) (*result, error) {
	dir, err := filepath.Abs(o.dir)
	if err != nil {
		return nil, err
	}
	p, err := load(dir, o.tags, o.patterns)
	if err != nil {
		return nil, err
	}
	m := &migrator{p: p, dir: dir, sites: map[string]int{}, changes: map[string]map[string]int{}}
	if slices.Contains(o.from, fromGorilla) && p.imports(isGorilla) {
		m.order(fromGorilla, migrateGorilla(m))
	}
	if slices.Contains(o.from, fromChi) && p.imports(isChi) {
		m.order(fromChi, migrateChi(m))
	}
	if slices.Contains(o.from, fromServeMux) {
		migrateServeMux(m)
	}
	m.excluded(o.from)
	res := &result{report: Report{Rewritten: m.sites, Changes: map[string][]string{}}}
	for _, f := range p.files {
		if len(f.edits) == 0 {
			continue
		}
		if ast.IsGenerated(f.syntax) {
			m.keep("", f.syntax.Package, "this file is generated: change what generates it too")
		}
		after, err := f.apply(m.gone)
		if err != nil {
			return nil, err
		}
		res.files = append(res.files, changed{f.name, f.src, after})
		res.report.Files = append(res.report.Files, m.rel(f.name))
	}
	if len(res.files) > 0 {
		faults, err := verify(p, o, dir, res.files)
		if err != nil {
			return nil, err
		}
		res.report.Faults = m.unexpected(faults, res.files)
	}
	slices.SortFunc(m.diags, compareDiagnostics)
	res.report.Diagnostics = m.diags
	for _, from := range o.from {
		if list := m.changesOf(from); len(list) > 0 {
			res.report.Changes[from] = list
		}
	}
	if len(res.files) == 0 {
		return res, nil
	}
	res.report.Commands = commands(o)
	refused := len(res.report.Faults) > 0 || slices.ContainsFunc(m.diags, func(d Diagnostic) bool { return !d.Kept })
	if !o.write || refused && !o.partial {
		return res, nil
	}
	for _, file := range res.files {
		if err := os.WriteFile(file.name, file.after, 0o666); err != nil {
			return nil, err
		}
	}
	res.report.Written = true
	if o.replace == "" {
		return res, nil
	}
	cmd := exec.Command("go", "mod", "edit", "-require="+muxwellPath+"@v0.0.0", "-replace="+muxwellPath+"="+o.replace)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go mod edit: %w\n%s", err, out)
	}
	return res, nil
}

// excluded reports files that build constraints exclude and that use a router.
func (m *migrator) excluded(from []string) {
	for _, pkg := range m.p.pkgs {
		for _, name := range pkg.IgnoredFiles {
			syntax, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				continue
			}
			for _, spec := range syntax.Imports {
				ipath := importPath(spec)
				if isChi(ipath) && slices.Contains(from, fromChi) || isGorilla(ipath) && slices.Contains(from, fromGorilla) {
					m.add(Diagnostic{
						File: m.rel(name), Line: 1, Column: 1,
						Message: "build constraints exclude this file, which imports " + ipath + ": run the command again with -tags or GOOS",
					})
				}
			}
		}
	}
}

// unexpected returns the faults that are not at a place with a diagnostic, with their
// lines in the source, if these have not changed.
func (m *migrator) unexpected(faults []Diagnostic, files []changed) (list []Diagnostic) {
	lines := map[string][]int{}
	for _, f := range files {
		lines[f.name] = oldLines(string(f.before), string(f.after))
	}
	for _, d := range faults {
		if old := lines[d.File]; d.Line <= len(old) && old[d.Line-1] > 0 {
			d.Line = old[d.Line-1]
		}
		d.File = m.rel(d.File)
		if !slices.ContainsFunc(m.diags, func(o Diagnostic) bool {
			return o.File == d.File && o.Line-1 <= d.Line && d.Line <= o.Line+1
		}) {
			list = append(list, d)
		}
	}
	return list
}

// commands returns what is left to do in the module.
func commands(o options) []string {
	if o.replace != "" {
		return []string{"go mod tidy", "go test ./..."}
	}
	return []string{"go get " + muxwellPath, "go mod tidy", "go test ./..."}
}

// imports reports whether a file of the program imports a package.
func (p *program) imports(is func(string) bool) bool {
	for _, f := range p.files {
		if slices.ContainsFunc(f.syntax.Imports, func(s *ast.ImportSpec) bool { return is(importPath(s)) }) {
			return true
		}
	}
	return false
}

func compareDiagnostics(a, b Diagnostic) int {
	if c := strings.Compare(a.File, b.File); c != 0 {
		return c
	}
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return a.Column - b.Column
}

func (r *result) print(o options, w io.Writer) {
	if o.json {
		if r.report.Diagnostics == nil {
			r.report.Diagnostics = []Diagnostic{}
		}
		enc := json.NewEncoder(w)
		enc.SetIndent("", "\t")
		_ = enc.Encode(r.report)
		return
	}
	if o.diff {
		for _, f := range r.files {
			fmt.Fprint(w, unifiedDiff(relName(o.dir, f.name), string(f.before), string(f.after)))
		}
	}
	for _, d := range r.report.Diagnostics {
		fmt.Fprintln(w, d)
	}
	for _, d := range r.report.Faults {
		fmt.Fprintln(w, d)
	}
	for _, from := range o.from {
		if n := r.report.Rewritten[from]; n > 0 {
			fmt.Fprintf(w, "%s: %d uses rewritten\n", from, n)
		}
		if list := r.report.Changes[from]; len(list) > 0 {
			fmt.Fprintf(w, "What changes, see %s%s:\n", docs, pages[from])
			for _, text := range list {
				fmt.Fprintf(w, "  - %s\n", text)
			}
		}
	}
	manual, kept := len(r.report.Faults), 0
	for _, d := range r.report.Diagnostics {
		if d.Kept {
			kept++
		} else {
			manual++
		}
	}
	switch {
	case len(r.files) == 0 && len(r.report.Diagnostics) == 0:
		fmt.Fprintln(w, "nothing to rewrite")
	case r.report.Written:
		fmt.Fprintf(w, "files written: %d; places to edit by hand: %d, to check: %d. Next:\n", len(r.files), manual, kept)
		for _, c := range r.report.Commands {
			fmt.Fprintf(w, "  %s\n", c)
		}
	case o.write:
		fmt.Fprintf(w, "nothing written, since places to edit by hand are left (%d); -partial writes the rest\n", manual)
	default:
		fmt.Fprintf(w, "files that would change: %d; places to edit by hand: %d, to check: %d\n", len(r.files), manual, kept)
	}
}

func relName(dir, name string) string {
	abs, err := filepath.Abs(dir)
	if err == nil {
		if rel, err := filepath.Rel(abs, name); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return name
}

// pages have the complete tables of what differs.
var pages = map[string]string{
	fromServeMux: "migrate.md#from-httpservemux",
	fromChi:      "migrate.md#from-chi",
	fromGorilla:  "migrate-from-gorilla.md#on-to-muxwells-own-api",
}
