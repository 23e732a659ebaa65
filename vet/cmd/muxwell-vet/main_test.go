package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/vet/internal/list"
)

// The tests run the test binary as the command: go vet runs it as its tool.
func TestMain(m *testing.M) {
	if os.Getenv("MUXWELL_VET_TEST") == "command" || calledByGo(os.Args[1:]) && os.Getenv("MUXWELL_VET_TEST") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

const program = `package main

import "net/http"

func main() {
	m := http.NewServeMux()
	m.HandleFunc("GET /users/{id}", user)
	m.HandleFunc("GET /users/{name}", user)
	m.HandleFunc("/files/:id", user)
	m.Handle("/static/", http.FileServer(http.Dir("static")))
	for _, p := range []string{"/a", "/b"} {
		m.Handle(p, http.NotFoundHandler())
	}
	http.ListenAndServe("", m)
}

func user(w http.ResponseWriter, r *http.Request) { r.PathValue("idd") }
`

// inModule makes a module with a file main.go the working directory.
func inModule(t *testing.T, main string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/program\n\ngo 1.26\n", "main.go": main} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	t.Setenv("MUXWELL_VET_TEST", "tool")
}

// call runs the command in this process.
func call(args ...string) (status int, stdout, stderr string) {
	var out, errs bytes.Buffer
	status = run(context.Background(), args, &out, &errs)
	return status, out.String(), errs.String()
}

func contains(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s lacks %q:\n%s", what, p, text)
		}
	}
}

var findings = []string{
	`main.go:8:16: pattern "GET /users/{name}" conflicts with "GET /users/{id}" (main.go:7)`,
	`main.go:9:23: pattern "/files/:id": ":id" is literal text`,
	`main.go:17:66: no pattern of the handler has a parameter "idd"`,
}

func TestStandalone(t *testing.T) {
	inModule(t, program)
	status, _, stderr := call()
	if status != 1 {
		t.Errorf("status %d, want 1", status)
	}
	contains(t, "stderr", stderr, findings...)
	if status, _, stderr = call("-pattern"); status != 1 || strings.Contains(stderr, "conflicts") {
		t.Errorf("-pattern: status %d:\n%s", status, stderr)
	}
	if status, _, stderr := call("-fix", "-pattern"); status != 0 {
		t.Errorf("-fix: status %d:\n%s", status, stderr)
	}
	fixed, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	contains(t, "main.go", string(fixed), `m.HandleFunc("/files/{id}", user)`)
}

func TestNothingFound(t *testing.T) {
	inModule(t, "package main\n\nimport \"net/http\"\n\nfunc main() { http.Handle(\"/\", nil) }\n")
	if status, stdout, stderr := call("./..."); status != 0 || stdout != "" || stderr != "" {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}
}

func TestVettool(t *testing.T) {
	inModule(t, program)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "vet", "-vettool="+self, "./...").CombinedOutput()
	if err == nil {
		t.Error("go vet found nothing")
	}
	contains(t, "go vet", string(out), findings...)
}

// What a package knows about its functions gets to the packages that import it.
func TestFacts(t *testing.T) {
	inModule(t, `package main

import (
	"net/http"

	"example.com/program/users"
)

func main() {
	m := users.Mux()
	m.HandleFunc("GET /users/{userid}", users.Get)
	m.HandleFunc("GET /all/{x}", users.Get)
	http.ListenAndServe("", m)
}
`)
	if err := os.Mkdir("users", 0o777); err != nil {
		t.Fatal(err)
	}
	users := `package users

import "net/http"

func Get(w http.ResponseWriter, r *http.Request) { r.PathValue("user_id") }

func Mux() *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc("GET /all/{name}", http.NotFound)
	return m
}
`
	if err := os.WriteFile("users/users.go", []byte(users), 0o666); err != nil {
		t.Fatal(err)
	}
	_, _, stderr := call("-params", "-params.unread", "-conflict")
	contains(t, "stderr", stderr,
		`main.go:11:38: the handler reads a parameter "user_id" (users.go:5), which its pattern does not have`,
		`main.go:11:28: the handler never reads the parameter "userid"`,
		`main.go:12:16: pattern "GET /all/{x}" conflicts with "GET /all/{name}" (users.go:9)`,
	)
}

func TestRoutes(t *testing.T) {
	inModule(t, program)
	status, stdout, stderr := call("routes")
	want := `# example.com/program, http.ServeMux main.go:6
GET /users/{id}                          # main.go:7 example.com/program.user
GET /users/{name}                        # main.go:8 example.com/program.user
/files/:id                               # main.go:9 example.com/program.user
/static/                                 # main.go:10 http.FileServer(http.Dir("static"))
# main.go:12: the pattern is not constant
`
	if status != 0 || stdout != want {
		t.Errorf("status %d, %s\ngot\n%s\nwant\n%s", status, stderr, stdout, want)
	}
	_, stdout, _ = call("routes", "-format", "json")
	var routes []list.Route
	if err := json.Unmarshal([]byte(stdout), &routes); err != nil || len(routes) != 5 {
		t.Fatalf("%v, %d routes:\n%s", err, len(routes), stdout)
	}
	if r := routes[0]; r.Pattern != "GET /users/{id}" || r.Source != "main.go:7" || r.RouterAt != "main.go:6" {
		t.Errorf("got %+v", r)
	}
	_, stdout, _ = call("routes", "-format=openapi")
	contains(t, "openapi", stdout, `"openapi": "3.1.0"`, `"/users/{id}"`)
	if _, stdout, _ = call("routes", "-router", "main.go:1"); stdout != "" {
		t.Errorf("-router of no router: %s", stdout)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"-h"}, {"help"}, {"--help"}, {"routes", "-h"}} {
		status, stdout, stderr := call(args...)
		if status != 0 || stderr != "" {
			t.Errorf("%v: status %d, stderr %q", args, status, stderr)
		}
		contains(t, strings.Join(args, " "), stdout, "-tags")
	}
	for _, args := range [][]string{{"-nope"}, {"-c", "x"}, {"routes", "-nope"}, {"routes", "-format", "yaml"}} {
		status, stdout, stderr := call(args...)
		if status != 2 || stdout != "" {
			t.Errorf("%v: status %d, want 2; stdout %q", args, status, stdout)
		}
		contains(t, "stderr", stderr, "Run 'muxwell-vet -h' for usage.")
	}
}
