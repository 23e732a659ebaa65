// Package refuse writes the answers of a router to requests that it does not serve, and
// what the server's log is told.
package refuse

import (
	"io"
	"log"
	"net/http"
)

// Write answers with a line of text as [http.Error] does, and with an Allow
// header if allow is not empty. Where the header is still empty, which is nearly
// always, that takes half the time: all values are in one allocation.
func Write(w http.ResponseWriter, status int, line, allow string) {
	h := w.Header()
	if len(h) > 0 {
		if allow != "" {
			h.Set("Allow", allow)
		}
		http.Error(w, line[:len(line)-1], status)
		return
	}
	var values []string
	if allow == "" {
		values = []string{"text/plain; charset=utf-8", "nosniff"}
	} else {
		values = []string{"text/plain; charset=utf-8", "nosniff", allow}
		h["Allow"] = values[2:3:3]
	}
	h["Content-Type"], h["X-Content-Type-Options"] = values[0:1:1], values[1:2:2]
	w.WriteHeader(status)
	io.WriteString(w, line)
}

// IsExpected reports whether an error with a reason of package middleware is not one of
// the program, or is already logged.
func IsExpected(reason string) bool {
	return reason == "overloaded" || reason == "panic" || reason == "timeout"
}

// Log writes an error of a handler to the log of the server that r came from. The text
// is quoted, since parts of it may come from a client.
func Log(r *http.Request, err error) {
	logf := log.Printf
	if s, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && s.ErrorLog != nil {
		logf = s.ErrorLog.Printf
	}
	logf("muxwell: %q request to pattern %q: %q", r.Method, r.Pattern, err.Error())
}
