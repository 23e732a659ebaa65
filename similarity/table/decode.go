package table

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/parquet-go/parquet-go"
)

// A Decoder finds the values of columns in the records of a file. It serves one goroutine.
type Decoder struct {
	f       *File
	columns []string
	at      []int // of CSV and Parquet, the indexes of columns, or -1
	values  []Value
	cut     [][]parquet.Value // of Parquet, the values of all columns in a row

	fields *csv.Reader // of buf, of row, of which there is one at a time
	buf    *bufio.Reader
	row    bytes.Reader
	read   int64 // by fields
	json   jsontext.Decoder
	keys   []string // of the object that was decoded last
}

// A Value is the value of a column in a row.
type Value struct {
	Text string
	Set  bool // the row has the column, and it is not null
	JSON bool // Text is JSON, and not a string
}

// NewDecoder returns a decoder of some columns, the required ones before the optional ones. It
// is an error if CSV or Parquet does not have a required column, or has one of them twice.
func (f *File) NewDecoder(required, optional []string) (*Decoder, error) {
	d := &Decoder{f: f, values: make([]Value, len(required)+len(optional))}
	for n, name := range slices.Concat(required, optional) {
		i, err := f.column(name, n >= len(required))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		d.columns, d.at = append(d.columns, name), append(d.at, i)
	}
	if f.Format == Parquet {
		d.cut = make([][]parquet.Value, len(f.Columns))
	}
	d.reset()
	return d, nil
}

// SameColumns reports whether two files have the same columns: their names, in Parquet their
// types, and in CSV the separator.
func (f *File) SameColumns(g *File) bool {
	if f.Format != g.Format || !slices.Equal(f.Columns, g.Columns) || f.Comma != g.Comma {
		return false
	}
	return f.Format != Parquet || parquet.EqualNodes(f.parquet.file.Schema(), g.parquet.file.Schema())
}

// column returns the index of a column, or -1.
func (f *File) column(name string, optional bool) (int, error) {
	columns := f.Columns
	switch f.Format {
	case JSONL:
		return -1, nil
	case Text:
		columns = []string{"text"}
	}
	i := slices.Index(columns, name)
	switch {
	case i < 0 && optional:
		return -1, nil
	case i < 0 && f.Format == Text:
		return -1, fmt.Errorf("this is text and not a table, so there is no column %q", name)
	case i < 0 && f.Format == CSV:
		return -1, fmt.Errorf("the header has no column %q, only %.200q; rename a column, or set the separator with -comma", name, columns)
	case i < 0:
		return -1, fmt.Errorf("there is no column %q, only %.200q", name, columns)
	case slices.Contains(columns[i+1:], name):
		return -1, fmt.Errorf("the header has two columns %q; rename one", name)
	}
	return i, nil
}

// maxKept is the largest record of which a decoder keeps the memory.
const maxKept = 1 << 20

// reset gives memory back.
func (d *Decoder) reset() {
	if d.f.Format == CSV {
		d.buf = bufio.NewReader(&d.row)
		d.fields = csv.NewReader(d.buf)
		d.fields.Comma = rune(d.f.Comma)
		d.fields.FieldsPerRecord = len(d.f.Columns)
		d.fields.ReuseRecord = true
		d.read = 0
	}
}

// Decode returns the values of the columns in a record of kind Row, or the reason why it is
// no row of the format. The slice is valid until the next call, the texts in it stay valid.
func (d *Decoder) Decode(r Record) (values []Value, reason string) {
	clear(d.values)
	if d.f.Format == Parquet {
		return d.values, d.decodeParquet(r)
	}
	if !utf8.Valid(r.Raw) {
		return nil, fmt.Sprintf("not UTF-8 from byte %d of the row", validPrefix(r.Raw)+1)
	}
	switch d.f.Format {
	case Text:
		for i, at := range d.at {
			if at >= 0 {
				d.values[i] = Value{Text: string(r.Raw), Set: true}
			}
		}
		return d.values, ""
	case JSONL:
		return d.values, d.decodeJSON(r.Raw)
	}
	return d.values, d.decodeCSV(r.Raw)
}

// Keys returns the keys of the JSON object that was decoded last, in their order. They are
// valid until the next call of Decode.
func (d *Decoder) Keys() []string { return d.keys }

// decodeParquet finds columns in a row of Parquet. They must not be too long.
func (d *Decoder) decodeParquet(r Record) (reason string) {
	if !d.f.parquet.cut(r.row, d.cut) {
		return errRow.Error()
	}
	for i, at := range d.at {
		if at < 0 {
			continue
		}
		v, reason := d.f.parquet.columns[at].valueOf(d.cut[at])
		switch {
		case reason == "" && !utf8.ValidString(v.Text):
			reason = errNotUTF8.Error()
		case len(v.Text) > d.f.limit:
			reason = fmt.Sprintf("longer than %s, the limit", size(d.f.limit))
		}
		if reason != "" {
			return fmt.Sprintf("%s is %s", d.columns[i], reason)
		}
		d.values[i] = v
	}
	return ""
}

func (d *Decoder) decodeCSV(row []byte) (reason string) {
	if len(row) > maxKept {
		defer d.reset()
	}
	d.row.Reset(row)
	d.buf.Reset(&d.row)
	fields, err := d.fields.Read()
	size := d.fields.InputOffset() - d.read
	d.read += size
	switch {
	case errors.Is(err, csv.ErrFieldCount):
		return fmt.Sprintf("%s, the header has %d", count(len(fields), "field"), len(d.f.Columns))
	case err != nil:
		return err.Error()
	case size != int64(len(row)):
		return fmt.Sprintf("the row ends in its byte %d", size)
	}
	for i, at := range d.at {
		if at >= 0 {
			d.values[i] = Value{Text: fields[at], Set: true}
		}
	}
	return ""
}

// decodeJSON finds columns in an object.
func (d *Decoder) decodeJSON(row []byte) (reason string) {
	d.row.Reset(row)
	d.json.Reset(&d.row)
	d.keys = d.keys[:0]
	if d.json.PeekKind() != '{' {
		if err := d.json.SkipValue(); err != nil {
			return jsonReason(err)
		}
		return "not a JSON object"
	}
	if _, err := d.json.ReadToken(); err != nil {
		return jsonReason(err)
	}
	for d.json.PeekKind() != '}' {
		name, err := d.json.ReadToken()
		if err != nil {
			return jsonReason(err)
		}
		key := name.String()
		d.keys = append(d.keys, key)
		i := slices.Index(d.columns, key)
		if i < 0 {
			if err := d.json.SkipValue(); err != nil {
				return jsonReason(err)
			}
			continue
		}
		if err := d.jsonValue(&d.values[i]); err != nil {
			return jsonReason(err)
		}
	}
	if _, err := d.json.ReadToken(); err != nil {
		return jsonReason(err)
	}
	if _, err := d.json.ReadToken(); !errors.Is(err, io.EOF) {
		return fmt.Sprintf("something follows the JSON object, in byte %d of the row", d.json.InputOffset()+1)
	}
	return ""
}

// jsonValue reads the value of a column.
func (d *Decoder) jsonValue(v *Value) error {
	switch d.json.PeekKind() {
	case 'n':
		return d.json.SkipValue()
	case '"':
		token, err := d.json.ReadToken()
		if err == nil {
			*v = Value{Text: token.String(), Set: true}
		}
		return err
	}
	value, err := d.json.ReadValue()
	*v = Value{Text: string(value), Set: true, JSON: true}
	return err
}

// jsonReason returns the reason for which a row is not JSON.
func jsonReason(err error) string {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return "the JSON object has no end in this line"
	}
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok && syntax.Err != nil {
		reason := fmt.Sprintf("not JSON in byte %d of the row: %s", syntax.ByteOffset+1, strings.TrimPrefix(syntax.Err.Error(), "jsontext: "))
		if errors.Is(err, jsontext.ErrDuplicateName) {
			reason += fmt.Sprintf(" %q", syntax.JSONPointer)
		}
		return reason
	}
	return "not JSON: " + err.Error()
}

// TextOf returns the value of a column with a text, or the reason why there is none.
func (v Value) TextOf(column string) (text, reason string) {
	switch {
	case !v.Set:
		return "", fmt.Sprintf("there is no %s", column)
	case v.JSON:
		return "", fmt.Sprintf("%s is %.20s and not a string", column, v.Text)
	}
	return v.Text, ""
}

// validPrefix returns how many bytes come before the first that is not UTF-8.
func validPrefix(b []byte) int {
	for i := 0; i < len(b); {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(b)
}

// count formats a number of things, with a plural s.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
