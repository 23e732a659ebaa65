// Package middleware has middleware for HTTP servers. It imports only the standard
// library, and works with every router whose middleware has the type
//
//	func(next http.Handler) http.Handler
//
// as muxwell's Middleware does. The documentation of each function says what is safe
// and what is not.
//
//	RequestID         an ID for each request, in its context and the response
//	ClientIP          the client's address behind trusted proxies
//	Log               a log line for each request: path, pattern, status, bytes, duration, client, user
//	Metrics           the same for a function that counts, by pattern
//	Recover           500 and a log entry for a handler that panics
//	SecureHeaders     headers that restrict what browsers do for other sites
//	RateLimit         limits requests in a period, for each key
//	Timeout           a deadline in the context, and 503 when it expires
//	Deadline          a deadline in the context only
//	Throttle          limits concurrent requests, for each key, with a backlog
//	MaxBytes          limits the length of bodies
//	NoTimeout, …      lift the limits around them: NoMaxBytes, NoThrottle, NoRateLimit
//	BasicAuth         names and passwords
//	BearerAuth        tokens
//	NoCache           forbids storing the response
//	ETag              304 for clients that have the response
//	Deprecated        announces that a resource is deprecated
//	Canonical         one host and scheme for each site
//	MethodOverride    PUT, PATCH and DELETE for clients that can only POST
//
// [AddAttrs] adds attributes to the line of Log. [LogHandler] adds the request ID, the
// trace ID and the pattern to everything that is logged with the context of a request.
//
// # Order
//
// The first middleware is the outermost. The list above is in the recommended order,
// except for the last two, which come first of all. They change what the router uses
// for matching, so they wrap the mux.
//
//	m.Use(
//		middleware.RequestID(nil),
//		middleware.ClientIP(middleware.FromXForwardedFor(proxies...)),
//		middleware.Log(logger, nil),
//		middleware.Recover(logger),
//		middleware.SecureHeaders(nil),
//		middleware.RateLimit(100, time.Minute, nil),
//		middleware.Timeout(10*time.Second),
//		middleware.Throttle(200, &middleware.ThrottleOptions{Backlog: 100}),
//		middleware.MaxBytes(1<<20),
//	)
//	private := m.With(middleware.BearerAuth("api", middleware.Tokens(tokens)))
//	server.Handler = middleware.Canonical("https://www.example.com", nil)(m)
//
// If Log, Metrics and Recover directly follow each other, they share one writer. RequestID
// and a Log inside of it share one copy of the request.
//
// # In a mux
//
// In a muxwell.Mux, the middleware around a route works together, if it was passed to Use
// or With itself. Elsewhere, also inside of a function that calls several, these rules do
// not apply, and each middleware answers and limits by itself.
//
//   - The ErrorHandler of the nearest group or of the mux answers rejected requests.
//   - Of several Timeout, Deadline and NoTimeout, the nearest to the route wins. The same
//     holds for MaxBytes and NoMaxBytes. The limit is enforced where the outermost one is.
//   - All RateLimit and all Throttle apply, except those around a NoRateLimit or NoThrottle.
//   - ClientIP and Canonical trust the mux's TrustedProxies if they are given no proxies.
//
// # Common properties
//
// Options are a pointer to a struct, which may be nil and whose zero fields are
// defaults. An invalid option panics when the middleware is made, before anything is
// served. Middleware may be used for many routes and by many goroutines. Its counts
// belong to the call that made it, not to a route. Nothing that a handler can keep is
// reused.
//
// A handler that is given a value in its context gets a copy of the request. When it
// returns, the pattern and the form of the copy are set in the original request. So Log
// may be outside of the mux, and the server removes the temporary files of forms.
//
// # What is not here
//
//	forged requests     http.CrossOriginProtection, as in the example
//	CORS                github.com/rs/cors, outside of authentication: a preflight has no credentials
//	compression         github.com/klauspost/compress/gzhttp
//	tracing             go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp
//	Prometheus          a hook of Metrics that counts with github.com/prometheus/client_golang
//	sessions, JWT       a check of BearerAuth that calls the library of your choice
//	shared limits       the proxy in front of several servers, or a store that they share
package middleware
