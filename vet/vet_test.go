package vet

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/muxwell/muxwell/vet/internal/conflict"
	"github.com/muxwell/muxwell/vet/internal/list"
	"github.com/muxwell/muxwell/vet/internal/middleware"
	"github.com/muxwell/muxwell/vet/internal/params"
	"github.com/muxwell/muxwell/vet/internal/pattern"
	"github.com/muxwell/muxwell/vet/internal/registration"
)

func TestPattern(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, ".", pattern.Analyzer, "./testdata/pattern")
}

func TestConflict(t *testing.T) {
	analysistest.Run(t, ".", conflict.Analyzer, "./testdata/conflict")
}

func TestParams(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, ".", params.Analyzer, "./testdata/params", "./testdata/params/library", "./testdata/params/remote")
}

func TestUnread(t *testing.T) {
	params.Analyzer.Flags.Set("unread", "true")
	defer params.Analyzer.Flags.Set("unread", "false")
	analysistest.Run(t, ".", params.Analyzer, "./testdata/unread")
}

func TestMiddleware(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, ".", middleware.Analyzer, "./testdata/middleware")
}

// The list has the middleware of Use and With, outermost first, as far as it is certain.
func TestList(t *testing.T) {
	list.Analyzer.Flags.Set("json", "true")
	defer list.Analyzer.Flags.Set("json", "false")
	var got []string
	for _, r := range analysistest.Run(discard{t}, ".", list.Analyzer, "./testdata/routes") {
		for _, d := range r.Diagnostics {
			var rt list.Route
			if err := json.Unmarshal([]byte(d.Message), &rt); err != nil {
				t.Fatal(err)
			}
			got = append(got, rt.Pattern+" "+strings.Join(rt.Middleware, " "))
		}
	}
	slices.Sort(got)
	want := []string{
		"GET /a first second",
		"GET /b first second third",
		"GET /c/d first second third",
		"GET /c/f first second third fifth",
		"GET /debug first second fifth",
		`GET /inner/g first second fifth fourth("z")`,
		"GET /other ",
		`GET /r first second fourth("y") fifth`,
		"GET /users/users/{id} first second",
		`POST /c/e first second third fourth("x")`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// The other routers are declared below testdata/gopath: the module does not require them.
func TestOrder(t *testing.T) {
	middleware.Analyzer.Flags.Set("order", "true")
	defer middleware.Analyzer.Flags.Set("order", "false")
	gopath, err := filepath.Abs("testdata/gopath")
	if err != nil {
		t.Fatal(err)
	}
	analysistest.Run(t, gopath, middleware.Analyzer, "example.com/order")
	for _, a := range []*analysis.Analyzer{pattern.Analyzer, conflict.Analyzer, params.Analyzer} {
		for _, r := range analysistest.Run(discard{t}, gopath, a, "example.com/order") {
			for _, d := range r.Diagnostics {
				t.Errorf("%s: unexpected diagnostic: %s", a.Name, d.Message)
			}
		}
	}
}

// discard ignores the expectations of another analyzer.
type discard struct{ *testing.T }

func (discard) Errorf(string, ...any) {}

func TestCatchAll(t *testing.T) {
	pattern.Analyzer.Flags.Set("catchall", "true")
	defer pattern.Analyzer.Flags.Set("catchall", "false")
	analysistest.Run(t, ".", pattern.Analyzer, "./testdata/catchall")
}

// Analyzers must be valid and documented.
func TestAnalyzers(t *testing.T) {
	if err := analysis.Validate(Analyzers()); err != nil {
		t.Error(err)
	}
	docs, err := os.ReadFile("../docs/vet.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"table.md", "vettool.txt"} {
		result, err := os.ReadFile(filepath.Join("testdata/survey", name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(docs), string(result)) {
			t.Errorf("docs/vet.md does not have testdata/survey/%s", name)
		}
	}
	for _, a := range Analyzers() {
		if !strings.Contains(string(docs), "\n### "+a.Name+"\n") {
			t.Errorf("docs/vet.md has no section for the check %s", a.Name)
		}
		if want := registration.URL + "#" + a.Name; a.URL != want {
			t.Errorf("the URL of %s is %s, want %s", a.Name, a.URL, want)
		}
		a.Flags.VisitAll(func(f *flag.Flag) {
			if !strings.Contains(string(docs), "`-"+a.Name+"."+f.Name+"`") && f.Name != "tests" {
				t.Errorf("docs/vet.md does not have the flag -%s.%s", a.Name, f.Name)
			}
		})
	}
}
