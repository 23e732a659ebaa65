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

// A URL is built in the way a path is matched, segment by segment. Each value is
// escaped for its position. Then the result is parsed like a request, to check that a
// request for it gives the route the same values.

// A URLError reports a URL that cannot be built.
type URLError struct {
	Name    string // the route's name
	Pattern string // of the route; "" if no route has the name
	Param   string // the invalid parameter, or ""
	Reason  string // what is wrong, and how to fix it
}

// Error returns the name of the route or its pattern, and why there is no URL.
func (e *URLError) Error() string {
	switch {
	case e.Name == "":
		return fmt.Sprintf("muxwell: URL of pattern %q: %s", excerpt.Abridge(e.Pattern), e.Reason)
	case e.Pattern == "":
		return fmt.Sprintf("muxwell: URL of route %q: %s", excerpt.Abridge(e.Name), e.Reason)
	}
	return fmt.Sprintf("muxwell: URL of route %q, pattern %q: %s", excerpt.Abridge(e.Name), excerpt.Abridge(e.Pattern), e.Reason)
}

// URL returns the URL of the route called name, with values for its parameters. pairs
// are names and values in turn, in any order: one pair for each parameter, including
// those of [Queries]. A final slash of the pattern is part of the URL. The value of a
// catch-all may contain slashes. The query has the keys of the route's Queries, in
// their order, except those that match any value.
//
// Host is set if the pattern has one. Then Scheme is set to the first of the route's
// [Schemes], if it has any. Without a host there is no scheme either: https:/path is
// not a valid address, and the client knows the scheme that it used.
//
// The error is a [*URLError] if a value is missing, belongs to no parameter, is empty
// where the pattern does not allow that, or is rejected by its constraint. It is one as
// well if a request would not give the same value back, such as "a-b" for the first
// parameter of {x}-{y} or upper-case letters in a host, or if the query is longer than
// [Queries] reads. For all other values the URL matches the route's pattern, and a
// request for it gives the same values back. Still another route may take precedence
// there, and other matchers of the route may require what a URL cannot express.
//
// The routes of a mounted mux are found by the names that they have there, unless a
// route of m itself has the name. Their paths begin with the prefix, and their
// parameters include those of the prefix. If a name is found in several mounts, URL
// returns an error that says so.
func (m *Mux) URL(name string, pairs ...string) (*url.URL, error) {
	m.mu.Lock()
	rt, inner := m.named[name], m.inner[name]
	m.mu.Unlock()
	if rt != nil {
		return rt.URL(pairs...)
	}
	if len(inner) == 0 {
		return nil, &URLError{Name: name, Reason: "no route has this name; name a route with the option Name"}
	}
	rt = inner[0]
	for _, other := range inner[1:] {
		switch {
		case !sameOrigin(rt, other):
			return nil, &URLError{Name: name, Reason: fmt.Sprintf("several routes of mounted muxes have this name: %q and %q; call Route.URL instead", excerpt.Abridge(rt.pattern.Text), excerpt.Abridge(other.pattern.Text))}
		case len(other.pattern.Segments) > len(rt.pattern.Segments):
			rt = other
		}
	}
	return rt.URL(pairs...)
}

// sameOrigin reports whether two routes are derived from one route through the same
// mounts: those for the prefix with and without a slash.
func sameOrigin(a, b *Route) bool {
	for a.info != nil && a.info.origin != nil && b.info != nil && b.info.origin != nil && a.info.mount == b.info.mount {
		a, b = a.info.origin, b.info.origin
	}
	return a == b
}

// Path returns only the escaped path of [Mux.URL], without the query, the host and the
// scheme. The pairs are the same as for URL, including values for the query and the
// host.
func (m *Mux) Path(name string, pairs ...string) (string, error) {
	u, err := m.URL(name, pairs...)
	if err != nil {
		return "", err
	}
	return u.EscapedPath(), nil
}

// URL is like [Mux.URL] for this route, which need not have a name.
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
		return nil, b.fail("", "the path %q cannot be parsed: %v", u.RawPath, err)
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
		return nil, b.fail("", "odd number of names and values, %d; the last one is %q", len(pairs), excerpt.Abridge(pairs[len(pairs)-1]))
	}
	vals, given := make([]string, len(names)), make([]bool, len(names))
	for i := 0; i < len(pairs); i += 2 {
		at := slices.Index(names, pairs[i])
		switch {
		case at < 0:
			return nil, b.fail(pairs[i], "no parameter %q; the route has %s", excerpt.Abridge(pairs[i]), listNames(names))
		case given[at]:
			return nil, b.fail(pairs[i], "two values for %q; pass one", excerpt.Abridge(pairs[i]))
		}
		vals[at], given[at] = pairs[i+1], true
	}
	if at := slices.Index(given, false); at >= 0 {
		return nil, b.fail(names[at], "no value for %q; the route has the parameters %s", excerpt.Abridge(names[at]), listNames(names))
	}
	return vals, nil
}

// host returns the host with the values of its parameters.
func (b *urlBuilder) host(f *pattern.HostPattern, vals []string) (string, error) {
	labels, left := make([]string, len(f.Labels)), vals
	for i := range f.Labels {
		g := &f.Labels[i]
		switch {
		case g.Kind == pattern.Literal:
			labels[i] = g.Text
		case g.Params() == 0:
			return "", b.fail("", "its host begins with '*', which has no name; write {name} instead")
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
		return "", b.fail("", "the values %q make the host %q, which does not give them back; labels have no dots and are in lower case", vals, excerpt.Abridge(host))
	}
	return host, nil
}

// path returns the escaped path with the values of its parameters.
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

// segment returns a segment, escaped, with the values of its parameters.
func (b *urlBuilder) segment(g, written *pattern.Segment, vals []string) (string, error) {
	switch {
	case g.Kind == pattern.Literal:
		return overlap.EscapeSegment(written.Text), nil
	case g.Kind == pattern.Dollar || len(vals) == 0:
		return "", nil
	case g.Kind == pattern.CatchAll || g.Kind == pattern.InnerCatchAll:
		if g.Kind == pattern.InnerCatchAll && vals[0] == "" {
			return "", b.fail(g.Text, "the value of %q is empty; a catch-all between segments matches at least one segment", excerpt.Abridge(g.Text))
		}
		return escapeSegments(vals[0], g.Kind == pattern.CatchAll), nil
	case g.Kind != pattern.Composite && vals[0] == "":
		return "", b.fail(g.Text, "the value of %q is empty, but a segment cannot be empty", excerpt.Abridge(g.Text))
	case g.Kind == pattern.Param:
		return overlap.EscapeSegment(vals[0]), nil
	}
	text, err := b.form(g, written, vals)
	return overlap.EscapeSegment(text), err
}

// form returns a composite or constrained segment with the values of its parameters.
func (b *urlBuilder) form(g, written *pattern.Segment, vals []string) (string, error) {
	text := written.Matcher.Join(vals)
	back := make([]string, len(vals))
	if !g.Matches(text) {
		return "", b.fail(g.Matcher.Names[0], "%s does not match %q", g, excerpt.Abridge(text))
	}
	if g.Assign(back, text); !slices.Equal(back, vals) {
		return "", b.fail(g.Matcher.Names[0], "%s would parse %q as %q", g, excerpt.Abridge(text), back)
	}
	return text, nil
}

// query returns the query that the route requires, with the values of its parameters.
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
		return "", b.fail("", "the query has %d bytes, but a route matches at most %d", len(query), matcher.MaxQuery)
	}
	return query, nil
}

// queryValue returns the value for one key of the query, unescaped, with the values of
// its parameters.
func (b *urlBuilder) queryValue(q *matcher.QueryPart, vals []string) (string, error) {
	switch g := &q.Segment; {
	case q.Present || g.Kind == pattern.Literal:
		return g.Text, nil
	case g.Kind == pattern.CatchAll:
		return vals[0], nil
	case g.Kind == pattern.Param && vals[0] == "":
		return "", b.fail(g.Text, "the value of %q is empty; in a query only {%s...} can be empty", excerpt.Abridge(g.Text), excerpt.Abridge(g.Text))
	case g.Kind == pattern.Param:
		return vals[0], nil
	default:
		return b.form(g, g, vals)
	}
}

// escapeSegments returns text escaped, with its slashes, except that slashes that would
// make an empty segment are escaped too. The last one of these stays a slash if the
// path ends there.
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
