package muxwell

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// The client's address is read from the right: each proxy that is known appends
// to X-Forwarded-For whom it was asked by, and what stands further to the left
// than the first stranger is what that stranger says of itself.
//
//	X-Forwarded-For: 1.1.1.1, 203.0.113.7, 10.0.0.2      peer 10.0.0.1
//	                 forged   the client   a proxy       a proxy

// TrustedProxies names the proxies in front of the mux by their addresses:
// [Schemes] believes their X-Forwarded-Proto, and a [ClientIP] that names none
// itself their X-Forwarded-For. Without it nobody's is believed. They must set
// these headers themselves, or append to what they were sent.
//
// A prefix of IPv4 addresses that are mapped to IPv6 stands for the IPv4
// addresses. Of several such options all count. TrustedProxies panics if a prefix
// is not valid.
func TrustedProxies(prefixes ...netip.Prefix) Option {
	clean, reason := cleanPrefixes(prefixes)
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
// right, the client is unknown, and no ClientIP takes the request.
//
// IPv4 addresses that are mapped to IPv6 count as IPv4 addresses, here and in
// prefixes; zones do not count. 0.0.0.0/0 has all IPv4 addresses, ::/0 all others.
//
// Registration fails with an [*OptionError] if allow is empty or a prefix is not
// valid.
func ClientIP(allow []netip.Prefix, trusted ...netip.Prefix) RouteOption {
	text := prefixesText(allow, trusted)
	allow, reason := cleanPrefixes(allow)
	trusted, reason2 := cleanPrefixes(trusted)
	return RouteOption{func(rt *Route, _ rules) error {
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
			takes: func(r *http.Request, c *config) bool {
				addr, ok := clientAddr(r, proxies(c))
				return ok && containsAddr(allow, addr)
			},
			meet: func(r *http.Request, way int) {
				r.RemoteAddr = netip.AddrPortFrom(allow[way%len(allow)].Addr(), 1234).String()
			},
			miss: func(r *http.Request, c *config) string {
				addr, ok := clientAddr(r, proxies(c))
				if !ok {
					return "the client's address is unknown"
				}
				return "client " + addr.String() + " is not allowed"
			},
		})
		return nil
	}}
}

// clientAddr returns the address of a request's client if it is known; see
// [ClientIP]. The time is linear in what the header has behind the client, and
// in the number of prefixes.
func clientAddr(r *http.Request, trusted []netip.Prefix) (netip.Addr, bool) {
	addr, ok := parseHop(r.RemoteAddr)
	if !ok {
		return netip.Addr{}, false
	}
	lines := r.Header["X-Forwarded-For"]
	for i := len(lines) - 1; i >= 0; i-- {
		for line, more := lines[i], true; more; {
			if !containsAddr(trusted, addr) {
				return addr, true
			}
			comma := strings.LastIndexByte(line, ',')
			if addr, ok = parseHop(strings.Trim(line[comma+1:], " \t")); !ok {
				return netip.Addr{}, false
			}
			if more = comma >= 0; more {
				line = line[:comma]
			}
		}
	}
	return addr, true
}

// maxAddr is the length of the longest address, its zone aside.
const maxAddr = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")

// parseHop returns the address that s is, with or without a port: 192.0.2.1,
// 192.0.2.1:80, 2001:db8::1, [2001:db8::1] or [2001:db8::1]:80. The zone of an
// address is dropped, and one that is mapped to IPv6 is returned as IPv4.
func parseHop(s string) (netip.Addr, bool) {
	if strings.HasPrefix(s, "[") {
		closing := strings.IndexByte(s, ']')
		if closing < 0 || !isPort(s[closing+1:]) || strings.IndexByte(s[:closing], ':') < 0 {
			return netip.Addr{}, false
		}
		s = s[1:closing]
	} else if colon := strings.IndexByte(s, ':'); colon >= 0 && colon == strings.LastIndexByte(s, ':') {
		if !isPort(s[colon:]) {
			return netip.Addr{}, false
		}
		s = s[:colon]
	}
	if zone := strings.IndexByte(s, '%'); zone >= 0 && strings.IndexByte(s[:zone], ':') >= 0 && zone+1 < len(s) {
		s = s[:zone] // netip would intern it
	}
	if s == "" || len(s) > maxAddr || byteClasses[s[0]]&hexByte == 0 && s[0] != ':' {
		return netip.Addr{}, false // as "unknown" and "_hidden"; netip's error would allocate
	}
	addr, err := netip.ParseAddr(s)
	return addr.Unmap(), err == nil
}

// isPort reports whether s is empty, or a port with its colon.
func isPort(s string) bool {
	if s == "" {
		return true
	}
	if s[0] != ':' || !isUint(s[1:]) || len(s) > len(":65535") {
		return false
	}
	_, err := strconv.ParseUint(s[1:], 10, 16)
	return err == nil
}

// containsAddr reports whether an address is in one of the prefixes.
func containsAddr(prefixes []netip.Prefix, addr netip.Addr) bool {
	for _, p := range prefixes {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// cleanPrefixes returns the prefixes as addresses are compared with them, those
// of mapped IPv4 addresses as IPv4, or what is wrong with one.
func cleanPrefixes(prefixes []netip.Prefix) (clean []netip.Prefix, reason string) {
	const mapped = 96 // bits in front of an IPv4 address
	for i, p := range prefixes {
		switch {
		case !p.IsValid():
			return nil, fmt.Sprintf("prefix %d of %d is not valid; make it with netip.ParsePrefix, as 192.0.2.0/24", i+1, len(prefixes))
		case p.Addr().Is4In6() && p.Bits() < mapped:
			return nil, fmt.Sprintf("%s is more than the IPv4 addresses, which are 0.0.0.0/0", p)
		case p.Addr().Is4In6():
			p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-mapped)
		}
		clean = append(clean, p.Masked())
	}
	return slices.Clip(clean), ""
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
