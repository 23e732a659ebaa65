// Package servemux compares a mux with http.ServeMux on patterns and requests at random.
package servemux

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/routing"
	"github.com/muxwell/muxwell/internal/tests/long"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
	"github.com/muxwell/muxwell/internal/tests/random"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// The mux is compared with http.ServeMux in all that a client or a handler can
// see. What is left out is the closed list of differences in doc.go, by the
// functions that bear its numbers. On Go 1.27 number 2 is compared too.

// muxPair is a ServeMux and the same patterns in a Mux.
type muxPair struct {
	serve    *http.ServeMux
	ours     *muxwell.Mux
	patterns []string
	names    []string // of all parameters
}

// newPair registers patterns in both. What ServeMux refuses is left out; a Mux
// with StrictConflicts must refuse the same.
func newPair(t *testing.T, patterns []string) *muxPair {
	t.Helper()
	p := &muxPair{serve: http.NewServeMux(), ours: muxwell.New()}
	strict := muxwell.New(muxwell.StrictConflicts())
	for _, text := range patterns {
		h := p.handler(text)
		refused := muxtest.Recovered(func() { p.serve.Handle(text, h) })
		_, err := strict.Add(text, h)
		if (refused != nil) != (err != nil) {
			t.Fatalf("%q next to %q:\nServeMux: %v\nStrictConflicts: %v", text, p.patterns, refused, err)
		}
		if refused != nil {
			continue
		}
		p.ours.Handle(text, h)
		p.patterns = append(p.patterns, text)
		parsed, _ := pattern.Parse(text, pattern.Rules{})
		p.names = append(p.names, parsed.Names()...)
	}
	slices.Sort(p.names)
	p.names = slices.Compact(p.names)
	return p
}

// handler writes all that a handler can see of the match.
func (p *muxPair) handler(pattern string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s by %s:", r.Pattern, pattern)
		for _, name := range p.names {
			fmt.Fprintf(w, " %s=%q", name, r.PathValue(name))
		}
	})
}

// observe returns all that can be seen of a mux's answer to r.
func (p *muxPair) observe(m http.Handler, r *http.Request) *observation {
	r = r.Clone(r.Context())
	found, pattern := m.(interface {
		Handler(*http.Request) (http.Handler, string)
	}).Handler(r)
	o := &observation{found: pattern}
	direct := httptest.NewRecorder()
	found.ServeHTTP(direct, r.Clone(r.Context()))
	w := httptest.NewRecorder()
	m.ServeHTTP(w, r)
	o.pattern, o.status, o.header, o.body = r.Pattern, w.Code, w.Header(), w.Body.String()
	o.direct = fmt.Sprint(direct.Code, direct.Header())
	for _, name := range p.names {
		o.values = append(o.values, r.PathValue(name))
	}
	return o
}

type observation struct {
	pattern, found string // r.Pattern after ServeHTTP, and what Handler returned
	status         int
	header         http.Header
	body           string
	values         []string
	direct         string // what Handler's handler answers
}

// compareds counts comparisons by the status of the answer.
type compareds map[int]int

func (c compareds) total() (n int) {
	for _, k := range c {
		n += k
	}
	return n
}

// Compare compares both answers to r, and counts it, unless r falls under the
// list of differences.
func (p *muxPair) compare(t *testing.T, r *http.Request, counts compareds) {
	t.Helper()
	sent := r.URL.EscapedPath()
	if p.differs1(r, sent) || differs3(sent) {
		return
	}
	want, got := p.observe(p.serve, r), p.observe(p.ours, r)
	if !routing.RedirectsKeepEscapes && want.status == http.StatusTemporaryRedirect && strings.Contains(sent, "%") {
		fixLocation2(want, r, sent)
		fixLocation2(got, r, "")
	}
	if w, g := fmt.Sprintf("%+v", *want), fmt.Sprintf("%+v", *got); w != g {
		t.Fatalf("%s %s (host %q, URL host %q)\nServeMux: %s\n    ours: %s\npatterns: %q", r.Method, r.RequestURI, r.Host, r.URL.Host, w, g, p.patterns)
	}
	counts[want.status]++
}

// differs1: for CONNECT, ServeMux lets an empty segment match a parameter and
// then panics or shifts the values.
func (p *muxPair) differs1(r *http.Request, sent string) bool {
	if r.Method != "CONNECT" || !strings.Contains(sent, "//") {
		return false
	}
	path := strings.Split(sent, "/")[1:]
	for _, text := range p.patterns {
		parsed, _ := pattern.Parse(text, pattern.Rules{})
		for i, g := range parsed.Segments {
			if g.Kind == pattern.Param && i < len(path)-1 && path[i] == "" {
				return true
			}
		}
	}
	return false
}

// fixLocation2 replaces the Location of ServeMux, which up to Go 1.26 escapes
// every escape twice or loses them, by the one that keeps each segment's escaping, and drops
// what repeats it.
func fixLocation2(o *observation, r *http.Request, sent string) {
	if sent != "" {
		path, _, _ := strings.Cut(o.header.Get("Location"), "?")
		want := urlpath.Clean(sent)
		if strings.HasSuffix(path, "/") && !strings.HasSuffix(want, "/") {
			want += "/"
		}
		if r.URL.RawQuery != "" {
			want += "?" + strings.ReplaceAll(r.URL.RawQuery, "é", "%c3%a9")
		}
		o.header.Set("Location", want)
	}
	o.body, o.direct = "", ""
}

// differs3: ServeMux takes the segment %2F for a trailing slash.
func differs3(sent string) bool {
	return slices.ContainsFunc(strings.Split(sent, "/"), func(s string) bool { return strings.EqualFold(s, "%2F") })
}

var (
	pairMethods  = []string{"", "", "", "GET", "GET", "POST", "HEAD", "CONNECT", "M-SEARCH"}
	pairHosts    = []string{"", "", "", "", "h", "h.com", "::1", "h:80", "h.com:443", "[::1]:80"}
	pairRequests = []string{"GET", "GET", "GET", "HEAD", "POST", "CONNECT", "TRACE", "M-SEARCH", "OPTIONS"}
	requestHosts = []string{"", "h", "h", "h.com", "h:80", "h.com:443", "::1", "[::1]:80", "h:", ":80", "a:b:c", "[h]:80", "h.com:x", "other"}
)

// genPairPatterns returns patterns outside the list of differences: no pattern
// has a segment that is %2F (3), odd hosts (4, 5) or an empty inner segment
// (6), which genPattern does not make.
func genPairPatterns(src random.Source) []string {
	var patterns []string
	for range 1 + src.IntN(12) {
		p := muxtest.RandomPattern(src, pairMethods, pairHosts)
		if src.IntN(20) == 0 && !strings.Contains(p, " ") {
			p = strings.TrimSuffix(p, "/") + "/../b"
			if strings.Contains(p, "$") || strings.Contains(p, "...}") {
				continue
			}
		}
		patterns = append(patterns, p)
	}
	return patterns
}

func comparePairs(t *testing.T, src random.Source, requests int, counts compareds) {
	t.Helper()
	p := newPair(t, genPairPatterns(src))
	for range requests {
		r := muxtest.RandomRequest(src, pairRequests, requestHosts)
		if r != nil {
			p.compare(t, r, counts)
		}
	}
}

func TestServeMux(t *testing.T) {
	counts, want := compareds{}, long.Rounds(t, "requests", 30_000, 100_000, 1_000_000)
	for seed := uint64(1); counts.total() < want; seed++ {
		comparePairs(t, rand.New(rand.NewPCG(seed, 1)), 300, counts)
	}
	for _, status := range []int{200, 307, 404, 405} {
		if counts[status] < want/50 {
			t.Errorf("only %d comparisons with status %d", counts[status], status)
		}
	}
	t.Logf("%d requests compared with http.ServeMux; by status: %v", counts.total(), counts)
}

// TestServeMuxConnect compares CONNECT requests only, whose paths are not cleaned.
// The pattern of their redirect differs between Go releases where the path that
// was sent is unclean.
func TestServeMuxConnect(t *testing.T) {
	counts, unclean, want := compareds{}, 0, long.Rounds(t, "requests", 10_000, 20_000, 100_000)
	for seed := uint64(1); counts.total() < want; seed++ {
		src := rand.New(rand.NewPCG(seed, 2))
		p := newPair(t, genPairPatterns(src))
		for range 300 {
			r := muxtest.RandomRequest(src, []string{http.MethodConnect}, requestHosts)
			if r == nil {
				continue
			}
			redirects := counts[http.StatusTemporaryRedirect]
			p.compare(t, r, counts)
			if counts[http.StatusTemporaryRedirect] > redirects && urlpath.Clean(r.URL.Path) != r.URL.Path {
				unclean++
			}
		}
	}
	if unclean < want/1000 {
		t.Errorf("only %d redirects of unclean paths", unclean)
	}
	t.Logf("%d CONNECT requests compared with http.ServeMux; by status: %v; redirects of unclean paths: %d", counts.total(), counts, unclean)
}

func FuzzServeMux(f *testing.F) {
	f.Add([]byte("patterns and requests come from these bytes, one choice a byte"))
	f.Fuzz(func(t *testing.T, data []byte) {
		comparePairs(t, &random.Bytes{Data: data}, 8, compareds{})
	})
}
