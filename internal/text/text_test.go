package text

import "testing"

func TestPrintable(t *testing.T) {
	for _, c := range []struct{ text, kept, want string }{
		{"", "", ""},
		{"GET /ä/{x}", "", "GET /ä/{x}"},
		{"a\tb\n", "", `a\tb\n`},
		{"a\tb\n", "\n\t", "a\tb\n"},
		{"\x1b[31m", "\n\t", `\x1b[31m`},
		{"a\u202eb", "", `a\u202eb`},
		{"\xff", "", `\xff`},
	} {
		if got := Printable(c.text, c.kept); got != c.want {
			t.Errorf("Printable(%q, %q) = %q, want %q", c.text, c.kept, got, c.want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"name", "name", 0}, {"nam", "name", 1}, {"muxwel", "muxwell", 1}, {"kitten", "sitting", 3}, {"ab", "ba", 2},
	} {
		if got, back := Distance(c.a, c.b), Distance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("Distance(%q, %q) = %d, and %d the other way, want %d", c.a, c.b, got, back, c.want)
		}
	}
}
