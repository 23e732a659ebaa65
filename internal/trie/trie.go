package trie

import (
	"math/bits"

	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/staticpath"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// A Table holds the paths of one method for one host: those without parameters in a hash
// table by path, the others in a trie by segments. The trie of
//
//	/repos/{owner}/{repo}              (1)
//	/repos/{owner}/{repo}/issues/{n}   (2)
//	/v1/users/{id}                     (3)
//	/v1/users/{path...}                (4)
//
// is
//
//	node 0 ─ "repos" ────► node 1 ═ skip 2 segments ═► node 2 (leaf 1)
//	   │                                                  └─ "issues" ─► node 3 ═ skip 1 ═► 2
//	   └──── "v1/users" ─► node 4 (catchAll 4) ═ skip 1 ═► 3
//
// A node is a place after a slash, or where a path ended. Its ways out, in the order of
// precedence, are
//
//   - literals: a child for each literal, in a hash table of a power of two;
//   - constrained: an edge for each composite or constrained segment;
//   - param: over a run of parameters that are whole segments, in one step;
//   - dollar: the path that ends here with a slash;
//   - innerCatchAll: for catch-alls with more segments after them;
//   - catchAll.
//
// leaf is the path that ended before the node. Where there would be nothing but a leaf,
// its number is used instead of the node's index. A literal whose node would have one
// literal only is joined with that ("v1/users"). Few nodes have constrained edges or an
// inner catch-all: these are in edges, whose index is then in catchAll.
//
// After an inner catch-all a path is matched from its end to the left, and so are the
// nodes: /{x...}/raw/{f} is innerCatchAll ─► node ═ skip 1 ═► node ─ "raw" ─► leaf. A
// path that ends at such a node matches whatever is left, so its leaf comes last.
type Table struct {
	Static            staticpath.Table
	root              uint32 // the index of the first node
	nodes             []node
	literals          []literalChild
	edges             []edges
	constrained       []constrainedEdge // of all edges
	text              string            // the labels of all literals
	hasUnusualLiteral bool              // one of the labels is ".", "..", or holds a slash
	Slashy            bool              // a path may end in a slash, or in a catch-all
	widest            int               // the most bytes of a segment in a label
	// classes gives nodes the same number below which the same paths match,
	// whatever their numbers are. It is nil unless a path may visit many nodes.
	classes []uint32
	// Conditional says that some numbers are marked so.
	Conditional bool
	slashes     int       // the maximum number of segments before a final slash in paths, or more
	size        tableSize // when it was built or compacted
	extended    bool      // a table that Change returned uses the space after the slices
}

// leafOnly marks, instead of a node's index, the number of a path that ends
// there, with nothing below it.
const leafOnly = 1 << 31

type node struct {
	literals uint32 // the first literal's place
	slots    uint32 // the number of places for literals: a power of two, or 0
	param    uint32 // the node after the parameters or a leafOnly, 0 for none
	leaf     uint32 // numbers of paths:
	dollar   uint32
	catchAll uint32 // or hasEdges and the index of the edges that hold it
	seed     uint32 // of the hash of literals
	skip     uint16 // the number of parameters before param
	// recheck says which paths that the catch-all takes may match exactly with
	// another final slash: then that is the answer, or a redirect to it.
	recheck Recheck
	visits  uint8 // see countVisits
}

// hasEdges marks, instead of a number, the index of edges.
const hasEdges = 1 << 31

// edges are the ways out of a node that few nodes have.
type edges struct {
	catchAll      uint32 // the catch-all's number
	innerCatchAll uint32 // the node after an inner catch-all, or 0
	constrained   uint32 // the first constrained edge's place; they are in the order of precedence
	count         uint32 // their number
}

// A constrainedEdge is a way from a node over a composite or constrained segment.
type constrainedEdge struct {
	matches   func(seg string) bool // of matcher; for a constraint its own function
	to        uint32                // the node after it or a leafOnly
	matcher   *pattern.SegmentMatcher
	composite bool
}

// catchAllOf returns the number of the catch-all of n, or 0.
func (t *Table) catchAllOf(n *node) uint32 {
	if n.catchAll&hasEdges != 0 {
		return t.edges[n.catchAll&^hasEdges].catchAll
	}
	return n.catchAll
}

// constrainedOf returns the constrained edges of n.
func (t *Table) constrainedOf(n *node) []constrainedEdge {
	if n.catchAll&hasEdges == 0 {
		return nil
	}
	f := &t.edges[n.catchAll&^hasEdges]
	return t.constrained[f.constrained : f.constrained+f.count]
}

// innerCatchAllOf returns the node after the inner catch-all of n, or 0.
func (t *Table) innerCatchAllOf(n *node) uint32 {
	if n.catchAll&hasEdges == 0 {
		return 0
	}
	return t.edges[n.catchAll&^hasEdges].innerCatchAll
}

// A Recheck selects the paths that need a second look.
type Recheck uint8

const (
	Never      Recheck = iota
	Slashless          // those without a final slash
	Everything         // all
)

// Applies reports whether r includes path, which is not empty.
func (r Recheck) Applies(path string) bool {
	return r == Everything || r == Slashless && path[len(path)-1] != '/'
}

type literalChild struct {
	head uint64 // the first eight bytes of the label's first segment
	tail uint64 // its last eight, if it is longer than eight
	to   uint32 // the node after it or a leafOnly; 0 in an empty place
	text uint32 // where the label is in table.text
	len  uint32 // length of the first segment
	more uint32 // length of what follows it in the label, from a slash on
}

func (t *Table) label(k *literalChild) string { return t.text[k.text : k.text+k.len+k.more] }

// segmentWords returns the first eight bytes of a segment, and its last eight
// if it is longer than that.
func segmentWords(s string) (head, tail uint64) {
	if len(s) > 8 {
		tail = urlpath.Word(s, len(s)-8)
	}
	return urlpath.ShortWord(s), tail
}

// segmentHash returns the hash of a label's first segment; its low bits count.
// Eight bytes from the beginning and the end make it, and eight from between if
// the segment is longer than these: where between, is up to the seed.
func segmentHash(s string, seed uint32) uint32 {
	head, tail := segmentWords(s)
	h := head ^ bits.RotateLeft64(tail, 23)
	if len(s) > 16 {
		h ^= bits.RotateLeft64(urlpath.Word(s, midWord(uint(len(s)), seed)), 41)
	}
	return literalHash(h, uint32(len(s)), seed)
}

const seeds = 16

// midWord returns where the inner catch-all eight bytes of a long segment are taken.
func midWord(length uint, seed uint32) int {
	return int((length - 8) * uint(seed%seeds+1) / (seeds + 1))
}

// literalHash mixes the words of a segment. Both halves of the product are needed
// for every byte to reach the low bits.
func literalHash(words uint64, length, seed uint32) uint32 {
	hi, lo := bits.Mul64(words^uint64(length^seed)<<56, hashFactor)
	return uint32(hi ^ lo)
}

// hashFactor spreads the bits of a word to the product's top (Fibonacci hashing).
const hashFactor = 0x9e3779b97f4a7c15
