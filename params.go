package muxwell

import (
	"iter"

	"github.com/muxwell/muxwell/internal/params"
)

// Params holds the parameters of a matched request by value. Params never change. They
// are safe to keep after the handler has returned and to share between goroutines. The
// zero Params has no parameters.
//
// Params cost no allocation, except for one if the path is escaped, parameters are in
// the query or in both host and path, or middleware set other values. Reading them does
// not allocate either, unless package regexp matched several parameters of a segment.
//
// A value keeps the string alive that it is a part of: the request's path, or what the
// server read the path from.
type Params struct{ values params.Values }

// Len returns the number of parameters.
func (p Params) Len() int { return p.values.Len() }

// Name returns the name of parameter i, counted from the left of the pattern.
// It panics unless 0 ≤ i < p.Len().
func (p Params) Name(i int) string { return p.values.Name(i) }

// At returns the value of parameter i, counted from the left of the pattern:
// unescaped, and non-empty unless it is a catch-all. It panics unless
// 0 ≤ i < p.Len().
func (p Params) At(i int) string { return p.values.At(i) }

// Get returns the value of the parameter called name, or "" if there is none.
func (p Params) Get(name string) string { return p.values.Get(name) }

// Lookup returns the value of the parameter called name, and whether there is
// one.
func (p Params) Lookup(name string) (value string, ok bool) { return p.values.Lookup(name) }

// All iterates over the names and values from left to right.
func (p Params) All() iter.Seq2[string, string] { return p.values.All() }
