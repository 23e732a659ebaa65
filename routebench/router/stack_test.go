package router

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cloudwego/hertz/pkg/app"
	"github.com/cloudwego/hertz/pkg/app/server"
	"github.com/valyala/fasthttp"
)

// A probe is a handler on each of the stacks that spoils what it is given, and
// reports what it finds spoiled. Each answer is the request's method, target and
// host, and the header X-In comes back as X-Out.
type probe struct {
	calls    atomic.Int64
	spoiled  atomic.Int64
	reported atomic.Value // the first thing found spoiled
}

// called counts a call, and reports a request that is not fresh.
func (p *probe) called(fresh bool, about ...any) {
	p.calls.Add(1)
	if !fresh {
		p.spoiled.Add(1)
		p.reported.CompareAndSwap(nil, fmt.Sprint(about...))
	}
}

// stacks returns the stacks, each with the probe as its handler.
func (p *probe) stacks(t *testing.T) []Stack {
	t.Helper()
	h := server.New(server.WithDisablePrintRoute(true), server.WithHandleMethodNotAllowed(true))
	h.Any("/*path", p.hertz)
	var stacks []Stack
	for _, ready := range []func() (Stack, error){
		NetHTTP(http.HandlerFunc(p.netHTTP)), FastHTTP(&fasthttp.Server{Handler: p.fastHTTP}), Hertz(h),
	} {
		s, err := ready()
		if err != nil {
			t.Fatal(err)
		}
		stacks = append(stacks, s)
	}
	return stacks
}

func (p *probe) netHTTP(w http.ResponseWriter, r *http.Request) {
	p.called(r.PathValue("x") == "" && !strings.Contains(r.URL.RawQuery, "spoiled") && r.Pattern == "" &&
		r.Context().Value(p) == nil && len(w.Header()) == 0, r, w.Header())
	in, target := r.Header.Get("X-In"), r.URL.RequestURI()
	r.SetPathValue("x", "1")
	r.Pattern = "/spoiled"
	r.URL.RawQuery += "spoiled"
	*r = *r.WithContext(context.WithValue(r.Context(), p, 1))
	w.Header().Set("X-Out", in)
	fmt.Fprint(w, r.Method, " ", target, " ", r.Host)
}

func (p *probe) fastHTTP(c *fasthttp.RequestCtx) {
	p.called(c.UserValue("x") == nil && len(c.Response.Body()) == 0 && len(c.Response.Header.Peek("X-Out")) == 0,
		c, c.Response.String())
	c.SetUserValue("x", "1")
	c.Response.Header.SetBytesV("X-Out", c.Request.Header.Peek("X-In"))
	fmt.Fprintf(c, "%s %s %s", c.Method(), c.RequestURI(), c.Host())
}

func (p *probe) hertz(_ context.Context, c *app.RequestContext) {
	_, kept := c.Get("x")
	p.called(!kept && len(c.Params) == 1 && len(c.Errors) == 0 && len(c.Response.Body()) == 0 &&
		c.Response.Header.Get("X-Out") == "", c.Params, c.Keys, string(c.Response.Body()))
	c.Set("x", "1")
	c.Error(io.EOF)
	c.Response.Header.Set("X-Out", string(c.Request.Header.Peek("X-In")))
	fmt.Fprintf(c, "%s %s %s", c.Method(), c.Request.RequestURI(), c.Host())
}

// sample returns requests.
func sample(t *testing.T) []*http.Request {
	t.Helper()
	requests := []*http.Request{
		request(t, "GET", "/a%2Fb?q=1", -1).HTTP, request(t, "POST", "/c", -1).HTTP, request(t, "GET", "/", -1).HTTP,
	}
	requests[0].Header.Set("X-In", "v")
	requests[1].Host = "example.net"
	return requests
}

func TestReply(t *testing.T) {
	for _, s := range new(probe).stacks(t) {
		for i, want := range []string{"GET /a%2Fb?q=1 example.com", "POST /c example.net", "GET / example.com"} {
			q := sample(t)[i]
			got := s.Reply(q)
			if got.Status != 200 || got.Body != want || got.Header.Get("X-Out") != q.Header.Get("X-In") {
				t.Errorf("%s: answer %+v, want %q and X-Out %q", s.Name(), got, want, q.Header.Get("X-In"))
			}
		}
	}
}

// TestPassesAreFresh checks that a call sees nothing of those before it.
func TestPassesAreFresh(t *testing.T) {
	p := new(probe)
	for _, s := range p.stacks(t) {
		p.calls.Store(0)
		requests := sample(t)
		pass := s.Passes(requests)
		pass(3)
		pass(2)
		if got, want := p.calls.Load(), int64(5*len(requests)); got != want {
			t.Errorf("%s: the handler was called %d times, want %d", s.Name(), got, want)
		}
		if n := p.spoiled.Swap(0); n > 0 {
			t.Errorf("%s: %d requests were not fresh, for one %v", s.Name(), n, p.reported.Load())
		}
		for i, q := range sample(t) {
			if got := requests[i]; got.URL.RequestURI() != q.URL.RequestURI() || got.PathValue("x") != "" {
				t.Errorf("%s: request %d is %s after the passes, want %s", s.Name(), i, got.URL, q.URL)
			}
		}
	}
}

// TestPassesAllocateNothing checks that what is measured is the router alone. Hertz
// copies each path to the heap before it routes.
func TestPassesAllocateNothing(t *testing.T) {
	h := server.New(server.WithDisablePrintRoute(true))
	h.Any("/a/b", func(_ context.Context, c *app.RequestContext) { c.WriteString("answer") })
	tests := []struct {
		ready func() (Stack, error)
		want  float64
	}{
		{NetHTTP(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "answer") })), 0},
		{FastHTTP(&fasthttp.Server{Handler: func(c *fasthttp.RequestCtx) { c.WriteString("answer") }}), 0},
		{Hertz(h), 1},
	}
	for _, tt := range tests {
		s, err := tt.ready()
		if err != nil {
			t.Fatal(err)
		}
		pass := s.Passes(sample(t)[:1])
		pass(10)
		if got := testing.AllocsPerRun(100, func() { pass(1) }); got != tt.want {
			t.Errorf("%s allocates %v times in a call, want %v", s.Name(), got, tt.want)
		}
	}
}

// TestBodiesDoNotGrow checks that answers are dropped, not gathered.
func TestBodiesDoNotGrow(t *testing.T) {
	longest := 0
	s, err := FastHTTP(&fasthttp.Server{Handler: func(c *fasthttp.RequestCtx) {
		c.WriteString("answer")
		longest = max(longest, len(c.Response.Body()))
	}})()
	if err != nil {
		t.Fatal(err)
	}
	h := server.New(server.WithDisablePrintRoute(true))
	h.Any("/*path", func(_ context.Context, c *app.RequestContext) {
		c.WriteString("answer")
		longest = max(longest, len(c.Response.Body()))
	})
	hz, err := Hertz(h)()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Stack{s, hz} {
		longest = 0
		s.Passes(sample(t))(100)
		if longest != len("answer") {
			t.Errorf("%s: an answer has %d bytes, want %d", s.Name(), longest, len("answer"))
		}
	}
}

func TestServe(t *testing.T) {
	for _, s := range new(probe).stacks(t) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		address := l.Addr().String()
		stop, err := s.Serve(l)
		if err != nil {
			t.Fatal(err)
		}
		client := &http.Client{Transport: new(http.Transport)}
		for range 3 {
			r, err := client.Get("http://" + address + "/a%2Fb?q=1")
			if err != nil {
				t.Errorf("%s: %v", s.Name(), err)
				break
			}
			body, err := io.ReadAll(r.Body)
			r.Body.Close()
			if want := "GET /a%2Fb?q=1 " + address; err != nil || string(body) != want {
				t.Errorf("%s: answer %q, error %v, want %q", s.Name(), body, err, want)
			}
		}
		stop() // while a connection waits for its next request
		client.CloseIdleConnections()
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			t.Errorf("%s: %s answers after stop", s.Name(), address)
		}
	}
}
