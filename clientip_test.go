package muxwell

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"
)

// prefixes returns the prefixes in a list with blanks between them.
func prefixes(list string) (all []netip.Prefix) {
	for s := range strings.FieldsSeq(list) {
		all = append(all, netip.MustParsePrefix(s))
	}
	return all
}

func TestClientIP(t *testing.T) {
	lan := prefixes("192.0.2.0/24 2001:db8::/32")
	checkMatchers(t, []matcherRow{
		{ClientIP(lan), "/ | peer 192.0.2.7:80", ""},
		{ClientIP(lan), "/ | peer 192.0.2.7", ""},
		{ClientIP(lan), "/ | peer [::ffff:192.0.2.7]:80", ""},
		{ClientIP(lan), "/ | peer [2001:db8::1%eth0]:80", ""},
		{ClientIP(lan), "/ | peer 198.51.100.1:80", "client 198.51.100.1 is not allowed"},
		{ClientIP(lan), "/ | peer @", "the client's address is unknown"},
		{ClientIP(lan), "/ | peer ", "the client's address is unknown"},
		{ClientIP(lan), "/ | peer 198.51.100.1:80 | X-Forwarded-For: 192.0.2.7", "client 198.51.100.1 is not allowed"},
		{ClientIP(lan), "/ | peer 10.0.0.1:80 | X-Forwarded-For: 192.0.2.7", "client 10.0.0.1 is not allowed"},
		{ClientIP(lan, prefixes("10.0.0.0/8")...), "/ | peer 10.0.0.1:80 | X-Forwarded-For: 192.0.2.7", ""},
		{ClientIP(prefixes("::/0")), "/ | peer 10.0.0.1:80", "client 10.0.0.1 is not allowed"},
		{ClientIP(prefixes("0.0.0.0/0")), "/ | peer [::1]:80", "client ::1 is not allowed"},
		{ClientIP(prefixes("::ffff:10.0.0.0/104")), "/ | peer 10.0.0.1:80", ""},
		{ClientIP(prefixes("10.1.2.3/8")), "/ | peer 10.0.0.1:80", ""},
	})
	// The mux's proxies count where an option names none.
	checkMatchers(t, []matcherRow{
		{ClientIP(lan), "/ | peer 10.0.0.1:80 | X-Forwarded-For: 192.0.2.7", ""},
		{ClientIP(lan, prefixes("172.16.0.0/12")...), "/ | peer 10.0.0.1:80 | X-Forwarded-For: 192.0.2.7", "client 10.0.0.1 is not allowed"},
	}, TrustedProxies(prefixes("10.0.0.0/8")...))
}

// TestClientAddr has the proxies 10.0.0.0/8 and fd00::/8.
func TestClientAddr(t *testing.T) {
	trusted := prefixes("10.0.0.0/8 fd00::/8")
	for _, row := range []struct {
		peer      string
		forwarded []string
		want      string // "" if it is unknown
	}{
		{"10.0.0.1:1", nil, "10.0.0.1"},
		{"10.0.0.1:1", []string{}, "10.0.0.1"},
		{"10.0.0.1:1", []string{"1.1.1.1"}, "1.1.1.1"},
		{"10.0.0.1:1", []string{"1.1.1.1, 2.2.2.2"}, "2.2.2.2"},
		{"10.0.0.1:1", []string{"1.1.1.1, 2.2.2.2, 10.0.0.2"}, "2.2.2.2"},
		{"10.0.0.1:1", []string{"1.1.1.1", "2.2.2.2", "10.0.0.2"}, "2.2.2.2"},
		{"10.0.0.1:1", []string{"1.1.1.1,2.2.2.2", "10.0.0.2 ,\t10.0.0.3"}, "2.2.2.2"},
		{"10.0.0.1:1", []string{"10.0.0.4, 10.0.0.3", "10.0.0.2"}, "10.0.0.4"},
		{"10.0.0.1:1", []string{"2.2.2.2:80"}, "2.2.2.2"},
		{"10.0.0.1:1", []string{"[2001:db8::1]:80"}, "2001:db8::1"},
		{"10.0.0.1:1", []string{"[2001:db8::1]"}, "2001:db8::1"},
		{"10.0.0.1:1", []string{"2001:db8::1"}, "2001:db8::1"},
		{"10.0.0.1:1", []string{"::ffff:1.2.3.4"}, "1.2.3.4"},
		{"10.0.0.1:1", []string{"fe80::1%eth0"}, "fe80::1"},
		{"[fd00::1%x]:1", []string{"1.1.1.1, fd00::2"}, "1.1.1.1"},
		{"10.0.0.1:1", []string{""}, ""},
		{"10.0.0.1:1", []string{"1.1.1.1,"}, ""},
		{"10.0.0.1:1", []string{"1.1.1.1", ""}, ""},
		{"10.0.0.1:1", []string{"1.1.1.1, unknown"}, ""},
		{"10.0.0.1:1", []string{"1.1.1.1, _hidden, 10.0.0.2"}, ""},
		{"10.0.0.1:1", []string{"unknown, 1.1.1.1"}, "1.1.1.1"},
		{"10.0.0.1:1", []string{"1.1.1.1:x"}, ""},
		{"10.0.0.1:1", []string{"1.1.1.1:"}, ""},
		{"10.0.0.1:1", []string{"1.1.1.1:65536"}, ""},
		{"10.0.0.1:1", []string{"[1.1.1.1]"}, ""},
		{"10.0.0.1:1", []string{"[::1"}, ""},
		{"10.0.0.1:1", []string{"[::1]x"}, ""},
		{"10.0.0.1:1", []string{"::1]"}, ""},
		{"10.0.0.1:1", []string{"[]:80"}, ""},
		{"10.0.0.1:1", []string{":80"}, ""},
		{"10.0.0.1:1", []string{"1.1.1.01"}, ""},
		{"10.0.0.1:1", []string{"1.1.1.1%eth0"}, ""},
		{"10.0.0.1:1", []string{"fe80::1%"}, ""},
		{"10.0.0.1:1", []string{"1.1.1.1 2.2.2.2"}, ""},
		{"10.0.0.1:1", []string{strings.Repeat("1", 100)}, ""},
		{"3.3.3.3:1", []string{"1.1.1.1"}, "3.3.3.3"},
		{"3.3.3.3:1", []string{"unknown"}, "3.3.3.3"},
		{"@", []string{"1.1.1.1"}, ""},
		{"", []string{"1.1.1.1"}, ""},
	} {
		r := newBenchRequest("GET", "/")
		r.RemoteAddr, r.Header["X-Forwarded-For"] = row.peer, row.forwarded
		addr, ok := clientAddr(r, trusted)
		if got := fmt.Sprint(addr); ok && got != row.want || !ok && row.want != "" {
			t.Errorf("peer %s, X-Forwarded-For %q: got %s, %t, want %q", row.peer, row.forwarded, addr, ok, row.want)
		}
		checkClientAddr(t, r, trusted)
	}
}

var hopRx = regexp.MustCompile(`(?s)^(?:\[([^\]]*:[^\]]*)\](?::([0-9]{1,5}))?|([^:]*):([0-9]{1,5})|([^\[].*|))$`)

// naiveHop is the twin of parseHop.
func naiveHop(s string) (netip.Addr, bool) {
	m := hopRx.FindStringSubmatch(s)
	if m == nil {
		return netip.Addr{}, false
	}
	var port int
	if fmt.Sscan(m[2]+m[4], &port); port > 65535 {
		return netip.Addr{}, false
	}
	text := m[1] + m[3] + m[5]
	if address, zone, ok := strings.Cut(text, "%"); ok && strings.Contains(address, ":") && zone != "" {
		text = address
	}
	addr, err := netip.ParseAddr(text)
	return addr.Unmap(), err == nil
}

// naiveClientAddr is the twin of clientAddr: the peer and the hops in one list.
func naiveClientAddr(r *http.Request, trusted []netip.Prefix) (netip.Addr, bool) {
	var hops []string
	if lines := r.Header["X-Forwarded-For"]; len(lines) > 0 {
		hops = strings.Split(strings.Join(lines, ","), ",")
	}
	hops = append(hops, r.RemoteAddr)
	for i := len(hops) - 1; ; i-- {
		hop := hops[i]
		if i < len(hops)-1 {
			hop = strings.Trim(hop, " \t")
		}
		addr, ok := naiveHop(hop)
		trust := false
		for _, p := range trusted {
			trust = trust || p.Contains(addr)
		}
		if !ok || !trust || i == 0 {
			return addr, ok
		}
	}
}

func checkClientAddr(t *testing.T, r *http.Request, trusted []netip.Prefix) (ok bool) {
	t.Helper()
	got, ok := clientAddr(r, trusted)
	if want, wantOK := naiveClientAddr(r, trusted); ok != wantOK || ok && got != want {
		t.Errorf("peer %q, X-Forwarded-For %q: got %s, %t, want %s, %t", r.RemoteAddr, r.Header["X-Forwarded-For"], got, ok, want, wantOK)
	}
	return ok
}

// TestClientAddrIsNaive compares clientAddr with its twin on generated headers.
func TestClientAddrIsNaive(t *testing.T) {
	src := rand.New(rand.NewPCG(3, 4))
	addrs := []string{
		"10.0.0.1", "10.0.0.2:80", "10.0.0.3", "1.1.1.1", "2.2.2.2:80", "[fd00::1]:80", "[fd00::2]", "fd00::3", "2001:db8::1", "[2001:db8::2%e]:80",
		"::ffff:10.0.0.4", "[::ffff:1.2.3.4]:1", "unknown", "", "x", "[", "]", ":", "::", "1.1.1.1:", "%", "fe80::1%", "[1.1.1.1]", "1.1.1.1:99999",
	}
	trusted, known := prefixes("10.0.0.0/8 fd00::/8"), 0
	for range 100_000 {
		r := newBenchRequest("GET", "/")
		r.RemoteAddr = addrs[src.IntN(len(addrs))]
		for range src.IntN(4) {
			var hops []string
			for range src.IntN(4) {
				hops = append(hops, addrs[src.IntN(len(addrs)/(1+src.IntN(3)))])
			}
			r.Header.Add("X-Forwarded-For", strings.Join(hops, [...]string{",", ", ", " ,\t"}[src.IntN(3)]))
		}
		if checkClientAddr(t, r, trusted) {
			known++
		}
	}
	if known < 10_000 {
		t.Errorf("only %d clients are known", known)
	}
}

func FuzzClientAddr(f *testing.F) {
	f.Add("10.0.0.1:80", "1.1.1.1, 10.0.0.2", "[fd00::1]:80")
	f.Add("[fd00::1%eth0]:80", "", "unknown")
	f.Add("10.0.0.1", "::ffff:1.2.3.4", "1.1.1.1:x")
	f.Fuzz(func(t *testing.T, peer, line, line2 string) {
		r := newBenchRequest("GET", "/")
		r.RemoteAddr = peer
		r.Header["X-Forwarded-For"] = []string{line, line2}
		checkClientAddr(t, r, prefixes("10.0.0.0/8 fd00::/8"))
	})
}

// TestClientAddrIsQuick: a header of a megabyte costs a look at each byte, and
// nothing is kept of it.
func TestClientAddrIsQuick(t *testing.T) {
	for _, line := range []string{strings.Repeat("10.0.0.1,", 1<<17), strings.Repeat(",", 1<<20), strings.Repeat("1", 1<<20), "::1%" + strings.Repeat("1", 1<<20)} {
		r := newBenchRequest("GET", "/")
		r.RemoteAddr = "10.0.0.1:80"
		r.Header["X-Forwarded-For"] = []string{line}
		start := time.Now()
		clientAddr(r, prefixes("10.0.0.0/8"))
		if took := time.Since(start); took > time.Second {
			t.Errorf("%.20s…: %s", line, took)
		}
		trusted := prefixes("10.0.0.0/8")
		if got := testing.AllocsPerRun(1, func() { clientAddr(r, trusted) }); got != 0 && !raceEnabled {
			t.Errorf("%.20s…: %v allocations, want 0", line, got)
		}
	}
}

func TestClientIPErrors(t *testing.T) {
	bad := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), {}}
	checkOptionErrors(t, map[string][]RouteOption{
		"ClientIP([]): allow is empty, so that no client could come in; name some, or leave the option out":                                        {ClientIP(nil)},
		"ClientIP([10.0.0.0/8, invalid Prefix]): allow: prefix 2 of 2 is not valid; make it with netip.ParsePrefix, as 192.0.2.0/24":               {ClientIP(bad)},
		"ClientIP([10.0.0.0/8], 10.0.0.0/8, invalid Prefix): trusted: prefix 2 of 2 is not valid; make it with netip.ParsePrefix, as 192.0.2.0/24": {ClientIP(bad[:1], bad...)},
		"ClientIP([::ffff:0.0.0.0/95]): allow: ::ffff:0.0.0.0/95 is more than the IPv4 addresses, which are 0.0.0.0/0":                             {ClientIP(prefixes("::ffff:0.0.0.0/95"))},
	})
}

func TestTrustedProxiesPanics(t *testing.T) {
	for want, give := range map[string]func(){
		"muxwell: TrustedProxies: prefix 1 of 1 is not valid; make it with netip.ParsePrefix, as 192.0.2.0/24": func() { TrustedProxies(netip.Prefix{}) },
		"muxwell: TrustedProxies: ::ffff:0.0.0.0/0 is more than the IPv4 addresses, which are 0.0.0.0/0":       func() { TrustedProxies(prefixes("::ffff:0.0.0.0/0")...) },
	} {
		if got := recovered(give); got != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
	if c := New(TrustedProxies()).config; len(c.proxies) != 0 {
		t.Errorf("got %v", c.proxies)
	}
}
