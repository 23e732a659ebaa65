package integrations

import (
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	chimiddleware "github.com/go-chi/chi/v5/middleware"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/middleware"
)

// stacks are servers with what most have around their routes: an ID of the request, a
// log line, recovery from panics and a limit of the time.
var stacks = []struct {
	name string
	make func() http.Handler
}{
	{"muxwell/none", func() http.Handler { return muxwellStack() }},
	{"muxwell/RequestID", func() http.Handler { return muxwellStack(middleware.RequestID(nil)) }},
	{"muxwell/Log", func() http.Handler { return muxwellStack(middleware.Log(discard(), nil)) }},
	{"muxwell/Recover", func() http.Handler { return muxwellStack(middleware.Recover(discard())) }},
	{"muxwell/Timeout", func() http.Handler { return muxwellStack(middleware.Timeout(time.Minute)) }},
	{"muxwell/Deadline", func() http.Handler { return muxwellStack(middleware.Deadline(time.Minute)) }},
	{"muxwell/all with Timeout", func() http.Handler {
		return muxwellStack(middleware.RequestID(nil), middleware.Log(discard(), nil), middleware.Recover(discard()), middleware.Timeout(time.Minute))
	}},
	{"muxwell/all with Deadline", func() http.Handler {
		return muxwellStack(middleware.RequestID(nil), middleware.Log(discard(), nil), middleware.Recover(discard()), middleware.Deadline(time.Minute))
	}},
	{"chi/all", func() http.Handler {
		r := chi.NewRouter()
		plain := &chimiddleware.DefaultLogFormatter{Logger: log.New(io.Discard, "", log.LstdFlags), NoColor: true}
		r.Use(chimiddleware.RequestID, chimiddleware.RequestLogger(plain), chimiddleware.Recoverer, chimiddleware.Timeout(time.Minute))
		r.Get("/users/{id}", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, chi.URLParam(r, "id")) })
		return r
	}},
}

func muxwellStack(stack ...muxwell.Middleware) http.Handler {
	m := muxwell.New()
	m.Use(stack...)
	m.Get("/users/{id}", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.PathValue("id")) })
	return m
}

func discard() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// TestStacks: the servers of the benchmark answer.
func TestStacks(t *testing.T) {
	for _, s := range stacks {
		w := httptest.NewRecorder()
		s.make().ServeHTTP(w, httptest.NewRequest("GET", "/users/7", nil))
		if w.Code != 200 || w.Body.String() != "7" {
			t.Errorf("%s: got %d %q", s.name, w.Code, w.Body)
		}
	}
}

// BenchmarkStack measures a request through each of them.
func BenchmarkStack(b *testing.B) {
	for _, s := range stacks {
		b.Run(s.name, func(b *testing.B) {
			h := s.make()
			r := httptest.NewRequest("GET", "/users/7", nil)
			w := &sink{header: make(http.Header)}
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				h.ServeHTTP(w, r)
			}
		})
	}
}

// A sink is a writer that keeps nothing.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header               { return s.header }
func (s *sink) WriteHeader(int)                   {}
func (s *sink) Write(p []byte) (int, error)       { return len(p), nil }
func (s *sink) WriteString(p string) (int, error) { return len(p), nil }
