package score

import (
	"errors"
	"slices"
	"strconv"
	"sync"
	"unicode"
)

// Words is the kind of words.
type Words uint8

const (
	// ASCII words are of [0-9A-Za-z_].
	ASCII Words = iota
	// Unicode words are of the characters of \w in UTS #18, annex C: letters, marks, digits,
	// connector punctuation such as _, and join controls. Texts are compared in Normalization
	// Form C. A text without spaces is one word.
	Unicode
	// Bigrams are Unicode words, but in Chinese, Japanese, Thai, Lao, Khmer and Burmese, which
	// have no spaces between words, every two successive characters are a word.
	Bigrams
)

// wordNames are the names of the kinds of words.
var wordNames = [...]string{"ascii", "unicode", "bigrams"}

// String returns the name: ascii, unicode or bigrams.
func (w Words) String() string { return wordNames[w] }

// ParseWords returns the kind of words with a name.
func ParseWords(name string) (Words, error) {
	i := slices.Index(wordNames[:], name)
	if i < 0 {
		return 0, errors.New("must be ascii, unicode or bigrams")
	}
	return Words(i), nil
}

// A Result is the similarity of two texts.
type Result struct {
	// Thousandths is the similarity from 0 to 1000, rounded.
	Thousandths int
	// Hint is not empty if neither text has a word, which makes them equal. It says so, and
	// which kind of words they have.
	Hint string
}

// Similarity returns the similarity, from 0 to 1.
func (r Result) Similarity() float64 { return float64(r.Thousandths) / 1000 }

// Interpretation returns the interpretation of the similarity: Dissimilar up to 0.2,
// Slightly Similar up to 0.4, Moderately Similar up to 0.6, Quite Similar up to 0.8, and
// Highly Similar above.
func (r Result) Interpretation() string { return interpretation(r.Thousandths) }

// Compare returns the similarity of two texts, which must be UTF-8 and at most 64 MiB long.
// It allocates only if its working memory must grow. It is safe for concurrent use.
func Compare(text1, text2 []byte, words Words) Result {
	c := counters.Get().(*counter)
	defer c.release()
	c.reset(len(text1) + len(text2))
	c.take(text1, words, 0)
	c.take(text2, words, 1)
	s := c.sums()
	r := Result{Thousandths: s.thousandths()}
	if len(c.words) == 2 && c.words[1].key == [2]uint64{} { // the empty word
		r.Hint = hints[max(hintOf(words, text1), hintOf(words, text2))]
	}
	return r
}

// hints are what [hintOf] returns the index of. With two texts, the greater one applies.
var hints = [...]string{
	"",
	"neither text has a word",
	"neither text has a word of ASCII letters and digits; words=unicode finds some",
}

// hintOf returns the index of the hint for a text without words.
func hintOf(words Words, text []byte) byte {
	if words == ASCII {
		for _, r := range string(text) {
			if unicode.In(r, wordTables...) {
				return 2
			}
		}
	}
	return 1
}

var counters = sync.Pool{New: func() any { return new(counter) }}

// The limits of the memory that a counter keeps in the pool.
const (
	maxKeptText  = 1 << 20 // of a text, or of long words
	maxKeptWords = 1 << 16
)

// release returns the counter to the pool, unless it has grown large.
func (c *counter) release() {
	if max(cap(c.text), cap(c.normal), cap(c.piece), cap(c.long)) <= maxKeptText && cap(c.words) <= maxKeptWords {
		counters.Put(c)
	}
}

// AppendAnswer appends the answer to a request to dst, as JSON:
//
//	{"similarity":0.519,"interpretation":"Moderately Similar"}
//
// A third key, hint, is added if the result has one.
//
// The error is that of [Scan]. Like Scan, it changes body.
func AppendAnswer(dst, body []byte, words Words) ([]byte, error) {
	r, err := Scan(body)
	if err != nil {
		return dst, err
	}
	return Compare(r.Text1, r.Text2, words).AppendJSON(dst), nil
}

// AppendJSON appends the result as JSON to dst.
func (r Result) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"similarity":`...)
	dst = strconv.AppendFloat(dst, r.Similarity(), 'f', -1, 64)
	dst = append(dst, `,"interpretation":"`...)
	dst = append(dst, r.Interpretation()...)
	if r.Hint != "" {
		dst = append(append(dst, `","hint":"`...), r.Hint...)
	}
	return append(dst, `"}`...)
}
