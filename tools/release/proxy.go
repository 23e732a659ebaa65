package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"
)

// A packaged is a module in the form of a module proxy.
type packaged struct {
	path, version string
	time          string // of the commit, as RFC 3339 has it
	mod, zip      []byte
}

// writeTo writes the module to a module proxy in a directory (go.dev/ref/mod#goproxy-protocol).
func (p *packaged) writeTo(proxy string) error {
	name, err := module.EscapePath(p.path)
	if err != nil {
		return err
	}
	version, err := module.EscapeVersion(p.version)
	if err != nil {
		return err
	}
	info, err := json.Marshal(struct{ Version, Time string }{p.version, p.time})
	if err != nil {
		return err
	}
	dir := filepath.Join(proxy, filepath.FromSlash(name), "@v")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for file, data := range map[string][]byte{
		"list":            []byte(p.version + "\n"),
		version + ".info": info,
		version + ".mod":  p.mod,
		version + ".zip":  p.zip,
	} {
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// A sum is a line of a go.sum file. The version of one for a go.mod ends with "/go.mod".
type sum struct {
	module.Version
	hash string
}

// sums returns the lines for the module.
func (p *packaged) sums() ([]sum, error) {
	files, err := zip.NewReader(bytes.NewReader(p.zip), int64(len(p.zip)))
	if err != nil {
		return nil, err
	}
	var names []string
	for _, f := range files.File {
		names = append(names, f.Name)
	}
	all, err := dirhash.Hash1(names, func(name string) (io.ReadCloser, error) { return files.Open(name) })
	if err != nil {
		return nil, err
	}
	mod, err := dirhash.Hash1([]string{"go.mod"}, func(string) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(p.mod)), nil
	})
	if err != nil {
		return nil, err
	}
	return []sum{
		{module.Version{Path: p.path, Version: p.version}, all},
		{module.Version{Path: p.path, Version: p.version + "/go.mod"}, mod},
	}, nil
}

// addSums adds lines to a go.sum file, in the go command's order.
func addSums(name string, sums []sum) error {
	if len(sums) == 0 {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	hashes := make(map[module.Version]string)
	for line := range strings.Lines(string(data)) {
		fields := strings.Fields(line)
		if len(fields) != 3 {
			return fmt.Errorf("go.sum: the line %q does not have three fields", line)
		}
		hashes[module.Version{Path: fields[0], Version: fields[1]}] = fields[2]
	}
	for _, s := range sums {
		hashes[s.Version] = s.hash
	}
	versions := make([]module.Version, 0, len(hashes))
	for v := range hashes {
		versions = append(versions, v)
	}
	module.Sort(versions)
	var b strings.Builder
	for _, v := range versions {
		fmt.Fprintf(&b, "%s %s %s\n", v.Path, v.Version, hashes[v])
	}
	return os.WriteFile(name, []byte(b.String()), 0o644)
}
