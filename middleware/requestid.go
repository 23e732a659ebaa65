package middleware

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"fmt"
	"net/http"
	"strings"
)

// RequestIDOptions are the options of [RequestID].
type RequestIDOptions struct {
	// Header is the name of the header, in the request and in the response. If it is
	// empty, it is X-Request-Id.
	Header string
	// Ignore makes a new ID for every request, whatever the client sent. It is for
	// servers that face the public without a proxy that sets the header.
	Ignore bool
	// TraceParent also reads the trace ID of the header traceparent, as [TraceIDFrom]
	// describes. Clients can choose it.
	TraceParent bool
}

// maxRequestID is the length of the longest ID that is accepted from a client.
const maxRequestID = 64

// RequestID gives each request an ID. It is that of the request's header, if that has
// one line of 1 to 64 of the characters A-Z a-z 0-9 . _ -, otherwise a new one.
// [RequestIDFrom] returns the ID from the request's context, and the response has it in
// the header. The request's header is not changed. o may be nil.
//
// A new ID has 26 characters, 128 random bits of [crypto/rand]. So it reveals neither
// the IDs of other requests nor their number. A prefix with a counter would save 0.1 µs
// but reveal both.
//
// Safe: an ID can be logged, and be used in a header or, with a prefix of your own, in
// a file name ("." and ".." are valid IDs). Not safe: IDs are not necessarily unique
// and prove nothing, since clients can choose them.
//
// Put RequestID outside of [Log] and [Recover], which log the ID. RequestID panics if
// Header is not a valid header name.
func RequestID(o *RequestIDOptions) func(http.Handler) http.Handler {
	if o == nil {
		o = &RequestIDOptions{}
	}
	header, ignore, trace := "X-Request-Id", o.Ignore, o.TraceParent
	if o.Header != "" {
		if header = http.CanonicalHeaderKey(o.Header); !isFieldName(header) {
			panic(fmt.Sprintf("middleware: RequestID: %q is not a valid header name; use one such as X-Request-Id", o.Header))
		}
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			id := ""
			if !ignore {
				id = onlyValue(r.Header, header)
			}
			if !isRequestID(id) {
				id = newRequestID()
			}
			s := &scope{Context: r.Context(), id: id, header: [1]string{id}, pattern: r.Pattern}
			if trace {
				s.traceID = parseTraceParent(onlyValue(r.Header, "Traceparent"))
			}
			w.Header()[header] = s.header[:]
			serveWith(s, next, w, r)
		})
	}
}

// RequestIDFrom returns the ID that [RequestID] has given to the request whose context
// is ctx or a parent of ctx, or "".
func RequestIDFrom(ctx context.Context) string {
	if s := scopeOf(ctx); s != nil {
		return s.id
	}
	return ""
}

// TraceIDFrom returns the trace ID that the client of a request has sent, 32 lowercase
// hexadecimal digits, or "". ctx is the request's context or a child of it. A RequestID
// with the option TraceParent has read it from the header traceparent (W3C Trace
// Context), if that was valid and sent once.
func TraceIDFrom(ctx context.Context) string {
	if s := scopeOf(ctx); s != nil {
		return s.traceID
	}
	return ""
}

// newRequestID is like rand.Text, but reads 16 random bytes instead of 26, which takes a
// quarter less time.
func newRequestID() string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // it never fails
	var text [26]byte
	requestIDEncoding.Encode(text[:], random[:])
	return string(text[:])
}

var requestIDEncoding = base32.StdEncoding.WithPadding(base32.NoPadding)

func isRequestID(s string) bool {
	for i := range len(s) {
		if c := s[i]; !isAlnum(c) && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return s != "" && len(s) <= maxRequestID
}

// parseTraceParent returns the trace ID of a header traceparent, or "" if it is invalid:
//
//	traceparent = version "-" trace-id "-" parent-id "-" flags   ; 2, 32, 16, 2 digits
//
// Digits are hexadecimal and lowercase. A version above 00 may have more after another
// "-". Version ff and IDs of zeros are invalid.
func parseTraceParent(s string) string {
	const length = len("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	if len(s) < length || len(s) > length && (s[:2] == "00" || s[length] != '-') {
		return ""
	}
	for i := range length {
		isDash := i == 2 || i == 35 || i == 52
		if c := s[i]; isDash && c != '-' || !isDash && !('0' <= c && c <= '9' || 'a' <= c && c <= 'f') {
			return ""
		}
	}
	if id := s[3:35]; s[:2] != "ff" && strings.Trim(id, "0") != "" && strings.Trim(s[36:52], "0") != "" {
		return id
	}
	return ""
}
