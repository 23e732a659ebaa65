package soak

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
)

// logCounts is the handler of the program's log. It formats each record, as a program
// would, discards it, and counts the records that the checks need.
type logCounts struct {
	requests, panics atomic.Int64
}

// Enabled returns true for all levels.
func (c *logCounts) Enabled(context.Context, slog.Level) bool { return true }

// Handle counts a record.
func (c *logCounts) Handle(ctx context.Context, r slog.Record) error {
	switch r.Message {
	case "request":
		c.requests.Add(1)
	case "panic in handler":
		c.panics.Add(1)
	}
	return discard.Handle(ctx, r)
}

// WithAttrs returns the handler itself: the attributes of loggers do not count.
func (c *logCounts) WithAttrs([]slog.Attr) slog.Handler { return c }

// WithGroup returns the handler itself.
func (c *logCounts) WithGroup(string) slog.Handler { return c }

// errorLog is the server's ErrorLog. Every message must be expected.
type errorLog struct {
	app    *app
	failed atomic.Int64 // errors that handlers returned
	late   atomic.Int64 // panics after the 503 of a timeout
}

// Write counts an expected message, and records any other as an error.
func (e *errorLog) Write(p []byte) (int, error) {
	switch line := string(p); {
	case strings.Contains(line, errFailed.Error()):
		e.failed.Add(1)
	case strings.Contains(line, "panic after the 503") && strings.Contains(line, latePanic):
		e.late.Add(1)
	default:
		e.app.faults.addf("the server's log", "%.500s", line)
	}
	return len(p), nil
}

// balance compares the counts of different places.
func (a *app) balance() {
	pairs := []struct {
		what      string
		got, want int64
	}{
		{"lines of Log, and requests that came to the mux", a.logged.requests.Load(), a.routed.Load()},
		{"calls of the hook of Metrics, and requests that came to the mux", a.metered.Load(), a.routed.Load()},
		{"panics that Recover logged, and panics of handlers", a.logged.panics.Load(), a.panics.Load()},
		{"errors in the server's log, and errors of handlers", a.errors.failed.Load(), a.failed.Load()},
		{"panics in the server's log, and panics behind a 503", a.errors.late.Load(), a.late.Load()},
	}
	for _, p := range pairs {
		if p.got != p.want {
			a.faults.addf("balance", "%s: %d, want %d", p.what, p.got, p.want)
		}
	}
	seen := 0
	for route, stats := range a.observer.Routes() {
		runs := a.exact[route.String()]
		if runs == nil {
			continue
		}
		seen++
		if stats.Requests != runs.Load() {
			a.faults.addf("balance", "requests that the explorer counted for %s, and runs of its handler: %d, want %d",
				route, stats.Requests, runs.Load())
		}
	}
	if seen != len(a.exact) {
		a.faults.addf("balance", "routes that the explorer lists, of those with counters: %d, want %d", seen, len(a.exact))
	}
}
