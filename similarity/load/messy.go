package load

import "strconv"

// What messy texts have besides words.
var (
	messySpaces = []string{"  ", "   ", "\t", "\n", "\r\n", "\n\n", " \t ", "\f", "\u00a0", "\u2003", "\v"}

	// Around words and inside them.
	messyPairs  = [][2]string{{`"`, `"`}, {"'", "'"}, {"(", ")"}, {"[", "]"}, {"{", "}"}, {"<", ">"}, {"\u201c", "\u201d"}, {"\u00ab", "\u00bb"}, {"*", "*"}, {"`", "`"}}
	messyEnds   = []string{",", ";", ":", "!", "?", "...", "\u2026", "!?", "%", "/", `\`, "\u2014", "\u00b2"}
	messyInside = []string{"'", "-", "_", ".", "/", `\`, "&", "@", "#", "+", "=", "|", "~", "^", "$", "\u2019", "\u00ad", "\b", "\x01", "\x7f", "\u0301", "0"}

	// In place of words, of two to four bytes a character. U+212A and U+0130 are the
	// two characters whose small letters are of ASCII.
	messyWords = []string{
		"caf\u00e9", "na\u00efve", "\u017dlu\u0165ou\u010dk\u00fd", "\u0441\u043b\u043e\u0432\u043e", "\u03bb\u03cc\u03b3\u03bf\u03c2", "\u8a00\u8449", "\u0b95\u0bb2\u0bcd", "\u20ac",
		"\U0001f600", "\U0001d4d0\U0001d4d1", "\U00010348", "\u212aelvin", "30\u212a", "\u0130stanbul", "D\u0130G\u0130T", "\u0661\u0662\u0663", "\u2028", "\ufffd",
	}
)

// mess makes one word in five messy.
func (w *writer) mess(word string) string {
	if w.rng.IntN(5) > 0 {
		return word
	}
	switch w.rng.IntN(6) {
	case 0:
		around := messyPairs[w.rng.IntN(len(messyPairs))]
		return around[0] + word + around[1]
	case 1:
		return word + pick(w.rng, messyEnds)
	case 2:
		at := 1 + w.rng.IntN(len(word))
		return word[:at] + pick(w.rng, messyInside) + word[at:]
	case 3:
		return pick(w.rng, messyWords)
	case 4:
		return strconv.Itoa(w.rng.IntN(1 << (1 + w.rng.IntN(20))))
	}
	return word + pick(w.rng, messyInside) + w.word() + pick(w.rng, messyEnds)
}
