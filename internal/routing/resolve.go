package routing

import (
	"net/http"
	"strings"

	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/trie"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// An Answer is the result of routing a request: it goes to an entry, or the mux
// redirects or refuses it.
type Answer struct {
	Number uint32 // of the entry; 0 if there is none

	Path    string // has the values of the entry's parameters
	Escaped bool   // the values in Path are escaped

	Status   int    // if there is no entry: 204, 307, 404, 405, 406 or 415
	Pattern  string // the pattern to which a redirect leads; "" if nothing matches there, or it is not a redirect
	Location string
	Allowed  []string // must not be modified: other answers may share it
	Allow    string   // the Allow header of RFC 9110 §10.2.1, for Allowed
	Near     uint32   // for 405, 406 and 415, an entry that matches the path; 0 if unknown
}

// Resolve decides how a request is answered. st has what matchers have found so far. It
// is correct for every request; Find is the fast path for most.
func (t *Tables) Resolve(r *http.Request, st matcher.State) Answer {
	if r.Method == http.MethodConnect {
		return t.resolveConnect(r, st)
	}
	q := t.query(r, hostname.StripPort(r.Host))
	q.state = st
	sent, clean := q.path, q.path
	if q.clean = sent != "" && sent[0] == '/' && urlpath.IsClean(sent); !q.clean {
		clean = urlpath.Clean(sent)
	}
	switch {
	case clean == sent || t.policy.Unclean == PathRedirect:
		q.path, q.clean = clean, true
	case t.policy.Unclean == PathStrict:
		return NotFound
	case sent == "" || sent[0] != '/':
		return NotFound // PathServe cannot serve it
	}
	q.unclean = clean != q.path
	rec, exact := q.match(sameSlash)
	if !exact {
		if other, spelling := q.matchOtherSlash(); other != 0 {
			switch {
			case t.policy.Slash == SlashRedirect:
				return redirectTo(r, q.location()+"/", t.patternOf(other))
			case clean == sent:
				return Answer{Number: other, Path: spelling.of(q.path), Escaped: q.escaped}
			}
			rec = other
		}
	}
	if sent != q.path {
		return redirectTo(r, q.location(), t.patternOf(rec))
	}
	if rec != 0 {
		return Answer{Number: rec, Path: q.path, Escaped: q.escaped}
	}
	return t.refuse(r, &q)
}

// patternOf returns the pattern of a number, "" for 0.
func (t *Tables) patternOf(number uint32) string {
	if number == 0 {
		return ""
	}
	return t.Entry(number).Pattern.Text
}

// Match returns the number of the entry that matches a clean path, for the method of a
// request, its matchers and a host, or 0 if there is none.
func (t *Tables) Match(r *http.Request, host, path string, escaped bool) (number uint32) {
	q := query{tables: t, request: r, host: host, path: path, escaped: escaped, clean: true, dots: r.Method == http.MethodConnect}
	number, _ = q.match(sameSlash)
	return number
}

// SentPath returns the path of a request as it was sent, and whether it is escaped.
func SentPath(r *http.Request) (path string, escaped bool) {
	if r.URL.RawPath != "" {
		return urlpath.Escaped(r.URL), true
	}
	return r.URL.Path, false
}

// resolveConnect is Resolve for CONNECT, whose paths are not cleaned and whose hosts
// keep their ports. As in http.ServeMux, the redirect to a final slash and the Allow
// header use the URL's host, the match uses the Host header.
func (t *Tables) resolveConnect(r *http.Request, st matcher.State) Answer {
	q := t.query(r, r.URL.Host)
	q.state, q.dots = st, true
	if q.path == "" || q.path[0] != '/' {
		return NotFound
	}
	if _, exact := q.match(sameSlash); !exact && t.policy.Slash == SlashRedirect {
		if rec, _ := q.matchOtherSlash(); rec != 0 {
			q.path = urlpath.Clean(q.path)
			return redirectTo(r, strings.TrimSuffix(q.location(), "/")+"/", connectPattern(r))
		}
	}
	at := t.query(r, r.Host)
	at.state, at.dots = q.state, true
	at.state.Missed = 0
	rec, exact := at.match(sameSlash)
	if !exact && t.policy.Slash == SlashIgnore {
		if other, spelling := at.matchOtherSlash(); other != 0 {
			return Answer{Number: other, Path: spelling.of(at.path), Escaped: at.escaped}
		}
	}
	if rec != 0 {
		return Answer{Number: rec, Path: at.path, Escaped: at.escaped}
	}
	q.state = at.state
	return t.refuse(r, &q)
}

// refuse returns the answer to a request that no entry matches. The state of q has the
// result of the entries whose method and path match, also with another final slash if
// that may make it match.
func (t *Tables) refuse(r *http.Request, q *query) Answer {
	options := t.policy.Options && r.Method == http.MethodOptions
	missed := Answer{Status: int(q.state.Missed), Near: q.state.Near}
	if missed.Status != 0 && !options {
		return missed
	}
	q.near = 0
	allowed, header := q.allowed()
	if missed.Status != 0 && len(allowed) == 0 {
		return missed
	}
	return refusalOf(allowed, header, options, q.near)
}

// refusalOf returns the answer to a request for whose path the methods are allowed.
// options is set if it is an OPTIONS request to be answered. near is an entry that
// allows one of them.
func refusalOf(allowed []string, header string, options bool, near uint32) Answer {
	switch {
	case len(allowed) == 0:
		return NotFound
	case options:
		return Answer{Status: http.StatusNoContent, Allowed: allowed, Allow: header}
	}
	return Answer{Status: http.StatusMethodNotAllowed, Allowed: allowed, Allow: header, Near: near}
}

var NotFound = Answer{Status: http.StatusNotFound}

// A query is the input of the tables for Resolve.
type query struct {
	tables  *Tables
	request *http.Request
	host    string
	asker   *asker        // set when it is needed
	state   matcher.State // State.Missed is the result of all calls of match: the path and the method match, the matchers do not
	path    string        // in the form for the tables
	escaped bool          // path is escaped
	dots    bool          // a parameter may be "." or ".."
	unclean bool          // path is served although it is unclean: adding or removing a slash does not make it match
	clean   bool          // path is known to be clean
	near    uint32        // the first entry that allows a method
}

// query returns the query for the request's path as it was sent.
func (t *Tables) query(r *http.Request, host string) query {
	path, escaped := SentPath(r)
	return query{tables: t, request: r, host: host, path: path, escaped: escaped}
}

// hosts iterates over the tables that apply to the query's host.
func (q *query) hosts() hostCursor { return hostCursor{tables: q.tables, host: q.host} }

// location returns the path in escaped form.
func (q *query) location() string {
	if q.escaped {
		return q.path
	}
	return urlpath.Escape(q.path)
}

// A slashSpelling is a variant of a path.
type slashSpelling uint8

const (
	sameSlash slashSpelling = iota // as it is
	moreSlash                      // with a final slash added
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

// match returns the number of the best entry for the query, in the given spelling of
// its path, and whether it matches exactly: no catch-all matched any text.
func (q *query) match(spelling slashSpelling) (number uint32, exact bool) {
	if q.tables.hosts == nil {
		return q.matchTable(q.tables.anywhere.of(q.request.Method), spelling, q.request.Method, false)
	}
	hosts := q.hosts()
	for h := hosts.next(); h != nil; h = hosts.next() {
		if rec, exact := q.matchTable(h.of(q.request.Method), spelling, q.request.Method, false); rec != 0 {
			return rec, exact
		}
	}
	return 0, false
}

// matchOtherSlash returns the number of the entry that matches exactly with a final
// slash added or, under SlashIgnore, removed, and that spelling.
func (q *query) matchOtherSlash() (number uint32, spelling slashSpelling) {
	if spelling = q.otherSlash(); spelling != sameSlash {
		if rec, exact := q.match(spelling); exact {
			return rec, spelling
		}
	}
	return 0, sameSlash
}

// otherSlash returns the other spelling of the path that may match, or sameSlash if
// there is none.
func (q *query) otherSlash() slashSpelling {
	switch policy := q.tables.policy.Slash; {
	case policy == SlashStrict || q.path == "" || q.path == "/" || q.unclean:
		return sameSlash
	case !strings.HasSuffix(q.path, "/"):
		return moreSlash
	case policy == SlashIgnore:
		return lessSlash
	}
	return sameSlash
}

// matchTable is match in one table, for a method; if named is set, only for entries
// that name it.
func (q *query) matchTable(t *trie.Table, spelling slashSpelling, method string, named bool) (number uint32, exact bool) {
	if number, ok := q.find(t, spelling, named); ok {
		return number, number != 0
	}
	asked := trie.Query{
		Path: q.path, Slash: spelling == moreSlash, Escaped: q.escaped, Fold: q.tables.policy.Fold, Dots: q.dots,
		Selective: named,
	}
	if spelling == lessSlash {
		asked.Path = asked.Path[:len(asked.Path)-1]
	}
	if !named && !t.Conditional {
		return t.Search(&asked)
	}
	if q.asker == nil {
		q.asker = newAsker(q.tables, q.request)
	}
	a := q.asker
	a.method, a.named, a.state = method, named, q.state
	asked.Accept = a.accept
	number, exact = t.Search(&asked)
	q.state = a.state
	return number, exact
}

// An asker decides for a search which entries match the parts of a request other than
// its path.
type asker struct {
	tables  *Tables
	request *http.Request
	accept  func(number uint32) uint32
	method  string // used instead of the request's method
	named   bool   // only entries that name it match
	state   matcher.State
}

func newAsker(t *Tables, r *http.Request) *asker {
	a := &asker{tables: t, request: r}
	a.accept = func(number uint32) uint32 {
		switch {
		case number&trie.Conditional != 0:
			return t.shared[number&^trie.Conditional].choose(r, t.policy.Proxies, &a.state, a.method, a.named)
		case a.named && t.Entry(number).Pattern.Methods == nil:
			return 0
		}
		return number
	}
	return a
}

// find is matchTable if [trie.Table.Find] or a look at the table can decide, which is
// several times faster: most paths that no entry matches are plain.
func (q *query) find(t *trie.Table, spelling slashSpelling, named bool) (number uint32, ok bool) {
	switch {
	case spelling == moreSlash && !t.Slashy:
		return 0, true
	case spelling != sameSlash || !q.clean || q.escaped || q.dots || q.tables.policy.Fold:
		return 0, false
	}
	if number, _ = t.Find(q.path); number-1 >= trie.Conditional-1 {
		return 0, number == 0
	}
	p := q.tables.Entry(number).Pattern
	if p.Last().Kind == pattern.CatchAll || named && p.Methods == nil {
		return 0, false
	}
	return number, true
}

// allowed returns the methods, sorted, for which a request with the query's path would
// match, and the Allow header that names them.
func (q *query) allowed() (methods []string, header string) {
	if s := q.tables; s.hosts == nil && len(s.anywhere.methods) <= 64 {
		return s.anywhere.allowance(q.allowedOf(&s.anywhere), s.policy.Options)
	}
	hosts := q.hosts()
	for h := hosts.next(); h != nil; h = hosts.next() {
		for i, m := range h.methods {
			if q.allows(h, i) {
				methods = append(methods, m)
			}
		}
	}
	return allowance(methods, q.tables.policy.Options)
}

// allowedOf returns a bit for each allowed method of h, which has at most 64 methods.
func (q *query) allowedOf(h *hostTables) (set uint64) {
	for i := range h.methods {
		if q.allows(h, i) {
			set |= 1 << i
		}
	}
	return set
}

// allows reports whether a request with the query's path and a method of h would match
// an entry that names the method.
func (q *query) allows(h *hostTables, method int) bool {
	m, t := h.methods[method], h.named[method]
	rec, _ := q.matchTable(t, sameSlash, m, true)
	if other := q.otherSlash(); rec == 0 && other != sameSlash {
		rec, _ = q.matchTable(t, other, m, true)
	}
	if q.near == 0 {
		q.near = rec
	}
	return rec != 0
}
