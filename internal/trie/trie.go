package trie

import (
	"math/bits"

	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// A Table holds the paths of one method for one host, as lookup.go searches
// them: those without parameters in a hash table by path, the others in a trie
// by segments. The trie of
//
//	/repos/{owner}/{repo}              (1)
//	/repos/{owner}/{repo}/issues/{n}   (2)
//	/v1/users/{id}                     (3)
//	/v1/users/{path...}                (4)
//
// is
//
//	node 0 ─ kid "repos" ────► node 1 ═ skip 2 segments ═► node 2 (leaf 1)
//	   │                                                      └─ kid "issues" ─► node 3 ═ skip 1 ═► 2
//	   └──── kid "v1/users" ─► node 4 (rest 4) ═ skip 1 ═► 3
//
// A node stands after a slash, or where a path ended. From it lead, in the
// order of precedence: its kids, one for each literal, a hash table of a power
// of two; its alts, one for each mixed or constrained segment; its param, over
// a run of whole-segment parameters in one step; the route of a path that ends
// here with a slash (end); the middle, for catch-alls with more behind them; then
// the catch-all (rest). A leaf is the route of a path that ended before this
// node; where there would be nothing but a leaf, its record stands in place of
// the node. A kid whose node would have but one kid is joined with it
// ("v1/users"). Few nodes have alts or a middle: these are in a fork, which stands
// in place of rest.
//
// Behind a middle a path is matched from its end to the left, and so are the
// nodes there: /{x...}/raw/{f} is middle ─► node ═ skip 1 ═► node ─ kid "raw" ─►
// leaf. A route that ends at such a node matches whatever is left of the path,
// so its leaf comes last.
//
// A path is named by its number; 0 is none.
type Table struct {
	Static Static
	nodes  []node
	kids   []kid
	forks  []fork
	alts   []alt  // of all forks
	text   string // the labels of all kids
	odd    bool   // one of the labels is ".", "..", or holds a slash
	Slashy bool   // a route may end in a slash, or in a catch-all
	widest int    // the most bytes of a segment in a label
	// classes gives nodes the same number below which the same paths match,
	// whatever their routes are. It is nil unless a path may visit many nodes.
	classes []uint32
	// Conditional says that some numbers are marked so.
	Conditional bool
	source      *source // of a table that was made of another one and has no forms
}

// leafOnly marks, in place of a node's index, the record of a route that ends
// there, with nothing below it.
const leafOnly = 1 << 31

type node struct {
	kids  uint32 // the first kid's place
	slots uint32 // the number of places for kids: a power of two, or 0
	param uint32 // the node behind the parameters or a leafOnly, 0 for none
	leaf  uint32 // records:
	end   uint32
	rest  uint32 // or isFork and the index of the fork that holds it
	seed  uint32 // of the hash of kids
	skip  uint16 // the number of parameters before param
	// recheck says which paths that the catch-all takes may match exactly with
	// another final slash: then that is the answer, or a redirect to it.
	recheck Recheck
}

// isFork marks, in place of a record, the index of a fork.
const isFork = 1 << 31

// A fork is what few nodes have.
type fork struct {
	rest   uint32 // the catch-all's record
	middle uint32 // the node behind the catch-alls that have more behind them, or 0
	alts   uint32 // the first alt's place; they are in the order of precedence
	size   uint32 // their number
}

// An alt is a way from a node over a mixed or constrained segment.
type alt struct {
	takes func(seg string) bool // of form; for a constraint its own function
	to    uint32                // the node behind it or a leafOnly
	form  *pattern.SegmentMatcher
	mixed bool
}

// restOf returns the record of the catch-all of n, or 0.
func (t *Table) restOf(n *node) uint32 {
	if n.rest&isFork != 0 {
		return t.forks[n.rest&^isFork].rest
	}
	return n.rest
}

// altsOf returns the alts of n.
func (t *Table) altsOf(n *node) []alt {
	if n.rest&isFork == 0 {
		return nil
	}
	f := &t.forks[n.rest&^isFork]
	return t.alts[f.alts : f.alts+f.size]
}

// middleOf returns the node behind the catch-alls of n that have more behind
// them, or 0.
func (t *Table) middleOf(n *node) uint32 {
	if n.rest&isFork == 0 {
		return 0
	}
	return t.forks[n.rest&^isFork].middle
}

// A Recheck says which paths need a second look.
type Recheck uint8

const (
	Never      Recheck = iota
	Slashless          // those without a final slash
	Everything         // all
)

// Applies reports whether r says so of path, which is not empty.
func (r Recheck) Applies(path string) bool {
	return r == Everything || r == Slashless && path[len(path)-1] != '/'
}

type kid struct {
	head uint64 // the first eight bytes of the label's first segment
	tail uint64 // its last eight, if it is longer than eight
	to   uint32 // the node behind it or a leafOnly; 0 in an empty place
	text uint32 // where the label is in table.text
	len  uint32 // length of the first segment
	more uint32 // length of what follows it in the label, from a slash on
}

func (t *Table) label(k *kid) string { return t.text[k.text : k.text+k.len+k.more] }

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
	return kidHash(h, uint32(len(s)), seed)
}

const seeds = 16

// midWord returns where the middle eight bytes of a long segment are taken.
func midWord(length uint, seed uint32) int {
	return int((length - 8) * uint(seed%seeds+1) / (seeds + 1))
}

// kidHash mixes the words of a segment. Both halves of the product are needed
// for every byte to reach the low bits.
func kidHash(words uint64, length, seed uint32) uint32 {
	hi, lo := bits.Mul64(words^uint64(length^seed)<<56, hashFactor)
	return uint32(hi ^ lo)
}
