package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/similarity/score"
)

// A corpus has the words of documents.
type corpus struct {
	texts  [][]byte
	counts []map[string]int // of the words of a document
	total  map[string]int   // of the words of all documents
	df     map[string]int   // the number of documents that have a word
	words  []string         // by total, the most frequent first
	tokens int
}

func newCorpus(names ...string) (*corpus, error) {
	c := &corpus{total: map[string]int{}, df: map[string]int{}}
	for _, name := range names {
		documents, err := read(name)
		if err != nil {
			return nil, err
		}
		for _, d := range documents {
			c.add(d.Text)
		}
	}
	c.words = slices.SortedFunc(maps.Keys(c.total), func(v, w string) int {
		return cmp.Or(c.total[w]-c.total[v], cmp.Compare(v, w))
	})
	return c, nil
}

func (c *corpus) add(text string) {
	counts := map[string]int{}
	for _, w := range strings.Fields(string(score.AppendWords(nil, []byte(text)))) {
		counts[w]++
		c.total[w]++
		c.tokens++
	}
	for w := range counts {
		c.df[w]++
	}
	c.texts, c.counts = append(c.texts, []byte(text)), append(c.counts, counts)
}

// words writes the words of files, the most frequent first, each with its count and the
// number of documents that have it.
func words(out io.Writer, names []string) error {
	c, err := newCorpus(names...)
	if err != nil {
		return err
	}
	for _, w := range c.words {
		fmt.Fprintln(out, w, c.total[w], c.df[w])
	}
	return nil
}

// table writes a table with the statistics of each file.
func table(out io.Writer, names []string) error {
	var columns [][]row
	for _, name := range names {
		c, err := newCorpus(name)
		if err != nil {
			return err
		}
		if len(c.texts) < 2 {
			return fmt.Errorf("%s: statistics need two documents or more", name)
		}
		columns = append(columns, c.statistics())
	}
	for i := range columns[0] {
		if i == 0 {
			fmt.Fprintf(out, "| |%s |\n|---|%s\n", " "+strings.Join(names, " | "), strings.Repeat("---:|", len(names)))
		}
		fmt.Fprintf(out, "| %s |", columns[0][i].name)
		for _, column := range columns {
			fmt.Fprintf(out, " %s |", column[i].value)
		}
		fmt.Fprintln(out)
	}
	return nil
}

// A row is one statistic.
type row struct{ name, value string }

func (c *corpus) statistics() []row {
	var rows []row
	add := func(name, format string, values ...any) {
		rows = append(rows, row{name, fmt.Sprintf(format, values...)})
	}
	const wide, percents, thousandths = "%.0f / %.0f / %.0f", "%.1f / %.1f / %.1f %%", "%.3f / %.3f / %.3f"

	n := len(c.texts)
	var length, distinct, squares []float64
	top := map[string]int{}
	for i, w := range c.words {
		top[w] = i
	}
	var tokens, squaresOf [3]float64 // shares of the 16, 64 and 256 most frequent words
	var rareCount, rareWords float64
	for _, counts := range c.counts {
		var all, sum, sumSquares float64
		var here, hereSquares [3]float64
		for w, count := range counts {
			f := float64(count)
			all, sum, sumSquares = all+1, sum+f, sumSquares+f*f
			for i, limit := range []int{16, 64, 256} {
				if top[w] < limit {
					here[i] += f
					hereSquares[i] += f * f
				}
			}
			if top[w] >= 256 {
				rareCount, rareWords = rareCount+f, rareWords+1
			}
		}
		for i := range here {
			tokens[i] += 100 * here[i] / sum / float64(n)
			squaresOf[i] += 100 * hereSquares[i] / sumSquares / float64(n)
		}
		length, distinct = append(length, sum), append(distinct, all)
		squares = append(squares, sumSquares)
	}
	rows = append(rows, row{"documents", fmt.Sprint(n)})
	add("bytes per word, with the space", "%.2f", c.bytesPerWord())
	add("words per document, p10 / median / p90", wide, quantiles(length, .1, .5, .9)...)
	add("distinct words per document, p10 / median / p90", wide, quantiles(distinct, .1, .5, .9)...)
	add("Σc² per document, p10 / median / p90", wide, quantiles(squares, .1, .5, .9)...)
	add("words that are the top 16 / 64 / 256", percents, tokens[0], tokens[1], tokens[2])
	add("Σc² of the top 16 / 64 / 256 words", percents, squaresOf[0], squaresOf[1], squaresOf[2])
	add("mean count of other words in documents that have them", "%.2f", rareCount/max(1, rareWords))

	once, growth := 0, map[string]bool{}
	for _, count := range c.total {
		if count == 1 {
			once++
		}
	}
	sample := rand.New(rand.NewPCG(1, 1)).Perm(n)[:min(n, 1000)]
	for _, i := range sample {
		for w := range c.counts[i] {
			growth[w] = true
		}
	}
	rows = append(rows, row{fmt.Sprintf("distinct words in %d documents", len(sample)), fmt.Sprint(len(growth))})
	add("distinct words that occur once in the file", "%.1f %%", 100*float64(once)/float64(len(c.total)))

	similarity, common := c.pairs()
	add("words in common of two documents, p10 / median / p90", wide, quantiles(common, .1, .5, .9)...)
	add("similarity of two documents, p10 / median / p90", thousandths, quantiles(similarity, .1, .5, .9)...)
	add("similarity of two documents, p99 / p99.9 / p99.99", thousandths, quantiles(similarity, .99, .999, .9999)...)
	return rows
}

func (c *corpus) bytesPerWord() float64 {
	sum := 0
	for _, text := range c.texts {
		sum += len(text)
	}
	return float64(sum) / float64(c.tokens)
}

// pairs returns the similarities of random pairs, and how many distinct words they have in
// common.
func (c *corpus) pairs() (similarity, common []float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300_000 {
		i, j := rng.IntN(len(c.texts)), rng.IntN(len(c.texts)-1)
		if j >= i {
			j++
		}
		similarity = append(similarity, score.Compare(c.texts[i], c.texts[j], score.ASCII).Similarity())
		if len(common) < 30_000 {
			same := 0.
			for w := range c.counts[i] {
				if c.counts[j][w] > 0 {
					same++
				}
			}
			common = append(common, same)
		}
	}
	return similarity, common
}

// quantiles returns quantiles of values.
func quantiles(values []float64, at ...float64) []any {
	slices.Sort(values)
	var q []any
	for _, p := range at {
		q = append(q, values[int(p*float64(len(values)-1)+.5)])
	}
	return q
}
