package language

import (
	"cmp"
	"slices"
	"unicode"
)

// A class is a set of runes that no expression of a search tells apart, so that
// one of them speaks for all. [a-z]+ and [a-f0-9]+ make four classes:
//
//	a  [a-f]     in both
//	g  [g-z]     in the first
//	0  [0-9]     in the second
//	A  the rest  in neither
type class struct {
	sample rune // the member that reads best
	taste  int  // how well, as of tasteOf
}

// split returns the classes of the sets of a search, those that read best
// first, or nil if that takes more than limit steps.
//
// The line of all runes is cut wherever a range of a set begins or ends. At
// first all pieces between cuts are of the same class; each set parts every
// class in two, the pieces in the set and the others.
func split(sets []runes, limit int) []class {
	cuts := cutsOf(sets)
	if len(cuts)*(len(sets)+1) > limit {
		return nil
	}
	classOf := make([]int, len(cuts)-1) // of the piece from cuts[i] to cuts[i+1]
	count := 1
	for _, s := range sets {
		count = part(classOf, count, cuts, s)
	}
	classes := make([]class, count)
	for i := range classes {
		classes[i].taste = unusable
	}
	for i, c := range classOf {
		classes[c] = classes[c].better(cuts[i], cuts[i+1]-1)
	}
	var sorted []*class // sorting the classes themselves would be linked as another function
	for i := range classes {
		if classes[i].taste != unusable {
			sorted = append(sorted, &classes[i])
		}
	}
	slices.SortFunc(sorted, func(a, b *class) int {
		return cmp.Or(cmp.Compare(a.taste, b.taste), cmp.Compare(a.sample, b.sample))
	})
	usable := make([]class, len(sorted))
	for i, c := range sorted {
		usable[i] = *c
	}
	return usable
}

// cutsOf returns the places where something begins, in order.
func cutsOf(sets []runes) []rune {
	cuts := []rune{0, firstHalf, lastHalf + 1, firstByte, lastByte + 1}
	for _, s := range sets {
		for i := 0; i < len(s); i += 2 {
			cuts = append(cuts, s[i], s[i+1]+1)
		}
	}
	slices.Sort(cuts)
	return slices.Compact(cuts)
}

// part divides each of count classes by whether their pieces are in s, and
// returns the new count.
func part(classOf []int, count int, cuts []rune, s runes) int {
	renamed := make([]int, 2*count) // the new class by the old one and by s, plus 1
	count = 0
	for i, c := range classOf {
		for len(s) > 0 && s[1] < cuts[i] {
			s = s[2:]
		}
		c *= 2
		if len(s) > 0 && s[0] <= cuts[i] {
			c++
		}
		if renamed[c] == 0 {
			count++
			renamed[c] = count
		}
		classOf[i] = renamed[c] - 1
	}
	return count
}

// tastes are the runes that read well, the best first.
var tastes = [...]struct{ first, last rune }{
	{'a', 'z'},
	{'0', '9'},
	{'A', 'Z'},
	{'-', '-'},
	{'_', '_'},
	{'.', '.'},
	{'!', '.'},
	{'0', '~'},
	{' ', ' '},
	{'à', 'ö'},
	{'ø', 'ÿ'},
	{'α', 'ω'},
	{'а', 'я'},
}

// The tastes that are worse than those, the better first.
const (
	letter = len(tastes) + iota
	printable
	control
	raw      // a byte that is not UTF-8
	slash    // the end of a segment
	unusable // half a rune
)

// better returns the class with the sample of c or with one of the runes from
// first to last, if that reads better.
func (c class) better(first, last rune) class {
	for taste, t := range tastes[:min(c.taste, len(tastes))] {
		if r := max(first, t.first); r <= min(last, t.last) {
			return class{r, taste}
		}
	}
	const near = 16 // runes tried of a long piece
	for r := first; r <= min(last, first+near) && c.taste > letter; r++ {
		if taste := tasteOf(r); taste < c.taste {
			c = class{r, taste}
		}
	}
	return c
}

// tasteOf returns the taste of a rune that is none of tastes.
func tasteOf(r rune) int {
	switch {
	case r == '/':
		return slash
	case r >= firstByte:
		return raw
	case firstHalf <= r && r <= lastHalf:
		return unusable
	case unicode.IsLetter(r):
		return letter
	case unicode.IsPrint(r):
		return printable
	default:
		return control
	}
}
