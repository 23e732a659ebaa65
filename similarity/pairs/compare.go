package pairs

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/muxwell/muxwell/similarity/join"
)

// A comparison compares the blocks of a corpus, each with itself and with those before it.
type comparison struct {
	corpus  *corpus
	out     *output
	workers int
	// after is called after each two blocks, with the number of those that are done.
	after func(done int) error
	// compared is called with the number of pairs that were compared since it was called last.
	compared func(n int64)
}

// run compares the blocks from the pair of them on that is first, in this order: the second
// block with itself after the first, then the third with the first, the second and itself.
func (c *comparison) run(ctx context.Context, first int) error {
	done := 0
	for k := range c.corpus.blocks {
		var b *block
		for i := range k + 1 {
			if done++; done <= first {
				c.compared(pairsOf(c.corpus.blocks[i].n, c.corpus.blocks[k].n, i == k))
				continue
			}
			var err error
			if b == nil {
				if b, err = c.corpus.load(k); err != nil {
					return err
				}
			}
			a := b
			if i < k {
				if a, err = c.corpus.load(i); err != nil {
					return err
				}
			}
			if err := c.blocks(ctx, a, b); err != nil {
				return err
			}
			if err := c.after(done); err != nil {
				return err
			}
		}
	}
	return nil
}

// blocks compares two blocks, or one with itself. Workers take its tiles, and the pairs are
// written in the order of tiles.
func (c *comparison) blocks(ctx context.Context, a, b *block) (err error) {
	tiles := b.texts.Tiles()
	found := make([]chan []join.Pair, tiles)
	for t := range found {
		found[t] = make(chan []join.Pair, 1)
	}
	ahead := make(chan struct{}, 4*c.workers) // tiles that are not yet written
	var next atomic.Int64
	var workers sync.WaitGroup
	ctx, cancel := context.WithCancel(ctx)
	defer workers.Wait()
	defer cancel()
	for range c.workers {
		workers.Go(func() {
			for {
				select {
				case <-ctx.Done():
					return
				case ahead <- struct{}{}:
				}
				t := int(next.Add(1)) - 1
				if t >= tiles {
					return
				}
				found[t] <- c.corpus.join.AppendPairs(nil, a.texts, b.texts, t)
			}
		})
	}
	for t := range found {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case pairs := <-found[t]:
			<-ahead
			for _, p := range pairs {
				if err := c.out.pair(a.ids[p.A], b.ids[p.B], p.Thousandths); err != nil {
					return err
				}
			}
			c.compared(compared(a, b, t))
		}
	}
	return nil
}

// compared returns the number of pairs of a tile.
func compared(a, b *block, t int) int64 {
	first := t * join.Tile
	n := min(join.Tile, len(b.ids)-first)
	if a == b {
		return pairsOf(first, n, false) + pairsOf(n, n, true)
	}
	return pairsOf(len(a.ids), n, false)
}

// pairsOf returns the number of pairs of n documents and m others, or of n documents.
func pairsOf(n, m int, same bool) int64 {
	if same {
		return int64(n) * int64(n-1) / 2
	}
	return int64(n) * int64(m)
}
