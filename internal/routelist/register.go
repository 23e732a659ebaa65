package routelist

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/muxwell/muxwell"
)

// entryKey is the key of the entry in a route's metadata.
const entryKey = "routelist.Entry"

// EntryOf returns the entry that rt was registered from, and whether it is the
// route of a list.
func EntryOf(rt *muxwell.Route) (Entry, bool) {
	v, _ := rt.Meta(entryKey)
	e, ok := v.(Entry)
	return e, ok
}

// Load reads a list and registers all of its routes with one handler: [Parse]
// and [Register], with the faults that both find in one error.
func Load(m *muxwell.Mux, name string, r io.Reader, handler http.Handler) error {
	entries, err := Parse(name, r)
	inLines, _ := errors.AsType[Errors](err)
	inPatterns, _ := errors.AsType[Errors](Register(m, name, entries, handler))
	errs := slices.Concat(inLines, inPatterns)
	slices.SortStableFunc(errs, func(a, b *Error) int { return cmp.Compare(a.Line, b.Line) })
	return errs.orNil()
}

// Register registers the entries of the list called name, in the order of their
// lines and all with one handler; the source of a route is name:line. The error
// is of type [Errors] and names every entry that m refused, as [muxwell.Mux.Add]
// says; those before and after it are registered. A mux that is served already
// should therefore be given entries that another accepted.
func Register(m *muxwell.Mux, name string, entries []Entry, handler http.Handler) error {
	var errs Errors
	for _, e := range entries {
		if _, err := m.Add(e.Pattern, handler, muxwell.Source(name, e.Line), muxwell.Meta(entryKey, e)); err != nil {
			errs = append(errs, refused(name, e, entries, err))
		}
	}
	return errs.orNil()
}

// refused returns the error for one of the entries, which the mux refused with
// err.
func refused(name string, e Entry, entries []Entry, err error) *Error {
	fault := &Error{File: name, Line: e.Line, Column: e.Column, Text: e.Text, Reason: err.Error(), Err: err}
	if pe, ok := errors.AsType[*muxwell.PatternError](err); ok {
		fault.Column += pe.Offset
		fault.Reason = pe.Reason
	}
	if ce, ok := errors.AsType[*muxwell.ConflictError](err); ok {
		fault.Other = entryAt(name, entries, ce.OtherSource)
		if fault.Other != nil {
			fault.Reason = fmt.Sprintf("conflicts with line %d: %s", fault.Other.Line, ce.Reason)
		}
	}
	return fault
}

// entryAt returns the entry that a route with the given source, as
// [muxwell.Route.Source] returns it, was registered from, or nil if it is none of
// the entries.
func entryAt(name string, entries []Entry, source string) *Entry {
	number, _ := strings.CutPrefix(source, name+":")
	line, err := strconv.Atoi(number)
	if err != nil {
		return nil // another file
	}
	i, found := slices.BinarySearchFunc(entries, line, func(e Entry, line int) int { return cmp.Compare(e.Line, line) })
	if !found {
		return nil
	}
	return &entries[i]
}
