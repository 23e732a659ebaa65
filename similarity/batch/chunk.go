package batch

import (
	"strings"

	"github.com/muxwell/muxwell/similarity/table"
)

// A chunk is some rows that one worker compares, and what becomes of them.
type chunk struct {
	raw     []byte
	records []table.Record // of raw
	columns []string       // of converted rows
	err     error          // why it is the last; io.EOF at the end of the input
	failed  error          // why it could not be compared

	out     []byte         // rows of the output, except for Parquet
	rows    []parquetRow   // of the output, if it is Parquet
	lead    []byte         // blank lines before the first row
	rejects []byte         // rejected rows, and the blank lines after them, except for Parquet
	refused []table.Record // rejected rows of Parquet
	last    verdict
	counts  counts
	reports []report
	done    chan struct{} // closed when the worker is done with it
}

// A parquetRow is a row of the input, if that is Parquet, and the values of the other columns.
type parquetRow struct {
	row    table.Record
	values []table.Value
}

// Counts are numbers of rows.
type counts struct {
	compared int64
	wordless int64 // of these; neither text has a word
	others   int64 // of these; they have words of other scripts
	rejected int64
}

func (c *counts) add(o counts) {
	c.compared += o.compared
	c.wordless += o.wordless
	c.others += o.others
	c.rejected += o.rejected
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

// recordSize is what a record takes besides its bytes, about.
const recordSize = 100

// read reads records until there are about size bytes or the input ends.
func (c *chunk) read(f *table.File, size int) {
	if f.Format != table.Parquet {
		c.raw = make([]byte, 0, size+size/8)
		c.out = make([]byte, 0, size+size/4)
	}
	for got := 0; got < size; {
		r, err := f.Next()
		if err != nil {
			c.err = err
			break
		}
		got += r.Size() + recordSize
		start := len(c.raw)
		c.raw = append(c.raw, r.Raw...)
		r.Raw = c.raw[start:] // is set right once c.raw has stopped growing
		c.records = append(c.records, r)
	}
	start := 0
	for i := range c.records {
		r := &c.records[i]
		r.Raw = c.raw[start : start+len(r.Raw)]
		start += len(r.Raw)
	}
}

// compare compares the rows.
func (c *chunk) compare(with *comparer) error {
	for _, r := range c.records {
		switch r.Kind {
		case table.Row:
			result, values, reason := with.compare(r)
			if reason != "" {
				c.reject(r, reason)
				continue
			}
			if err := with.write(c, r, values, result); err != nil {
				return err
			}
			c.counts.compared++
			if result.Hint != "" {
				c.counts.wordless++
				if strings.Contains(result.Hint, "words=unicode") {
					c.counts.others++
				}
			}
			c.last = accepted
		case table.Bad:
			c.reject(r, r.Reason)
		case table.More:
			c.rejects = append(c.rejects, r.Raw...)
			c.last = refused
		case table.Blank:
			switch c.last {
			case none:
				c.lead = append(c.lead, r.Raw...)
			case refused:
				c.rejects = append(c.rejects, r.Raw...)
			}
		}
	}
	return with.flush(c)
}

// reject keeps a row as it is.
func (c *chunk) reject(r table.Record, reason string) {
	if r.Raw == nil {
		c.refused = append(c.refused, r)
	}
	c.rejects = append(c.rejects, r.Raw...)
	c.counts.rejected++
	c.last = refused
	c.reports = append(c.reports, report{r.Line, r.Lines, reason})
}
