package batch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/similarity/internal/command"
	"github.com/muxwell/muxwell/similarity/table"
)

// Outputs are the output and the rejected rows of one input or several.
type outputs struct {
	o        *options
	names    names
	first    *table.File
	format   table.Format // of the output
	columns  []string     // of converted rows; those of JSONL are set when they are known
	out      *sink
	rejected *sink       // nil if no row was rejected yet
	last     *table.File // from which a row was rejected
	begun    bool        // the header was written

	rows    *table.ParquetWriter // to out, if it is Parquet
	refused *table.ParquetWriter // to rejected, if the input is Parquet
}

// openOutputs opens the output for a file. The rejected rows get a file with the first of them.
func (o *options) openOutputs(f *table.File, n names, stdout io.Writer) (*outputs, error) {
	w := &outputs{o: o, names: n, first: f}
	w.format, _ = table.OutputFormat(n.out, f.Format)
	comma := byte(',')
	if w.converted() {
		w.columns = f.Columns
	} else if f.Format == table.CSV {
		comma = f.Comma
	}
	if named := table.FormatOf(n.rejected); f.Format == table.Parquet && named != "" && named != table.Parquet {
		return nil, command.UsageError{Err: fmt.Errorf("-rejected %s: the rejected rows of Parquet are Parquet; choose a name that ends with .parquet", n.rejected)}
	}
	if w.format == table.CSV && isTSV(n.out) && comma != '\t' {
		return nil, fmt.Errorf("%s would have %q between the fields and not tabs; choose a name that ends with .csv", n.out, comma)
	}
	if _, err := o.newComparer(f, w.columns, w.format); err != nil {
		return nil, err
	}
	for _, name := range []string{similarityColumn, interpretationColumn} {
		if slices.Contains(f.Columns, name) {
			return nil, fmt.Errorf("%s has a column %q, which the output adds; rename it", f.Name, name)
		}
	}
	var err error
	if w.out, err = openSink(n.out, stdout, o.force); err != nil {
		return nil, err
	}
	return w, nil
}

// converted reports whether rows of the output are not those of the input.
func (w *outputs) converted() bool {
	return w.format != w.first.Format
}

// checkNext returns an error if the rows of a file do not fit to those of the first.
func (w *outputs) checkNext(f *table.File) error {
	a := w.first
	switch {
	case a.Format != f.Format:
		return fmt.Errorf("%s is %s and %s is %s; compare them to outputs of their own, without -out", a.Name, a.Format, f.Name, f.Format)
	case !a.SameColumns(f):
		what := "columns"
		switch f.Format {
		case table.CSV:
			what += " and separators"
		case table.Parquet:
			what += " and types"
		}
		return fmt.Errorf("%s and %s do not have the same %s; compare them to outputs of their own, without -out", a.Name, f.Name, what)
	}
	return nil
}

// setColumns sets the columns of converted JSONL: the keys of the first row that can be
// compared.
func (w *outputs) setColumns(f *table.File, records []table.Record) error {
	if !w.converted() || w.columns != nil {
		return nil
	}
	c, err := w.o.newComparer(f, nil, w.format)
	if err != nil {
		return err
	}
	for _, r := range records {
		if r.Kind == table.Row {
			if _, _, reason := c.compare(r); reason == "" {
				w.columns = slices.Clone(c.decoder.Keys())
				return nil
			}
		}
	}
	return nil
}

// begin writes the header.
func (w *outputs) begin(columns []string) (err error) {
	w.begun = true
	f := w.first
	switch {
	case w.format == table.Parquet:
		from := f
		if w.converted() {
			from = nil
		}
		w.rows, err = table.NewParquetWriter(w.out, from, outputColumns(columns)...)
		return err
	case w.converted():
		t, err := table.NewWriter(w.out, w.format, false, outputColumns(columns)...)
		if err != nil {
			return err
		}
		return t.Flush()
	case f.Format == table.CSV:
		header := trimEnd(slices.Clone(f.Header))
		for _, name := range []string{similarityColumn, interpretationColumn} {
			header = append(append(header, f.Comma), name...)
		}
		_, err := w.out.Write(append(header, headerEnd(f)...))
		return err
	}
	return nil
}

// write writes the rows of a chunk.
func (w *outputs) write(c *chunk) error {
	if !w.begun && (c.columns != nil || !w.converted()) {
		if err := w.begin(c.columns); err != nil {
			return err
		}
	}
	for _, row := range c.rows {
		if err := w.rows.Write(row.row, row.values...); err != nil {
			return err
		}
	}
	_, err := w.out.Write(c.out)
	return err
}

// rejectParquet writes rejected rows of Parquet.
func (w *outputs) rejectParquet(rows []table.Record) (err error) {
	if len(rows) > 0 && w.rejected == nil {
		if w.rejected, err = openSink(w.names.rejected, nil, w.o.force); err != nil {
			return err
		}
		if w.refused, err = table.NewParquetWriter(w.rejected, w.first); err != nil {
			return err
		}
	}
	for _, row := range rows {
		if err := w.refused.Write(row); err != nil {
			return err
		}
	}
	return nil
}

// reject writes rejected rows of a file.
func (w *outputs) reject(f *table.File, rows []byte) error {
	if len(rows) == 0 {
		return nil
	}
	var before []byte
	if w.rejected == nil {
		var err error
		if w.rejected, err = openSink(w.names.rejected, nil, w.o.force); err != nil {
			return err
		}
		if f.Format == table.CSV {
			before = append(trimEnd(slices.Clone(f.Header)), headerEnd(f)...)
		}
	} else if w.last != f && w.rejected.last != '\n' {
		before = []byte("\n") // the file before ended without one
	}
	w.last = f
	_, err := w.rejected.Write(slices.Concat(before, rows))
	return err
}

// finish completes the outputs and gives them their names.
func (w *outputs) finish() error {
	if !w.begun {
		columns := w.columns
		if columns == nil && w.converted() {
			columns = []string{w.o.text1, w.o.text2}
		}
		if err := w.begin(columns); err != nil {
			return err
		}
	}
	for _, t := range []*table.ParquetWriter{w.rows, w.refused} {
		if t != nil {
			if err := t.Close(); err != nil {
				return err
			}
		}
	}
	if err := errors.Join(w.out.close(), w.rejected.close()); err != nil {
		return err
	}
	if w.rejected == nil && w.o.force && !isSpecial(w.names.rejected) {
		os.Remove(w.names.rejected) // of an earlier run
	}
	if err := w.rejected.rename(); err != nil {
		return err
	}
	return w.out.rename()
}

// abort removes what was written, and adds to an error what became of the output.
func (w *outputs) abort(err error) error {
	w.rejected.remove()
	w.out.remove()
	if w.out.partial == "" {
		return fmt.Errorf("%w; the output is not complete", err)
	}
	return fmt.Errorf("%w; nothing was written to %s", err, w.names.out)
}

// A sink is a file that is written, or standard output.
type sink struct {
	name    string
	partial string   // its name until it is complete, or "" if it is written directly
	file    *os.File // nil for standard output
	out     io.Writer
	zip     io.WriteCloser // to out
	last    byte           // that was written
}

// openSink creates a file, or uses standard output for the name "-".
func openSink(name string, stdout io.Writer, force bool) (s *sink, err error) {
	s = &sink{name: name, out: stdout}
	switch {
	case name == "-":
	case isSpecial(name):
		s.file, err = os.OpenFile(name, os.O_WRONLY, 0)
	default:
		s.partial = partial(name)
		if force {
			os.Remove(s.partial)
		}
		s.file, err = os.OpenFile(s.partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	}
	if errors.Is(err, os.ErrExist) {
		return nil, fmt.Errorf("%s exists: another run writes it, or was killed; if it was, remove the file, or use -force", s.partial)
	}
	if err != nil {
		return nil, fmt.Errorf("%w; write to other files with -out and -rejected", err)
	}
	if s.file != nil {
		s.out = s.file
	}
	s.zip, err = table.NewCompressor(s.out, name)
	return s, err
}

// Write appends bytes.
func (s *sink) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	s.last = b[len(b)-1]
	n, err := s.zip.Write(b)
	if err != nil && s.file == nil {
		err = fmt.Errorf("write to standard output: %w", err)
	}
	return n, err
}

// close completes the file, on the disk if it is one.
func (s *sink) close() error {
	if s == nil {
		return nil
	}
	err := s.zip.Close()
	if s.partial != "" && err == nil {
		err = s.file.Sync()
	}
	if s.file != nil {
		err = errors.Join(err, s.file.Close())
	}
	return err
}

// rename gives a complete file its name.
func (s *sink) rename() error {
	if s == nil || s.partial == "" {
		return nil
	}
	return os.Rename(s.partial, s.name)
}

// remove removes a file that is not complete.
func (s *sink) remove() {
	if s != nil && s.file != nil {
		s.file.Close()
	}
	if s != nil && s.partial != "" {
		os.Remove(s.partial)
	}
}

// partial returns the name of a file while it is not complete.
func partial(name string) string { return name + ".partial" }

// isSpecial reports whether name is an existing file that is not regular, such as a device.
func isSpecial(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular()
}

// isTSV reports whether a name is that of CSV with tabs.
func isTSV(name string) bool {
	for _, ending := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, ending)
	}
	return strings.EqualFold(filepath.Ext(name), ".tsv")
}
