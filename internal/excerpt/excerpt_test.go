package excerpt

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestAbridge: a text that is cut is cut between characters.
func TestAbridge(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"", ""},
		{strings.Repeat("a", 200), strings.Repeat("a", 200)},
		{strings.Repeat("a", 201), strings.Repeat("a", 200) + "…"},
		{strings.Repeat("é", 101), strings.Repeat("é", 100) + "…"},
		{"/" + strings.Repeat("é", 101), "/" + strings.Repeat("é", 99) + "…"},
	} {
		if got := Abridge(row.text); got != row.want {
			t.Errorf("Abridge of %d bytes: got %q, want %q", len(row.text), got, row.want)
		}
	}
}

// TestCaret: the mark is below the character at the offset, and what does not print
// is escaped.
func TestCaret(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, row := range []struct {
		text   string
		offset int
		want   string
	}{
		{"/a/{x", 3, "\t/a/{x\n\t   ^"},
		{"", 0, "\t\n\t^"},
		{"/é/\x00b", 4, "\t/é/\\x00b\n\t   ^"},
		{`/"a`, 2, "\t/\"a\n\t  ^"},
		{long, 60, "\t…" + long[:90] + "\n\t" + strings.Repeat(" ", 51) + "^"},
		{long, 10, "\t" + long[:60] + "…\n\t" + strings.Repeat(" ", 10) + "^"},
	} {
		if got := Caret(row.text, row.offset); got != row.want {
			t.Errorf("Caret(%q, %d):\n%s\nwant\n%s", row.text, row.offset, got, row.want)
		}
	}
}

// FuzzCaret: a text of any length and any bytes is shown in a short line, with the
// mark within it or right after it.
func FuzzCaret(f *testing.F) {
	f.Add("/a/{x", 3)
	f.Add("\xff\xc3é", 1)
	f.Fuzz(func(t *testing.T, text string, offset int) {
		if offset < 0 || offset > len(text) {
			return
		}
		shown, mark, ok := strings.Cut(Caret(text, offset), "\n")
		if !ok || len(shown) > 600 || !strings.HasSuffix(mark, "^") || strings.Trim(mark, "\t ^") != "" {
			t.Fatalf("Caret(%q, %d): got %q and %q", text, offset, shown, mark)
		}
		if utf8.RuneCountInString(mark) > utf8.RuneCountInString(shown)+1 {
			t.Errorf("Caret(%q, %d): the mark is beyond the text: %q, %q", text, offset, shown, mark)
		}
	})
}
