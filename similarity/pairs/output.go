package pairs

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
)

// An output is where pairs are written: a file, which has another name until it is complete,
// or standard output.
type output struct {
	name  string   // - is standard output
	file  *os.File // nil for standard output
	size  int64    // of what was written, with what is in w
	w     *bufio.Writer
	write func(id1, id2, similarity string) error
}

// partial returns the name of a file while it is not complete.
func partial(name string) string { return name + ".partial" }

// openOutput opens the output. A file continues at an offset; anything after it is removed.
func openOutput(name, format string, at int64, stdout io.Writer) (*output, error) {
	o := &output{name: name, size: at}
	to := stdout
	if name != "-" {
		f, err := os.OpenFile(partial(name), os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, fmt.Errorf("%w; write to another file with -out", err)
		}
		o.file, to = f, f
		_, err = f.Seek(at, io.SeekStart)
		if err := errors.Join(f.Truncate(at), err); err != nil {
			f.Close()
			return nil, err
		}
	}
	o.w = bufio.NewWriterSize(to, 64<<10)
	if format == "jsonl" {
		o.write = o.jsonl()
		return o, nil
	}
	o.write = o.csv()
	if at > 0 {
		return o, nil
	}
	return o, o.write("id1", "id2", "similarity")
}

// Write appends what a row is encoded to.
func (o *output) Write(b []byte) (int, error) {
	n, err := o.w.Write(b)
	o.size += int64(n)
	return n, err
}

func (o *output) csv() func(id1, id2, similarity string) error {
	w := csv.NewWriter(o)
	return func(id1, id2, similarity string) error {
		if err := w.Write([]string{id1, id2, similarity}); err != nil {
			return err
		}
		w.Flush()
		return w.Error()
	}
}

func (o *output) jsonl() func(id1, id2, similarity string) error {
	w := json.NewEncoder(o)
	w.SetEscapeHTML(false)
	return func(id1, id2, similarity string) error {
		return w.Encode(struct {
			ID1        string      `json:"id1"`
			ID2        string      `json:"id2"`
			Similarity json.Number `json:"similarity"`
		}{id1, id2, json.Number(similarity)})
	}
}

// pair writes a pair.
func (o *output) pair(id1, id2 string, thousandths int) error {
	return o.write(id1, id2, strconv.FormatFloat(float64(thousandths)/1000, 'f', -1, 64))
}

// sync writes everything to the disk.
func (o *output) sync() error {
	err := o.w.Flush()
	if err == nil && o.file != nil {
		err = o.file.Sync()
	}
	if err != nil && o.file == nil {
		return fmt.Errorf("write to standard output: %w", err)
	}
	return err
}

// finish gives a complete file its name.
func (o *output) finish() error {
	if err := o.sync(); err != nil || o.file == nil {
		return err
	}
	if err := o.file.Close(); err != nil {
		return err
	}
	return os.Rename(partial(o.name), o.name)
}

// close closes a file that is not complete.
func (o *output) close() {
	if o.file != nil {
		o.file.Close()
	}
}

// exists reports whether a file exists.
func exists(name string) bool {
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}
