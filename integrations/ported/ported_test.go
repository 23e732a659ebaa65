package ported

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestPrograms builds each program twice, runs its own tests if it has any, and compares
// the answers of both servers with each other, and the results with README.md.
func TestPrograms(t *testing.T) {
	if os.Getenv("MUXWELL_LONG") == "" {
		t.Skip("builds many programs; set MUXWELL_LONG=1")
	}
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			dir := t.TempDir()
			source := filepath.Join(download(t, p.module), filepath.FromSlash(p.dir))
			base := filepath.Base(p.dir)
			p.write(t, source, filepath.Join(dir, "before", base), "before", p.setup)
			p.write(t, source, filepath.Join(dir, "after", base), "after", append(p.setup, p.edits...))
			writeModule(t, dir, p.module)
			run(t, dir, "go", "build", "-o", "bin/before", "./before/"+base)
			run(t, dir, "go", "build", "-o", "bin/after", "./after/"+base)
			tests := "none"
			if found, _ := filepath.Glob(filepath.Join(source, "*_test.go")); len(found) > 0 {
				before, after := count(run(t, dir, "go", "test", "-v", "./before/"+base)), count(run(t, dir, "go", "test", "-v", "./after/"+base))
				if before == 0 || before != after {
					t.Errorf("%d tests passed before, %d after", before, after)
				}
				tests = fmt.Sprintf("%d passed", after)
			}
			differ := p.compare(t, p.start(t, filepath.Join(dir, "bin", "before")), p.start(t, filepath.Join(dir, "bin", "after")))
			row := fmt.Sprintf("| %s | %d | %s | %d | %s |", p.name, p.lines(t, source), tests, len(p.requests), differ)
			wantRow(t, row)
		})
	}
}

// TestFilter runs kin-openapi's own tests of package openapi3filter with its router and
// with that of module openapi, and compares the results with README.md. The files of the
// router are copied to a module of their own, because others there import the package.
func TestFilter(t *testing.T) {
	if os.Getenv("MUXWELL_LONG") == "" {
		t.Skip("runs the tests of another module; set MUXWELL_LONG=1")
	}
	source, dir := download(t, kin), t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	fetch(t, dir, "download")
	before := results(t, dir)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for name, text := range goFiles(t, filepath.Join(dir, "openapi3filter")) {
		swapped := strings.ReplaceAll(text, `"github.com/getkin/kin-openapi/routers/gorillamux"`, `gorillamux "github.com/muxwell/muxwell/router"`)
		if swapped == text {
			continue
		}
		files++
		if err := os.WriteFile(filepath.Join(dir, "openapi3filter", name), []byte(swapped), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	router := t.TempDir()
	if err := os.WriteFile(filepath.Join(router, "go.mod"), []byte("module github.com/muxwell/muxwell/router\n\ngo 1.26.0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"router.go", "template.go"} {
		text, err := os.ReadFile(filepath.Join(root, "openapi", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(router, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run(t, dir, "go", "mod", "edit", "-replace=github.com/muxwell/muxwell="+root, "-require=github.com/muxwell/muxwell@v0.0.0",
		"-replace=github.com/muxwell/muxwell/router="+router, "-require=github.com/muxwell/muxwell/router@v0.0.0")
	after := results(t, dir)
	passed := 0
	for name, result := range before {
		if result != "pass" {
			continue
		}
		if after[name] == "pass" {
			passed++
			continue
		}
		if name != "TestIssue1105" { // wants values of paths that are not unescaped
			t.Errorf("%s: %s", name, cmp.Or(after[name], "not run"))
		}
	}
	wantRow(t, fmt.Sprintf("| openapi3filter | %d | %d of %d passed |", files, passed, passed+1))
}

// results runs the tests of openapi3filter, and returns their results.
func results(t *testing.T, dir string) map[string]string {
	t.Helper()
	cmd := exec.Command("go", "test", "-count=1", "-json", "./openapi3filter")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, _ := cmd.Output() // tests that fail are no error
	found := make(map[string]string)
	for line := range bytes.Lines(out) {
		var event struct{ Action, Test string }
		if json.Unmarshal(line, &event) == nil && event.Test != "" && (event.Action == "pass" || event.Action == "fail" || event.Action == "skip") {
			found[event.Test] = event.Action
		}
	}
	if len(found) == 0 {
		t.Fatalf("no test ran:\n%s", out)
	}
	return found
}

func wantRow(t *testing.T, row string) {
	t.Helper()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), row) {
		t.Errorf("README.md does not have the row\n%s", row)
	}
}

// download returns the directory of a module, which is downloaded if it is not in the
// module cache.
func download(t *testing.T, module string) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, _ := cmd.Output()
	var m struct{ Dir, Error string }
	if err := json.Unmarshal(out, &m); err != nil || m.Dir == "" {
		t.Skipf("%s is not in the module cache and cannot be downloaded: %s %v", module, m.Error, err)
	}
	return m.Dir
}

// write copies the Go files of the program, with edits.
func (p *program) write(t *testing.T, source, target, variant string, edits []string) {
	t.Helper()
	replacer := edit(edits)
	for name, text := range goFiles(t, source) {
		text = strings.ReplaceAll(replacer(text), "VARIANT", variant)
		file := filepath.Join(target, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// lines returns how many lines the edits of the router change.
func (p *program) lines(t *testing.T, source string) int {
	t.Helper()
	n, setup, all := 0, edit(p.setup), edit(append(p.setup, p.edits...))
	for _, text := range goFiles(t, source) {
		before, after := strings.Split(setup(text), "\n"), strings.Split(all(text), "\n")
		for i, line := range before {
			if line != after[i] {
				n++
			}
		}
	}
	return n
}

func edit(pairs []string) func(string) string {
	return func(text string) string {
		for i := 0; i < len(pairs); i += 2 {
			text = strings.ReplaceAll(text, pairs[i], pairs[i+1])
		}
		return text
	}
}

func goFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(text)
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", dir, len(files), err)
	}
	return files
}

// writeModule makes a module of dir that requires this repository, and for huma the
// release of it that humamuxwell requires.
func writeModule(t *testing.T, dir, module string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text := "module example\n\ngo 1.26.0\n\nreplace github.com/muxwell/muxwell => " + root + "\n\n" +
		"replace github.com/muxwell/muxwell/humamuxwell => " + filepath.Join(root, "humamuxwell") + "\n\n" +
		"require github.com/muxwell/muxwell v0.0.0\n"
	if path, version, _ := strings.Cut(module, "@"); strings.Contains(module, "huma") {
		text += "require github.com/muxwell/muxwell/humamuxwell v0.0.0\n"
	} else {
		text += "require " + path + " " + version + "\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	fetch(t, dir, "tidy")
}

// fetch runs a command of go mod that may download modules, and skips the test if it cannot.
func fetch(t *testing.T, dir, command string) {
	t.Helper()
	cmd := exec.Command("go", "mod", command)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.CombinedOutput()
	switch {
	case err == nil:
	case regexp.MustCompile(`dial tcp|no such host|module lookup disabled`).Match(out):
		t.Skipf("modules are not in the module cache and cannot be downloaded:\n%s", out)
	default:
		t.Fatalf("go mod %s: %v\n%s", command, err, out)
	}
}

func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// count returns the number of tests that passed.
func count(output string) int {
	return len(regexp.MustCompile(`(?m)^ *--- PASS`).FindAllString(output, -1))
}

// start runs a server until the test ends, and returns its URL.
func (p *program) start(t *testing.T, command string) string {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(addr)
	args := strings.Fields(strings.ReplaceAll(strings.Join(p.args, " "), "PORT", port))
	cmd := exec.CommandContext(t.Context(), command, args...)
	cmd.Env = append(os.Environ(), "PORT="+port)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-ended
	})
	for {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("%s ended: %v\n%s", command, err, output.Bytes())
		case <-time.After(10 * time.Millisecond):
		}
		if conn, err := net.Dial("tcp", addr); err == nil {
			conn.Close()
			return "http://" + addr
		}
	}
}

// compare sends the requests to both servers in turn, and returns how many answers differ
// for each reason.
func (p *program) compare(t *testing.T, before, after string) string {
	t.Helper()
	var reasons []string
	counts := make(map[string]int)
	for _, request := range p.requests {
		a, b := send(t, before, request), send(t, after, request)
		if a == b {
			continue
		}
		reason := ""
		switch {
		case strings.HasPrefix(request, "HEAD ") && a.status == http.StatusMethodNotAllowed:
			reason = "HEAD"
		case a.status == http.StatusMethodNotAllowed && b.status == http.StatusMethodNotAllowed:
			reason = "405"
		case strings.Contains(request, " //") && a.status == http.StatusNotFound && b.status == http.StatusTemporaryRedirect:
			reason = "redirect"
		default:
			t.Errorf("%s:\nbefore %+v\n after %+v", request, a, b)
		}
		if counts[reason] == 0 {
			reasons = append(reasons, reason)
		}
		counts[reason]++
	}
	for i, reason := range reasons {
		reasons[i] = fmt.Sprintf("%d × %s", counts[reason], reason)
	}
	slices.Sort(reasons)
	return cmp.Or(strings.Join(reasons, ", "), "none")
}

type answer struct {
	status  int
	headers string
	body    string
}

func send(t *testing.T, url, request string) answer {
	t.Helper()
	method, rest, _ := strings.Cut(request, " ")
	path, rest, _ := strings.Cut(rest, " ")
	name, value := "", ""
	if m := regexp.MustCompile(`^([A-Z][\w-]*):(\S+) ?`).FindStringSubmatch(rest); m != nil {
		name, value, rest = m[1], m[2], rest[len(m[0]):]
	}
	stream := method == "STREAM"
	if stream {
		method = http.MethodGet
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader(rest))
	if err != nil {
		t.Fatal(err)
	}
	if name != "" {
		r.Header.Set(name, value)
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	a := answer{status: resp.StatusCode}
	for _, name := range []string{"Content-Type", "Allow", "Location", "Link", "ETag", "X-Content-Type-Options"} {
		if values := resp.Header.Values(name); len(values) > 0 {
			a.headers += name + ": " + strings.Join(values, ", ") + "; "
		}
	}
	if stream { // of events with the time
		line, err := bufio.NewReader(resp.Body).ReadString('\n')
		a.body = cmp.Or(strings.TrimRight(line, "0123456789\n:{}\""), fmt.Sprint(err))
		return a
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	a.body = strings.ReplaceAll(string(body), strings.TrimPrefix(url, "http://"), "HOST")
	return a
}
