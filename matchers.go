package muxwell

import (
	"net/http"
	"net/netip"
	"slices"

	"github.com/muxwell/muxwell/internal/clientaddr"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/pattern"
)

// noMatchers is the set of a route without matchers.
var noMatchers matcher.Set

// set returns the route's matchers.
func (rt *Route) set() *matcher.Set {
	if rt.info == nil {
		return &noMatchers
	}
	return &rt.info.Set
}

// Matchers returns the route's matchers.
func (rt *Route) matchers() []matcher.Matcher { return rt.set().Matchers }

// matching returns the option that adds a matcher to those of a route.
func matching(add func(*matcher.Set) error) RouteOption {
	return RouteOption{func(rt *Route, _ pattern.Rules) error { return publicError(add(&rt.addInfo().Set)) }}
}

// Queries makes a route take only requests whose query has these keys. The pairs
// are keys and templates in turn. A template says which values there may be:
//
//	""                 any, even none
//	on                 this text
//	{q}                any that is not empty
//	{page:int}         one that the constraint takes
//	v{major}.{minor}   text and parameters in any mix, with text between each two
//	{q...}             any, even an empty one
//
// It is read as a segment of a path is, but that a '/' is text like any other
// and that nothing is percent-escaped: keys and templates are compared with the
// unescaped query. A '{' as text is written as a parameter, {x:\{}. Each
// parameter's value is one of the route's parameters, behind those of its
// pattern, and their names are distinct.
//
// Of a key that the query has several times the first value counts, as in
// [url.Values.Get]. A query is read as [url.ParseQuery] reads it, but with limits of
// its own: '+' is a blank, and a pair with a ';' or a wrong escape is as if it were
// not there. A query of more than 16,384 bytes or 1,000 pairs, empty ones included,
// has none of the keys.
//
// Registration fails with an [*OptionError] if there is no pair, a key has no
// template or is empty, a template cannot be read, the route asks for the key
// already, or for more than a query may have.
func Queries(pairs ...string) RouteOption {
	pairs = slices.Clone(pairs)
	return RouteOption{func(rt *Route, r pattern.Rules) error {
		return publicError(rt.addInfo().AddQueries(pairs, r, rt.pattern.Names()))
	}}
}

// Headers makes a route take only requests that have these headers. The pairs
// are names and values in turn: one of the lines with the name must be the value,
// to the letter. An empty value takes any line, even an empty one. Names are
// compared without case. Of a header with more than 256 lines no line is compared.
//
// Registration fails with an [*OptionError] if there is no pair, a name has no
// value, or a request cannot have such a header. The host is no header: it is
// part of the pattern.
func Headers(pairs ...string) RouteOption {
	pairs = slices.Clone(pairs)
	return matching(func(s *matcher.Set) error { return s.AddHeaders(pairs) })
}

// HeadersRegexp is [Headers] with regular expressions, of RE2, in place of the
// values. An expression is for the whole of a line: 1 takes "1" but not "10", and
// what is found somewhere in a line is written .*1.*. An expression matches no line of
// a header that has more than 256 lines or 16,384 bytes.
func HeadersRegexp(pairs ...string) RouteOption {
	pairs = slices.Clone(pairs)
	return matching(func(s *matcher.Set) error { return s.AddHeadersRegexp(pairs) })
}

// Accept makes a route take only requests that ask for one of the media types,
// which are those that its handler can answer with: "application/json", or with
// parameters "text/csv; header=present". A request that misses nothing else is
// answered with 406.
//
// The Accept header of the request is read as RFC 9110 §12.5.1 says, all lines of
// it. Of its ranges the closest to a type decides: one with more of its parameters
// before one with fewer, the type itself before type/*, that before */*; of two as
// close the one with the higher q. A range with parameters is only for types that
// have them; names and the values of charset are compared without case. A q of 0
// refuses. Ranges that cannot be read are skipped; if none is left the client has
// said nothing, and as one without an Accept header it gets what there is. A header
// of more than 4,096 bytes or 256 elements, empty ones included, asks for none of the
// types.
//
// A vendor type without a format, as application/vnd.acme.v2, stands for all
// formats: it is also what a client asks for with application/vnd.acme.v2+json. So
// a version of an API is a route with one type, whatever it is written in.
//
// Of several routes with the same pattern that ask for this, the one whose type
// the client gives the highest q goes first, then the one registered first.
//
// The router sets no Vary header; handlers of which one is chosen so should.
//
// Registration fails with an [*OptionError] if there is no type, or one cannot be
// read, is a range, or has a q.
func Accept(mediaTypes ...string) RouteOption {
	mediaTypes = slices.Clone(mediaTypes)
	return matching(func(s *matcher.Set) error { return s.AddAccept(mediaTypes) })
}

// ContentType makes a route take only requests whose body is of one of the media
// types. A request that misses nothing else is answered with 415.
//
// Types are compared without case. The parameters of a type must be among those of
// the request's Content-Type, which may have more; their names and the values of
// charset are compared without case. text/* takes every type that begins with
// text/. A Content-Type that cannot be read, or is longer than 1,024 bytes, is none of
// the types. A request without one is taken if it has no body.
//
// Registration fails with an [*OptionError] if there is no type, or one cannot be
// read, is longer than that or has a q.
func ContentType(mediaTypes ...string) RouteOption {
	mediaTypes = slices.Clone(mediaTypes)
	return matching(func(s *matcher.Set) error { return s.AddContentType(mediaTypes) })
}

// Schemes makes a route take only requests that were sent by one of the schemes,
// "http" and "https", in any case. It is https for a request that came over TLS;
// for one from a proxy that [TrustedProxies] names, what is last in
// X-Forwarded-Proto, if that is one of the two, or ws or wss, as some proxies say for
// WebSockets.
//
// Registration fails with an [*OptionError] if there is no scheme, another one, or
// the route has Schemes already.
func Schemes(schemes ...string) RouteOption {
	schemes = slices.Clone(schemes)
	return matching(func(s *matcher.Set) error { return s.AddSchemes(schemes) })
}

// ClientIP makes a route take only requests of clients whose address is in one of
// the prefixes that allow has.
//
// The client is the peer of the connection, r.RemoteAddr, unless that is trusted:
// in one of the prefixes of trusted, or of [TrustedProxies] if there are none. Then
// it is the last address in X-Forwarded-For that is not trusted, or the first one
// if all are. If something there that is no address comes before it, from the
// right, the client is unknown, and no ClientIP takes the request. The last 256
// addresses there are read, and up to 255 bytes of each: if these do not decide, the
// client is unknown too.
//
// IPv4 addresses that are mapped to IPv6 count as IPv4 addresses, here and in
// prefixes; zones do not count. 0.0.0.0/0 has all IPv4 addresses, ::/0 all others.
//
// Registration fails with an [*OptionError] if allow is empty or a prefix is not
// valid.
func ClientIP(allow []netip.Prefix, trusted ...netip.Prefix) RouteOption {
	allow, trusted = slices.Clone(allow), slices.Clone(trusted)
	return matching(func(s *matcher.Set) error { return s.AddClientIP(allow, trusted) })
}

// TrustedProxies names the proxies in front of the mux by their addresses:
// [Schemes] believes their X-Forwarded-Proto, and a [ClientIP] that names none
// itself their X-Forwarded-For. Without it nobody's is believed. They must set
// these headers themselves, or append to what they were sent.
//
// A prefix of IPv4 addresses that are mapped to IPv6 stands for the IPv4
// addresses. Of several such options all count. TrustedProxies panics if a prefix
// is not valid.
func TrustedProxies(prefixes ...netip.Prefix) Option {
	clean, reason := clientaddr.Clean(prefixes)
	if reason != "" {
		panic("muxwell: TrustedProxies: " + reason)
	}
	return Option{func(c *config) { c.proxies = append(c.proxies, clean...) }}
}

// MatchFunc makes a route take only requests for which takes returns true.
//
// The function is called while a request is matched, before middleware and
// handler. It must be quick and safe for concurrent use, and give the same
// answer for the same request: it may be called more than once for one, by
// [Mux.Explain] too, and by [Mux.Check] and [Mux.Sample] with requests of their
// own. It must not change the request, read its body or register routes. In it
// r.Pattern and r.PathValue are not set.
//
// Registration fails with an [*OptionError] if takes is nil.
func MatchFunc(takes func(*http.Request) bool) RouteOption {
	return matching(func(s *matcher.Set) error {
		if takes == nil {
			return &OptionError{Option: "MatchFunc(nil)", Reason: "the function is nil; pass one, or leave the option out"}
		}
		s.AddFunc(takes, functionName(takes))
		return nil
	})
}
