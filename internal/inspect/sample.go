package inspect

import (
	"crypto/tls"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/language"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/overlap"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/routing"
)

// Sample returns a request that an entry wins, as a server would pass it on, and false
// if none was found. It tries requests that match the entry's pattern, with texts that
// the entries which win over it do not match.
func (rs *Routes) Sample(e *routing.Entry) (*http.Request, bool) {
	if int(e.Number) >= rs.Tables.Len() || rs.Tables.Entry(e.Number) != e {
		return nil, false // it is not in the tables
	}
	c := newChecker(rs)
	if r, ok := c.sample(e); ok {
		return r, true // the common case
	}
	for q := range rs.Entries {
		if q != e {
			c.relate(q, e)
		}
	}
	return c.sample(e)
}

// sample returns a request that e wins, and false if none was found, given the entries
// in c.before.
func (c *checker) sample(e *routing.Entry) (*http.Request, bool) {
	hosts := []string{overlap.Host(e.Pattern)}
	if e.Pattern.Host == "" {
		hosts = []string{"example.com", "a.b.example.org", "localhost"}
	}
	methods := slices.Clone(e.Pattern.Methods)
	if methods == nil {
		methods = []string{http.MethodGet, http.MethodConnect, "ANY-OTHER"}
	}
	if i := slices.Index(methods, http.MethodGet); i > 0 {
		methods[0], methods[i] = methods[i], methods[0]
	}
	ways := c.sampleWays(e)
	for _, method := range methods {
		for path := range c.samplePaths(e) {
			for _, host := range hosts {
				for way := range ways {
					r := newSample(method, host, path)
					if r == nil {
						break
					}
					satisfy(e, r, way)
					if c.routes.wins(e, r) {
						return r, true
					}
				}
			}
		}
	}
	return nil, false
}

// wins reports whether a request goes to an entry.
func (rs *Routes) wins(e *routing.Entry, r *http.Request) bool {
	return rs.Tables.Entry(rs.Tables.Resolve(r, matcher.State{}).Number) == e
}

// If matchers decide, several variants of a request are tried: with each combination of
// the settings on which other entries' matchers may depend, and with each of the first
// alternatives that the entry's own matchers offer.
const (
	wayTLS = 1 << iota
	wayAccept
	wayContentType
	waySettings
	wayAlternatives = 4
)

// sampleWays returns the number of variants of requests for e.
func (c *checker) sampleWays(e *routing.Entry) int {
	if hasMatchers(e) || slices.ContainsFunc(c.before[e], hasMatchers) {
		return waySettings * wayAlternatives
	}
	return 1
}

// satisfy makes a sample satisfy the matchers of e, in the given variant, and as few
// others as possible.
func satisfy(e *routing.Entry, r *http.Request, way int) {
	if way&wayTLS != 0 {
		r.TLS = new(tls.ConnectionState)
	}
	for _, m := range e.Matchers.Matchers {
		if m.Satisfy != nil {
			m.Satisfy(r, way/waySettings)
		}
	}
	const none = "application/x-none" // a type that no entry has
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

// newSample returns a request as a server reads it from a connection, or nil if the path
// is invalid.
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

// samplePaths iterates over paths that e matches: with its parameters' names, then with
// texts that the entries which win over it do not match.
func (c *checker) samplePaths(e *routing.Entry) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		most := len(e.Pattern.Segments)
		for _, q := range c.before[e] {
			most = max(most, len(q.Pattern.Segments))
		}
		for n := len(e.Pattern.Segments); n <= most+2; n++ {
			segs, ok := overlap.OfLength(e.Pattern.Segments, n)
			if !ok {
				return
			}
			if last := e.Pattern.Last(); last.Kind == pattern.CatchAll && (last.Text != "" || n > len(e.Pattern.Segments)) {
				if path, ok := overlap.Example(segs, n-1, overlap.Hints(last)[0]); ok && !yield(path) {
					return
				}
			}
			if path, ok := overlap.Example(segs, -1, ""); ok && !yield(path) {
				return
			}
			if !c.avoid(e, segs, yield) {
				return
			}
		}
	}
}

// avoid yields paths of segs in which one segment, and then each, is a text that the
// entries which win over e do not match there.
func (c *checker) avoid(e *routing.Entry, segs []pattern.Segment, yield func(string) bool) bool {
	before := c.before[e]
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
			if qs, ok := overlap.OfLength(q.Pattern.Segments, len(segs)); ok && qs[i].Kind != pattern.Param && qs[i].Kind != pattern.CatchAll {
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
