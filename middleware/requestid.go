package middleware

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
)

// RequestIDOptions are the options of [RequestID].
type RequestIDOptions struct {
	// Header is the header that the id is read from and answered in. If it is empty,
	// X-Request-Id is.
	Header string
	// Ignore makes an id for every request, whatever the client sent. It is for
	// servers that face the public without a proxy that sets the header.
	Ignore bool
}

// maxRequestID is the length of the longest id that is taken from a client.
const maxRequestID = 64

// RequestID gives each request an id: that of the request's header if there is one
// line of it, of 1 to 64 of the characters A-Z a-z 0-9 . _ -, else a new one. The id
// is in the context, see [RequestIDFrom], and in the response's header. The request's
// header is left as it was. o may be nil.
//
// A new id has 26 characters and at least 128 random bits of [crypto/rand]: nobody
// guesses another request's from it, nor counts requests. A prefix with a counter,
// which would save 0.2 µs, lets both be done.
//
// Safe: an id can be logged, and put in a header or a file's name prefixed by text of
// your own ("." and ".." are ids). Not safe: to take it for unique, or for a proof of
// anything, since a client chooses what it sends.
//
// It stands outside of [Log] and [Recover], which log the id. RequestID panics if
// Header is no name of a header.
func RequestID(o *RequestIDOptions) func(http.Handler) http.Handler {
	if o == nil {
		o = &RequestIDOptions{}
	}
	header, ignore := "X-Request-Id", o.Ignore
	if o.Header != "" {
		if header = http.CanonicalHeaderKey(o.Header); !isFieldName(header) {
			panic(fmt.Sprintf("middleware: RequestID: %q is not a valid header name; use one such as X-Request-Id", o.Header))
		}
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			id := onlyValue(r.Header, header)
			if ignore || !isRequestID(id) {
				id = rand.Text()
			}
			ctx := &requestIDContext{Context: r.Context(), id: id, line: [1]string{id}}
			w.Header()[header] = ctx.line[:]
			serveWith(ctx, next, w, r)
		})
	}
}

// RequestIDFrom returns the id that [RequestID] has given to the request whose
// context ctx is or comes from, or "".
func RequestIDFrom(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(*string)
	if id == nil {
		return ""
	}
	return *id
}

type requestIDKey struct{}

// A requestIDContext is what context.WithValue returns and the value, in one
// allocation. The line of the header has its own place, in case that a handler
// changes it.
type requestIDContext struct {
	context.Context
	id   string
	line [1]string
}

func (c *requestIDContext) Value(key any) any {
	if key == (requestIDKey{}) {
		return &c.id
	}
	return c.Context.Value(key)
}

func isRequestID(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isAlnum(c) && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return s != "" && len(s) <= maxRequestID
}
