package main

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/explorer"
	"github.com/muxwell/muxwell/internal/routelist"
)

// A site is what serve serves: the routes of a list, each with an [echo], the
// list itself at / unless one of them takes that, the explorer at /_routes/ unless
// one of them is there, and refusals for the rest.
type site struct {
	name     string // of the list
	mux      *muxwell.Mux
	observer *explorer.Observer // serves mux
	routes   []*muxwell.Route   // of the list, in its order
	listed   bool               // GET / shows the list
	explored bool               // GET /_routes/ explores it
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
	s.listed = s.takes("/") == nil
	if err := s.addExplorer(); err != nil {
		return nil, err
	}
	if s.listed {
		_, err = s.mux.Add("GET /{$}", newIndex(s))
	}
	return s, err
}

const (
	explorerPath = "/_routes/"
	listLink     = "List" // the text of links to the list
)

// addExplorer adds the explorer, unless the list has a route where it would be.
func (s *site) addExplorer() error {
	s.observer = explorer.Observe(s.mux)
	keys := make(map[string]bool)
	for _, rt := range s.routes {
		if strings.HasPrefix(rt.Path()+"/", explorerPath) {
			return nil
		}
		entry, _ := routelist.EntryOf(rt)
		for _, o := range entry.Options {
			if key, _, ok := strings.Cut(o.Value, ":"); ok && o.Key == "meta" {
				keys[key] = true
			}
		}
	}
	options := []explorer.Option{
		explorer.Counts(s.observer), explorer.Title(s.name), explorer.MetaKeys(slices.Sorted(maps.Keys(keys))...),
		explorer.Hide(func(rt *muxwell.Route) bool { _, ok := routelist.EntryOf(rt); return !ok }), // what is not of the list
	}
	if s.listed {
		options = append(options, explorer.Link(listLink, "/"))
	}
	h := explorer.Handler(s.mux, options...)
	err := s.mux.Update(func(tx *muxwell.Tx) error {
		_, err := tx.Add("GET "+strings.TrimSuffix(explorerPath, "/"), h)
		if err == nil {
			_, err = tx.Add("GET "+explorerPath, h)
		}
		return err
	})
	if _, taken := errors.AsType[*muxwell.ConflictError](err); taken { // by a pattern with escapes
		return nil
	}
	s.explored = err == nil
	return err
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
