package score

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// The reference does what doc.go says with package regexp and maps, word by word.

var (
	others = regexp.MustCompile(`[^0-9A-Za-z_\t\n\f\r ]`)
	spaces = regexp.MustCompile(`[\t\n\f\r ]+`)

	spacesUnicode = regexp.MustCompile(`[\p{Z}\t\n\v\f\r\x{85}]+`)
	noSpaces      = regexp.MustCompile(`^[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ーｰ]$`)
)

func referenceWords(text string, words Words) []string {
	if words == ASCII {
		text = spaces.ReplaceAllString(others.ReplaceAllString(strings.ToLower(text), ""), " ")
		return strings.Split(strings.Trim(text, " "), " ")
	}
	text = spacesUnicode.ReplaceAllString(strings.ToLower(norm.NFC.String(text)), " ")
	all := strings.Split(strings.Trim(strings.Map(func(r rune) rune {
		if r == ' ' || unicode.In(r, wordTables...) { // which TestWordTables compares with others
			return r
		}
		return -1
	}, text), " "), " ")
	if words == Bigrams {
		var pairs []string
		for _, word := range all {
			pairs = append(pairs, referenceBigrams(word)...)
		}
		all = pairs
	}
	all = slices.DeleteFunc(all, func(word string) bool { return word == "" })
	if len(all) == 0 {
		return []string{""}
	}
	return all
}

// referenceBigrams returns the words that a word without spaces is in Bigrams.
func referenceBigrams(word string) (words []string) {
	var run, rest []string // characters with their marks
	flush := func() {
		for i := range run[:max(0, len(run)-1)] {
			words = append(words, run[i]+run[i+1])
		}
		if len(run) == 1 {
			words = append(words, run[0])
		}
		words = append(words, strings.Join(rest, ""))
		run, rest = nil, nil
	}
	for _, r := range word {
		switch c := string(r); {
		case unicode.IsMark(r) && len(run) > 0:
			run[len(run)-1] += c
		case unicode.IsLetter(r) && noSpaces.MatchString(c):
			if len(rest) > 0 {
				flush()
			}
			run = append(run, c)
		default:
			if len(run) > 0 {
				flush()
			}
			rest = append(rest, c)
		}
	}
	flush()
	return words
}

// reference returns the similarity, not rounded.
func reference(text1, text2 string, words Words) float64 {
	counts := [2]map[string]float64{{}, {}}
	for i, text := range []string{text1, text2} {
		for _, word := range referenceWords(text, words) {
			counts[i][word]++
		}
	}
	idf := func(word string) float64 {
		df := 0.
		for _, c := range counts {
			if c[word] > 0 {
				df++
			}
		}
		return math.Log(1 + 2/(df+1))
	}
	product, norms := 0., [2]float64{}
	for i, c := range counts {
		for word, n := range c {
			w := n * idf(word)
			norms[i] += w * w
			if i == 0 {
				product += w * counts[1][word] * idf(word)
			}
		}
	}
	if norms[0] == 0 || norms[1] == 0 {
		return 0
	}
	return product / math.Sqrt(norms[0]*norms[1])
}

// agrees reports whether a result is a similarity rounded; near a half either
// neighbour will do, since sums are rounded too.
func agrees(r Result, similarity float64) bool {
	thousandths := 1000 * similarity
	if _, part := math.Modf(thousandths); math.Abs(part-0.5) < 1e-6 {
		return math.Abs(float64(r.Thousandths)-thousandths) < 0.51
	}
	return float64(r.Thousandths) == math.Round(thousandths)
}
