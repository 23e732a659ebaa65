package byteclass

import "slices"

// Second, a tree must be one that the next byte decides. Where a choice is to be
// made, the byte can start one branch only, and if the choice may be empty, no
// branch and also what follows. Where a repetition may go on or stop, the byte
// cannot start both another round and what follows. So at most one way through
// the tree matches a string, and it is found without trying another:
//
//	[a-z]+(-[a-z]+)*    yes
//	[a-z]+-?[0-9]+      yes
//	[a-z-]+-[0-9]+      no: the end of the first set may be at any -
//	[a-z-]+-[0-9]{4}    yes, see below
//
// Of a repetition of a set at the top of the tree the end is known as well if
// all that follows has one width. It is the rest of the string but for so many
// bytes.

// decided reports whether the next byte decides in all of n, where the bytes of
// follow can come next. (That the string can end there does no harm: at its end
// all there is to do is to stop.)
func (n *node) decided(follow set) bool {
	switch n.op {
	case seqNode:
		for i := len(n.subs) - 1; i >= 0; i-- {
			if !n.subs[i].decided(follow) {
				return false
			}
			follow = n.subs[i].before(follow)
		}
	case choiceNode:
		if n.empty && n.first.overlaps(follow) {
			return false
		}
		for _, sub := range n.subs {
			if !sub.decided(follow) {
				return false
			}
		}
	case repeatNode:
		if n.min != n.max && n.first.overlaps(follow) {
			return false
		}
		return n.subs[0].decided(n.first.union(follow))
	}
	return true
}

// before returns the bytes that can come next where n is, and then follow.
func (n *node) before(follow set) set {
	if n.empty {
		return n.first.union(follow)
	}
	return n.first
}

// decide returns the nodes of a sequence that matches what n matches, and in
// which the next byte decides, or nil if there is none.
func decide(n *node) []*node {
	subs := slices.Clone(n.list())
	var follow set
	width := 0 // of what follows, or -1
	for i := len(subs) - 1; i >= 0; i-- {
		sub := subs[i]
		if !sub.decided(follow) {
			if sub.op != repeatNode || sub.subs[0].op != setNode || width < 0 {
				return nil
			}
			rest := *sub
			rest.op, rest.mark = restNode, width
			subs[i] = &rest
		}
		follow = sub.before(follow)
		if sub.width < 0 || width < 0 {
			width = -1
		} else {
			width += sub.width
		}
	}
	return subs
}
