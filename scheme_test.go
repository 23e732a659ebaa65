package muxwell

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/clientaddr"
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
	if got := matcherRoute(t, Schemes("HTTPS", "http")).schemes(); !slices.Equal(got, []string{"https", "http"}) {
		t.Errorf("got %q", got)
	}
	for _, rt := range []*Route{matcherRoute(t), matcherRoute(t, Name("n"))} {
		if got := rt.schemes(); got != nil {
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

func FuzzScheme(f *testing.F) {
	f.Add("10.0.0.1:80", "https, HTTP")
	f.Add("192.0.2.1:80", "https")
	f.Add("10.0.0.1", "\thttps\t")
	f.Add("10.0.0.1", "ws, wss")
	f.Add("10.0.0.1", "http,"+strings.Repeat(" ", 59)+"https")
	f.Add("10.0.0.1", "http,"+strings.Repeat(" ", 60)+"https")
	f.Add("10.0.0.1", strings.Repeat(" ", 59)+"https")
	f.Add("10.0.0.1", strings.Repeat(" ", 60)+"https")
	f.Fuzz(func(t *testing.T, peer, forwarded string) {
		r := newBenchRequest("GET", "/")
		r.RemoteAddr = peer
		r.Header["X-Forwarded-Proto"] = []string{forwarded}
		want := "http"
		if addr, ok := clientaddr.Parse(peer); ok && netip.MustParsePrefix("10.0.0.0/8").Contains(addr) {
			all := strings.Split(forwarded, ",")
			last := all[len(all)-1]
			switch naiveLower(strings.Trim(last, " \t")) {
			case "https", "wss":
				if len(last) <= 64 {
					want = "https"
				}
			}
		}
		if got := matcherConfig.scheme(r); got != want {
			t.Errorf("peer %q, X-Forwarded-Proto %q: got %s, want %s", peer, forwarded, got, want)
		}
	})
}

// naiveLower returns s with its ASCII letters in lower case.
func naiveLower(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
