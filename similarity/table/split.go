package table

import (
	"bytes"
	"fmt"
	"io"
)

// A splitter splits CSV, or lines, into rows, byte for byte. It parses quotes and separators only as
// far as needed to find the end of a row. Package encoding/csv parses the fields of each row
// later, and decides whether the row is valid.
//
// A row with quotes as in RFC 4180 ends with the line in which its last quoted field is
// closed. With invalid quotes, the end of the row is unknown. Then the row is its first
// line, and the next row begins with the next line:
//
//	1,"a text that is not closed     rejected
//	2,"b","c"                        a row
//
// The first quote of line 2 would close the field, but a letter follows. Each line is
// scanned at most twice, because a line that is inside an open field and leaves it open is
// closed at its end when it is read as a row of its own.
type splitter struct {
	r     io.Reader
	comma byte // 0 if each line is a row
	limit int  // bytes of a row

	buf    []byte
	rest   []byte // of buf, read and not yet returned
	err    error  // of r; io.EOF at the end
	long   bool   // within a line that is longer than the limit
	offset int64  // in the input, of rest
	line   int    // of rest, from 1
}

// newSplitter returns a splitter for r.
func newSplitter(r io.Reader, comma byte, limit int) *splitter {
	return &splitter{r: r, comma: comma, limit: limit, line: 1}
}

// next returns the next record, whose bytes are valid until the one after it is read. The
// error is that of the reader, io.EOF at the end. The records together are all bytes of the
// input, in order.
func (s *splitter) next() (Record, error) {
	if s.long {
		return s.nextOfLong()
	}
	var first, stop int // the ends of the first and the last line
	var open bool       // a quoted field is open at stop
	for lines := 1; ; lines++ {
		start := stop
		var within bool
		stop, within = s.lineEnd(start)
		switch {
		case !within && lines == 1:
			s.long = true
			return s.take(s.limit, Bad, 0, fmt.Sprintf("longer than %s, the limit", size(s.limit))), nil
		case !within:
			return s.take(first, Bad, 1, fmt.Sprintf("longer than %s, the limit, or a quote is not closed", size(s.limit))), nil
		case s.err != nil && s.err != io.EOF && !bytes.HasSuffix(s.rest[start:stop], []byte("\n")):
			return Record{}, s.err // the line may go on
		case start == stop && lines == 1:
			return Record{}, io.EOF
		case start == stop:
			return s.take(first, Bad, 1, "a quote is not closed"), nil
		}
		if lines == 1 {
			first = stop
		}
		line := trimEnd(s.rest[start:stop])
		if lines == 1 && len(line) == 0 {
			return s.take(stop, Blank, 1, ""), nil
		}
		if s.comma == 0 {
			return s.take(stop, Row, 1, ""), nil
		}
		var fault string
		if open, fault = scanLine(line, open, s.comma); fault != "" {
			if lines > 1 {
				fault = fmt.Sprintf("a quote is not closed; line %d has %s", s.line+lines-1, fault)
			}
			return s.take(first, Bad, 1, fault), nil
		}
		if !open {
			return s.take(stop, Row, lines, ""), nil
		}
	}
}

// nextOfLong returns more of a line that is longer than the limit.
func (s *splitter) nextOfLong() (Record, error) {
	if len(s.rest) == 0 {
		s.fill()
	}
	if i := bytes.IndexByte(s.rest, '\n'); i >= 0 {
		s.long = false
		return s.take(i+1, More, 1, ""), nil
	}
	if len(s.rest) > 0 {
		return s.take(len(s.rest), More, 0, ""), nil
	}
	return Record{}, s.err
}

// take returns a record of size bytes and advances past it.
func (s *splitter) take(size int, k Kind, lines int, reason string) Record {
	r := Record{Kind: k, Raw: s.rest[:size:size], Line: s.line, Lines: lines, Offset: s.offset, Reason: reason}
	s.rest = s.rest[size:]
	s.offset += int64(size)
	s.line += lines
	return r
}

// lineEnd returns where the line ends that begins at start in s.rest, and whether
// that is within the limit. The line ends with "\n" or with the input.
func (s *splitter) lineEnd(start int) (stop int, within bool) {
	for searched := start; ; {
		if i := bytes.IndexByte(s.rest[searched:], '\n'); i >= 0 {
			stop = searched + i + 1
			return stop, stop <= s.limit
		}
		if searched = len(s.rest); searched > s.limit || s.err != nil {
			return searched, searched <= s.limit
		}
		s.fill()
	}
}

// minFill is the minimum number of bytes to read.
const minFill = 256 << 10

// fill reads more into s.rest, until there is something or an error.
func (s *splitter) fill() {
	if cap(s.rest)-len(s.rest) < minFill {
		if need := len(s.rest) + minFill; need > len(s.buf) || need < len(s.buf)/16 {
			s.buf = make([]byte, 2*need) // more, or less after a large row
		}
		s.rest = s.buf[:copy(s.buf, s.rest)]
	}
	for tries := 0; s.err == nil; tries++ {
		var n int
		n, s.err = s.r.Read(s.rest[len(s.rest):cap(s.rest)])
		s.rest = s.rest[:len(s.rest)+n]
		if n > 0 {
			return
		}
		if tries == 100 {
			s.err = io.ErrNoProgress
		}
	}
}

// The errors in the quotes of a line.
const (
	bareQuote   = "a quote in a field that does not begin with one"
	behindQuote = "text after the quote that closes a field"
)

// scanLine reports whether a quoted field is open at the end of a line, given whether one
// is open at its beginning. If the quotes are invalid, it returns the reason.
func scanLine(line []byte, open bool, comma byte) (stillOpen bool, fault string) {
	if bytes.IndexByte(line, '"') < 0 {
		return open, ""
	}
	for {
		if !open {
			if len(line) == 0 || line[0] != '"' {
				field, rest, more := bytes.Cut(line, []byte{comma})
				if bytes.IndexByte(field, '"') >= 0 {
					return false, bareQuote
				}
				if !more {
					return false, ""
				}
				line = rest
				continue
			}
			line = line[1:]
		}
		i := bytes.IndexByte(line, '"')
		if i < 0 {
			return true, ""
		}
		line = line[i+1:]
		switch {
		case len(line) == 0:
			return false, ""
		case line[0] == '"': // two quotes are one
			open, line = true, line[1:]
		case line[0] == comma:
			open, line = false, line[1:]
		default:
			return false, behindQuote
		}
	}
}

// trimEnd returns a line without its end: "\n", "\r\n", or a "\r" at the end of the input.
func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}
