package hostname

import (
	"math/rand/v2"
	"net"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/tests/random"
)

// hostTexts are parts that Host headers are made of.
var hostTexts = []string{"h", "H", "example.com", "abcdefgh", "abcdefg-hijklmno", ".", "..", ":", "@", "Z", "{", "9", ":", "80", "[", "]", "::1", "[::1]", "[fe80::1%25en0]", "%", " ", "é", "\x00", "/", "x:y"}

func checkHost(t *testing.T, h string) {
	t.Helper()
	want, _, err := net.SplitHostPort(h)
	got, ok := SplitPort(h)
	if ok != (err == nil) || ok && got != want {
		t.Fatalf("splitPort(%q): got %q, %v, want %q, error %v", h, got, ok, want, err)
	}
	if err != nil {
		want = h
	}
	if got := StripPort(h); got != want {
		t.Fatalf("stripPort(%q): got %q, want %q", h, got, want)
	}
	plain := h != "" && h[len(h)-1] != '.' && strings.IndexFunc(h, func(r rune) bool { return r >= ':' && r <= '[' || r > 0x7f }) < 0
	if IsPlain(h) != plain || plain && (string(AppendFolded(nil, h)) != h || StripPort(h) != h) {
		t.Fatalf("IsPlain(%q) = %t, want %t; folded it is %q, without port %q", h, IsPlain(h), plain, AppendFolded(nil, h), StripPort(h))
	}
	folded := Fold(h)
	if folded != string(AppendFolded(nil, h)) || !NeedsFolding(h) && folded != h {
		t.Fatalf("foldHost(%q): got %q, appendFolded %q", h, folded, AppendFolded(nil, h))
	}
	if len(folded) < len(h)-3 || len(folded) > len(h) || strings.ContainsAny(StripPort(folded), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		t.Fatalf("foldHost(%q): got %q", h, folded)
	}
	// Folding is done once it is done, but for what no host has: several
	// final dots or brackets.
	if odd := strings.Contains(h, "..") || strings.Contains(h, "[[") || strings.Contains(h, "].") || strings.Contains(h, ".]"); !odd && Fold(folded) != folded {
		t.Fatalf("foldHost(%q): got %q, and of that %q", h, folded, Fold(folded))
	}
}

func TestHosts(t *testing.T) {
	src := rand.New(rand.NewPCG(5, 8))
	for range 50_000 {
		var b strings.Builder
		for range src.IntN(6) {
			b.WriteString(random.Pick(src, hostTexts...))
		}
		checkHost(t, b.String())
	}
	for _, row := range []struct{ host, folded, stripped string }{
		{"", "", ""},
		{"h", "h", "h"},
		{"H", "h", "H"},
		{"h.", "h", "h."},
		{".", ".", "."},
		{"h:80", "h:80", "h"},
		{"H.:80", "h:80", "H."},
		{"h:", "h:", "h"},
		{":80", ":80", ""},
		{"[::1]", "::1", "[::1]"},
		{"[::1]:80", "[::1]:80", "::1"},
		{"::1", "::1", "::1"},
		{"[::A].", "::a", "[::A]."},
		{"[h]", "[h]", "[h]"},
		{"[h]:80", "[h]:80", "h"},
		{"a:b:c", "a:b:c", "a:b:c"},
		{"É", "É", "É"},
	} {
		if folded, stripped := Fold(row.host), StripPort(row.host); folded != row.folded || stripped != row.stripped {
			t.Errorf("%q: got folded %q, without port %q, want %q, %q", row.host, folded, stripped, row.folded, row.stripped)
		}
	}
}

func FuzzFold(f *testing.F) {
	for _, h := range append(hostTexts, "example.com:80", "[::1]:80", "EXAMPLE.com.:80", "[a[b]:80", "a:8]0", "[::1]x:80", "[::a-b].h", "[[::1]]", "a.b.c.h.", "..h") {
		f.Add(h)
	}
	f.Fuzz(checkHost)
}
