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
	name  string   // - is standard output
	file  *os.File // nil for standard output
	empty bool     // when it was opened
	size  int64    // of what was written to it
	to    io.Writer
	z     io.WriteCloser // compresses to it
	rows  *table.Writer  // to z
}

// partial returns the name of a file while it is not complete.
func partial(name string) string { return name + ".partial" }

// openOutput opens the output for one run at a time, and leaves a file as it is.
func openOutput(name string, stdout io.Writer) (*output, error) {
	o := &output{name: name, to: stdout}
	if name == "-" {
		return o, nil
	}
	f, err := os.OpenFile(partial(name), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("%w; write to another file with -out", err)
	}
	o.file, o.to = f, f
	if !lock(f) {
		f.Close()
		return nil, fmt.Errorf("another run writes %s; wait for it, or write to another file with -out", partial(name))
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	o.empty = info.Size() == 0
	return o, nil
}

// begin begins to write rows. A file continues at an offset; anything after it is removed.
func (o *output) begin(format table.Format, at int64) (err error) {
	o.size = at
	if o.file != nil {
		if err := o.checkName(); err != nil {
			return err
		}
		_, err = o.file.Seek(at, io.SeekStart)
		if err := errors.Join(o.file.Truncate(at), err); err != nil {
			return err
		}
	}
	if o.z, err = table.NewCompressor(o, o.name); err != nil {
		return err
	}
	o.rows, err = table.NewWriter(o.z, format, at > 0,
		table.Column{Name: "id1"}, table.Column{Name: "id2"}, table.Column{Name: "similarity", Number: true})
	return err
}

// checkName returns an error if the file has lost its name, to a run that ended just when this
// one opened the file.
func (o *output) checkName() error {
	info, err := o.file.Stat()
	if err != nil {
		return err
	}
	if named, err := os.Stat(partial(o.name)); err != nil || !os.SameFile(info, named) {
		return fmt.Errorf("another run has just ended that wrote %s; start again", partial(o.name))
	}
	return nil
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
