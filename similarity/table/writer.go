package table

import (
	"bufio"
	stdgzip "compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	stdzstd "github.com/klauspost/compress/zstd"
)

// A Column is a column that is written.
type Column struct {
	Name   string
	Number bool // values are numbers, otherwise strings
}

// A Writer writes rows. It must be closed.
type Writer struct {
	write func(values []Value) error
	flush func() error
	close []func() error
	out   *bufio.Writer
}

// OutputFormat returns the format in which a file with a name is written, and whether it is
// compressed. byDefault is the format if the name does not tell.
func OutputFormat(name string, byDefault Format) (f Format, compressed bool) {
	if f = FormatOf(name); f == "" {
		f = byDefault
	}
	return f, compressionOf(name) != plain
}

// NewCompressor returns a writer to w that compresses as a file's name says, or does nothing. It
// must be closed, which does not close w.
func NewCompressor(w io.Writer, name string) (io.WriteCloser, error) {
	switch compressionOf(name) {
	case gzip:
		return stdgzip.NewWriter(w), nil
	case zstd:
		return stdzstd.NewWriter(w, stdzstd.WithEncoderConcurrency(1))
	}
	return nopCloser{w}, nil
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// NewWriter returns a writer of rows with columns to w, in the format CSV, JSONL or Parquet.
// CSV begins with the header unless it is continued.
func NewWriter(w io.Writer, f Format, continued bool, columns ...Column) (*Writer, error) {
	t := &Writer{out: bufio.NewWriterSize(w, 64<<10)}
	switch f {
	case CSV:
		return t, t.csv(columns, continued)
	case JSONL:
		t.write = jsonl(t.out, columns)
		return t, nil
	case Parquet:
		p, err := NewParquetWriter(t.out, nil, columns...)
		if err != nil {
			return nil, err
		}
		t.write = func(values []Value) error { return p.Write(Record{}, values...) }
		t.close = append(t.close, p.Close)
		return t, nil
	}
	return nil, fmt.Errorf("%s cannot be written", f)
}

// Write writes a row, with a value for each column.
func (t *Writer) Write(values ...Value) error { return t.write(values) }

// Flush writes what is in memory to the underlying writer, except for Parquet.
func (t *Writer) Flush() error {
	if t.flush != nil {
		if err := t.flush(); err != nil {
			return err
		}
	}
	return t.out.Flush()
}

// Close completes the table. It does not close the underlying writer.
func (t *Writer) Close() error {
	for _, f := range t.close {
		if err := f(); err != nil {
			return err
		}
	}
	return t.Flush()
}

// String returns a value.
func String(s string) Value { return Value{Text: s, Set: true} }

// Thousandths returns the value n/1000.
func Thousandths(n int) Value {
	return Value{Text: strconv.FormatFloat(float64(n)/1000, 'f', -1, 64), Set: true, JSON: true}
}

func (t *Writer) csv(columns []Column, continued bool) error {
	w := csv.NewWriter(t.out)
	row := make([]string, len(columns))
	t.flush = func() error { w.Flush(); return w.Error() }
	t.write = func(values []Value) error {
		for i, v := range values {
			row[i] = v.Text
		}
		return w.Write(row)
	}
	if continued {
		return nil
	}
	for i, c := range columns {
		row[i] = c.Name
	}
	return w.Write(row)
}

func jsonl(w io.Writer, columns []Column) func(values []Value) error {
	var b []byte
	return func(values []Value) error {
		b = append(b[:0], '{')
		for i, v := range values {
			if !v.Set {
				continue
			}
			if len(b) > 1 {
				b = append(b, ',')
			}
			b = append(AppendJSON(b, columns[i].Name), ':')
			b = v.appendJSON(b)
		}
		_, err := w.Write(append(b, "}\n"...))
		return err
	}
}

// appendJSON appends a value as JSON.
func (v Value) appendJSON(dst []byte) []byte {
	switch {
	case !v.Set:
		return append(dst, "null"...)
	case v.JSON:
		return append(dst, v.Text...)
	}
	return AppendJSON(dst, v.Text)
}

// AppendJSON appends a string, which should be UTF-8, as JSON.
func AppendJSON(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s) // an error says that bytes which are not UTF-8 were replaced
	return dst
}
