package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// A builder builds services. It keeps programs in its directory, so that unchanged programs
// are not built again.
type builder struct {
	tree string // the folder of module similarity
	out  string
}

// errSkipped is the error for a service that cannot be built because a tool is missing.
var errSkipped = errors.New("a tool is missing")

const module = "github.com/muxwell/muxwell/similarity"

// newBuilder returns a builder that keeps programs in a directory, or in the user's cache
// if the name is empty.
func newBuilder(ctx context.Context, out string) (*builder, error) {
	tree, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return nil, fmt.Errorf("cannot find the sources of the services: %w; run it in the repository, with go on the PATH", said(err))
	}
	if out == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("no directory to build in: %w; set one with -build", err)
		}
		out = filepath.Join(cache, "muxwell-similarity-compare")
	}
	if out, err = filepath.Abs(out); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, fmt.Errorf("cannot build: %w; set another directory with -build", err)
	}
	return &builder{strings.TrimSpace(string(tree)), out}, nil
}

// build builds a service and returns its program. The error is errSkipped with the
// reason if a tool is missing.
func (b *builder) build(ctx context.Context, s service) (string, error) {
	if s.build.profile != "" {
		return b.cargo(ctx, s)
	}
	file := filepath.Join(b.out, s.name+executable)
	return file, b.tool(ctx, s.build, "go", "build", "-o", file, s.build.pkg)
}

// cargo builds a service in Rust.
func (b *builder) cargo(ctx context.Context, s service) (string, error) {
	if _, err := exec.LookPath("cargo"); err != nil {
		return "", fmt.Errorf("%w: cargo is not on the PATH; see https://rustup.rs", errSkipped)
	}
	target := filepath.Join(b.out, "rust")
	err := b.tool(ctx, s.build, "cargo", "build", "--locked", "--quiet", "--target-dir", target, "--profile", s.build.profile, "-p", s.build.pkg)
	return filepath.Join(target, s.build.profile, s.build.pkg+executable), err
}

// executable ends the names of programs.
var executable = map[bool]string{true: ".exe"}[runtime.GOOS == "windows"]

// tool runs a tool in the directory of a program.
func (b *builder) tool(ctx context.Context, p program, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = filepath.Join(b.tree, p.folder)
	cmd.Env = append(os.Environ(), p.env...)
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s failed: %w\n%s", strings.Join(cmd.Args, " "), err, strings.TrimSpace(string(out)))
}

// said returns the error of a command with what it wrote to its standard error.
func said(err error) error {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return err
	}
	return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(exit.Stderr)))
}
