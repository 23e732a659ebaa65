package muxwell

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/naive"
	"github.com/muxwell/muxwell/internal/tests/random"
)

// fuzzSnapshots returns a snapshot for each of fuzzHosts without and with a port.
var fuzzSnapshots = sync.OnceValue(func() (snapshots []*snapshot) {
	for _, row := range fuzzHosts {
		for _, port := range []string{"", ":80"} {
			snapshots = append(snapshots, newMuxOf([]string{row[0] + port + "/"}).publish())
		}
	}
	return snapshots
})

// checkHostPatterns compares how patterns match a Host header with matchLabels.
func checkHostPatterns(t *testing.T, header string) {
	t.Helper()
	for i, row := range fuzzHosts {
		for j, port := range []string{"", ":80"} {
			s := fuzzSnapshots()[2*i+j]
			rt := s.endpoints.At(1).route
			for _, method := range []string{"GET", "CONNECT"} {
				r := newBenchRequest(method, "/")
				r.Host = header
				host := header // without port, final dot, the brackets of an address, in lower case
				if method != "CONNECT" {
					host = hostname.StripPort(host)
				}
				wantPort := ""
				if _, ok := hostname.SplitPort(host); ok {
					colon := strings.LastIndexByte(host, ':')
					host, wantPort = host[:colon], host[colon:]
				}
				if host != "." {
					host = strings.TrimSuffix(host, ".")
				}
				if inner, ok := strings.CutPrefix(host, "["); ok && wantPort == "" && strings.HasSuffix(inner, "]") && strings.Count(inner, ":") > 1 {
					host = strings.TrimSuffix(inner, "]")
				}
				host = strings.Map(func(r rune) rune {
					if 'A' <= r && r <= 'Z' {
						r += 'a' - 'A'
					}
					return r
				}, host)
				want, matches := matchLabels(row[1], host)
				if host == "" || wantPort != port {
					want, matches = nil, false
				}
				a := s.resolve(r)
				if (a.Number != 0) != matches {
					t.Fatalf("%s%s, %s, Host %q: it matches: %v, want %v", row[0], port, method, header, a.Number != 0, matches)
				}
				if !matches {
					continue
				}
				if got := slices.Collect(values(Params{rt.layout.Of(r, sourceOf(&a))})); !slices.Equal(got, want) {
					t.Fatalf("%s%s, %s, Host %q: got the values %q, want %q", row[0], port, method, header, got, want)
				}
			}
		}
	}
}

func TestHostPatternsAreNaive(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 14))
	headers := 3_000
	if raceEnabled || testing.Short() {
		headers = 300
	}
	for range headers {
		var b strings.Builder
		for range 1 + src.IntN(4) {
			b.WriteString(random.Pick(src, "a", "b", "x", "A", "B-c", "a-b", "12", "-3", "h", "x1", "", "[", "]", "[::1]", "::1", ":80", "é"))
			b.WriteString(random.Pick(src, ".", ".", ".", "", ".h", ".H", ".h.", ":80"))
		}
		checkHostPatterns(t, b.String())
	}
}

func FuzzHostPatterns(f *testing.F) {
	for _, h := range []string{"h", "H", ".", ":", "::1", "[::1]", "é", "example.com:80", "[::1]:80", "EXAMPLE.com.:80", "[a[b]:80", "a:8]0", "[::1]x:80", "A-b.h", "[::a-b].h", "[[::1]]", "a.b.c.h.", "x.x.x.h:80", "12.h:80", "..h", fmt.Sprint(fuzzHosts)} {
		f.Add(h)
	}
	f.Fuzz(func(t *testing.T, h string) {
		if len(h) < 200 && strings.ToValidUTF8(h, "") == h { // package regexp goes by runes
			checkHostPatterns(t, h)
		}
	})
}

// matchLabels matches expressions, one for each label of a pattern and a comma
// behind that of a catch-all, against a host.
func matchLabels(pattern, host string) (values []string, ok bool) {
	labels, parts := strings.Fields(pattern), strings.Split(host, ".")
	at := slices.IndexFunc(labels, func(l string) bool { return strings.HasSuffix(l, ",") }) // a catch-all
	if more := len(parts) - len(labels); more < 0 || more > 0 && at < 0 {
		return nil, false
	} else if at >= 0 {
		parts = slices.Concat(parts[:at], []string{strings.Join(parts[at:at+more+1], ".")}, parts[at+more+1:])
	}
	for i, label := range labels {
		m := naive.Regexp(`(?s)` + strings.TrimSuffix(label, ",")).FindStringSubmatch(parts[i])
		if m == nil || strings.Contains("."+parts[i]+".", "..") {
			return nil, false
		}
		values = append(values, m[1:]...)
	}
	return values, true
}

// fuzzHosts are hosts of patterns, and their labels as matchLabels has them.
var fuzzHosts = [][2]string{
	{"{t}", `(.+)`},
	{"{t}.h", `(.+) h`},
	{"*.h", `.+ h`},
	{"{t...}.h", `(.+), h`},
	{"{t...}", `(.+),`},
	{"a.{t...}", `a (.+),`},
	{"{t}.{u}", `(.+) (.+)`},
	{"{t}.{u...}.{v}", `(.+) (.+), (.+)`},
	{"{t}.x.{u...}.h", `(.+) x (.+), h`},
	{"a{t}.h", `a(.+) h`},
	{"{t}-{u}.h", `(.+?)-(.+) h`},
	{"{t:int}.h", `(-?[0-9]+) h`},
	{"{t:[a-z:]+}.{u...}", `([a-z:]+) (.+),`},
	{"{t:[^a]*}.h", `([^a]+) h`},
	{"{t:[:a-z]+}-{u:[a-z]+}.h", `([:a-z]+)-([a-z]+) h`},
	{"x{t:[a-z0-9]{2}}", `x([a-z0-9]{2})`},
}
