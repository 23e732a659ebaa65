package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// The counters, as Beam shows them. A runner that repeats work after a failure may count it
// twice.
var (
	parts      = beam.NewCounter(namespace, "parts")      // of files
	rejected   = beam.NewCounter(namespace, "rejected")   // rows
	wordless   = beam.NewCounter(namespace, "wordless")   // rows with no word in either text, or documents without words
	compared   = beam.NewCounter(namespace, "compared")   // rows, or pairs
	candidates = beam.NewCounter(namespace, "candidates") // pairs that were compared by their words
	found      = beam.NewCounter(namespace, "found")      // pairs
)

const namespace = "similarity"

// members returns the members of the object that is a row, or why it is not one.
func (r *row) members() (map[string]json.RawMessage, error) {
	if r.Reason != "" {
		return nil, errors.New(r.Reason)
	}
	if !utf8.Valid(r.JSON) {
		return nil, errors.New("not UTF-8")
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(r.JSON, &m); err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			return nil, fmt.Errorf("not JSON: %w at byte %d", err, syntax.Offset)
		}
		return nil, errors.New("not a JSON object")
	}
	if m == nil {
		return nil, errors.New("not a JSON object")
	}
	return m, nil
}

// text returns the string of a key.
func text(m map[string]json.RawMessage, key string) (s string, err error) {
	switch value := m[key]; {
	case value == nil:
		return "", fmt.Errorf("the key %q is missing", key)
	case value[0] != '"':
		return "", fmt.Errorf("the value of %q is not a string", key)
	default:
		return s, json.Unmarshal(value, &s)
	}
}

// id returns the id of a document, a string or a number, as a string.
func id(m map[string]json.RawMessage) (string, error) {
	const key = "id"
	if value := m[key]; len(value) > 0 && bytes.IndexByte([]byte("-0123456789"), value[0]) >= 0 {
		return string(value), nil
	}
	s, err := text(m, key)
	if err == nil && s == "" {
		err = fmt.Errorf("the value of %q is empty", key)
	}
	return s, err
}

// A rejection is a line of the rejected rows.
type rejection struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"` // in bytes, uncompressed
	Reason string `json:"reason"`
}

// reject counts and emits a rejected row.
func reject(ctx context.Context, file string, offset int64, reason error, emit func(string)) {
	rejected.Inc(ctx, 1)
	emit(string(encode(rejection{file, offset, reason.Error()})))
}
