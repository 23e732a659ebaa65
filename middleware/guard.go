package middleware

import (
	"bufio"
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// The writer that Timeout passes to a handler has one of two owners: the handler from
// its first write on, or the caller from the deadline on. Whoever is first owns it for
// good:
//
//	undecided ─┬─ first write ─► begun     the handler writes, straight through
//	           └─ deadline ────► expired   the caller writes; the handler gets errors
//
// One atomic change of a word decides, and no lock is held while anything is written. A
// handler whose context has reported the deadline is too late to be first.
// The handler has a header map of its own until the headers are sent.

const (
	undecided int32 = iota
	begun
	expired
)

// A guard is the writer of a handler that may be too late.
type guard struct {
	outer  http.ResponseWriter // itself, with Hijack if w has it
	w      http.ResponseWriter
	ctx    *deadlineContext // of the handler
	state  atomic.Int32
	header http.Header
	sent   bool // the headers were

	settings sync.Mutex // held while the connection is set, and while the state becomes expired
}

// guardWriter makes g a guard of w for a handler that has ctx.
func (g *hijackGuard) guardWriter(w http.ResponseWriter, ctx *deadlineContext) {
	g.w, g.ctx, g.outer = w, ctx, &g.guard
	if g.header = w.Header().Clone(); g.header == nil {
		g.header = make(http.Header)
	}
	if h, ok := w.(http.Hijacker); ok {
		g.hijacker, g.outer = h, g
	}
}

// expire takes the writer away from a handler that has not begun, and reports whether it
// is taken away.
func (g *guard) expire() bool {
	g.settings.Lock()
	defer g.settings.Unlock()
	return g.state.CompareAndSwap(undecided, expired) || g.expired()
}

func (g *guard) expired() bool { return g.state.Load() == expired }

// begin makes the handler the owner.
func (g *guard) begin() error {
	if g.state.Load() == undecided && g.ctx.Err() == context.DeadlineExceeded {
		g.expire()
	}
	if !g.state.CompareAndSwap(undecided, begun) && g.expired() {
		return http.ErrHandlerTimeout
	}
	return nil
}

// sendHeader copies the headers to the server's writer.
func (g *guard) sendHeader() {
	h := g.w.Header()
	clear(h)
	maps.Copy(h, g.header)
}

// finish copies what was set last: headers if the handler has written nothing,
// otherwise trailers.
func (g *guard) finish() {
	if g.begin() == nil {
		g.sendHeader()
	}
}

func (g *guard) Header() http.Header { return g.header }

func (g *guard) WriteHeader(status int) {
	if g.begin() != nil {
		return
	}
	if !g.sent {
		g.sendHeader()
		g.sent = isFinal(status)
	}
	g.w.WriteHeader(status)
}

// beginBody is like begin, for writes that send the headers if none were sent.
func (g *guard) beginBody() error {
	if err := g.begin(); err != nil {
		return err
	}
	if !g.sent {
		g.sendHeader()
		g.sent = true
	}
	return nil
}

func (g *guard) Write(p []byte) (int, error) {
	if err := g.beginBody(); err != nil {
		return 0, err
	}
	return g.w.Write(p)
}

func (g *guard) WriteString(s string) (int, error) {
	if err := g.beginBody(); err != nil {
		return 0, err
	}
	return io.WriteString(g.w, s)
}

// ReadFrom leaves the copying to the server's writer once the headers are sent. Before
// that, src may block past the deadline.
func (g *guard) ReadFrom(src io.Reader) (int64, error) {
	if to, ok := g.w.(io.ReaderFrom); ok && g.sent && g.begin() == nil {
		return to.ReadFrom(src)
	}
	return io.Copy(onlyWriter{g}, src)
}

func (g *guard) Flush() { _ = g.FlushError() }

func (g *guard) FlushError() error {
	if err := g.beginBody(); err != nil {
		return err
	}
	return http.NewResponseController(g.w).Flush()
}

// There is no Unwrap, which would bypass the guard. The following methods replace it.

func (g *guard) SetReadDeadline(t time.Time) error {
	return g.control(func(c *http.ResponseController) error { return c.SetReadDeadline(t) })
}

func (g *guard) SetWriteDeadline(t time.Time) error {
	return g.control(func(c *http.ResponseController) error { return c.SetWriteDeadline(t) })
}

func (g *guard) EnableFullDuplex() error {
	return g.control((*http.ResponseController).EnableFullDuplex)
}

// control changes a setting of the connection, which belongs to another request after
// the deadline.
func (g *guard) control(set func(*http.ResponseController) error) error {
	g.settings.Lock()
	defer g.settings.Unlock()
	if g.expired() {
		return http.ErrHandlerTimeout
	}
	return set(http.NewResponseController(g.w))
}

// A hijackGuard is a guard around a writer that has Hijack.
type hijackGuard struct {
	guard
	hijacker http.Hijacker
}

func (g *hijackGuard) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	if err := g.begin(); err != nil {
		return nil, nil, err
	}
	return g.hijacker.Hijack()
}
