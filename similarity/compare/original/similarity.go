package original

import "math"

// Similarity returns the similarity of two texts, rounded to three decimals.
func (p Pipeline) Similarity(text1, text2 string) float64 {
	return math.Round(1000*p.Cosine(text1, text2)) / 1000
}

// Cosine returns the similarity of two texts, not rounded.
func (p Pipeline) Cosine(text1, text2 string) float64 {
	counts1, counts2 := count(p.words(text1)), count(p.words(text2))
	vocabulary := make(map[string]bool)
	for word := range counts1 {
		vocabulary[word] = true
	}
	for word := range counts2 {
		vocabulary[word] = true
	}
	var vector1, vector2 []float64
	for word := range vocabulary {
		weight := idf(word, counts1, counts2)
		vector1 = append(vector1, float64(counts1[word])*weight)
		vector2 = append(vector2, float64(counts2[word])*weight)
	}
	return cosine(vector1, vector2)
}

func count(words []string) map[string]int {
	counts := make(map[string]int)
	for _, word := range words {
		counts[word]++
	}
	return counts
}

// idf returns the inverse document frequency of a word in two texts.
func idf(word string, texts ...map[string]int) float64 {
	df := 0
	for _, counts := range texts {
		if counts[word] > 0 {
			df++
		}
	}
	return math.Log(1 + float64(len(texts))/float64(df+1))
}

func cosine(a, b []float64) float64 {
	var product, norm1, norm2 float64
	for i := range a {
		product += a[i] * b[i]
		norm1 += a[i] * a[i]
		norm2 += b[i] * b[i]
	}
	if norm1 == 0 || norm2 == 0 {
		return 0
	}
	return product / (math.Sqrt(norm1) * math.Sqrt(norm2))
}

// Interpretation returns the interpretation of a similarity.
func Interpretation(similarity float64) string {
	switch {
	case similarity <= 0.2:
		return "Dissimilar"
	case similarity <= 0.4:
		return "Slightly Similar"
	case similarity <= 0.6:
		return "Moderately Similar"
	case similarity <= 0.8:
		return "Quite Similar"
	}
	return "Highly Similar"
}
