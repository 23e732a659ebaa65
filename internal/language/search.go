package language

import (
	"encoding/binary"
	"slices"
)

// The bounds of a search. Together they keep [Find] below some 50 ms.
const (
	maxCode  = 100_000 // instructions of all sets
	maxNodes = 10_000  // situations kept
	maxSteps = 150_000 // instructions and classes looked at
)

// A search goes over all strings, the shorter first and those of one length in
// the order of their classes, and keeps what it needs to know of them.
//
// A node is a situation that a string may lead to: a place in each set of in,
// and for each set of out the list of all its places, which must not have a
// match among them. From two strings that lead to the same node the same
// strings lead on, so that the longer is dropped:
//
//	in [ab]+b, out a+.+    string  in       out
//	                       ""      [ab]     a
//	                       a       [ab], b  a | .
//	                       b       [ab], b  nowhere
//	                       aa      [ab], b  a | . | match
//
// A list has a number, which serves as a place as well. So there are two ways
// to go over a set of in. In lists, as those of out: a string leads to a single
// node then, and most searches are short, but there may be exponentially many
// lists. Or place by place, as a single way to a match is enough: a string
// leads to several nodes, its group, but without sets of out there are hardly
// more than the product of the lengths of the programs. What the first way
// leaves unknown, the second may answer; (a|b)*a(a|b){20} is for the second.
type search struct {
	in      []walker
	out     []*automaton
	classes []class
	groups  []group
	nodes   []int32         // the places of each node, one for each set of in
	seen    map[string]bool // by the lists and the places
	steps   int

	// Scratch space, for the nodes that come after one.
	choices [][]int32 // for each set of in the places to choose from
	tuple   []int32   // one of each
	key     []byte    // of seen
}

// A group are the new nodes that a string leads to: the string of the group
// from, which may be -1 for none, followed by a class.
type group struct {
	from  int
	class int
	lists []int // for each set of out the number of its list
	first int   // where the nodes begin in search.nodes
	last  int   // where they end
}

// A walker is a set of in on its way through a string.
type walker interface {
	// start returns where it is before the first rune.
	start() arrival
	// behind returns where it is behind a place and a class.
	behind(place int32, class int) arrival
}

// An arrival is what comes after a rune or at the beginning. If there are
// neither places nor a match, the string has left the set.
type arrival struct {
	places []int32 // to go on from
	match  bool    // the string may end here
}

// explore is [Find] without the short ways.
func explore(in, out []*Set) (witness string, answer Answer) {
	if len(in) == 0 {
		in = []*Set{Any()}
	}
	out = append(slices.Clip(out), reserved)
	size := 0
	for _, set := range slices.Concat(in, out) {
		size += len(set.code)
	}
	if size > maxCode {
		return "", Unknown
	}
	classes, ok := classesOf(in, out)
	if !ok {
		return "", Unknown
	}
	witness, answer = newSearch(in, out, classes, true).find()
	if answer == Unknown {
		witness, answer = newSearch(in, out, classes, false).find()
	}
	if answer == Found && !fits(witness, in, out) {
		return "", Unknown // bytes next to each other have become UTF-8
	}
	return witness, answer
}

// classesOf returns the classes of runes that are in some string of each set of
// in, or false if there are too many.
func classesOf(in, out []*Set) (classes []class, ok bool) {
	var sets []runes
	for _, set := range slices.Concat(in, out) {
		sets = append(sets, set.runes...)
	}
	classes = split(sets, maxSteps)
	return slices.DeleteFunc(classes, func(c class) bool {
		return slices.ContainsFunc(in, func(set *Set) bool { return !set.uses(c.sample) })
	}), classes != nil
}

// uses reports whether a string of the set may hold r.
func (s *Set) uses(r rune) bool {
	return slices.ContainsFunc(s.runes, func(of runes) bool { return of.has(r) })
}

// newSearch returns a search that goes over the sets of in in lists or place by
// place.
func newSearch(in, out []*Set, classes []class, inLists bool) *search {
	s := &search{classes: classes, choices: make([][]int32, len(in)), tuple: make([]int32, len(in))}
	for _, set := range in {
		p := newProgram(set, classes, &s.steps)
		if inLists {
			s.in = append(s.in, newAutomaton(p))
		} else {
			s.in = append(s.in, p)
		}
	}
	for _, set := range out {
		s.out = append(s.out, newAutomaton(newProgram(set, classes, &s.steps)))
	}
	return s
}

// find searches the strings without a slash first.
func (s *search) find() (witness string, answer Answer) {
	last := len(s.classes) - 1
	if last >= 0 && s.classes[last].taste == slash {
		if witness, answer = s.run(s.classes[:last]); answer != None {
			return witness, answer
		}
	}
	return s.run(s.classes)
}

// run searches the strings of the classes, the first ones of the search.
func (s *search) run(classes []class) (witness string, answer Answer) {
	s.begin()
	for from := 0; from < len(s.groups) && !s.spent(); from++ {
		for class := range classes {
			if s.extend(from, class) {
				return s.word(from, class), Found
			}
			if s.spent() {
				break
			}
		}
	}
	if s.spent() {
		return "", Unknown
	}
	return "", None
}

// begin leaves the search with the group of the empty string alone.
func (s *search) begin() {
	s.groups, s.nodes, s.seen = s.groups[:0], s.nodes[:0], map[string]bool{}
	lists := make([]int, len(s.out)) // the first list of each is number 0
	for i, w := range s.in {
		s.choices[i] = w.start().places
	}
	s.add(group{from: -1, lists: lists}, func(g *group) { s.combine(g, 0) })
}

// add appends a group with the nodes that fill finds, unless there are none.
func (s *search) add(g group, fill func(*group)) {
	g.first = len(s.nodes)
	fill(&g)
	if g.last = len(s.nodes); g.first < g.last {
		s.groups = append(s.groups, g)
	}
}

// extend adds the group of the strings of a group followed by a class. It stops
// and reports true if such a string is what the search is for.
func (s *search) extend(from, class int) bool {
	var found bool
	nodes := s.nodes[s.groups[from].first:s.groups[from].last]
	s.add(group{from: from, class: class}, func(g *group) {
		for node := range slices.Chunk(nodes, len(s.in)) {
			s.steps++
			match, ok := s.choose(node, class)
			if !ok {
				continue
			}
			excluded := s.follow(g)
			if found = match && !excluded; found || s.spent() {
				return
			}
			s.combine(g, 0)
		}
	})
	return found
}

// follow sets the lists of a group, and reports whether a set of out has its
// string.
func (s *search) follow(g *group) (excluded bool) {
	if g.lists == nil {
		before := s.groups[g.from].lists
		g.lists = make([]int, len(s.out))
		for i, a := range s.out {
			g.lists[i] = a.next(before[i], g.class)
		}
	}
	for i, a := range s.out {
		excluded = excluded || a.lists[g.lists[i]].match
	}
	return excluded
}

// choose sets the choices to the places behind those of a node and a class, and
// reports whether all sets have the string, or false if one has left it.
func (s *search) choose(node []int32, class int) (match, ok bool) {
	match = true
	for i, place := range node {
		a := s.in[i].behind(place, class)
		if len(a.places) == 0 && !a.match {
			return false, false
		}
		s.choices[i] = a.places
		match = match && a.match
	}
	return match, true
}

// combine adds to a group the nodes of each combination of choices, from that
// of the set i on.
func (s *search) combine(g *group, i int) {
	if i == len(s.in) {
		s.keep(g)
		return
	}
	for _, place := range s.choices[i] {
		if s.spent() {
			return
		}
		s.tuple[i] = place
		s.combine(g, i+1)
	}
}

// keep adds the node of tuple to a group, unless it was seen.
func (s *search) keep(g *group) {
	s.steps++
	s.key = s.key[:0]
	for _, list := range g.lists {
		s.key = binary.AppendUvarint(s.key, uint64(list))
	}
	for _, place := range s.tuple {
		s.key = binary.AppendUvarint(s.key, uint64(place))
	}
	if !s.seen[string(s.key)] {
		s.seen[string(s.key)] = true
		s.nodes = append(s.nodes, s.tuple...)
	}
}

// spent reports whether the search has to give up.
func (s *search) spent() bool { return len(s.seen) > maxNodes || s.steps > maxSteps }

// word returns the string of a group followed by a class.
func (s *search) word(from, class int) string {
	samples := []rune{s.classes[class].sample}
	for ; from > 0; from = s.groups[from].from {
		samples = append(samples, s.classes[s.groups[from].class].sample)
	}
	var text []byte
	for _, r := range slices.Backward(samples) {
		text = encode(text, r)
	}
	return string(text)
}
