// Package middleware has what stands around the handlers of a server. It imports the
// standard library only, and works with every router that takes
//
//	func(next http.Handler) http.Handler
//
// which is muxwell's Middleware. What is safe and what is not, each one says.
//
//	RequestID         an id for each request, in its context and the response
//	ClientIP          the client's address behind proxies that are named
//	Log               a line for each request: method, pattern, status, bytes, duration, id
//	Metrics           the same for a function that counts, by pattern
//	Recover           500 and a log entry for a handler that panics
//	SecureHeaders     headers by which browsers do less on behalf of others
//	RateLimit         requests in a period, for each key
//	Timeout           a deadline in the context, and 503 at it
//	Throttle          requests at a time, for each key, with a backlog
//	MaxBytes          the length of bodies
//	BasicAuth         names and passwords
//	BearerAuth        tokens
//	NoCache           nothing keeps the response
//	ETag              304 for those who have the response
//	Deprecated        tells that a resource should not be used any more
//	Canonical         one host and scheme for each site
//	MethodOverride    PUT, PATCH and DELETE for clients that only POST
//
// # Order
//
// The first is the outermost. The list above is in order, but for the last two, which
// come first of all: they change what the router goes by, so they are around the mux.
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
// Log, Metrics and Recover that stand directly around each other share one writer.
//
// # What they have in common
//
// Options are a pointer to a struct, whose zero fields are defaults, or nil. A wrong
// option panics when the middleware is made, before anything is served. Middleware
// may be used for many routes and by many goroutines; what it counts belongs to the
// call that made it, not to a route. Nothing that a handler can keep is reused.
//
// A handler that is given a value in its context gets a copy of the request. The
// pattern and the form that are set in the copy are handed back when it returns, so
// that Log may stand outside of the mux, and the server removes the files of forms.
//
// # What is not here
//
//	forged requests     http.CrossOriginProtection, as the example has it
//	CORS                github.com/rs/cors, outside of what asks for credentials: a preflight has none
//	compression         github.com/klauspost/compress/gzhttp
//	tracing             go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp
//	Prometheus          a hook of Metrics that counts with github.com/prometheus/client_golang
//	sessions, JWT       a check of BearerAuth that asks the library of your choice
//	shared limits       the proxy in front of several servers, or a store that they share
package middleware
