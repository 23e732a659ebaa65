package load

import (
	"bytes"
	"iter"
	"math/bits"
	"math/rand/v2"
	"strconv"
)

// The most documents, and their largest size.
const (
	MaxDocuments    = 1 << 30
	MaxDocumentSize = 1 << 26
)

// A Document is one of [Documents].
type Document struct {
	// ID is the position of the document, from 0.
	ID int
	// Text has words of [0-9A-Za-z_], spaces, line breaks and ,.() only. It is valid
	// until the next document.
	Text []byte
	// Origin is the earlier document that this one is an edit of, or -1.
	Origin int
	// Edits is the share of words that were replaced, removed, inserted or exchanged with
	// the next word, in thousandths: 10 to 700 for an edit, 0 otherwise.
	Edits int
}

// Documents returns an iterator over n documents of about size bytes. They have the word
// frequencies of real text, and repeat their own words as much as real documents do. One in
// ten is an edit of an earlier document, any distance back. The first documents are the same
// whatever n is. The iterator needs memory for one document only.
func Documents(n, size int, seed uint64) iter.Seq[Document] {
	return func(yield func(Document) bool) {
		w := newDocumentWriter(size, seed)
		for i := range n {
			if !yield(w.document(i)) {
				return
			}
		}
	}
}

// A documentWriter writes documents. Each depends on the seed, its position and the size
// only, so that the origin of an edit can be written again when it is needed.
//
// A document is an urn of words: the next word is one of those in the urn, or a new one, of
// the document's topic or of the whole vocabulary. So a document repeats its own words.
type documentWriter struct {
	seed   uint64
	size   int
	topic  uint64
	style  int // see again
	rng    rand.PCG
	words  []uint32 // of the document, as ranks
	source []uint32 // of its origin
	text   []byte
}

func newDocumentWriter(size int, seed uint64) *documentWriter {
	return &documentWriter{seed: seed, size: size}
}

// Parameters of the documents, for which their statistics are those of real ones. Shares are
// in 1024ths.
const (
	editShare    = 102  // of documents
	hubBits      = 13   // see origin
	urnSize      = 430  // new words weigh as much as this number of words in the urn
	generalWords = 64   // the words of the vocabulary that are of no topic
	styleMin     = -300 // see again
	styleMax     = 500
	topicShare   = 400 // of the new words that are not general
	topicBits    = 11  // there are 1<<topicBits topics
	topicWords   = 8   // a topic has 1<<topicWords words
	betweenWords = 13  // eighths of a byte
)

// document writes document i.
func (w *documentWriter) document(i int) Document {
	origin, edits := w.origin(i)
	w.fill(i)
	w.render()
	return Document{ID: i, Text: w.text, Origin: origin, Edits: edits}
}

// origin returns which document i is an edit of, or -1, and its edits in thousandths.
func (w *documentWriter) origin(i int) (origin, edits int) {
	w.rng.Seed(w.seed, uint64(i)<<1|1)
	if i == 0 || w.below(1024) >= editShare {
		return -1, 0
	}
	// The distance back has a random number of bits. Origins with trailing zeros are
	// more frequent, so that clusters have sizes of 2 to about 70.
	origin = i - 1 - w.below(min(i, 1<<(1+w.below(bits.Len(uint(i))))))
	hub := min(w.below(hubBits), w.below(1+bits.Len(uint(origin))))
	origin &^= 1<<hub - 1
	edits = 10 + w.below(1+w.below(691))
	return origin, edits
}

// fill sets words to those of document i.
func (w *documentWriter) fill(i int) {
	origin, edits := w.origin(i)
	if origin < 0 {
		w.rng.Seed(w.seed, uint64(i)<<1)
		w.original()
		return
	}
	w.fill(origin)
	w.rng.Seed(w.seed, uint64(i)<<1)
	w.edit(edits)
}

// original fills words with a new document.
func (w *documentWriter) original() {
	w.words = w.words[:0]
	w.begin()
	for size := 0; size < 8*w.size; { // in eighths of a byte
		word := w.next()
		w.words = append(w.words, word)
		size += 8*wordLen(word) + betweenWords
	}
}

// begin draws the topic and the style of a document. An edit has those of its new words.
func (w *documentWriter) begin() {
	w.topic = w.logUniform(topicBits)
	w.style = styleMin + w.below(styleMax-styleMin)
}

// next draws the next word.
func (w *documentWriter) next() uint32 {
	if n := len(w.words); w.below(n+urnSize) < n {
		return w.words[w.below(n)]
	}
	rank := w.draw()
	for w.again(rank) {
		rank = w.draw()
	}
	if rank < generalWords || w.below(1024) >= topicShare {
		return rank
	}
	return w.topical(w.logUniform(topicWords))
}

// draw draws a word of the vocabulary.
func (w *documentWriter) draw() uint32 {
	return frequencies().draw(w.rng.Uint64(), w.rng.Uint64())
}

// again decides whether a word is drawn again, for the document's style: the share of general
// words that are, or if it is negative, of other words.
func (w *documentWriter) again(rank uint32) bool {
	if general := rank < generalWords; general != (w.style > 0) {
		return false
	}
	return w.below(1024) < max(w.style, -w.style)
}

// topical returns a word of the document's topic, by its number. A topic's words are drawn
// with a hash of the topic, so they need no memory.
func (w *documentWriter) topical(number uint64) uint32 {
	for h := mix(w.seed ^ w.topic<<32 ^ number); ; h = mix(h) {
		if rank := frequencies().draw(h, mix(h+1)); rank >= generalWords {
			return rank
		}
	}
}

// edit changes words.
func (w *documentWriter) edit(thousandths int) {
	w.begin()
	w.source, w.words = w.words, w.source[:0]
	for i := 0; i < len(w.source); i++ {
		word := w.source[i]
		if w.below(1000) >= thousandths {
			w.words = append(w.words, word)
			continue
		}
		switch w.below(8) {
		case 0, 1, 2, 3: // replace
			w.words = append(w.words, w.next())
		case 4, 5: // remove
		case 6: // insert
			w.words = append(w.words, word, w.next())
		case 7: // exchange
			if i++; i < len(w.source) {
				w.words = append(w.words, w.source[i])
			}
			w.words = append(w.words, word)
		}
	}
}

// AppendJSON appends {"id":"17","text":"…"}.
func (d *Document) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"id":"`...)
	dst = strconv.AppendInt(dst, int64(d.ID), 10)
	dst = append(dst, `","text":"`...)
	for text := d.Text; ; {
		line, rest, found := bytes.Cut(text, []byte{'\n'})
		dst = append(dst, line...)
		if !found {
			return append(dst, `"}`...)
		}
		dst, text = append(dst, `\n`...), rest
	}
}

// render sets text to the words, in sentences and lines.
func (w *documentWriter) render() {
	w.text = w.text[:0]
	left := 0 // in the sentence
	for i, word := range w.words {
		x := w.rng.Uint64() // each use takes other bits of it
		start := left == 0
		if start {
			left = 5 + int(x>>48&15)
		}
		parentheses := x>>24&15 == 0
		if parentheses {
			w.text = append(w.text, '(')
		}
		at := len(w.text)
		w.text = appendWord(w.text, word)
		if c := w.text[at]; start && 'a' <= c && c <= 'z' {
			w.text[at] = c - 'a' + 'A'
		}
		if parentheses {
			w.text = append(w.text, ')')
		}
		left--
		switch last := i == len(w.words)-1; {
		case last:
			w.text = append(w.text, '.')
		case left == 0 && x&1 == 0:
			w.text = append(w.text, ".\n\n"...)
		case left == 0:
			w.text = append(w.text, ". "...)
		case x>>8&7 == 0:
			w.text = append(w.text, ", "...)
		case x>>8&7 == 1:
			w.text = append(w.text, "\n  "...)
		default:
			w.text = append(w.text, ' ')
		}
	}
}

// below returns a random number from 0 to n-1.
func (w *documentWriter) below(n int) int {
	high, _ := bits.Mul64(w.rng.Uint64(), uint64(n))
	return int(high)
}

// logUniform returns a random number of up to bits bits: twice the number is half as likely.
func (w *documentWriter) logUniform(bits int) uint64 {
	k := w.below(bits)
	return 1<<k | w.rng.Uint64()&(1<<k-1)
}

// mix returns a hash of x, by the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
