package soak

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// The number of texts to keep for each kind of error, and the total number of errors after
// which the traffic ends.
const (
	keptFaults = 5
	tooMany    = 500
)

// faults collects errors by the kind of traffic or of check. It is safe for concurrent use,
// and its size is bounded.
type faults struct {
	mu    sync.Mutex
	count map[string]int
	texts map[string][]string
	total int
}

func newFaults() *faults {
	return &faults{count: make(map[string]int), texts: make(map[string][]string)}
}

// addf records an error.
func (f *faults) addf(kind, format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.total++
	f.count[kind]++
	if len(f.texts[kind]) < keptFaults {
		f.texts[kind] = append(f.texts[kind], fmt.Sprintf(format, args...))
	}
}

// many reports whether there are too many errors to continue.
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
		text := fmt.Sprintf("%s: %d errors\n\t%s", kind, f.count[kind], strings.Join(f.texts[kind], "\n\t"))
		if more := f.count[kind] - len(f.texts[kind]); more > 0 {
			text += fmt.Sprintf("\n\tand %d more", more)
		}
		list = append(list, text)
	}
	return list
}
