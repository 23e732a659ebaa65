package batch

import (
	"context"
	"errors"
	"io"
	"iter"
	"sync"
	"time"
)

// A pipeline compares the rows of an input:
//
//	            ┌─► worker ─┐
//	splitter ─► ├─► worker ─┼─► writer
//	            └─► worker ─┘
//
// The reader passes each chunk of rows to the workers and, in the order of the input, to
// the writer, which waits until the worker is done with it. At most two more chunks than
// workers are in memory.
type pipeline struct {
	o    *options
	rows *splitter
	w    *outputs
	at   position // up to where a row may begin; behind it the outputs may have more
	now  position // of all that is written

	progress *progress
}

// run runs the pipeline until the input ends, ctx is done, or something fails. Then the
// outputs have the results of all rows before p.at.
func (p *pipeline) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	todo, ordered := make(chan *chunk, p.o.workers), make(chan *chunk, p.o.workers)
	var group sync.WaitGroup
	defer group.Wait()
	defer stop()
	group.Go(func() { p.read(ctx, todo, ordered) })
	for range p.o.workers {
		group.Go(func() {
			with := newComparer(p.w.head, p.o.words, p.o.comma)
			for c := range receive(ctx, todo) {
				c.compare(with)
				close(c.done)
			}
		})
	}
	return p.write(ctx, ordered)
}

// receive returns the values from a channel until it is closed or ctx is done.
func receive[T any](ctx context.Context, from <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			select {
			case <-ctx.Done():
				return
			case v, ok := <-from:
				if !ok || !yield(v) {
					return
				}
			}
		}
	}
}

// read cuts the input into chunks.
func (p *pipeline) read(ctx context.Context, todo, ordered chan<- *chunk) {
	for {
		c := &chunk{done: make(chan struct{})}
		c.read(p.rows, p.o.chunk)
		for _, to := range []chan<- *chunk{todo, ordered} {
			select {
			case <-ctx.Done():
				return
			case to <- c:
			}
		}
		if c.err != nil {
			return
		}
	}
}

// write writes the results of the chunks.
func (p *pipeline) write(ctx context.Context, ordered <-chan *chunk) error {
	saved := time.Now()
	for c := range receive(ctx, ordered) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.done:
		}
		if err := p.writeChunk(c); err != nil {
			return err
		}
		if c.err != nil {
			if errors.Is(c.err, io.EOF) {
				return nil
			}
			return c.err
		}
		if time.Since(saved) >= p.o.every {
			if err := p.w.checkpoint(p.at); err != nil {
				return err
			}
			saved = time.Now()
		}
	}
	return ctx.Err()
}

// writeChunk writes the results of a chunk.
func (p *pipeline) writeChunk(c *chunk) error {
	if err := p.w.out.write(c.out); err != nil {
		return err
	}
	if p.now.AfterReject {
		if err := p.w.reject(c.lead); err != nil {
			return err
		}
	}
	if err := p.w.reject(c.rejects); err != nil {
		return err
	}
	before := p.now
	p.now = p.w.position(c.offset, c.line)
	p.now.Compared = before.Compared + c.compared
	p.now.Wordless = before.Wordless + c.wordless
	p.now.OtherScripts = before.OtherScripts + c.others
	p.now.RejectedRows = before.RejectedRows + c.rejected
	p.now.AfterReject = c.last == refused || c.last == none && before.AfterReject
	if c.whole {
		p.at = p.now
	}
	p.progress.report(c.reports)
	p.progress.set(c.offset)
	return nil
}
