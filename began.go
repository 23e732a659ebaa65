package muxwell

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
)

// Whether a response has begun is known to the server only, so the writer that
// an errorFunc gives its handler takes note. It must not hide what the server's
// writer can do besides, nor claim what it cannot: handlers ask for it by type.
// So there is a type for each set of the five methods, named by their letters:
//
//	F Flush   H Hijack   P Push   R ReadFrom   S WriteString
//
//	watcher ─ F ─► watcherF ─ R ─► watcherFR ─ S ─► watcherFRS
//
// Each is the one before with a method more, and one allocation.

// Began reports whether a response has begun, so that its status and its headers
// can no longer be changed: a status other than 1xx was written, or 101, or some
// of the body, or w was flushed or hijacked. It knows of what went through the
// w that a handler of [Mux.HandleError] and an [ErrorHandler] are given. w is that, or
// one around it that has a method Unwrap() http.ResponseWriter; for others
// Began reports false.
//
// A Hijack that the server's writer offers through Unwrap only, past a writer of
// middleware without that method, is not noticed.
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

// watch returns a writer that notes when the response begins.
func watch(w http.ResponseWriter) http.ResponseWriter {
	if _, ok := w.(watching); ok {
		return w
	}
	s := watchers[skillsOf(w)]()
	self := s.self()
	self.ResponseWriter = w
	_, self.encoded = w.Header()["Content-Encoding"]
	return s
}

// The skills of a writer, which number the watchers.
const (
	skillF = 1 << iota
	skillH
	skillP
	skillR
	skillS
	skillSets = 1 << iota
)

// skillsOf returns the set of the five methods that w has.
func skillsOf(w http.ResponseWriter) (set int) {
	if _, ok := w.(http.Flusher); ok {
		set |= skillF
	}
	if _, ok := w.(http.Hijacker); ok {
		set |= skillH
	}
	if _, ok := w.(http.Pusher); ok {
		set |= skillP
	}
	if _, ok := w.(io.ReaderFrom); ok {
		set |= skillR
	}
	if _, ok := w.(io.StringWriter); ok {
		set |= skillS
	}
	return set
}

// A watcher notes when the response begins, and does all else as the writer in it.
type watcher struct {
	http.ResponseWriter
	began   bool
	encoded bool // it had a Content-Encoding before the handler was called
}

// watching is what all watchers have in common.
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

// FlushError is for [http.ResponseController], which looks for it first: without
// it the controller would flush past w where only a writer below has a Flush.
func (w *watcher) FlushError() error {
	err := http.NewResponseController(w.ResponseWriter).Flush()
	if !errors.Is(err, http.ErrNotSupported) {
		w.began = true
	}
	return err
}

// The methods behind those of the watchers, each of a writer that has it.

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

// readFrom begins no response if src has nothing, or fails at once: the server
// does not either.
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

// watchers make a watcher for each set of skills.
var watchers = [skillSets]func() watching{
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
