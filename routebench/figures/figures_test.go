package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/routebench/result"
)

// repository is the root of the repository, from the folder of this package.
const repository = "../.."

// call runs the command.
func call(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = run(t.Context(), args, &out, &errs)
	return status, out.String(), errs.String()
}

// copied returns a folder with the files of the runs and a document.
func copied(t *testing.T, document string) string {
	t.Helper()
	root := t.TempDir()
	for _, s := range sources {
		text, err := os.ReadFile(filepath.Join(repository, s.file))
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(root, s.file), string(text))
	}
	put(t, filepath.Join(root, "docs/page.md"), document)
	return root
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// change replaces the group of a pattern in a file, which has it, until restore is called.
func change(t *testing.T, file string, pattern, with string) (restore func()) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := regexp.MustCompile(pattern).FindStringSubmatchIndex(string(text))
	if at == nil {
		t.Fatalf("%s has no %s", file, pattern)
	}
	put(t, file, string(text[:at[2]])+with+string(text[at[3]:]))
	return func() { put(t, file, string(text)) }
}

// TestCheckFindsEveryChange: -check passes after a run that writes, and fails after a
// change to a document, to what is made of a run as a whole, or to the file of a run.
func TestCheckFindsEveryChange(t *testing.T) {
	const page = `# A page

There are <!--fig routers-->0<!--/--> of them, and GithubAll takes <!--fig classic/GithubAll/muxwell/1-->0 ns<!--/-->.

<!-- figures:readme -->
<!-- /figures -->

<!-- figures:serve -->
<!-- /figures -->
`
	root := copied(t, page)
	if status, out, errs := call(t, "-root", root); status != 0 {
		t.Fatalf("status %d\n%s%s", status, out, errs)
	}
	if status, out, errs := call(t, "-check", "-root", root); status != 0 || out != "" {
		t.Fatalf("-check of what was written: status %d\n%s%s", status, out, errs)
	}
	for _, row := range []struct{ name, file, pattern, with, report string }{
		{"a ratio", "docs/page.md", `GithubStatic \| \*\*(1)`, "2", "docs/page.md:5: readme differs"},
		{"the noise", "docs/page.md", `within ±(\d+)%`, "1", "docs/page.md:5: readme differs"},
		{"the machine", "docs/page.md", `(\d+) cores`, "64", "docs/page.md:5: readme differs"},
		{"a benchmark", "docs/page.md", `\| GithubAll \(203 requests\) \| (\d)`, "", "serve differs"},
		{"a row", "docs/page.md", `(\| ParamWrite .*\n)`, "", "docs/page.md:5: readme differs"},
		{"a number of routers", "docs/page.md", `fig routers-->(\d+)`, "23", "docs/page.md:3: routers is"},
		{"a time", "docs/page.md", `muxwell/1-->([\d.]+)`, "16.8", "docs/page.md:3: classic/GithubAll/muxwell/1 is"},
		{"the name of a table", "docs/page.md", `figures:(readme)`, "readmes", "docs/page.md:5: readmes: there is no such table"},
		{"the name of a number", "docs/page.md", `fig (routers)`, "routes", "docs/page.md:3: routes: there is no such number"},
		{"a mark", "docs/page.md", `(<!-- /figures -->\n\n)`, "", "has no <!-- /figures -->"},
		{"a table of one's own", "docs/page.md", `# A page\n()`, "\n| row | time |\n| --- | --- |\n| GithubAll | 16.8 µs |\n", "a table of benchmarks outside"},
		{"tables of a run", results + "classic.md", `muxwell-value \| \*\*(1)`, "0", results + "classic.md differs"},
		{"a page", results + "scale.html", `(<title>)`, "<title>A ", results + "scale.html differs"},
		{"samples", results + "all.bench", `(goos)`, "goo", results + "all.bench differs"},
		{"a picture", results + "github-all-dark.svg", `(GithubAll)`, "GithubSome", results + "github-all-dark.svg differs"},
		{"the file of a run", results + "classic.json", `"rounds": (10)`, "11", "docs/page.md:5: readme differs"},
		{"the file of benchmarks", "internal/benchmarks/results/muxwell.txt", `(?m)^date: (\S+)$`, "2000-01-01", "serve differs"},
	} {
		t.Run(row.name, func(t *testing.T) {
			restore := change(t, filepath.Join(root, row.file), row.pattern, row.with)
			defer restore()
			status, out, errs := call(t, "-check", "-root", root)
			if status != 1 || !strings.Contains(out, row.report) {
				t.Errorf("status %d, want 1 and %q\n%s%s", status, row.report, out, errs)
			}
		})
	}
}

// A fixed returns the same for every mark.
type fixed struct{}

func (fixed) block(name, document string) (string, error) {
	if name != "known" {
		return "", errors.New("unknown")
	}
	return "| " + document + " |\n", nil
}

func (fixed) figure(name string) (string, error) {
	if name != "n" {
		return "", errors.New("unknown")
	}
	return "7", nil
}

func TestRewrite(t *testing.T) {
	for _, row := range []struct {
		name, text, want string
		differs, wrong   []int // their lines
	}{
		{"no mark", "a\n\nb\n", "a\n\nb\n", nil, nil},
		{"an empty block", "a\n<!-- figures:known -->\n<!-- /figures -->\nb\n", "a\n<!-- figures:known -->\n\n| p.md |\n\n<!-- /figures -->\nb\n", []int{2}, nil},
		{"another block", "<!-- figures:known -->\n\n| x |\n\n<!-- /figures -->\n", "<!-- figures:known -->\n\n| p.md |\n\n<!-- /figures -->\n", []int{1}, nil},
		{"the same block", "<!-- figures:known -->\n\n| p.md |\n\n<!-- /figures -->\n", "<!-- figures:known -->\n\n| p.md |\n\n<!-- /figures -->\n", nil, nil},
		{"an open block in front of another", "<!-- figures:known -->\nx\n<!-- figures:known -->\n<!-- /figures -->\n", "<!-- figures:known -->\nx\n<!-- figures:known -->\n\n| p.md |\n\n<!-- /figures -->\n", []int{3}, []int{1}},
		{"an unknown block", "<!-- figures:other -->\nx\n<!-- /figures -->\n", "<!-- figures:other -->\nx\n<!-- /figures -->\n", nil, []int{1}},
		{"an open block", "a\n<!-- figures:known -->\nx\n", "a\n<!-- figures:known -->\nx\n", nil, []int{2}},
		{"by hand", "<!-- figures by hand: why -->\nx\n<!-- /figures -->\n", "<!-- figures by hand: why -->\nx\n<!-- /figures -->\n", nil, nil},
		{"by hand without a reason", "<!-- figures by hand: -->\nx\n<!-- /figures -->\n", "<!-- figures by hand: -->\nx\n<!-- /figures -->\n", nil, []int{1, 3}},
		{"numbers", "<!--fig n-->6<!--/--> and <!--fig n-->7<!--/-->\n", "<!--fig n-->7<!--/--> and <!--fig n-->7<!--/-->\n", []int{1}, nil},
		{"an unknown number", "a <!--fig m-->6<!--/-->\n", "a <!--fig m-->6<!--/-->\n", nil, []int{1}},
		{"an open number", "a <!--fig n-->6\n", "a <!--fig n-->6\n", nil, []int{1}},
		{"an end alone", "a\n<!-- /figures -->\n", "a\n<!-- /figures -->\n", nil, []int{2}},
		{"code", "```html\n<!-- figures:other -->\n<!--fig m-->\n```\n<!--fig n-->6<!--/-->\n", "```html\n<!-- figures:other -->\n<!--fig m-->\n```\n<!--fig n-->7<!--/-->\n", []int{5}, nil},
		{"a span of code", "write `<!-- figures:NAME -->`\n", "write `<!-- figures:NAME -->`\n", nil, nil},
	} {
		got, differs, wrong := rewrite("p.md", row.text, fixed{})
		if got != row.want {
			t.Errorf("%s: got\n%s\nwant\n%s", row.name, got, row.want)
		}
		if at := linesOf(differs); !slices.Equal(at, row.differs) {
			t.Errorf("%s: differences in lines %v, want %v", row.name, at, row.differs)
		}
		if at := linesOf(wrong); !slices.Equal(at, row.wrong) {
			t.Errorf("%s: faults in lines %v, want %v", row.name, at, row.wrong)
		}
	}
}

func linesOf(all []finding) []int {
	var lines []int
	for _, f := range all {
		lines = append(lines, f.line)
	}
	return lines
}

func TestUnmarked(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       []int // lines
	}{
		{"a table of words", "| a | b |\n| --- | --- |\n| c | 7 |\n", nil},
		{"a time", "x\n\n| a | b |\n| --- | --- |\n| c | 7.5 µs |\n", []int{3}},
		{"a ratio", "| a | b |\n| --- | --- |\n| c | 7.5× |\n", []int{1}},
		{"a size", "| a | b |\n| --- | --- |\n| c | 71.1 kB |\n", []int{1}},
		{"an interval", "| a | b |\n| --- | --- |\n| c | 7 ± 2 % |\n", []int{1}},
		{"a column of times", "| a | ns more |\n| --- | --: |\n| c | 7 |\n", []int{1}},
		{"times that a sentence announces", "Nanoseconds of a request:\n\n| a | b |\n| --- | --: |\n| c | 7 |\n", []int{3}},
		{"what a column of times is", "| column | what it says |\n| --- | --- |\n| `ns/op` | the median |\n", nil},
		{"a flag", "| flag | |\n| --- | --- |\n| `-slice` | how long: 10ms |\n", nil},
		{"a block", "<!-- figures:x -->\n\n| c | 7.5 µs |\n\n<!-- /figures -->\n", nil},
		{"by hand", "<!-- figures by hand: why -->\n\n| c | 7.5 µs |\n\n<!-- /figures -->\n", nil},
		{"code", "```text\n| c | 7.5 µs |\n```\n", nil},
		{"a number of routers", "It compares 23 routers.\n", []int{1}},
		{"in words", "It has nineteen other routers and the\nten best known routers.\n", []int{1, 2}},
		{"marked", "It compares <!--fig routers-->19<!--/--> routers.\n", nil},
		{"a time in a sentence", "GithubAll takes 16.8 µs.\n", []int{1}},
		{"a marked time", "GithubAll takes <!--fig classic/GithubAll/muxwell/1-->32.6 µs<!--/-->.\n", nil},
		{"a time in code", "It prints `16.8 µs`.\n", nil},
		{"a few routers", "Two routers are said to be one.\n", nil},
	} {
		if at := linesOf(unmarked(row.text)); !slices.Equal(at, row.want) {
			t.Errorf("%s: lines %v, want %v", row.name, at, row.want)
		}
	}
	if at := linesOf(unmarked("It compares 23 routers in 7 µs.\n\n| a |\n| --- |\n| 7 µs |\n")); !slices.Equal(at, []int{1, 1, 3}) {
		t.Errorf("two findings in a sentence and one in a table: lines %v, want 1, 1 and 3", at)
	}
}

// A canceler cancels at the progress of the third scenario, when two are measured.
type canceler struct {
	cancel context.CancelFunc
	named  bool
}

func (c *canceler) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte("Param5")) {
		c.named = true
		c.cancel()
	}
	return len(b), nil
}

// TestMeasureInterrupted: a run that is interrupted does not replace the file of the last
// one, although routebench reports what it has measured so far.
func TestMeasureInterrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds routebench")
	}
	root, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "run.json")
	if err := os.WriteFile(file, []byte("the last run"), 0o600); err != nil {
		t.Fatal(err)
	}
	relative, err := filepath.Rel(root, file)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := &source{name: "interrupted", file: relative, routebench: []string{"-quick", "-run", "^Param", "-routers", "muxwell,ServeMux"}}
	progress := &canceler{cancel: cancel}
	if err := measureRun(ctx, root, s, 6, "1x", progress); err == nil || !progress.named {
		t.Errorf("error %v, progress seen %t; want an error after progress", err, progress.named)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "the last run" {
		t.Errorf("the file has %.100q, error %v; want the last run", text, err)
	}
}

const sample = `date: 2026-11-22
go: go1.26.8
os: debian 12
cores: 2
rounds: 2
goos: linux
goarch: amd64
pkg: example.com/x
cpu: A processor
BenchmarkLanguage/row=regexp=[0-9]{8}/mux=value       	     100	        20.0 ns/op	       0 B/op	       0 allocs/op
BenchmarkLanguage/row=regexp=[0-9]{8}/mux=value-2     	     100	        10.0 ns/op	       0 B/op	       0 allocs/op
BenchmarkUpdate/routes=100/change=new-2               	      20	       500 ns/op	         3.5 slowest-ms
PASS
BenchmarkLanguage/row=regexp=[0-9]{8}/mux=value       	     100	        30.0 ns/op	       0 B/op	       0 allocs/op
`

func TestReadBenchmarks(t *testing.T) {
	b, err := readBenchmarks("x.txt", []byte(sample))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name string
		cpu  int
		unit string
		want float64
	}{
		{"Language/row=regexp=[0-9]{8}/mux=value", 1, result.Time, 25},
		{"Language/row=regexp=[0-9]{8}/mux=value", 2, result.Time, 10},
		{"Update/routes=100/change=new", 2, "slowest-ms", 3.5},
		{"Update/routes=100/change=new", 2, result.Time, 500},
	} {
		if got, err := b.median(row.name, row.cpu, row.unit); err != nil || got != row.want {
			t.Errorf("%s at %d: %v %s, %v; want %v", row.name, row.cpu, got, row.unit, err, row.want)
		}
	}
	if _, err := b.median("Update/routes=100/change=new", 1, result.Time); err == nil {
		t.Error("a benchmark that is not there has a median")
	}
	if got := b.rowsOf("Language", "row"); !slices.Equal(got, []string{"regexp=[0-9]{8}"}) {
		t.Errorf("rows %q", got)
	}
	for _, key := range configs {
		text := regexp.MustCompile(`(?m)^`+key+`: .*\n`).ReplaceAllString(sample, "")
		if _, err := readBenchmarks("x.txt", []byte(text)); err == nil || !strings.Contains(err.Error(), key+":") {
			t.Errorf("without %s the error is %v", key, err)
		}
	}
	if _, err := readBenchmarks("x.txt", []byte("PASS\n")); err == nil {
		t.Error("a file without benchmarks is read")
	}
}

func TestNoise(t *testing.T) {
	var n noise
	for _, samples := range [][]float64{
		{10, 10, 10, 10, 10, 10}, {9, 10, 10, 10, 10, 11}, {8, 10, 10, 10, 10, 15},
	} {
		n.add(&result.Row{Samples: map[string][]float64{result.Time: samples}}, result.Time)
	}
	if got, want := n.String(), "Noise: the 95% confidence interval is within ±10% of the median for half of the values, and within ±50% for all"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	n.add(&result.Row{Samples: map[string][]float64{result.Time: {1, 2}}}, result.Time)
	if got := n.String(); !strings.Contains(got, "too few rounds") {
		t.Errorf("with two rounds %q", got)
	}
}

func TestUsage(t *testing.T) {
	for _, row := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"-help"}, 0, "-measure"},
		{[]string{"-list"}, 0, "classic/GithubAll/muxwell/1"},
		{[]string{"-nothing"}, 2, "-nothing"},
		{[]string{"operand"}, 2, `"operand"`},
		{[]string{"-rounds", "5"}, 2, "6 rounds"},
		{[]string{"-measure", "nothing"}, 2, "there are classic, all, scale, huma, benchmarks, gorilla, similarity"},
		{[]string{"-check", "-measure", "classic"}, 2, "one of them"},
		{[]string{"-check", "-root", "nowhere"}, 1, "nowhere"},
	} {
		status, out, errs := call(t, row.args...)
		if status != row.status || !strings.Contains(out+errs, row.says) {
			t.Errorf("figures %s: status %d, want %d and %q\n%s%s", strings.Join(row.args, " "), status, row.status, row.says, out, errs)
		}
	}
}
