// Package pages has tables of values by number. A changed copy of a table shares most
// of the values that have not changed, so that it costs little.
package pages

// size is the number of values of a page.
const size = 32

// A Table has a value for each number from 0 to Len()-1. Values are zero until they are
// set. A table is safe for concurrent reading. The zero Table is empty.
//
// The values of a new table are in one slice, which is a load less than to find a page
// first. What copies add is in pages. When a value in the slice changes, all of them
// move to pages: the slice would keep what is no longer in the table.
type Table[T any] struct {
	first []T
	pages []*[size]T // of the values after first
	n     int
}

// New returns a table of n values.
func New[T any](n int) Table[T] { return Table[T]{first: make([]T, n), n: n} }

// Len returns the number of values.
func (t *Table[T]) Len() int { return t.n }

// At returns a pointer to the value of a number below Len, which may be used to set it
// while the table is made.
func (t *Table[T]) At(number uint32) *T {
	if first := t.first; uint(number) < uint(len(first)) {
		return &first[number]
	}
	return t.inPage(number)
}

func (t *Table[T]) inPage(number uint32) *T {
	at := number - uint32(len(t.first))
	return &t.pages[at/size][at%size]
}

// Changed returns a copy of t with n values, not fewer than t has. Those of the given
// numbers, and from t.Len() on, may be set. The others are shared with t.
func (t *Table[T]) Changed(n int, numbers []uint32) Table[T] {
	for _, number := range numbers {
		if int(number) < len(t.first) {
			return t.moved(n)
		}
	}
	to := Table[T]{first: t.first, n: n, pages: newPages[T](n-len(t.first), t.pages)}
	for _, number := range numbers {
		i := (int(number) - len(t.first)) / size
		if i < len(t.pages) && to.pages[i] == t.pages[i] {
			page := *t.pages[i]
			to.pages[i] = &page
		}
	}
	return to
}

// newPages returns pages for n values, the first of which are those given.
func newPages[T any](n int, shared []*[size]T) []*[size]T {
	pages := make([]*[size]T, (n+size-1)/size)
	for i := copy(pages, shared); i < len(pages); i++ {
		pages[i] = new([size]T)
	}
	return pages
}

// moved returns a copy of t with n values, all of them in pages of its own.
func (t *Table[T]) moved(n int) Table[T] {
	to := Table[T]{n: n, pages: newPages[T](n, nil)}
	for number := range uint32(t.n) {
		*to.At(number) = *t.At(number)
	}
	return to
}
