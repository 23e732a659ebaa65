package service

import "net/http"

// healthy answers GET /healthz with 200 while the process runs.
func healthy(x *exchange, _ *http.Request) { writeStatus(x, `{"status":"ok"}`) }

// ready answers GET /readyz with 200 if the service accepts requests, and 503 otherwise.
func (s *Service) ready(x *exchange, _ *http.Request) {
	if s.draining.Load() {
		writeProblem(x, &problem{Status: http.StatusServiceUnavailable, Detail: "the server is about to stop; requests in flight are answered"})
		return
	}
	writeStatus(x, `{"status":"ready"}`)
}

func writeStatus(x *exchange, body string) {
	h := x.Header()
	h["Content-Type"] = jsonType
	h["Content-Length"] = lengthValue(len(body))
	h["Cache-Control"] = noStore
	x.Write([]byte(body))
}

var noStore = []string{"no-store"}
