package main

import (
	"net/http"
	"strings"
)

// A refusal is the answer to a request that no route of the list takes.
type refusal struct {
	Error  string   `json:"error"`
	Method string   `json:"method"`
	Host   string   `json:"host"`
	Path   string   `json:"path"`
	Allow  []string `json:"allow,omitempty"`  // what the path can be asked with
	Routes string   `json:"routes,omitempty"` // where the list is shown
}

func (s *site) notFound(w http.ResponseWriter, r *http.Request) {
	s.refuse(w, r, http.StatusNotFound, "no route matches", nil)
}

// methodNotAllowed is called with the Allow header set.
func (s *site) methodNotAllowed(w http.ResponseWriter, r *http.Request) {
	allow := strings.Split(w.Header().Get("Allow"), ", ")
	s.refuse(w, r, http.StatusMethodNotAllowed, "no route with this method matches", allow)
}

func (s *site) refuse(w http.ResponseWriter, r *http.Request, status int, reason string, allow []string) {
	answer := refusal{Error: reason, Method: r.Method, Host: r.Host, Path: r.URL.EscapedPath(), Allow: allow}
	if s.listed {
		answer.Routes = "/"
	}
	writeJSON(w, status, answer)
}
