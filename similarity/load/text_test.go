package load

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var kinds = []Kind{Plain, Messy}

// TestTextsAreDistinctAndOfTheirSize counts characters and compares the texts.
func TestTextsAreDistinctAndOfTheirSize(t *testing.T) {
	for _, kind := range kinds {
		for _, c := range []struct{ n, size int }{{0, 10}, {1, 0}, {1, 1}, {5, 7}, {300, 100}, {TextCount, TextSize}} {
			texts := Texts(kind, c.n, c.size, 7)
			known := map[string]bool{}
			for i, text := range texts {
				if got := utf8.RuneCountInString(text); got != c.size || !utf8.ValidString(text) {
					t.Errorf("%v: text %d of %d has %d characters, want %d, valid UTF-8: %.80q", kind, i, c.n, got, c.size, text)
				}
				known[text] = true
			}
			if len(texts) != c.n || len(known) != c.n {
				t.Errorf("%v: %d texts, %d distinct ones, want %d", kind, len(texts), len(known), c.n)
			}
		}
	}
}

// TestTextsDependOnKindAndSeedOnly: fewer texts are the first ones of more, and another
// seed has others. The digests hold the data still, so that figures of different days
// are about the same texts.
func TestTextsDependOnKindAndSeedOnly(t *testing.T) {
	for _, kind := range kinds {
		few, many := Texts(kind, 10, 500, 1), Texts(kind, 20, 500, 1)
		for i := range few {
			if few[i] != many[i] {
				t.Errorf("%v: text %d differs between 10 and 20 texts", kind, i)
			}
		}
		if few[0] == Texts(kind, 1, 500, 2)[0] {
			t.Errorf("%v: seeds 1 and 2 have the same text", kind)
		}
		want := map[Kind]string{Plain: "f760f40bea869b16", Messy: "2248d75de7cf2a04"}[kind]
		sum := sha256.Sum256([]byte(strings.Join(Texts(kind, 100, 1000, 1), "\x00")))
		if got := hex.EncodeToString(sum[:8]); got != want {
			t.Errorf("%v: the digest is %s, want %s; figures taken before are about other texts", kind, got, want)
		}
	}
}

// TestPlainTexts: words and full stops, as long as English ones, and few of them make
// up much of a text.
func TestPlainTexts(t *testing.T) {
	shape := regexp.MustCompile(`^([A-Z][a-z]*( [a-z]+){5,14}\. )*([A-Z][a-z]*)?( [a-z]*)*\.{1,2}$`)
	counts := map[string]int{}
	letters, all := 0, 0
	for i, text := range Texts(Plain, 200, TextSize, 1) {
		if !shape.MatchString(text) {
			t.Errorf("text %d is not made of sentences of words: %.200q", i, text)
		}
		for _, w := range strings.Fields(strings.ToLower(strings.ReplaceAll(text, ".", ""))) {
			counts[w]++
			letters += len(w)
			all++
		}
	}
	if mean := float64(letters) / float64(all); mean < 4.5 || mean > 5.5 {
		t.Errorf("a word has %.2f letters on average, want about 5", mean)
	}
	if share := float64(counts["the"]) / float64(all); share < 0.03 || share > 0.12 {
		t.Errorf("%.1f %% of all words are %q, want some", 100*share, "the")
	}
	if len(counts) < vocabularySize*9/10 {
		t.Errorf("%d different words, want nearly all %d", len(counts), vocabularySize)
	}
}

// TestMessyTexts: any ten texts of the load test have everything that messy texts
// promise.
func TestMessyTexts(t *testing.T) {
	for i, ten := range slices.Collect(slices.Chunk(Texts(Messy, 300, TextSize, 1), 10)) {
		text := strings.Join(ten, " ")
		for name, pattern := range map[string]*regexp.Regexp{
			"an apostrophe in a word":      regexp.MustCompile(`[a-z]'[a-z]`),
			"a quoted word":                regexp.MustCompile(`"[A-Za-z]+"`),
			"a backslash":                  regexp.MustCompile(`\\`),
			"a digit":                      regexp.MustCompile(`[0-9]`),
			"a tab":                        regexp.MustCompile(`\t`),
			"a line break":                 regexp.MustCompile(`\n`),
			"a line break of two":          regexp.MustCompile(`\r\n`),
			"two blanks":                   regexp.MustCompile(`  `),
			"a character of two bytes":     regexp.MustCompile(`[\x{80}-\x{7ff}]`),
			"a character of three bytes":   regexp.MustCompile(`[\x{800}-\x{ffff}]`),
			"a character of four bytes":    regexp.MustCompile(`[\x{10000}-\x{10ffff}]`),
			"a Kelvin sign":                regexp.MustCompile("\u212a"),
			"a capital I with a dot":       regexp.MustCompile("\u0130"),
			"ASCII punctuation everywhere": regexp.MustCompile(`(?s),.*;.*:.*!.*\?`),
		} {
			if !pattern.MatchString(text) {
				t.Errorf("the texts from %d on have not %s", 10*i, name)
			}
		}
	}
}

// TestTooManyTexts: what cannot be is refused, not searched for forever.
func TestTooManyTexts(t *testing.T) {
	defer func() {
		if s, _ := recover().(string); !strings.Contains(s, "use longer texts") {
			t.Errorf("it panics with %q", s)
		}
	}()
	Texts(Plain, 2, 1, 1)
	t.Error("there are two texts of one character")
}

// TestKinds: names lead to kinds and back.
func TestKinds(t *testing.T) {
	for _, kind := range kinds {
		if got, err := ParseKind(kind.String()); got != kind || err != nil {
			t.Errorf("ParseKind(%q) = %v, %v, want %v", kind, got, err, kind)
		}
	}
	if _, err := ParseKind("Plain"); err == nil || !strings.Contains(err.Error(), "must be plain or messy") {
		t.Errorf("ParseKind(%q): the error is %v", "Plain", err)
	}
	if got := Kind(9).String(); got != "Kind(9)" {
		t.Errorf("Kind(9).String() = %q", got)
	}
}
