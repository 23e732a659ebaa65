package pairs

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"github.com/muxwell/muxwell/similarity/join"
	"github.com/muxwell/muxwell/similarity/score"
)

// A corpus is all documents, in blocks. Blocks that do not fit in memory are in a file.
type corpus struct {
	threshold  int
	blockSize  int   // documents
	blockBytes int64 // of memory, about; a block has one document more at most
	budget     int64 // bytes of memory for blocks
	dir        string

	n        int64 // documents
	wordless int64
	join     *join.Join
	blocks   []stored
	pending  pending
	spilled  *os.File
	w        *bufio.Writer // to it
	size     int64         // of it
	sum      hash.Hash     // of all documents
	number   [binary.MaxVarintLen64]byte
}

// The sizes of a block: so small that there is a checkpoint every few seconds, and so large
// that reading one takes a small part of the time of comparing it.
const (
	blockSize  = 16 << 10
	blockBytes = 128 << 20
)

// A stored is a block in memory, or in the file.
type stored struct {
	block    *block
	at, size int64
	n        int
}

// A block is a block with the documents' IDs.
type block struct {
	ids   []string
	texts *join.Block
}

// A pending is a block that is being filled.
type pending struct {
	ids     []string
	vectors []score.Vector
	encoded [][]byte // vectors
	bytes   int64    // of memory as a block, about
}

func newCorpus(threshold int, budget int64, dir string) *corpus {
	return &corpus{threshold: threshold, blockSize: blockSize, blockBytes: blockBytes, budget: budget, dir: dir, sum: sha256.New()}
}

// add adds a document with an ID, and its vector in both forms.
func (c *corpus) add(id string, v score.Vector, encoded []byte) error {
	c.sum.Write(c.header(len(id)))
	io.WriteString(c.sum, id)
	c.sum.Write(encoded)
	c.n++
	if v.IsWordless() {
		c.wordless++
	}
	p := &c.pending
	p.ids = append(p.ids, id)
	p.vectors = append(p.vectors, v)
	p.encoded = append(p.encoded, encoded)
	p.bytes += int64(v.Size() + 4*join.Width + len(id) + 200)
	if len(p.ids) >= c.blockSize || p.bytes >= c.blockBytes {
		return c.flush()
	}
	return nil
}

// header returns a number that says how much follows.
func (c *corpus) header(n int) []byte {
	return c.number[:binary.PutUvarint(c.number[:], uint64(n))]
}

// flush makes a block of the pending documents.
func (c *corpus) flush() error {
	p := c.pending
	if len(p.ids) == 0 {
		return nil
	}
	c.pending = pending{}
	if c.join == nil {
		c.join = join.New(c.threshold, p.vectors[:min(len(p.vectors), 2000)])
	}
	if c.budget -= p.bytes; c.budget >= 0 {
		c.blocks = append(c.blocks, stored{block: &block{p.ids, c.join.NewBlock(p.vectors)}, n: len(p.ids)})
		return nil
	}
	c.budget = 0
	return c.spill(&p)
}

// spill writes a block to the file.
func (c *corpus) spill(p *pending) (err error) {
	if c.spilled == nil {
		if c.spilled, err = os.CreateTemp(c.dir, "similarity-pairs-*"); err != nil {
			return fmt.Errorf("%w; name a folder for temporary files with -temp, or allow more memory with -memory", err)
		}
		os.Remove(c.spilled.Name()) // the file remains until it is closed, except on Windows
		c.w = bufio.NewWriterSize(c.spilled, 1<<20)
	}
	at := c.size
	write := func(b []byte) {
		if err == nil {
			var n int
			n, err = c.w.Write(b)
			c.size += int64(n)
		}
	}
	for i, id := range p.ids {
		write(c.header(len(id)))
		write([]byte(id))
		write(c.header(len(p.encoded[i])))
		write(p.encoded[i])
	}
	c.blocks = append(c.blocks, stored{at: at, size: c.size - at, n: len(p.ids)})
	if err == nil {
		err = c.w.Flush()
	}
	if err != nil {
		return fmt.Errorf("%w; name a folder with more space for temporary files with -temp, or allow more memory with -memory", err)
	}
	return nil
}

// load returns a block.
func (c *corpus) load(i int) (*block, error) {
	s := &c.blocks[i]
	if s.block != nil {
		return s.block, nil
	}
	data := make([]byte, s.size)
	if _, err := c.spilled.ReadAt(data, s.at); err != nil {
		return nil, err
	}
	b := &block{ids: make([]string, s.n)}
	vectors := make([]score.Vector, s.n)
	for i := range s.n {
		id, rest, ok := cut(data)
		encoded, rest, ok2 := cut(rest)
		if !ok || !ok2 {
			return nil, errSpilled
		}
		b.ids[i], data = string(id), rest
		if err := vectors[i].UnmarshalBinary(encoded); err != nil {
			return nil, errSpilled
		}
	}
	b.texts = c.join.NewBlock(vectors)
	return b, nil
}

var errSpilled = errors.New("the temporary file was changed by someone else")

// cut returns what follows a header, and the rest.
func cut(data []byte) (b, rest []byte, ok bool) {
	n, size := binary.Uvarint(data)
	if size <= 0 || n > uint64(len(data)-size) {
		return nil, nil, false
	}
	return data[size:][:n], data[size:][n:], true
}

// hash returns a hash of all documents, in their order.
func (c *corpus) hash() string { return hex.EncodeToString(c.sum.Sum(nil)) }

// parts returns the number of pairs of blocks.
func (c *corpus) parts() int { return len(c.blocks) * (len(c.blocks) + 1) / 2 }

// close removes the file.
func (c *corpus) close() {
	if c.spilled != nil {
		c.spilled.Close()
		os.Remove(c.spilled.Name())
	}
}
