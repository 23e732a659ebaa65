package router

import (
	"runtime"
	"sync"
)

// A Kept has what the handlers of the task [Keep] kept: the values that they read, and what
// the router passed to them. Real handlers do so, knowingly or not, when they start a
// goroutine or store a value in a cache. It is safe for concurrent use.
type Kept struct {
	mu    sync.Mutex
	marks []mark
}

// A mark is what was kept of a request.
type mark struct {
	values  []string
	again   func() []string // reads the values again
	callers []uintptr       // of the handler
}

// keep holds on to c. It is a function of its own so that in [Do] c need not live
// on the heap.
func keep[C any](k *Work, c C, param func(c C, name string) string) {
	callers := make([]uintptr, maxCallers)
	m := mark{
		values: values(k, c, param), again: func() []string { return values(k, c, param) },
		callers: callers[:runtime.Callers(1, callers)],
	}
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

// Callers returns the full names of the functions that were running when the handler
// of the i-th request was, the innermost first. There are at most [maxCallers].
func (k *Kept) Callers(i int) []string {
	var names []string
	for frames := runtime.CallersFrames(k.mark(i).callers); ; {
		frame, more := frames.Next()
		names = append(names, frame.Function)
		if !more {
			return names
		}
	}
}

// maxCallers is how many functions are kept of a request: more than any router calls
// around a handler with a few middleware.
const maxCallers = 256

func (k *Kept) mark(i int) mark {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.marks[i]
}
