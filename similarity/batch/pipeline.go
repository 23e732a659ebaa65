package batch

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/muxwell/muxwell/similarity/table"
)

// A pipeline compares the rows of a file:
//
//	          ┌─► worker ─┐
//	reader ─► ├─► worker ─┼─► writer
//	          └─► worker ─┘
//
// The reader passes each chunk of rows to the workers and, in the order of the input, to
// the writer, which waits until the worker is done with it. At most two more chunks than
// workers are in memory.
type pipeline struct {
	o        *options
	file     *table.File
	w        *outputs
	progress *progress
	counts   counts
	afterBad bool // the last row was rejected
}

// run runs the pipeline until the input ends, ctx is done, or something fails.
func (p *pipeline) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	todo, ordered := make(chan *chunk, p.o.workers), make(chan *chunk, p.o.workers)
	var group sync.WaitGroup
	defer group.Wait()
	defer stop()
	group.Go(func() { p.read(ctx, todo, ordered) })
	for range p.o.workers {
		group.Go(func() { p.work(ctx, todo) })
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
	for last := false; !last; {
		c := &chunk{done: make(chan struct{})}
		c.read(p.file, p.o.chunk)
		if err := p.w.setColumns(p.file, c.records); err != nil {
			c.err = err
		}
		c.columns, last = p.w.columns, c.err != nil
		for _, to := range []chan<- *chunk{todo, ordered} {
			select {
			case <-ctx.Done():
				return
			case to <- c:
			}
		}
	}
}

// work compares chunks.
func (p *pipeline) work(ctx context.Context, todo <-chan *chunk) {
	var with *comparer
	for c := range receive(ctx, todo) {
		if with == nil || !slices.Equal(with.columns, c.columns) {
			with, c.failed = p.o.newComparer(p.file, c.columns, p.w.format)
		}
		if c.failed == nil {
			c.failed = c.compare(with)
		}
		close(c.done)
	}
}

// write writes the results of the chunks.
func (p *pipeline) write(ctx context.Context, ordered <-chan *chunk) error {
	for c := range receive(ctx, ordered) {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.done:
		}
		if c.failed != nil {
			return c.failed
		}
		if err := p.writeChunk(c); err != nil {
			return err
		}
		switch {
		case errors.Is(c.err, io.EOF):
			return nil
		case c.err != nil:
			return c.err
		}
	}
	return ctx.Err()
}

// writeChunk writes the results of a chunk.
func (p *pipeline) writeChunk(c *chunk) error {
	if err := p.w.write(c); err != nil {
		return err
	}
	if p.afterBad {
		if err := p.w.reject(p.file, c.lead); err != nil {
			return err
		}
	}
	if err := errors.Join(p.w.reject(p.file, c.rejects), p.w.rejectParquet(c.refused)); err != nil {
		return err
	}
	p.counts.add(c.counts)
	p.afterBad = c.last == refused || c.last == none && p.afterBad
	p.progress.report(c.reports)
	p.progress.Set(p.file.Read())
	return nil
}
