package muxwell

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/overlap"
	"github.com/muxwell/muxwell/internal/pattern"
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
		return fmt.Sprintf("muxwell: URL of pattern %q: %s", excerpt.Abridge(e.Pattern), e.Reason)
	case e.Pattern == "":
		return fmt.Sprintf("muxwell: URL of route %q: %s", excerpt.Abridge(e.Name), e.Reason)
	}
	return fmt.Sprintf("muxwell: URL of route %q, pattern %q: %s", excerpt.Abridge(e.Name), excerpt.Abridge(e.Pattern), e.Reason)
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
			return nil, &URLError{Name: name, Reason: fmt.Sprintf("routes of mounted muxes share the name: %q and %q; call URL on the route", excerpt.Abridge(rt.pattern.Text), excerpt.Abridge(other.pattern.Text))}
		case len(other.pattern.Segments) > len(rt.pattern.Segments):
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
	if rt == nil {
		return nil, &URLError{Reason: "the route is nil, as RouteOf returns it where no route matched; check for nil first"}
	}
	b := &urlBuilder{route: rt}
	vals, err := b.values(pairs)
	if err != nil {
		return nil, err
	}
	u := new(url.URL)
	if f := rt.pattern.HostPattern(); f == nil {
		u.Host = rt.pattern.Host
		if _, hasPort := hostname.SplitPort(u.Host); !hasPort && strings.Contains(u.Host, ":") {
			u.Host = "[" + u.Host + "]" // RFC 3986 §3.2.2
		}
	} else if u.Host, err = b.host(f, vals[:f.Names]); err != nil {
		return nil, err
	} else {
		vals = vals[f.Names:]
	}
	if schemes := rt.set().Schemes; u.Host != "" && len(schemes) > 0 {
		u.Scheme = schemes[0]
	}
	n := len(vals) - len(rt.set().QueryNames())
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
	return &URLError{Name: b.route.Name(), Pattern: b.route.pattern.Text, Param: param, Reason: fmt.Sprintf(format, args...)}
}

// values returns the values of pairs in the order of the route's parameters.
func (b *urlBuilder) values(pairs []string) ([]string, error) {
	names := b.route.layout.Names.List
	if len(pairs)%2 != 0 {
		return nil, b.fail("", "%d names and values, which come in pairs; the last one is %q", len(pairs), excerpt.Abridge(pairs[len(pairs)-1]))
	}
	vals, given := make([]string, len(names)), make([]bool, len(names))
	for i := 0; i < len(pairs); i += 2 {
		at := slices.Index(names, pairs[i])
		switch {
		case at < 0:
			return nil, b.fail(pairs[i], "it has no parameter %q, but %s", excerpt.Abridge(pairs[i]), listNames(names))
		case given[at]:
			return nil, b.fail(pairs[i], "two values for %q; give one", excerpt.Abridge(pairs[i]))
		}
		vals[at], given[at] = pairs[i+1], true
	}
	if at := slices.Index(given, false); at >= 0 {
		return nil, b.fail(names[at], "no value for %q; it has the parameters %s", excerpt.Abridge(names[at]), listNames(names))
	}
	return vals, nil
}

// Host returns the host with the values of its parameters.
func (b *urlBuilder) host(f *pattern.HostPattern, vals []string) (string, error) {
	labels, left := make([]string, len(f.Labels)), vals
	for i := range f.Labels {
		g := &f.Labels[i]
		switch {
		case g.Kind == pattern.Literal:
			labels[i] = g.Text
		case g.Params() == 0:
			return "", b.fail("", "its host begins with '*', which has no name; write {name} there")
		case g.Matcher != nil:
			labels[i] = g.Matcher.Join(left[:g.Params()])
		default:
			labels[i] = left[0]
		}
		left = left[g.Params():]
	}
	host := strings.Join(labels, ".") + f.Port
	back := make([]string, f.Names)
	if lower := hostname.Fold(host); lower != host || strings.ContainsAny(host, "/?#@[]\\ ") || !f.Matches(host, back) || !slices.Equal(back, vals) {
		return "", b.fail("", "the values %q make the host %q, which does not give them back; a label has no dots and is in lower case", vals, excerpt.Abridge(host))
	}
	return host, nil
}

// PathAt returns the escaped path with the values of its parameters.
func (b *urlBuilder) path(vals []string) (string, error) {
	var path strings.Builder
	written := b.route.pattern.Written()
	for i := range b.route.pattern.Segments {
		g := &b.route.pattern.Segments[i]
		n := g.Params()
		text, err := b.segment(g, &written[i], vals[:n])
		if err != nil {
			return "", err
		}
		path.WriteString("/" + text)
		vals = vals[n:]
	}
	return path.String(), nil
}

// Segment returns a segment, escaped, with the values of its parameters.
func (b *urlBuilder) segment(g, written *pattern.Segment, vals []string) (string, error) {
	switch {
	case g.Kind == pattern.Literal:
		return overlap.EscapeSegment(written.Text), nil
	case g.Kind == pattern.Dollar || len(vals) == 0:
		return "", nil
	case g.Kind == pattern.CatchAll || g.Kind == pattern.InnerCatchAll:
		if g.Kind == pattern.InnerCatchAll && vals[0] == "" {
			return "", b.fail(g.Text, "the value of %q is empty; between segments a catch-all takes one at least", excerpt.Abridge(g.Text))
		}
		return escapeSegments(vals[0], g.Kind == pattern.CatchAll), nil
	case g.Kind != pattern.Composite && vals[0] == "":
		return "", b.fail(g.Text, "the value of %q is empty, which a segment cannot be", excerpt.Abridge(g.Text))
	case g.Kind == pattern.Param:
		return overlap.EscapeSegment(vals[0]), nil
	}
	text, err := b.form(g, written, vals)
	return overlap.EscapeSegment(text), err
}

// SegmentMatcher returns a mixed or constrained segment with the values of its parameters.
func (b *urlBuilder) form(g, written *pattern.Segment, vals []string) (string, error) {
	text := written.Matcher.Join(vals)
	back := make([]string, len(vals))
	if !g.Matches(text) {
		return "", b.fail(g.Matcher.Names[0], "%s does not take %q", g, excerpt.Abridge(text))
	}
	if g.Assign(back, text); !slices.Equal(back, vals) {
		return "", b.fail(g.Matcher.Names[0], "%s would read %q as %q", g, excerpt.Abridge(text), back)
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
	for i := range b.route.info.Queries {
		q := &b.route.info.Queries[i]
		n := q.Segment.Params()
		text, err := b.queryValue(q, vals[:n])
		if err != nil {
			return "", err
		}
		query = matcher.AppendQuery(query, q.Key, text)
		vals = vals[n:]
	}
	if matcher.QueryTooLong(query) {
		return "", b.fail("", "the query has %d bytes, and a route matches up to %d", len(query), matcher.MaxQuery)
	}
	return query, nil
}

// queryValue returns the value of a part of the query, unescaped, with the values
// of its parameters.
func (b *urlBuilder) queryValue(q *matcher.QueryPart, vals []string) (string, error) {
	switch g := &q.Segment; {
	case q.Present || g.Kind == pattern.Literal:
		return g.Text, nil
	case g.Kind == pattern.CatchAll:
		return vals[0], nil
	case g.Kind == pattern.Param && vals[0] == "":
		return "", b.fail(g.Text, "the value of %q is empty; in a query only {%s...} is", excerpt.Abridge(g.Text), excerpt.Abridge(g.Text))
	case g.Kind == pattern.Param:
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
		parts[i] = overlap.EscapeSegment(part)
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
