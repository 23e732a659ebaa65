package batch

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"
)

// A header is the first row of the input.
type header struct {
	raw          []byte // without what ends it, with the byte order mark if there is one
	end          string // what ends it, or "\n" where the input does
	fields       int
	text1, text2 int // the columns of the texts, from 0
}

// The columns of the texts, and those that are added.
const (
	text1Column          = "text1"
	text2Column          = "text2"
	similarityColumn     = "similarity"
	interpretationColumn = "interpretation"
)

var byteOrderMark = []byte("\uFEFF")

// readHeader reads the header of an input from its beginning.
func readHeader(s *splitter) (*header, error) {
	var mark []byte
	for len(s.rest) < len(byteOrderMark) && s.err == nil {
		s.fill()
	}
	if bytes.HasPrefix(s.rest, byteOrderMark) {
		mark = s.take(len(byteOrderMark), blankLine, 0, "").raw
	}
	for {
		p, err := s.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil, errors.New("there is no header; the first row must have the names of the columns, such as id,text1,text2")
		case err != nil:
			return nil, err
		case p.kind == misquoted:
			return nil, fmt.Errorf("line %d, the header: %s", p.line, p.reason)
		case p.kind == wellQuoted:
			return newHeader(mark, p.raw, s.comma)
		}
	}
}

// newHeader returns the header of a row.
func newHeader(mark, row []byte, comma byte) (*header, error) {
	if !utf8.Valid(row) {
		return nil, errors.New("the header is not UTF-8; save the file as UTF-8, with or without a byte order mark")
	}
	r := csv.NewReader(bytes.NewReader(row))
	r.Comma = rune(comma)
	names, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("the header: %w", err)
	}
	h := &header{raw: slices.Concat(mark, trimEnd(row)), fields: len(names), end: ending(row)}
	if h.end == "" {
		h.end = "\n"
	}
	if h.text1, err = column(names, text1Column); err != nil {
		return nil, err
	}
	if h.text2, err = column(names, text2Column); err != nil {
		return nil, err
	}
	for _, name := range []string{similarityColumn, interpretationColumn} {
		if slices.Contains(names, name) {
			return nil, fmt.Errorf("the header has a column %q, which the output adds; rename it", name)
		}
	}
	return h, nil
}

// column returns the index of the column with a name.
func column(names []string, name string) (int, error) {
	i := slices.Index(names, name)
	switch {
	case i < 0:
		return 0, fmt.Errorf("the header has no column %q, only %.200q; rename a column, or set the separator with -comma", name, names)
	case slices.Contains(names[i+1:], name):
		return 0, fmt.Errorf("the header has two columns %q; rename one", name)
	}
	return i, nil
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

// output returns the header of the output.
func (h *header) output(comma byte) []byte {
	row := slices.Clone(h.raw)
	for _, name := range []string{similarityColumn, interpretationColumn} {
		row = append(append(row, comma), name...)
	}
	return append(row, h.end...)
}

// rejected returns the header of the rejected rows.
func (h *header) rejected() []byte { return append(slices.Clone(h.raw), h.end...) }
