package score

import (
	"math"
	"regexp"
	"strings"
)

// The reference does what doc.go says with package regexp and maps, word by word.

var (
	others = regexp.MustCompile(`[^0-9A-Za-z_\t\n\f\r ]`)
	spaces = regexp.MustCompile(`[\t\n\f\r ]+`)

	othersUnicode = regexp.MustCompile(`[^\p{L}\p{Nd}_\p{Z}\t\n\v\f\r\x{85}]`)
	spacesUnicode = regexp.MustCompile(`[\p{Z}\t\n\v\f\r\x{85}]+`)
)

func referenceWords(text string, words Words) []string {
	text = strings.ToLower(text)
	if words == Unicode {
		text = spacesUnicode.ReplaceAllString(othersUnicode.ReplaceAllString(text, ""), " ")
	} else {
		text = spaces.ReplaceAllString(others.ReplaceAllString(text, ""), " ")
	}
	return strings.Split(strings.Trim(text, " "), " ")
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
