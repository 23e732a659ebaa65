package middleware

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// TestTimeoutAroundMisses: a mux whose NotFound is a Timeout around another mux
// writes to nothing that the access log outside reads. It is meant for the race
// detector: the inner mux runs on when the log has gone on.
func TestTimeoutAroundMisses(t *testing.T) {
	through := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
	}
	inner := muxwell.New(muxwell.NotFound(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(time.Millisecond)
		w.WriteHeader(http.StatusNotFound)
	})))
	inner.Use(through)
	m := muxwell.New(muxwell.NotFound(Timeout(500 * time.Microsecond)(inner)))
	m.Use(through)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.ServeHTTP(w, r)
		r.PathValue("id")
	}))
	defer srv.Close()
	muxtest.AskForMissing(t, srv.URL)
}
