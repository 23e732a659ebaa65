package batch

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/muxwell/muxwell/similarity/internal/command"
	"github.com/muxwell/muxwell/similarity/table"
)

// Names are the names of the outputs; "-" is standard output.
type names struct{ out, rejected string }

// names returns the names of the outputs for a file in a format. The rejected rows are in the
// folder of the output, or of the input if the output is not a regular file.
func (o *options) names(input string, f table.Format, several bool) names {
	ending := string(f)
	if isTSV(input) && f == table.CSV {
		ending = "tsv"
	}
	n, isFile := names{o.out, o.rejected}, input != "-" && !isSpecial(input)
	if n.out == "" {
		n.out = "-"
		if isFile {
			n.out = table.Stem(input) + ".similarity." + ending
		}
	}
	if n.rejected != "" {
		return n
	}
	stem, folder := filepath.Base(table.Stem(input)), filepath.Dir(n.out)
	switch toFile := n.out != "-" && !isSpecial(n.out); {
	case (!isFile || several) && toFile:
		stem = filepath.Base(table.Stem(n.out))
	case !isFile:
		stem, folder = "stdin", "."
	case !toFile:
		folder = filepath.Dir(input)
	}
	n.rejected = filepath.Join(folder, stem+".rejected."+ending)
	return n
}

// Claims are the files of a run, each of which is read or written once.
type claims struct {
	inputs []fs.FileInfo
	read   []string          // names of inputs
	taken  map[string]string // what the files are, by their absolute names
	stdout io.Writer
	force  bool
}

func newClaims(inputs []string, stdin io.Reader, stdout io.Writer, force bool) *claims {
	c := &claims{taken: map[string]string{}, stdout: stdout, force: force}
	for _, name := range inputs {
		var info fs.FileInfo
		if name != "-" {
			info, _ = os.Stat(name)
			c.taken[absolute(name)] = "the input " + name
		} else if f, ok := stdin.(*os.File); ok {
			info, _ = f.Stat()
		}
		c.inputs, c.read = append(c.inputs, info), append(c.read, name)
	}
	return c
}

// add adds outputs. It is an error if one is an input or another output, or if something
// would be overwritten.
func (c *claims) add(n names) error {
	if f, ok := c.stdout.(*os.File); ok && n.out == "-" {
		if info, err := f.Stat(); err == nil {
			if err := c.checkInputs("the standard output", info); err != nil {
				return err
			}
		}
	}
	for _, f := range []struct{ name, what, flag string }{{n.out, "the output ", "-out"}, {n.rejected, "the rejected rows ", "-rejected"}} {
		if f.name == "-" {
			continue
		}
		info, err := os.Stat(f.name)
		if err == nil && !info.Mode().IsRegular() {
			continue // a device such as /dev/null may be used twice
		}
		if err == nil {
			if err := c.checkInputs(f.what+f.name, info); err != nil {
				return err
			}
		}
		for _, name := range []string{f.name, partial(f.name)} {
			if other, ok := c.taken[absolute(name)]; ok {
				return same(f.what+f.name, other)
			}
			c.taken[absolute(name)] = f.what + f.name
		}
		if err == nil && !c.force {
			return fmt.Errorf("%s exists; overwrite it with -force, or write to another file with %s", f.name, f.flag)
		}
	}
	return nil
}

// checkInputs returns an error if an output is an input.
func (c *claims) checkInputs(what string, info fs.FileInfo) error {
	for i, input := range c.inputs {
		if input != nil && input.Mode().IsRegular() && os.SameFile(input, info) {
			return same(what, "the input "+c.read[i])
		}
	}
	return nil
}

// same returns the error for files that are the same.
func same(a, b string) error {
	return command.UsageError{Err: fmt.Errorf("%s and %s are the same file; choose others with -out and -rejected", a, b)}
}

// absolute returns the absolute form of a name, or the name itself if that is unknown.
func absolute(name string) string {
	if path, err := filepath.Abs(name); err == nil {
		return path
	}
	return name
}
