// Package soak is muxwell's reliability suite, which runs all kinds of clients against one
// server for some minutes. The server is on the loopback device and uses all features of
// the router and its middleware. Some clients behave well, and others do not.
//
//	go test -tags soak -v ./integrations/soak              five minutes
//	go test -tags soak -v ./integrations/soak -soak 1m     one minute
//	go test -tags soak -v ./integrations/soak -soak 10s    to try it
//	go test ./integrations/soak                            a few seconds, everything once
//
// The flag -soak comes after the package, so that the go command passes it to the test.
// The suite also runs with -race, with fewer requests in the same time.
//
// # The server
//
// One mux has every part of the pattern language, hosts, matchers, groups, files and
// errors. A second mux and a router of package gorilla/mux are mounted in it, and the
// explorer. These are around it: explorer.Observe, MethodOverride and Canonical. RequestID,
// ClientIP, Log, Metrics, Recover, SecureHeaders and Timeout cover all routes. NoCache,
// Deprecated, ETag, BasicAuth, BearerAuth, RateLimit, Throttle, MaxBytes and shorter
// Timeouts cover some. See app.go and handlers.go.
//
// # The traffic
//
//	keep-alive clients      HTTP/1.1, HTTP/2 with and without TLS                  calls.go
//	pipelined requests      eight in one write                                     pipeline.go
//	slow clients            a few bytes at a time, both ways; some stall           slow.go
//	aborted bodies          closed, reset or canceled, in files and in chunks      aborted.go
//	aborted responses       closed, reset or canceled                              aborted.go
//	malformed requests      in the request line, the headers and the framing       malformed.go
//	update storm            routes added, replaced, removed; changes that fail     storm.go
//	panics                  before the answer, in it, and http.ErrAbortHandler     panics.go
//	timeouts                a 503 and a handler that continues after it            timeouts.go
//	limits                  more than RateLimit and Throttle allow                 limits.go
//	uploads                 forms with files, and forms that are too large         upload.go
//
// # What must hold
//
// Exactly once: each request has an ID. The server records how often each request was
// served and how often a handler ran for it. The client records the result. Both records
// must agree; see ledger. A complete request has one answer, with its ID, and it is the
// right answer: status, body and headers identify the route. A malformed request never
// reaches a handler.
//
// Order: while routes are added and removed, the answers of other routes do not change. A
// route that is being changed answers as before or as after the change, but never as
// before the last completed change. A change that fails has no effect.
//
// Balance: Log, Metrics, Recover, the server's log and the explorer have counted all
// requests, panics and errors, and the server has logged nothing else.
//
// Nothing left: at the end no handler is running, connections close when they are told to,
// and there are as many goroutines, open files (on Linux) and temporary files as at the
// start. Memory is flat: the median of the live heap after collections in the second half
// is at most a quarter plus 4 MiB larger than in the first half.
//
// Nothing hangs: each exchange has 30 seconds. So a run ends at most four minutes after its
// time, whatever the server does.
//
// No check depends on how long something takes. A test injects errors around the program
// and requires that each is found.
//
// # Many connections
//
// In the last tenth of the time, 1,000 connections send requests to muxwell, http.ServeMux
// and chi, in turns, each with four middleware. Muxwell must not make an error. The table
// has requests per second and core, which are requests per second of CPU time, including
// that of the clients in the same process. It also has the longest pause of the garbage
// collector, or 0 if there was none.
package soak
