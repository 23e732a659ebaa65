package muxwell

import (
	"net/http"
	"net/netip"
	"strings"

	"github.com/muxwell/muxwell/internal/clientaddr"
	"github.com/muxwell/muxwell/internal/pattern"
)

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
	text := prefixesText(allow, trusted)
	allow, reason := clientaddr.Clean(allow)
	trusted, reason2 := clientaddr.Clean(trusted)
	return RouteOption{func(rt *Route, _ pattern.Rules) error {
		switch {
		case reason != "":
			return optionError(text, "allow: %s", reason)
		case reason2 != "":
			return optionError(text, "trusted: %s", reason2)
		case len(allow) == 0:
			return optionError(text, "allow is empty, so that no client could come in; name some, or leave the option out")
		}
		proxies := func(c *config) []netip.Prefix {
			if len(trusted) == 0 {
				return c.proxies
			}
			return trusted
		}
		rt.addMatcher(matcher{
			text: text,
			check: func(r *http.Request, c *config) bool {
				addr, ok := clientaddr.Of(r, proxies(c))
				return ok && clientaddr.In(allow, addr)
			},
			meet: func(r *http.Request, way int) {
				r.RemoteAddr = netip.AddrPortFrom(allow[way%len(allow)].Addr(), 1234).String()
			},
			miss: func(r *http.Request, c *config) string {
				addr, ok := clientaddr.Of(r, proxies(c))
				if !ok {
					return "the client's address is unknown"
				}
				return "client " + addr.String() + " is not allowed"
			},
		})
		return nil
	}}
}

// prefixesText returns how ClientIP is shown: ClientIP([10.0.0.0/8], 192.0.2.1/32).
func prefixesText(allow, trusted []netip.Prefix) string {
	var b strings.Builder
	b.WriteString("ClientIP([")
	for i, p := range allow {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.String())
	}
	b.WriteString("]")
	for _, p := range trusted {
		b.WriteString(", " + p.String())
	}
	return b.String() + ")"
}
