package long

import (
	"strings"
	"testing"
)

// A recorder is a test that keeps what is logged, and panics when it is ended.
type recorder struct {
	testing.TB
	log []string
}

func (r *recorder) Helper() {}

func (r *recorder) Logf(format string, args ...any) {
	r.log = append(r.log, format)
}

func (r *recorder) Skipf(format string, args ...any) { panic("skipped: " + format) }

func (r *recorder) Fatalf(format string, args ...any) { panic("failed: " + format) }

// ended returns how f ended the test, or "".
func ended(f func()) (how string) {
	defer func() {
		if p := recover(); p != nil {
			how, _, _ = strings.Cut(p.(string), ":")
		}
	}()
	f()
	return ""
}

func TestRounds(t *testing.T) {
	for value, want := range map[string]int{"": 20, "0": 20, "1": 300, "true": 300} {
		t.Setenv(Variable, value)
		if Short() {
			want = 1
		}
		r := &recorder{TB: t}
		if got := Rounds(r, "requests", 1, 20, 300); got != want {
			t.Errorf("%s=%s: got %d, want %d", Variable, value, got, want)
		}
		if logged := len(r.log) == 1; logged != (want < 300) {
			t.Errorf("%s=%s: %d rounds of 300, logged: %q", Variable, value, want, r.log)
		}
		if got := Enabled(); got != (want == 300) {
			t.Errorf("%s=%s: Enabled is %t", Variable, value, got)
		}
		wantEnd := "skipped"
		if want == 300 {
			wantEnd = ""
		}
		if got := ended(func() { Only(&recorder{TB: t}, "it takes long") }); got != wantEnd {
			t.Errorf("%s=%s: Only ends the test: got %q, want %q", Variable, value, got, wantEnd)
		}
	}
}

// TestNoRounds: a test cannot run no round at all, or fewer if more is asked for.
func TestNoRounds(t *testing.T) {
	for _, n := range [][3]int{{0, 1, 1}, {-1, 1, 1}, {2, 1, 3}, {1, 3, 2}} {
		if got := ended(func() { Rounds(&recorder{TB: t}, "requests", n[0], n[1], n[2]) }); got != "failed" {
			t.Errorf("%d: got %q, want the test to fail", n, got)
		}
	}
}
