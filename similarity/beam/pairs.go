package main

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/muxwell/muxwell/similarity/join"
	"github.com/muxwell/muxwell/similarity/score"
)

func init() {
	register.DoFn4x0[context.Context, row, func(int, document), func(string)](&distributeFn{})
	register.DoFn5x1[context.Context, int, func(*document) bool, func(string), func(string), error](&joinFn{})
	register.Emitter2[int, document]()
	register.Iter1[document]()
	beam.RegisterType(reflect.TypeFor[document]())
}

// A document is a prepared text.
type document struct {
	ID     string
	File   string
	Offset int64
	Vector []byte // of package score
}

// pairs returns the pairs of documents with a similarity of threshold thousandths or more, and
// the rejected rows, as lines; an element has any number of pairs.
//
// Documents belong to groups by a hash of their ids. For each two groups, and for each group
// with itself, there is a task that finds the pairs. So each two documents meet in one task,
// and a document is sent to as many tasks as there are groups.
func pairs(s beam.Scope, words score.Words, threshold, groups int, rows beam.PCollection) (lines, rejects beam.PCollection) {
	s = s.Scope("Pairs")
	documents, invalid := beam.ParDo2(s, &distributeFn{words, groups}, rows)
	lines, repeated := beam.ParDo2(s, &joinFn{threshold, groups}, beam.GroupByKey(s, documents))
	return lines, beam.Flatten(s, invalid, repeated)
}

// distributeFn prepares documents, and emits each with the numbers of its tasks.
type distributeFn struct {
	Words  score.Words
	Groups int
}

// ProcessElement emits or rejects a document.
func (fn *distributeFn) ProcessElement(ctx context.Context, r row, emit func(int, document), emitRejected func(string)) {
	d, err := fn.document(&r)
	if err != nil {
		reject(ctx, r.File, r.Offset, err, emitRejected)
		return
	}
	group := d.group(fn.Groups)
	for other := range fn.Groups {
		emit(task(group, other, fn.Groups), d)
	}
}

func (fn *distributeFn) document(r *row) (d document, err error) {
	m, err := r.members()
	if err != nil {
		return d, err
	}
	d = document{File: r.File, Offset: r.Offset}
	if d.ID, err = id(m); err != nil {
		return d, err
	}
	content, err := text(m, "text")
	if err != nil {
		return d, err
	}
	d.Vector, err = score.Prepare([]byte(content), fn.Words).MarshalBinary()
	return d, err
}

// group returns the group of a document, which is the same in every process.
func (d *document) group(groups int) int {
	h := fnv.New64a()
	h.Write([]byte(d.ID))
	return int(h.Sum64() % uint64(groups))
}

// task returns the number of the task of two groups.
func task(g, h, groups int) int { return min(g, h)*groups + max(g, h) }

// joinFn finds the pairs of a task. It has the vectors and the sketches of two groups in memory.
type joinFn struct {
	Threshold int
	Groups    int
}

// A side is a group of documents of a task, sorted by id.
type side struct {
	ids     []string
	vectors []score.Vector
}

// sample is the number of texts that package join prepares for.
const sample = 2000

// ProcessElement emits the pairs of two groups, or of a group with itself. Then it also emits
// the rejected documents, which the other tasks of the group leave out.
func (fn *joinFn) ProcessElement(ctx context.Context, task int, next func(*document) bool, emit, emitRejected func(string)) error {
	g, h := task/fn.Groups, task%fn.Groups
	var documents [2][]document
	for d := (document{}); next(&d); d = (document{}) {
		of := 0
		if d.group(fn.Groups) != g {
			of = 1
		}
		documents[of] = append(documents[of], d)
	}
	onRepeated := func(d *document) {
		if g == h {
			reject(ctx, d.File, d.Offset, fmt.Errorf("another document has the id %q", d.ID), emitRejected)
		}
	}
	a, err := newSide(documents[0], onRepeated)
	if err != nil {
		return err
	}
	b, err := newSide(documents[1], onRepeated)
	if err != nil {
		return err
	}
	j := join.New(fn.Threshold, a.vectors[:min(sample, len(a.vectors))])
	blockA := j.NewBlock(a.vectors)
	blockB, n := blockA, len(a.ids)*(len(a.ids)-1)/2
	if g == h {
		b = a
		for _, v := range a.vectors {
			if v.IsWordless() {
				wordless.Inc(ctx, 1)
			}
		}
	} else {
		blockB, n = j.NewBlock(b.vectors), len(a.ids)*len(b.ids)
	}
	var some []join.Pair
	var lines []byte // since elements are expensive
	for t := range blockB.Tiles() {
		some = j.AppendPairs(some[:0], blockA, blockB, t)
		for _, p := range some {
			id1, id2 := a.ids[p.A], b.ids[p.B]
			lines = append(lines, encode(pair{min(id1, id2), max(id1, id2), float64(p.Thousandths) / 1000})...)
			if lines = append(lines, '\n'); len(lines) >= 64<<10 {
				emit(string(lines))
				lines = lines[:0]
			}
		}
	}
	if len(lines) > 0 {
		emit(string(lines))
	}
	s := j.Statistics()
	compared.Inc(ctx, int64(n))
	candidates.Inc(ctx, int64(s.Candidates))
	found.Inc(ctx, int64(s.Found))
	return nil
}

// A pair is a line of the pairs.
type pair struct {
	ID1        string  `json:"id1"` // less than ID2
	ID2        string  `json:"id2"`
	Similarity float64 `json:"similarity"`
}

// newSide returns a side of documents. Of those with the same id, it has the first one of the
// first file, by name, and calls repeated with the others.
func newSide(documents []document, repeated func(*document)) (s side, err error) {
	slices.SortFunc(documents, func(a, b document) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset))
	})
	for i := range documents {
		d := &documents[i]
		if i > 0 && d.ID == documents[i-1].ID {
			repeated(d)
			continue
		}
		var v score.Vector
		if err := v.UnmarshalBinary(d.Vector); err != nil {
			return s, err
		}
		d.Vector = nil
		s.ids, s.vectors = append(s.ids, d.ID), append(s.vectors, v)
	}
	return s, nil
}
