package load

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf8"
)

// Texts returns n distinct texts of size Unicode characters each. They have sentences of six
// to fifteen words. The words are from the vocabulary of one subject and from the general
// vocabulary, in a proportion that differs from text to text, and so does the similarity of
// texts. The first texts are the same whatever n is.
//
// It panics if there are not that many texts, which happens for sizes of a few characters.
func Texts(kind Kind, n, size int, seed uint64) []string {
	texts := make([]string, 0, n)
	known := make(map[string]bool, n)
	rng := rand.New(rand.NewPCG(seed, uint64(kind)))
	for failed := 0; len(texts) < n; {
		t := text(rng, kind, size)
		if known[t] {
			if failed++; failed > 1000 {
				panic(fmt.Sprintf("load: cannot find %d distinct texts of %d characters; use longer texts", n, size))
			}
			continue
		}
		known[t] = true
		texts, failed = append(texts, t), 0
	}
	return texts
}

// text returns a text of size characters. It is cut off at the end, which is a period.
func text(rng *rand.Rand, kind Kind, size int) string {
	if size <= 0 {
		return ""
	}
	w := writer{rng: rng, kind: kind, subject: 1 + rng.IntN(subjects), general: rng.IntN(101)}
	for w.runes < size {
		w.sentence()
	}
	return prefix(w.text.String(), size-1) + "."
}

// prefix returns the first n characters of s, which must have at least n.
func prefix(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// A writer writes one text.
type writer struct {
	rng     *rand.Rand
	kind    Kind
	subject int
	general int // how many of a hundred words are of the language in general
	text    strings.Builder
	runes   int
}

// sentence writes a sentence and the white space after it.
func (w *writer) sentence() {
	for i := range 6 + w.rng.IntN(10) {
		if i > 0 {
			w.write(w.space())
		}
		word := w.word()
		if i == 0 {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		if w.kind == Messy {
			word = w.mess(word)
		}
		w.write(word)
	}
	w.write("." + w.space())
}

// word draws a word.
func (w *writer) word() string {
	subject := w.subject
	if w.rng.IntN(100) < w.general {
		subject = 0
	}
	return words().draw(w.rng, subject)
}

// space returns the white space between two words.
func (w *writer) space() string {
	if w.kind == Messy && w.rng.IntN(8) == 0 {
		return pick(w.rng, messySpaces)
	}
	return " "
}

func (w *writer) write(s string) {
	w.text.WriteString(s)
	w.runes += utf8.RuneCountInString(s)
}
