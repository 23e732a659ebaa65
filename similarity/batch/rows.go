package batch

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"
)

// A Row is a row of CSV, or what is rejected instead of one.
type Row struct {
	Fields []string
	Offset int64  // of its first byte
	Reason string // why it is rejected, or empty
}

// Rows returns the rows of r, the header first, without a byte order mark. It accepts and
// rejects what the command does with its default flags, but does not check the names in the
// header. An error of r ends the rows.
func Rows(r io.Reader) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		s := newSplitter(r, ',', maxLimit, 0, 1)
		for len(s.rest) < len(byteOrderMark) && s.err == nil {
			s.fill()
		}
		if bytes.HasPrefix(s.rest, byteOrderMark) {
			s.take(len(byteOrderMark), blankLine, 0, "")
		}
		for columns := 0; ; {
			offset := s.offset
			p, err := s.next()
			switch {
			case errors.Is(err, io.EOF):
				return
			case err != nil:
				yield(Row{}, err)
				return
			case p.kind == blankLine || p.kind == restOfLong:
				continue
			}
			row := Row{Offset: offset, Reason: p.reason}
			if p.kind == wellQuoted {
				row.Fields, row.Reason = fields(p.raw, columns)
			}
			if columns == 0 {
				columns = len(row.Fields)
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// fields returns the fields of a row with valid quotes, or why it is rejected. If columns is
// not 0, it must have that many.
func fields(row []byte, columns int) (fields []string, reason string) {
	if !utf8.Valid(row) {
		return nil, fmt.Sprintf("not UTF-8 from byte %d of the row", validPrefix(row)+1)
	}
	fields, err := csv.NewReader(bytes.NewReader(row)).Read()
	switch {
	case err != nil:
		return nil, err.Error()
	case columns > 0 && len(fields) != columns:
		return nil, fmt.Sprintf("%s, the header has %d", count(len(fields), "field"), columns)
	}
	return fields, ""
}
