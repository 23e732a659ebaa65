// Package soak is muxwell's reliability suite: a server on the loopback device that uses
// everything the router and its middleware have, and for some minutes concurrent clients
// of all kinds, well-behaved and others.
//
//	go test -tags soak -v ./integrations/soak              five minutes
//	go test -tags soak -v ./integrations/soak -soak 1m     one minute
//	go test -tags soak -v ./integrations/soak -soak 10s    to try it
//	go test ./integrations/soak                            a few seconds, everything once
//
// The flag comes after the package, so that the go command passes it to the test.
// The suite runs under -race too, with fewer requests in the same time.
//
// # What is served
//
// One mux with every part of the pattern language, hosts, matchers, groups, files and
// errors; a mux and a router of gorilla/mux's API mounted in it; explorer.Observe around
// it and the explorer in it; and the middleware of package middleware: MethodOverride
// and Canonical outside, RequestID, ClientIP, Log, Metrics, Recover, SecureHeaders and
// Timeout for all routes, NoCache, Deprecated, ETag, BasicAuth, BearerAuth, RateLimit,
// Throttle, MaxBytes and shorter Timeouts for some. See app.go and handlers.go.
//
// # The traffic
//
//	keep-alive clients      by HTTP/1.1, by HTTP/2 with and without TLS            calls.go
//	pipelined requests      eight in one write                                     pipeline.go
//	slow clients            a few bytes at a time, both ways; some stall           slow.go
//	aborted bodies          closed, reset or canceled, in files and in chunks      aborted.go
//	aborted responses       closed, reset or canceled                              aborted.go
//	malformed requests      in the request line, the headers and the framing       malformed.go
//	update storm            routes added, replaced, removed; changes that fail     storm.go
//	panics                  before the answer, in it, and http.ErrAbortHandler     panics.go
//	timeouts                a 503 and a handler that continues after it            timeouts.go
//	limits                  RateLimit and Throttle beyond what they let in         limits.go
//	uploads                 forms with files, and those that are too large         upload.go
//
// # What must hold
//
// Exactly once: each request has an ID. The server records how often it was served and how
// often a handler ran for it, the client records the result, and both must agree; see
// ledger. A request that is sent completely has one answer, with its ID, and that is the
// right one: status, body and headers identify the route. No handler runs for a malformed
// request.
//
// Order: while routes are added and removed, the others answer as usual. A route that is
// being changed answers as before or after the change, never as before the last completed
// change. A change that fails has no effect.
//
// Balance: Log, Metrics, Recover, the server's log and the explorer have counted exactly
// the requests, panics and errors that there were, and the server has logged nothing else.
//
// Nothing left: at the end no handler runs, connections end when they are closed, and
// goroutines, open files (on Linux) and temporary files are as before. Memory is flat:
// of the live heap after collections, the median of the second half is not above that
// of the first by more than a quarter and 4 MiB.
//
// Nothing hangs: each exchange has 30 seconds. So a run ends at most four minutes
// after its time, whatever the server does.
//
// No check depends on how long something takes. A test injects faults around the program
// and checks that each of them is found.
//
// # Many connections
//
// During the last tenth of the time 1,000 connections send requests to muxwell,
// http.ServeMux and chi, in turns, each with four middleware; muxwell must make no error.
// The table has requests per second and core, which are requests for each second of CPU
// time, including that of the clients in the same process, and the longest pause of the
// garbage collector, 0 if there was none.
package soak
