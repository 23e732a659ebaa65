package byteclass

import (
	"math"
	"regexp/syntax"
	"slices"
	"unicode"
	"unicode/utf8"
)

// First, the runes of an expression become bytes. A tree of nodes says of bytes
// what the tree of regexp/syntax says of runes, or there is none:
//
//   - A class of ASCII is a set of bytes. A class of a few other runes is an
//     alternation of their UTF-8.
//   - A class of ASCII and all runes from U+0080 up, such as [^/], is a set of
//     bytes too, but only under * and +: elsewhere it would count bytes as runes.
//     Package regexp takes a byte that is not UTF-8 for U+FFFD, hence all bytes
//     from 0x80 up belong to such a set.
//   - U+FFFD where it represents those bytes only, and assertions but for those
//     at the ends of all, have no node.
//
// Groups are left out, for only whole parts are captured. Whether a match is
// greedy is left out as well: it does not matter where there is one match only.

// A node matches some strings of bytes.
type node struct {
	op       nodeOp
	text     string  // of a text
	subs     []*node // of a sequence and a choice; the body of a repetition
	min, max int     // of a repetition; max is math.MaxInt if there is no limit
	mark     int     // of a mark, the index into Find's at; of a rest, see there

	first set  // the bytes a match that is not empty can start with; all of a set
	empty bool // whether the empty string matches
	wide  bool // a set that holds all bytes from 0x80 up, and counts runes
	width int  // of each match, or -1 if they differ
	size  int  // nodes in the tree
}

type nodeOp uint8

const (
	textNode   nodeOp = iota
	setNode           // one byte of first
	seqNode           // all subs in order
	choiceNode        // one of subs
	repeatNode        // subs[0], min to max times
	markNode          // nothing, noted by Find
	restNode          // a repetition of a set up to the last bytes of all, as many as mark
)

const (
	maxRunes    = 64 // in a class that is an alternation
	maxUnrolled = 64 // nodes that a repetition of a fixed number is written out to
)

// newPieces returns the node of all pieces in order, or nil if there is none.
// Where a captured piece is not all there is, marks stand around it.
func newPieces(pieces []piece) *node {
	var subs []*node
	marks := 0
	for i, piece := range pieces {
		n := newText(piece.text)
		if piece.captured {
			start := !slices.ContainsFunc(pieces[:i], pieceTakesText)
			end := !slices.ContainsFunc(pieces[i+1:], pieceTakesText)
			n = newTree(piece.tree, start, end)
		}
		if n == nil {
			return nil
		}
		if piece.captured && len(pieces) > 1 {
			n = newSeq([]*node{newMark(marks), n, newMark(marks + 1)})
			marks += 2
		}
		subs = append(subs, n)
	}
	return newSeq(subs)
}

// newTree returns the node of re, or nil if it has none. That re is at the start
// or at the end tells that nothing can precede it or follow.
func newTree(re *syntax.Regexp, start, end bool) *node {
	n := newWideTree(re, start, end)
	if n == nil || n.wide {
		return nil
	}
	return n
}

// newWideTree is like newTree, but may return a wide set.
func newWideTree(re *syntax.Regexp, start, end bool) *node {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return newText("")
	case syntax.OpBeginText, syntax.OpBeginLine:
		if start {
			return newText("")
		}
	case syntax.OpEndText, syntax.OpEndLine:
		if end {
			return newText("")
		}
	case syntax.OpLiteral:
		return newLiteral(re.Rune, re.Flags&syntax.FoldCase != 0)
	case syntax.OpCharClass:
		return newClass(re.Rune)
	case syntax.OpAnyCharNotNL:
		return newClass([]rune{0, '\n' - 1, '\n' + 1, unicode.MaxRune})
	case syntax.OpAnyChar:
		return newClass([]rune{0, unicode.MaxRune})
	case syntax.OpCapture:
		return newWideTree(re.Sub[0], start, end)
	case syntax.OpStar:
		return newRepeat(re.Sub[0], 0, -1)
	case syntax.OpPlus:
		return newRepeat(re.Sub[0], 1, -1)
	case syntax.OpQuest:
		return newRepeat(re.Sub[0], 0, 1)
	case syntax.OpRepeat:
		return newRepeat(re.Sub[0], re.Min, re.Max)
	case syntax.OpConcat:
		return newConcat(re.Sub, start, end)
	case syntax.OpAlternate:
		subs := make([]*node, len(re.Sub))
		for i, sub := range re.Sub {
			if subs[i] = newTree(sub, start, end); subs[i] == nil {
				return nil
			}
		}
		return newChoice(subs)
	}
	return nil
}

func newText(text string) *node {
	n := &node{op: textNode, text: text, empty: text == "", width: len(text), size: 1}
	if text != "" {
		n.first.add(text[0])
	}
	return n
}

func newSet(first set) *node {
	return &node{op: setNode, first: first, width: 1, size: 1}
}

func newMark(i int) *node {
	return &node{op: markNode, mark: i, empty: true, size: 1}
}

// newLiteral returns the node of runes, whatever their case if fold is set.
func newLiteral(runes []rune, fold bool) *node {
	if !fold {
		for _, r := range runes {
			if !utf8.ValidRune(r) || r == utf8.RuneError {
				return nil
			}
		}
		return newText(string(runes))
	}
	subs := make([]*node, len(runes))
	for i, r := range runes {
		class := []rune{r, r}
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			class = append(class, f, f)
		}
		if subs[i] = newClass(class); subs[i] == nil || subs[i].wide {
			return nil
		}
	}
	return newSeq(subs)
}

// newClass returns the node of a class, which is pairs of a lowest and a
// highest rune.
func newClass(pairs []rune) *node {
	var ascii set
	var others []string
	for i := 0; i < len(pairs); i += 2 {
		lo, hi := pairs[i], pairs[i+1]
		if lo < utf8.RuneSelf {
			ascii.addRange(byte(lo), byte(min(hi, utf8.RuneSelf-1)))
			lo = utf8.RuneSelf
		}
		switch {
		case lo > hi:
			continue
		case lo == utf8.RuneSelf && hi == unicode.MaxRune:
			ascii.addRange(utf8.RuneSelf, 0xff)
			n := newSet(ascii)
			n.wide = true
			return n
		case lo <= utf8.RuneError && utf8.RuneError <= hi, int(hi-lo) >= maxRunes-len(others):
			return nil
		}
		for r := lo; r <= hi; r++ {
			if utf8.ValidRune(r) { // the others, surrogates, are never read
				others = append(others, string(r))
			}
		}
	}
	if others == nil {
		return newSet(ascii) // if it is empty as well, nothing matches
	}
	for _, c := range ascii.bytes() {
		others = append(others, string(rune(c)))
	}
	return newWords(others)
}

// newRepeat returns the node of re, low to high times, or more often if high
// is -1.
func newRepeat(re *syntax.Regexp, low, high int) *node {
	if high == 0 {
		return newText("")
	}
	if high < 0 {
		high = math.MaxInt
	}
	sub := newWideTree(re, false, false)
	switch {
	case sub == nil, sub.wide && (low > 1 || high != math.MaxInt):
		return nil
	case low == 1 && high == 1, sub.width == 0, sub.empty && low == 0 && high == 1:
		return sub
	case sub.empty:
		return nil
	case low == high && sub.width != 1 && low*sub.size <= maxUnrolled:
		return newSeq(slices.Repeat([]*node{sub}, low))
	}
	if sub.width == 1 { // be it text
		sub = newSet(sub.first)
	}
	n := &node{op: repeatNode, subs: []*node{sub}, min: low, max: high}
	n.first, n.empty, n.width, n.size = sub.first, low == 0, -1, sub.size+1
	if low == high && sub.width >= 0 {
		n.width = low * sub.width
	}
	return n
}

// newConcat returns the node of all of list in order.
func newConcat(list []*syntax.Regexp, start, end bool) *node {
	subs := make([]*node, len(list))
	for i, re := range list {
		start := start && !slices.ContainsFunc(list[:i], takesText)
		end := end && !slices.ContainsFunc(list[i+1:], takesText)
		if subs[i] = newTree(re, start, end); subs[i] == nil {
			return nil
		}
	}
	return newSeq(subs)
}

// takesText reports whether re can match more than the empty string. Where
// that takes a closer look, it says so.
func takesText(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginText, syntax.OpBeginLine, syntax.OpEndText, syntax.OpEndLine:
		return false
	case syntax.OpCapture:
		return takesText(re.Sub[0])
	}
	return true
}

func pieceTakesText(p piece) bool { return !p.captured || takesText(p.tree) }

// newSeq returns the node of all subs in order, with sequences in it laid out
// and texts side by side joined.
func newSeq(subs []*node) *node {
	n := &node{op: seqNode}
	for _, sub := range subs {
		for _, sub := range sub.list() {
			n.push(sub)
		}
	}
	switch len(n.subs) {
	case 0:
		return newText("")
	case 1:
		return n.subs[0]
	}
	n.empty, n.size = true, 1
	for _, sub := range n.subs {
		if n.empty {
			n.first = n.first.union(sub.first)
		}
		n.empty = n.empty && sub.empty
		n.size += sub.size
		if sub.width < 0 || n.width < 0 {
			n.width = -1
		} else {
			n.width += sub.width
		}
	}
	return n
}

// list returns the nodes of a sequence, or n alone.
func (n *node) list() []*node {
	if n.op == seqNode {
		return n.subs
	}
	return []*node{n}
}

// push adds sub to a sequence.
func (n *node) push(sub *node) {
	last := len(n.subs) - 1
	switch {
	case sub.op == textNode && sub.text == "":
	case sub.op == textNode && last >= 0 && n.subs[last].op == textNode:
		n.subs[last] = newText(n.subs[last].text + sub.text)
	default:
		n.subs = append(n.subs, sub)
	}
}

// newChoice returns the node of one of subs. Where a byte can start several of
// them they must be literals.
func newChoice(subs []*node) *node {
	n := &node{op: choiceNode, subs: subs, width: subs[0].width, size: 1}
	apart, empties := true, 0
	for _, sub := range subs {
		apart = apart && !sub.first.overlaps(n.first)
		n.first = n.first.union(sub.first)
		n.size += sub.size
		if sub.empty {
			n.empty = true
			empties++
		}
		if sub.width != n.width {
			n.width = -1
		}
	}
	if n.width == 1 {
		return newSet(n.first)
	}
	if apart && empties <= 1 {
		return n
	}
	if words := n.words(maxWords); words != nil {
		return newWords(words)
	}
	return nil
}
