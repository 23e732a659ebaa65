package humamuxwell_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestHumaSuite runs huma's own tests, from the module cache, with this adapter: in a
// copy of the module, in which package humatest makes its APIs of a mux of muxwell, and
// the test of the adapters has only one.
func TestHumaSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and tests a module")
	}
	dirs := strings.Fields(command(t, ".", "list", "-m", "-f", "{{.Dir}}",
		"github.com/danielgtaylor/huma/v2", "github.com/muxwell/muxwell", "github.com/muxwell/muxwell/humamuxwell"))
	dir := t.TempDir()
	copyModule(t, dir, dirs[0])

	imports := "\t\"github.com/muxwell/muxwell\"\n\t\"github.com/muxwell/muxwell/humamuxwell\"\n"
	edit(t, filepath.Join(dir, "humatest", "humatest.go"), func(text string) string {
		return strings.NewReplacer(
			"\t\"github.com/danielgtaylor/huma/v2/adapters/humaflow\"\n", "\t\"github.com/danielgtaylor/huma/v2/adapters/humago\"\n",
			"\t\"github.com/danielgtaylor/huma/v2/adapters/humaflow/flow\"\n", imports,
			"humaflow.NewContext(", "humago.NewContext(",
			"humaflow.NewAdapter(flow.New())", "humamuxwell.New(muxwell.New(), huma.Config{}).Adapter()",
			"flow.New()", "muxwell.New()",
			"humaflow.New(", "humamuxwell.New(",
		).Replace(text)
	})
	edit(t, filepath.Join(dir, "adapters", "adapters_test.go"), func(text string) string {
		rows := regexp.MustCompile(`(?ms)^\t\t\{"\w+", func\(\) huma\.API \{\n.*?^\t\t\}\},\n`)
		text = rows.ReplaceAllStringFunc(text, func(row string) string {
			if !strings.Contains(row, "humago.") {
				return ""
			}
			return strings.Replace(row, "humago.New(http.NewServeMux(), ", "humamuxwell.New(muxwell.New(), ", 1)
		})
		others := regexp.MustCompile(`(?m)^\t"github\.com/(danielgtaylor/huma/v2/adapters/.*|gin-gonic/.*|go-chi/.*|gofiber/.*|gorilla/.*|julienschmidt/.*|labstack/.*|uptrace/.*)"\n`)
		text = others.ReplaceAllStringFunc(text, func(line string) string {
			if strings.Contains(line, "/humago\"") {
				return line + imports
			}
			return ""
		})
		return text
	})
	sum, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(dir, "go.sum"), func(text string) string { return text + string(sum) })
	for i, module := range []string{"github.com/muxwell/muxwell", "github.com/muxwell/muxwell/humamuxwell"} {
		command(t, dir, "mod", "edit", "-require="+module+"@v0.0.0", "-replace="+module+"="+dirs[i+1])
	}

	out := command(t, dir, "test", "-mod=mod", "-vet=off", "-count=1", "-v", ".", "./adapters", "./autopatch", "./conditional", "./humatest", "./sse")
	passed := strings.Count(out, "--- PASS: ")
	t.Logf("%d tests pass", passed)
	if passed < 400 || !strings.Contains(out, "--- PASS: TestAdapters/go ") {
		t.Errorf("%d tests pass, want 400 at least, and TestAdapters/go:\n%s", passed, out)
	}
}

// copyModule copies the files of a module. Unlike those of the module cache they can be
// changed.
func copyModule(t *testing.T, to, from string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum", "humatest/humatest.go", "adapters/adapters_test.go"} {
		if err := os.Chmod(filepath.Join(to, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// edit changes the text of a file, or fails if change does not.
func edit(t *testing.T, name string, change func(string) string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	changed := []byte(change(string(text)))
	if bytes.Equal(changed, text) {
		t.Fatalf("%s has not changed", name)
	}
	if err := os.WriteFile(name, changed, 0o600); err != nil {
		t.Fatal(err)
	}
}

// command returns the output of the go command in a directory, outside of any workspace.
func command(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	var messages strings.Builder
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, messages.String(), out)
	}
	return string(out)
}
