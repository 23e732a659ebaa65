package batch

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/muxwell/muxwell/similarity/score"
)

// A comparer compares the texts of rows. It serves one goroutine.
type comparer struct {
	head  *header
	words score.Words
	comma byte

	fields       *csv.Reader // of buf, of row, of which there is one row at a time
	buf          *bufio.Reader
	row          bytes.Reader
	read         int64 // by fields
	text1, text2 []byte
}

// maxKeptRow is the largest row of which a comparer keeps the memory.
const maxKeptRow = 1 << 20

func newComparer(head *header, words score.Words, comma byte) *comparer {
	c := &comparer{head: head, words: words, comma: comma}
	c.reset()
	return c
}

// reset gives memory back.
func (c *comparer) reset() {
	c.buf = bufio.NewReader(&c.row)
	c.fields = csv.NewReader(c.buf)
	c.fields.Comma = rune(c.comma)
	c.fields.FieldsPerRecord = c.head.fields
	c.fields.ReuseRecord = true
	c.read, c.text1, c.text2 = 0, nil, nil
}

// compare compares the texts of a row with valid quotes, or returns the reason why it cannot.
func (c *comparer) compare(row []byte) (r score.Result, reason string) {
	if len(row) > maxKeptRow {
		defer c.reset()
	}
	if !utf8.Valid(row) {
		return r, fmt.Sprintf("not UTF-8 from byte %d of the row", validPrefix(row)+1)
	}
	c.row.Reset(row)
	c.buf.Reset(&c.row)
	fields, err := c.fields.Read()
	size := c.fields.InputOffset() - c.read
	c.read += size
	switch {
	case errors.Is(err, csv.ErrFieldCount):
		return r, fmt.Sprintf("%s, the header has %d", count(len(fields), "field"), c.head.fields)
	case err != nil:
		return r, err.Error()
	case size != int64(len(row)):
		return r, fmt.Sprintf("the row ends in its byte %d", size)
	}
	c.text1 = append(c.text1[:0], fields[c.head.text1]...)
	c.text2 = append(c.text2[:0], fields[c.head.text2]...)
	return score.Compare(c.text1, c.text2, c.words), ""
}

// appendRow appends a row of the output: the unchanged row of the input, and the result.
func (c *comparer) appendRow(dst, row []byte, r score.Result) []byte {
	dst = append(dst, trimEnd(row)...)
	dst = append(dst, c.comma)
	dst = strconv.AppendFloat(dst, r.Similarity(), 'f', -1, 64)
	dst = append(dst, c.comma)
	dst = append(dst, r.Interpretation()...)
	if end := ending(row); end != "" {
		return append(dst, end...)
	}
	return append(dst, c.head.end...)
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
func count[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
