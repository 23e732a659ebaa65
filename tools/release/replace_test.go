package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReplace: a program that imports gorilla/mux, with a package that does too, works
// with the line in its go.mod that docs/migrate-from-gorilla.md recommends. The
// modules of this repository come by version from a module proxy.
func TestReplace(t *testing.T) {
	if testing.Short() {
		t.Skip("packages and downloads modules")
	}
	top, err := git(".", "rev-parse", "--show-toplevel")
	if err != nil {
		t.Fatal(err)
	}
	cache, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	if err != nil {
		t.Fatal(err)
	}
	old := strings.Fields(string(cache))
	proxy, dir := filepath.Join(t.TempDir(), "proxy"), filepath.Join(t.TempDir(), "program")
	r := release{top: top, folders: []string{".", "gorilla/replace"}, proxy: proxy}
	if err := r.run(t.Output()); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "replace"))); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"mod init example.com/replace",
		"get github.com/getkin/kin-openapi@v0.152.0 github.com/gorilla/mux@v1.8.1",
		"mod edit -replace=github.com/gorilla/mux=github.com/muxwell/muxwell/gorilla/replace@latest",
		"mod tidy",
		"mod verify",
		"vet ./...",
		"test ./...",
		"mod vendor",
		"test -mod=vendor ./...",
	} {
		c := exec.Command("go", strings.Fields(args)...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-modcacherw", "GOMODCACHE="+filepath.Join(filepath.Dir(proxy), "modules"),
			"GOPROXY=file://"+proxy+",file://"+filepath.Join(old[0], "cache", "download")+","+old[1], "GONOSUMDB=github.com/muxwell/muxwell", "GOPRIVATE=", "GONOPROXY=")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", args, err, out)
		}
	}
}
