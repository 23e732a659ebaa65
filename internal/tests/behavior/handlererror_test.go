package behavior

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// A statusError asks for a status.
type statusError int

func (e statusError) Error() string   { return "secret of the status error" }
func (e statusError) StatusCode() int { return int(e) }

// failing returns a mux whose only handler is h.
func failing(h func(http.ResponseWriter, *http.Request) error, options ...muxwell.Option) *muxwell.Mux {
	m := muxwell.New(options...)
	m.HandleError("GET /fail/{id}", h)
	return m
}

// answerAndLog returns what h answers to a request, and what it logs.
func answerAndLog(h http.Handler, r *http.Request) (w *httptest.ResponseRecorder, logged string) {
	var b bytes.Buffer
	srv := &http.Server{ErrorLog: log.New(&b, "", 0)}
	w = muxtest.AnswerTo(h, r.WithContext(context.WithValue(r.Context(), http.ServerContextKey, srv)))
	return w, b.String()
}

func TestErrorAnswers(t *testing.T) {
	for _, row := range []struct {
		err    error
		status int
		body   string
		logged string
	}{
		{nil, 200, "", ""},
		{errors.New("secret\nline"), 500, "Internal Server Error\n", `muxwell: "GET" request to pattern "GET /fail/{id}": "secret\nline"` + "\n"},
		{&muxwell.ParamError{Name: "id", Value: "secret"}, 400, "Bad Request\n", ""},
		{statusError(404), 404, "Not Found\n", ""},
		{fmt.Errorf("secret: %w", statusError(404)), 404, "Not Found\n", ""},
		{errors.Join(io.EOF, statusError(409)), 409, "Conflict\n", ""},
		{statusError(418), 418, "I'm a teapot\n", ""},
		{statusError(499), 499, "status code 499\n", ""},
		{statusError(503), 503, "Service Unavailable\n", `muxwell: "GET" request to pattern "GET /fail/{id}": "secret of the status error"` + "\n"},
		{statusError(599), 599, "status code 599\n", `muxwell: "GET" request to pattern "GET /fail/{id}": "secret of the status error"` + "\n"},
		{statusError(399), 500, "Internal Server Error\n", `muxwell: "GET" request to pattern "GET /fail/{id}": "secret of the status error"` + "\n"},
		{statusError(600), 500, "Internal Server Error\n", `muxwell: "GET" request to pattern "GET /fail/{id}": "secret of the status error"` + "\n"},
		{statusError(200), 500, "Internal Server Error\n", `muxwell: "GET" request to pattern "GET /fail/{id}": "secret of the status error"` + "\n"},
		{statusError(-1), 500, "Internal Server Error\n", `muxwell: "GET" request to pattern "GET /fail/{id}": "secret of the status error"` + "\n"},
	} {
		m := failing(func(http.ResponseWriter, *http.Request) error { return row.err })
		w, logged := answerAndLog(m, muxtest.NewRequest("GET", "/fail/1"))
		if w.Code != row.status || w.Body.String() != row.body || logged != row.logged {
			t.Errorf("error %v: got %d %q, logged %q; want %d %q, logged %q", row.err, w.Code, w.Body, logged, row.status, row.body, row.logged)
		}
		if got := w.Header().Get("Content-Type"); row.err != nil && got != "text/plain; charset=utf-8" {
			t.Errorf("error %v: got Content-Type %q, want plain text", row.err, got)
		}
	}
}

// TestErrorWithoutServer: without a server, or one with an ErrorLog, the log is
// that of package log.
func TestErrorWithoutServer(t *testing.T) {
	var b bytes.Buffer
	log.SetOutput(&b)
	log.SetFlags(0)
	defer func() {
		log.SetOutput(os.Stderr)
		log.SetFlags(log.LstdFlags)
	}()
	m := failing(func(http.ResponseWriter, *http.Request) error { return io.EOF })
	const want = `muxwell: "GET" request to pattern "GET /fail/{id}": "EOF"` + "\n"
	r := muxtest.NewRequest("GET", "/fail/1")
	for _, ctx := range []context.Context{r.Context(), context.WithValue(r.Context(), http.ServerContextKey, new(http.Server))} {
		b.Reset()
		if w := muxtest.AnswerTo(m, r.WithContext(ctx)); w.Code != 500 || b.String() != want {
			t.Errorf("got %d, logged %q, want 500, %q", w.Code, b.String(), want)
		}
	}
}

// TestErrorHeaders: what the handler said about its own body is not said about
// the error's.
func TestErrorHeaders(t *testing.T) {
	m := failing(func(w http.ResponseWriter, _ *http.Request) error {
		for _, name := range []string{"Content-Length", "Content-Encoding", "Content-Type", "Etag", "Last-Modified", "Cache-Control", "X-Kept"} {
			w.Header().Set(name, "1")
		}
		return statusError(404)
	})
	for _, compressed := range []bool{false, true} {
		want := "map[Content-Type:[text/plain; charset=utf-8] X-Content-Type-Options:[nosniff] X-Kept:[1]]"
		w := httptest.NewRecorder()
		if compressed {
			w.Header().Set("Content-Encoding", "gzip")
			want = strings.Replace(want, "map[", "map[Content-Encoding:[gzip] ", 1)
		}
		m.ServeHTTP(w, muxtest.NewRequest("GET", "/fail/1"))
		if got := fmt.Sprint(w.Header()); got != want {
			t.Errorf("behind middleware that compresses: %v: got %s, want %s", compressed, got, want)
		}
	}
}

// TestErrorBehindResponse: once the response has begun nothing is added to it.
func TestErrorBehindResponse(t *testing.T) {
	for _, row := range []struct {
		name  string
		begin func(w http.ResponseWriter)
		began bool
	}{
		{"nothing", func(http.ResponseWriter) {}, false},
		{"a header", func(w http.ResponseWriter) { w.Header().Set("X", "1") }, false},
		{"100", func(w http.ResponseWriter) { w.WriteHeader(100) }, false},
		{"103", func(w http.ResponseWriter) { w.WriteHeader(103) }, false},
		{"101", func(w http.ResponseWriter) { w.WriteHeader(101) }, true},
		{"204", func(w http.ResponseWriter) { w.WriteHeader(204) }, true},
		{"a body", func(w http.ResponseWriter) { w.Write([]byte("x")) }, true},
		{"an empty body", func(w http.ResponseWriter) { w.Write(nil) }, true},
		{"a string", func(w http.ResponseWriter) { io.WriteString(w, "x") }, true},
		{"a flush", func(w http.ResponseWriter) { w.(http.Flusher).Flush() }, true},
		{"a controller's flush", func(w http.ResponseWriter) { http.NewResponseController(w).Flush() }, true},
		{"full duplex", func(w http.ResponseWriter) { http.NewResponseController(w).EnableFullDuplex() }, false},
		{"a copy", func(w http.ResponseWriter) { io.Copy(w, strings.NewReader("x")) }, true},
		{"a copy of nothing", func(w http.ResponseWriter) { io.Copy(w, iotest.ErrReader(io.EOF)) }, false},
	} {
		var began bool
		m := failing(func(w http.ResponseWriter, _ *http.Request) error {
			row.begin(w)
			began = muxwell.Began(w)
			return io.ErrUnexpectedEOF
		})
		var b bytes.Buffer
		srv := httptest.NewUnstartedServer(m)
		srv.Config.ErrorLog = log.New(&b, "", 0)
		srv.Start()
		body := ""
		if conn, err := net.Dial("tcp", srv.Listener.Addr().String()); err != nil {
			t.Error(err)
		} else {
			fmt.Fprintf(conn, "GET /fail/1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
			all, _ := io.ReadAll(conn)
			body = string(all)
			conn.Close()
		}
		srv.Close()
		if answered := strings.Contains(body, "Internal Server Error\n"); began != row.began || answered == row.began {
			t.Errorf("%s: Began reports %v, the error is answered: %v; want the response begun: %v\n%s", row.name, began, answered, row.began, body)
		}
		if logged := b.String(); (logged != "") == row.began || strings.Contains(logged, "superfluous") {
			t.Errorf("%s: logged %q", row.name, logged)
		}
	}
}

// TestErrorBehindHijack: a connection that was taken over is left alone.
func TestErrorBehindHijack(t *testing.T) {
	for name, hijack := range map[string]func(w http.ResponseWriter) (net.Conn, *bufio.ReadWriter, error){
		"Hijacker": func(w http.ResponseWriter) (net.Conn, *bufio.ReadWriter, error) { return w.(http.Hijacker).Hijack() },
		"controller": func(w http.ResponseWriter) (net.Conn, *bufio.ReadWriter, error) {
			return http.NewResponseController(w).Hijack()
		},
	} {
		done := make(chan bool, 1)
		m := failing(func(w http.ResponseWriter, _ *http.Request) error {
			conn, _, err := hijack(w)
			done <- muxwell.Began(w)
			if err != nil {
				t.Error(err)
				return err
			}
			io.WriteString(conn, "HTTP/1.1 204 \r\n\r\n")
			conn.Close()
			return io.EOF
		})
		var b bytes.Buffer
		srv := httptest.NewUnstartedServer(m)
		srv.Config.ErrorLog = log.New(&b, "", 0)
		srv.Start()
		resp, err := http.Get(srv.URL + "/fail/1")
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		srv.Close()
		if began := <-done; resp.StatusCode != 204 || !began || b.Len() > 0 {
			t.Errorf("%s: status %d, begun: %v, logged %q; want 204, true, nothing", name, resp.StatusCode, began, b.String())
		}
	}
}

// TestErrorAbort: http.ErrAbortHandler reaches the server, with any handler of
// errors.
func TestErrorAbort(t *testing.T) {
	never := muxwell.ErrorHandler(func(http.ResponseWriter, *http.Request, error) { t.Error("the ErrorHandler was called") })
	for _, err := range []error{http.ErrAbortHandler, fmt.Errorf("wrapped: %w", http.ErrAbortHandler)} {
		for _, options := range [][]muxwell.Option{nil, {never}} {
			for _, write := range []bool{false, true} {
				m := failing(func(w http.ResponseWriter, _ *http.Request) error {
					if write {
						w.WriteHeader(200)
					}
					return err
				}, options...)
				var got any
				func() {
					defer func() { got = recover() }()
					muxtest.AnswerTo(m, muxtest.NewRequest("GET", "/fail/1"))
				}()
				if got != http.ErrAbortHandler {
					t.Errorf("error %q, %d options, response begun %v: panic with %v, want %v", err, len(options), write, got, http.ErrAbortHandler)
				}
			}
		}
	}
}

func TestErrorHandlerOption(t *testing.T) {
	var told []string
	m := failing(func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Etag", "kept")
		switch r.PathValue("id") {
		case "late":
			io.WriteString(w, "begun")
		case "fine":
			return nil
		}
		return statusError(404)
	}, muxwell.ErrorHandler(func(w http.ResponseWriter, r *http.Request, err error) {
		told = append(told, fmt.Sprint(r.PathValue("id"), " ", err, " ", muxwell.Began(w)))
		if !muxwell.Began(w) {
			http.Error(w, "custom", http.StatusUnprocessableEntity)
		}
	}))
	for _, row := range [][4]string{
		{"early", "422", "custom\n", "[early secret of the status error false]"},
		{"late", "200", "begun", "[late secret of the status error true]"},
		{"fine", "200", "", "[]"},
	} {
		told = nil
		w := muxtest.AnswerTo(m, muxtest.NewRequest("GET", "/fail/"+row[0]))
		if got := [4]string{row[0], fmt.Sprint(w.Code), w.Body.String(), fmt.Sprint(told)}; got != row || w.Header().Get("Etag") != "kept" {
			t.Errorf("got %q, headers %v, want %q", got, w.Header(), row)
		}
	}
	defer func() {
		if got, want := fmt.Sprint(recover()), "muxwell: ErrorHandler: nil function"; got != want {
			t.Errorf("ErrorHandler(nil): panic with %q, want %q", got, want)
		}
	}()
	muxwell.ErrorHandler(nil)
}

func TestErrorRegistration(t *testing.T) {
	m := muxwell.New()
	if _, err := m.Add("GET /x", muxwell.ErrorFunc(nil)); !errors.Is(err, muxwell.ErrNilHandler) {
		t.Errorf("Add of a nil handler: got %v, want %v", err, muxwell.ErrNilHandler)
	}
	fine := func(http.ResponseWriter, *http.Request) error { return nil }
	rt, err := m.Add("GET /x/{id}", muxwell.ErrorFunc(fine), muxwell.Name("x"))
	if err != nil || rt.Name() != "x" || !strings.Contains(rt.Source(), "handlererror_test.go:") {
		t.Fatalf("Add: got %v named %q from %s, error %v", rt, rt.Name(), rt.Source(), err)
	}
	if h, pattern := m.Handler(muxtest.NewRequest("GET", "/x/1")); pattern != rt.Pattern() || muxtest.AnswerTo(h, muxtest.NewRequest("GET", "/x/1")).Code != 200 {
		t.Errorf("Handler: got %T, %q", h, pattern)
	}
	for pattern, want := range map[string]any{"GET /x/{y}": new(*muxwell.ConflictError), "x": new(*muxwell.PatternError)} {
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || !errors.As(err, want) {
					t.Errorf("HandleError(%q): panic with %v, want a %T", pattern, err, want)
				}
			}()
			m.HandleError(pattern, fine)
		}()
	}
}

// A veil is a middleware's writer that offers what it wraps through Unwrap only.
type veil struct{ http.ResponseWriter }

func (v veil) Unwrap() http.ResponseWriter { return v.ResponseWriter }

// TestBeganThroughWriters: middleware may wrap the writer on either side, and
// handlers may call muxes.
func TestBeganThroughWriters(t *testing.T) {
	if muxwell.Began(httptest.NewRecorder()) || muxwell.Began(veil{httptest.NewRecorder()}) {
		t.Error("Began reports true for writers that it does not know")
	}
	for _, flush := range []bool{false, true} {
		m := failing(func(w http.ResponseWriter, r *http.Request) error {
			if _, ok := w.(http.Flusher); ok {
				t.Error("the writer around one without Flush has it")
			}
			if flush {
				http.NewResponseController(w).Flush()
			}
			if got := muxwell.Began(veil{w}); got != flush {
				t.Errorf("flushed: %v: Began reports %v through a writer around", flush, got)
			}
			return statusError(404)
		})
		w, want := httptest.NewRecorder(), 404
		if flush {
			want = 200
		}
		if m.ServeHTTP(veil{w}, muxtest.NewRequest("GET", "/fail/1")); w.Code != want || w.Flushed != flush {
			t.Errorf("flushed: %v: got %d, flushed %v, want %d", flush, w.Code, w.Flushed, want)
		}
	}
	inner := failing(func(http.ResponseWriter, *http.Request) error { return statusError(404) })
	for name, around := range map[string]func(http.ResponseWriter) http.ResponseWriter{
		"itself": func(w http.ResponseWriter) http.ResponseWriter { return w },
		"a veil": func(w http.ResponseWriter) http.ResponseWriter { return veil{w} },
	} {
		outer := failing(func(w http.ResponseWriter, r *http.Request) error {
			io.WriteString(w, "begun")
			inner.ServeHTTP(around(w), r)
			return nil
		})
		if w := muxtest.AnswerTo(outer, muxtest.NewRequest("GET", "/fail/1")); w.Code != 200 || w.Body.String() != "begun" {
			t.Errorf("a mux in a mux, given %s: got %d %q", name, w.Code, w.Body)
		}
	}
}

// TestErrorAllocs: what watches the response is one allocation.
func TestErrorAllocs(t *testing.T) {
	if muxtest.RaceEnabled {
		t.Skip("the race detector allocates, so that allocations cannot be counted")
	}
	m := muxwell.New()
	m.HandleError("GET /x", func(http.ResponseWriter, *http.Request) error { return nil })
	r := muxtest.NewRequest("GET", "/x")
	for name, w := range map[string]http.ResponseWriter{"bare": muxtest.NewWriter(), "recorder": httptest.NewRecorder()} {
		m.ServeHTTP(w, r)
		if got := testing.AllocsPerRun(1000, func() { m.ServeHTTP(w, r) }); got > 1 {
			t.Errorf("%s: %v allocations, want 1", name, got)
		}
	}
}

// TestErrorFuncInStruct: a handler that embeds an ErrorFunc is not one, and its own
// ServeHTTP is called.
func TestErrorFuncInStruct(t *testing.T) {
	m := muxwell.New(muxwell.ErrorHandler(func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusTeapot) }))
	fails := muxwell.ErrorFunc(func(http.ResponseWriter, *http.Request) error { return errors.New("failed") })
	m.Handle("/func", fails)
	m.Handle("/embedded", struct{ muxwell.ErrorFunc }{fails})
	m.Handle("/own", ownErrorFunc{fails})
	for path, want := range map[string]int{
		"/func": http.StatusTeapot, "/embedded": http.StatusInternalServerError, "/own": http.StatusAccepted,
	} {
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != want {
			t.Errorf("%s: status %d, want %d", path, w.Code, want)
		}
	}
}

type ownErrorFunc struct{ muxwell.ErrorFunc }

func (ownErrorFunc) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.WriteHeader(http.StatusAccepted)
}
