package deploy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/moby/patternmatcher"
	"github.com/moby/patternmatcher/ignorefile"
)

// stages returns the stages of the Dockerfile, as docker build reads them.
func stages() ([]instructions.Stage, error) {
	f, err := os.Open("Dockerfile")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	parsed, err := parser.Parse(f)
	if err != nil {
		return nil, err
	}
	if len(parsed.Warnings) > 0 {
		return nil, fmt.Errorf("warnings: %v", parsed.Warnings)
	}
	all, _, err := instructions.Parse(parsed.AST, nil)
	return all, err
}

// TestImages: the images have a program and nothing else, which runs as the user that
// the Deployment asks for.
func TestImages(t *testing.T) {
	all, err := stages()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 3 || all[0].Name != "build" || all[1].Name != "generate" {
		t.Fatalf("%d stages, want build, generate and the service's", len(all))
	}
	security := readManifests(t).deployment.Spec.Template.Spec.SecurityContext
	for _, stage := range all[1:] {
		if stage.BaseName != "scratch" {
			t.Errorf("an image is made from %s, want scratch", stage.BaseName)
		}
		var program, entry, user string
		for _, c := range stage.Commands {
			switch c := c.(type) {
			case *instructions.CopyCommand:
				program += c.DestPath
			case *instructions.EntrypointCommand:
				entry = strings.Join(c.CmdLine, " ")
			case *instructions.UserCommand:
				user = c.User
			}
		}
		if want := fmt.Sprintf("%d:%d", *security.RunAsUser, *security.RunAsGroup); program != entry || user != want {
			t.Errorf("an image has %s, runs %s as %s; want the same as %s", program, entry, user, want)
		}
	}
}

// programs builds the programs as the Dockerfile's first stage does, from what its
// ignore file leaves, and returns the folder that they are in.
var programs = sync.OnceValues(func() (string, error) {
	all, err := stages()
	if err != nil {
		return "", err
	}
	root, err := os.MkdirTemp("", "similarity-deploy-")
	if err != nil {
		return "", err
	}
	cleanups = append(cleanups, func() { os.RemoveAll(root) })
	b := build{root: root, dir: "/", env: os.Environ()}
	for _, c := range all[0].Commands {
		if err := b.do(c); err != nil {
			return "", fmt.Errorf("%v: %w", c, err)
		}
	}
	return filepath.Join(root, "out"), nil
})

// cleanups are called after all tests.
var cleanups []func()

func TestMain(m *testing.M) {
	status := m.Run()
	for _, f := range cleanups {
		f()
	}
	os.Exit(status)
}

// A build does in a folder what docker build does in an image.
type build struct {
	root string // is / of the image
	dir  string
	env  []string
}

func (b *build) do(c instructions.Command) error {
	switch c := c.(type) {
	case *instructions.EnvCommand:
		for _, v := range c.Env {
			b.env = append(b.env, v.Key+"="+v.Value)
		}
		return nil
	case *instructions.WorkdirCommand:
		b.dir = c.Path
		return os.MkdirAll(filepath.Join(b.root, b.dir), 0o777)
	case *instructions.CopyCommand:
		dest := c.DestPath
		if !path.IsAbs(dest) {
			dest = path.Join(b.dir, dest)
		}
		for _, source := range c.SourcePaths {
			if err := b.copy(source, dest); err != nil {
				return err
			}
		}
		return nil
	case *instructions.RunCommand:
		line := strings.ReplaceAll(strings.Join(c.CmdLine, " "), " /out/", " "+b.root+"/out/")
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir, cmd.Env = filepath.Join(b.root, b.dir), b.env
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		return nil
	}
	return errors.New("the test does not know what this does")
}

// copy copies a file of the repository, or the whole of it, to a folder of the image,
// without what is ignored.
func (b *build) copy(source, dest string) error {
	const context = "../.."
	f, err := os.Open("Dockerfile.dockerignore")
	if err != nil {
		return err
	}
	defer f.Close()
	patterns, err := ignorefile.ReadAll(f)
	if err != nil {
		return err
	}
	ignored, err := patternmatcher.New(patterns)
	if err != nil {
		return err
	}
	return filepath.WalkDir(filepath.Join(context, source), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inContext, _ := filepath.Rel(context, name)
		if d.IsDir() && slices.Contains([]string{".git", "target"}, d.Name()) {
			return filepath.SkipDir
		}
		if no, err := ignored.MatchesOrParentMatches(inContext); err != nil || no || !d.Type().IsRegular() {
			return err
		}
		target := filepath.Join(b.root, dest, inContext)
		if source != "." {
			target = filepath.Join(b.root, dest, filepath.Base(name))
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o666)
	})
}

// TestPrograms: what the Dockerfile builds runs without anything around it.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the programs anew")
	}
	dir, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	for program, args := range map[string][]string{"similarity": {"version"}, "generate": {"-texts", "-n", "2"}} {
		cmd := exec.Command(filepath.Join(dir, program), args...)
		cmd.Env = []string{}
		if out, err := cmd.CombinedOutput(); err != nil || len(out) == 0 {
			t.Errorf("%s %q: %v\n%s", program, args, err, out)
		}
	}
}
