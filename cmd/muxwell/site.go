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
	echoes := make(map[int]*echo) // by line
	err := routelist.Load(s.mux, name, r, func(e routelist.Entry) http.Handler {
		echoes[e.Line] = &echo{entry: e}
		return echoes[e.Line]
	})
	if err != nil {
		return nil, err
	}
	for rt := range s.mux.Routes() {
		entry, _ := routelist.EntryOf(rt)
		echoes[entry.Line].route = rt
		s.routes = append(s.routes, rt)
	}
	if s.takes("/") != nil {
		return s, nil
	}
	s.listed = true
	_, err = s.mux.Add("GET /{$}", newIndex(s))
	return s, err
}

// takes returns the route of the list that takes a plain GET request for an escaped
// path, which may have a query, without a redirect; nil if none does. Plain is what
// every client can send: from anywhere, to any host, with no header of note.
func (s *site) takes(target string) *muxwell.Route {
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return nil
	}
	h, _ := s.mux.Handler(&http.Request{Method: http.MethodGet, URL: u, RequestURI: target})
	if e, ok := h.(*echo); ok {
		return e.route
	}
	return nil
}
