package soak

import (
	"strings"
	"testing"
	"time"
)

// TestSmoke runs everything, most of it for two seconds.
func TestSmoke(t *testing.T) {
	soak(t, Options{Duration: 2 * time.Second})
}

// TestConnections compares routers under some connections, for a moment.
func TestConnections(t *testing.T) {
	compare(t, 100, 300*time.Millisecond)
}

// soak runs a suite, reports the result, and fails if there are errors.
func soak(t *testing.T, o Options) *Report {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	r, err := Run(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", r)
	if len(r.Faults) > 0 {
		t.Errorf("faults:\n\n%s", strings.Join(r.Faults, "\n\n"))
	}
	return r
}

// compare compares routers, reports what it saw, and fails at errors of muxwell.
func compare(t *testing.T, connections int, d time.Duration) {
	t.Helper()
	loads, err := Compare(connections, d)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d connections, the clients' work included:\n%s", connections, Table(loads))
	for _, l := range loads {
		if l.Router == "muxwell" && (len(l.Errors) > 0 || l.Requests == 0) {
			t.Errorf("%s: %d requests, errors of %d connections, want none:\n%.2000s",
				l.Router, l.Requests, len(l.Errors), strings.Join(l.Errors, "\n"))
		}
	}
}
