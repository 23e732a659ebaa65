package muxwell

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// A URL is built from a route as a path is matched, segment by segment: each
// value is escaped for its place, and what was built is read again the way a
// request would be, so that a request for it gives the route the same values.

// A URLError reports a URL that cannot be built.
type URLError struct {
	Name    string // the route's name
	Pattern string // of the route; "" if there is none of that name
	Param   string // the parameter that is at fault, or ""
	Reason  string // what is wrong, and the way out
}

// Error names the route or its pattern, and says why there is no URL.
func (e *URLError) Error() string {
	switch {
	case e.Name == "":
		return fmt.Sprintf("muxwell: URL of pattern %q: %s", abridge(e.Pattern), e.Reason)
	case e.Pattern == "":
		return fmt.Sprintf("muxwell: URL of route %q: %s", abridge(e.Name), e.Reason)
	}
	return fmt.Sprintf("muxwell: URL of route %q, pattern %q: %s", abridge(e.Name), abridge(e.Pattern), e.Reason)
}

// URL returns the URL of the route called name, with values in place of its
// parameters; pairs are names and values in turn, one for each parameter, those of
// [Queries] among them, in any order. A final slash of the pattern is there, a
// catch-all takes a value with slashes. The query is what the route asks for in
// Queries, in the order given there; a key that may have any value has none.
//
// Host is set if the pattern has one, and Scheme with it to the first of
// [Schemes] if the route has these. Without a host there is no scheme either:
// https:/path is no address, and the client knows by what it came.
//
// A value that is missing, empty where the pattern takes none, of no parameter,
// or refused by its constraint is a [*URLError]; so is one that a request would
// not give back: "a-b" for the first parameter of {x}-{y}, or upper-case letters
// in a host. So is one that makes the query longer than [Queries] reads. For every
// other value the URL leads to the route's pattern, and the values come back the
// same; another route may still go first there, and other matchers of the route ask
// for what no URL says.
//
// The routes of a mounted mux are found by the names that they have there, with
// the prefix in front of their paths and its parameters among theirs, unless
// the name is one of m's own. Where a name is found in more than one place, URL
// says so in its error.
func (m *Mux) URL(name string, pairs ...string) (*url.URL, error) {
	m.mu.Lock()
	rt, inner := m.named[name], m.inner[name]
	m.mu.Unlock()
	if rt != nil {
		return rt.URL(pairs...)
	}
	if len(inner) == 0 {
		return nil, &URLError{Name: name, Reason: "there is no route of that name; give one with Name"}
	}
	rt = inner[0]
	for _, other := range inner[1:] {
		switch {
		case !sameOrigin(rt, other):
			return nil, &URLError{Name: name, Reason: fmt.Sprintf("routes of mounted muxes share the name: %q and %q; call URL on the route", abridge(rt.str), abridge(other.str))}
		case len(other.segs) > len(rt.segs):
			rt = other
		}
	}
	return rt.URL(pairs...)
}

// sameOrigin reports whether two routes are derived from one through the same
// mounts: as the prefix with a slash and without.
func sameOrigin(a, b *Route) bool {
	for a.info != nil && a.info.origin != nil && b.info != nil && b.info.origin != nil && a.info.mount == b.info.mount {
		a, b = a.info.origin, b.info.origin
	}
	return a == b
}

// Path returns the path of [Mux.URL], escaped, and no more of it: the query that
// the route asks for, its host and its scheme are left out. The pairs are the
// same, values for the query and the host included.
func (m *Mux) Path(name string, pairs ...string) (string, error) {
	u, err := m.URL(name, pairs...)
	if err != nil {
		return "", err
	}
	return u.EscapedPath(), nil
}

// URL is [Mux.URL] for this route, which need not have a name.
func (rt *Route) URL(pairs ...string) (*url.URL, error) {
	b := &urlBuilder{route: rt}
	vals, err := b.values(pairs)
	if err != nil {
		return nil, err
	}
	u := new(url.URL)
	if f := rt.hostForm(); f == nil {
		u.Host = rt.host
		if _, hasPort := splitPort(u.Host); !hasPort && strings.Contains(u.Host, ":") {
			u.Host = "[" + u.Host + "]" // RFC 3986 §3.2.2
		}
	} else if u.Host, err = b.host(f, vals[:f.names]); err != nil {
		return nil, err
	} else {
		vals = vals[f.names:]
	}
	if schemes := rt.schemes(); u.Host != "" && len(schemes) > 0 {
		u.Scheme = schemes[0]
	}
	n := len(vals) - len(rt.queryNames())
	if u.RawPath, err = b.path(vals[:n]); err != nil {
		return nil, err
	}
	if u.RawQuery, err = b.query(vals[n:]); err != nil {
		return nil, err
	}
	if u.Path, err = url.PathUnescape(u.RawPath); err != nil {
		return nil, b.fail("", "the path %q cannot be read: %v", u.RawPath, err)
	}
	if u.EscapedPath() == (&url.URL{Path: u.Path}).EscapedPath() {
		u.RawPath = ""
	}
	return u, nil
}

// A urlBuilder builds a URL of a route.
type urlBuilder struct{ route *Route }

func (b *urlBuilder) fail(param, format string, args ...any) *URLError {
	return &URLError{Name: b.route.Name(), Pattern: b.route.str, Param: param, Reason: fmt.Sprintf(format, args...)}
}

// values returns the values of pairs in the order of the route's parameters.
func (b *urlBuilder) values(pairs []string) ([]string, error) {
	names := b.route.params.names
	if len(pairs)%2 != 0 {
		return nil, b.fail("", "%d names and values, which come in pairs; the last one is %q", len(pairs), abridge(pairs[len(pairs)-1]))
	}
	vals, given := make([]string, len(names)), make([]bool, len(names))
	for i := 0; i < len(pairs); i += 2 {
		at := slices.Index(names, pairs[i])
		switch {
		case at < 0:
			return nil, b.fail(pairs[i], "it has no parameter %q, but %s", abridge(pairs[i]), listNames(names))
		case given[at]:
			return nil, b.fail(pairs[i], "two values for %q; give one", abridge(pairs[i]))
		}
		vals[at], given[at] = pairs[i+1], true
	}
	if at := slices.Index(given, false); at >= 0 {
		return nil, b.fail(names[at], "no value for %q; it has the parameters %s", abridge(names[at]), listNames(names))
	}
	return vals, nil
}

// host returns the host with the values of its parameters.
func (b *urlBuilder) host(f *hostForm, vals []string) (string, error) {
	labels, left := make([]string, len(f.labels)), vals
	for i := range f.labels {
		g := &f.labels[i]
		switch {
		case g.kind == literal:
			labels[i] = g.text
		case g.params() == 0:
			return "", b.fail("", "its host begins with '*', which has no name; write {name} there")
		case g.form != nil:
			labels[i] = g.form.join(left[:g.params()])
		default:
			labels[i] = left[0]
		}
		left = left[g.params():]
	}
	host := strings.Join(labels, ".") + f.port
	back := make([]string, f.names)
	if lower := foldHost(host); lower != host || strings.ContainsAny(host, "/?#@[]\\ ") || !f.matches(host, back) || !slices.Equal(back, vals) {
		return "", b.fail("", "the values %q make the host %q, which does not give them back; a label has no dots and is in lower case", vals, abridge(host))
	}
	return host, nil
}

// path returns the escaped path with the values of its parameters.
func (b *urlBuilder) path(vals []string) (string, error) {
	var path strings.Builder
	written := b.route.written()
	for i := range b.route.segs {
		g := &b.route.segs[i]
		n := g.params()
		text, err := b.segment(g, &written[i], vals[:n])
		if err != nil {
			return "", err
		}
		path.WriteString("/" + text)
		vals = vals[n:]
	}
	return path.String(), nil
}

// segment returns a segment, escaped, with the values of its parameters.
func (b *urlBuilder) segment(g, written *segment, vals []string) (string, error) {
	switch {
	case g.kind == literal:
		return escapeSegment(written.text), nil
	case g.kind == end || len(vals) == 0:
		return "", nil
	case g.kind == rest || g.kind == middle:
		if g.kind == middle && vals[0] == "" {
			return "", b.fail(g.text, "the value of %q is empty; between segments a catch-all takes one at least", abridge(g.text))
		}
		return escapeSegments(vals[0], g.kind == rest), nil
	case g.kind != mixed && vals[0] == "":
		return "", b.fail(g.text, "the value of %q is empty, which a segment cannot be", abridge(g.text))
	case g.kind == param:
		return escapeSegment(vals[0]), nil
	}
	text, err := b.form(g, written, vals)
	return escapeSegment(text), err
}

// form returns a mixed or constrained segment with the values of its parameters.
func (b *urlBuilder) form(g, written *segment, vals []string) (string, error) {
	text := written.form.join(vals)
	back := make([]string, len(vals))
	if !g.takes(text) {
		return "", b.fail(g.form.names[0], "%s does not take %q", g, abridge(text))
	}
	if g.put(back, text); !slices.Equal(back, vals) {
		return "", b.fail(g.form.names[0], "%s would read %q as %q", g, abridge(text), back)
	}
	return text, nil
}

// query returns the query that the route asks for, with the values of its
// parameters.
func (b *urlBuilder) query(vals []string) (string, error) {
	if b.route.info == nil {
		return "", nil
	}
	query := ""
	for i := range b.route.info.queries {
		q := &b.route.info.queries[i]
		n := q.segment.params()
		text, err := b.queryValue(q, vals[:n])
		if err != nil {
			return "", err
		}
		query = appendQuery(query, q.key, text)
		vals = vals[n:]
	}
	if exceedsQuery(query) {
		return "", b.fail("", "the query has %d bytes, and a route matches up to %d", len(query), maxQuery)
	}
	return query, nil
}

// queryValue returns the value of a part of the query, unescaped, with the values
// of its parameters.
func (b *urlBuilder) queryValue(q *queryPart, vals []string) (string, error) {
	switch g := &q.segment; {
	case q.present || g.kind == literal:
		return g.text, nil
	case g.kind == rest:
		return vals[0], nil
	case g.kind == param && vals[0] == "":
		return "", b.fail(g.text, "the value of %q is empty; in a query only {%s...} is", abridge(g.text), abridge(g.text))
	case g.kind == param:
		return vals[0], nil
	default:
		return b.form(g, g, vals)
	}
}

// escapeSegments returns text in escaped form with its slashes, but for those
// that would make an empty segment: of these the last one may stay if the path
// ends there.
func escapeSegments(text string, ends bool) string {
	parts := strings.Split(text, "/")
	for i, part := range parts {
		parts[i] = escapeSegment(part)
	}
	clean := strings.Join(parts, "/")
	inner := clean
	if ends {
		inner = strings.TrimSuffix(clean, "/")
	}
	if inner != "" && (inner[0] == '/' || inner[len(inner)-1] == '/' || strings.Contains(inner, "//")) || clean == "/" {
		return strings.ReplaceAll(clean, "/", "%2F")
	}
	return clean
}
