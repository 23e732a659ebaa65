// Package language compares the sets of strings that regular expressions match. It finds
// a string that all of some expressions match and none of some others.
//
//	id := language.Concat(number, language.Text(":apply"))
//	of := language.Concat(number, language.Text(":cancel"))
//	language.Find([]*language.Set{id, of}, nil) // "", None: no string is both
//
// A [Set] is a program of a few instructions, made once from an expression:
// forks, runes and a match. [Find] runs the programs in step over all strings
// at once, the shortest first, until a string fits or there is no situation
// left that was not seen before:
//
//	expression -> instructions -> classes of runes -> search
//	              (compile.go)    (class.go)          (search.go)
//
// What differs between expressions only in the empty string at some place, as ^
// and \b do, is resolved while compiling, so that the search knows nothing but
// runes.
package language

import "slices"

// An Answer is what [Find] knows.
type Answer uint8

// The answers.
const (
	Unknown Answer = iota // the search would have taken too long
	None                  // there is no such string
	Found                 // there is, and the witness is one
)

// String returns the name of the answer.
func (a Answer) String() string {
	switch a {
	case None:
		return "None"
	case Found:
		return "Found"
	default:
		return "Unknown"
	}
}

// Find looks for a string that all sets of in have and no set of out has. The
// strings are segments of a URL path: the empty string, "." and ".." are none
// and count as members of out. An empty in means every string.
//
// The answer is Found and a witness, None, which is proven, or Unknown, after
// a bounded amount of work. The witness is empty unless the answer is Found. It
// is
//
//   - the first of the hints that fits, as it is; otherwise
//   - without a slash, if there is one without; and
//   - of those a shortest; and
//   - of those the first in an order of runes by how well they read: a to z, 0
//     to 9, A to Z, then - _ . and other ASCII, then the letters beyond.
//
// The same sets in the same order give the same witness. Find is safe for
// concurrent use.
func Find(in, out []*Set, hints ...string) (witness string, answer Answer) {
	for _, hint := range hints {
		if fits(hint, in, out) {
			return hint, Found
		}
	}
	for _, s := range in {
		if slices.Contains(out, s) {
			return "", None
		}
		if s.literal {
			return only(s.text, in, out)
		}
	}
	return explore(in, out)
}

// only is the answer if text is the only string in question.
func only(text string, in, out []*Set) (witness string, answer Answer) {
	if fits(text, in, out) {
		return text, Found
	}
	return "", None
}

// fits reports whether text is an answer.
func fits(text string, in, out []*Set) bool {
	has := func(s *Set) bool { return s.Has(text) }
	return !reserved.Has(text) &&
		!slices.ContainsFunc(out, has) &&
		!slices.ContainsFunc(in, func(s *Set) bool { return !has(s) })
}

// reserved has the strings that are no segments of a path: they stand for a
// missing segment, the same directory and its parent.
var reserved = must(New(`\.{0,2}`))
