// Package copied generates packages subject and v181 from package oracle.
package copied

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// The import paths of the reference packages, the main branch and v1.8.1, of the package
// under test, and of the module that replaces gorilla/mux by it.
const (
	Oracle  = "github.com/minio/mux"
	Old     = "github.com/gorilla/mux"
	Subject = "github.com/muxwell/muxwell/gorilla/mux"
	Replace = "github.com/muxwell/muxwell/gorilla/replace"
)

// A Copy is a generated package.
type Copy struct {
	Name, Imports string
	Except        string // the file that the package has written by hand, or ""
}

// Copies are the generated packages.
var Copies = []Copy{
	{Name: "subject", Imports: Subject},
	{Name: "v181", Imports: Old, Except: "newer.go"},
}

// Files returns the files of the package by name, generated from those in dir.
func (c Copy) Files(dir string) (map[string][]byte, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, name := range names {
		base := filepath.Base(name)
		if base == c.Except {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		text = bytes.Replace(text, []byte("package oracle\n"), []byte("package "+c.Name+"\n"), 1)
		text = bytes.Replace(text, []byte("// Package oracle"), []byte("// Package "+c.Name), 1)
		text = bytes.ReplaceAll(text, []byte(`"`+Oracle+`"`), []byte(`"`+c.Imports+`"`))
		files[base] = append(fmt.Appendf(nil,
			"// Code generated from ../oracle/%s by copymachine; DO NOT EDIT.\n\n", base), text...)
	}
	return files, nil
}
