package muxwell

import (
	"net/http"

	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/params"
	"github.com/muxwell/muxwell/internal/pathvalue"
	"github.com/muxwell/muxwell/internal/routing"
	"github.com/muxwell/muxwell/internal/trie"
)

// ServeHTTP dispatches the request to the handler of the route that matches it best. It
// calls the handler with w and r themselves, with r.Pattern set and the parameters in
// r.PathValue. If no route matches, or one matches only another spelling of the path,
// the options of the mux decide the answer: a redirect, a 405 with an Allow header, a
// 406 or 415 if only the matchers of a route fail, or a 404.
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
			e := s.endpoints.At(number)
			if !e.direct {
				e.serveHTTP(w, r, params.Source{Path: path, Slashes: slashes})
				return
			}
			// The same as serveHTTP, without the call.
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

// fallback answers a request for which Find of the tables did not return a route: one
// with several routes for its path, a path with escaped slashes, a CONNECT request, a
// redirect, an OPTIONS request, a 405 or a 404. found and slashes are the results of
// Find.
func (s *snapshot) fallback(w http.ResponseWriter, r *http.Request, found uint32, slashes uint64) {
	var a routing.Answer
	var st matcher.State
	known := false
	switch {
	case found == 0:
		a, known = s.tables.Missed(r)
	case r.URL.RawPath != "":
		if number, sent := s.tables.FindEscaped(r); number != trie.Undecided {
			s.endpoints.At(number).serveHTTP(w, r, params.Source{Path: sent, Escaped: true})
			return
		}
	case found != trie.Undecided:
		if number := s.tables.Choose(r, found, &st); number != 0 {
			s.endpoints.At(number).serveHTTP(w, r, params.Source{Path: r.URL.Path, Slashes: slashes})
			return
		}
	}
	if !known {
		a = s.tables.Resolve(r, st)
	}
	if a.Number == 0 {
		r.Pattern = a.Pattern
		pathvalue.Clear(r)
		s.refuse(w, r, &a)
		return
	}
	s.endpoints.At(a.Number).serveHTTP(w, r, sourceOf(&a))
}

// refuse writes an answer that the mux gives itself.
func (s *snapshot) refuse(w http.ResponseWriter, r *http.Request, a *routing.Answer) {
	if s.refusals != nil {
		s.refusals.serve(w, r, a, s)
		return
	}
	s.config.serve(w, r, a, s)
}

// sourceOf returns the source of the parameter values for a request that a route
// matches.
func sourceOf(a *routing.Answer) params.Source { return params.SourceOf(a.Path, a.Escaped) }

// resolve decides how a request is answered.
func (s *snapshot) resolve(r *http.Request) routing.Answer {
	return s.tables.Resolve(r, matcher.State{})
}

// refuseStar answers a request for "*", which only a server can serve (RFC 9110
// §9.3.7).
func refuseStar(w http.ResponseWriter, r *http.Request) {
	if r.ProtoAtLeast(1, 1) {
		w.Header().Set("Connection", "close")
	}
	w.WriteHeader(http.StatusBadRequest)
}

// Handler returns the handler for r and the pattern it is registered with, as
// [http.ServeMux.Handler] does. It does not change r and sets no parameters in it. The
// handler is
//
//   - the registered handler itself or, if middleware covers it, the composed handler;
//   - for a [ParamsFunc], an adapter that reads the parameters from r.PathValue;
//   - for an [ErrorFunc], a handler that answers its errors as the mux does;
//   - for a redirect, a handler that sends it, with the pattern to which it leads, if any;
//   - otherwise a handler that gives the mux's own answer, such as a 404, with the pattern "".
func (m *Mux) Handler(r *http.Request) (h http.Handler, pattern string) {
	s := m.current()
	a := s.resolve(r)
	if a.Number != 0 {
		rt := s.endpoints.At(a.Number).route
		return s.httpHandler(a.Number), rt.pattern.Text
	}
	if s.refusals != nil {
		return s.refusals.handler(a, s), a.Pattern
	}
	return s.config.handlerOf(a, s), a.Pattern
}
