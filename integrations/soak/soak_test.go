//go:build soak

package soak

import (
	"flag"
	"testing"
	"time"
)

// connections is how many there are at the same time in TestThousandConnections.
const connections = 1000

var soakFor = flag.Duration("soak", 5*time.Minute, "how long the suite takes in all, from 10s on")

// TestSoak runs everything for nine tenths of the time.
func TestSoak(t *testing.T) {
	if r := soak(t, Options{Duration: share(t, 9)}); !r.Judged() {
		t.Error("too few samples of the live heap to judge it; give -soak more time")
	}
}

// TestThousandConnections compares routers under 1,000 connections, for a tenth of the
// time.
func TestThousandConnections(t *testing.T) {
	compare(t, connections, share(t, 1))
}

// share returns so many tenths of the time, if there is enough of it.
func share(t *testing.T, tenths time.Duration) time.Duration {
	t.Helper()
	if *soakFor < 10*time.Second {
		t.Fatalf("-soak %v is too short to see anything; use 10s or more, or TestSmoke, which takes two seconds", *soakFor)
	}
	d := *soakFor * tenths / 10
	if end, ok := t.Deadline(); ok && time.Until(end) < d {
		t.Fatalf("-soak %v does not fit into what -timeout leaves; add -timeout %v", *soakFor, *soakFor+5*time.Minute)
	}
	return d
}
