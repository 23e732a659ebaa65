package soak

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// A tally counts what was done, by kind of traffic.
type tally struct {
	mu      sync.Mutex
	steps   map[string]int
	answers map[string]map[int]int // by status; 0 is none, or one that breaks off
}

func newTally() *tally {
	return &tally{steps: make(map[string]int), answers: make(map[string]map[int]int)}
}

// step counts a step.
func (t *tally) step(kind string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.steps[kind]++
}

// answer counts an answer.
func (t *tally) answer(kind string, status int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.answers[kind] == nil {
		t.answers[kind] = make(map[int]int)
	}
	t.answers[kind][status]++
}

// A Report is the result of a run. It was successful if there are no Faults.
type Report struct {
	Took   time.Duration
	Faults []string // one text for each kind

	tally   *tally
	heap    [2]uint64
	pause   time.Duration
	updates int64
}

// Judged reports whether there were enough samples to determine whether memory is flat.
func (r *Report) Judged() bool { return r.heap[0] > 0 }

// String returns a table of what was done.
func (r *Report) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-28s %9s  %s\n", "traffic", "steps", "answers by status (0: none, or broken off)")
	total := 0
	for _, k := range kinds() {
		fmt.Fprintf(&b, "%-28s %9d ", k.name, r.tally.steps[k.name])
		answers := r.tally.answers[k.name]
		for _, status := range slices.Sorted(maps.Keys(answers)) {
			fmt.Fprintf(&b, " %d: %d", status, answers[status])
			total += answers[status]
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%d answers and %d updates in %v\n", total, r.updates, r.Took.Round(time.Millisecond))
	if r.Judged() {
		fmt.Fprintf(&b, "live heap %d KiB, then %d KiB (medians of the halves)\n", r.heap[0]>>10, r.heap[1]>>10)
	} else {
		b.WriteString("live heap: too few samples\n")
	}
	fmt.Fprintf(&b, "longest pause of the garbage collector %v\n", r.pause)
	return b.String()
}
