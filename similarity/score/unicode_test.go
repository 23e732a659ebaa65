package score

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// TestWordTables compares the characters of words with those of other implementations of
// \w, for all characters that this version of Go knows.
func TestWordTables(t *testing.T) {
	known := []*unicode.RangeTable{
		unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Co,
	}
	for _, file := range []string{"python.txt", "rust.txt"} {
		theirs := readRanges(t, "testdata/words/"+file)
		n := 0
		for r := rune(0); r <= unicode.MaxRune; r++ {
			if !unicode.In(r, known...) {
				continue
			}
			n++
			if ours := unicode.In(r, wordTables...); ours != theirs[r] {
				t.Errorf("%s: %U is of a word: %t, want %t", file, r, ours, theirs[r])
			}
			if r == '_' || unicode.IsSpace(r) {
				continue
			}
			want := rune(0)
			if theirs[r] {
				want = unicode.ToLower(r)
			}
			if got := rune(classes().of(r) & character); got != want {
				t.Errorf("%U becomes %U, want %U", r, got, want)
			}
		}
		if n < 200_000 {
			t.Errorf("only %d characters", n)
		}
	}
}

// readRanges returns the characters of a file with ranges such as 30-39.
func readRanges(t *testing.T, name string) map[rune]bool {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := make(map[rune]bool)
	for s := bufio.NewScanner(f); s.Scan(); {
		var from, to rune
		if strings.HasPrefix(s.Text(), "#") {
			continue
		}
		if _, err := fmt.Sscanf(s.Text(), "%X-%X", &from, &to); err != nil {
			t.Fatalf("%s: %q: %v", name, s.Text(), err)
		}
		for r := from; r <= to; r++ {
			in[r] = true
		}
	}
	return in
}

// TestHint has texts without words.
func TestHint(t *testing.T) {
	const none = "neither text has a word"
	for _, c := range []struct {
		text1, text2 string
		words        Words
		want         string
	}{
		{"a", "a", ASCII, ""},
		{"", "a", ASCII, ""},
		{"", "", ASCII, none},
		{"!", " ", Unicode, none},
		{"привет", "мир", ASCII, none + " of ASCII letters and digits; words=unicode finds some"},
		{"!", "мир", ASCII, none + " of ASCII letters and digits; words=unicode finds some"},
		{"привет", "мир", Unicode, ""},
		{"…", "—", Bigrams, none},
	} {
		r := Compare([]byte(c.text1), []byte(c.text2), c.words)
		if r.Hint != c.want {
			t.Errorf("%q, %q, %v: hint %q, want %q", c.text1, c.text2, c.words, r.Hint, c.want)
		}
	}
	got, _ := AppendAnswer(nil, []byte(`{"text1":"","text2":""}`), ASCII)
	if want := `{"similarity":1,"interpretation":"Highly Similar","hint":"neither text has a word"}`; string(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestParseWords parses what String returns.
func TestParseWords(t *testing.T) {
	for _, w := range []Words{ASCII, Unicode, Bigrams} {
		if got, err := ParseWords(w.String()); got != w || err != nil {
			t.Errorf("%v: %v, %v", w, got, err)
		}
	}
	if _, err := ParseWords("Unicode"); err == nil {
		t.Error("an unknown name is accepted")
	}
}

// FuzzUnicodeText compares unicodeText with a naive version.
func FuzzUnicodeText(f *testing.F) {
	for _, text := range []string{
		"", "Ünder_der\u3000X!", "der u\u0308ber u\u0308ber", "über straße ﬁ e\u0301", "\u0301a", "a\u0327\u0301 \u0301\u0327",
		"\u1112\u1161\u11ab \u1112\u1161", "한\u11ab", "x" + strings.Repeat("\u0301", 70), "\u0958 \U0001d15e \u212b é\u0323", "\u0f71\u0f72 \u0f73",
	} {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, text1, text2 string) {
		var c counter
		for _, text := range []string{text1, text2, text1 + " " + text2, text1 + text2} {
			text = strings.ToValidUTF8(text, "")
			want := strings.Map(func(r rune) rune {
				switch {
				case unicode.IsSpace(r):
					return ' '
				case r == '_':
					return underscore
				case unicode.In(r, wordTables...):
					return unicode.ToLower(r)
				}
				return -1
			}, norm.NFC.String(text))
			if got := c.unicodeText([]byte(text)); string(got) != want {
				t.Fatalf("%+q: %+q, want %+q", text, got, want)
			}
		}
	})
}

// BenchmarkUnicode compares texts of 10,000 characters with letters of one language.
func BenchmarkUnicode(b *testing.B) {
	for _, text := range []struct{ language, words string }{
		{"german", "und der die das über für nicht Straße können größer werden Änderung müssen heißt"},
		{"russian", "и в не на что он как это по но они также можно пользователь файл система"},
		{"japanese", "日本語の文章は単語の間に空白がない。 コンピューターで比べる ファイルを開く 東京都"},
		{"vietnamese-decomposed", norm.NFD.String("không được người những trong cũng một của và là có thể này như để với các")},
		{"korean-decomposed", norm.NFD.String("그리고 사람이 있는 것을 하지만 우리는 대한민국 서울 컴퓨터 프로그램 문자 비교")},
		{"hindi", "और में है के लिए यह नहीं कि फ़ाइल प्रणाली उपयोगकर्ता कार्यक्रम विकल्प"},
	} {
		rng, all := rand.New(rand.NewPCG(1, 2)), strings.Fields(text.words)
		var texts [2][]byte
		for i := range texts {
			for n := 0; n < 10_000; n += utf8.RuneCountInString(all[0]) + 1 {
				rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
				texts[i] = append(append(texts[i], all[0]...), ' ')
			}
		}
		for words, name := range wordNames {
			b.Run(fmt.Sprintf("language=%s/words=%s", text.language, name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					Compare(texts[0], texts[1], Words(words))
				}
			})
		}
	}
}
