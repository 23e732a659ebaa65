package page

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/muxwell/muxwell"
)

// The limits are those of the table.
func TestLimits(t *testing.T) {
	var limit time.Duration // 0 for none
	handler := func(_ http.ResponseWriter, r *http.Request) {
		limit = 0
		if deadline, ok := r.Context().Deadline(); ok {
			limit = time.Until(deadline)
		}
	}
	storeFile, streamEvents = handler, handler
	m = muxwell.New()
	m.Get("/other", handler)
	register()
	for _, row := range []struct {
		method, path string
		body         int64         // the longest one
		longer, upTo time.Duration // the limit of the time
	}{
		{"PUT", "/files/a", 1 << 30, time.Minute, 10 * time.Minute},
		{"GET", "/stream", 1 << 20, -1, 0},
		{"GET", "/other", 1 << 20, 0, 10 * time.Second},
	} {
		for extra, want := range []int{http.StatusOK, http.StatusRequestEntityTooLarge} {
			w, r := httptest.NewRecorder(), httptest.NewRequest(row.method, row.path, nil)
			r.Body, r.ContentLength = http.NoBody, row.body+int64(extra)
			m.ServeHTTP(w, r)
			if w.Code != want {
				t.Errorf("%s %s with %d bytes: got %d, want %d", row.method, row.path, r.ContentLength, w.Code, want)
			}
		}
		if limit <= row.longer || limit > row.upTo {
			t.Errorf("%s %s: the limit of the time is %v, want up to %v", row.method, row.path, limit, row.upTo)
		}
	}
}
