package pattern

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/hostname"
)

// TestMatchesPlain: MatchesPlain is Matches for plain hosts, and OneValue returns what
// that sets.
func TestMatchesPlain(t *testing.T) {
	src := rand.New(rand.NewPCG(1, 3))
	label := func(texts ...string) string { return texts[src.IntN(len(texts))] }
	matched := 0
	for range 20_000 {
		var labels, host []string
		for i := range 1 + src.IntN(3) {
			labels = append(labels, label("a", "bc", "{p"+string(rune('0'+i))+"}", "x-{q"+string(rune('0'+i))+"}", "{n"+string(rune('0'+i))+":int}"))
		}
		for range 1 + src.IntN(3) {
			host = append(host, label("a", "bc", "x-1", "17", ""))
		}
		if src.IntN(4) == 0 {
			labels[0] = label("*", "{all...}")
		}
		text := strings.Join(labels, ".") + label("", "", ":80")
		p, err := Parse(text+"/", Rules{})
		h := strings.Join(host, ".")
		if err != nil || p.HostPattern() == nil || !hostname.IsPlain(h) {
			continue
		}
		f := p.HostPattern()
		want := f.Matches(h, nil)
		if got := f.MatchesPlain(h); got != want {
			t.Fatalf("%s: MatchesPlain(%q) = %t, want %t", text, h, got, want)
		}
		if !want {
			continue
		}
		matched++
		vals := make([]string, f.Names)
		f.Matches(h, vals)
		if got, ok := f.OneValue(h); ok && (len(vals) > 1 || len(vals) == 1 && got != vals[0]) {
			t.Fatalf("%s: OneValue(%q) = %q, want one of %q", text, h, got, vals)
		}
	}
	if matched < 100 {
		t.Errorf("only %d hosts matched", matched)
	}
}
