package bytereplace

import (
	"errors"
	"strings"
	"testing"
)

func TestNew(t *testing.T) {
	tests := []struct {
		pairs      []string
		text, want string
	}{
		{nil, "a\x00\xff", "a\x00\xff"},
		{[]string{"a", "b"}, "banana", "bbnbnb"},
		{[]string{"a", ""}, "banana", "bnn"},
		{[]string{"a", "a"}, "banana", "banana"},
		{[]string{"a", "b", "b", "a"}, "banana", "abnbnb"},
		{[]string{"a", "b", "b", "", "a", "b"}, "banana", "bnbnb"},
		{[]string{"a", "", "n", "m", "a", ""}, "banana", "bmm"},
		{[]string{"\xff", "\x00", "\x00", ""}, "a\xff\x00b\xff", "a\x00b\x00"},
	}
	for _, test := range tests {
		r, err := New(test.pairs...)
		if err != nil {
			t.Errorf("New(%q): %v", test.pairs, err)
			continue
		}
		if got := r.Replace(test.text); got != test.want {
			t.Errorf("New(%q).Replace(%q): got %q, want %q", test.pairs, test.text, got, test.want)
		}
		if got := strings.NewReplacer(test.pairs...).Replace(test.text); got != test.want {
			t.Errorf("strings.NewReplacer(%q).Replace(%q): got %q, want %q", test.pairs, test.text, got, test.want)
		}
	}
}

func TestNewErrors(t *testing.T) {
	tests := []struct {
		pairs []string
		pair  int
		want  string
	}{
		{[]string{"a"}, 0, `bytereplace: pair 1 ("a"): new is missing; add it, or "" to delete old`},
		{[]string{"a", "b", "\t"}, 1, `bytereplace: pair 2 ("\t"): new is missing; add it, or "" to delete old`},
		{[]string{"", "b"}, 0, `bytereplace: pair 1 ("", "b"): old is 0 bytes long, not one; use strings.NewReplacer for longer texts`},
		{[]string{"a", "b", "ë", "e"}, 1, `bytereplace: pair 2 ("ë", "e"): old is 2 bytes long, not one; use strings.NewReplacer for longer texts`},
		{[]string{"&", "&amp;"}, 0, `bytereplace: pair 1 ("&", "&amp;"): new is 5 bytes long, not one or none; use strings.NewReplacer for longer texts`},
		{[]string{"a", "b", "c", "d", "a", ""}, 2, `bytereplace: pair 3 ("a", ""): pair 1 already replaces "a" by "b"; remove one of them`},
		{[]string{"a", "b", "c", "", "c", "c"}, 2, `bytereplace: pair 3 ("c", "c"): pair 2 already replaces "c" by ""; remove one of them`},
		{[]string{"c", "c", "c", "d"}, 1, `bytereplace: pair 2 ("c", "d"): pair 1 already replaces "c" by "c"; remove one of them`},
	}
	for _, test := range tests {
		r, err := New(test.pairs...)
		var e *PairError
		if r != nil || !errors.As(err, &e) {
			t.Errorf("New(%q): got %v and error %v, want a PairError", test.pairs, r, err)
			continue
		}
		if got := err.Error(); got != test.want {
			t.Errorf("New(%q):\n got %s\nwant %s", test.pairs, got, test.want)
		}
		if e.Pair != test.pair || e.Old != test.pairs[2*e.Pair] {
			t.Errorf("New(%q): got pair %d and old %q, want pair %d", test.pairs, e.Pair, e.Old, test.pair)
		}
	}
}

func TestMust(t *testing.T) {
	if got := Must(New("a", "b")).Replace("a"); got != "b" {
		t.Errorf("got %q, want %q", got, "b")
	}
	defer func() {
		if e, ok := recover().(*PairError); !ok || e.Pair != 0 {
			t.Errorf("got panic %v, want a PairError", e)
		}
	}()
	Must(New("a"))
	t.Error("Must returned")
}
