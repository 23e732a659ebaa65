package main

import (
	"io"
	"net/http"
	"net/url"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/routelist"
)

// A site is what serve serves: the routes of a list, each with an [echo], the
// list itself at / unless one of them takes that, and refusals for the rest.
type site struct {
	name   string // of the list
	mux    *muxwell.Mux
	routes []*muxwell.Route // of the list, in its order
	listed bool             // GET / shows the list
}

// newSite returns the site for the list that r reads. The error is of type
// [routelist.Errors].
func newSite(name string, r io.Reader) (*site, error) {
	s := &site{name: name}
	s.mux = muxwell.New(
		muxwell.NotFound(http.HandlerFunc(s.notFound)),
		muxwell.MethodNotAllowed(http.HandlerFunc(s.methodNotAllowed)),
	)
	if err := routelist.Load(s.mux, name, r, echo{s.mux}); err != nil {
		return nil, err
	}
	for rt := range s.mux.Routes() {
		s.routes = append(s.routes, rt)
	}
	if s.takes("/") != "" {
		return s, nil
	}
	s.listed = true
	_, err := s.mux.Add("GET /{$}", newIndex(s))
	return s, err
}

// takes returns the pattern of the list that takes a GET request for an escaped
// path, whatever the host, without a redirect; "" if none does.
func (s *site) takes(path string) (pattern string) {
	u, err := url.ParseRequestURI(path)
	if err != nil {
		return ""
	}
	h, pattern := s.mux.Handler(&http.Request{Method: http.MethodGet, URL: u, RequestURI: path})
	if _, ok := h.(echo); !ok {
		return ""
	}
	return pattern
}
