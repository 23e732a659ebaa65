package service

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/iotest"
)

// TestBodies: whatever a request says of its length, and however its body comes.
func TestBodies(t *testing.T) {
	s := quietService()
	full := texts + strings.Repeat(" ", 1000-len(texts)) // as long as may be
	for _, body := range []string{texts, full, full + " "} {
		want := 200
		if len(body) > 1000 {
			want = 413
		}
		for name, length := range map[string]int64{"right": int64(len(body)), "unknown": -1, "short": 1, "zero": 0, "long": 999} {
			for how, reader := range map[string]io.Reader{
				"whole":       strings.NewReader(body),
				"bytes":       iotest.OneByteReader(strings.NewReader(body)),
				"end at once": iotest.DataErrReader(strings.NewReader(body)),
			} {
				r := newRequest("POST", "/similarity", "")
				r.Body, r.ContentLength = io.NopCloser(reader), length
				if w := do(s, r); w.Code != want {
					t.Errorf("%d bytes, length %s, %s: %d, want %d", len(body), name, how, w.Code, want)
				}
			}
		}
	}
}

// TestLongLength: a length beyond the limit is refused before anything is read.
func TestLongLength(t *testing.T) {
	r := newRequest("POST", "/similarity", texts)
	r.ContentLength = 1 << 62
	r.Body = io.NopCloser(iotest.ErrReader(errors.New("the body is read")))
	if w := do(quietService(), r); w.Code != 413 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// A networkError is one of a connection.
type networkError struct{ error }

func (networkError) Timeout() bool   { return false }
func (networkError) Temporary() bool { return false }

// TestBodyErrors: a body that is not read to its end is answered if anyone is there.
func TestBodyErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		err    error
		cancel bool
		want   int // 0 for no answer
	}{
		{"too slow", os.ErrDeadlineExceeded, false, 408},
		{"broken chunks", errors.New("malformed chunked encoding"), false, 400},
		{"cut off", io.ErrUnexpectedEOF, false, 0},
		{"connection reset", networkError{errors.New("reset by peer")}, false, 0},
		{"request cancelled", errors.New("closed"), true, 0},
	} {
		var log bytes.Buffer
		s := newService(&log, slog.LevelInfo)
		r := newRequest("POST", "/similarity", "")
		r.Body, r.ContentLength = io.NopCloser(io.MultiReader(strings.NewReader("{"), iotest.ErrReader(c.err))), -1
		if c.cancel {
			ctx, cancel := context.WithCancel(r.Context())
			cancel()
			r = r.WithContext(ctx)
		}
		got, logged := 0, c.want
		func() {
			defer func() {
				if v := recover(); v != nil && v != http.ErrAbortHandler {
					t.Errorf("%s: panic %v", c.name, v)
				}
			}()
			w := do(s, r)
			problemIn(t, w)
			got = w.Code
		}()
		if logged == 0 {
			logged = statusGone
		}
		if got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
		if line := parseLog(t, &log); len(line) != 1 || line[0]["status"] != float64(logged) || line[0]["level"] != "INFO" {
			t.Errorf("%s: logged %v, want the status %d", c.name, line, logged)
		}
		if len(s.slots) != 0 {
			t.Errorf("%s: its slot is not free", c.name)
		}
	}
}

// TestBuffersKept: large buffers do not stay in the pool.
func TestBuffersKept(t *testing.T) {
	b := &buffers{body: make([]byte, 0, maxKept+1)}
	b.release()
	for range 100 {
		if pool.Get() == any(b) {
			t.Fatal("a buffer beyond the limit came back")
		}
	}
}
