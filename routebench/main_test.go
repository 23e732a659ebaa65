package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/routebench/measure"
	"github.com/muxwell/muxwell/routebench/result"
	"github.com/muxwell/muxwell/routebench/routers"
	"github.com/muxwell/muxwell/routebench/suite"
)

func TestMain(m *testing.M) {
	measure.Child() // the suite server starts this program again
	os.Exit(m.Run())
}

// quickly are the flags of the least that is measured.
var quickly = []string{"-rounds", "6", "-slice", "1ms", "-cpu", "1"}

// call runs the command and returns its exit status and what it wrote.
func call(t *testing.T, ctx context.Context, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	status = run(ctx, args, &out, &err)
	return status, out.String(), err.String()
}

// write writes a file for a test and returns its name.
func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestWrongCalls(t *testing.T) {
	noPaths := write(t, "api.yaml", "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {}\n")
	wrongList := write(t, "routes.txt", "GET /users/{id\n")
	aList := write(t, "list.txt", "GET /users/{id}\n")
	noRun := write(t, "run.json", "{}")
	for _, c := range []struct {
		args string
		want string // in the message
	}{
		{"-nosuch", "-help shows all flags"},
		{"file.txt", "-routes"},
		{"-routers nosuch", "nosuch"},
		{"-routers muxwel", "muxwell"},
		{"-baseline nosuch", "nosuch"},
		{"-baseline gin -routers chi,echo", "-baseline gin is not one of the compared routers"},
		{"-suite nosuch", `unknown suite "nosuch"`},
		{"-run (", "missing closing )"},
		{"-run nosuch", "matches none of the scenarios Param,"},
		{"-run x -suite matrix", "the matrix has none"},
		{"-seed -1", "whole number"},
		{"-slice 10", "such as 10ms"},
		{"-rounds 5", "6"},
		{"-rounds 0", "6"},
		{"-rounds x", "rounds"},
		{"-slice 1ns", "1ms"},
		{"-cpu 0", "not a number of CPUs"},
		{"-cpu 1,", "not a number of CPUs"},
		{"-cpu 1000", "this machine has"},
		{"-routes a -openapi b", "exclude each other"},
		{"-routes " + filepath.Join(t.TempDir(), "nosuch"), "no such file"},
		{"-routes " + t.TempDir(), "is a directory"},
		{"-routes " + wrongList, "routes.txt:1"},
		{"-openapi " + filepath.Join(t.TempDir(), "nosuch"), "no such file"},
		{"-openapi " + noPaths, "no paths"},
		{"-openapi " + wrongList, "routes.txt"},
		{"-html " + filepath.Join(t.TempDir(), "nosuch", "report.html"), "-html"},
		{"-html " + t.TempDir(), "-html"},
		{"-html same -csv ./same", "name the same file"},
		{"-from " + filepath.Join(t.TempDir(), "nosuch"), "no such file"},
		{"-from " + wrongList, "routes.txt"},
		{"-from " + noRun, "run.json"},
		{"-from " + noRun + " -quick", "-quick"},
		{"-from " + noRun + " -rounds 7", "-rounds"},
		{"-from " + noRun + " -run Param", "-run"},
		{"-routes " + aList + " -html " + aList, "-routes and -html name the same file"},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Chdir(t.TempDir())
			status, stdout, stderr := call(t, t.Context(), strings.Fields(c.args)...)
			if status != statusUsage || stdout != "" {
				t.Errorf("status %d and output %q, want %d and none", status, stdout, statusUsage)
			}
			if !strings.HasPrefix(stderr, "routebench: ") || !strings.Contains(stderr, c.want) {
				t.Errorf("stderr %q, want routebench: and %q", stderr, c.want)
			}
			if files, _ := os.ReadDir("."); len(files) > 0 {
				t.Errorf("the call left %v", files)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	status, stdout, stderr := call(t, t.Context(), "-help")
	for _, want := range []string{"Usage: routebench", "-quick", "-openapi file", "-html file", "-cpu"} {
		if status != 0 || stderr != "" || !strings.Contains(stdout, want) {
			t.Errorf("-help: status %d, stderr %q, output without %q:\n%s", status, stderr, want, stdout)
		}
	}
}

func TestList(t *testing.T) {
	status, stdout, stderr := call(t, t.Context(), "-list")
	if status != 0 || stderr != "" {
		t.Fatalf("status %d, stderr %q", status, stderr)
	}
	var want []string
	for _, r := range routers.All() {
		want = append(want, r.Name, r.Module)
	}
	for _, s := range suite.All() {
		want = append(want, s.Name)
	}
	for _, text := range append(want, "GithubAll", "PopulateContext/no_populated_vars", "Growth/100000") {
		if !strings.Contains(stdout, text) {
			t.Errorf("the list has no %q", text)
		}
	}
}

// TestDefaultSuites: without flags, and with -quick, the usual suites run.
func TestDefaultSuites(t *testing.T) {
	for _, c := range []struct {
		args, want string
	}{
		{"", "classic today memory matrix"},
		{"-quick", "classic today memory matrix"},
		{"-suite classic", "classic"},
		{"-suite matrix", "matrix"},
	} {
		o, err := parse(strings.Fields(c.args), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := o.plan()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i := range p.Scenarios {
			if name := p.Scenarios[i].Suite; !slices.Contains(got, name) {
				got = append(got, name)
			}
		}
		if p.Matrix {
			got = append(got, "matrix")
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("routebench %s runs %s, want %s", c.args, got, c.want)
		}
	}
}

// TestRun runs two scenarios, writes all files and reports the run again from one
// of them.
func TestRun(t *testing.T) {
	t.Chdir(t.TempDir())
	args := append(quickly, "-suite", "classic,around", "-run", "^(GPlusAll|NotFound)$", "-routers", "muxwell,muxwell-value,ServeMux,chi",
		"-html", "r.html", "-markdown", "r.md", "-json", "r.json", "-csv", "r.csv", "-bench", "r.txt")
	if err := os.WriteFile("r.html", []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := call(t, t.Context(), args...)
	if status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	for _, want := range []string{"GPlusAll", "NotFound", "muxwell-value", "ServeMux", "chi", "baseline"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the tables have no %q", want)
		}
	}
	for name, want := range map[string]string{"r.html": "</html>", "r.md": "| ", "r.json": `"GPlusAll"`, "r.csv": "GPlusAll,", "r.txt": "BenchmarkGPlusAll/router=chi"} {
		if text, err := os.ReadFile(name); err != nil || !bytes.Contains(text, []byte(want)) {
			t.Errorf("%s: %v, or it has no %q", name, err, want)
		}
		if !strings.Contains(stdout, "Wrote "+name+".\n") {
			t.Errorf("the output does not say that %s is written", name)
		}
	}
	if files, _ := os.ReadDir("."); len(files) != 5 {
		t.Errorf("there are the files %v, want five", files)
	}

	tables, _, _ := strings.Cut(stdout, "\nWrote ")
	status, again, stderr := call(t, t.Context(), "-from", "r.json")
	if status != 0 || again != tables {
		t.Errorf("-from: status %d, %s; it prints other tables:\n%s\nwant\n%s", status, stderr, again, tables)
	}

	file, err := os.Open("r.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := result.ReadJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Scenarios {
		s := &r.Scenarios[i]
		for _, name := range []string{"muxwell", "muxwell-value", "ServeMux", "chi", result.Floor} {
			row := s.Row(name, 1)
			if row == nil || row.LeftOut != "" || row.Answered != s.Requests || len(row.Samples[result.Time]) != 6 {
				t.Errorf("%s: row of %s is %+v, want six samples of all %d requests", s.Name, name, row, s.Requests)
			}
		}
	}
}

// A canceling is a writer that ends a context at the first word of a progress that
// names a scenario.
type canceling struct {
	bytes.Buffer
	at     string
	cancel context.CancelFunc
}

func (c *canceling) Write(b []byte) (int, error) {
	n, err := c.Buffer.Write(b)
	if strings.Contains(c.String(), c.at) {
		c.cancel()
	}
	return n, err
}

func TestInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	args := append(quickly, "-suite", "classic", "-run", "^Param5?$", "-routers", "muxwell,ServeMux", "-json", "r.json")
	for _, c := range []struct {
		at     string
		report bool // there is something to report
	}{
		{"Param (", false},
		{"Param5 (", true},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		stderr := &canceling{at: c.at, cancel: cancel}
		var stdout bytes.Buffer
		if status := run(ctx, args, &stdout, stderr); status != statusInterrupted {
			t.Errorf("interrupted at %s: status %d, want %d", c.at, status, statusInterrupted)
		}
		_, err := os.Stat("r.json")
		if (err == nil) != c.report || (stdout.Len() > 0) != c.report || !strings.Contains(stderr.String(), "routebench: interrupted") {
			t.Errorf("interrupted at %s: report %v, want one %t; it says\n%s%s", c.at, err, c.report, &stdout, stderr)
		}
		if c.report && !strings.Contains(stdout.String(), "Param ") {
			t.Errorf("interrupted at %s: the report has no Param:\n%s", c.at, &stdout)
		}
	}
}

func TestOwnRoutes(t *testing.T) {
	list := write(t, "shop.txt", `
GET /users/{id:int}
GET /users/me
GET,POST /orders/{order}/lines/{line}
GET /files/{name}.{ext}
GET /docs/{page...}
`)
	api := write(t, "shop.json", `{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {
		"/users/{id}": {"get": {"responses": {"200": {"description": "ok"}}}},
		"/users/me": {"get": {"responses": {"200": {"description": "ok"}}}, "put": {"responses": {"200": {"description": "ok"}}}}}}`)
	for _, args := range [][]string{{"-routes", list}, {"-openapi", api}} {
		status, stdout, stderr := call(t, t.Context(), append(append(args, "-routers", "muxwell,ServeMux,gorilla,gin"), quickly...)...)
		if status != 0 {
			t.Errorf("%v: status %d: %s", args, status, stderr)
		}
		for _, want := range []string{"\nAll ", "AllRead", "NotFound", "Memory", "gorilla"} {
			if !strings.Contains(stdout, want) {
				t.Errorf("%v: the tables have no %q", args, want)
			}
		}
		if args[0] == "-routes" && (!strings.Contains(stdout, "ServeMux") || !strings.Contains(stdout, "GET /files/{name}.{ext}")) {
			t.Errorf("%v: the faults do not name the route that ServeMux has no way to write:\n%s", args, stdout)
		}
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, os.ErrClosed }

// TestClosedOutput: files are written even if nobody reads the tables.
func TestClosedOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	args := append(quickly, "-run", "^Param$", "-routers", "muxwell,ServeMux", "-html", "r.html", "-json", "r.json")
	var stderr bytes.Buffer
	if status := run(t.Context(), args, closed{}, &stderr); status != statusFailed || !strings.Contains(stderr.String(), os.ErrClosed.Error()) {
		t.Errorf("status %d, want %d; it says %q, want %v", status, statusFailed, &stderr, os.ErrClosed)
	}
	for _, name := range []string{"r.html", "r.json"} {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
}
