package middleware

import (
	"fmt"
	"net/http"
)

// MaxBytes limits the bodies of requests to n bytes. A request that announces more is
// answered 413 at once, without the handler. One that does not, but sends more, fails
// when the handler reads on: with an [*http.MaxBytesError], which the handler answers
// with 413, and the server closes a connection of HTTP/1; behind [Timeout] only if
// more than 256 KB of the body are left.
//
// Safe: never more than n bytes of the body reach the handler. Not safe: a body that
// the handler decompresses becomes as long as it likes. Of two MaxBytes around a
// handler the smaller counts, so a route that takes more must not stand in a group
// that takes less. MaxBytes panics if n is negative.
func MaxBytes(n int64) func(http.Handler) http.Handler {
	if n < 0 {
		panic(fmt.Sprintf("middleware: MaxBytes: limit %d is negative; use 0 for requests without a body", n))
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ContentLength > n {
				if r.ProtoMajor == 1 {
					w.Header().Set("Connection", "close") // the server would read some of it for nothing
				}
				http.Error(w, http.StatusText(http.StatusRequestEntityTooLarge), http.StatusRequestEntityTooLarge)
				return
			}
			if r.Body != nil && r.Body != http.NoBody {
				// The server is told of a breach through its own writer only.
				r.Body = http.MaxBytesReader(innermost(w), r.Body, n)
			}
			next.ServeHTTP(w, r)
		})
	}
}
