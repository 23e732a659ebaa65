package batch

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// checkDistinct returns an error if two of the files that a run reads and writes are
// the same.
func checkDistinct(o *options, in *input, stdout io.Writer) error {
	files := []namedFile{{"the input " + in.name, "", in.info}, fileNamed("the rejected rows "+o.rejected, o.rejected)}
	if o.input != "-" {
		files[0].path = absolute(o.input)
	}
	if f, ok := stdout.(*os.File); ok && o.out == "-" {
		info, _ := f.Stat()
		if info != nil && info.Mode().IsRegular() {
			files = append(files, namedFile{"the standard output", "", info})
		}
	}
	if o.out != "-" {
		state := journalName(o.out)
		files = append(files, fileNamed("the output "+o.out, o.out), fileNamed("the journal "+state, state))
	}
	for i, a := range files {
		for _, b := range files[i+1:] {
			if a.same(b) {
				return usageError{fmt.Errorf("%s and %s are the same file; choose others with -out and -rejected", a.what, b.what)}
			}
		}
	}
	return nil
}

// A namedFile is a file of a run.
type namedFile struct {
	what string
	path string      // "" if it has none
	info fs.FileInfo // nil if it is not there
}

func fileNamed(what, name string) namedFile {
	info, _ := os.Stat(name)
	return namedFile{what, absolute(name), info}
}

// same reports whether two files are the same. Files that are not regular, such as
// /dev/null, may be used twice.
func (a namedFile) same(b namedFile) bool {
	if a.info != nil && b.info != nil {
		return os.SameFile(a.info, b.info) && a.info.Mode().IsRegular()
	}
	return a.path != "" && a.path == b.path
}

// absolute returns the absolute form of a name, or the name itself if that is unknown.
func absolute(name string) string {
	if path, err := filepath.Abs(name); err == nil {
		return path
	}
	return name
}
