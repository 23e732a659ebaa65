package score

import (
	"math"
	"math/bits"
)

// A sums has the sums from which the similarity of two texts is computed.
type sums struct {
	all1, all2   uint64 // Σ c² of all words of a text
	both1, both2 uint64 // the same of the words of both
	product      uint64 // Σ c1·c2
}

// alpha is the idf of a word of one text, beta that of a word of both.
var (
	alpha = math.Log(2)
	beta  = math.Log(5. / 3)
)

// thousandths returns the similarity in thousandths, rounded half up.
func (s *sums) thousandths() int {
	switch {
	case s.product == 0:
		return 0
	case s.all1 == s.both1 && s.all2 == s.both2:
		return s.exactThousandths() // β² cancels out, and halves occur
	}
	a, b := alpha*alpha, beta*beta
	norm1 := a*float64(s.all1-s.both1) + b*float64(s.both1)
	norm2 := a*float64(s.all2-s.both2) + b*float64(s.both2)
	// α² and β² are transcendental, so without rounding errors this is never a half.
	return min(1000, int(math.Round(1000*b*float64(s.product)/math.Sqrt(norm1*norm2))))
}

// exactThousandths is thousandths for two texts that have the same words: product /
// √(both1·both2), without intermediate rounding.
func (s *sums) exactThousandths() int {
	guess := 1000 * float64(s.product) / math.Sqrt(float64(s.both1)*float64(s.both2))
	n := max(0, min(1000, int(math.Floor(guess+0.5))))
	// n is right if (2n−1)/2 ≤ 1000·product/√(both1·both2) < (2n+1)/2.
	for n > 0 && !s.reaches(2*n-1) {
		n--
	}
	for n < 1000 && s.reaches(2*n+1) {
		n++
	}
	return n
}

// reaches reports whether the similarity is m/2000 or more: whether (2000·product)² ≥
// m²·both1·both2. No factor overflows with texts of up to 64 MiB.
func (s *sums) reaches(m int) bool {
	high, low := bits.Mul64(2000*s.product, 2000*s.product)
	wantHigh, wantLow := bits.Mul64(uint64(m)*s.both1, uint64(m)*s.both2)
	return high > wantHigh || high == wantHigh && low >= wantLow
}

// interpretation returns the interpretation of a similarity in thousandths.
func interpretation(thousandths int) string {
	switch {
	case thousandths <= 200:
		return "Dissimilar"
	case thousandths <= 400:
		return "Slightly Similar"
	case thousandths <= 600:
		return "Moderately Similar"
	case thousandths <= 800:
		return "Quite Similar"
	}
	return "Highly Similar"
}
