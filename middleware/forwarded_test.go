package middleware

import (
	"fmt"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/clientaddr"
)

// TestForwarded has the proxies 10.0.0.0/8 and fd00::/8, and the peer 10.0.0.1.
func TestForwarded(t *testing.T) {
	trusted := prefixes("10.0.0.0/8 fd00::/8")
	for _, row := range []struct {
		lines []string
		want  string // "" if it is not known
	}{
		{nil, "10.0.0.1"},
		{[]string{"for=192.0.2.43"}, "192.0.2.43"},
		{[]string{"For=192.0.2.43;proto=https;by=203.0.113.43"}, "192.0.2.43"},
		{[]string{"proto=https;for=192.0.2.43"}, "192.0.2.43"},
		{[]string{"proto=https ; for=192.0.2.43 ;"}, "192.0.2.43"},
		{[]string{`for="192.0.2.43:47011"`}, "192.0.2.43"},
		{[]string{`for="[2001:db8:cafe::17]:4711"`}, "2001:db8:cafe::17"},
		{[]string{`for="[2001:db8:cafe::17]"`}, "2001:db8:cafe::17"},
		{[]string{`for="[::ffff:192.0.2.1]"`}, "192.0.2.1"},
		{[]string{"for=1.1.1.1, for=2.2.2.2, for=10.0.0.2"}, "2.2.2.2"},
		{[]string{"for=1.1.1.1", "for=2.2.2.2", "for=10.0.0.2"}, "2.2.2.2"},
		{[]string{`for=1.1.1.1, for="[fd00::1]",for=10.0.0.2`}, "1.1.1.1"},
		{[]string{"for=10.0.0.3, for=10.0.0.2"}, "10.0.0.3"},
		{[]string{`for=2.2.2.2;host="a,b;for=3.3.3.3"`}, "2.2.2.2"},
		{[]string{`host="a\",for=3.3.3.3,\"";for=2.2.2.2`}, "2.2.2.2"},
		{[]string{`host="\\";for=2.2.2.2`}, "2.2.2.2"},
		// What a client sent to hide or to change what was appended.
		{[]string{`for="1.1.1.1, for=2.2.2.2`}, "2.2.2.2"},
		{[]string{`x=", for=2.2.2.2`}, "2.2.2.2"},
		{[]string{`x="\, for=2.2.2.2`}, "2.2.2.2"},
		{[]string{`x=", for="[2001:db8::7]"`}, "2001:db8::7"},
		{[]string{`x="\, for="[2001:db8::7]"`}, "2001:db8::7"},
		{[]string{`""", for=2.2.2.2`}, "2.2.2.2"},
		{[]string{`x="`, `for=2.2.2.2`}, "2.2.2.2"},
		// What is no address.
		{[]string{""}, ""},
		{[]string{"for=1.1.1.1,"}, ""},
		{[]string{"for=1.1.1.1, for=unknown"}, ""},
		{[]string{"for=1.1.1.1, for=_hidden"}, ""},
		{[]string{"for=1.1.1.1, proto=https"}, ""},
		{[]string{"for=1.1.1.1;for=2.2.2.2"}, ""},
		{[]string{"for=1.1.1.1;FOR=1.1.1.1"}, ""},
		{[]string{"for =1.1.1.1"}, ""},
		{[]string{"for= 1.1.1.1"}, ""},
		{[]string{"for=1.1.1.1 2.2.2.2"}, ""},
		{[]string{`for="1.1.1.1" x`}, ""},
		{[]string{`for="1.1.1.1`}, ""},
		{[]string{`for=1.1.1.1"`}, ""},
		{[]string{`for="1.1.1\.1"`}, ""},
		{[]string{"1.1.1.1"}, ""},
		{[]string{"for"}, ""},
		{[]string{"fo\u0280=1.1.1.1"}, ""},
	} {
		r := newRequest("GET", "/")
		r.RemoteAddr, r.Header["Forwarded"] = "10.0.0.1:80", row.lines
		addr, ok := forwardedClient(r, trusted)
		if got := fmt.Sprint(addr); ok && got != row.want || ok != (row.want != "") {
			t.Errorf("%q: got %s, %t, want %q", row.lines, got, ok, row.want)
		}
	}
}

// A stranger is not trusted, nor one without an address.
func TestForwardedOfStrangers(t *testing.T) {
	for peer, want := range map[string]string{"192.0.2.1:80": "192.0.2.1 true", "@": "invalid IP false"} {
		r := newRequest("GET", "/", "Forwarded: for=1.1.1.1")
		r.RemoteAddr = peer
		if got := fmt.Sprint(forwardedClient(r, prefixes("10.0.0.0/8"))); got != want {
			t.Errorf("%s: got %s, want %s", peer, got, want)
		}
	}
}

// TestForwardedIsQuick: a header of a megabyte is read once.
func TestForwardedIsQuick(t *testing.T) {
	for _, line := range []string{
		strings.Repeat("for=10.0.0.1,", 1<<16), strings.Repeat(`"`, 1<<20), strings.Repeat(`\`, 1<<20) + `"`,
		strings.Repeat(`\"`, 1<<19), strings.Repeat(";", 1<<20), strings.Repeat("x=y;", 1<<18), strings.Repeat(" ", 1<<20), strings.Repeat("; ", 1<<19),
	} {
		r := newRequest("GET", "/")
		r.RemoteAddr, r.Header["Forwarded"] = "10.0.0.1:80", []string{line}
		trusted := prefixes("10.0.0.0/8")
		if got := testing.AllocsPerRun(5, func() { forwardedClient(r, trusted) }); got != 0 && !raceEnabled {
			t.Errorf("%.20s…: %v allocations, want 0", line, got)
		}
	}
}

var (
	forwardedPair    = "[!#$%&'*+.^_`|~0-9A-Za-z-]+=(?:\"(?:[^\"\\\\]|\\\\.)*\"|[^\" \t;,]+)"
	forwardedElement = regexp.MustCompile(`(?s)\A[ \t]*(?:` + forwardedPair + `)?(?:[ \t]*;[ \t]*(?:` + forwardedPair + `)?)*[ \t]*\z`)
	forwardedPairs   = regexp.MustCompile("(?s)" + forwardedPair)
)

// naiveFor is the twin of forwardedFor, by regular expressions.
func naiveFor(element string) (netip.Addr, bool) {
	if !forwardedElement.MatchString(element) {
		return netip.Addr{}, false
	}
	var values []string
	for _, pair := range forwardedPairs.FindAllString(element, -1) {
		if name, value, _ := strings.Cut(pair, "="); strings.EqualFold(name, "for") {
			values = append(values, strings.Trim(value, `"`))
		}
	}
	if len(values) != 1 {
		return netip.Addr{}, false
	}
	return clientaddr.Parse(values[0])
}

// FuzzForwarded compares the parser of an element with its twin, and checks that what
// a client has sent changes nothing of what a proxy appends.
func FuzzForwarded(f *testing.F) {
	f.Add(`for=1.1.1.1;proto=https`)
	f.Add(`for="[2001:db8::1]:80" ; by="a\"b"`)
	f.Add(`x="\`)
	f.Add(`;;for=1.1.1.1; ;`)
	appended := []string{"for=203.0.113.7;proto=https", `proto=http;for="203.0.113.7:80"`, `host="a\",b";for=203.0.113.7`}
	f.Fuzz(func(t *testing.T, sent string) {
		if !slices.Contains([]byte(sent), ',') {
			addr, ok := forwardedFor(sent)
			if want, wantOK := naiveFor(sent); ok != wantOK || ok && addr != want {
				t.Errorf("%q: got %s, %t, want %s, %t", sent, addr, ok, want, wantOK)
			}
		}
		for _, own := range appended {
			r := &http.Request{RemoteAddr: "10.0.0.1:80", Header: http.Header{"Forwarded": {sent + ", " + own}}}
			if addr, ok := forwardedClient(r, prefixes("10.0.0.0/8")); !ok || addr.String() != "203.0.113.7" {
				t.Errorf("%q before %s: got %s, %t", sent, own, addr, ok)
			}
		}
	})
}
