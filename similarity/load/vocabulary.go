package load

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
)

// A vocabulary has the words of all texts, the most frequent ones first: the hundred most
// frequent English words, then invented words that can be pronounced. Longer words are
// rarer.
//
// Frequencies follow Zipf's law: that of the word of rank r, from 1, is proportional to
// 1/r. A subject has the same words in another order, so texts of different subjects have
// few words in common, and those of one subject many.
type vocabulary struct {
	words []string
	sums  []uint64 // of the weights up to and with each rank
}

// Sizes of the vocabulary and how many subjects there are.
const (
	vocabularySize = 4000
	subjects       = 20
)

const frequentWords = `the of and to in a is that for it was on are as with be by at this have
from or one had not but what all were when we there can an your which their said if do
will each about how up out them then she many some so these would other into has more
her two like him see time could no make than first been its who now people my made over
did down only way find use may water long little very after words called just where most
know get through back`

// Parts of syllables. A repeated one is more frequent.
var (
	onsets = strings.Fields("b c d f g h l m n p r s t t s r n l w v st tr pl br ch sh th cr gr pr")
	nuclei = strings.Fields("a e i o u e a i o e ea ou ai")
	codas  = strings.Fields("n r s t l d m n r s nd st rt ck ng")
)

// words returns the vocabulary, which is the same for all seeds.
var words = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{words: strings.Fields(frequentWords)}
	known := map[string]bool{}
	for _, w := range v.words {
		known[w] = true
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for len(v.words) < vocabularySize {
		w := spoken(rng, 1+rng.IntN(1+min(3, len(v.words)*4/vocabularySize)))
		if !known[w] {
			known[w] = true
			v.words = append(v.words, w)
		}
	}
	var sum uint64
	for i := range v.words {
		sum += 1 << 32 / uint64(i+1)
		v.sums = append(v.sums, sum)
	}
	return v
})

// spoken returns a word of several syllables.
func spoken(rng *rand.Rand, syllables int) string {
	var b strings.Builder
	for range syllables {
		b.WriteString(pick(rng, onsets))
		b.WriteString(pick(rng, nuclei))
	}
	if syllables == 1 || rng.IntN(2) == 0 {
		b.WriteString(pick(rng, codas))
	}
	return b.String()
}

func pick(rng *rand.Rand, from []string) string { return from[rng.IntN(len(from))] }

// draw returns a random word, with the frequencies of a subject. Subject 0 is the general
// vocabulary.
func (v *vocabulary) draw(rng *rand.Rand, subject int) string {
	at := rng.Uint64N(v.sums[len(v.sums)-1])
	rank, exact := slices.BinarySearch(v.sums, at)
	if exact {
		rank++ // a sum is the first number behind its rank
	}
	return v.words[(rank+subject*len(v.words)/(subjects+1))%len(v.words)]
}
