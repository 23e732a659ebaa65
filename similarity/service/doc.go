// Package service answers over HTTP how similar two texts are: the JSON API, a page to
// try it in a browser, health, metrics, and the limits around them.
//
//	POST /similarity         {"text1": …, "text2": …} → {"similarity":0.519,"interpretation":"Moderately Similar"}
//	POST /similarity/words   the same request → the shared and the most frequent words too
//	GET  /                   the page, with /page.css and /page.js
//	GET  /openapi.yaml       the description of all of it, OpenAPI 3.1
//	GET  /healthz, /readyz   200 while it runs; 503 of the latter when it is about to stop
//	GET  /metrics            for Prometheus
//
// # The way of a request
//
//	mux ─ exchange.go ─► slots.go ─ query.go ─ mediatype.go ─ body.go ─► package score ─► post.go
//	       request id      503      400        415            413         400 or 200
//	       metrics, log
//
// Every error is a problem of RFC 9457, see problem.go. Between the server's own work
// and package score a request of POST /similarity allocates nothing: its body and its
// answer are in memory from a pool, the values of its headers are shared.
package service
