// Package clientaddr finds the address of a request's client behind trusted proxies.
//
// X-Forwarded-For is read from the right: each trusted proxy appends the address of its
// peer, and everything to the left of the first address that is not trusted may be
// forged.
//
//	X-Forwarded-For: 1.1.1.1, 203.0.113.7, 10.0.0.2      peer 10.0.0.1
//	                 forged   the client   a proxy       a proxy
package clientaddr

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Of returns the address of a request's client if it is known. It is the peer,
// r.RemoteAddr, unless that is trusted. Then it is the last address in X-Forwarded-For
// that is not trusted, or the first one if all are. If something that is not an address
// comes before it, from the right, the client is unknown. The last 256 elements of the
// list are read, and up to 255 bytes of each; if these do not decide, the client is
// unknown too. The time is linear in the length of the header after the client, and in
// the number of prefixes.
func Of(r *http.Request, trusted []netip.Prefix) (netip.Addr, bool) {
	addr, ok := Parse(r.RemoteAddr)
	if !ok {
		return netip.Addr{}, false
	}
	lines := r.Header["X-Forwarded-For"]
	read := 0
	for i := len(lines) - 1; i >= 0; i-- {
		for line, more := lines[i], true; more; read++ {
			if !In(trusted, addr) {
				return addr, true
			}
			from := max(0, len(line)-maxElement-len(","))
			comma := strings.LastIndexByte(line[from:], ',')
			if read == maxElements || comma < 0 && len(line) > maxElement {
				return netip.Addr{}, false
			}
			if addr, ok = Parse(strings.Trim(line[from+comma+1:], " \t")); !ok {
				return netip.Addr{}, false
			}
			if more = comma >= 0; more {
				line = line[:from+comma]
			}
		}
	}
	return addr, true
}

// The limits of what Of reads. A client may send a list as long as the server accepts.
const (
	maxElements = 256
	maxElement  = 255 // bytes
)

// maxAddr is the length of the longest address, its zone aside.
const maxAddr = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")

// Parse returns the address that s is, with or without a port: 192.0.2.1,
// 192.0.2.1:80, 2001:db8::1, [2001:db8::1] or [2001:db8::1]:80. The zone of an
// address is dropped, and one that is mapped to IPv6 is returned as IPv4.
func Parse(s string) (netip.Addr, bool) {
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
	if s == "" || len(s) > maxAddr || !isHex(s[0]) && s[0] != ':' {
		return netip.Addr{}, false // such as "unknown" and "_hidden"; netip's error would allocate
	}
	addr, err := netip.ParseAddr(s)
	return addr.Unmap(), err == nil
}

// isHex reports whether c is a hexadecimal digit.
func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

// isPort reports whether s is empty, or a port with its colon.
func isPort(s string) bool {
	if s == "" {
		return true
	}
	if s[0] != ':' || len(s) == 1 || len(s) > len(":65535") {
		return false
	}
	port := 0
	for i := 1; i < len(s); i++ {
		digit := s[i] - '0'
		if digit > 9 {
			return false
		}
		port = 10*port + int(digit)
	}
	return port <= 65535
}

// In reports whether an address is in one of the prefixes.
func In(prefixes []netip.Prefix, addr netip.Addr) bool {
	for _, p := range prefixes {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// Clean returns the prefixes in the form with which addresses are compared, those of
// mapped IPv4 addresses as IPv4, or what is wrong with one.
func Clean(prefixes []netip.Prefix) (clean []netip.Prefix, reason string) {
	const mapped = 96 // bits before an IPv4 address
	for i, p := range prefixes {
		switch {
		case !p.IsValid():
			return nil, fmt.Sprintf("prefix %d of %d is not valid; make it with netip.ParsePrefix, as in 192.0.2.0/24", i+1, len(prefixes))
		case p.Addr().Is4In6() && p.Bits() < mapped:
			return nil, fmt.Sprintf("%s contains more than the IPv4 addresses; write 0.0.0.0/0 for these", p)
		case p.Addr().Is4In6():
			p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-mapped)
		}
		clean = append(clean, p.Masked())
	}
	return slices.Clip(clean), ""
}
