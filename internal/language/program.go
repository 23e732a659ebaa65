package language

import (
	"encoding/binary"
	"slices"
)

// A program is a set in a search, one place at a time. A place is the number of
// an instruction opRune.
type program struct {
	*Set
	front   *front
	holds   [][]bool // by the operand of opRune and by class
	width   int      // the number of classes
	first   arrival
	arrived []arrival // by place
	known   []bool    // by place, whether arrived is
}

func newProgram(s *Set, classes []class, steps *int) *program {
	p := &program{
		Set:     s,
		front:   newFront(s, steps),
		width:   len(classes),
		arrived: make([]arrival, len(s.code)),
		known:   make([]bool, len(s.code)),
	}
	for _, of := range s.runes {
		holds := make([]bool, len(classes))
		for i, c := range classes {
			holds[i] = of.has(c.sample)
		}
		p.holds = append(p.holds, holds)
	}
	p.first.places, p.first.match = p.front.advance(nil, s.first)
	return p
}

func (p *program) start() arrival { return p.first }

func (p *program) behind(place int32, class int) arrival {
	if !p.passes(place, class) {
		return arrival{}
	}
	if a := &p.arrived[place]; !p.known[place] {
		p.front.clear()
		a.places, a.match = p.front.advance(nil, p.code[place].out)
		p.known[place] = true
	}
	return p.arrived[place]
}

// passes reports whether a class passes a place.
func (p *program) passes(place int32, class int) bool {
	return p.holds[p.code[place].arg][class]
}

// An automaton is a program in all its places at once. A place is the number of
// a list of them; the lists are made when they are met.
type automaton struct {
	*program
	lists  []list
	number map[string]int // of a list, by its places
	key    []byte
}

// A list are the places of a program that a string leads to, in order.
type list struct {
	places []int32
	match  bool    // the string may end here
	self   arrival // the list as a place
	next   []int   // by class the number of the list, plus 1, where known
}

// newAutomaton returns the automaton of a program. Its first list is number 0.
func newAutomaton(p *program) *automaton {
	a := &automaton{program: p, number: map[string]int{}}
	a.list(p.first.places, p.first.match)
	return a
}

func (a *automaton) start() arrival { return a.lists[0].self }

func (a *automaton) behind(place int32, class int) arrival {
	return a.lists[a.next(int(place), class)].self
}

// next returns the number of the list behind a list and a class.
func (a *automaton) next(from, class int) int {
	l := a.lists[from]
	if l.next[class] == 0 {
		a.front.clear()
		var places []int32
		var match bool
		for _, place := range l.places {
			*a.front.steps++
			if a.passes(place, class) {
				var end bool
				places, end = a.front.advance(places, a.code[place].out)
				match = match || end
			}
		}
		l.next[class] = a.list(places, match) + 1
	}
	return l.next[class] - 1
}

// list returns the number of the list of some places.
func (a *automaton) list(places []int32, match bool) int {
	slices.Sort(places)
	a.key = a.key[:0]
	if match {
		a.key = append(a.key, '$')
	}
	for _, place := range places {
		a.key = binary.LittleEndian.AppendUint32(a.key, uint32(place))
	}
	*a.front.steps += len(places)
	n, ok := a.number[string(a.key)]
	if !ok {
		n = len(a.lists)
		a.number[string(a.key)] = n
		l := list{places: places, match: match, self: arrival{match: match}, next: make([]int, a.width)}
		if len(places) > 0 {
			l.self.places = []int32{int32(n)}
		}
		*a.front.steps += a.width
		a.lists = append(a.lists, l)
	}
	return n
}
