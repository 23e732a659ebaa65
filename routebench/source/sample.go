package source

import (
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/routebench/route"
)

// A sample is a request for a route, with values as a client would send them:
//
//	GET /repos/{owner}/{repo}/issues/{issue_number}    GET /repos/q7ha/m-dkw3/issues/8412
//	GET /tags/{tag:[a-z]+-[0-9]+}                      GET /tags/kem-07
//	GET /files/{path...}                               GET /files/xuw2/o0z
//
// A comparison is about routing. So values are free of what routers read in
// different ways: dots and escapes, an empty rest of a path, and in a segment with
// text next to a parameter the letters of that text. Only a route that says so is
// asked for them.

// attempts is how often values are drawn for a route whose requests others may match.
const attempts = 8

// Sample returns a request that route i matches, with random values for its parameters. The
// same numbers from rng give the same request. The request satisfies the route's matchers.
// Sample returns false if it finds no such request.
func (o *Oracle) Sample(i int, rng *rand.Rand) (*route.Request, bool) {
	r := o.routes[i]
	plain := &http.Request{Host: "example.com", URL: new(url.URL)}
	if len(r.Options) == 0 {
		if q, ok := o.draw(i, plain, rng); ok {
			return q, true
		}
	}
	found, ok := o.mux.Sample(o.added[i])
	if !ok {
		return nil, false
	}
	if q, ok := o.draw(i, found, rng); ok {
		return q, true
	}
	return o.complete(i, r.Method, found.Host, found.URL.EscapedPath(), found)
}

// draw returns a request for route i with random values, which is as base in the
// rest, and reports false if none of some attempts reaches the route.
func (o *Oracle) draw(i int, base *http.Request, rng *rand.Rand) (*route.Request, bool) {
	r := o.routes[i]
	for n := range attempts {
		v := values{rng: rng, words: n >= attempts/2}
		host := base.Host
		if r.Host != "" {
			host = v.host(r)
		}
		if q, ok := o.complete(i, r.Method, host, v.path(r), base); ok {
			return q, true
		}
	}
	return nil, false
}

// complete returns a request with the headers, the query and the connection of
// base, and reports false if it does not reach route i.
func (o *Oracle) complete(i int, method, host, path string, base *http.Request) (*route.Request, bool) {
	target := path
	if base.URL.RawQuery != "" {
		target += "?" + base.URL.RawQuery
	}
	q, err := route.NewRequest(method, host, target)
	if err != nil {
		return nil, false
	}
	if method == http.MethodConnect {
		q.HTTP.URL.Host = host
	}
	for name, lines := range base.Header {
		q.HTTP.Header[name] = slices.Clone(lines)
	}
	q.HTTP.TLS = base.TLS
	if base.RemoteAddr != "" {
		q.HTTP.RemoteAddr = base.RemoteAddr
	}
	o.answer(q)
	return q, q.Route == i
}

// values draws random values.
type values struct {
	rng   *rand.Rand
	words bool // also where a name asks for a number
}

// path returns a path for a route, escaped.
func (v *values) path(r *route.Route) string {
	var b strings.Builder
	for _, g := range r.Path {
		b.WriteByte('/')
		without := ""
		if len(g) > 1 {
			without = "-" + literals(g)
		}
		for _, p := range g {
			switch {
			case p.End:
			case p.Literal != "":
				b.WriteString(escape(p.Literal))
			case p.Rest:
				b.WriteString(v.several("/"))
			default:
				b.WriteString(escape(v.value(p, without)))
			}
		}
	}
	return b.String()
}

// host returns a host for a route that has one.
func (v *values) host(r *route.Route) string {
	var b strings.Builder
	pieces := r.HostPieces()
	for i, p := range pieces {
		switch {
		case i == 0 && strings.HasPrefix(p.Literal, "*"):
			b.WriteString(v.word(3, 8, "-") + p.Literal[1:])
		case p.Literal != "":
			b.WriteString(p.Literal)
		case p.Rest:
			b.WriteString(v.several("."))
		default:
			b.WriteString(strings.ToLower(v.value(p, "-"+literals(pieces))))
		}
	}
	return b.String()
}

// literals returns the literal text of a segment.
func literals(g route.Segment) string {
	var b strings.Builder
	for _, p := range g {
		b.WriteString(p.Literal)
	}
	return b.String()
}

// escape returns text as a segment of a path, with only the necessary escapes.
func escape(text string) string {
	parts := strings.Split(text, "/")
	for i, part := range parts {
		parts[i] = (&url.URL{Path: part}).EscapedPath()
	}
	return strings.Join(parts, "%2F")
}
