package clientaddr

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

func newRequest() *http.Request { return &http.Request{Header: make(http.Header)} }

// prefixes returns the prefixes in a list separated by spaces.
func prefixes(list string) (all []netip.Prefix) {
	for s := range strings.FieldsSeq(list) {
		all = append(all, netip.MustParsePrefix(s))
	}
	return all
}

// TestOf has the proxies 10.0.0.0/8 and fd00::/8.
func TestOf(t *testing.T) {
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
		r := newRequest()
		r.RemoteAddr, r.Header["X-Forwarded-For"] = row.peer, row.forwarded
		addr, ok := Of(r, trusted)
		if got := fmt.Sprint(addr); ok && got != row.want || !ok && row.want != "" {
			t.Errorf("peer %s, X-Forwarded-For %q: got %s, %t, want %q", row.peer, row.forwarded, addr, ok, row.want)
		}
		checkOf(t, r, trusted)
	}
}

var hopRx = regexp.MustCompile(`(?s)^(?:\[([^\]]*:[^\]]*)\](?::([0-9]{1,5}))?|([^:]*):([0-9]{1,5})|([^\[].*|))$`)

// naiveParse is the twin of Parse.
func naiveParse(s string) (netip.Addr, bool) {
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

// naiveOf is the twin of Of: the peer and the hops in one list.
func naiveOf(r *http.Request, trusted []netip.Prefix) (netip.Addr, bool) {
	var hops []string
	if lines := r.Header["X-Forwarded-For"]; len(lines) > 0 {
		hops = strings.Split(strings.Join(lines, ","), ",")
	}
	hops = append(hops, r.RemoteAddr)
	for i := len(hops) - 1; ; i-- {
		hop := hops[i]
		if behind := len(hops) - 1 - i; behind > 256 || behind > 0 && len(hop) > 255 {
			return netip.Addr{}, false
		} else if behind > 0 {
			hop = strings.Trim(hop, " \t")
		}
		addr, ok := naiveParse(hop)
		trust := false
		for _, p := range trusted {
			trust = trust || p.Contains(addr)
		}
		if !ok || !trust || i == 0 {
			return addr, ok
		}
	}
}

func checkOf(t *testing.T, r *http.Request, trusted []netip.Prefix) (ok bool) {
	t.Helper()
	got, ok := Of(r, trusted)
	if want, wantOK := naiveOf(r, trusted); ok != wantOK || ok && got != want {
		t.Errorf("peer %q, X-Forwarded-For %q: got %s, %t, want %s, %t", r.RemoteAddr, r.Header["X-Forwarded-For"], got, ok, want, wantOK)
	}
	return ok
}

// TestOfIsNaive compares Of with its twin on generated headers.
func TestOfIsNaive(t *testing.T) {
	src := rand.New(rand.NewPCG(3, 4))
	addrs := []string{
		"10.0.0.1", "10.0.0.2:80", "10.0.0.3", "1.1.1.1", "2.2.2.2:80", "[fd00::1]:80", "[fd00::2]", "fd00::3", "2001:db8::1", "[2001:db8::2%e]:80",
		"::ffff:10.0.0.4", "[::ffff:1.2.3.4]:1", "unknown", "", "x", "[", "]", ":", "::", "1.1.1.1:", "%", "fe80::1%", "[1.1.1.1]", "1.1.1.1:99999",
	}
	trusted, known := prefixes("10.0.0.0/8 fd00::/8"), 0
	for range 100_000 {
		r := newRequest()
		r.RemoteAddr = addrs[src.IntN(len(addrs))]
		for range src.IntN(4) {
			var hops []string
			for range src.IntN(4) {
				hops = append(hops, addrs[src.IntN(len(addrs)/(1+src.IntN(3)))])
			}
			r.Header.Add("X-Forwarded-For", strings.Join(hops, [...]string{",", ", ", " ,\t"}[src.IntN(3)]))
		}
		if checkOf(t, r, trusted) {
			known++
		}
	}
	if known < 10_000 {
		t.Errorf("only %d clients are known", known)
	}
}

// TestOfLongLists: what decides must be among the last 256 elements, which have 255
// bytes at most.
func TestOfLongLists(t *testing.T) {
	trusted := prefixes("10.0.0.0/8 fd00::/8")
	list := func(n int) string { return strings.Repeat("10.0.0.2, ", n-1) + "10.0.0.2" }
	padded := func(n int) string { return strings.Repeat(" ", n-len("1.1.1.1")) + "1.1.1.1" }
	for _, row := range []struct {
		name  string
		lines []string
		want  bool // the client is known
	}{
		{"256 trusted", []string{list(256)}, true},
		{"257 trusted", []string{list(257)}, false},
		{"a client and 255 trusted", []string{"1.1.1.1, " + list(255)}, true},
		{"a client and 256 trusted", []string{"1.1.1.1, " + list(256)}, false},
		{"a client and 256 trusted in two lines", []string{"1.1.1.1", list(100), list(156)}, false},
		{"any number in front of a client", []string{list(1000), "1.1.1.1, " + list(255)}, true},
		{"255 bytes", []string{padded(255)}, true},
		{"256 bytes", []string{padded(256)}, false},
		{"255 bytes behind a comma", []string{"x," + padded(255) + ",10.0.0.2"}, true},
		{"256 bytes behind a comma", []string{"x," + padded(256) + ",10.0.0.2"}, false},
		{"a long zone", []string{"fe80::1%" + strings.Repeat("x", 248)}, false},
	} {
		r := newRequest()
		r.RemoteAddr, r.Header["X-Forwarded-For"] = "10.0.0.1:80", row.lines
		if got := checkOf(t, r, trusted); got != row.want {
			t.Errorf("%s: known %t, want %t", row.name, got, row.want)
		}
	}
}

func FuzzOf(f *testing.F) {
	f.Add("10.0.0.1", strings.Repeat("10.0.0.2,", 255)+"10.0.0.2", "10.0.0.1,")
	f.Add("10.0.0.1", "1.1.1.1", strings.Repeat(" ", 248)+"10.0.0.2")
	f.Add("10.0.0.1:80", "1.1.1.1, 10.0.0.2", "[fd00::1]:80")
	f.Add("[fd00::1%eth0]:80", "", "unknown")
	f.Add("10.0.0.1", "::ffff:1.2.3.4", "1.1.1.1:x")
	f.Fuzz(func(t *testing.T, peer, line, line2 string) {
		r := newRequest()
		r.RemoteAddr = peer
		r.Header["X-Forwarded-For"] = []string{line, line2}
		checkOf(t, r, prefixes("10.0.0.0/8 fd00::/8"))
	})
}

// TestOfIsQuick: a header of a megabyte costs a look at each byte, and
// nothing is kept of it.
func TestOfIsQuick(t *testing.T) {
	for _, line := range []string{strings.Repeat("10.0.0.1,", 1<<17), strings.Repeat(",", 1<<20), strings.Repeat("1", 1<<20), "::1%" + strings.Repeat("1", 1<<20)} {
		r := newRequest()
		r.RemoteAddr = "10.0.0.1:80"
		r.Header["X-Forwarded-For"] = []string{line}
		start := time.Now()
		Of(r, prefixes("10.0.0.0/8"))
		if took := time.Since(start); took > time.Second {
			t.Errorf("%.20s…: %s", line, took)
		}
		trusted := prefixes("10.0.0.0/8")
		if got := testing.AllocsPerRun(5, func() { Of(r, trusted) }); got != 0 {
			t.Errorf("%.20s…: %v allocations, want 0", line, got)
		}
	}
}
