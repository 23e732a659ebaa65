package middleware

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"testing"
)

func TestClientIP(t *testing.T) {
	proxies := prefixes("10.0.0.0/8 fd00::/8")
	strategies := map[string]ClientIPStrategy{
		"zero": {}, "peer": FromRemoteAddr(), "xff": FromXForwardedFor(proxies...),
		"forwarded": FromForwarded(proxies...), "real": FromHeader("x-real-ip", proxies...),
	}
	for _, row := range []struct {
		strategy, peer string
		headers        []string
		want           string // "" if it is not known
	}{
		{"zero", "192.0.2.1:80", []string{"X-Forwarded-For: 1.1.1.1"}, "192.0.2.1"},
		{"peer", "192.0.2.1:80", []string{"X-Forwarded-For: 1.1.1.1", "X-Real-IP: 1.1.1.1"}, "192.0.2.1"},
		{"peer", "10.0.0.1:80", []string{"X-Forwarded-For: 1.1.1.1"}, "10.0.0.1"},
		{"peer", "[::ffff:192.0.2.1]:80", nil, "192.0.2.1"},
		{"peer", "[fe80::1%eth0]:80", nil, "fe80::1"},
		{"peer", "@", nil, ""},

		{"xff", "10.0.0.1:80", []string{"X-Forwarded-For: 1.1.1.1, 2.2.2.2, 10.0.0.2"}, "2.2.2.2"},
		{"xff", "10.0.0.1:80", []string{"X-Forwarded-For: 1.1.1.1", "X-Forwarded-For: 2.2.2.2"}, "2.2.2.2"},
		{"xff", "192.0.2.1:80", []string{"X-Forwarded-For: 1.1.1.1"}, "192.0.2.1"},
		{"xff", "10.0.0.1:80", []string{"X-Forwarded-For: 1.1.1.1, unknown"}, ""},
		{"xff", "10.0.0.1:80", []string{"X-Real-IP: 1.1.1.1", "Forwarded: for=1.1.1.1"}, "10.0.0.1"},

		{"real", "10.0.0.1:80", []string{"X-Real-IP: 1.1.1.1", "X-Forwarded-For: 2.2.2.2"}, "1.1.1.1"},
		{"real", "10.0.0.1:80", []string{"X-Real-IP: 2001:db8::1"}, "2001:db8::1"},
		{"real", "10.0.0.1:80", []string{"X-Real-IP: 10.0.0.9"}, "10.0.0.9"},
		{"real", "10.0.0.1:80", nil, "10.0.0.1"},
		{"real", "192.0.2.1:80", []string{"X-Real-IP: 1.1.1.1"}, "192.0.2.1"},
		{"real", "10.0.0.1:80", []string{"X-Real-IP: 1.1.1.1", "X-Real-IP: 2.2.2.2"}, ""},
		{"real", "10.0.0.1:80", []string{"X-Real-IP: 1.1.1.1, 2.2.2.2"}, ""},
		{"real", "10.0.0.1:80", []string{"X-Real-IP: "}, ""},
		{"real", "@", []string{"X-Real-IP: 1.1.1.1"}, ""},
	} {
		r := newRequest("GET", "/", row.headers...)
		r.RemoteAddr = row.peer
		var addr netip.Addr
		var known bool
		h := ClientIP(strategies[row.strategy])(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			addr, known = ClientIPFrom(r.Context())
			if r.RemoteAddr != row.peer {
				t.Errorf("%+v: RemoteAddr is %s", row, r.RemoteAddr)
			}
		}))
		answer(h, r)
		if got := fmt.Sprint(addr); known && got != row.want || known != (row.want != "") {
			t.Errorf("%+v: got %s, %t", row, got, known)
		}
	}
	if _, known := ClientIPFrom(context.Background()); known {
		t.Error("known without ClientIP")
	}
}

// TestClientIPHides: what an inner ClientIP does not know, an outer one does not
// answer for it.
func TestClientIPHides(t *testing.T) {
	r := newRequest("GET", "/", "X-Forwarded-For: unknown")
	r.RemoteAddr = "10.0.0.1:1"
	h := ClientIP(FromRemoteAddr())(ClientIP(FromXForwardedFor(prefixes("10.0.0.0/8")...))(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if addr, known := ClientIPFrom(r.Context()); known {
			t.Errorf("got %s", addr)
		}
	})))
	answer(h, r)
}

func TestClientIPPanics(t *testing.T) {
	checkPanics(t, map[string]func(){
		"middleware: FromXForwardedFor: 0.0.0.0/0 trusts everybody, so clients could choose their addresses; pass those of your proxies": func() { FromXForwardedFor(prefixes("10.0.0.0/8 0.0.0.0/0")...) },
		"middleware: FromForwarded: ::/0 trusts everybody, so clients could choose their addresses; pass those of your proxies":          func() { FromForwarded(prefixes("::/0")...) },
		"middleware: FromXForwardedFor: prefix 1 of 1 is not valid; make it with netip.ParsePrefix, as in 192.0.2.0/24":                  func() { FromXForwardedFor(netip.Prefix{}) },
		`middleware: FromHeader: "" is not a valid header name; use one such as X-Real-IP`:                                               func() { FromHeader("", prefixes("10.0.0.0/8")...) },
	})
}
