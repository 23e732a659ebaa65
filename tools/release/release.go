package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	"golang.org/x/mod/zip"
)

// A release publishes modules of a repository at one version. It works in a clone, which
// has these commits:
//
//	the last one, or one more for the working tree     tag v0.1.0
//	one that changes the go.mod of the module a        tag a/v0.1.0
//	one that changes the go.mod of the module b        tag b/v0.1.0
//
// In the repository the modules find each other through replace directives. "go install
// MODULE@VERSION" refuses a module with such a directive, so a published module has none. It
// requires the others at the version of the release.
type release struct {
	top     string   // the repository
	folders []string // of the modules, "." for the root, which is the first; each comes after those that it requires
	version string   // "" for one of this tree
	proxy   string   // the folder of the module proxy, "" for none
	tag     bool

	clone string
	done  []*packaged
	tags  []string
}

// run makes the release and prints what it created to out.
func (r *release) run(out io.Writer) error {
	temporary, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	r.clone = filepath.Join(temporary, "clone")
	if err := r.makeClone(); err != nil {
		return err
	}
	if err := r.check(); err != nil {
		return err
	}
	for _, folder := range r.folders {
		p, err := r.publish(folder)
		if err != nil {
			return fmt.Errorf("the module in folder %s: %w", folder, err)
		}
		fmt.Fprintf(out, "%s %s, %d bytes\n", p.path, p.version, len(p.zip))
	}
	if r.proxy != "" {
		for _, p := range r.done {
			if err := p.writeTo(r.proxy); err != nil {
				return err
			}
		}
	}
	if !r.tag {
		return nil
	}
	for _, tag := range r.tags {
		if _, err := git(r.top, "fetch", "--quiet", "--no-tags", r.clone, "refs/tags/"+tag+":refs/tags/"+tag); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "Publish it with: git push origin %s\n", strings.Join(r.tags, " "))
	return nil
}

// check determines the version and checks that it can be released.
func (r *release) check() error {
	if r.version == "" && !r.tag {
		tags, err := git(r.clone, "tag", "--list", "v*")
		if err != nil {
			return err
		}
		tree, err := git(r.clone, "rev-parse", "HEAD^{tree}")
		if err != nil {
			return err
		}
		r.version = nextMinor(strings.Fields(tags)) + "-check-" + tree[:12]
	}
	if !semver.IsValid(r.version) || semver.Canonical(r.version) != r.version {
		return fmt.Errorf("%q is not a version; write it as v0.1.0", r.version)
	}
	if !r.tag {
		return nil
	}
	changes, err := git(r.top, "status", "--porcelain")
	if err != nil {
		return err
	}
	if changes != "" {
		return fmt.Errorf("the working tree has changes; commit them first:\n%s", changes)
	}
	changelog, err := os.ReadFile(filepath.Join(r.top, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	heading := "## [" + strings.TrimPrefix(r.version, "v") + "]"
	if !regexp.MustCompile("(?m)^" + regexp.QuoteMeta(heading)).Match(changelog) {
		return fmt.Errorf("CHANGELOG.md has no heading %s", heading)
	}
	return nil
}

// nextMinor returns the minor version after the latest of tags.
func nextMinor(tags []string) string {
	latest := "v0.0.0"
	for _, tag := range tags {
		if semver.IsValid(tag) && semver.Compare(tag, latest) > 0 {
			latest = tag
		}
	}
	var major, minor int
	fmt.Sscanf(semver.MajorMinor(latest), "v%d.%d", &major, &minor) // valid, so it has both
	return fmt.Sprintf("v%d.%d.0", major, minor+1)
}

// makeClone clones the repository, and commits the working tree there if it differs from
// the last commit.
func (r *release) makeClone() error {
	if _, err := git(r.top, "clone", "--quiet", "--shared", "--no-checkout", ".", r.clone); err != nil {
		return err
	}
	for _, key := range []string{"user.name", "user.email"} {
		value, err := git(r.top, "config", "--default", "", key)
		if err != nil {
			return err
		}
		if value == "" && !r.tag {
			value = "release" // of commits that nobody sees
		}
		if value == "" {
			return fmt.Errorf("git does not know who commits; run: git config %s VALUE", key)
		}
		if _, err := git(r.clone, "config", key, value); err != nil {
			return err
		}
	}
	if _, err := git(r.clone, "read-tree", "HEAD"); err != nil {
		return err
	}
	if _, err := git(r.top, "--git-dir", filepath.Join(r.clone, ".git"), "--work-tree", r.top, "add", "--all"); err != nil {
		return err
	}
	changes, err := git(r.clone, "diff", "--cached", "--name-only")
	if err != nil {
		return err
	}
	if changes != "" {
		if err := r.commit("The working tree"); err != nil {
			return err
		}
	}
	_, err = git(r.clone, "reset", "--quiet", "--hard") // checks it out
	return err
}

// commit commits what is staged in the clone.
func (r *release) commit(message string) error {
	_, err := git(r.clone, "commit", "--quiet", "--no-verify", "--no-gpg-sign", "--message", message)
	return err
}

// publish tags and packages the module in a directory.
func (r *release) publish(folder string) (*packaged, error) {
	p := &packaged{version: r.version}
	if err := r.pin(p, filepath.Join(r.clone, folder)); err != nil {
		return nil, err
	}
	if err := module.Check(p.path, p.version); err != nil {
		return nil, err
	}
	changes, err := git(r.clone, "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	if changes != "" {
		if _, err := git(r.clone, "add", "--all"); err != nil {
			return nil, err
		}
		if err := r.commit(fmt.Sprintf("Require %s of the other modules in %s", r.version, folder)); err != nil {
			return nil, err
		}
	}
	tag := path.Join(folder, r.version)
	if _, err := git(r.clone, "tag", "--no-sign", tag); err != nil {
		return nil, err
	}
	if p.time, err = git(r.clone, "log", "-1", "--format=%cI", tag); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := zip.CreateFromVCS(&b, module.Version{Path: p.path, Version: p.version}, r.clone, tag, strings.TrimPrefix(folder, ".")); err != nil {
		return nil, err
	}
	p.zip = b.Bytes()
	r.tags, r.done = append(r.tags, tag), append(r.done, p)
	return p, nil
}

// pin changes the go.mod of the module in a directory of the clone. It requires the other
// modules of the repository at the version of the release, without a replace directive.
func (r *release) pin(p *packaged, dir string) error {
	name := filepath.Join(dir, "go.mod")
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	file, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return err
	}
	p.path = file.Module.Mod.Path
	var sums []sum
	for _, required := range file.Require {
		if !r.owns(required.Mod.Path) {
			continue
		}
		other := r.packaged(required.Mod.Path)
		if other == nil {
			return fmt.Errorf("it requires %s, which is not published before it", required.Mod.Path)
		}
		if err := file.AddRequire(other.path, other.version); err != nil {
			return err
		}
		lines, err := other.sums()
		if err != nil {
			return err
		}
		sums = append(sums, lines...)
	}
	for _, replaced := range file.Replace {
		if r.packaged(replaced.Old.Path) == nil {
			return fmt.Errorf("its go.mod replaces %s, so go install refuses it; require a version that needs no replacement", replaced.Old.Path)
		}
		if err := file.DropReplace(replaced.Old.Path, replaced.Old.Version); err != nil {
			return err
		}
	}
	file.Cleanup()
	p.mod = modfile.Format(file.Syntax)
	if err := os.WriteFile(name, p.mod, 0o644); err != nil {
		return err
	}
	return addSums(filepath.Join(dir, "go.sum"), sums)
}

// owns reports whether a module is part of the repository.
func (r *release) owns(path string) bool {
	return len(r.done) > 0 && (path == r.done[0].path || strings.HasPrefix(path, r.done[0].path+"/"))
}

// packaged returns the module that has been packaged with a path, or nil.
func (r *release) packaged(path string) *packaged {
	i := slices.IndexFunc(r.done, func(p *packaged) bool { return p.path == path })
	if i < 0 {
		return nil
	}
	return r.done[i]
}
