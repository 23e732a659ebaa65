package pairs

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"sync"

	"github.com/muxwell/muxwell/similarity/score"
)

// A document is a text with its ID.
type document struct {
	id     string
	text   []byte
	where  string // the file and the row
	reason string // why it is rejected, or ""
}

// A chunk is successive documents that a worker prepares.
type chunk struct {
	documents []document
	vectors   []score.Vector
	encoded   [][]byte
	bytes     int
	done      chan struct{}
}

// The size of a chunk.
const (
	chunkDocuments = 256
	chunkBytes     = 256 << 10
)

// A reading reads documents into a corpus, in their order.
type reading struct {
	o        *options
	corpus   *corpus
	progress *progress
	rejected int64
}

// read reads all documents into c.
func (o *options) read(ctx context.Context, c *corpus, stdin io.Reader, stderr io.Writer) (*reading, error) {
	r := &reading{o: o, corpus: c, progress: newProgress(stderr, "reading", -1, true)}
	defer r.progress.end()
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
				c.prepare(o.words)
			}
		})
	}
	for chunk := range chunks {
		select {
		case <-chunk.done:
		case <-ctx.Done():
			return r, errInterrupted
		}
		if err := r.add(chunk); err != nil {
			return r, err
		}
	}
	if ctx.Err() != nil {
		return r, errInterrupted
	}
	if failed != nil { // chunks is closed
		return r, failed
	}
	return r, c.flush()
}

// chunks calls yield for all chunks.
func (r *reading) chunks(ctx context.Context, stdin io.Reader, yield func(*chunk) error) error {
	c := &chunk{done: make(chan struct{})}
	for d, err := range r.o.documents(stdin) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		c.documents = append(c.documents, d)
		if c.bytes += len(d.text); len(c.documents) >= chunkDocuments || c.bytes >= chunkBytes {
			if err := yield(c); err != nil {
				return err
			}
			c = &chunk{done: make(chan struct{})}
		}
	}
	if len(c.documents) == 0 {
		return nil
	}
	return yield(c)
}

// prepare prepares the documents of a chunk.
func (c *chunk) prepare(words score.Words) {
	defer close(c.done)
	c.vectors, c.encoded = make([]score.Vector, len(c.documents)), make([][]byte, len(c.documents))
	for i := range c.documents {
		d := &c.documents[i]
		if d.reason != "" {
			continue
		}
		c.vectors[i] = score.Prepare(d.text, words)
		c.encoded[i], _ = c.vectors[i].MarshalBinary()
		d.text = nil
	}
}

// add adds a chunk to the corpus.
func (r *reading) add(c *chunk) error {
	for i, d := range c.documents {
		if d.reason != "" {
			r.reject(&d)
			continue
		}
		if err := r.corpus.add(d.id, c.vectors[i], c.encoded[i]); err != nil {
			return err
		}
	}
	r.progress.add(int64(c.bytes))
	return nil
}

// reject reports why a document is rejected, up to the limit.
func (r *reading) reject(d *document) {
	r.rejected++
	switch n := int64(r.o.reports); {
	case n < 0 || r.rejected <= n:
		r.progress.print(d.where + ": " + d.reason)
	case r.rejected == n+1 && n > 0:
		r.progress.print("more documents are rejected; -reports -1 reports all")
	}
}

// documents returns the documents of all inputs.
func (o *options) documents(stdin io.Reader) iter.Seq2[document, error] {
	return func(yield func(document, error) bool) {
		for _, name := range o.inputs {
			f, err := os.Open(name)
			if err != nil {
				yield(document{}, err)
				return
			}
			sc := bufio.NewScanner(f)
			sc.Buffer(nil, 64<<20)
			for n := 1; sc.Scan(); n++ {
				var d struct{ ID, Text string }
				reason := ""
				if err := json.Unmarshal(sc.Bytes(), &d); err != nil {
					reason = err.Error()
				}
				if !yield(document{d.ID, slices.Clone([]byte(d.Text)), fmt.Sprintf("%s:%d", name, n), reason}, nil) {
					return
				}
			}
			f.Close()
		}
	}
}
