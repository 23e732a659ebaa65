package routing

import (
	"slices"
	"sort"

	"github.com/muxwell/muxwell/internal/trie"
)

// A pathList has the paths of a host, sorted by compareRegistered. It is in blocks, so
// that a changed copy shares most of them. It does not change.
type pathList struct {
	blocks [][]*trie.Path // none is empty
}

// blockSize is the number of paths of a new block.
const blockSize = 256

func newPathList(sorted []*trie.Path) (l pathList) {
	for len(sorted) > 0 {
		n := min(len(sorted), blockSize)
		l.blocks, sorted = append(l.blocks, slices.Clone(sorted[:n])), sorted[n:]
	}
	return l
}

// all iterates over the paths.
func (l pathList) all(yield func(*trie.Path) bool) {
	for _, block := range l.blocks {
		for _, p := range block {
			if !yield(p) {
				return
			}
		}
	}
}

// where returns the paths for which compare returns 0. For those before them it returns
// a negative number. The caller must not modify them.
func (l pathList) where(compare func(*trie.Path) int) []*trie.Path {
	var runs [][]*trie.Path
	for at := l.blockOf(compare); at < len(l.blocks); at++ {
		block := l.blocks[at]
		from := sort.Search(len(block), func(i int) bool { return compare(block[i]) >= 0 })
		to := sort.Search(len(block), func(i int) bool { return compare(block[i]) > 0 })
		if from < to {
			runs = append(runs, block[from:to])
		}
		if to < len(block) {
			break
		}
	}
	if len(runs) == 1 {
		return runs[0]
	}
	return slices.Concat(runs...)
}

// blockOf returns the index of the first block with a path for which compare does not
// return a negative number.
func (l pathList) blockOf(compare func(*trie.Path) int) int {
	return sort.Search(len(l.blocks), func(i int) bool {
		block := l.blocks[i]
		return len(block) > 0 && compare(block[len(block)-1]) >= 0
	})
}

// with returns a copy in which the changed paths are those that t has.
func (l pathList) with(changed []*trie.Path, t *Tables) pathList {
	to := pathList{slices.Clone(l.blocks)}
	for _, p := range changed {
		to.remove(p)
	}
	for _, p := range changed {
		if t.has(p) {
			to.insert(p)
		}
	}
	return to
}

func (l *pathList) remove(p *trie.Path) {
	for at := l.blockOf(func(q *trie.Path) int { return trie.Compare(q, p) }); at < len(l.blocks); at++ {
		block := l.blocks[at]
		if i := slices.Index(block, p); i >= 0 {
			l.replace(at, slices.Concat(block[:i], block[i+1:]))
			return
		}
		if trie.Compare(block[0], p) > 0 {
			return
		}
	}
}

func (l *pathList) insert(p *trie.Path) {
	if len(l.blocks) == 0 {
		l.blocks = append(l.blocks, nil)
	}
	at := min(l.blockOf(func(q *trie.Path) int { return compareRegistered(q, p) }), len(l.blocks)-1)
	block := l.blocks[at]
	i, _ := slices.BinarySearchFunc(block, p, compareRegistered)
	l.replace(at, slices.Concat(block[:i], []*trie.Path{p}, block[i:]))
}

// replace replaces a block by the blocks for paths: none, one or two.
func (l *pathList) replace(at int, paths []*trie.Path) {
	if n := len(paths); 0 < n && n <= 2*blockSize {
		l.blocks[at] = paths
		return
	}
	l.blocks = slices.Concat(l.blocks[:at], newPathList(paths).blocks, l.blocks[at+1:])
}
