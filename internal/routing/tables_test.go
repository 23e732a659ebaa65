package routing

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/trie"
)

// TestHostTables: the tables of a host are found by any spelling, and no
// others by a spelling of any length.
func TestHostTables(t *testing.T) {
	entries := []*Entry{nil}
	for i, text := range []string{"Example.com/", "[::1]/", "h/", "a:80/", strings.Repeat("x", 200) + ".org/"} {
		p, err := pattern.Parse(text, pattern.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, &Entry{Path: trie.Path{Pattern: p, Index: int64(i), Number: uint32(i + 1)}, Matchers: new(matcher.Set)})
	}
	s := Build(Policy{}, List(entries))
	for _, row := range []struct{ host, want string }{
		{"example.com", "example.com"},
		{"EXAMPLE.COM.", "example.com"},
		{"::1", "::1"},
		{"[::1]", "::1"},
		{"[::1].", "::1"},
		{"h", "h"},
		{"H.", "h"},
		{"A.:80", "a:80"},
		{strings.Repeat("X", 200) + ".ORG.", strings.Repeat("x", 200) + ".org"},
		{"", ""},
		{"a", ""},
		{"example.com.x", ""},
		{"hh", ""},
		{strings.Repeat("X", 10_000), ""},
		{strings.Repeat("x", 10_000), ""},
		{"[h]", ""},
		{"h:80", ""},
	} {
		if got := s.host(row.host); got != s.hosts[row.want] || (got != nil) != (row.want != "") {
			t.Errorf("host %.40q: got %p, want %p, the tables of %.40q", row.host, got, s.hosts[row.want], row.want)
		}
	}
	if len(s.hosts) != 5 {
		t.Errorf("%d hosts have tables, want 5", len(s.hosts))
	}
}

// tablesOf returns tables of patterns, which have the numbers 1, 2, …; a pattern that
// ends with " +" requires the header X.
func tablesOf(t testing.TB, policy Policy, patterns ...string) *Tables {
	t.Helper()
	entries := []*Entry{nil}
	for i, text := range patterns {
		set := new(matcher.Set)
		text, required := strings.CutSuffix(text, " +")
		if required {
			if err := set.AddHeaders([]string{"X", ""}); err != nil {
				t.Fatal(err)
			}
		}
		p, err := pattern.Parse(text, pattern.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, &Entry{Path: trie.Path{Pattern: p, Index: int64(i), Number: uint32(i + 1)}, Matchers: set})
	}
	return Build(policy, List(entries))
}

// answerOf writes an answer in a line: number path, or status, location, pattern, methods.
func answerOf(a Answer) string {
	if a.Number != 0 {
		return fmt.Sprint(a.Number, " ", a.Path)
	}
	return strings.Join(strings.Fields(fmt.Sprint(a.Status, " ", a.Location, " ", a.Pattern, " ", a.Allow)), " ")
}

func TestResolve(t *testing.T) {
	for _, row := range []struct {
		name     string
		policy   Policy
		patterns []string
		requests map[string]string // METHOD target [X] → answer
	}{
		{"paths", Policy{}, []string{"/a", "GET /{x}", "/b/", "POST /{x}/c"}, map[string]string{
			"GET /a":       "1 /a",
			"POST /a":      "1 /a",
			"GET /z":       "2 /z",
			"HEAD /z":      "2 /z",
			"PUT /z":       "405 GET, HEAD",
			"GET /z/":      "404",
			"GET /b":       "2 /b",
			"POST /b":      "307 /b/ /b/",
			"GET /b/x":     "3 /b/x",
			"POST /q/c":    "4 /q/c",
			"GET /q/c":     "405 POST",
			"GET /q//c":    "307 /q/c",
			"POST /x/../a": "307 /a /a",
			"GET /%61":     "1 /%61",
			"GET /z%2Fz":   "2 /z%2Fz",
		}},
		{"strict", Policy{Slash: SlashStrict, Unclean: PathStrict}, []string{"/a", "/b/"}, map[string]string{
			"GET /b": "404", "GET /b/": "2 /b/", "GET /a/": "404", "GET //a": "404",
		}},
		{"ignore", Policy{Slash: SlashIgnore, Unclean: PathServe}, []string{"/a", "/b/{$}", "/c/{x...}"}, map[string]string{
			"GET /b": "2 /b/", "GET /a/": "1 /a", "GET /c//d": "3 /c//d", "GET //a": "404",
		}},
		{"fold", Policy{Fold: true}, []string{"/a/{x}"}, map[string]string{"GET /A/B": "1 /A/B"}},
		{"options", Policy{Options: true}, []string{"GET /a", "PUT /a"}, map[string]string{"OPTIONS /a": "204 GET, HEAD, OPTIONS, PUT", "OPTIONS /b": "404", "POST /a": "405 GET, HEAD, OPTIONS, PUT"}},
		{"matchers", Policy{}, []string{"/a +", "GET /a", "/{x} +", "POST /{x}"}, map[string]string{
			"GET /a X":  "2 /a", // its method is named
			"PUT /a X":  "1 /a",
			"GET /a":    "2 /a",
			"PUT /a":    "404",
			"POST /b":   "4 /b",
			"POST /b X": "4 /b",
			"GET /b X":  "3 /b",
			"GET /b":    "404",
			"POST /a":   "4 /a",
		}},
	} {
		tables := tablesOf(t, row.policy, row.patterns...)
		for request, want := range row.requests {
			method, target, _ := strings.Cut(request, " ")
			target, x := strings.CutSuffix(target, " X")
			r := httptest.NewRequest(method, "http://h"+target, nil)
			if x {
				r.Header.Set("X", "1")
			}
			got := answerOf(tables.Resolve(r, matcher.State{}))
			if got != want {
				t.Errorf("%s: %s: %s, want %s", row.name, request, got, want)
			}
			// The fast path says the same, or nothing.
			if r.URL.RawPath != "" {
				continue
			}
			number, _ := tables.Find(r)
			switch {
			case number == trie.Undecided:
			case number == 0:
				if a, ok := tables.Missed(r); ok && answerOf(a) != got {
					t.Errorf("%s: %s: Missed has %s, want %s", row.name, request, answerOf(a), got)
				}
			case number&trie.Conditional != 0:
				if number = tables.Choose(r, number, new(matcher.State)); number != 0 && fmt.Sprint(number, " ", r.URL.Path) != got {
					t.Errorf("%s: %s: Choose has %d, want %s", row.name, request, number, got)
				}
			case fmt.Sprint(number, " ", r.URL.Path) != got:
				t.Errorf("%s: %s: Find has %d, want %s", row.name, request, number, got)
			}
		}
	}
}
