package byteclass

import (
	"slices"
	"sort"
)

// Where a byte can start several branches of a choice, all may still be well if
// the branches are literals: they are laid out as a trie, so that each choice
// in it is between bytes that differ:
//
//	json|jpeg|jpg|xml   →   j(son|p(eg|g))|xml
//
// A literal that starts another ends at a choice that may be empty.

const (
	maxWords = 1024    // in a choice
	maxBytes = 1 << 14 // of all words of a choice
)

// words returns the strings that match, or nil if there are none or more than
// limit.
func (n *node) words(limit int) []string {
	var words []string
	switch n.op {
	case textNode:
		return []string{n.text}
	case setNode:
		for _, c := range n.first.bytes() {
			words = append(words, string([]byte{c}))
		}
	case seqNode:
		words = []string{""}
		for _, sub := range n.subs {
			words = product(words, sub.words(limit), limit)
		}
	case choiceNode:
		for _, sub := range n.subs {
			more := sub.words(limit)
			if more == nil {
				return nil
			}
			words = append(words, more...)
		}
	case repeatNode:
		if n.max > limit {
			return nil
		}
		sub, power := n.subs[0].words(limit), []string{""}
		for i := 0; i <= n.max; i++ {
			if i > 0 {
				power = product(power, sub, limit)
			}
			if power == nil {
				return nil
			}
			if i >= n.min {
				words = append(words, power...)
			}
		}
	}
	total := 0
	for _, word := range words {
		total += 1 + len(word)
	}
	if len(words) > limit || total > maxBytes {
		return nil
	}
	return words
}

// product returns each of heads followed by each of tails, or nil if these are
// too many.
func product(heads, tails []string, limit int) []string {
	if len(heads)*len(tails) > limit {
		return nil
	}
	var words []string
	for _, head := range heads {
		for _, tail := range tails {
			words = append(words, head+tail)
		}
	}
	return words
}

// newWords returns the node of one of words, which it may change: a trie, where
// words part at the first byte that is not the same in all.
func newWords(words []string) *node {
	sort.Strings(words)
	return newTrie(slices.Compact(words))
}

func newTrie(words []string) *node {
	low, high := words[0], words[len(words)-1]
	n := 0 // what the first has in common with the last, all have
	for n < min(len(low), len(high)) && low[n] == high[n] {
		n++
	}
	prefix := low[:n]
	if len(words) == 1 {
		return newText(prefix)
	}
	var subs []*node
	var letters set // the words that are one byte more
	for len(words) > 0 {
		if len(words[0]) == n {
			subs = append(subs, newText(""))
			words = words[1:]
			continue
		}
		same := 1
		for same < len(words) && words[same][n] == words[0][n] {
			same++
		}
		rest := make([]string, same)
		for i, word := range words[:same] {
			rest[i] = word[n:]
		}
		if same == 1 && len(rest[0]) == 1 {
			letters.add(rest[0][0])
		} else {
			subs = append(subs, newTrie(rest))
		}
		words = words[same:]
	}
	if letters != (set{}) {
		subs = append(subs, newSet(letters))
	}
	if len(subs) == 1 {
		return newSeq([]*node{newText(prefix), subs[0]})
	}
	return newSeq([]*node{newText(prefix), newChoice(subs)})
}
