package middleware

import (
	"fmt"
	"net/http"
)

// MaxBytes limits the bodies of requests to n bytes. A request that announces more is
// answered with 413 without calling the handler. If a request announces less or nothing
// but sends more, the handler's next read fails with an [*http.MaxBytesError]. The
// handler should then answer 413, and the server closes an HTTP/1 connection; inside of
// [Timeout] only if more than 256 KB of the body are left.
//
// Safe: never more than n bytes of the body reach the handler. Not safe: a body that
// the handler decompresses may have any length. If a handler is in two MaxBytes, the
// smaller limit applies, so a route that allows more must not be in a group that allows
// less. MaxBytes panics if n is negative.
func MaxBytes(n int64) func(http.Handler) http.Handler {
	if n < 0 {
		panic(fmt.Sprintf("middleware: MaxBytes: limit %d is negative; use 0 for requests without a body", n))
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ContentLength > n {
				if r.ProtoMajor == 1 {
					w.Header().Set("Connection", "close") // otherwise the server would read some of it in vain
				}
				http.Error(w, http.StatusText(http.StatusRequestEntityTooLarge), http.StatusRequestEntityTooLarge)
				return
			}
			if r.Body != nil && r.Body != http.NoBody {
				// MaxBytesReader notifies the server only through the server's own writer.
				r.Body = http.MaxBytesReader(innermost(w), r.Body, n)
			}
			next.ServeHTTP(w, r)
		})
	}
}
