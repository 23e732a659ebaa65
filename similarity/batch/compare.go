package batch

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"

	"github.com/muxwell/muxwell/similarity/score"
	"github.com/muxwell/muxwell/similarity/table"
)

// The columns that are added.
const (
	similarityColumn     = "similarity"
	interpretationColumn = "interpretation"
)

// A comparer compares the texts of the rows of a file. It serves one goroutine.
type comparer struct {
	o            *options
	file         *table.File
	decoder      *table.Decoder
	columns      []string // of the output if rows are converted, or nil
	at1, at2     int      // the indexes of the texts in the decoder's values
	text1, text2 []byte

	rows      bytes.Buffer  // of a chunk
	converted *table.Writer // to them; nil for raw rows, and Parquet
}

// maxKeptRow is the largest row of which a comparer keeps the memory.
const maxKeptRow = 1 << 20

// newComparer returns a comparer for a file. If rows are converted to a format, columns are
// those of the output.
func (o *options) newComparer(f *table.File, columns []string, format table.Format) (*comparer, error) {
	c := &comparer{o: o, file: f, columns: columns, at2: 1}
	var err error
	if c.decoder, err = f.NewDecoder([]string{o.text1, o.text2}, nil); err != nil || columns == nil {
		return c, err
	}
	c.at1, c.at2 = slices.Index(columns, o.text1), slices.Index(columns, o.text2)
	if c.decoder, err = f.NewDecoder(nil, columns); err != nil {
		return nil, err
	}
	if format != table.Parquet {
		c.converted, err = table.NewWriter(&c.rows, format, true, outputColumns(columns)...)
	}
	return c, err
}

// compare compares the texts of a row, or returns the reason why it cannot. The values are
// those of the row.
func (c *comparer) compare(row table.Record) (r score.Result, values []table.Value, reason string) {
	if row.Size() > maxKeptRow {
		defer func() { c.text1, c.text2 = nil, nil }()
	}
	values, reason = c.decoder.Decode(row)
	if reason != "" {
		return r, values, reason
	}
	if row.Size() > c.o.limit {
		return r, values, "longer than the limit"
	}
	text1, reason := values[c.at1].TextOf(c.o.text1)
	if reason != "" {
		return r, values, reason
	}
	text2, reason := values[c.at2].TextOf(c.o.text2)
	if reason != "" {
		return r, values, reason
	}
	for _, key := range c.decoder.Keys() {
		switch {
		case key == similarityColumn || key == interpretationColumn:
			return r, values, fmt.Sprintf("there is a key %q, which the output adds", key)
		case c.columns != nil && !slices.Contains(c.columns, key):
			return r, values, fmt.Sprintf("the key %q is not in the first row, whose keys are the columns of the output", key)
		}
	}
	c.text1, c.text2 = append(c.text1[:0], text1...), append(c.text2[:0], text2...)
	return score.Compare(c.text1, c.text2, c.o.words), values, ""
}

// write appends a row with its result to a chunk.
func (c *comparer) write(to *chunk, row table.Record, values []table.Value, r score.Result) error {
	added := []table.Value{table.Thousandths(r.Thousandths), table.String(r.Interpretation())}
	switch {
	case c.converted != nil:
		return c.converted.Write(append(values, added...)...)
	case c.columns != nil: // to Parquet
		to.rows = append(to.rows, parquetRow{values: append(slices.Clone(values), added...)})
	case c.file.Format == table.Parquet:
		to.rows = append(to.rows, parquetRow{row, added})
	default:
		to.out = c.appendRow(to.out, row.Raw, r)
	}
	return nil
}

// flush appends what was written to a chunk.
func (c *comparer) flush(to *chunk) error {
	if c.converted == nil {
		return nil
	}
	if err := c.converted.Flush(); err != nil {
		return err
	}
	to.out = append(to.out, c.rows.Bytes()...)
	c.rows.Reset()
	return nil
}

// appendRow appends the unchanged row of CSV or JSONL, with the result.
func (c *comparer) appendRow(dst, row []byte, r score.Result) []byte {
	if c.file.Format == table.JSONL {
		brace := bytes.LastIndexByte(row, '}')
		dst = append(append(dst, row[:brace]...), `,"similarity":`...)
		dst = strconv.AppendFloat(dst, r.Similarity(), 'f', -1, 64)
		dst = append(append(dst, `,"interpretation":"`...), r.Interpretation()...)
		dst = append(append(dst, '"'), trimEnd(row[brace:])...)
	} else {
		dst = append(append(dst, trimEnd(row)...), c.file.Comma)
		dst = strconv.AppendFloat(dst, r.Similarity(), 'f', -1, 64)
		dst = append(append(dst, c.file.Comma), r.Interpretation()...)
	}
	if end := ending(row); end != "" {
		return append(dst, end...)
	}
	return append(dst, headerEnd(c.file)...)
}

// ending returns what ends a row: "\n", "\r\n" or nothing.
func ending(row []byte) string {
	switch {
	case bytes.HasSuffix(row, []byte("\r\n")):
		return "\r\n"
	case bytes.HasSuffix(row, []byte("\n")):
		return "\n"
	}
	return ""
}

// headerEnd returns what ends the header of CSV, or "\n".
func headerEnd(f *table.File) string {
	if end := ending(f.Header); end != "" {
		return end
	}
	return "\n"
}

// trimEnd returns a row without its end: "\n", "\r\n", or a "\r" at the end of the input.
func trimEnd(row []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(row, []byte("\n")), []byte("\r"))
}

// outputColumns returns the columns of an output: some that are strings, and those that are added.
func outputColumns(names []string) (columns []table.Column) {
	for _, name := range names {
		columns = append(columns, table.Column{Name: name})
	}
	return append(columns, table.Column{Name: similarityColumn, Number: true}, table.Column{Name: interpretationColumn})
}
