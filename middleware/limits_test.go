package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/middleware"
)

type mw = func(http.Handler) http.Handler

// nest returns a mux with outer on the mux, and inner on a group and on its route. Each
// may be nil.
func nest(outer, group, route mw, h http.HandlerFunc) *muxwell.Mux {
	m := muxwell.New()
	add := func(use func(...mw), mw mw) {
		if mw != nil {
			use(mw)
		}
	}
	add(m.Use, outer)
	g := m.Route("/g", nil)
	add(g.Use, group)
	r := g.Group(nil)
	add(r.Use, route)
	r.HandleFunc("/{$}", h)
	return m
}

// overBoth calls f with a server over HTTP/1.1 and one over HTTP/2.
func overBoth(t *testing.T, h http.Handler, f func(s *httptest.Server)) {
	for _, http2 := range []bool{false, true} {
		s := httptest.NewUnstartedServer(h)
		s.EnableHTTP2 = http2
		s.StartTLS()
		f(s)
		s.Close()
	}
}

// TestMaxBytesNearest: of several limits the nearest wins, smaller or larger, and a
// body within it reaches the handler, however slowly it comes.
func TestMaxBytesNearest(t *testing.T) {
	read := func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		if big, ok := errors.AsType[*http.MaxBytesError](err); ok {
			http.Error(w, fmt.Sprint("limit ", big.Limit), http.StatusRequestEntityTooLarge)
			return
		}
		fmt.Fprint(w, len(b))
	}
	small, large := middleware.MaxBytes(4), middleware.MaxBytes(100)
	for what, row := range map[string]struct {
		outer, group, route mw
		limit               int // -1 for none
	}{
		"outer only":           {small, nil, nil, 4},
		"larger inside":        {small, large, nil, 100},
		"smaller inside":       {large, small, nil, 4},
		"larger on the route":  {nil, small, large, 100},
		"route wins over both": {large, large, small, 4},
		"two steps":            {small, nil, large, 100},
		"none":                 {small, nil, middleware.NoMaxBytes, -1},
		"none around one":      {small, middleware.NoMaxBytes, large, 100},
		"none inside of none":  {nil, middleware.NoMaxBytes, middleware.NoMaxBytes, -1},
		"only none":            {nil, nil, middleware.NoMaxBytes, -1},
	} {
		overBoth(t, nest(row.outer, row.group, row.route, read), func(s *httptest.Server) {
			for _, size := range []int{0, 4, 5, 100, 101, 5000} {
				for _, slow := range []bool{false, true} {
					var body io.Reader = strings.NewReader(strings.Repeat("x", size))
					if slow {
						body = &trickle{rest: size, chunk: size/3 + 1}
					}
					res, err := s.Client().Post(s.URL+"/g/", "text/plain", body)
					if err != nil {
						t.Errorf("%s, %d bytes: %v", what, size, err)
						continue
					}
					got, _ := io.ReadAll(res.Body)
					res.Body.Close()
					want := fmt.Sprint(http.StatusOK, " ", size)
					switch {
					case row.limit < 0 || size <= row.limit:
					case slow: // the length is not announced
						want = fmt.Sprint(http.StatusRequestEntityTooLarge, " limit ", row.limit)
					default:
						want = fmt.Sprint(http.StatusRequestEntityTooLarge, " Request Entity Too Large")
					}
					if got := fmt.Sprint(res.StatusCode, " ", strings.TrimSpace(string(got))); got != want {
						t.Errorf("%s, %s, %d bytes, slow %t: got %s, want %s", what, res.Proto, size, slow, got, want)
					}
				}
			}
		})
	}
}

// A trickle is a body of unknown length that comes in chunks.
type trickle struct{ rest, chunk int }

func (b *trickle) Read(p []byte) (int, error) {
	if b.rest == 0 {
		return 0, io.EOF
	}
	time.Sleep(time.Millisecond)
	n := min(b.rest, b.chunk, len(p))
	b.rest -= n
	return copy(p, strings.Repeat("x", n)), nil
}

// TestMaxBytesBetween: the limit of the nearest applies where the outermost is, so that
// middleware between them does not read more.
func TestMaxBytesBetween(t *testing.T) {
	var between int
	reads := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			b, _ := io.ReadAll(r.Body)
			between = len(b)
			next.ServeHTTP(w, r)
		})
	}
	m := nest(middleware.MaxBytes(4), reads, middleware.MaxBytes(20), func(http.ResponseWriter, *http.Request) {})
	m.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/g/", &trickle{50, 7}))
	if between != 20 {
		t.Errorf("middleware between two limits has read %d bytes, want 20", between)
	}
}

// TestMaxBytesAround: a limit around the mux is not overridden, and routes have each
// their own.
func TestMaxBytesAround(t *testing.T) {
	status := func(h http.Handler, path string, size int) int {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("POST", path, strings.NewReader(strings.Repeat("x", size))))
		return w.Code
	}
	m := muxwell.New()
	m.Use(middleware.MaxBytes(4))
	m.HandleFunc("/small", func(http.ResponseWriter, *http.Request) {})
	m.With(middleware.MaxBytes(20)).HandleFunc("/large", func(http.ResponseWriter, *http.Request) {})
	m.With(middleware.NoMaxBytes).HandleFunc("/any", func(http.ResponseWriter, *http.Request) {})
	around := middleware.MaxBytes(50)(m)
	for _, row := range []struct {
		h    http.Handler
		path string
		size int
		want int
	}{
		{m, "/small", 4, 200},
		{m, "/small", 5, 413},
		{m, "/large", 20, 200},
		{m, "/large", 21, 413},
		{m, "/any", 99, 200},
		{m, "/nope", 5, 413},
		{around, "/any", 50, 200},
		{around, "/any", 51, 413},
		{around, "/small", 5, 413},
	} {
		if got := status(row.h, row.path, row.size); got != row.want {
			t.Errorf("%s with %d bytes: got %d, want %d", row.path, row.size, got, row.want)
		}
	}
}

// TestTimeoutNearest: of several limits of the time the nearest wins, shorter or
// longer, and whether it answers.
func TestTimeoutNearest(t *testing.T) {
	short, long := middleware.Timeout(time.Second), middleware.Timeout(10*time.Second)
	none := middleware.NoTimeout
	for what, row := range map[string]struct {
		outer, group, route mw
		deadline            time.Duration // of the context; 0 for none
		answers             bool
	}{
		"outer only":             {short, nil, nil, time.Second, true},
		"longer inside":          {short, long, nil, 10 * time.Second, true},
		"shorter inside":         {long, nil, short, time.Second, true},
		"none":                   {short, nil, none, 0, false},
		"none around one":        {short, none, long, 10 * time.Second, true},
		"only none":              {nil, none, nil, 0, false},
		"deadline":               {nil, nil, middleware.Deadline(time.Second), time.Second, false},
		"deadline in timeout":    {short, middleware.Deadline(3 * time.Second), nil, 3 * time.Second, false},
		"timeout in deadline":    {middleware.Deadline(3 * time.Second), nil, short, time.Second, true},
		"three":                  {short, long, middleware.Timeout(5 * time.Second), 5 * time.Second, true},
		"none inside a deadline": {middleware.Deadline(time.Second), none, nil, 0, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			var deadline time.Duration
			var ended error
			m := nest(row.outer, row.group, row.route, func(w http.ResponseWriter, r *http.Request) {
				if at, ok := r.Context().Deadline(); ok {
					deadline = at.Sub(start)
				}
				time.Sleep(20 * time.Second)
				ended = r.Context().Err()
			})
			w := httptest.NewRecorder()
			m.ServeHTTP(w, httptest.NewRequest("GET", "/g/", nil))
			took, status := 20*time.Second, 200
			if row.answers {
				took, status = row.deadline, 503
			}
			if got := time.Since(start); got != took || w.Code != status {
				t.Errorf("%s: got %d after %v, want %d after %v", what, w.Code, got, status, took)
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			if deadline != row.deadline || (ended == context.DeadlineExceeded) != (row.deadline > 0) {
				t.Errorf("%s: the handler had %v and ended with %v, want %v", what, deadline, ended, row.deadline)
			}
		})
	}
}

// TestTimeoutStreams: a stream in a group without a time limit outlives that of the
// mux, over both protocols, and other routes keep theirs.
func TestTimeoutStreams(t *testing.T) {
	m := muxwell.New()
	m.Use(middleware.Timeout(50 * time.Millisecond))
	m.With(middleware.NoTimeout).Get("/events", func(w http.ResponseWriter, r *http.Request) {
		for i := range 5 {
			fmt.Fprint(w, i)
			http.NewResponseController(w).Flush()
			time.Sleep(30 * time.Millisecond)
		}
		fmt.Fprint(w, r.Context().Err())
	})
	m.Get("/slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done(); time.Sleep(50 * time.Millisecond) })
	overBoth(t, m, func(s *httptest.Server) {
		for path, want := range map[string]string{"/events": "01234<nil>", "/slow": "Service Unavailable\n"} {
			res, err := s.Client().Get(s.URL + path)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(res.Body)
			res.Body.Close()
			if string(got) != want || err != nil {
				t.Errorf("%s %s: got %q, %v, want %q", res.Proto, path, got, err, want)
			}
		}
	})
}

// TestLiftedLimits: Throttle and RateLimit add up, and only NoThrottle and NoRateLimit
// lift those around them.
func TestLiftedLimits(t *testing.T) {
	rate := func(n int) mw {
		return middleware.RateLimit(n, time.Hour, &middleware.RateLimitOptions{Key: func(*http.Request) string { return "" }})
	}
	for what, row := range map[string]struct {
		outer, group, route mw
		allowed             int // of 5 requests
	}{
		"outer":            {rate(2), nil, nil, 2},
		"larger inside":    {rate(2), rate(3), nil, 2},
		"smaller inside":   {rate(3), nil, rate(1), 1},
		"none":             {rate(2), nil, middleware.NoRateLimit, 5},
		"none around one":  {rate(1), middleware.NoRateLimit, rate(3), 3},
		"another's none":   {rate(2), middleware.NoThrottle, middleware.NoMaxBytes, 2},
		"throttled inside": {rate(4), middleware.Throttle(1, nil), middleware.NoRateLimit, 5},
	} {
		m := nest(row.outer, row.group, row.route, func(http.ResponseWriter, *http.Request) {})
		allowed := 0
		for range 5 {
			w := httptest.NewRecorder()
			if m.ServeHTTP(w, httptest.NewRequest("GET", "/g/", nil)); w.Code == 200 {
				allowed++
			}
		}
		if allowed != row.allowed {
			t.Errorf("%s: %d requests were served, want %d", what, allowed, row.allowed)
		}
	}
	for what, row := range map[string]struct {
		outer, group, route mw
		atOnce              int // of 4 requests
	}{
		"outer":           {middleware.Throttle(2, nil), nil, nil, 2},
		"larger inside":   {middleware.Throttle(2, nil), middleware.Throttle(3, nil), nil, 2},
		"none":            {middleware.Throttle(2, nil), middleware.Throttle(1, nil), middleware.NoThrottle, 4},
		"none around one": {middleware.Throttle(1, nil), middleware.NoThrottle, middleware.Throttle(3, nil), 3},
	} {
		synctest.Test(t, func(t *testing.T) {
			var wg sync.WaitGroup
			entered := make(chan bool, 4)
			m := nest(row.outer, row.group, row.route, func(http.ResponseWriter, *http.Request) {
				entered <- true
				time.Sleep(time.Second)
			})
			for range 4 {
				wg.Go(func() { m.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/g/", nil)) })
			}
			wg.Wait()
			if len(entered) != row.atOnce {
				t.Errorf("%s: %d requests at once, want %d", what, len(entered), row.atOnce)
			}
		})
	}
}

// TestSharedHandler: middleware that returns the same handler for every route is not
// changed by the chains that it is in.
func TestSharedHandler(t *testing.T) {
	shared := middleware.MaxBytes(4)(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	m := muxwell.New()
	m.Use(func(http.Handler) http.Handler { return shared })
	m.With(middleware.MaxBytes(20)).HandleFunc("/large", func(http.ResponseWriter, *http.Request) {})
	m.HandleFunc("/small", func(http.ResponseWriter, *http.Request) {})
	for path, want := range map[string]int{"/large": 200, "/small": 413} {
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest("POST", path, strings.NewReader("12345")))
		if w.Code != want {
			t.Errorf("%s: got %d, want %d", path, w.Code, want)
		}
	}
}

// TestDeadlineContext: a context with a deadline behaves like one of package context,
// asked early, late or after the request.
func TestDeadlineContext(t *testing.T) {
	type key struct{}
	run := func(parent context.Context, h func(ctx context.Context)) (kept context.Context) {
		r := httptest.NewRequest("GET", "/", nil).WithContext(parent)
		middleware.Deadline(time.Second)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			kept = r.Context()
			h(kept)
		})).ServeHTTP(httptest.NewRecorder(), r)
		return kept
	}
	synctest.Test(t, func(t *testing.T) {
		parent, cancel := context.WithCancelCause(context.WithValue(t.Context(), key{}, "value"))
		defer cancel(nil)
		check := func(what string, got, want any) {
			t.Helper()
			if got != want {
				t.Errorf("%s: got %v, want %v", what, got, want)
			}
		}
		kept := run(parent, func(ctx context.Context) {
			check("at first", ctx.Err(), nil)
			check("value", ctx.Value(key{}), "value")
			time.Sleep(2 * time.Second)
			check("Err after the deadline", ctx.Err(), context.DeadlineExceeded)
			check("cause", context.Cause(ctx), context.DeadlineExceeded)
			check("value then", ctx.Value(key{}), "value")
		})
		check("kept after the deadline", kept.Err(), context.DeadlineExceeded)
		run(parent, func(ctx context.Context) {
			child, stop := context.WithCancel(ctx)
			defer stop()
			start := time.Now()
			<-child.Done()
			check("a child waits", time.Since(start), time.Second)
			check("a child's error", child.Err(), context.DeadlineExceeded)
		})
		for what, kept := range map[string]context.Context{
			"never asked": run(parent, func(context.Context) {}),
			"asked":       run(parent, func(ctx context.Context) { ctx.Done() }),
		} {
			<-kept.Done()
			check(what+", kept", kept.Err(), context.Canceled)
			check(what+", value kept", kept.Value(key{}), "value")
			child, stop := context.WithCancel(kept)
			check(what+", child of a kept one", child.Err(), context.Canceled)
			stop()
		}
		soon, stop := context.WithTimeout(parent, time.Second/2)
		defer stop()
		run(soon, func(ctx context.Context) {
			deadline, _ := ctx.Deadline()
			check("an earlier deadline of the parent", time.Until(deadline), time.Second/2)
			<-ctx.Done()
			check("waiting for it", ctx.Err(), context.DeadlineExceeded)
		})
		cause := errors.New("left")
		run(parent, func(ctx context.Context) {
			cancel(cause)
			check("canceled parent", ctx.Err(), context.Canceled)
			check("its cause", context.Cause(ctx), cause)
			<-ctx.Done()
		})
	})
}

// TestTimeoutOfObedientHandler: a handler that ends at the deadline, since its context
// tells it to, has not begun to answer by then.
func TestTimeoutOfObedientHandler(t *testing.T) {
	for name, end := range map[string]func(http.ResponseWriter){
		"answers":   func(w http.ResponseWriter) { http.Error(w, "late", http.StatusInternalServerError) },
		"flushes":   func(w http.ResponseWriter) { w.(http.Flusher).Flush() },
		"returns":   func(http.ResponseWriter) {},
		"gives up":  func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
		"hands off": func(w http.ResponseWriter) { w.WriteHeader(http.StatusNoContent) },
	} {
		synctest.Test(t, func(t *testing.T) {
			h := middleware.Timeout(time.Second)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				<-r.Context().Done()
				end(w)
			}))
			for range 100 {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
				if w.Code != http.StatusServiceUnavailable || w.Body.String() != "Service Unavailable\n" {
					t.Fatalf("a handler that %s: got %d %q, want 503", name, w.Code, w.Body)
				}
			}
		})
	}
}

// TestPanicThroughTimeout: an ErrorHandler is told the value of a panic, not the stack,
// inside and outside of Timeout.
func TestPanicThroughTimeout(t *testing.T) {
	var told error
	m := muxwell.New(muxwell.ErrorHandler(func(w http.ResponseWriter, _ *http.Request, err error) {
		told = err
		w.WriteHeader(http.StatusInternalServerError)
	}))
	m.Use(middleware.Recover(slog.New(slog.DiscardHandler)))
	fails := func(v any) http.HandlerFunc { return func(http.ResponseWriter, *http.Request) { panic(v) } }
	for name, g := range map[string]*muxwell.Group{"/direct": m.Group(nil), "/limited": m.With(middleware.Timeout(time.Hour))} {
		g.Get(name+"/text", fails("broken"))
		g.Get(name+"/error", fails(io.EOF))
		for path, want := range map[string]string{"/text": "broken", "/error": "EOF"} {
			m.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", name+path, nil))
			if e := muxwell.AsHTTPError(told); e.Err == nil || e.Err.Error() != want || path == "/error" && e.Err != io.EOF {
				t.Errorf("%s: got the cause %v, want %s", name+path, e.Err, want)
			}
		}
	}
}
