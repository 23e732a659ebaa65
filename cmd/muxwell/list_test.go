package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

func TestAwait(t *testing.T) {
	broken := errors.New("broken")
	tests := []struct {
		takes     time.Duration
		interrupt time.Duration // 0 for never
		notice    string
		err       string
	}{
		{patience / 2, 0, "", "broken"},
		{10 * patience, 0, "muxwell: still sleeping; press Ctrl-C to stop\n", "broken"},
		{time.Hour, patience / 2, "", "interrupted while sleeping"},
		{time.Hour, 5 * patience, "muxwell: still sleeping; press Ctrl-C to stop\n", "interrupted while sleeping"},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			ctx, interrupt := context.WithCancel(t.Context())
			defer interrupt()
			if tt.interrupt > 0 {
				time.AfterFunc(tt.interrupt, interrupt)
			}
			var notice bytes.Buffer
			began := time.Now()
			_, err := await(ctx, &notice, "sleeping", func() (int, error) {
				time.Sleep(tt.takes)
				return 1, broken
			})
			took, want := time.Since(began), tt.takes
			if tt.interrupt > 0 {
				want = tt.interrupt
			}
			if err == nil || err.Error() != tt.err || notice.String() != tt.notice || took != want {
				t.Errorf("await of %v: %v after %v, notice %q, want %s after %v, %q", tt.takes, err, took, notice.String(), tt.err, want, tt.notice)
			}
			time.Sleep(tt.takes) // until nothing is left of it
		})
	}
	if v, err := await(t.Context(), io.Discard, "", func() (int, error) { return 7, nil }); v != 7 || err != nil {
		t.Errorf("await = %d, %v, want 7", v, err)
	}
}
