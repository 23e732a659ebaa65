// Package respwriter wraps an [http.ResponseWriter] to record whether the response has
// begun, which otherwise only the server knows.
//
// The wrapper has exactly those of five optional methods that the wrapped writer has,
// because handlers check for them by type assertion. So there is a type for each set of
// the five, named by their letters:
//
//	F Flush   H Hijack   P Push   R ReadFrom   S WriteString
//
//	watcher ─ F ─► watcherF ─ R ─► watcherFR ─ S ─► watcherFRS
//
// Each embeds the one before it and adds a method. Each is one allocation.
//
// The package does not know routes and errors.
package respwriter

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
)

// Watch returns a writer around w that records when the response begins, or w itself if
// it is such a writer. The writer is for one request and one goroutine, like w.
func Watch(w http.ResponseWriter) http.ResponseWriter {
	if _, ok := w.(watching); ok {
		return w
	}
	watched := watchers[capabilitiesOf(w)]()
	self := watched.self()
	self.ResponseWriter = w
	h := w.Header()
	self.encoding, self.caching = h["Content-Encoding"], h["Cache-Control"]
	return watched
}

// Began reports whether the response has begun, if w comes from [Watch] or wraps such a
// writer and returns it from its Unwrap method. Otherwise it returns false.
//
// A response begins with a status of 200 or more, status 101, a Write, even of nothing,
// bytes that ReadFrom copied, a flush and a hijack. A hijack through an Unwrap that
// bypasses w is not noticed.
func Began(w http.ResponseWriter) bool {
	for {
		if s, ok := w.(watching); ok && s.self().began {
			return true
		}
		u, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return false
		}
		w = u.Unwrap()
	}
}

// DropBodyHeaders removes, if w comes from [Watch], the headers that a handler has set
// for a body that it did not send. Content-Encoding and Cache-Control become what they
// were when Watch was called: middleware may have set them for every answer.
func DropBodyHeaders(w http.ResponseWriter) {
	s, ok := w.(watching)
	if !ok {
		return
	}
	h := w.Header()
	for _, name := range []string{"Content-Length", "Content-Type", "Etag", "Last-Modified"} {
		delete(h, name)
	}
	restore(h, "Content-Encoding", s.self().encoding)
	restore(h, "Cache-Control", s.self().caching)
}

// restore sets a header to its former lines, or removes it if there were none.
func restore(h http.Header, name string, lines []string) {
	if lines == nil {
		delete(h, name)
	} else {
		h[name] = lines
	}
}

// The capabilities of a writer. A set of them is an index of watchers.
const (
	canF = 1 << iota
	canH
	canP
	canR
	canS
	capabilitySets = 1 << iota
)

// capabilitiesOf returns the set of the five methods that w has.
func capabilitiesOf(w http.ResponseWriter) (set int) {
	if _, ok := w.(http.Flusher); ok {
		set |= canF
	}
	if _, ok := w.(http.Hijacker); ok {
		set |= canH
	}
	if _, ok := w.(http.Pusher); ok {
		set |= canP
	}
	if _, ok := w.(io.ReaderFrom); ok {
		set |= canR
	}
	if _, ok := w.(io.StringWriter); ok {
		set |= canS
	}
	return set
}

// A watcher notes when the response begins and passes every call on.
type watcher struct {
	http.ResponseWriter
	began bool
	// encoding and caching are Content-Encoding and Cache-Control as they were when it
	// was made.
	encoding, caching []string
}

// watching is implemented by all watchers, and by nothing else.
type watching interface {
	http.ResponseWriter
	self() *watcher
}

func (w *watcher) self() *watcher { return w }

// Unwrap is for [http.ResponseController].
func (w *watcher) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *watcher) WriteHeader(code int) {
	if code >= 200 || code == http.StatusSwitchingProtocols {
		w.began = true
	}
	w.ResponseWriter.WriteHeader(code)
}

func (w *watcher) Write(p []byte) (int, error) {
	w.began = true
	return w.ResponseWriter.Write(p)
}

// FlushError is for [http.ResponseController], which looks for it first. Without
// it the controller would flush past w where only a wrapped writer has a Flush.
func (w *watcher) FlushError() error {
	err := http.NewResponseController(w.ResponseWriter).Flush()
	if !errors.Is(err, http.ErrNotSupported) {
		w.began = true
	}
	return err
}

// The optional methods. Only a watcher of a writer that has a method calls it.

func (w *watcher) flush() {
	w.began = true
	w.ResponseWriter.(http.Flusher).Flush()
}

func (w *watcher) hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := w.ResponseWriter.(http.Hijacker).Hijack()
	if err == nil {
		w.began = true
	}
	return conn, rw, err
}

func (w *watcher) push(target string, o *http.PushOptions) error {
	return w.ResponseWriter.(http.Pusher).Push(target, o)
}

// readFrom does not begin the response if src is empty or fails at once, as the
// server does not.
func (w *watcher) readFrom(src io.Reader) (int64, error) {
	n, err := w.ResponseWriter.(io.ReaderFrom).ReadFrom(src)
	if n > 0 {
		w.began = true
	}
	return n, err
}

func (w *watcher) writeString(s string) (int, error) {
	w.began = true
	return w.ResponseWriter.(io.StringWriter).WriteString(s)
}

type (
	watcherF     struct{ watcher }
	watcherH     struct{ watcher }
	watcherFH    struct{ watcherF }
	watcherP     struct{ watcher }
	watcherFP    struct{ watcherF }
	watcherHP    struct{ watcherH }
	watcherFHP   struct{ watcherFH }
	watcherR     struct{ watcher }
	watcherFR    struct{ watcherF }
	watcherHR    struct{ watcherH }
	watcherFHR   struct{ watcherFH }
	watcherPR    struct{ watcherP }
	watcherFPR   struct{ watcherFP }
	watcherHPR   struct{ watcherHP }
	watcherFHPR  struct{ watcherFHP }
	watcherS     struct{ watcher }
	watcherFS    struct{ watcherF }
	watcherHS    struct{ watcherH }
	watcherFHS   struct{ watcherFH }
	watcherPS    struct{ watcherP }
	watcherFPS   struct{ watcherFP }
	watcherHPS   struct{ watcherHP }
	watcherFHPS  struct{ watcherFHP }
	watcherRS    struct{ watcherR }
	watcherFRS   struct{ watcherFR }
	watcherHRS   struct{ watcherHR }
	watcherFHRS  struct{ watcherFHR }
	watcherPRS   struct{ watcherPR }
	watcherFPRS  struct{ watcherFPR }
	watcherHPRS  struct{ watcherHPR }
	watcherFHPRS struct{ watcherFHPR }
)

func (w *watcherF) Flush()                                          { w.flush() }
func (w *watcherH) Hijack() (net.Conn, *bufio.ReadWriter, error)    { return w.hijack() }
func (w *watcherFH) Hijack() (net.Conn, *bufio.ReadWriter, error)   { return w.hijack() }
func (w *watcherP) Push(target string, o *http.PushOptions) error   { return w.push(target, o) }
func (w *watcherFP) Push(target string, o *http.PushOptions) error  { return w.push(target, o) }
func (w *watcherHP) Push(target string, o *http.PushOptions) error  { return w.push(target, o) }
func (w *watcherFHP) Push(target string, o *http.PushOptions) error { return w.push(target, o) }
func (w *watcherR) ReadFrom(src io.Reader) (int64, error)           { return w.readFrom(src) }
func (w *watcherFR) ReadFrom(src io.Reader) (int64, error)          { return w.readFrom(src) }
func (w *watcherHR) ReadFrom(src io.Reader) (int64, error)          { return w.readFrom(src) }
func (w *watcherFHR) ReadFrom(src io.Reader) (int64, error)         { return w.readFrom(src) }
func (w *watcherPR) ReadFrom(src io.Reader) (int64, error)          { return w.readFrom(src) }
func (w *watcherFPR) ReadFrom(src io.Reader) (int64, error)         { return w.readFrom(src) }
func (w *watcherHPR) ReadFrom(src io.Reader) (int64, error)         { return w.readFrom(src) }
func (w *watcherFHPR) ReadFrom(src io.Reader) (int64, error)        { return w.readFrom(src) }
func (w *watcherS) WriteString(s string) (int, error)               { return w.writeString(s) }
func (w *watcherFS) WriteString(s string) (int, error)              { return w.writeString(s) }
func (w *watcherHS) WriteString(s string) (int, error)              { return w.writeString(s) }
func (w *watcherFHS) WriteString(s string) (int, error)             { return w.writeString(s) }
func (w *watcherPS) WriteString(s string) (int, error)              { return w.writeString(s) }
func (w *watcherFPS) WriteString(s string) (int, error)             { return w.writeString(s) }
func (w *watcherHPS) WriteString(s string) (int, error)             { return w.writeString(s) }
func (w *watcherFHPS) WriteString(s string) (int, error)            { return w.writeString(s) }
func (w *watcherRS) WriteString(s string) (int, error)              { return w.writeString(s) }
func (w *watcherFRS) WriteString(s string) (int, error)             { return w.writeString(s) }
func (w *watcherHRS) WriteString(s string) (int, error)             { return w.writeString(s) }
func (w *watcherFHRS) WriteString(s string) (int, error)            { return w.writeString(s) }
func (w *watcherPRS) WriteString(s string) (int, error)             { return w.writeString(s) }
func (w *watcherFPRS) WriteString(s string) (int, error)            { return w.writeString(s) }
func (w *watcherHPRS) WriteString(s string) (int, error)            { return w.writeString(s) }
func (w *watcherFHPRS) WriteString(s string) (int, error)           { return w.writeString(s) }

// watchers holds a constructor for each set of capabilities.
var watchers = [capabilitySets]func() watching{
	newWatcher[watcher], newWatcher[watcherF], newWatcher[watcherH], newWatcher[watcherFH],
	newWatcher[watcherP], newWatcher[watcherFP], newWatcher[watcherHP], newWatcher[watcherFHP],
	newWatcher[watcherR], newWatcher[watcherFR], newWatcher[watcherHR], newWatcher[watcherFHR],
	newWatcher[watcherPR], newWatcher[watcherFPR], newWatcher[watcherHPR], newWatcher[watcherFHPR],
	newWatcher[watcherS], newWatcher[watcherFS], newWatcher[watcherHS], newWatcher[watcherFHS],
	newWatcher[watcherPS], newWatcher[watcherFPS], newWatcher[watcherHPS], newWatcher[watcherFHPS],
	newWatcher[watcherRS], newWatcher[watcherFRS], newWatcher[watcherHRS], newWatcher[watcherFHRS],
	newWatcher[watcherPRS], newWatcher[watcherFPRS], newWatcher[watcherHPRS], newWatcher[watcherFHPRS],
}

func newWatcher[T any, W interface {
	*T
	watching
}]() watching {
	return W(new(T))
}
