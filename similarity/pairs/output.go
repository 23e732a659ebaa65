package pairs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/muxwell/muxwell/similarity/table"
)

// An output is where pairs are written: a file, which has another name until it is complete,
// or standard output.
type output struct {
	name string   // - is standard output
	file *os.File // nil for standard output
	size int64    // of what was written to it
	to   io.Writer
	z    io.WriteCloser // compresses to it
	rows *table.Writer  // to z
}

// partial returns the name of a file while it is not complete.
func partial(name string) string { return name + ".partial" }

// openOutput opens the output. A file continues at an offset; anything after it is removed.
func openOutput(name string, format table.Format, at int64, stdout io.Writer) (*output, error) {
	o := &output{name: name, size: at, to: stdout}
	if name != "-" {
		f, err := os.OpenFile(partial(name), os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, fmt.Errorf("%w; write to another file with -out", err)
		}
		o.file, o.to = f, f
		_, err = f.Seek(at, io.SeekStart)
		if err := errors.Join(f.Truncate(at), err); err != nil {
			f.Close()
			return nil, err
		}
	}
	var err error
	if o.z, err = table.NewCompressor(o, name); err == nil {
		o.rows, err = table.NewWriter(o.z, format, at > 0,
			table.Column{Name: "id1"}, table.Column{Name: "id2"}, table.Column{Name: "similarity", Number: true})
	}
	if err != nil {
		o.close(false)
	}
	return o, err
}

// Write writes what rows are encoded to.
func (o *output) Write(b []byte) (int, error) {
	n, err := o.to.Write(b)
	o.size += int64(n)
	if err != nil && o.file == nil {
		err = fmt.Errorf("write to standard output: %w", err)
	}
	return n, err
}

// pair writes a pair.
func (o *output) pair(id1, id2 string, thousandths int) error {
	return o.rows.Write(table.String(id1), table.String(id2), table.Thousandths(thousandths))
}

// sync writes all pairs to the disk. The file must not be compressed.
func (o *output) sync() error {
	if err := o.rows.Flush(); err != nil {
		return err
	}
	return o.file.Sync()
}

// finish completes the output, and gives a file its name.
func (o *output) finish() error {
	if err := o.rows.Close(); err != nil {
		return err
	}
	if err := o.z.Close(); err != nil || o.file == nil {
		return err
	}
	if err := errors.Join(o.file.Sync(), o.file.Close()); err != nil {
		return err
	}
	return os.Rename(partial(o.name), o.name)
}

// close closes a file that is not complete, and removes it unless it is to be continued.
func (o *output) close(keep bool) {
	if o.file == nil {
		return
	}
	o.file.Close()
	if !keep {
		os.Remove(partial(o.name))
	}
}

// exists reports whether a file exists.
func exists(name string) bool {
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}
