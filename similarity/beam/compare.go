package main

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/muxwell/muxwell/similarity/score"
)

func init() {
	register.DoFn4x0[context.Context, row, func(string), func(string)](&compareFn{})
	register.Emitter1[string]()
}

// compare returns the rows with their similarities, and the rejected rows, as lines.
func compare(s beam.Scope, words score.Words, rows beam.PCollection) (lines, rejects beam.PCollection) {
	return beam.ParDo2(s.Scope("Compare"), &compareFn{words}, rows)
}

// compareFn compares the two texts of each row.
type compareFn struct {
	Words score.Words
}

// ProcessElement emits a row, byte for byte, with two more members, or rejects it.
func (fn *compareFn) ProcessElement(ctx context.Context, r row, emit, emitRejected func(string)) {
	result, err := fn.compare(&r)
	if err != nil {
		reject(ctx, r.File, r.Offset, err, emitRejected)
		return
	}
	compared.Inc(ctx, 1)
	if result.Hint != "" {
		wordless.Inc(ctx, 1)
	}
	b := bytes.TrimSuffix(bytes.TrimSpace(r.JSON), []byte("}"))
	b = append(b[:len(b):len(b)], `,"similarity":`...)
	b = strconv.AppendFloat(b, result.Similarity(), 'f', -1, 64)
	b = fmt.Appendf(b, `,"interpretation":%q}`, result.Interpretation())
	emit(string(b))
}

func (fn *compareFn) compare(r *row) (result score.Result, err error) {
	m, err := r.members()
	if err != nil {
		return result, err
	}
	for _, key := range []string{"similarity", "interpretation"} {
		if m[key] != nil {
			return result, fmt.Errorf("there is a key %q, which the output adds", key)
		}
	}
	text1, err := text(m, "text1")
	if err != nil {
		return result, err
	}
	text2, err := text(m, "text2")
	if err != nil {
		return result, err
	}
	return score.Compare([]byte(text1), []byte(text2), fn.Words), nil
}
