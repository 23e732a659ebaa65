package middleware

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// observing is middleware that tells what its writer noted. Twice, it is one writer.
func observing(noted chan<- string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			o := observe(w)
			if observe(o) != o {
				panic("a writer is wrapped twice")
			}
			next.ServeHTTP(o, r)
			noted <- fmt.Sprint(o.observed().final(), " ", o.observed().bytes)
		})
	}
}

// skills returns the names of what a writer can do by itself.
func skills(w http.ResponseWriter) (names string) {
	for _, skill := range []struct {
		name string
		has  bool
	}{
		{"Flush", is[http.Flusher](w)},
		{"Hijack", is[http.Hijacker](w)},
		{"Push", is[http.Pusher](w)},
		{"ReadFrom", is[io.ReaderFrom](w)},
		{"WriteString", is[io.StringWriter](w)},
	} {
		if skill.has {
			names += skill.name + " "
		}
	}
	return strings.TrimSpace(names)
}

func is[T any](v any) bool {
	_, ok := v.(T)
	return ok
}

// plainWriter hides what a recorder can do besides.
type plainWriter struct{ http.ResponseWriter }

func TestObserveKeepsSkills(t *testing.T) {
	var got string
	tell := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { got = skills(w) })
	h := observing(make(chan string, 9))(tell)
	for _, row := range []struct {
		server string
		serve  func()
		want   string
	}{
		{"HTTP/1", func() { get(newServer(t, h, false), "/") }, "Flush Hijack ReadFrom WriteString"},
		{"HTTP/2", func() { get(newServer(t, h, true), "/") }, "Flush Push ReadFrom WriteString"},
		{"recorder", func() { h.ServeHTTP(httptest.NewRecorder(), newRequest("GET", "/")) }, "Flush ReadFrom WriteString"},
		{"plain", func() { h.ServeHTTP(plainWriter{httptest.NewRecorder()}, newRequest("GET", "/")) }, "ReadFrom WriteString"},
	} {
		if row.serve(); got != row.want {
			t.Errorf("%s: got %s, want %s", row.server, got, row.want)
		}
	}
}

// TestWriterNotes has what a writer notes, over HTTP/1 and HTTP/2.
func TestWriterNotes(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file.txt")
	if err := os.WriteFile(file, bytes.Repeat([]byte("x"), 100_000), 0o600); err != nil {
		t.Fatal(err)
	}
	var controlled error
	handlers := map[string]struct {
		handle http.HandlerFunc
		noted  string
		answer string // status, and the length of the body
	}{
		"nothing":      {func(http.ResponseWriter, *http.Request) {}, "200 0", "200 0"},
		"write":        {says("hello"), "200 5", "200 5"},
		"write bytes":  {func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("hi")) }, "200 2", "200 2"},
		"status":       {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, "404 0", "404 0"},
		"first status": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(201); w.WriteHeader(500) }, "201 0", "201 0"},
		"status late":  {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "a"); w.WriteHeader(500) }, "200 1", "200 1"},
		"early hints": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Link", "</a.css>; rel=preload")
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(202)
		}, "202 0", "202 0"},
		"flush": {func(w http.ResponseWriter, _ *http.Request) { w.(http.Flusher).Flush(); w.WriteHeader(500) }, "200 0", "200 0"},
		"flush by controller": {func(w http.ResponseWriter, _ *http.Request) {
			controlled = http.NewResponseController(w).Flush()
			w.WriteHeader(500)
		}, "200 0", "200 0"},
		"deadlines": {func(w http.ResponseWriter, _ *http.Request) {
			c := http.NewResponseController(w)
			controlled = errors.Join(c.SetWriteDeadline(time.Now().Add(time.Hour)), c.SetReadDeadline(time.Now().Add(time.Hour)))
			w.WriteHeader(204)
		}, "204 0", "204 0"},
		"copy": {func(w http.ResponseWriter, _ *http.Request) { io.Copy(w, io.LimitReader(zeros{}, 1000)) }, "200 1000", "200 1000"},
		"copy none": {func(w http.ResponseWriter, _ *http.Request) {
			io.Copy(w, io.LimitReader(zeros{}, 0))
			w.WriteHeader(404)
		}, "404 0", "404 0"},
		"file":       {func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, file) }, "200 100000", "200 100000"},
		"not string": {func(w http.ResponseWriter, _ *http.Request) { io.WriteString(plainWriter{w}, "abc") }, "200 3", "200 3"},
	}
	for _, http2 := range []bool{false, true} {
		for name, row := range handlers {
			controlled = nil
			noted := make(chan string, 1)
			s := newServer(t, observing(noted)(row.handle), http2)
			s.Config.ErrorLog = quiet
			resp, body, err := get(s, "/")
			if err != nil || controlled != nil {
				t.Errorf("%s, HTTP/2 %t: %v, %v", name, http2, err, controlled)
				continue
			}
			if got := fmt.Sprint(resp.StatusCode, " ", len(body)); got != row.answer {
				t.Errorf("%s, HTTP/2 %t: the client got %s, want %s", name, http2, got, row.answer)
			}
			if got := <-noted; got != row.noted {
				t.Errorf("%s, HTTP/2 %t: noted %s, want %s", name, http2, got, row.noted)
			}
		}
	}
}

// zeros is text without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestWriterHandsFilesOn: what is copied from a file arrives at the server's writer
// as the file, for which it has a system call.
func TestWriterHandsFilesOn(t *testing.T) {
	inner := &readerFrom{ResponseWriter: httptest.NewRecorder()}
	src := io.LimitReader(zeros{}, 1000)
	if _, err := io.Copy(observe(inner), src); err != nil || inner.src != src {
		t.Errorf("got %v, %v, want the source itself", inner.src, err)
	}
}

type readerFrom struct {
	http.ResponseWriter
	src io.Reader
}

func (w *readerFrom) ReadFrom(src io.Reader) (int64, error) { w.src = src; return 0, nil }

// all is middleware that a WebSocket or a stream may be covered with.
func all(next http.Handler) http.Handler {
	for _, mw := range []func(http.Handler) http.Handler{
		MaxBytes(1 << 20), Throttle(10, nil), Timeout(time.Hour), RateLimit(1000, time.Second, nil), SecureHeaders(nil), Recover(nil),
		Metrics(func(Measure) {}), Log(discard, nil), ClientIP(FromRemoteAddr()), RequestID(nil), ETag(nil), NoCache, MethodOverride,
	} {
		next = mw(next)
	}
	return next
}

// TestWebSocket upgrades a connection through all of it, and echoes a frame.
func TestWebSocket(t *testing.T) {
	noted := make(chan string, 1)
	for name, mw := range map[string]func(http.Handler) http.Handler{"observe": observing(noted), "all": all} {
		s := newServer(t, mw(http.HandlerFunc(echoFrame)), false)
		conn, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		const key = "dGhlIHNhbXBsZSBub25jZQ==" // with the answer to it, of RFC 6455 §1.3
		fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n", key)
		in := bufio.NewReader(conn)
		resp, err := http.ReadResponse(in, nil)
		if err != nil || resp.StatusCode != 101 || resp.Header.Get("Sec-WebSocket-Accept") != "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" {
			t.Fatalf("%s: got %v, %v", name, resp, err)
		}
		frame := []byte{0x81, 0x82, 1, 2, 3, 4, 'h' ^ 1, 'i' ^ 2} // text, masked, "hi"
		if _, err := conn.Write(frame); err != nil {
			t.Fatal(err)
		}
		echo := make([]byte, 4)
		if _, err := io.ReadFull(in, echo); err != nil || string(echo) != "\x81\x02hi" {
			t.Errorf("%s: got %q, %v", name, echo, err)
		}
	}
	if got, want := <-noted, "101 0"; got != want {
		t.Errorf("noted %s, want %s", got, want)
	}
}

// echoFrame is a WebSocket server for one short frame.
func echoFrame(w http.ResponseWriter, r *http.Request) {
	conn, rw, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	sum := sha1.Sum([]byte(r.Header.Get("Sec-WebSocket-Key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	fmt.Fprintf(rw, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: %s\r\n\r\n",
		base64.StdEncoding.EncodeToString(sum[:]))
	rw.Flush()
	frame := make([]byte, 8)
	io.ReadFull(rw, frame)
	rw.Write([]byte{0x81, 2, frame[6] ^ frame[2], frame[7] ^ frame[3]})
	rw.Flush()
}

// TestStream sends parts through all of it, each of which arrives before the next is
// sent.
func TestStream(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		read := make(chan bool)
		s := newServer(t, all(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for i := range 3 {
				fmt.Fprintf(w, "part %d\n", i)
				w.(http.Flusher).Flush()
				select {
				case <-read:
				case <-r.Context().Done():
					return
				}
			}
		})), http2)
		resp, err := s.Client().Get(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		in := textproto.NewReader(bufio.NewReader(resp.Body))
		for i := range 3 {
			if got, err := in.ReadLine(); got != fmt.Sprintf("part %d", i) {
				t.Fatalf("HTTP/2 %t, part %d: got %q, %v", http2, i, got, err)
			}
			read <- true
		}
		resp.Body.Close()
	}
}
