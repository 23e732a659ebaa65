package service

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
)

// parseLog returns the lines of a log, and empties it.
func parseLog(t *testing.T, log *bytes.Buffer) (lines []map[string]any) {
	t.Helper()
	d := json.NewDecoder(log)
	for {
		var line map[string]any
		switch err := d.Decode(&line); {
		case err == io.EOF:
			log.Reset()
			return lines
		case err != nil:
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
}

func TestLogLine(t *testing.T) {
	var log bytes.Buffer
	s := newService(&log, slog.LevelInfo)
	w := do(s, newRequest("POST", "/similarity?words=ascii", texts, "X-Request-Id", "a.B-9_"))
	lines := parseLog(t, &log)
	if len(lines) != 1 {
		t.Fatalf("%d lines: %v", len(lines), lines)
	}
	line := lines[0]
	for key, want := range map[string]any{
		"level": "INFO", "msg": "request", "request_id": "a.B-9_", "method": "POST", "pattern": "POST /similarity", "path": "/similarity",
		"status": 200., "bytes": float64(w.Body.Len()), "remote": "192.0.2.1:1234",
	} {
		if line[key] != want {
			t.Errorf("%s is %v, want %v", key, line[key], want)
		}
		delete(line, key)
	}
	if d, ok := line["duration"].(float64); !ok || d <= 0 || d > 60e9 {
		t.Errorf("the duration is %v", line["duration"])
	}
	delete(line, "duration")
	if _, ok := line["time"].(string); !ok || len(line) != 1 {
		t.Errorf("the line has more: %v", line)
	}
}

func TestLogLevels(t *testing.T) {
	for _, c := range []struct {
		name    string
		request func() *http.Request
		want    string
	}{
		{"answered", func() *http.Request { return newRequest("POST", "/similarity", texts) }, "INFO"},
		{"client's fault", func() *http.Request { return newRequest("POST", "/similarity", "{") }, "INFO"},
		{"not found", func() *http.Request { return newRequest("GET", "/x", "") }, "INFO"},
		{"check", func() *http.Request { return newRequest("GET", "/healthz", "") }, "DEBUG"},
		{"check", func() *http.Request { return newRequest("GET", "/readyz", "") }, "DEBUG"},
	} {
		for _, level := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
			var log bytes.Buffer
			do(newService(&log, level), c.request())
			lines := parseLog(t, &log)
			var want slog.Level
			if err := want.UnmarshalText([]byte(c.want)); err != nil {
				t.Fatal(err)
			}
			if logged := want >= level; logged != (len(lines) == 1) {
				t.Errorf("%s at level %v: %v", c.name, level, lines)
			} else if logged && lines[0]["level"] != c.want {
				t.Errorf("%s: logged at %v, want %s", c.name, lines[0]["level"], c.want)
			}
		}
	}
	var log bytes.Buffer
	s := newService(&log, slog.LevelInfo)
	s.Drain()
	if w := do(s, newRequest("GET", "/readyz", "")); w.Code != 503 || log.Len() > 0 {
		t.Errorf("a check of a service that stops: %d, logged %s", w.Code, &log)
	}
	s = newService(&log, slog.LevelError)
	for s.slots.take() {
	}
	w := do(s, newRequest("POST", "/similarity", texts))
	lines := parseLog(t, &log)
	if id := w.Header().Get("X-Request-Id"); len(lines) != 1 || lines[0]["level"] != "ERROR" || lines[0]["request_id"] != id || id == "" {
		t.Errorf("status 503, id %q: %v", id, lines)
	}
}

func TestRequestIDs(t *testing.T) {
	var log bytes.Buffer
	s := newService(&log, slog.LevelInfo)
	for id, taken := range map[string]bool{
		"a": true, "0-._Z": true, strings.Repeat("x", 64): true,
		"": false, strings.Repeat("x", 65): false, "a b": false, "a\"b": false, "a\nb": false, "\u00e9": false, "a/b": false,
	} {
		r := newRequest("GET", "/", "")
		r.Header["X-Request-Id"] = []string{id}
		got := do(s, r).Header().Get("X-Request-Id")
		if taken != (got == id) || !isID(got) {
			t.Errorf("id %q: the answer has %q", id, got)
		}
		if line := parseLog(t, &log); line[0]["request_id"] != got {
			t.Errorf("id %q: the log has %v, the answer %q", id, line[0]["request_id"], got)
		}
	}
	r := newRequest("GET", "/", "")
	r.Header["X-Request-Id"] = []string{"a", "b"}
	if got := do(s, r).Header()["X-Request-Id"]; len(got) != 1 || len(got[0]) < 20 {
		t.Errorf("two ids: the answer has %q", got)
	}
	if a, b := do(s, newRequest("GET", "/", "")), do(s, newRequest("GET", "/", "")); a.Header().Get("X-Request-Id") == b.Header().Get("X-Request-Id") {
		t.Error("two requests have the same id")
	}
}

// TestNoIDs: where no line is written no id is made, but one that came goes back.
func TestNoIDs(t *testing.T) {
	s := newService(io.Discard, slog.LevelWarn)
	if got := do(s, newRequest("GET", "/", "")).Header()["X-Request-Id"]; got != nil {
		t.Errorf("the answer has %q", got)
	}
	if got := do(s, newRequest("GET", "/", "", "X-Request-Id", "x")).Header().Get("X-Request-Id"); got != "x" {
		t.Errorf("the answer has %q, want x", got)
	}
}

// A panicking body is a fault that no request should find.
type panicking struct{ value any }

func (p panicking) Read([]byte) (int, error) { panic(p.value) }

func TestPanic(t *testing.T) {
	var log bytes.Buffer
	s := newService(&log, slog.LevelError)
	r := newRequest("POST", "/similarity", "")
	r.Body, r.ContentLength = io.NopCloser(panicking{"oh"}), -1
	w := do(s, r)
	problemIn(t, w)
	lines := parseLog(t, &log)
	if w.Code != 500 || len(lines) != 2 {
		t.Fatalf("%d, logged %v", w.Code, lines)
	}
	stack, _ := lines[0]["stack"].(string)
	if lines[0]["panic"] != "oh" || !strings.Contains(stack, "log_test.go") || lines[1]["status"] != 500. {
		t.Errorf("logged %v", lines)
	}
	for _, line := range lines {
		if line["request_id"] != w.Header().Get("X-Request-Id") {
			t.Errorf("the answer has the id %q, the log %v", w.Header().Get("X-Request-Id"), line)
		}
	}
	if len(s.slots) != 0 {
		t.Error("the slot is not free")
	}
}

// TestPanicLate: half an answer is no answer. The connection is closed, and a fault is
// told from the wish to close it.
func TestPanicLate(t *testing.T) {
	for _, c := range []struct {
		name  string
		write bool
		value any
		lines int
	}{
		{"a fault behind half an answer", true, "oh", 2},
		{"the wish to close", false, http.ErrAbortHandler, 1},
	} {
		var log bytes.Buffer
		h := newService(&log, slog.LevelInfo).observe("GET /x", func(x *exchange, _ *http.Request) {
			if c.write {
				x.Write([]byte("half"))
			}
			panic(c.value)
		})
		func() {
			defer func() {
				if v := recover(); v != http.ErrAbortHandler {
					t.Errorf("%s: the server recovers %v", c.name, v)
				}
			}()
			do(h, newRequest("GET", "/x", ""))
		}()
		lines := parseLog(t, &log)
		if len(lines) != c.lines || lines[c.lines-1]["status"] != float64(statusGone) {
			t.Errorf("%s: logged %v", c.name, lines)
		}
	}
}
