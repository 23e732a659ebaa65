package score

import (
	"strconv"
	"sync"
)

// Words is the kind of words.
type Words uint8

const (
	ASCII   Words = iota // [0-9A-Za-z_], between white space
	Unicode              // letters, digits and white space of Unicode
)

// A Result is the similarity of two texts.
type Result struct {
	// Thousandths is the similarity from 0 to 1000, rounded.
	Thousandths int
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
	return Result{s.thousandths()}
}

var counters = sync.Pool{New: func() any { return new(counter) }}

// The limits of the memory that a counter keeps in the pool.
const (
	maxKeptText  = 1 << 20 // of a text, or of long words
	maxKeptWords = 1 << 16
)

// release returns the counter to the pool, unless it has grown large.
func (c *counter) release() {
	if max(cap(c.text), cap(c.piece), cap(c.long)) <= maxKeptText && cap(c.words) <= maxKeptWords {
		counters.Put(c)
	}
}

// AppendAnswer appends the answer to a request to dst, as JSON:
//
//	{"similarity":0.519,"interpretation":"Moderately Similar"}
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
	return append(dst, `"}`...)
}
