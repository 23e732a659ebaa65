package service

import (
	"encoding/json"

	"github.com/muxwell/muxwell/similarity/score"
)

// The maximum numbers of words in an answer of POST /similarity/words.
const (
	maxShared   = 100
	maxFrequent = 10
)

// A wordCount is a word with its number of occurrences in each of the two texts.
type wordCount struct {
	Word   string `json:"word"`
	Count1 int    `json:"count1"`
	Count2 int    `json:"count2"`
}

// A wordsAnswer is an answer of POST /similarity/words. Words are sorted by their
// frequency in both texts together, then by their bytes.
type wordsAnswer struct {
	Similarity     float64     `json:"similarity"`
	Interpretation string      `json:"interpretation"`
	Words1         int         `json:"words1"`      // different words of the first text
	Words2         int         `json:"words2"`      // of the second
	SharedWords    int         `json:"sharedWords"` // of both
	Shared         []wordCount `json:"shared"`      // the first of these
	Frequent       []wordCount `json:"frequent"`    // the first of all words
	Hint           string      `json:"hint,omitempty"`
}

// appendWords is score.AppendAnswer with words.
func appendWords(dst, body []byte, words score.Words) ([]byte, error) {
	texts, err := score.Scan(body)
	if err != nil {
		return dst, err
	}
	r := score.Compare(texts.Text1, texts.Text2, words)
	a := wordsAnswer{Similarity: r.Similarity(), Interpretation: r.Interpretation(), Hint: r.Hint, Shared: []wordCount{}, Frequent: []wordCount{}}
	for _, c := range score.Counts(texts.Text1, texts.Text2, words) {
		a.add(wordCount(c))
	}
	answer, err := json.Marshal(a)
	return append(dst, answer...), err
}

// add adds the next word.
func (a *wordsAnswer) add(c wordCount) {
	if c.Count1 > 0 {
		a.Words1++
	}
	if c.Count2 > 0 {
		a.Words2++
	}
	if len(a.Frequent) < maxFrequent {
		a.Frequent = append(a.Frequent, c)
	}
	if c.Count1 > 0 && c.Count2 > 0 {
		a.SharedWords++
		if len(a.Shared) < maxShared {
			a.Shared = append(a.Shared, c)
		}
	}
}
