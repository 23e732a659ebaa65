package middleware

import (
	"bufio"
	"errors"
	"io"
	"net"
	"net/http"
)

// Only the server's writer knows what was sent, so Log, Metrics and Recover wrap it.
// The wrapper must neither hide optional methods of the server's writer nor claim
// methods that it lacks, since handlers check for them by type. There is one wrapper
// for each kind of writer, and each is one allocation:
//
//	HTTP/1     streamWriter1   Flush, Hijack
//	HTTP/2     streamWriter2   Flush, Push
//	recorders  flushWriter     Flush
//	others     writer          reached through Unwrap by http.ResponseController
//
// All have ReadFrom, so that the kernel can still send files, and WriteString. A writer
// is never reused: a handler may have kept it.

// A writer records the status and the length of a response.
type writer struct {
	http.ResponseWriter
	status   int   // 0 until it is known
	bytes    int64 // of the body, as the handler wrote it
	hijacked bool
}

// An observer is a writer of this file.
type observer interface {
	http.ResponseWriter
	observed() *writer
}

// observe returns a writer around w, or w itself if it already is one: both would see
// the same.
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

// innermost returns the server's writer: w itself, or the one that it wraps.
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

// final returns the status of a response whose handler has returned. A hijacked
// connection counts as 101, since it is unknown what was sent.
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

// WriteHeader passes everything on, including a second status, which the server logs.
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
// first bytes, if there are any, are written here: src may panic after them.
func (w *writer) ReadFrom(src io.Reader) (n int64, err error) {
	to, ok := w.ResponseWriter.(io.ReaderFrom)
	if !ok {
		return io.Copy(onlyWriter{w}, src)
	}
	if !w.began() {
		const sniffed = 512 // by the server, for the content type
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

// onlyWriter hides all other methods, so that io.Copy copies.
type onlyWriter struct{ io.Writer }

// begin records that the server sends status 200 if no other was set.
func (w *writer) begin() {
	if !w.began() {
		w.status = http.StatusOK
	}
}

// FlushError is for [http.ResponseController], which would otherwise flush past w.
func (w *writer) FlushError() error {
	err := http.NewResponseController(w.ResponseWriter).Flush()
	if !errors.Is(err, http.ErrNotSupported) {
		w.begin()
	}
	return err
}

// A flushWriter is a writer around one that has Flush.
type flushWriter struct{ writer }

// Flush cannot return an error; a broken connection shows in Write.
func (w *flushWriter) Flush() { _ = w.FlushError() }

// A streamWriter1 is a writer around that of an HTTP/1 server.
type streamWriter1 struct{ flushWriter }

// Hijack records that the connection no longer belongs to the server.
func (w *streamWriter1) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := w.ResponseWriter.(http.Hijacker).Hijack()
	if err == nil {
		w.hijacked = true
	}
	return conn, rw, err
}

// A streamWriter2 is a writer around that of an HTTP/2 server.
type streamWriter2 struct{ flushWriter }

// Push sends what the client will request next.
func (w *streamWriter2) Push(target string, o *http.PushOptions) error {
	return w.ResponseWriter.(http.Pusher).Push(target, o)
}
