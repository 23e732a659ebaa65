package soak

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/middleware"
)

// Handlers answer with what only the right handler knows: its pattern, its parameters, a
// digest of the body. So a client can identify the handler by the answer.

const (
	helloText = "hello from a file\n"
	oldHost   = "old.soak.test"
	largeBody = 1 << 20
	pieceSize = 1 << 10
)

// sayer returns a handler that answers with its pattern, a word, and the values of
// its parameters.
func sayer(word string, names ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var b strings.Builder
		b.WriteString(r.Pattern + word)
		for _, name := range names {
			b.WriteString(" " + name + "=" + r.PathValue(name))
		}
		_, _ = io.WriteString(w, b.String())
	}
}

// text returns a handler that answers with a status and a line.
func text(status int, line string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, line, status) })
}

// digest is echo's answer for a body.
func digest(body []byte) string {
	h := fnv.New64a()
	_, _ = h.Write(body)
	return fmt.Sprintf("%d bytes, fnv %x", len(body), h.Sum64())
}

// cutHeader marks a request whose client will not send the whole body. The handler must not
// see a complete body.
const cutHeader = "Soak-Cut"

// echo answers with the digest of the body.
func (a *app) echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if a.cut(r, err) {
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	_, _ = io.WriteString(w, digest(body))
}

// cut reports whether the client cut off the body, and records an error if reading the body
// succeeded.
func (a *app) cut(r *http.Request, err error) bool {
	if r.Header.Get(cutHeader) == "" {
		return false
	}
	if err == nil {
		a.faults.addf("aborted bodies", "%s: a body that was cut off looks whole to the handler", r.Pattern)
	}
	return true
}

// large answers with pieces that contain their offset.
func large(w http.ResponseWriter, _ *http.Request) {
	for at := 0; at < largeBody; at += pieceSize {
		if _, err := w.Write(piece(at)); err != nil {
			return
		}
	}
}

// piece returns the part of the large body that begins at an offset.
func piece(at int) []byte {
	line := fmt.Sprintf("%015d\n", at)
	return []byte(strings.Repeat(line, pieceSize/len(line)))
}

// stream answers as long as the client reads.
func (a *app) stream(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	end := time.After(patience)
	for {
		if _, err := w.Write(piece(0)); err != nil || control.Flush() != nil {
			return
		}
		select {
		case <-ticker.C:
		case <-r.Context().Done():
			return
		case <-end:
			a.faults.addf("aborted responses", "%s: the handler does not notice within %v that the client has left", r.Pattern, patience)
			return
		}
	}
}

// fail returns an error with a status, or one without.
func (a *app) fail(r *http.Request) error {
	if _, err := muxwell.Param[int](r, "n"); err != nil {
		return err
	}
	a.failed.Add(1)
	return errFailed
}

var errFailed = errors.New("soak: a handler failed, as it was asked to")

// panicking returns a handler that panics before it answers.
func (a *app) panicking(what string) http.HandlerFunc {
	return func(http.ResponseWriter, *http.Request) {
		a.panics.Add(1)
		panic("soak: " + what + " panics, as it was asked to")
	}
}

// rough registers handlers that panic, fail or stream.
func (a *app) rough() {
	route := func(pattern string, h http.HandlerFunc) { a.mux.HandleFunc(pattern, a.ledger.route(h)) }
	route("GET /large", large)
	route("GET /stream", a.stream)
	route("GET /panic/value", a.panicking("a handler"))
	route("GET /panic/runtime", func(http.ResponseWriter, *http.Request) {
		a.panics.Add(1)
		_ = calls[len(calls):][0]
	})
	route("GET /panic/late", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "begun")
		_ = http.NewResponseController(w).Flush()
		a.panics.Add(1)
		panic("soak: a handler panics behind the beginning of its answer, as it was asked to")
	})
	route("POST /panic/abort", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })

	a.mux.HandleError("GET /fail/{n}", func(w http.ResponseWriter, r *http.Request) (err error) {
		a.ledger.route(func(_ http.ResponseWriter, r *http.Request) { err = a.fail(r) })(w, r)
		return err
	})

	short := a.mux.With(middleware.Timeout(shortTimeout))
	short.Get("/timeout/slow", a.ledger.route(a.overdue))
	short.Get("/timeout/panic", a.ledger.route(a.overduePanic))
	short.Get("/timeout/begun", a.ledger.route(a.begun))
	short.Post("/timeout/upload", a.ledger.route(a.overdueUpload))
}
