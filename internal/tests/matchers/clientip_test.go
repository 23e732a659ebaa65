package matchers

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// prefixes returns the prefixes in a list, which are separated by spaces.
func prefixes(list string) (all []netip.Prefix) {
	for s := range strings.FieldsSeq(list) {
		all = append(all, netip.MustParsePrefix(s))
	}
	return all
}

func TestClientIP(t *testing.T) {
	lan := prefixes("192.0.2.0/24 2001:db8::/32")
	checkMatchers(t, []matcherRow{
		{muxwell.ClientIP(lan), "/ | peer 192.0.2.7:80", ""},
		{muxwell.ClientIP(lan), "/ | peer 192.0.2.7", ""},
		{muxwell.ClientIP(lan), "/ | peer [::ffff:192.0.2.7]:80", ""},
		{muxwell.ClientIP(lan), "/ | peer [2001:db8::1%eth0]:80", ""},
		{muxwell.ClientIP(lan), "/ | peer 198.51.100.1:80", "client 198.51.100.1 is not allowed"},
		{muxwell.ClientIP(lan), "/ | peer @", "the client's address is unknown"},
		{muxwell.ClientIP(lan), "/ | peer ", "the client's address is unknown"},
		{muxwell.ClientIP(lan), "/ | peer 198.51.100.1:80 | X-Forwarded-For: 192.0.2.7", "client 198.51.100.1 is not allowed"},
		{muxwell.ClientIP(lan), "/ | peer 10.0.0.1:80 | X-Forwarded-For: 192.0.2.7", "client 10.0.0.1 is not allowed"},
		{muxwell.ClientIP(lan, prefixes("10.0.0.0/8")...), "/ | peer 10.0.0.1:80 | X-Forwarded-For: 192.0.2.7", ""},
		{muxwell.ClientIP(prefixes("::/0")), "/ | peer 10.0.0.1:80", "client 10.0.0.1 is not allowed"},
		{muxwell.ClientIP(prefixes("0.0.0.0/0")), "/ | peer [::1]:80", "client ::1 is not allowed"},
		{muxwell.ClientIP(prefixes("::ffff:10.0.0.0/104")), "/ | peer 10.0.0.1:80", ""},
		{muxwell.ClientIP(prefixes("10.1.2.3/8")), "/ | peer 10.0.0.1:80", ""},
	})
	// The mux's proxies count where an option names none.
	checkMatchers(t, []matcherRow{
		{muxwell.ClientIP(lan), "/ | peer 10.0.0.1:80 | X-Forwarded-For: 192.0.2.7", ""},
		{muxwell.ClientIP(lan, prefixes("172.16.0.0/12")...), "/ | peer 10.0.0.1:80 | X-Forwarded-For: 192.0.2.7", "client 10.0.0.1 is not allowed"},
	}, muxwell.TrustedProxies(prefixes("10.0.0.0/8")...))
}

func TestClientIPErrors(t *testing.T) {
	bad := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), {}}
	checkOptionErrors(t, map[string][]muxwell.RouteOption{
		"ClientIP([]): allow is empty, so no client would be allowed; pass prefixes, or omit the option":                                              {muxwell.ClientIP(nil)},
		"ClientIP([10.0.0.0/8, invalid Prefix]): allow: prefix 2 of 2 is not valid; make it with netip.ParsePrefix, as in 192.0.2.0/24":               {muxwell.ClientIP(bad)},
		"ClientIP([10.0.0.0/8], 10.0.0.0/8, invalid Prefix): trusted: prefix 2 of 2 is not valid; make it with netip.ParsePrefix, as in 192.0.2.0/24": {muxwell.ClientIP(bad[:1], bad...)},
		"ClientIP([::ffff:0.0.0.0/95]): allow: ::ffff:0.0.0.0/95 contains more than the IPv4 addresses; write 0.0.0.0/0 for these":                    {muxwell.ClientIP(prefixes("::ffff:0.0.0.0/95"))},
	})
}

func TestTrustedProxiesPanics(t *testing.T) {
	for want, give := range map[string]func(){
		"muxwell: TrustedProxies: prefix 1 of 1 is not valid; make it with netip.ParsePrefix, as in 192.0.2.0/24":    func() { muxwell.TrustedProxies(netip.Prefix{}) },
		"muxwell: TrustedProxies: ::ffff:0.0.0.0/0 contains more than the IPv4 addresses; write 0.0.0.0/0 for these": func() { muxwell.TrustedProxies(prefixes("::ffff:0.0.0.0/0")...) },
	} {
		if got := muxtest.Recovered(give); got != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
	checkMatchers(t, []matcherRow{
		{muxwell.ClientIP(prefixes("192.0.2.0/24")), "/ | peer 10.0.0.1:80 | X-Forwarded-For: 192.0.2.7", "client 10.0.0.1 is not allowed"},
	}, muxwell.TrustedProxies())
}
