// Package service is an HTTP service that computes how similar two texts are. It has a
// JSON API, a page for browsers, health checks, metrics, and limits.
//
//	POST /similarity         {"text1": …, "text2": …} → {"similarity":0.519,"interpretation":"Moderately Similar"}
//	POST /similarity/words   the same request → also the shared and the most frequent words
//	GET  /                   the page, with /page.css and /page.js
//	GET  /openapi.yaml       the description of the API, OpenAPI 3.1
//	GET  /healthz, /readyz   200 while it runs; /readyz returns 503 when it is about to stop
//	GET  /metrics            for Prometheus
//
// # The path of a request
//
//	mux ─ exchange.go ─► slots.go ─ query.go ─ mediatype.go ─ body.go ─► package score ─► post.go
//	       request ID      503      400        415            413         400 or 200
//	       metrics, log
//
// Every error has the format of RFC 9457; see problem.go. Besides the server's own work and
// package score, a request of POST /similarity allocates nothing: its body and its answer are
// in memory from a pool, and the values of its headers are shared.
package service
