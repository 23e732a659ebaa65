package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/passert"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"github.com/muxwell/muxwell/similarity/load"
	"github.com/muxwell/muxwell/similarity/score"
)

// naivePairs returns the lines of all pairs, by comparing each text with each.
func naivePairs(ids, texts []string, threshold int, words score.Words) (lines []string, wordless int64) {
	for i := range ids {
		if score.Prepare([]byte(texts[i]), words).IsWordless() {
			wordless++
			continue
		}
		for k := range i {
			r := score.Compare([]byte(texts[i]), []byte(texts[k]), words)
			if r.Hint == "" && r.Thousandths >= threshold {
				lines = append(lines, string(encode(pair{min(ids[i], ids[k]), max(ids[i], ids[k]), r.Similarity()})))
			}
		}
	}
	return lines, wordless
}

// someTexts returns texts, of which some are similar, and some have no words.
func someTexts(n int) []string {
	rng := rand.New(rand.NewPCG(1, 2))
	texts := load.Texts(load.Messy, n, 200, 3)
	for i := range texts {
		switch rng.IntN(6) {
		case 0:
			texts[i] = strings.Repeat(".", i%3)
		case 1, 2:
			words := strings.Fields(texts[rng.IntN(i+1)])
			for range rng.IntN(3) {
				words = append(words, fmt.Sprint(rng.IntN(100)))
			}
			texts[i] = strings.Join(words, " ")
		}
	}
	return texts
}

// TestPairsAreExact compares the pairs with those of a naive search.
func TestPairsAreExact(t *testing.T) {
	texts := someTexts(250)
	var ids []string
	var in strings.Builder
	for i, text := range texts {
		ids = append(ids, fmt.Sprintf("<%d>", i*i))
		fmt.Fprintln(&in, jsonRow("id", ids[i], "text", text))
	}
	for _, tt := range []struct {
		groups, threshold int
		words             score.Words
	}{{1, 800, score.ASCII}, {3, 333, score.Unicode}, {8, 1000, score.ASCII}, {8, 1, score.ASCII}, {40, 800, score.Bigrams}} {
		t.Run(fmt.Sprint(tt), func(t *testing.T) {
			t.Chdir(t.TempDir())
			writeFile(t, "in.jsonl", in.String())
			c := newOptions(t, "pairs", "-input", "in.jsonl", "-groups", fmt.Sprint(tt.groups), "-words", tt.words.String(),
				"-threshold", fmt.Sprint(float64(tt.threshold)/1000), "-part", "20000").execute(t)
			want, wordless := naivePairs(ids, texts, tt.threshold, tt.words)
			got := linesOf(t, "out.jsonl")
			checkLines(t, "pairs", got, want)
			if len(want) == 0 || wordless == 0 {
				t.Error("the texts are not as they should be")
			}
			n := int64(len(texts))
			checkCounters(t, c, map[string]int64{"found": int64(len(want)), "wordless": wordless, "compared": n * (n - 1) / 2, "rejected": 0})
			if c["candidates"] < c["found"] || c["candidates"] > c["compared"] {
				t.Errorf("got counters %v", c)
			}
		})
	}
}

// TestPairsRejected has documents that are invalid or have the same id.
func TestPairsRejected(t *testing.T) {
	t.Chdir(t.TempDir())
	text := strings.Repeat("some words ", 20)
	var want []string
	reject := func(file string, in []string, i int, reason string) {
		offset := int64(len(strings.Join(in[:i], "")))
		want = append(want, string(encode(rejection{file, offset, reason})))
	}
	a := []string{
		jsonRow("id", "a", "text", "only here") + "\n",
		"\n",
		jsonRow("id", "b", "text", text) + "\n",
		`{"id":17,"text":"` + text + `"}` + "\n",
		`{"id":"17","text":"` + text + `"}` + "\n",
		`{"id":{},"text":"` + text + `"}` + "\n",
		`{"id":"","text":"` + text + `"}` + "\n",
		`{"text":"` + text + `"}` + "\n",
		`{"id":"c"}` + "\n",
		`{"id":"d","text":[]}` + "\n",
		"\xff\n",
		jsonRow("id", "a", "text", text) + "\n",
	}
	reject("a.jsonl", a, 4, `another document has the id "17"`)
	reject("a.jsonl", a, 5, `the value of "id" is not a string`)
	reject("a.jsonl", a, 6, `the value of "id" is empty`)
	reject("a.jsonl", a, 7, `the key "id" is missing`)
	reject("a.jsonl", a, 8, `the key "text" is missing`)
	reject("a.jsonl", a, 9, `the value of "text" is not a string`)
	reject("a.jsonl", a, 10, "not UTF-8")
	reject("a.jsonl", a, 11, `another document has the id "a"`)
	b := []string{"id,text\n", "a," + text + "\n", "\"x\ny\"," + text + "\n", "b\n"}
	reject("b.csv", b, 1, `another document has the id "a"`)
	reject("b.csv", b, 3, "1 field, the header has 2")
	reject("c.csv", nil, 0, "the header is not valid, so the file is not read: the header has two columns \"id\"; rename one")
	writeFile(t, "a.jsonl", strings.Join(a, ""))
	writeFile(t, "b.csv", strings.Join(b, ""))
	writeFile(t, "c.csv", "id,text,id\n1,2,3\n")
	for _, groups := range []string{"1", "5"} {
		c := newOptions(t, "pairs", "-input", "?.*", "-groups", groups).execute(t)
		checkLines(t, "rejected", linesOf(t, "out.rejected.jsonl"), want)
		checkLines(t, "pairs", linesOf(t, "out.jsonl"), []string{
			`{"id1":"17","id2":"b","similarity":1}`, `{"id1":"17","id2":"x\ny","similarity":1}`, `{"id1":"b","id2":"x\ny","similarity":1}`,
		})
		checkCounters(t, c, map[string]int64{"rejected": int64(len(want)), "compared": 6, "found": 3})
	}
}

// TestEachTwoMeetOnce has each two documents in exactly one task.
func TestEachTwoMeetOnce(t *testing.T) {
	const groups = 7
	tasks := map[int]bool{}
	for g := range groups {
		for h := range groups {
			n := 0
			for of := range groups { // those of a document of group g that one of group h is also sent to
				for other := range groups {
					if task(g, of, groups) == task(h, other, groups) && task(g, of, groups) == task(g, h, groups) {
						n++
					}
				}
			}
			if n != 1 || task(g, h, groups) != task(h, g, groups) {
				t.Errorf("groups %d and %d have %d tasks", g, h, n)
			}
			tasks[task(g, h, groups)] = true
		}
	}
	if got, want := len(tasks), groups*(groups+1)/2; got != want {
		t.Errorf("got %d tasks, want %d", got, want)
	}
}

// TestDistribute sends a document to as many tasks as there are groups.
func TestDistribute(t *testing.T) {
	p, s, rows := ptest.CreateList([]row{{File: "f", Offset: 1, JSON: []byte(`{"id":"a","text":"b c"}`)}, {File: "f", Offset: 2, Reason: "why"}})
	lines, rejects := pairs(s, score.ASCII, 800, 4, rows)
	passert.Empty(s, lines)
	passert.Equals(s, rejects, `{"file":"f","offset":2,"reason":"why"}`)
	ptest.RunAndValidate(t, p)
	fn, got := &distributeFn{Groups: 4}, map[int]bool{}
	fn.ProcessElement(t.Context(), row{JSON: []byte(`{"id":"a","text":"b c"}`)}, func(task int, d document) {
		var v score.Vector
		if err := v.UnmarshalBinary(d.Vector); err != nil || d.ID != "a" || score.Cosine(v, score.Prepare([]byte("c b"), 0)).Thousandths != 1000 {
			t.Errorf("got document %+v, %v", d, err)
		}
		got[task] = true
	}, nil)
	if len(got) != 4 {
		t.Errorf("got tasks %v, want 4", got)
	}
	if b, err := json.Marshal(fn); err != nil || string(b) != `{"Words":0,"Groups":4}` { // how Beam sends it to workers
		t.Errorf("got %s, %v", b, err)
	}
}
