package muxwell

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/clientaddr"
	"github.com/muxwell/muxwell/internal/pattern"
)

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
	return RouteOption{func(rt *Route, _ pattern.Rules) error {
		text := optionText("Schemes", schemes)
		info := rt.addInfo()
		switch {
		case len(schemes) == 0:
			return optionError(text, `no scheme; write "http" or "https", or leave the option out for both`)
		case info.schemes != nil:
			return optionError(text, "the route has Schemes already; list all of them in one")
		}
		for _, s := range schemes {
			name := knownScheme(s)
			if name == "" {
				return optionError(text, `a request has no scheme %q; write "http" or "https"`, s)
			}
			info.schemes = append(info.schemes, name)
		}
		want := info.schemes
		rt.addMatcher(matcher{
			text:  text,
			check: func(r *http.Request, c *config) bool { return slices.Contains(want, c.scheme(r)) },
			meet: func(r *http.Request, way int) {
				r.TLS = nil
				if want[way%len(want)] == "https" {
					r.TLS = new(tls.ConnectionState)
				}
			},
			miss: func(r *http.Request, c *config) string {
				return fmt.Sprintf("scheme is %s, not %s", c.scheme(r), strings.Join(want, " or "))
			},
		})
		return nil
	}}
}

// schemes returns the schemes of the route's Schemes option, in lower case and in
// the order given, or nil.
func (rt *Route) schemes() []string {
	if rt.info == nil {
		return nil
	}
	return rt.info.schemes
}

// scheme returns the scheme by which the client sent a request, "http" or
// "https".
func (c *config) scheme(r *http.Request) string {
	if lines := r.Header["X-Forwarded-Proto"]; len(lines) > 0 && len(c.proxies) > 0 {
		if peer, ok := clientaddr.Parse(r.RemoteAddr); ok && clientaddr.In(c.proxies, peer) {
			if s := forwardedScheme(lastElement(lines[len(lines)-1])); s != "" {
				return s
			}
		}
	}
	if r.TLS != nil {
		return "https"
	}
	return "http"
}

// lastElement returns what is behind the last comma of a list, without blanks around
// it, or "" if that is longer than any scheme with some blanks.
func lastElement(list string) string {
	const most = 64 // bytes, so that a long one costs no more
	end := list[max(0, len(list)-most-len(",")):]
	comma := strings.LastIndexByte(end, ',')
	if comma < 0 && len(list) > most {
		return ""
	}
	return strings.Trim(end[comma+1:], " \t")
}

// forwardedScheme is knownScheme for what proxies say, some of which call the scheme of
// a WebSocket's handshake ws or wss.
func forwardedScheme(s string) string {
	switch {
	case len(s) == len("ws") && strings.EqualFold(s, "ws"):
		return "http"
	case len(s) == len("wss") && strings.EqualFold(s, "wss"):
		return "https"
	}
	return knownScheme(s)
}

// knownScheme returns s in lower case if it is a scheme of HTTP, else "".
func knownScheme(s string) string {
	switch {
	case len(s) == len("http") && strings.EqualFold(s, "http"):
		return "http"
	case len(s) == len("https") && strings.EqualFold(s, "https"):
		return "https"
	}
	return ""
}
