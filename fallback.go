package muxwell

import (
	"net/http"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/params"
	"github.com/muxwell/muxwell/internal/pathvalue"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/refuse"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// An answer is what the cold way finds for a request: a route, or a handler
// that redirects or refuses.
type answer struct {
	record uint32 // 0 if it is not a route

	path    string // where the route's parameters stand
	escaped bool   // they are escaped there

	status   int    // if it is no route: 204, 307, 404, 405, 406 or 415
	pattern  string // where a redirect leads; "" if nothing is there, or if it is none
	location string
	allowed  []string // not to be changed: other answers may have it too
	allow    string   // the Allow header of RFC 9110 §10.2.1, which is allowed
}

// fallback answers a request for which find did not decide: a path with escaped
// slashes, a CONNECT request, a redirect, an OPTIONS request, a 405 or a 404. none
// says that find knows of no route for the method, and st what matchers have found.
func (s *snapshot) fallback(w http.ResponseWriter, r *http.Request, none bool, st matcher.State) {
	a, known := answer{}, false
	if none {
		a, known = s.missed(r)
	}
	if !known {
		a = s.resolveFrom(r, st)
	}
	if a.record == 0 {
		r.Pattern = a.pattern
		pathvalue.Clear(r)
		if s.refusals != nil {
			s.refusals.serve(w, r, &a)
			return
		}
		s.config.serve(w, r, &a)
		return
	}
	s.records[a.record].serveHTTP(w, r, a.source())
}

// source returns where the values of the route's parameters stand.
func (a *answer) source() params.Source { return params.SourceOf(a.path, a.escaped) }

// resolve decides what becomes of a request. It is right for every request;
// find is its fast way for most.
func (s *snapshot) resolve(r *http.Request) answer {
	return s.resolveFrom(r, matcher.State{})
}

// resolveFrom is resolve for a request of which st says what matchers have found.
func (s *snapshot) resolveFrom(r *http.Request, st matcher.State) answer {
	if r.Method == http.MethodConnect {
		return s.resolveConnect(r, st)
	}
	q := s.query(r, hostname.StripPort(r.Host))
	q.state = st
	sent, clean := q.path, q.path
	if q.clean = sent != "" && sent[0] == '/' && urlpath.IsClean(sent); !q.clean {
		clean = urlpath.Clean(sent)
	}
	switch {
	case clean == sent || s.config.unclean == PathRedirect:
		q.path, q.clean = clean, true
	case s.config.unclean == PathStrict:
		return notFound
	case sent == "" || sent[0] != '/':
		return notFound // PathServe has no place for it
	}
	q.unclean = clean != q.path
	rec, exact := q.match(sameSlash)
	if !exact {
		if other, spelling := q.matchOtherSlash(); other != 0 {
			switch {
			case s.config.slash == SlashRedirect:
				return redirectTo(r, q.location()+"/", s.records[other].pattern)
			case clean == sent:
				return answer{record: other, path: spelling.of(q.path), escaped: q.escaped}
			}
			rec = other
		}
	}
	if sent != q.path {
		return redirectTo(r, q.location(), s.records[rec].pattern)
	}
	if rec != 0 {
		return answer{record: rec, path: q.path, escaped: q.escaped}
	}
	return s.refuse(r, &q, q.state.Missed)
}

// resolveConnect is resolve for CONNECT, whose paths are not cleaned and whose
// hosts keep their ports. As in http.ServeMux, the redirect to a final slash
// and the Allow header go by the URL's host, the match by the Host header.
func (s *snapshot) resolveConnect(r *http.Request, st matcher.State) answer {
	q := s.query(r, r.URL.Host)
	q.state, q.dots = st, true
	if q.path == "" || q.path[0] != '/' {
		return notFound
	}
	if _, exact := q.match(sameSlash); !exact && s.config.slash == SlashRedirect {
		if rec, _ := q.matchOtherSlash(); rec != 0 {
			q.path = urlpath.Clean(q.path)
			return redirectTo(r, strings.TrimSuffix(q.location(), "/")+"/", connectPattern(r))
		}
	}
	at := s.query(r, r.Host)
	at.state, at.dots = q.state, true
	at.state.Missed = 0
	rec, exact := at.match(sameSlash)
	if !exact && s.config.slash == SlashIgnore {
		if other, spelling := at.matchOtherSlash(); other != 0 {
			return answer{record: other, path: spelling.of(at.path), escaped: at.escaped}
		}
	}
	if rec != 0 {
		return answer{record: rec, path: at.path, escaped: at.escaped}
	}
	q.state = at.state
	return s.refuse(r, &q, at.state.Missed)
}

// refuse returns the answer to a request that no route takes. missed is what the
// routes say whose method and path it has, with another final slash too if that
// may make it match.
func (s *snapshot) refuse(r *http.Request, q *query, missed matcher.Missed) answer {
	options := s.config.answersOptions() && r.Method == http.MethodOptions
	if missed != 0 && !options {
		return answer{status: int(missed)}
	}
	allowed, header := q.allowed()
	if missed != 0 && len(allowed) == 0 {
		return answer{status: int(missed)}
	}
	return refusalOf(allowed, header, options)
}

// refusalOf returns the answer to a request for whose path the methods are
// allowed; options says that it asks for them.
func refusalOf(allowed []string, header string, options bool) answer {
	switch {
	case len(allowed) == 0:
		return notFound
	case options:
		return answer{status: http.StatusNoContent, allowed: allowed, allow: header}
	}
	return answer{status: http.StatusMethodNotAllowed, allowed: allowed, allow: header}
}

var notFound = answer{status: http.StatusNotFound}

// handlerOf returns the handler that gives an answer which is no route.
func (c *config) handlerOf(a answer) http.Handler {
	if a.status == http.StatusNotFound && c.notFound != nil {
		return c.notFound
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { c.serve(w, r, &a) })
}

// serve gives an answer which is no route.
func (c *config) serve(w http.ResponseWriter, r *http.Request, a *answer) {
	switch a.status {
	case http.StatusTemporaryRedirect:
		http.Redirect(w, r, a.location, a.status)
	case http.StatusNotFound:
		if c.notFound != nil {
			c.notFound.ServeHTTP(w, r)
			return
		}
		refuse.Write(w, a.status, "404 page not found\n", "") // as http.NotFound has it
	case http.StatusMethodNotAllowed:
		if c.methodNotAllowed == nil {
			refuse.Write(w, a.status, "Method Not Allowed\n", a.allow)
			return
		}
		w.Header().Set("Allow", a.allow)
		c.methodNotAllowed.ServeHTTP(w, r)
	case http.StatusNoContent:
		w.Header().Set("Allow", a.allow)
		if c.optionsHandler != nil {
			c.optionsHandler(w, r, slices.Clone(a.allowed))
			return
		}
		w.WriteHeader(a.status)
	default:
		refuse.Write(w, a.status, http.StatusText(a.status)+"\n", "")
	}
}

// A query is what the cold way asks the tables.
type query struct {
	snapshot *snapshot
	request  *http.Request
	host     string
	state    matcher.State // missed is the result of all calls of match: the path and the method match, the matchers do not
	path     string        // as the tables are asked
	escaped  bool          // path is escaped
	dots     bool          // a parameter may be "." or ".."
	unclean  bool          // path is served although it is unclean: no slash makes it match
	clean    bool          // path is known to be clean
}

// query returns the query for the request's path as it was sent.
func (s *snapshot) query(r *http.Request, host string) query {
	q := query{snapshot: s, request: r, host: host, path: r.URL.Path}
	if r.URL.RawPath != "" {
		q.path, q.escaped = r.URL.EscapedPath(), true
	}
	return q
}

// hosts goes through the tables that apply to the query's host.
func (q *query) hosts() hostCursor { return hostCursor{snapshot: q.snapshot, host: q.host} }

// location returns the path in escaped form.
func (q *query) location() string {
	if q.escaped {
		return q.path
	}
	return urlpath.Escape(q.path)
}

// A slashSpelling says how a path is taken.
type slashSpelling uint8

const (
	sameSlash slashSpelling = iota // as it is
	moreSlash                      // with a final slash more
	lessSlash                      // without its final slash
)

func (s slashSpelling) of(path string) string {
	switch s {
	case moreSlash:
		return path + "/"
	case lessSlash:
		return path[:len(path)-1]
	}
	return path
}

// match returns the record of the best route for the query, with its path
// taken as the spelling says, and whether it matches exactly: no catch-all took
// any text.
func (q *query) match(spelling slashSpelling) (record uint32, exact bool) {
	if q.snapshot.hosts == nil {
		return q.matchTable(q.snapshot.anywhere.of(q.request.Method), spelling, q.request.Method, false)
	}
	hosts := q.hosts()
	for h := hosts.next(); h != nil; h = hosts.next() {
		if rec, exact := q.matchTable(h.of(q.request.Method), spelling, q.request.Method, false); rec != 0 {
			return rec, exact
		}
	}
	return 0, false
}

// matchOtherSlash returns the record of the route that matches exactly with a
// final slash more, or under SlashIgnore less, and that spelling.
func (q *query) matchOtherSlash() (record uint32, spelling slashSpelling) {
	if spelling = q.otherSlash(); spelling != sameSlash {
		if rec, exact := q.match(spelling); exact {
			return rec, spelling
		}
	}
	return 0, sameSlash
}

// otherSlash returns the spelling of the path that may match besides the one it
// has, or sameSlash if there is none.
func (q *query) otherSlash() slashSpelling {
	switch policy := q.snapshot.config.slash; {
	case policy == SlashStrict || q.path == "" || q.path == "/" || q.unclean:
		return sameSlash
	case !strings.HasSuffix(q.path, "/"):
		return moreSlash
	case policy == SlashIgnore:
		return lessSlash
	}
	return sameSlash
}

// matchTable is match in one table, for a method; if named is set, for routes
// that name it only.
func (q *query) matchTable(t *table, spelling slashSpelling, method string, named bool) (record uint32, exact bool) {
	if rec, ok := q.find(t, spelling, method, named); ok {
		return rec, rec != 0
	}
	var w walk // made in place: a literal would be copied
	w.table, w.path, w.escaped, w.fold, w.dots, w.named = t, q.path, q.escaped, q.snapshot.config.fold, q.dots, named
	w.snapshot, w.request, w.method, w.state = q.snapshot, q.request, method, q.state
	if spelling == lessSlash {
		w.path = w.path[:len(w.path)-1]
	}
	w.size = len(w.path)
	if spelling == moreSlash {
		w.size++
	}
	if len(w.path) <= len("%XX")*t.static.most { // else it is too long, even escaped
		var space [256]byte
		if key, ok := w.staticKey(space[:0]); ok {
			if rec := w.accept(t.static.findBytes(key)); rec != 0 {
				q.state = w.state
				return rec, true
			}
		}
	}
	if w.path == "" || w.path[0] != '/' {
		return 0, false
	}
	rec, exact := w.search(0, 1)
	q.state = w.state
	return rec, exact && rec != 0
}

// find is matchTable where [table.find] or a look at the table decides, which is
// several times faster: most paths that no route takes are plain ones.
func (q *query) find(t *table, spelling slashSpelling, method string, named bool) (record uint32, ok bool) {
	switch {
	case spelling == moreSlash && !t.slashy:
		return 0, true
	case spelling != sameSlash || !q.clean || q.escaped || q.dots || q.snapshot.config.fold:
		return 0, false
	}
	if record, _ = t.find(q.path); !isRecord(record) {
		return 0, record == 0
	}
	r := &q.snapshot.records[record]
	if r.shared != nil || r.route.pattern.Last().Kind == pattern.CatchAll || named && r.route.pattern.Methods == nil {
		return 0, false
	}
	return record, true
}

// allowed returns the methods, sorted, for which a request with the query's
// path would match, and the Allow header that names them.
func (q *query) allowed() (methods []string, header string) {
	if s := q.snapshot; s.hosts == nil && len(s.anywhere.methods) <= 64 {
		return s.anywhere.allowance(q.allowedOf(&s.anywhere), s.config.answersOptions())
	}
	hosts := q.hosts()
	for h := hosts.next(); h != nil; h = hosts.next() {
		for i, m := range h.methods {
			if q.allows(h, i) {
				methods = append(methods, m)
			}
		}
	}
	return allowance(methods, q.snapshot.config.answersOptions())
}

// allowedOf returns a bit for each of the methods of h, of which there are 64 at
// the most, that is allowed.
func (q *query) allowedOf(h *hostTables) (set uint64) {
	for i := range h.methods {
		if q.allows(h, i) {
			set |= 1 << i
		}
	}
	return set
}

// allows reports whether a request with the query's path and a method of h would
// match a route that names the method.
func (q *query) allows(h *hostTables, method int) bool {
	m, t := h.methods[method], h.named[method]
	rec, _ := q.matchTable(t, sameSlash, m, true)
	if other := q.otherSlash(); rec == 0 && other != sameSlash {
		rec, _ = q.matchTable(t, other, m, true)
	}
	return rec != 0
}
