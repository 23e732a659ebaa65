package middleware

import (
	"fmt"
	"net/http"

	"github.com/muxwell/muxwell/internal/compose"
)

// MaxBytes limits the bodies of requests to n bytes. A request that announces more is
// answered with 413 without calling the handler. If a request announces less or nothing
// but sends more, the handler's next read fails with an [*http.MaxBytesError]. The
// handler should then answer 413, and the server closes an HTTP/1 connection; inside of
// [Timeout] only if more than 256 KB of the body are left.
//
// Safe: never more than n bytes of the body reach the handler. Not safe: a body that
// the handler decompresses may have any length.
//
// Of several MaxBytes around a route in a mux, the one nearest to the route wins, even
// if it is larger, and is enforced where the outermost one is; [NoMaxBytes] lifts the
// limit. One around the mux itself applies too. MaxBytes panics if n is negative.
func MaxBytes(n int64) func(http.Handler) http.Handler {
	if n < 0 {
		panic(fmt.Sprintf("middleware: MaxBytes: limit %d is negative; use 0 for requests without a body", n))
	}
	return func(next http.Handler) http.Handler { return &bodyLimit{next, n, plain} }
}

// NoMaxBytes lifts every [MaxBytes] around it in a mux, for uploads. One around the mux
// itself is not lifted. NoMaxBytes is middleware: m.With(middleware.NoMaxBytes).
func NoMaxBytes(next http.Handler) http.Handler { return &bodyLimit{next, -1, plain} }

// A bodyLimit is the handler of MaxBytes and NoMaxBytes.
type bodyLimit struct {
	next   http.Handler
	n      int64 // -1 for none
	refuse refuser
}

// Join implements [compose.Part]. The outermost limit gets the value of the innermost
// one, so that it applies to middleware between them too.
func (l *bodyLimit) Join(c *compose.Chain) http.Handler {
	own := *l
	own.refuse = refuserOf(c)
	if inner, ok := c.Limit(bodyLimits).(*bodyLimit); ok {
		own.n, inner.n = inner.n, -1
	}
	c.SetLimit(bodyLimits, &own)
	return &own
}

const bodyLimits limitKind = "MaxBytes"

func (l *bodyLimit) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case l.n < 0:
	case r.ContentLength > l.n:
		if r.ProtoMajor == 1 {
			w.Header().Set("Connection", "close") // otherwise the server would read some of it in vain
		}
		l.refuse(w, r, compose.Refusal{Status: http.StatusRequestEntityTooLarge, Reason: "body_too_large"})
		return
	case r.Body != nil && r.Body != http.NoBody:
		// MaxBytesReader notifies the server only through the server's own writer.
		r.Body = http.MaxBytesReader(innermost(w), r.Body, l.n)
	}
	l.next.ServeHTTP(w, r)
}
