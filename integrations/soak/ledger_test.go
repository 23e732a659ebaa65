package soak

import (
	"strings"
	"testing"
)

// TestLedger records the events of one request and checks the error that they cause.
func TestLedger(t *testing.T) {
	tests := []struct {
		events string
		want   string // a part of the fault, or "" for none
	}{
		{"serve run return answered:1", ""},
		{"serve run answered:1 return", ""},
		{"serve answered:1 return run", ""}, // behind a 503
		{"serve return answered:0", ""},
		{"serve run return owed", ""},
		{"owed serve run return", ""},
		{"givenUp", ""},
		{"givenUp serve run return", ""},
		{"serve run givenUp return", ""},
		{"refused", ""},

		{"serve run return answered:1 serve", "was served after it was settled"},
		{"serve run return serve run return answered:1", "served 2 times"},
		{"serve run run return answered:1", "its handler ran 2 times"},
		{"serve run return answered:1 run", "ran a handler after it was settled"},
		{"serve return answered:1", "its handler ran 0 times"},
		{"serve run return answered:0", "a handler ran, and none should"},
		{"answered:0", "never served"},
		{"serve run answered:1", "returned 0 times"},
		{"owed", "served 0 times"},
		{"serve run return", "is sent"},
		{"serve run return refused", "although it is malformed"},
		{"refused serve", "after it was settled"},
		{"givenUp serve run return serve", "after it was settled"},
	}
	for _, test := range tests {
		f := newFaults()
		l := newLedger(f)
		id := l.open("test")
		for event := range strings.FieldsSeq(test.events) {
			happen(l, id, event)
		}
		l.settle()
		got := strings.Join(f.list(), "\n")
		if test.want == "" && got != "" || !strings.Contains(got, test.want) {
			t.Errorf("%s: faults %q, want %q", test.events, got, test.want)
		}
	}
}

// happen writes down an event of a request.
func happen(l *ledger, id, event string) {
	switch event {
	case "serve":
		l.update(id, "was served", func(e *entry) { e.served++ })
	case "run":
		l.update(id, "ran a handler", func(e *entry) { e.runs++ })
	case "return":
		l.update(id, "was over", func(e *entry) { e.returned++ })
	case "answered:0":
		l.answered(id, 0)
	case "answered:1":
		l.answered(id, 1)
	case "owed":
		l.owed(id)
	case "givenUp":
		l.givenUp(id)
	case "refused":
		l.refused(id)
	default:
		panic("there is no event " + event)
	}
}
