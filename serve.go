package muxwell

import (
	"net/http"

	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/params"
	"github.com/muxwell/muxwell/internal/pathvalue"
	"github.com/muxwell/muxwell/internal/routing"
	"github.com/muxwell/muxwell/internal/trie"
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
		var number uint32
		var slashes uint64
		if t := s.get; t == nil || r.Method != "GET" {
			number, slashes = s.tables.Find(r)
		} else {
			if t.Static.May(path) {
				number = t.Static.Find(path)
			}
			if number == 0 {
				number, slashes = t.FindInTrie(path)
			}
		}
		if number-1 < trie.Conditional-1 {
			e := &s.endpoints[number]
			if !e.direct {
				e.serveHTTP(w, r, params.Source{Path: path, Slashes: slashes})
				return
			}
			// As serveHTTP does it, without the call.
			r.Pattern = e.pattern
			pathvalue.Clear(r)
			if e.value != nil {
				e.value(w, r, Params{params.Plain(path, e.layout, slashes)})
			} else {
				e.serve(w, r)
			}
			return
		}
		s.fallback(w, r, number, slashes)
		return
	}
	s.fallback(w, r, trie.Undecided, 0)
}

// fallback answers a request for which the tables' Find did not name a route: one of
// several that share a path, a path with escaped slashes, a CONNECT request, a redirect,
// an OPTIONS request, a 405 or a 404. found and slashes are the result of Find.
func (s *snapshot) fallback(w http.ResponseWriter, r *http.Request, found uint32, slashes uint64) {
	var a routing.Answer
	var st matcher.State
	known := false
	switch {
	case found == 0:
		a, known = s.tables.Missed(r)
	case r.URL.RawPath != "":
		if number, sent := s.tables.FindEscaped(r); number != trie.Undecided {
			s.endpoints[number].serveHTTP(w, r, params.Source{Path: sent, Escaped: true})
			return
		}
	case found != trie.Undecided:
		if number := s.tables.Choose(r, found, &st); number != 0 {
			s.endpoints[number].serveHTTP(w, r, params.Source{Path: r.URL.Path, Slashes: slashes})
			return
		}
	}
	if !known {
		a = s.tables.Resolve(r, st)
	}
	if a.Number == 0 {
		r.Pattern = a.Pattern
		pathvalue.Clear(r)
		if s.refusals != nil {
			s.refusals.serve(w, r, &a)
			return
		}
		s.config.serve(w, r, &a)
		return
	}
	s.endpoints[a.Number].serveHTTP(w, r, sourceOf(&a))
}

// sourceOf returns where the values of the parameters are, of a request that goes to a
// route.
func sourceOf(a *routing.Answer) params.Source { return params.SourceOf(a.Path, a.Escaped) }

// resolve decides what becomes of a request.
func (s *snapshot) resolve(r *http.Request) routing.Answer {
	return s.tables.Resolve(r, matcher.State{})
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
// registered, or if middleware covers it what that made of it; for a [ParamsFunc]
// an adapter that takes its parameters from r.PathValue, and for an [ErrorFunc] one
// that answers its errors as the mux does; for a redirect a handler
// that sends it and the pattern it leads to, if any; else one that gives the mux's
// own answer, as a 404, and the pattern "". It does not change r, in which no
// parameters are set.
func (m *Mux) Handler(r *http.Request) (h http.Handler, pattern string) {
	s := m.current()
	a := s.resolve(r)
	if a.Number != 0 {
		rt := s.endpoints[a.Number].route
		return s.httpHandler(a.Number), rt.pattern.Text
	}
	if s.refusals != nil {
		return s.refusals.handler(a), a.Pattern
	}
	return s.config.handlerOf(a), a.Pattern
}
