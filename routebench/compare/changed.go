package compare

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/routebench/route"
	"github.com/muxwell/muxwell/routebench/router"
	"github.com/muxwell/muxwell/routebench/suite"
)

// A router may answer a request right and still misunderstand the route. For
// /v1/things:batchGet and /tags/{tag:[a-z]+}, a router may treat ":batchGet" as a
// parameter, or search for the expression anywhere in the segment. Slightly different
// requests reveal this:
//
//	/v1/things:batchGet    /v1/thingsxbatchGet, /v1/things:batchGetx
//	/tags/kem              /tags/kemx, /tags/xkem
//	/a/b                   none: it has nothing that patterns have a meaning for
//
// The oracle knows which of them the route matches. If a router's route matches others too,
// the answer to the original request counts as wrong.

// misread returns the requests that are answered right although the route is misunderstood,
// with the reason.
func misread(l *router.Loaded, rs *suite.Routes, requests []*route.Request) []router.Fault {
	var faults []router.Fault
	for _, q := range requests {
		if q.Route < 0 || !l.Takes(q.Route) {
			continue
		}
		for _, other := range changed(rs, q) {
			if (other.Route < 0 || l.Takes(other.Route)) && l.Answers(other.HTTP) == q.Route {
				faults = append(faults, router.Fault{
					Route: q.Route, Request: q.String(), Reason: fmt.Sprintf("the route takes %s too", other),
				})
				break
			}
		}
	}
	return faults
}

// changed returns requests that differ slightly from one that a route matches, and that the
// route does not match.
func changed(rs *suite.Routes, q *route.Request) []*route.Request {
	r := rs.All[q.Route]
	if len(r.Options) > 0 || q.HTTP.Method == http.MethodHead || q.HTTP.Method == http.MethodConnect {
		return nil // HEAD has no body to tell by, and the others are none but muxwell's
	}
	constrained := slices.ContainsFunc(slices.Concat(r.Path...), func(p route.Piece) bool { return p.Constraint != "" })
	var out []*route.Request
	segments := strings.Split(q.HTTP.URL.EscapedPath(), "/")
	for i, segment := range segments {
		text, err := url.PathUnescape(segment)
		if err != nil || text == "" {
			continue
		}
		for _, other := range changes(text, constrained) {
			segments[i] = url.PathEscape(other)
			got, err := rs.Oracle.Request(q.HTTP.Method, q.HTTP.Host, strings.Join(segments, "/"))
			if err == nil && got.Route != q.Route {
				out = append(out, got)
			}
		}
		segments[i] = segment
	}
	return out
}

// changes returns a segment with a letter in place of each of its bytes that may
// mean something in a pattern, and with one at its ends.
func changes(segment string, constrained bool) []string {
	var out []string
	for i := range len(segment) {
		if strings.IndexByte(meaningful, segment[i]) >= 0 {
			out = append(out, segment[:i]+"x"+segment[i+1:])
		}
	}
	if out != nil || constrained {
		out = append(out, segment+"x")
	}
	if constrained {
		out = append(out, "x"+segment)
	}
	return out
}

// meaningful are the bytes that begin or end a parameter or mean something in an
// expression.
const meaningful = `:*{}.+?()[]|^$\<>@!,;`
