package service

import (
	"encoding/json"
	"net/http"
)

// A problem is an error in the format of RFC 9457, application/problem+json:
//
//	{"type":"about:blank","title":"Bad Request","status":400,"detail":"a colon is expected","offset":9}
//
// The title is the text of the status. The detail describes the error for people. The
// offset is the position of the first invalid byte in the JSON of the body; other problems
// have none.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	Offset *int   `json:"offset,omitempty"`

	header string // one more that the answer has, or ""
	value  []string
}

// Error returns the detail.
func (p *problem) Error() string { return p.Detail }

// refuse answers with a problem.
func (s *Service) refuse(x *exchange, p *problem) {
	if p.Status >= 500 {
		s.needID(x)
	}
	writeProblem(x, p)
}

func writeProblem(w http.ResponseWriter, p *problem) {
	p.Type, p.Title = "about:blank", http.StatusText(p.Status)
	body, err := json.Marshal(p)
	if err != nil {
		panic(err) // it has nothing that JSON cannot hold
	}
	h := w.Header()
	h["Content-Type"] = problemType
	h["X-Content-Type-Options"] = nosniff
	h["Content-Length"] = lengthValue(len(body))
	if p.header != "" {
		h[p.header] = p.value
	}
	w.WriteHeader(p.Status)
	w.Write(body)
}

// Values of headers, which nobody changes.
var (
	problemType = []string{"application/problem+json"}
	jsonType    = []string{"application/json"}
	nosniff     = []string{"nosniff"}
)

// notFound answers requests that no route matches.
func notFound(x *exchange, _ *http.Request) {
	writeProblem(x, &problem{Status: http.StatusNotFound, Detail: "there is nothing at this path; GET /openapi.yaml describes the API"})
}

// methodNotAllowed answers requests whose path has routes for other methods. The router
// has set the header Allow.
func methodNotAllowed(x *exchange, _ *http.Request) {
	writeProblem(x, &problem{Status: http.StatusMethodNotAllowed, Detail: "this path has other methods only; the header Allow lists them"})
}
