// Package soak is muxwell's reliability suite: a server on the loopback device with all
// that the router and its middleware have, and for some minutes clients of all kinds
// at the same time, the well-behaved and the others.
//
//	go test -tags soak -v ./integrations/soak              five minutes
//	go test -tags soak -v ./integrations/soak -soak 1m     one minute
//	go test -tags soak -v ./integrations/soak -soak 10s    to try it
//	go test ./integrations/soak                            a few seconds, everything once
//
// The flag stands behind the package, where the go command leaves it to the test.
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
//	timeouts                a 503 and a handler that runs on behind it             timeouts.go
//	limits                  RateLimit and Throttle beyond what they let in         limits.go
//	uploads                 forms with files, and those that are too large         upload.go
//
// # What must hold
//
// Exactly once: each request has an id. The server writes down how often it was served
// and how often a handler ran for it, the client what came of it, and both must agree;
// see ledger. A request that is sent whole has one answer, with its id, and that is the
// right one: status, body and headers tell the route. Of a request that is malformed
// no handler hears.
//
// Order: while routes come and go, the others answer as ever, and one that is changed
// answers as it was or as it is, never as it was before the last change that was over;
// of a change that fails nothing is seen.
//
// Balance: Log, Metrics, Recover, the server's log and the explorer have counted as
// many requests, panics and errors as there were, and the server has logged nothing
// else.
//
// Nothing left: at the end no handler runs, connections end when they are told to, and
// goroutines, open files (on Linux) and temporary files are as before. Memory is flat:
// of the live heap after collections, the median of the second half is not above that
// of the first by more than a quarter and 4 MiB.
//
// Nothing hangs: each exchange has 30 seconds. With that a run ends at most four minutes
// after its time, whatever the server does.
//
// No check depends on how long something takes. A test puts faults around the program
// and wants each of them to be found.
//
// # Many connections
//
// The last tenth of the time 1,000 connections send requests to muxwell, http.ServeMux
// and chi, in turns, each with four middleware; muxwell must make no error. The table
// has requests a second and core, which are requests for each second of CPU time, that
// of the clients in the same process included, and the longest pause of the garbage
// collector, 0 where none was needed.
package soak
