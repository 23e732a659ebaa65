package overlap_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/muxwell/muxwell/internal/overlap"
	"github.com/muxwell/muxwell/internal/pattern"
)

// TestIndex: of the segments of a pattern, the one under which the fewest are filed gives
// the candidates. A value that was removed leaves nothing behind.
func TestIndex(t *testing.T) {
	parsed := func(text string) *pattern.Pattern {
		p, err := pattern.Parse(text, pattern.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	texts := []string{"/a/b", "/a/{x}", "/{x}/b", "/c/d", "/a/{x...}", "/{x...}/b", "/a/{$}", "h/a/b"}
	var x overlap.Index[string]
	for _, text := range texts {
		x.Add(parsed(text), text)
	}
	for pattern, want := range map[string][]string{
		"/a/b":        {"/a/b", "/{x}/b", "/a/{x}", "/a/{x...}", "/{x...}/b"},
		"/c/{x}":      {"/c/d", "/{x}/b", "/a/{x...}", "/{x...}/b"},
		"/{y}/{$}":    {"/a/{$}", "/a/{x}", "/a/{x...}", "/{x...}/b"},
		"/{y}/{z}":    texts[:7],
		"/{y...}":     texts[:7],
		"/a/{y...}/b": {"/a/b", "/a/{x}", "/a/{$}", "/{x}/b", "/a/{x...}", "/{x...}/b"},
		"h/{y}":       {"h/a/b"},
		"g/a/b":       nil,
	} {
		if got := slices.Collect(x.Candidates(parsed(pattern))); !slices.Equal(got, want) {
			t.Errorf("candidates for %s: got %q, want %q", pattern, got, want)
		}
	}

	for kept := range texts {
		var all, rest overlap.Index[string]
		for _, text := range texts {
			all.Add(parsed(text), text)
		}
		for i, text := range texts {
			if i != kept {
				all.Remove(parsed(text), text)
			}
		}
		if rest.Add(parsed(texts[kept]), texts[kept]); fmt.Sprint(all) != fmt.Sprint(rest) {
			t.Errorf("%s is left: got %v, want %v", texts[kept], all, rest)
		}
	}
}
