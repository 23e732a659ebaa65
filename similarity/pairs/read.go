package pairs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/muxwell/muxwell/similarity/internal/command"
	"github.com/muxwell/muxwell/similarity/score"
	"github.com/muxwell/muxwell/similarity/table"
)

// A chunk is successive records of a file, which a worker prepares.
type chunk struct {
	file      *table.File
	raw       []byte
	records   []table.Record
	documents []document
	read      int64 // bytes of the file, up to the end of the chunk
	done      chan struct{}
}

// A document is what a record has.
type document struct {
	id      string
	vector  score.Vector
	encoded []byte // vector
	reason  string // why it is rejected, or ""
}

// The size of a chunk.
const (
	chunkRecords = 256
	chunkBytes   = 256 << 10
)

// A reading reads documents into a corpus, in their order.
type reading struct {
	o        *options
	corpus   *corpus
	progress *command.Bar
	rejected int64

	file         *table.File // of the last chunk
	before, last int64       // bytes of the files before it, and of it
}

// read reads all documents into c.
func (o *options) read(ctx context.Context, c *corpus, stdin io.Reader, stderr io.Writer) (*reading, error) {
	r := &reading{o: o, corpus: c, progress: command.NewBar(stderr, "reading", totalSize(o.inputs), true)}
	defer r.progress.End()
	chunks := make(chan *chunk, o.workers)
	todo := make(chan *chunk)
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	var failed error
	running.Go(func() {
		defer close(chunks)
		defer close(todo)
		failed = r.chunks(ctx, stdin, func(c *chunk) error {
			for _, to := range []chan *chunk{chunks, todo} {
				select {
				case to <- c:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	})
	for range o.workers {
		running.Go(func() {
			for c := range todo {
				c.prepare(o)
			}
		})
	}
	for chunk := range chunks {
		select {
		case <-chunk.done:
		case <-ctx.Done():
			return r, command.ErrInterrupted
		}
		if err := r.add(chunk); err != nil {
			return r, err
		}
	}
	if ctx.Err() != nil {
		return r, command.ErrInterrupted
	}
	if failed != nil { // chunks is closed
		return r, failed
	}
	return r, c.flush()
}

// totalSize returns the size of all files, or -1 if one has none.
func totalSize(names []string) (sum int64) {
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return -1
		}
		sum += info.Size()
	}
	return sum
}

// chunks calls yield for the chunks of all files.
func (r *reading) chunks(ctx context.Context, stdin io.Reader, yield func(*chunk) error) error {
	for _, name := range r.o.inputs {
		byDefault := table.Text
		if name == "-" {
			byDefault = table.CSV
		}
		f, err := table.Open(ctx, name, stdin, table.Options{Format: r.o.inputFormat, Default: byDefault, Comma: r.o.comma, Temp: r.o.temp})
		if format, isFormat := errors.AsType[*table.FormatError](err); isFormat && r.o.isDocument(name) {
			if err := yield(rejected(f, format.Reason)); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return err
		}
		_, err = f.NewDecoder(r.o.columns(f))
		if err == nil {
			err = chunksOf(ctx, f, yield)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// isDocument reports whether an input would be one document of several, if it were text.
func (o *options) isDocument(name string) bool {
	return len(o.inputs) > 1 && (o.inputFormat == table.Text || o.inputFormat == "" && table.FormatOf(name) == "" && name != "-")
}

// rejected returns a chunk with one document that cannot be read.
func rejected(f *table.File, reason string) *chunk {
	return &chunk{
		file: f, records: []table.Record{{Kind: table.Bad, Line: 1, Reason: reason}},
		read: max(f.Size, 0), done: make(chan struct{}),
	}
}

// columns returns the columns of documents in a file.
func (o *options) columns(f *table.File) (required, optional []string) {
	if o.needsID && f.Format != table.Text {
		return []string{o.text, o.id}, nil
	}
	return []string{o.text}, []string{o.id}
}

// chunksOf calls yield for the chunks of a file.
func chunksOf(ctx context.Context, f *table.File, yield func(*chunk) error) error {
	c, size := &chunk{file: f, done: make(chan struct{})}, 0
	for ctx.Err() == nil {
		record, err := f.Next()
		if errors.Is(err, io.EOF) {
			c.read = f.Read()
			return yield(c)
		}
		if err != nil {
			return err
		}
		if record.Kind == table.Blank || record.Kind == table.More {
			continue
		}
		start := len(c.raw)
		c.raw = append(c.raw, record.Raw...) // which may move it; what was copied before remains
		record.Raw = c.raw[start:]
		c.records = append(c.records, record)
		if size += record.Size(); len(c.records) < chunkRecords && size < chunkBytes {
			continue
		}
		c.read = f.Read()
		if err := yield(c); err != nil {
			return err
		}
		c, size = &chunk{file: f, done: make(chan struct{})}, 0
	}
	return ctx.Err()
}

// prepare prepares the documents of a chunk.
func (c *chunk) prepare(o *options) {
	defer close(c.done)
	d, err := c.file.NewDecoder(o.columns(c.file))
	for _, record := range c.records {
		var to document
		switch {
		case record.Kind == table.Bad:
			to.reason = record.Reason
		case err != nil:
			to.reason = err.Error()
		default:
			to = c.document(o, d, record)
		}
		c.documents = append(c.documents, to)
	}
	c.raw = nil
}

// document returns the document of a row.
func (c *chunk) document(o *options, d *table.Decoder, record table.Record) document {
	values, reason := d.Decode(record)
	if reason != "" {
		return document{reason: reason}
	}
	text, reason := values[0].TextOf(o.text)
	if reason != "" {
		return document{reason: reason}
	}
	to := document{id: c.file.Name}
	if id := values[1]; id.Set {
		if id.JSON && !strings.ContainsAny(id.Text[:1], "-0123456789") {
			return document{reason: fmt.Sprintf("%s is %.20s and neither a string nor a number", o.id, id.Text)}
		}
		to.id = strings.Clone(id.Text)
	} else if c.file.Format != table.Text {
		to.id += ":" + strconv.Itoa(record.Line)
	}
	to.vector = score.Prepare([]byte(text), o.words)
	to.encoded, _ = to.vector.MarshalBinary()
	return to
}

// add adds a chunk to the corpus.
func (r *reading) add(c *chunk) error {
	for i, d := range c.documents {
		if d.reason != "" {
			r.reject(fmt.Sprintf("%s:%d: %s", c.file.Name, c.records[i].Line, d.reason))
			continue
		}
		if err := r.corpus.add(d.id, d.vector, d.encoded); err != nil {
			return err
		}
	}
	if r.file != c.file {
		r.file, r.before = c.file, r.before+r.last
	}
	r.last = c.read
	r.progress.Set(r.before + r.last)
	return nil
}

// reject reports why a document is rejected, up to the limit.
func (r *reading) reject(report string) {
	r.rejected++
	switch n := int64(r.o.reports); {
	case n < 0 || r.rejected <= n:
		r.progress.Print(report)
	case r.rejected == n+1 && n > 0:
		r.progress.Print("more documents are rejected; -reports -1 reports all")
	}
}
