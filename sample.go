package muxwell

import (
	"crypto/tls"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/language"
	"github.com/muxwell/muxwell/internal/overlap"
	"github.com/muxwell/muxwell/internal/pattern"
)

// A sample is a request that a route takes. It is looked for among requests of
// the route's pattern, with texts that the routes before it refuse.

// Sample returns a request that rt takes, a route of m, as a server would hand it
// to m, with the headers, the query and whatever else rt asks for. Its method is
// GET if that can be, and its host is example.com where rt does not name one.
// Values of parameters are their names where that fits. It has no body, though it
// may have a Content-Type. Sample reports false if it found none: rt is no route
// of m, other routes take all of its requests, or a constraint or [MatchFunc]
// takes nothing of what was tried.
func (m *Mux) Sample(rt *Route) (*http.Request, bool) {
	c := newChecker(m.current())
	if r, ok := c.sample(rt); ok {
		return r, true // so it is for most
	}
	for _, q := range c.snapshot.routes {
		if q != rt {
			c.relate(q, rt)
		}
	}
	return c.sample(rt)
}

// sample returns a request that rt takes, and false if none was found.
func (c *checker) sample(rt *Route) (*http.Request, bool) {
	hosts := []string{overlap.Host(&rt.pattern)}
	if rt.pattern.Host == "" {
		hosts = []string{"example.com", "a.b.example.org", "localhost"}
	}
	methods := slices.Clone(rt.pattern.Methods)
	if methods == nil {
		methods = []string{http.MethodGet, http.MethodConnect, "ANY-OTHER"}
	}
	if i := slices.Index(methods, http.MethodGet); i > 0 {
		methods[0], methods[i] = methods[i], methods[0]
	}
	ways := c.sampleWays(rt)
	for _, method := range methods {
		for path := range c.samplePaths(rt) {
			for _, host := range hosts {
				for way := range ways {
					r := newSample(method, host, path)
					if r == nil {
						break
					}
					rt.meet(r, way)
					if c.snapshot.records[c.snapshot.resolve(r).Number].route == rt {
						return r, true
					}
				}
			}
		}
	}
	return nil, false
}

// A request is sampled in several ways if matchers are about: with each of the
// settings of what they ask for that is there in every request, and with each of
// the first alternatives that the route's own have.
const (
	wayTLS = 1 << iota
	wayAccept
	wayContentType
	waySettings
	wayAlternatives = 4
)

// sampleWays returns in how many ways requests for rt are sampled.
func (c *checker) sampleWays(rt *Route) int {
	asks := func(q *Route) bool { return len(q.matchers()) > 0 }
	if asks(rt) || slices.ContainsFunc(c.before[rt], asks) {
		return waySettings * wayAlternatives
	}
	return 1
}

// align makes a sample meet the matchers of rt, in the given way, and as few others
// as it may.
func (rt *Route) meet(r *http.Request, way int) {
	if way&wayTLS != 0 {
		r.TLS = new(tls.ConnectionState)
	}
	for _, m := range rt.matchers() {
		if m.Satisfy != nil {
			m.Satisfy(r, way/waySettings)
		}
	}
	const none = "application/x-none" // that no route has
	if way&wayAccept != 0 && r.Header["Accept"] == nil {
		r.Header.Set("Accept", none)
	}
	if way&wayContentType != 0 && r.Header["Content-Type"] == nil {
		r.Header.Set("Content-Type", none)
	}
	if r.URL.RawQuery != "" {
		r.RequestURI += "?" + r.URL.RawQuery
	}
}

// newSample returns a request as a server reads it from a connection, or nil if
// the path is none.
func newSample(method, host, path string) *http.Request {
	u, err := url.ParseRequestURI(path)
	if err != nil {
		return nil
	}
	if method == http.MethodConnect {
		u.Host = host
	}
	return &http.Request{
		Method: method, Host: host, URL: u, RequestURI: path, Header: make(http.Header), Body: http.NoBody,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}
}

// samplePaths iterates over paths that rt matches: with its parameters' names,
// then with texts that the routes before it do not take.
func (c *checker) samplePaths(rt *Route) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		most := len(rt.pattern.Segments)
		for _, q := range c.before[rt] {
			most = max(most, len(q.pattern.Segments))
		}
		for n := len(rt.pattern.Segments); n <= most+2; n++ {
			segs, ok := overlap.OfLength(rt.pattern.Segments, n)
			if !ok {
				return
			}
			if last := rt.pattern.Last(); last.Kind == pattern.CatchAll && (last.Text != "" || n > len(rt.pattern.Segments)) {
				if path, ok := overlap.Example(segs, n-1, overlap.Hints(last)[0]); ok && !yield(path) {
					return
				}
			}
			if path, ok := overlap.Example(segs, -1, ""); ok && !yield(path) {
				return
			}
			if !c.avoid(rt, segs, yield) {
				return
			}
		}
	}
}

// avoid yields paths of segs in which one segment, and then each, is a text that
// the routes before rt do not take there.
func (c *checker) avoid(rt *Route, segs []pattern.Segment, yield func(string) bool) bool {
	before := c.before[rt]
	if len(before) == 0 {
		return true
	}
	texts := make([]string, len(segs))
	for i, g := range segs {
		texts[i], _ = overlap.Text(g)
		if g.Kind == pattern.Literal && !g.Fold || g.Kind == pattern.Dollar || g.Kind == pattern.CatchAll {
			continue
		}
		var out []pattern.Segment
		for _, q := range before {
			if qs, ok := overlap.OfLength(q.pattern.Segments, len(segs)); ok && qs[i].Kind != pattern.Param && qs[i].Kind != pattern.CatchAll {
				out = append(out, qs[i])
			}
		}
		text, answer := overlap.Find([]pattern.Segment{g}, out)
		if answer != language.Found {
			continue
		}
		texts[i] = text
		if path, ok := overlap.Example(segs, i, text); ok && !yield(path) {
			return false
		}
	}
	var b strings.Builder
	for i, g := range segs {
		if g.Kind == pattern.Dollar || g.Kind == pattern.CatchAll {
			texts[i] = ""
		}
		b.WriteString("/" + overlap.EscapeSegment(texts[i]))
	}
	return yield(b.String())
}
