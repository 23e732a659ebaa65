package graceful_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/muxwell/muxwell/graceful"
)

// events streams an event at once, and "bye" when the server ends streams.
func events(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := graceful.Stream(r.Context())
	defer cancel()
	io.WriteString(w, "data: hello\n\n")
	w.(http.Flusher).Flush()
	<-ctx.Done()
	if context.Cause(ctx) == http.ErrServerClosed && r.Context().Err() == nil {
		io.WriteString(w, "data: bye\n\n")
	}
}

// A program is a call of Serve.
type program struct {
	stop context.CancelFunc
	err  chan error // gets what Serve returns
}

func start(t *testing.T, s *http.Server, serve func() error, o *graceful.Options) *program {
	ctx, stop := context.WithCancel(t.Context())
	p := &program{stop, make(chan error, 1)}
	go func() { p.err <- graceful.Serve(ctx, s, serve, o) }()
	return p
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// TestServe: streams end although a request is in flight, and the request finishes.
func TestServe(t *testing.T) {
	for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
		t.Run(proto, func(t *testing.T) {
			begun, release := make(chan struct{}), make(chan struct{})
			l, m := listen(t), http.NewServeMux()
			m.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
				events(w, r)
				if conn, err := net.Dial("tcp", l.Addr().String()); err == nil {
					conn.Close()
					t.Error("the stream has ended, and its client could reconnect")
				}
			})
			m.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
				close(begun)
				<-release
				if err := r.Context().Err(); err != nil {
					t.Errorf("the request's context: %v", err)
				}
				io.WriteString(w, r.Proto)
			})

			// The certificate is that of a test server, whose client trusts it.
			ts := httptest.NewUnstartedServer(nil)
			ts.EnableHTTP2 = proto == "HTTP/2.0"
			ts.StartTLS()
			defer ts.Close()
			s := &http.Server{Handler: m, TLSConfig: ts.TLS.Clone()}
			url := "https://" + l.Addr().String()
			client := &http.Client{Transport: ts.Client().Transport}
			p := start(t, s, func() error { return s.ServeTLS(l, "", "") }, nil)

			var streams []*bufio.Reader
			for range 3 {
				res, err := client.Get(url + "/events")
				if err != nil {
					t.Fatal(err)
				}
				defer res.Body.Close()
				stream := bufio.NewReader(res.Body)
				if line, err := stream.ReadString('\n'); line != "data: hello\n" {
					t.Fatalf("the stream begins with %q, %v", line, err)
				}
				streams = append(streams, stream)
			}
			slow := make(chan string, 1)
			go func() {
				res, err := client.Get(url + "/slow")
				if err != nil {
					slow <- err.Error()
					return
				}
				defer res.Body.Close()
				body, err := io.ReadAll(res.Body)
				if err != nil {
					body = []byte(err.Error())
				}
				slow <- string(body)
			}()
			<-begun
			p.stop()
			for _, stream := range streams {
				if rest, err := io.ReadAll(stream); err != nil || string(rest) != "\ndata: bye\n\n" {
					t.Errorf("the stream ends with %q, %v; want bye", rest, err)
				}
			}
			select {
			case err := <-p.err:
				t.Errorf("Serve has returned %v while a request was in flight", err)
			default:
			}
			close(release)
			if got := <-slow; got != proto {
				t.Errorf("the slow request: %q, want %q", got, proto)
			}
			if err := <-p.err; err != nil {
				t.Errorf("Serve: %v", err)
			}
		})
	}
}

// A pipeListener is a listener in memory, for a fake clock.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{} }

func (l *pipeListener) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// get returns the status and the body of an answer over a new connection.
func (l *pipeListener) get(path string) (status int, body string, err error) {
	client := http.Client{Transport: &http.Transport{DialContext: l.dial, DisableKeepAlives: true}}
	res, err := client.Get("http://server" + path)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return res.StatusCode, string(text), err
}

// TestDrain: during Drain only Ready answers differently.
func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := http.NewServeMux()
		m.HandleFunc("/readyz", graceful.Ready)
		m.HandleFunc("/events", events)
		l, s := newPipeListener(), &http.Server{Handler: m}
		p := start(t, s, func() error { return s.Serve(l) }, &graceful.Options{Drain: 5 * time.Second})

		if status, body, err := l.get("/readyz"); status != http.StatusOK || body != "ready\n" {
			t.Errorf("/readyz: %d %q, %v; want 200 and ready", status, body, err)
		}
		p.stop()
		synctest.Wait()
		if status, body, err := l.get("/readyz"); status != http.StatusServiceUnavailable || body != "shutting down\n" {
			t.Errorf("/readyz during Drain: %d %q, %v; want 503 and shutting down", status, body, err)
		}
		begin := time.Now()
		if _, body, err := l.get("/events"); body != "data: hello\n\ndata: bye\n\n" {
			t.Errorf("/events during Drain: %q, %v", body, err)
		}
		if got := time.Since(begin); got != 5*time.Second {
			t.Errorf("the stream ended after %v, want 5s", got)
		}
		if status, _, err := l.get("/readyz"); !errors.Is(err, net.ErrClosed) {
			t.Errorf("/readyz after Drain: %d, %v; want no connection", status, err)
		}
		if err := <-p.err; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
}

// TestListenerFailsInDrain: if the listener fails during Drain, that ends, and streams and
// requests end as usual.
func TestListenerFailsInDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, s := newPipeListener(), &http.Server{Handler: http.HandlerFunc(events)}
		p := start(t, s, func() error { return s.Serve(l) }, &graceful.Options{Drain: time.Hour})
		begin, got := time.Now(), make(chan string, 1)
		go func() {
			_, body, _ := l.get("/events")
			got <- body
		}()
		synctest.Wait()
		p.stop()
		synctest.Wait()
		l.Close()
		if err := <-p.err; !errors.Is(err, net.ErrClosed) || time.Since(begin) > time.Minute {
			t.Errorf("Serve: %v after %v, want %v", err, time.Since(begin), net.ErrClosed)
		}
		select {
		case body := <-got:
			if body != "data: hello\n\ndata: bye\n\n" {
				t.Errorf("the stream: %q", body)
			}
		case <-time.After(time.Minute):
			t.Error("the stream has not ended")
			s.Close()
		}
	})
}

// hijack takes a request's connection.
func hijack(t *testing.T, w http.ResponseWriter) net.Conn {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		t.Error(err)
	}
	io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n")
	return conn
}

// upgrade opens a connection whose handler hijacks it.
func (l *pipeListener) upgrade(t *testing.T) *bufio.Reader {
	conn, err := l.dial(t.Context(), "", "")
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(conn, "GET /upgrade HTTP/1.1\r\nHost: server\r\nConnection: Upgrade\r\nUpgrade: test\r\n\r\n")
	r := bufio.NewReader(conn)
	if res, err := http.ReadResponse(r, nil); err != nil || res.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("%v, %v; want 101", res, err)
	}
	return r
}

// TestHijacked: the handler of a hijacked connection is told to end, and waited for.
func TestHijacked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var returned time.Time
		l, s := newPipeListener(), &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			conn := hijack(t, w)
			defer conn.Close()
			ctx, cancel := graceful.Stream(r.Context())
			defer cancel()
			<-ctx.Done()
			io.WriteString(conn, "bye")
			time.Sleep(3 * time.Second)
			returned = time.Now()
		})}
		p := start(t, s, func() error { return s.Serve(l) }, nil)
		conn := l.upgrade(t)
		begin := time.Now()
		p.stop()
		if got, err := conn.Peek(3); string(got) != "bye" || !time.Now().Equal(begin) {
			t.Errorf("%q, %v after %v; want bye immediately", got, err, time.Since(begin))
		}
		if err := <-p.err; err != nil {
			t.Errorf("Serve: %v", err)
		}
		if want := begin.Add(3 * time.Second); !returned.Equal(want) || !time.Now().Equal(want) {
			t.Errorf("the handler returned after %v and Serve after %v, want 3s", returned.Sub(begin), time.Since(begin))
		}
	})
}

// TestCutOff: a request and a hijacked connection that never end are cut off.
func TestCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{})
		l, s := newPipeListener(), &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/upgrade" {
				defer hijack(t, w).Close()
				<-ended
				return
			}
			<-r.Context().Done() // when the connection is closed
		})}
		p := start(t, s, func() error { return s.Serve(l) }, &graceful.Options{Grace: time.Second})
		l.upgrade(t)
		cut := make(chan error, 1)
		go func() {
			_, _, err := l.get("/")
			cut <- err
		}()
		synctest.Wait()
		begin := time.Now()
		p.stop()
		err := <-p.err
		e, ok := errors.AsType[*graceful.CutOffError](err)
		if !ok || *e != (graceful.CutOffError{Handlers: 2, Grace: time.Second}) || time.Since(begin) != time.Second {
			t.Errorf("Serve: %v after %v, want two requests cut off after 1s", err, time.Since(begin))
		}
		if want := "graceful: requests were cut off after 1s: 2"; err.Error() != want {
			t.Errorf("the error is %q, want %q", err, want)
		}
		if err := <-cut; err == nil {
			t.Error("the request that was cut off has an answer")
		}
		close(ended)
	})
}

// TestSilentConnection: a connection without a request is closed, without an error.
func TestSilentConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, s := newPipeListener(), &http.Server{}
		p := start(t, s, func() error { return s.Serve(l) }, &graceful.Options{Grace: time.Second})
		conn, err := l.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		p.stop()
		if err := <-p.err; err != nil {
			t.Errorf("Serve: %v", err)
		}
		if n, err := conn.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("%d bytes, %v; want a closed connection", n, err)
		}
	})
}

// TestServeFails: what the serving function returns is returned, with and without a
// shutdown.
func TestServeFails(t *testing.T) {
	l := listen(t)
	s := &http.Server{Addr: l.Addr().String()} // in use
	if err := graceful.Serve(t.Context(), s, s.ListenAndServe, nil); err == nil || !strings.Contains(err.Error(), "listen") {
		t.Errorf("a port in use: %v", err)
	}

	ended, stop := context.WithCancel(t.Context())
	stop()
	failed := errors.New("of the test")
	if err := graceful.Serve(ended, new(http.Server), func() error { return failed }, nil); err != failed {
		t.Errorf("got %v, want %v", err, failed)
	}
	if err := graceful.Serve(ended, new(http.Server), func() error { return failed }, &graceful.Options{Drain: time.Hour}); err != failed {
		t.Errorf("during Drain: got %v, want %v", err, failed)
	}
	s = &http.Server{Addr: "localhost:0"}
	if err := graceful.Serve(ended, s, s.ListenAndServe, nil); err != nil {
		t.Errorf("a context that has ended: %v", err)
	}
	if err := graceful.Serve(t.Context(), s, s.ListenAndServe, nil); err != http.ErrServerClosed {
		t.Errorf("the second time: %v, want %v", err, http.ErrServerClosed)
	}
}

// A listener that cannot be closed is an error, after requests have finished.
type stuckListener struct{ *pipeListener }

var errStuck = errors.New("stuck")

func (l stuckListener) Close() error {
	l.pipeListener.Close()
	return errStuck
}

func TestListenerFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, s := stuckListener{newPipeListener()}, new(http.Server)
		p := start(t, s, func() error { return s.Serve(l) }, nil)
		synctest.Wait()
		p.stop()
		if err := <-p.err; err != errStuck {
			t.Errorf("Serve: %v, want %v", err, errStuck)
		}
	})
}

type contextKey string

// TestServerFields: what a caller has set in the server is still called.
func TestServerFields(t *testing.T) {
	original := http.DefaultServeMux
	defer func() { http.DefaultServeMux = original }()
	http.DefaultServeMux = http.NewServeMux()
	var seen string
	http.HandleFunc("/default", func(_ http.ResponseWriter, r *http.Request) {
		base, _ := r.Context().Value(contextKey("base")).(string)
		conn, _ := r.Context().Value(contextKey("conn")).(string)
		seen = base + " " + conn
	})
	l := listen(t)
	s := &http.Server{
		BaseContext: func(got net.Listener) context.Context {
			if got != l {
				t.Errorf("BaseContext got %v", got)
			}
			return context.WithValue(context.Background(), contextKey("base"), "base")
		},
		ConnContext: func(ctx context.Context, _ net.Conn) context.Context {
			return context.WithValue(ctx, contextKey("conn"), "conn")
		},
	}
	called := make(chan struct{})
	s.RegisterOnShutdown(func() { close(called) })
	p := start(t, s, func() error { return s.Serve(l) }, nil)
	res, err := http.Get("http://" + l.Addr().String() + "/default")
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	p.stop()
	if err := <-p.err; err != nil {
		t.Errorf("Serve: %v", err)
	}
	<-called
	if res.StatusCode != http.StatusOK || seen != "base conn" {
		t.Errorf("status %d and values %q, want 200 and both", res.StatusCode, seen)
	}
}

// TestStream: a stream's context ends with its parent, with the server, even if the
// server has ended streams before, and with cancel.
func TestStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		contexts := make(chan context.Context, 1)
		l, s := newPipeListener(), &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			contexts <- context.WithoutCancel(r.Context())
		})}
		p := start(t, s, func() error { return s.Serve(l) }, nil)
		if _, _, err := l.get("/"); err != nil {
			t.Fatal(err)
		}
		served := <-contexts
		tests := []struct {
			name  string
			ctx   context.Context
			end   string
			cause error
		}{
			{"parent", served, "parent", context.DeadlineExceeded},
			{"parent without a server", t.Context(), "parent", context.DeadlineExceeded},
			{"cancel", served, "cancel", context.Canceled},
			{"cancel without a server", t.Context(), "cancel", context.Canceled},
			{"server", served, "server", http.ErrServerClosed},
			{"after the server", served, "", http.ErrServerClosed},
		}
		for _, tt := range tests {
			parent, end := context.WithCancelCause(tt.ctx)
			stream, cancel := graceful.Stream(parent)
			switch {
			case tt.end != "" && stream.Err() != nil:
				t.Errorf("%s: %v at the beginning", tt.name, stream.Err())
			case tt.end == "parent":
				end(tt.cause)
			case tt.end == "cancel":
				cancel()
			case tt.end == "server":
				p.stop()
			}
			<-stream.Done()
			if got := context.Cause(stream); got != tt.cause {
				t.Errorf("%s: the cause is %v, want %v", tt.name, got, tt.cause)
			}
			cancel()
			end(nil)
		}
		if err := <-p.err; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
}

// TestReadyElsewhere: without Serve a handler is ready.
func TestReadyElsewhere(t *testing.T) {
	w := httptest.NewRecorder()
	graceful.Ready(w, httptest.NewRequest("GET", "/readyz", nil))
	if w.Code != http.StatusOK {
		t.Errorf("status %d, want 200", w.Code)
	}
}

func TestInvalidOptions(t *testing.T) {
	for _, o := range []graceful.Options{{Drain: -1}, {Grace: -time.Second}} {
		func() {
			defer func() {
				if v, _ := recover().(string); !strings.Contains(v, "negative") {
					t.Errorf("%+v: the panic is %q", o, v)
				}
			}()
			graceful.Serve(t.Context(), new(http.Server), func() error { t.Error("served"); return nil }, &o)
		}()
	}
}
