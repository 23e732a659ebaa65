package muxwell

import (
	"net/netip"
	"slices"
	"testing"
)

func TestSchemes(t *testing.T) {
	checkMatchers(t, []matcherRow{
		{Schemes("http"), "/", ""},
		{Schemes("HTTP"), "/", ""},
		{Schemes("https"), "/ | tls", ""},
		{Schemes("http", "Https"), "/ | tls", ""},
		{Schemes("https"), "/", "scheme is http, not https"},
		{Schemes("http"), "/ | tls", "scheme is https, not http"},
		{Schemes("https"), "/ | X-Forwarded-Proto: https", "scheme is http, not https"},
		{Schemes("https"), "/ | peer 10.0.0.1:1 | X-Forwarded-Proto: https", "scheme is http, not https"},
	})
	checkMatchers(t, []matcherRow{
		{Schemes("https"), "/ | peer 10.0.0.1:1 | X-Forwarded-Proto: https", ""},
		{Schemes("https"), "/ | peer [::ffff:10.0.0.1]:1 | X-Forwarded-Proto: HTTPS", ""},
		{Schemes("https"), "/ | peer [fd00::1%eth0]:1 | X-Forwarded-Proto: http ,\thttps ", ""},
		{Schemes("http"), "/ | peer 10.0.0.1:1 | tls | X-Forwarded-Proto: https | X-Forwarded-Proto: http", ""},
		{Schemes("https"), "/ | peer 10.0.0.1:1 | X-Forwarded-Proto: https, http", "scheme is http, not https"},
		{Schemes("https"), "/ | peer 10.0.0.1:1 | X-Forwarded-Proto: https,", "scheme is http, not https"},
		{Schemes("https"), "/ | peer 10.0.0.1:1 | X-Forwarded-Proto: WSS", ""},
		{Schemes("http"), "/ | peer 10.0.0.1:1 | tls | X-Forwarded-Proto: ws", ""},
		{Schemes("https"), "/ | peer 10.0.0.1:1 | X-Forwarded-Proto: wsss", "scheme is http, not https"},
		{Schemes("https"), "/ | peer 10.0.0.1:1 | tls | X-Forwarded-Proto: ", ""},
		{Schemes("https"), "/ | peer 10.0.0.1:1 | tls", ""},
		{Schemes("https"), "/ | peer 192.0.2.1:1 | X-Forwarded-Proto: https", "scheme is http, not https"},
		{Schemes("https"), "/ | peer @ | X-Forwarded-Proto: https", "scheme is http, not https"},
		{Schemes("https"), "/ | peer 10.0.0.1:1 | X-Forwarded-Proto: http\u017f", "scheme is http, not https"},
	}, TrustedProxies(netip.MustParsePrefix("::ffff:10.0.0.0/104")), TrustedProxies(netip.MustParsePrefix("fd00::/8")))
}

func TestRouteSchemes(t *testing.T) {
	if got := matcherRoute(t, Schemes("HTTPS", "http")).set().Schemes; !slices.Equal(got, []string{"https", "http"}) {
		t.Errorf("got %q", got)
	}
	for _, rt := range []*Route{matcherRoute(t), matcherRoute(t, Name("n"))} {
		if got := rt.set().Schemes; got != nil {
			t.Errorf("got %q, want none", got)
		}
	}
}

func TestSchemeErrors(t *testing.T) {
	checkOptionErrors(t, map[string][]RouteOption{
		`Schemes(): no scheme; write "http" or "https", or leave the option out for both`: {Schemes()},
		`Schemes("https", "ws"): a request has no scheme "ws"; write "http" or "https"`:   {Schemes("https", "ws")},
		`Schemes("httpſ"): a request has no scheme "httpſ"; write "http" or "https"`:      {Schemes("http\u017f")},
		`Schemes("http"): the route has Schemes already; list all of them in one`:         {Schemes("https"), Schemes("http")},
	})
}
