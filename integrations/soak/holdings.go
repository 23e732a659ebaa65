package soak

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

// settling is the maximum time until resources are released.
const settling = 10 * time.Second

// A holding lists the resources of the process that must be released. The values of files
// are their names, such as "socket:[123]". They are known on Linux only.
type holding struct {
	goroutines int
	open       map[string]string // by descriptor
	temporary  []string
}

// holdings returns the current resources of the process.
func holdings() *holding {
	h := &holding{goroutines: runtime.NumGoroutine(), open: make(map[string]string)}
	const dir = "/proc/self/fd"
	if entries, err := os.ReadDir(dir); err == nil {
		for _, e := range entries {
			if to, err := os.Readlink(filepath.Join(dir, e.Name())); err == nil { // else it was that of the listing
				h.open[e.Name()] = to
			}
		}
	}
	entries, err := os.ReadDir(os.TempDir())
	if err == nil {
		for _, e := range entries {
			h.temporary = append(h.temporary, e.Name())
		}
	}
	return h
}

// more returns the resources that the process has now and did not have then.
func (h *holding) more() (goroutines int, open, temporary []string) {
	now := holdings()
	if len(now.open) > len(h.open) {
		for _, fd := range slices.Sorted(maps.Keys(now.open)) {
			if h.open[fd] != now.open[fd] {
				open = append(open, now.open[fd])
			}
		}
	}
	for _, name := range now.temporary {
		if !slices.Contains(h.temporary, name) {
			temporary = append(temporary, name)
		}
	}
	return now.goroutines - h.goroutines, open, temporary
}

// compare records resources that were not released within a time.
func (h *holding) compare(f *faults, within time.Duration) {
	var more int
	var open, temporary []string
	for end := time.Now().Add(within); ; time.Sleep(20 * time.Millisecond) {
		more, open, temporary = h.more()
		if more <= 0 && len(open) == 0 && len(temporary) == 0 {
			return
		}
		if time.Now().After(end) {
			break
		}
	}
	if more > 0 {
		f.addf("goroutines", "%d more than before:\n%s", more, goroutines())
	}
	if len(open) > 0 {
		f.addf("open files", "%d more than before: %.20q", len(open), open)
	}
	if len(temporary) > 0 {
		f.addf("temporary files", "left in %s: %.100q", os.TempDir(), temporary)
	}
}
