package matcher

import (
	"net/http"
	"net/netip"
	"strings"

	"github.com/muxwell/muxwell/internal/clientaddr"
)

// AddClientIP adds the matcher of an option ClientIP.
func (s *Set) AddClientIP(allow, trusted []netip.Prefix) error {
	text := prefixesText(allow, trusted)
	allow, reason := clientaddr.Clean(allow)
	trusted, reason2 := clientaddr.Clean(trusted)
	switch {
	case reason != "":
		return matchErrorf(text, "allow: %s", reason)
	case reason2 != "":
		return matchErrorf(text, "trusted: %s", reason2)
	case len(allow) == 0:
		return matchErrorf(text, "allow is empty, so no client would be allowed; pass prefixes, or omit the option")
	}
	known := func(proxies []netip.Prefix) []netip.Prefix {
		if len(trusted) == 0 {
			return proxies
		}
		return trusted
	}
	s.add(Matcher{
		Text: text,
		check: func(r *http.Request, proxies []netip.Prefix) bool {
			addr, ok := clientaddr.Of(r, known(proxies))
			return ok && clientaddr.In(allow, addr)
		},
		Satisfy: func(r *http.Request, way int) {
			r.RemoteAddr = netip.AddrPortFrom(allow[way%len(allow)].Addr(), 1234).String()
		},
		Miss: func(r *http.Request, proxies []netip.Prefix) string {
			addr, ok := clientaddr.Of(r, known(proxies))
			if !ok {
				return "the client's address is unknown"
			}
			return "client " + addr.String() + " is not allowed"
		},
	})
	return nil
}

// prefixesText returns the text of a ClientIP: ClientIP([10.0.0.0/8], 192.0.2.1/32).
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
