package middleware

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// late returns after d, whatever the context says.
func late(d time.Duration, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(d)
		h(w, r)
	}
}

func TestTimeout(t *testing.T) {
	var failed error // of what the handler wrote
	write := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("From", "handler")
		w.WriteHeader(201)
		_, failed = io.WriteString(w, "done")
	}
	for _, row := range []struct {
		name   string
		handle http.HandlerFunc
		want   string // status, body
		took   time.Duration
		failed error
	}{
		{"in time", late(time.Second/2, write), "201 done", time.Second / 2, nil},
		{"too late", late(2*time.Second, write), "503 Service Unavailable", time.Second, http.ErrHandlerTimeout},
		{"nothing", late(time.Second/2, func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("From", "handler") }), "200", time.Second / 2, nil},
		{"nothing, too late", late(2*time.Second, func(http.ResponseWriter, *http.Request) {}), "503 Service Unavailable", time.Second, nil},
		{"heeds the context", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, "", time.Second, nil}, // 503 or 200: both are at once
		{"began in time", func(w http.ResponseWriter, r *http.Request) {
			write(w, r)
			time.Sleep(2 * time.Second)
			fmt.Fprint(w, " ", r.Context().Err())
		}, "201 done context deadline exceeded", 2 * time.Second, nil},
		{"status in time", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(202)
			time.Sleep(2 * time.Second)
			io.WriteString(w, "end")
		}, "202 end", 2 * time.Second, nil},
		{"flush in time", func(w http.ResponseWriter, _ *http.Request) {
			w.(http.Flusher).Flush()
			time.Sleep(2 * time.Second)
			io.WriteString(w, "end")
		}, "200 end", 2 * time.Second, nil},
		{"flush too late", late(2*time.Second, func(w http.ResponseWriter, _ *http.Request) {
			failed = http.NewResponseController(w).Flush()
		}), "503 Service Unavailable", time.Second, http.ErrHandlerTimeout},
		{"deadlines too late", late(2*time.Second, func(w http.ResponseWriter, _ *http.Request) {
			failed = http.NewResponseController(w).SetWriteDeadline(time.Now())
		}), "503 Service Unavailable", time.Second, http.ErrHandlerTimeout},
		{"copy from a slow source", func(w http.ResponseWriter, _ *http.Request) {
			_, failed = io.Copy(w, &slowReader{2 * time.Second})
		}, "503 Service Unavailable", time.Second, http.ErrHandlerTimeout},
	} {
		synctest.Test(t, func(t *testing.T) {
			failed = nil
			w := httptest.NewRecorder()
			w.Header().Set("Outer", "yes")
			start := time.Now()
			Timeout(time.Second)(row.handle).ServeHTTP(observe(w), newRequest("GET", "/")) // which has ReadFrom
			took := time.Since(start)
			got := strings.TrimSpace(fmt.Sprint(w.Code, " ", w.Body))
			from := w.Header().Get("From")
			time.Sleep(time.Hour)
			synctest.Wait() // for the handler
			if row.want != "" && got != row.want || took != row.took {
				t.Errorf("%s: got %s after %s, want %s after %s", row.name, got, took, row.want, row.took)
			}
			if failed != row.failed {
				t.Errorf("%s: the handler's write failed with %v, want %v", row.name, failed, row.failed)
			}
			if (from != "") && strings.HasPrefix(got, "503") || w.Header().Get("From") != from || w.Header().Get("Outer") != "yes" {
				t.Errorf("%s: headers %v", row.name, w.Header())
			}
		})
	}
}

// A slowReader has one byte, after a while.
type slowReader struct{ d time.Duration }

func (r *slowReader) Read(p []byte) (int, error) {
	if r.d == 0 {
		return 0, io.EOF
	}
	time.Sleep(r.d)
	r.d, p[0] = 0, 'x'
	return 1, nil
}

// TestTimeoutClientLeaves: nobody is there to answer, and the handler is waited for.
func TestTimeoutClientLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		start, w := time.Now(), httptest.NewRecorder()
		Timeout(time.Hour)(late(3*time.Second, says("late"))).ServeHTTP(w, newRequest("GET", "/").WithContext(ctx))
		if took := time.Since(start); took != 3*time.Second || w.Body.String() != "late" {
			t.Errorf("got %q after %s", w.Body, took)
		}
	})
}

func TestTimeoutPanics(t *testing.T) {
	cause := errors.New("oops")
	for _, value := range []any{"oops", cause, http.ErrAbortHandler} {
		h := Timeout(time.Minute)(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(value) }))
		got := recovered(func() { answer(h, newRequest("GET", "/")) })
		if value == http.ErrAbortHandler {
			if got != value {
				t.Errorf("got %v, want http.ErrAbortHandler itself", got)
			}
			continue
		}
		err, ok := got.(error)
		if !ok || !strings.HasPrefix(err.Error(), "oops\n") || !strings.Contains(err.Error(), "TestTimeoutPanics") {
			t.Errorf("%v: got %v", value, got)
		}
		if errors.Is(err, cause) != (value == cause) {
			t.Errorf("%v: it unwraps to %v", value, errors.Unwrap(err))
		}
	}
	// Goexit, as that of t.FailNow, is an abort.
	h := Timeout(time.Minute)(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { runtime.Goexit() }))
	if got := recovered(func() { answer(h, newRequest("GET", "/")) }); got != http.ErrAbortHandler {
		t.Errorf("Goexit: got %v", got)
	}
	// Recover knows the stack of the handler's goroutine.
	var out bytes.Buffer
	h = Recover(slog.New(slog.NewTextHandler(&out, nil)))(Timeout(time.Minute)(http.HandlerFunc(panicsDeep)))
	if w := answer(h, newRequest("GET", "/")); w.Code != 500 || !strings.Contains(out.String(), "panic=deep") || !strings.Contains(out.String(), "middleware.panicsDeep") {
		t.Errorf("recovered: got %d, logged %s", w.Code, out.String())
	}
	checkPanics(t, map[string]func(){
		"middleware: Timeout: 0s leaves the handler no time; use a positive duration": func() { Timeout(0) },
	})
}

func panicsDeep(http.ResponseWriter, *http.Request) { panic("deep") }

// TestTimeoutLatePanic: a panic behind the 503 is not lost.
func TestTimeoutLatePanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		server := &http.Server{ErrorLog: log.New(&out, "", 0)}
		r := newRequest("GET", "/").WithContext(context.WithValue(t.Context(), http.ServerContextKey, server))
		w := answer(Timeout(time.Second)(late(2*time.Second, panicsDeep)), r)
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := out.String(); w.Code != 503 || !strings.HasPrefix(got, "middleware: panic after the 503 of a timeout: deep\n") || !strings.Contains(got, "panicsDeep") {
			t.Errorf("got %d, logged %s", w.Code, got)
		}
	})
}

// TestTimeoutOverServers: the whole 503 arrives while the handler runs on, and
// trailers are sent.
func TestTimeoutOverServers(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		stop, writes := make(chan bool), make(chan error, 1)
		s := newServer(t, Timeout(50*time.Millisecond)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/trailer" {
				h := w.Header()
				h.Set("Trailer", "Sum")
				io.WriteString(w, "body")
				h.Set("Sum", "4")
				return
			}
			<-stop
			_, err := io.WriteString(w, "late")
			writes <- err
		})), http2)
		resp, body, err := get(s, "/")
		if err != nil || resp.StatusCode != 503 || body != "Service Unavailable\n" {
			t.Errorf("HTTP/2 %t: got %v, %q, %v", http2, resp, body, err)
		}
		close(stop)
		if err := <-writes; err != http.ErrHandlerTimeout {
			t.Errorf("HTTP/2 %t: the late write failed with %v", http2, err)
		}
		resp, body, err = get(s, "/trailer")
		if err != nil || body != "body" || resp.Trailer.Get("Sum") != "4" {
			t.Errorf("HTTP/2 %t: got %q, trailers %v, %v", http2, body, resp.Trailer, err)
		}
	}
}

// TestTimeoutHeaders: the handler sees the headers of middleware around it, and may
// remove them, but not those of the 503.
func TestTimeoutHeaders(t *testing.T) {
	for _, row := range []struct {
		wait time.Duration
		want string
	}{{0, "A: 1\nC: 3"}, {2 * time.Second, "A: 1\nB: 2\nX-Content-Type-Options: nosniff"}} {
		synctest.Test(t, func(t *testing.T) {
			w := httptest.NewRecorder()
			w.Header().Set("A", "1")
			w.Header().Set("B", "2")
			Timeout(time.Second)(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				h := w.Header()
				if h.Get("A") != "1" {
					t.Error("the handler does not see the header")
				}
				h.Del("B")
				h.Set("C", "3")
				time.Sleep(row.wait)
				w.WriteHeader(200)
			})).ServeHTTP(w, newRequest("GET", "/"))
			time.Sleep(time.Hour)
			synctest.Wait() // for the handler
			if got := headersOf(w.Header()); got != row.want {
				t.Errorf("after %s: got %s, want %s", row.wait, got, row.want)
			}
		})
	}
}

// TestTimeoutForm: a form leaves no files, whether the handler has read it before the
// 503 or, over HTTP/2, reads it behind.
func TestTimeoutForm(t *testing.T) {
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	part, _ := parts.CreateFormFile("f", "name")
	part.Write(bytes.Repeat([]byte("x"), 1000))
	parts.Close()
	for major, before := range map[int]time.Duration{1: 0, 2: 2 * time.Second} {
		var file string
		synctest.Test(t, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/", bytes.NewReader(form.Bytes()))
			r.ProtoMajor = major
			r.Header.Set("Content-Type", parts.FormDataContentType())
			answer(Timeout(time.Second)(late(before, func(_ http.ResponseWriter, r *http.Request) {
				if err := r.ParseMultipartForm(1); err != nil {
					t.Errorf("HTTP/%d: %v", major, err)
					return
				}
				f, _ := r.MultipartForm.File["f"][0].Open()
				file = f.(*os.File).Name()
				f.Close()
				time.Sleep(2 * time.Second)
			})), r)
			time.Sleep(time.Hour)
			synctest.Wait()
		})
		if _, err := os.Stat(file); !os.IsNotExist(err) || file == "" {
			t.Errorf("HTTP/%d: the file %q is left: %v", major, file, err)
		}
	}
}

// TestTimeoutBody: a handler that reads on behind the 503, when the server has closed
// the body or serves the next request, gets an error or the rest.
func TestTimeoutBody(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		stop, read := make(chan bool), make(chan int64, 1)
		s := newServer(t, Timeout(20*time.Millisecond)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if r.Method == "POST" {
				<-stop
				n, _ := io.Copy(io.Discard, r.Body)
				read <- n
			}
		})), http2)
		for range 20 {
			resp, err := s.Client().Post(s.URL, "text/plain", strings.NewReader(strings.Repeat("x", 1<<16)))
			if err != nil || resp.StatusCode != 503 {
				t.Fatalf("HTTP/2 %t: got %v, %v", http2, resp, err)
			}
			resp.Body.Close()
			stop <- true
			if _, _, err := get(s, "/"); err != nil {
				t.Errorf("HTTP/2 %t: the next request: %v", http2, err)
			}
			if n := <-read; n > 1<<16 {
				t.Errorf("HTTP/2 %t: read %d bytes", http2, n)
			}
		}
	}
}

// TestTimeoutUpload: a client that sends its body slowly gets the 503 at the deadline,
// whether the handler reads or not, and one that has sent all keeps its connection.
func TestTimeoutUpload(t *testing.T) {
	for _, row := range []struct {
		name, body string
		reads      bool
		want       string // status, end of the connection, the handler's error
	}{
		{"reads", "abc", true, "503 true true"},
		{"does not read", "abc", false, "503 true false"},
		{"has read", "abcdef", true, "503 false false"},
	} {
		t.Run(row.name, func(t *testing.T) {
			stop, read := make(chan bool), make(chan error, 1)
			s := newServer(t, Timeout(50*time.Millisecond)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				var err error
				if row.reads {
					_, err = io.ReadAll(r.Body)
				}
				read <- err
				<-stop
			})), false)
			defer close(stop)
			conn, err := net.Dial("tcp", s.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\n%s", row.body)
			conn.SetReadDeadline(time.Now().Add(10 * time.Second)) // it would be for ever
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(resp.StatusCode, resp.Close, <-read != nil); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
}

// TestTimeoutUploadRace has a body that becomes too long at the deadline, under the
// race detector: MaxBytes, which stands outside, must not tell the server of it from
// the handler's goroutine while the 503 is written.
func TestTimeoutUploadRace(t *testing.T) {
	const d = 5 * time.Millisecond
	s := newServer(t, MaxBytes(1)(Timeout(d)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		for range 1000 {
			r.Body.Read(make([]byte, 1))
		}
		<-r.Context().Done()
	}))), false)
	for i := range 50 {
		conn, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(conn, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n")
		time.Sleep(d + time.Duration(i-25)*20*time.Microsecond)
		io.WriteString(conn, "1\r\nb\r\n")
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || resp.StatusCode != 503 && resp.StatusCode != 200 {
			t.Errorf("got %v, %v", resp, err)
		}
		conn.Close()
	}
}

// TestTimeoutRace has handlers that write at the deadline, under the race detector.
// One of the two answers is whole.
func TestTimeoutRace(t *testing.T) {
	got := make(map[string]int)
	for range 300 {
		h := Timeout(time.Millisecond)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			for i := range 50 {
				h.Set("X", fmt.Sprint(i))
			}
			<-r.Context().Done()
			h.Set("X", "end")
			http.NewResponseController(w).SetWriteDeadline(time.Time{})
			io.WriteString(w, "handler")
		}))
		w := answer(h, newRequest("GET", "/"))
		got[fmt.Sprint(w.Code, " ", strings.TrimSpace(w.Body.String()))]++
	}
	if n := got["200 handler"] + got["503 Service Unavailable"]; n != 300 {
		t.Errorf("got %v", got)
	}
}
