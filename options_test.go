package muxwell

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/tests/long"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
	"github.com/muxwell/muxwell/internal/tests/random"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// naiveAnswer returns the line of a mux's answer from what its options mean,
// with the naive matcher.
func naiveAnswer(routes []*Route, c config, r *http.Request) string {
	sent, connect := r.URL.EscapedPath(), r.Method == "CONNECT"
	path, clean := sent, urlpath.Clean(sent)
	host, redirectHost := hostname.Fold(hostname.StripPort(r.Host)), hostname.Fold(hostname.StripPort(r.Host))
	if connect {
		host, redirectHost = hostname.Fold(r.Host), hostname.Fold(r.URL.Host)
	}
	switch {
	case sent != clean && !connect && c.unclean == PathStrict, (sent == "" || sent[0] != '/') && (connect || c.unclean == PathServe):
		return "404"
	case !connect && c.unclean == PathRedirect:
		path = clean
	}
	other := "" // the other spelling of the path's end, if it may be taken
	switch bare, slash := strings.CutSuffix(path, "/"); {
	case c.slash == SlashStrict || path != clean && !connect || path == "/":
	case !slash:
		other = path + "/"
	case c.slash == SlashIgnore:
		other = bare
	}
	exactly := func(host, path string) (*Route, []string) {
		if rt, values := naiveMatch(routes, r.Method, host, path); rt != nil && naiveExact(rt, path) {
			return rt, values
		}
		return nil, nil
	}
	rt, values := naiveMatch(routes, r.Method, host, path)
	if redirected, _ := exactly(redirectHost, path); redirected == nil && c.slash == SlashRedirect && other != "" {
		if rt, _ := exactly(redirectHost, other); rt != nil && connect {
			return "307 " + strings.TrimSuffix(clean, "/") + "/ " + urlpath.Clean(r.URL.Path) + "/"
		} else if rt != nil {
			return "307 " + other + " " + rt.pattern.Text
		}
	}
	if same, _ := exactly(host, path); same == nil && c.slash == SlashIgnore && other != "" {
		if o, vals := exactly(host, other); o != nil {
			rt, values = o, vals
		}
	}
	switch {
	case path != sent && rt != nil:
		return "307 " + path + " " + rt.pattern.Text
	case path != sent:
		return "307 " + path
	case rt != nil:
		line := "200 " + rt.pattern.Text
		for i, name := range rt.ParamNames() {
			line += " " + name + "=" + values[i]
		}
		return line
	}
	allowed := make(map[string]bool)
	for _, rt := range routes {
		if rt.pattern.Host != "" && rt.pattern.Host != redirectHost {
			continue
		}
		for _, path := range []string{path, other} {
			if _, ok := naivePath(rt.pattern.Segments, strings.Split(path, "/")[1:], connect); path != "" && ok {
				for _, m := range rt.pattern.Methods {
					allowed[m] = true
					allowed["HEAD"] = allowed["HEAD"] || m == "GET"
				}
			}
		}
	}
	maps.DeleteFunc(allowed, func(_ string, yes bool) bool { return !yes })
	if len(allowed) == 0 {
		return "404"
	}
	status := "405 "
	if c.autoOptions {
		allowed["OPTIONS"] = true
		if r.Method == "OPTIONS" {
			status = "204 "
		}
	}
	return status + strings.Join(slices.Sorted(maps.Keys(allowed)), ", ")
}

// TestGeneratedPolicies compares random muxes with naiveAnswer, under all
// options.
func TestGeneratedPolicies(t *testing.T) {
	counts, seeds := make(map[string]int), uint64(long.Rounds(t, "muxes", 60, 150, 300))
	fewest := int(seeds) * 2 / 3
	for seed := uint64(1); seed <= seeds; seed++ {
		src := rand.New(rand.NewPCG(seed, 11))
		c := config{slash: slashPolicies[src.IntN(3)], unclean: pathPolicies[src.IntN(3)], autoOptions: src.IntN(2) == 0}
		m := New()
		m.config = c
		for range 1 + src.IntN(14) {
			pattern := genPattern(src, []string{"", "", "GET", "GET", "POST", "PUT,HEAD", "CONNECT", "OPTIONS"}, []string{"", "", "", "h", "H:80"})
			if c.unclean == PathServe && src.IntN(4) == 0 {
				pattern = strings.Replace(pattern, "/", random.Pick(src, "//", "/../", "/./", "/a//"), 1)
			}
			muxtest.TellValues(m, pattern) // or it is a duplicate
		}
		for range 120 {
			r := genRequest(src, []string{"GET", "GET", "GET", "HEAD", "POST", "PUT", "CONNECT", "OPTIONS"}, []string{"", "h", "H.", "h:80", "g"})
			if r == nil {
				continue
			}
			r.URL.RawQuery = "" // its way into a Location has tests of its own
			want := naiveAnswer(m.routes, c, r)
			got := answerLine(t, m, r)
			if unescaped, err := url.PathUnescape(want); got != want && (err != nil || got != unescaped || !strings.HasPrefix(got, "307")) {
				t.Fatalf("%s %s (host %q, URL host %q), %+v: got %s, want %s\nroutes: %v", r.Method, r.RequestURI, r.Host, r.URL.Host, c, got, want, m.routes)
			}
			counts[got[:3]]++
		}
		if t.Failed() {
			t.Fatalf("routes: %v, %+v", m.routes, c)
		}
	}
	for _, status := range []string{"200", "204", "307", "404", "405"} {
		if counts[status] < fewest {
			t.Errorf("only %d answers with status %s", counts[status], status)
		}
	}
	t.Logf("answers by status: %v", counts)
}

var (
	slashPolicies = []SlashPolicy{SlashRedirect, SlashStrict, SlashIgnore}
	pathPolicies  = []PathPolicy{PathRedirect, PathStrict, PathServe}
)
