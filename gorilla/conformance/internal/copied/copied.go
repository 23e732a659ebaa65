// Package copied generates package subject from package oracle.
package copied

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// The import paths of the reference package and of the package under test.
const (
	Oracle  = "github.com/minio/mux"
	Subject = "github.com/muxwell/muxwell/gorilla/mux"
)

// Files returns the files of package subject by name, generated from those in dir.
func Files(dir string) (map[string][]byte, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		text = bytes.Replace(text, []byte("package oracle\n"), []byte("package subject\n"), 1)
		text = bytes.Replace(text, []byte("// Package oracle"), []byte("// Package subject"), 1)
		text = bytes.ReplaceAll(text, []byte(`"`+Oracle+`"`), []byte(`"`+Subject+`"`))
		base := filepath.Base(name)
		files[base] = append(fmt.Appendf(nil,
			"// Code generated from ../oracle/%s by copymachine; DO NOT EDIT.\n\n", base), text...)
	}
	return files, nil
}
