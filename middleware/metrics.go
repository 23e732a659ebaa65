package middleware

import (
	"net/http"
	"time"
)

// A Measure is what [Metrics] reports about a request that has been answered.
type Measure struct {
	Method   string        // GET, HEAD, POST, PUT, PATCH, DELETE, CONNECT, OPTIONS, TRACE or OTHER
	Pattern  string        // of the route, or "" if none matched
	Status   int           // of the response; 0 if the handler panicked before there was one
	Bytes    int64         // of the body that the handler wrote
	Duration time.Duration // until the handler returned
	Aborted  bool          // the handler panicked
}

// Metrics calls hook for each request after it was answered. hook must be safe for
// concurrent use, and each request waits for it.
//
// Safe: Method and Pattern have few values, whatever clients send, so they can be
// labels of a counter. Metrics costs one allocation, or none if [Log], [Recover] or
// another Metrics is directly around it. It may be outside of the mux; see [Log].
// Metrics panics if hook is nil.
func Metrics(hook func(Measure)) func(http.Handler) http.Handler {
	if hook == nil {
		panic("middleware: Metrics: nil function; pass one that records the measurements")
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			o, start, returned := observe(w), time.Now(), false
			defer func() {
				m := Measure{
					Method: knownMethod(r.Method), Pattern: r.Pattern, Status: o.observed().status,
					Bytes: o.observed().bytes, Duration: time.Since(start), Aborted: !returned,
				}
				if returned {
					m.Status = o.observed().final()
				}
				hook(m)
			}()
			next.ServeHTTP(o, r)
			returned = true
		})
	}
}

// knownMethod returns a method of RFC 9110 or RFC 5789 unchanged, and OTHER for all
// others.
func knownMethod(method string) string {
	switch method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE":
		return method
	}
	return "OTHER"
}
