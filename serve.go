package muxwell

import (
	"net/http"

	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/params"
	"github.com/muxwell/muxwell/internal/pathvalue"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// ServeHTTP dispatches the request to the handler of the route that matches it
// best. The handler is given w and r themselves, with r.Pattern set and the
// parameters in r.PathValue. Where no route matches, or one matches only
// another spelling of the path, the answer is a redirect, a 405 with an Allow
// header, a 406 or 415 if that is all that a route's matchers miss, or a 404, as
// the mux's options say.
func (m *Mux) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s := m.live.Load()
	if s == nil {
		s = m.publish()
	}
	if r.RequestURI == "*" {
		refuseStar(w, r)
		return
	}
	if r.URL.RawPath == "" {
		path := r.URL.Path
		var rec uint32
		var slashes uint64
		if t := s.get; t == nil || r.Method != "GET" {
			rec, slashes = s.find(r)
		} else {
			if t.static.may(path) {
				rec = t.static.find(path)
			}
			if rec == 0 {
				rec, slashes = t.findInTrie(path)
			}
		}
		if isRecord(rec) {
			rec := &s.records[rec]
			if !rec.direct {
				if rec.shared != nil {
					s.serveShared(w, r, rec.shared, params.Source{Path: path, Slashes: slashes})
					return
				}
				rec.serveHTTP(w, r, params.Source{Path: path, Slashes: slashes})
				return
			}
			// As serveHTTP does it, without the call.
			r.Pattern = rec.pattern
			pathvalue.Clear(r)
			if rec.value != nil {
				rec.value(w, r, Params{params.Plain(path, &rec.route.layout, slashes)})
			} else {
				rec.serve(w, r)
			}
			return
		}
		s.fallback(w, r, rec == 0, matcher.State{})
		return
	}
	s.fallback(w, r, false, matcher.State{})
}

// serveShared serves a request that matches the path of the routes of p. If none
// of them takes it, a route with another path may.
func (s *snapshot) serveShared(w http.ResponseWriter, r *http.Request, p *sharedPath, at params.Source) {
	var st matcher.State
	if rec := p.choose(r, &s.config, &st, r.Method, false); rec != 0 {
		s.records[rec].serveHTTP(w, r, at)
		return
	}
	st.Missed = 0 // fallback asks again
	s.fallback(w, r, false, st)
}

// find returns what [table.find] does, for the tables that apply to r.
func (s *snapshot) find(r *http.Request) (rec uint32, slashes uint64) {
	switch {
	case r.Method == "CONNECT", s.config.fold && urlpath.HasUpper(r.URL.Path):
		return undecided, 0
	case s.hosts == nil:
		return s.anywhere.of(r.Method).find(r.URL.Path)
	}
	return s.findByHost(r)
}

// findByHost is find for a mux that has routes with hosts.
func (s *snapshot) findByHost(r *http.Request) (rec uint32, slashes uint64) {
	path, passed := r.URL.Path, false
	hosts := hostCursor{snapshot: s, host: hostname.StripPort(r.Host)}
	for h := hosts.next(); h != nil; h = hosts.next() {
		rec, slashes = h.of(r.Method).find(path)
		if isRecord(rec) && passed && s.records[rec].route.pattern.Last().Kind == pattern.CatchAll && s.recheckHost.applies(path) {
			// A Host before may have a route for the path with another final slash.
			return undecided, 0
		}
		if rec != 0 {
			return rec, slashes
		}
		passed = true
	}
	return 0, 0
}

// refuseStar answers a request for "*", which only a server can (RFC 9110
// §9.3.7).
func refuseStar(w http.ResponseWriter, r *http.Request) {
	if r.ProtoAtLeast(1, 1) {
		w.Header().Set("Connection", "close")
	}
	w.WriteHeader(http.StatusBadRequest)
}

// Handler returns the handler that r would go to and the pattern it is
// registered with, as [http.ServeMux.Handler] does: the very handler that was
// registered, or if middleware covers it what that made of it; for a value handler
// an adapter that takes its parameters from r.PathValue; for a redirect a handler
// that sends it and the pattern it leads to, if any; else one that gives the mux's
// own answer, as a 404, and the pattern "". It does not change r, in which no
// parameters are set.
func (m *Mux) Handler(r *http.Request) (h http.Handler, pattern string) {
	s := m.current()
	a := s.resolve(r)
	if a.record != 0 {
		rt := s.records[a.record].route
		return s.httpHandler(a.record), rt.pattern.Text
	}
	if s.refusals != nil {
		return s.refusals.handler(a), a.pattern
	}
	return s.config.handlerOf(a), a.pattern
}
