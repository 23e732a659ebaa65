package router

import "sync"

// A Kept has what the handlers of the task [Keep] kept: the values that they read, and what
// the router passed to them. Real handlers do so, knowingly or not, when they start a
// goroutine or store a value in a cache. It is safe for concurrent use.
type Kept struct {
	mu    sync.Mutex
	marks []mark
}

// A mark is what was kept of a request.
type mark struct {
	values []string
	again  func() []string // reads the values again
}

// keep holds on to c. It is a function of its own so that in [Do] c need not live
// on the heap.
func keep[C any](k *Work, c C, param func(c C, name string) string) {
	m := mark{values: values(k, c, param), again: func() []string { return values(k, c, param) }}
	k.kept.mu.Lock()
	defer k.kept.mu.Unlock()
	k.kept.marks = append(k.kept.marks, m)
}

// Len returns the number of requests that were kept.
func (k *Kept) Len() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.marks)
}

// Values returns the values that the handler of the i-th request read, as they are now.
// They have changed if the router reuses the memory of its strings.
func (k *Kept) Values(i int) []string { return k.mark(i).values }

// Again reads the values of the i-th request again from what the router passed to the
// handler. It panics if the router's own code does.
func (k *Kept) Again(i int) []string { return k.mark(i).again() }

func (k *Kept) mark(i int) mark {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.marks[i]
}
