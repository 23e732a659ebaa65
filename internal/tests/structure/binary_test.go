package structure

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// program is a server with two routes. It is formatted with an import, statements and
// an expression that makes a mux.
const program = `package main

import (
	"fmt"
	"net/http"

	%s
)

func main() {
	%s
	mux := %s
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, "hello") })
	mux.HandleFunc("GET /users/{id}", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, r.PathValue("id")) })
	http.ListenAndServe(":0", mux)
}
`

const importMux = `"` + module + `"`

// build compiles a program for linux/amd64, so that its size is the same wherever the
// test runs, and returns its path.
func build(t *testing.T, name, text string, flags ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	source, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "main")
	if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", append(append([]string{"build", "-trimpath", "-o", binary}, flags...), source)...)
	cmd.Dir = filepath.Join("..", "..", "..")
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "GOAMD64=v1", "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// maxLarger is how many bytes a program with two routes may be larger than the same
// program with http.ServeMux. It was 1,069,056 with Go 1.26. Over a third of it is
// what compiles and runs regular expressions, which any pattern may have.
const maxLarger = 1_072_000

// TestBinarySize compares the sizes of programs without symbol tables.
func TestBinarySize(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds two programs")
	}
	size := func(name, text string) int64 {
		info, err := os.Stat(build(t, name, text, "-ldflags=-s -w"))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	builtin := size("servemux", fmt.Sprintf(program, "", "", "http.NewServeMux()"))
	ours := size("muxwell", fmt.Sprintf(program, importMux, "", "muxwell.New()"))
	t.Logf("http.ServeMux: %d bytes; Mux: %d more", builtin, ours-builtin)
	if larger := ours - builtin; larger > maxLarger {
		t.Errorf("a program with a Mux is %d bytes larger than one with http.ServeMux, want at most %d; `go tool nm -size -sort size` says of what", larger, maxLarger)
	}
}

// onDemand are functions that only programs with some option or registration need, by
// what the linker calls them. They are reached by values that these set.
var onDemand = []string{
	".(*mount).deriveRoutes", // Mount
	".(*mount).deriveClaim",
	".ErrorFunc.serve", // HandleError
	".answerError",
	".errorHandlerFunc.refuse", // ErrorHandler
	".(*HTTPError).Error",
	"/internal/respwriter.Watch",
	".(*files).ServeHTTP", // Files
	"/internal/fileserver.(*Server).Serve",
	".(*plan).checkOverlaps", // StrictConflicts
	".ambiguous",
	"/internal/foreign.Find", // Check
}

// TestOnDemand: a program has the functions only if it needs them.
func TestOnDemand(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds two programs")
	}
	linked := func(name, text string) map[string]bool {
		out, err := exec.Command("go", "tool", "nm", build(t, name, text)).Output()
		if err != nil {
			t.Fatal(err)
		}
		symbols := make(map[string]bool)
		for line := range strings.Lines(string(out)) {
			if fields := strings.Fields(line); len(fields) > 2 {
				symbols[strings.TrimPrefix(fields[2], module)] = true
			}
		}
		return symbols
	}
	without := linked("without", fmt.Sprintf(program, importMux, "", "muxwell.New()"))
	with := linked("with", fmt.Sprintf(program, `"os"; `+importMux, `
	outer := muxwell.New()
	outer.Mount("/inner", muxwell.New())
	outer.HandleError("/error", func(http.ResponseWriter, *http.Request) error { return nil })
	outer.Files("/files/", os.DirFS("."))
	outer.Check()
	http.Handle("/", outer)`, "muxwell.New(muxwell.StrictConflicts(), muxwell.ErrorHandler(func(http.ResponseWriter, *http.Request, error) {}))"))
	for _, name := range onDemand {
		if !with[name] {
			t.Errorf("%s is not in a program that needs it; name what does its work now", name)
		}
		if without[name] {
			t.Errorf("%s is in a program that does not need it", name)
		}
	}
}
