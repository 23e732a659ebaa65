package migrate

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	// The cases require them.
	_ "github.com/go-chi/chi/v5"
	_ "github.com/gorilla/mux"
)

var update = flag.Bool("update", false, "write what the cases want")

// TestMain turns off the workspace of this repository: the cases are modules of their own.
func TestMain(m *testing.M) {
	os.Setenv("GOWORK", "off")
	os.Exit(m.Run())
}

// probe is added to programs with requests. They have a func newHandler() http.Handler,
// and its answers are printed.
const probe = `package main

import (
	"fmt"
	"net/http/httptest"
	"strings"
)

func main() {
	h := newHandler()
	for _, request := range strings.Split(requests, "\n") {
		if request == "" {
			continue
		}
		method, target, _ := strings.Cut(request, " ")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, target, nil))
		if w.Code == 405 {
			w.Body.Reset() // only muxwell explains it
		}
		fmt.Printf("%s: %d %s %q\n", request, w.Code, w.Header().Get("Location"), w.Body.String())
	}
}

const requests = ` + "`REQUESTS`\n"

// module writes a case to a directory, as a module that can import both routers.
func module(t *testing.T, files []txtar.File) string {
	t.Helper()
	dir := t.TempDir()
	mod := `module example.com/p

go 1.26.0

require (
	github.com/go-chi/chi/v5 ` + version(t, "github.com/go-chi/chi/v5") + `
	github.com/gorilla/mux ` + version(t, "github.com/gorilla/mux") + `
	github.com/muxwell/muxwell v0.0.0
)

replace github.com/muxwell/muxwell => ` + root(t) + "\n"
	sum, err := os.ReadFile("../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.mod"), []byte(mod))
	write(t, filepath.Join(dir, "go.sum"), sum)
	for _, f := range files {
		write(t, filepath.Join(dir, f.Name), f.Data)
	}
	return dir
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// version returns the version of a module that this one requires.
func version(t *testing.T, path string) string {
	t.Helper()
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mod)) {
		if f := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "require ")); len(f) >= 2 && f[0] == path {
			return f[1]
		}
	}
	t.Fatalf("go.mod does not require %s", path)
	return ""
}

// A case is an archive: flags in its comment, the program, and what is wanted: files
// under want/, the lines of the report in "report". With a file "requests" the program is
// run before and after, and gives the same answers to them.
func TestCases(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal("no cases", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			testCase(t, name)
		})
	}
}

func testCase(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var source, wanted []txtar.File
	var report, requests string
	for _, f := range archive.Files {
		switch {
		case strings.HasPrefix(f.Name, "want/"):
			wanted = append(wanted, f)
		case f.Name == "report":
			report = string(f.Data)
		case f.Name == "requests":
			requests = string(f.Data)
		default:
			source = append(source, f)
		}
	}
	dir := module(t, source)
	var flags []string
	for line := range strings.Lines(string(archive.Comment)) {
		if list, ok := strings.CutPrefix(line, "flags: "); ok {
			flags = strings.Fields(list)
		}
	}
	if requests != "" {
		write(t, filepath.Join(dir, "probe.go"), []byte(strings.Replace(probe, "REQUESTS", requests, 1)))
	}
	before := answers(t, dir, requests)
	var out, errs bytes.Buffer
	status := Run(append([]string{"-w", "-C", dir}, flags...), &out, &errs)
	got := fmt.Sprintf("%sexit %d\n", out.String()+errs.String(), status)
	var results []txtar.File
	for _, f := range source {
		data, err := os.ReadFile(filepath.Join(dir, f.Name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(data, f.Data) {
			results = append(results, txtar.File{Name: "want/" + f.Name, Data: data})
		}
	}
	if *update {
		archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool {
			return strings.HasPrefix(f.Name, "want/") || f.Name == "report"
		})
		archive.Files = append(append(archive.Files, results...), txtar.File{Name: "report", Data: []byte(got)})
		if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	} else {
		if got != report {
			t.Errorf("report: got\n%s\nwant\n%s", got, report)
		}
		if a, b := txtar.Format(&txtar.Archive{Files: results}), txtar.Format(&txtar.Archive{Files: wanted}); !bytes.Equal(a, b) {
			t.Errorf("got\n%s\nwant\n%s", a, b)
		}
	}
	if after := answers(t, dir, requests); after != before {
		t.Errorf("answers before\n%s\nafter\n%s", before, after)
	}
	if len(results) == 0 || status != 0 {
		return
	}
	// A second run finds nothing.
	out.Reset()
	if status := Run(append([]string{"-C", dir}, flags...), &out, &errs); status != 0 || out.String() != "nothing to rewrite\n" {
		t.Errorf("the second run: status %d\n%s", status, out.String())
	}
}

// answers runs the program in dir, if there are requests.
func answers(t *testing.T, dir, requests string) string {
	t.Helper()
	if requests == "" {
		return ""
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}
