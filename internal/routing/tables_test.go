package routing

import (
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
	s := Build(Policy{}, entries)
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
