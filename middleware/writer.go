package middleware

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
)

// What became of a response is known to the server only, so Log, Metrics and Recover
// put a writer around the server's. It must not hide what the server's can do
// besides, nor claim what it cannot: handlers ask for it by type. There is one for
// each of the server's kinds, and each is one allocation:
//
//	HTTP/1     streamWriter1   Flush, Hijack
//	HTTP/2     streamWriter2   Flush, Push
//	recorders  flushWriter     Flush
//	others     writer          reached through Unwrap by http.ResponseController
//
// All have ReadFrom, so that files are still sent by the kernel, and WriteString. The
// writer is never reused: a handler may have kept it.

// A writer notes the status and the length of a response.
type writer struct {
	http.ResponseWriter
	status   int   // 0 before it is known
	bytes    int64 // of the body, as the handler wrote it
	hijacked bool
}

// An observer is a writer of this file.
type observer interface {
	http.ResponseWriter
	observed() *writer
}

// observe returns a writer around w, or w if it is one already: the same passes
// through both.
func observe(w http.ResponseWriter) observer {
	if o, ok := w.(observer); ok {
		return o
	}
	if _, ok := w.(http.Flusher); !ok {
		return &writer{ResponseWriter: w}
	}
	if _, ok := w.(http.Hijacker); ok {
		return &streamWriter1{flushWriter{writer{ResponseWriter: w}}}
	}
	if _, ok := w.(http.Pusher); ok {
		return &streamWriter2{flushWriter{writer{ResponseWriter: w}}}
	}
	return &flushWriter{writer{ResponseWriter: w}}
}

// innermost returns the server's writer, of which w is one or wraps it.
func innermost(w http.ResponseWriter) http.ResponseWriter {
	for {
		u, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return w
		}
		w = u.Unwrap()
	}
}

func (w *writer) observed() *writer { return w }

// began reports whether the response has begun, so that its status can no longer be
// chosen.
func (w *writer) began() bool { return w.status != 0 || w.hijacked }

// final returns the status of a response whose handler has returned. A connection
// that was taken over counts as 101: what was sent is not known.
func (w *writer) final() int {
	switch {
	case w.status != 0:
		return w.status
	case w.hijacked:
		return http.StatusSwitchingProtocols
	}
	return http.StatusOK
}

// Unwrap is for [http.ResponseController].
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader passes everything on, a second status too, which the server logs.
func (w *writer) WriteHeader(status int) {
	w.ResponseWriter.WriteHeader(status)
	if isFinal(status) && !w.began() {
		w.status = status
	}
}

// isFinal reports whether no other status can follow this one.
func isFinal(status int) bool {
	return status >= 200 || status == http.StatusSwitchingProtocols
}

func (w *writer) Write(p []byte) (int, error) {
	w.begin()
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

func (w *writer) WriteString(s string) (int, error) {
	w.begin()
	n, err := io.WriteString(w.ResponseWriter, s)
	w.bytes += int64(n)
	return n, err
}

// ReadFrom leaves the copying to the server's writer once the response has begun. The
// first bytes, if there are any, begin it here: src may panic behind them.
func (w *writer) ReadFrom(src io.Reader) (n int64, err error) {
	to, ok := w.ResponseWriter.(io.ReaderFrom)
	if !ok {
		return io.Copy(onlyWriter{w}, src)
	}
	if !w.began() {
		const sniffed = 512 // by the server, for the type
		if n, err = io.CopyN(onlyWriter{w}, src, sniffed); err == io.EOF {
			return n, nil
		} else if err != nil {
			return n, err
		}
	}
	rest, err := to.ReadFrom(src)
	w.bytes += rest
	return n + rest, err
}

// onlyWriter hides all else, so that io.Copy copies.
type onlyWriter struct{ io.Writer }

// begin notes that the server sends status 200 if there was none.
func (w *writer) begin() {
	if !w.began() {
		w.status = http.StatusOK
	}
}

// FlushError is for [http.ResponseController], which would flush past w else.
func (w *writer) FlushError() error {
	err := http.NewResponseController(w.ResponseWriter).Flush()
	if !errors.Is(err, http.ErrNotSupported) {
		w.begin()
	}
	return err
}

// A flushWriter is a writer around one that has Flush.
type flushWriter struct{ writer }

// Flush has no error to return; a connection that is broken shows in Write.
func (w *flushWriter) Flush() { _ = w.FlushError() }

// A streamWriter1 is a writer around that of an HTTP/1 server.
type streamWriter1 struct{ flushWriter }

// Hijack notes that the connection is no longer the server's.
func (w *streamWriter1) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := w.ResponseWriter.(http.Hijacker).Hijack()
	if err == nil {
		w.hijacked = true
	}
	return conn, rw, err
}

// A streamWriter2 is a writer around that of an HTTP/2 server.
type streamWriter2 struct{ flushWriter }

// Push sends what the client will ask for next.
func (w *streamWriter2) Push(target string, o *http.PushOptions) error {
	return w.ResponseWriter.(http.Pusher).Push(target, o)
}
