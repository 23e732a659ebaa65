package deploy

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/moby/patternmatcher"
	"github.com/moby/patternmatcher/ignorefile"
)

// stages returns the stages of the Dockerfile, as docker build reads them.
func stages(t *testing.T) []instructions.Stage {
	t.Helper()
	parsed, err := parser.Parse(bytes.NewReader(read(t, "Dockerfile")))
	if err != nil || len(parsed.Warnings) > 0 {
		t.Fatal(err, parsed)
	}
	all, _, err := instructions.Parse(parsed.AST, nil)
	if err != nil || len(all) != 3 || all[0].Name != "build" || all[1].Name != "generate" {
		t.Fatalf("%d stages, want build, generate and the service's: %v", len(all), err)
	}
	return all
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	must(t, err)
	return data
}

// TestImages checks that the images have a program and nothing else, which runs as the user
// that the Deployment requires and listens on its port.
func TestImages(t *testing.T) {
	pod := readManifests(t).deployment.Spec.Template.Spec
	for _, stage := range stages(t)[1:] {
		var program, entry, user string
		for _, c := range stage.Commands {
			switch c := c.(type) {
			case *instructions.CopyCommand:
				program += c.DestPath
			case *instructions.EntrypointCommand:
				entry = strings.Join(c.CmdLine, " ")
			case *instructions.UserCommand:
				user = c.User
			case *instructions.EnvCommand:
				if want := fmt.Sprintf(":%d", pod.Containers[0].Ports[0].ContainerPort); c.Env[0].Value != want {
					t.Errorf("%v; want %s", c, want)
				}
			}
		}
		if want := fmt.Sprintf("%d:%d", *pod.SecurityContext.RunAsUser, *pod.SecurityContext.RunAsGroup); stage.BaseName != "scratch" || program != entry || user != want {
			t.Errorf("an image from %s has %s, runs %s as %s; want scratch, the same, %s", stage.BaseName, program, entry, user, want)
		}
	}
}

// TestBuild builds the programs as the first stage of the Dockerfile does, from files that it
// copies, and runs them without an environment.
func TestBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the programs")
	}
	out, env := t.TempDir(), os.Environ()
	// The files that docker build needs, as paths in the repository.
	const list = "go list -deps -f '{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}} {{end}}{{range .SFiles}}{{$d}}/{{.}} {{end}}{{range .EmbedFiles}}{{$d}}/{{.}} {{end}}' . ./load/generate"
	var needed []string
	for _, c := range stages(t)[0].Commands {
		switch c := c.(type) {
		case *instructions.EnvCommand:
			for _, v := range c.Env {
				env = append(env, v.String())
			}
		case *instructions.CopyCommand:
			needed = append(needed, c.SourcePaths...)
		case *instructions.RunCommand:
			shell(t, env, strings.ReplaceAll(strings.Join(c.CmdLine, " "), " /out/", " "+out+"/"))
		}
	}
	root, err := filepath.Abs("../..")
	must(t, err)
	for _, name := range strings.Fields(shell(t, env, list)) {
		if name, ok := strings.CutPrefix(name, root+"/"); ok {
			needed = append(needed, name)
		}
	}
	patterns, err := ignorefile.ReadAll(bytes.NewReader(read(t, "Dockerfile.dockerignore")))
	must(t, err)
	for _, name := range needed {
		_, err := os.Stat(filepath.Join(root, name))
		must(t, err)
		if ignored, err := patternmatcher.MatchesOrParentMatches(name, patterns); err != nil || ignored && name != "." {
			t.Errorf("Dockerfile.dockerignore excludes %s: %v", name, err)
		}
	}
	for _, run := range []string{"similarity version", "generate -texts -n 2"} {
		if text := shell(t, nil, "exec env -i "+out+"/"+run); text == "" {
			t.Errorf("%s prints nothing", run)
		}
	}
}

// shell runs a command in the module of the service and returns its output.
func shell(t *testing.T, env []string, command string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = "..", env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	return string(out)
}
