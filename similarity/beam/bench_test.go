package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/muxwell/muxwell/similarity/join"
	"github.com/muxwell/muxwell/similarity/load"
	"github.com/muxwell/muxwell/similarity/score"
)

// BenchmarkPairs finds the pairs of documents of 2,048 characters with a similarity of 0.9 or more, on Prism in this process, and
// with package join alone in one goroutine. The results folder has figures.
func BenchmarkPairs(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("documents=%d", n), func(b *testing.B) {
			dir := b.TempDir()
			in, out := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "out.jsonl")
			var lines bytes.Buffer
			for i, text := range load.Texts(load.Plain, n, 2048, 1) {
				fmt.Fprintln(&lines, jsonRow("id", fmt.Sprint(i), "text", text))
			}
			if err := os.WriteFile(in, lines.Bytes(), 0o666); err != nil {
				b.Fatal(err)
			}
			b.Run("by=join", func(b *testing.B) {
				found := 0
				for b.Loop() {
					found = alone(b, in)
				}
				b.ReportMetric(float64(found), "pairs")
			})
			for _, groups := range []int{1, 4, 8} {
				b.Run(fmt.Sprintf("by=prism/groups=%d", groups), func(b *testing.B) {
					o := &options{command: "pairs", input: in, output: out, rejected: out + ".rejected", shards: 1, part: 64 << 20, threshold: 0.9, groups: groups}
					var all map[string]int64
					for b.Loop() {
						p, s := beam.NewPipelineWithRoot()
						o.build(s)
						result, err := ptest.RunWithMetrics(p)
						if err != nil {
							b.Fatal(err)
						}
						all = counters(result)
					}
					b.ReportMetric(float64(all["found"]), "pairs")
				})
			}
		})
	}
}

// alone returns how many pairs package join finds.
func alone(b *testing.B, in string) (found int) {
	f, err := os.Open(in)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	var vectors []score.Vector
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var d struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			b.Fatal(err)
		}
		vectors = append(vectors, score.Prepare([]byte(d.Text), score.ASCII))
	}
	j := join.New(900, vectors[:min(sample, len(vectors))])
	block := j.NewBlock(vectors)
	var pairs []join.Pair
	for t := range block.Tiles() {
		pairs = j.AppendPairs(pairs[:0], block, block, t)
		found += len(pairs)
	}
	return found
}
