package batch

import (
	"errors"
	"io"
	"strings"
)

// A chunk is some rows that one worker compares: the input's bytes between two
// offsets, and what becomes of them.
type chunk struct {
	raw    []byte
	pieces []piece // of raw
	offset int64   // in the input, behind the chunk
	line   int     // there
	whole  bool    // it ends where a row may begin
	err    error   // why it is the last; io.EOF at the end of the input

	out      []byte // rows of the output
	lead     []byte // blank lines before the first row
	rejects  []byte // rejected rows, and the blank lines after them
	last     verdict
	compared int64
	wordless int64 // rows of these in which neither text has a word
	others   int64 // rows of these with words of other scripts
	rejected int64
	reports  []report
	done     chan struct{} // closed when the worker is done with it
}

// A verdict is the result for a row.
type verdict uint8

const (
	none verdict = iota
	accepted
	refused
)

// A report is the reason for which a row was rejected.
type report struct {
	line, lines int
	reason      string
}

// read reads pieces until there are about size bytes or the input ends.
func (c *chunk) read(s *splitter, size int) {
	c.raw = make([]byte, 0, size+size/8)
	for len(c.raw) < size {
		p, err := s.next()
		if err != nil {
			c.err = err
			break
		}
		start := len(c.raw)
		c.raw = append(c.raw, p.raw...)
		p.raw = c.raw[start:] // is set right once c.raw has stopped growing
		c.pieces = append(c.pieces, p)
	}
	start := 0
	for i := range c.pieces {
		p := &c.pieces[i]
		p.raw = c.raw[start : start+len(p.raw)]
		start += len(p.raw)
	}
	c.offset, c.line = s.offset, s.line
	c.whole = !s.long || errors.Is(c.err, io.EOF)
}

// compare compares the rows.
func (c *chunk) compare(with *comparer) {
	c.out = make([]byte, 0, len(c.raw)+len(c.raw)/4)
	for _, p := range c.pieces {
		switch p.kind {
		case wellQuoted:
			r, reason := with.compare(p.raw)
			if reason != "" {
				c.reject(p, reason)
				continue
			}
			c.out = with.appendRow(c.out, p.raw, r)
			c.compared++
			if r.Hint != "" {
				c.wordless++
				if strings.Contains(r.Hint, "words=unicode") {
					c.others++
				}
			}
			c.last = accepted
		case misquoted:
			c.reject(p, p.reason)
		case restOfLong:
			c.rejects = append(c.rejects, p.raw...)
			c.last = refused
		case blankLine:
			switch c.last {
			case none:
				c.lead = append(c.lead, p.raw...)
			case refused:
				c.rejects = append(c.rejects, p.raw...)
			}
		}
	}
}

// reject keeps a row as it is.
func (c *chunk) reject(p piece, reason string) {
	c.rejects = append(c.rejects, p.raw...)
	c.rejected++
	c.last = refused
	c.reports = append(c.reports, report{p.line, p.lines, reason})
}
