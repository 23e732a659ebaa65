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

// matchers returns the route's matchers.
func (rt *Route) matchers() []matcher.Matcher { return rt.set().Matchers }

// matching returns the option that adds a matcher to those of a route.
func matching(add func(*matcher.Set) error) RouteOption {
	return RouteOption{func(rt *Route, _ pattern.Rules) error { return publicError(add(&rt.addInfo().Set)) }}
}

// Queries makes a route match only requests whose query has these keys. The pairs are
// keys and templates in turn. A template says which values match:
//
//	""                 any, even an empty one
//	on                 this text
//	{q}                any that is not empty
//	{page:int}         one that the constraint matches
//	v{major}.{minor}   text and parameters in any mix, with text between each two
//	{q...}             any, even an empty one
//
// A template is read like a segment of a path, except that a '/' is ordinary text and
// nothing is percent-escaped: keys and templates are compared with the unescaped query. A
// literal '{' is written as a parameter, {x:\{}. The values of the parameters are
// parameters of the route, after those of its pattern. Their names must be distinct.
//
// If the query has a key several times, the first value counts, as in [url.Values.Get].
// A query is read as [url.ParseQuery] reads it, with limits of its own: '+' is a space,
// and a pair with a ';' or an invalid escape is ignored. A query of more than 16,384
// bytes or 1,000 pairs, empty ones included, has none of the keys.
//
// Registration fails with an [*OptionError] if there is no pair, a key has no template or
// is empty, a template is invalid, the route requires the key already, or the route
// requires more than the limits of a query allow.
func Queries(pairs ...string) RouteOption {
	pairs = slices.Clone(pairs)
	return RouteOption{func(rt *Route, r pattern.Rules) error {
		return publicError(rt.addInfo().AddQueries(pairs, r, rt.pattern.Names()))
	}}
}

// Headers makes a route match only requests that have these headers. The pairs are names
// and values in turn: one of the lines with the name must be exactly the value. An empty
// value matches any line, even an empty one. The case of names is ignored. If a header has
// more than 256 lines, none of them is compared.
//
// Registration fails with an [*OptionError] if there is no pair, a name has no value, or a
// request cannot have such a header. The host is not a header: it is part of the pattern.
func Headers(pairs ...string) RouteOption {
	pairs = slices.Clone(pairs)
	return matching(func(s *matcher.Set) error { return s.AddHeaders(pairs) })
}

// HeadersRegexp is [Headers] with regular expressions (RE2) instead of values. An
// expression must match the whole line: 1 matches "1" but not "10", and .*1.* matches
// lines that contain a 1. An expression matches no line of a header that has more than 256
// lines or 16,384 bytes.
func HeadersRegexp(pairs ...string) RouteOption {
	pairs = slices.Clone(pairs)
	return matching(func(s *matcher.Set) error { return s.AddHeadersRegexp(pairs) })
}

// Accept makes a route match only requests that accept one of the media types. They are
// those that its handler can answer with: "application/json", or with parameters
// "text/csv; header=present". If a route misses a request by nothing else, the answer is
// 406.
//
// All lines of the Accept header are read, as RFC 9110 §12.5.1 says. The range that is
// closest to a type decides: more of the type's parameters are closer than fewer, the type
// is closer than type/*, and that is closer than */*. Of equally close ranges the highest q
// counts. A range with parameters matches only types that have them. The case of names and
// of charset values is ignored. A q of 0 refuses a type. Invalid ranges are skipped. If
// none is left, or there is no Accept header, every type is accepted. A header of more than
// 4,096 bytes or 256 elements, empty ones included, accepts none of the types.
//
// A vendor type without a format, such as application/vnd.acme.v2, covers all formats: a
// client that accepts application/vnd.acme.v2+json accepts it. So a version of an API is a
// route with one type, whatever its format is.
//
// Of several routes with the same pattern and this option, the one whose type has the
// highest q wins, then the one that was registered first.
//
// The router does not set a Vary header. Handlers that are chosen by Accept should.
//
// Registration fails with an [*OptionError] if there is no type, or a type is invalid, is a
// range, or has a q.
func Accept(mediaTypes ...string) RouteOption {
	mediaTypes = slices.Clone(mediaTypes)
	return matching(func(s *matcher.Set) error { return s.AddAccept(mediaTypes) })
}

// ContentType makes a route match only requests whose body has one of the media types. If
// a route misses a request by nothing else, the answer is 415.
//
// The case of types is ignored. The parameters of a type must be among those of the
// request's Content-Type, which may have more. The case of their names and of charset
// values is ignored. text/* matches every type that begins with text/. A Content-Type that
// is invalid or longer than 1,024 bytes matches none of the types. A request without a
// Content-Type matches if it has no body.
//
// Registration fails with an [*OptionError] if there is no type, or a type is invalid,
// longer than 1,024 bytes, or has a q.
func ContentType(mediaTypes ...string) RouteOption {
	mediaTypes = slices.Clone(mediaTypes)
	return matching(func(s *matcher.Set) error { return s.AddContentType(mediaTypes) })
}

// Schemes makes a route match only requests that were sent with one of the schemes, "http"
// and "https", whose case is ignored. The scheme of a request over TLS is https. For a
// request from a proxy that [TrustedProxies] names it is the last element of
// X-Forwarded-Proto, if that is http or https, or the ws or wss that some proxies send for
// WebSockets.
//
// Registration fails with an [*OptionError] if there is no scheme, an unknown one, or the
// route has Schemes already.
func Schemes(schemes ...string) RouteOption {
	schemes = slices.Clone(schemes)
	return matching(func(s *matcher.Set) error { return s.AddSchemes(schemes) })
}

// ClientIP makes a route match only requests of clients whose address is in one of the
// prefixes in allow.
//
// The client is the peer of the connection, r.RemoteAddr, unless the peer is trusted: its
// address is in one of the prefixes in trusted, or in [TrustedProxies] if there are none.
// Then the client is the last address in X-Forwarded-For that is not trusted, or the first
// one if all are. The header is read from right to left. If something that is not an
// address comes first, the client is unknown, and no ClientIP matches. The last 256
// addresses are read, and up to 255 bytes of each: if these do not decide, the client is
// unknown too.
//
// IPv4 addresses that are mapped to IPv6 count as IPv4 addresses, here and in prefixes.
// Zones are ignored. 0.0.0.0/0 has all IPv4 addresses, ::/0 all others.
//
// Registration fails with an [*OptionError] if allow is empty or a prefix is not valid.
func ClientIP(allow []netip.Prefix, trusted ...netip.Prefix) RouteOption {
	allow, trusted = slices.Clone(allow), slices.Clone(trusted)
	return matching(func(s *matcher.Set) error { return s.AddClientIP(allow, trusted) })
}

// TrustedProxies names the proxies in front of the mux by their addresses. [Schemes] trusts
// their X-Forwarded-Proto, and a [ClientIP] that names no proxies itself trusts their
// X-Forwarded-For. So do ClientIP and Canonical of package middleware, in the mux and
// around it. Without this option no peer is trusted. The proxies must set these headers
// themselves, or append to what they were sent.
//
// A prefix of IPv4 addresses that are mapped to IPv6 means the IPv4 addresses. Several such
// options add up. TrustedProxies panics if a prefix is not valid.
func TrustedProxies(prefixes ...netip.Prefix) Option {
	clean, reason := clientaddr.Clean(prefixes)
	if reason != "" {
		panic("muxwell: TrustedProxies: " + reason)
	}
	return Option{func(c *config) { c.proxies = append(c.proxies, clean...) }}
}

// TrustedProxies returns the prefixes of the option [TrustedProxies], or nil. The caller
// may modify the slice.
func (m *Mux) TrustedProxies() []netip.Prefix { return slices.Clone(m.config.proxies) }

// MatchFunc makes a route match only requests for which match returns true.
//
// The function is called while a request is matched, before middleware and handler. It
// must be quick, safe for concurrent use, and return the same result for the same
// request: it may be called several times for one. [Mux.Explain] calls it too, and
// [Mux.Check] and [Mux.Sample] call it with requests of their own. It must not change the
// request, read its body or register routes. In it r.Pattern and r.PathValue are not set.
//
// Registration fails with an [*OptionError] if match is nil.
func MatchFunc(match func(*http.Request) bool) RouteOption {
	return matching(func(s *matcher.Set) error {
		if match == nil {
			return &OptionError{Option: "MatchFunc(nil)", Reason: "the function is nil; pass one, or omit the option"}
		}
		option := "MatchFunc(" + functionName(match) + ")"
		s.AddFunc(option, option+" returned false", match)
		return nil
	})
}
