package service

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A replay is a body that can be read again.
type replay struct {
	bytes.Reader
}

func (*replay) Close() error { return nil }

// A sink is a ResponseWriter that costs nothing.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }

// hotRequest returns a request whose body is that of two texts of 10,000 characters,
// the body, and a writer for its answer.
func hotRequest() (*http.Request, *replay, []byte, *sink) {
	body := []byte(`{"text1":"` + strings.Repeat("Some words. ", 833) + `","text2":"` + strings.Repeat("more words ", 909) + `"}`)
	r := httptest.NewRequest("POST", "/similarity", nil)
	r.Header.Set("Content-Type", "application/json")
	b := new(replay)
	r.Body, r.ContentLength = b, int64(len(body))
	return r, b, body, &sink{header: http.Header{}}
}

// TestAllocations: from the router to the answer a request allocates nothing, if its
// line is not logged.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("pools drop what they are given under the race detector")
	}
	s := New(Config{MaxBody: 1 << 20, MaxInFlight: 1, Logger: slog.New(slog.NewJSONHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	r, b, body, w := hotRequest()
	for name, c := range map[string]struct{ query, id string }{
		"plain": {}, "unicode": {query: "words=unicode"}, "with an id": {id: "abc"},
	} {
		r.URL.RawQuery = c.query
		delete(r.Header, "X-Request-Id")
		if c.id != "" {
			r.Header.Set("X-Request-Id", c.id)
		}
		if n := testing.AllocsPerRun(200, func() {
			b.Reset(body)
			clear(w.header)
			w.status = 0
			s.ServeHTTP(w, r)
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
		if w.status != 0 && w.status != 200 || w.header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: status %d, %v", name, w.status, w.header)
		}
	}
}

// BenchmarkHandler takes pairs of 10,000 characters, without the server's own work.
//
//	go test -run - -bench Handler ./service
func BenchmarkHandler(b *testing.B) {
	for _, level := range []slog.Level{slog.LevelInfo, slog.LevelWarn} {
		b.Run("log="+strings.ToLower(level.String()), func(b *testing.B) {
			s := New(Config{MaxBody: 1 << 20, MaxInFlight: 1, Logger: slog.New(slog.NewJSONHandler(io.Discard, &slog.HandlerOptions{Level: level}))})
			r, reader, body, w := hotRequest()
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				reader.Reset(body)
				clear(w.header)
				s.ServeHTTP(w, r)
			}
			if w.header.Get("Content-Type") != "application/json" {
				b.Fatalf("%d %v", w.status, w.header)
			}
		})
	}
}
