package bytereplace

import "fmt"

// A table holds for each byte the byte that it becomes, or deleted.
type table [256]int16

const deleted = -1

// identity returns the table that changes nothing.
func identity() *table {
	t := new(table)
	for c := range t {
		t[c] = int16(c)
	}
	return t
}

// New returns a Replacer for pairs old, new, in the form of [strings.NewReplacer] and
// with the same result: old is one byte, and new is one byte, or "" to delete old. All
// other bytes are kept. An old may be in several pairs with the same new. Without pairs
// nothing changes.
//
// The error is a [*PairError] for the first invalid pair.
func New(pairs ...string) (*Replacer, error) {
	t := identity()
	by := [256]int{} // 1 + the pair that replaces a byte, or 0
	for i := 0; i < len(pairs); i += 2 {
		if i+1 == len(pairs) {
			return nil, &PairError{Pair: i / 2, Old: pairs[i], Reason: `new is missing; add it, or "" to delete old`, odd: true}
		}
		e := &PairError{Pair: i / 2, Old: pairs[i], New: pairs[i+1]}
		if len(e.Old) != 1 {
			return nil, e.because("old is %d bytes long, not one; use strings.NewReplacer for longer texts", len(e.Old))
		}
		if len(e.New) > 1 {
			return nil, e.because("new is %d bytes long, not one or none; use strings.NewReplacer for longer texts", len(e.New))
		}
		to := int16(deleted)
		if e.New != "" {
			to = int16(e.New[0])
		}
		old := e.Old[0]
		if by[old] != 0 && t[old] != to {
			before := by[old] - 1
			return nil, e.because("pair %d already replaces %q by %q; remove one of them", before+1, e.Old, pairs[2*before+1])
		}
		t[old], by[old] = to, i/2+1
	}
	return newReplacer(t), nil
}

// Must returns r, or panics with err if it is not nil. It is for variables that are
// initialized when the program starts:
//
//	var spaces = bytereplace.Must(bytereplace.New("\t", " ", "\n", " ", "\r", ""))
func Must(r *Replacer, err error) *Replacer {
	if err != nil {
		panic(err)
	}
	return r
}

// A PairError reports a pair that [New] rejects.
type PairError struct {
	Pair     int    // the index of the pair: its old is argument 2*Pair
	Old, New string // the pair; New is "" if it is missing
	Reason   string // what is wrong with it, and how to fix it
	odd      bool   // new is missing
}

func (e *PairError) because(format string, args ...any) *PairError {
	e.Reason = fmt.Sprintf(format, args...)
	return e
}

// Error returns the reason with the pair, counted from 1.
func (e *PairError) Error() string {
	if e.odd {
		return fmt.Sprintf("bytereplace: pair %d (%q): %s", e.Pair+1, e.Old, e.Reason)
	}
	return fmt.Sprintf("bytereplace: pair %d (%q, %q): %s", e.Pair+1, e.Old, e.New, e.Reason)
}
