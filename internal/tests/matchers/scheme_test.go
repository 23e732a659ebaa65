package matchers

import (
	"net/netip"
	"testing"

	"github.com/muxwell/muxwell"
)

func TestSchemes(t *testing.T) {
	checkMatchers(t, []matcherRow{
		{muxwell.Schemes("http"), "/", ""},
		{muxwell.Schemes("HTTP"), "/", ""},
		{muxwell.Schemes("https"), "/ | tls", ""},
		{muxwell.Schemes("http", "Https"), "/ | tls", ""},
		{muxwell.Schemes("https"), "/", "scheme is http, not https"},
		{muxwell.Schemes("http"), "/ | tls", "scheme is https, not http"},
		{muxwell.Schemes("https"), "/ | X-Forwarded-Proto: https", "scheme is http, not https"},
		{muxwell.Schemes("https"), "/ | peer 10.0.0.1:1 | X-Forwarded-Proto: https", "scheme is http, not https"},
	})
	checkMatchers(t, []matcherRow{
		{muxwell.Schemes("https"), "/ | peer 10.0.0.1:1 | X-Forwarded-Proto: https", ""},
		{muxwell.Schemes("https"), "/ | peer [::ffff:10.0.0.1]:1 | X-Forwarded-Proto: HTTPS", ""},
		{muxwell.Schemes("https"), "/ | peer [fd00::1%eth0]:1 | X-Forwarded-Proto: http ,\thttps ", ""},
		{muxwell.Schemes("http"), "/ | peer 10.0.0.1:1 | tls | X-Forwarded-Proto: https | X-Forwarded-Proto: http", ""},
		{muxwell.Schemes("https"), "/ | peer 10.0.0.1:1 | X-Forwarded-Proto: https, http", "scheme is http, not https"},
		{muxwell.Schemes("https"), "/ | peer 10.0.0.1:1 | X-Forwarded-Proto: https,", "scheme is http, not https"},
		{muxwell.Schemes("https"), "/ | peer 10.0.0.1:1 | X-Forwarded-Proto: WSS", ""},
		{muxwell.Schemes("http"), "/ | peer 10.0.0.1:1 | tls | X-Forwarded-Proto: ws", ""},
		{muxwell.Schemes("https"), "/ | peer 10.0.0.1:1 | X-Forwarded-Proto: wsss", "scheme is http, not https"},
		{muxwell.Schemes("https"), "/ | peer 10.0.0.1:1 | tls | X-Forwarded-Proto: ", ""},
		{muxwell.Schemes("https"), "/ | peer 10.0.0.1:1 | tls", ""},
		{muxwell.Schemes("https"), "/ | peer 192.0.2.1:1 | X-Forwarded-Proto: https", "scheme is http, not https"},
		{muxwell.Schemes("https"), "/ | peer @ | X-Forwarded-Proto: https", "scheme is http, not https"},
		{muxwell.Schemes("https"), "/ | peer 10.0.0.1:1 | X-Forwarded-Proto: http\u017f", "scheme is http, not https"},
	}, muxwell.TrustedProxies(netip.MustParsePrefix("::ffff:10.0.0.0/104")), muxwell.TrustedProxies(netip.MustParsePrefix("fd00::/8")))
}

func TestSchemeErrors(t *testing.T) {
	checkOptionErrors(t, map[string][]muxwell.RouteOption{
		`Schemes(): no scheme; write "http" or "https", or omit the option for both`:     {muxwell.Schemes()},
		`Schemes("https", "ws"): unknown scheme "ws"; write "http" or "https"`:           {muxwell.Schemes("https", "ws")},
		`Schemes("httpſ"): unknown scheme "httpſ"; write "http" or "https"`:              {muxwell.Schemes("http\u017f")},
		`Schemes("http"): the route already has Schemes; list all schemes in one option`: {muxwell.Schemes("https"), muxwell.Schemes("http")},
	})
}
