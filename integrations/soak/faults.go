package soak

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Of one kind of fault so many texts are kept, and the rest is counted; after so many
// faults in all the traffic ends.
const (
	keptFaults = 5
	tooMany    = 500
)

// faults collects what went wrong, by kind: that of the traffic, or of the check.
// It is safe for concurrent use, and bounded however much goes wrong.
type faults struct {
	mu    sync.Mutex
	count map[string]int
	texts map[string][]string
	total int
}

func newFaults() *faults {
	return &faults{count: make(map[string]int), texts: make(map[string][]string)}
}

// addf notes a fault.
func (f *faults) addf(kind, format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.total++
	f.count[kind]++
	if len(f.texts[kind]) < keptFaults {
		f.texts[kind] = append(f.texts[kind], fmt.Sprintf(format, args...))
	}
}

// many reports whether there is no use in going on.
func (f *faults) many() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.total >= tooMany
}

// list returns a text for each kind, sorted.
func (f *faults) list() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []string
	for _, kind := range slices.Sorted(maps.Keys(f.count)) {
		text := fmt.Sprintf("%s: %d faults\n\t%s", kind, f.count[kind], strings.Join(f.texts[kind], "\n\t"))
		if more := f.count[kind] - len(f.texts[kind]); more > 0 {
			text += fmt.Sprintf("\n\tand %d more", more)
		}
		list = append(list, text)
	}
	return list
}
