package routelist

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

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

// Register registers the entries of the list called name, all with one handler.
// The error is of type [Errors] and names every entry that m refused, as
// [muxwell.Mux.Add] says; those before and after it are registered. A mux that
// is served already should therefore be given entries that another accepted.
func Register(m *muxwell.Mux, name string, entries []Entry, handler http.Handler) error {
	var errs Errors
	taken := make(map[string]*Entry, len(entries)) // by pattern, for conflicts
	for i := range entries {
		e := &entries[i]
		if _, err := m.Add(e.Pattern, handler, muxwell.Meta(entryKey, *e)); err != nil {
			errs = append(errs, refused(name, e, taken, err))
			continue
		}
		taken[e.Pattern] = e
	}
	return errs.orNil()
}

// refused returns the error for an entry that the mux refused with err.
func refused(name string, e *Entry, taken map[string]*Entry, err error) *Error {
	fault := &Error{File: name, Line: e.Line, Column: e.Column, Text: e.Text, Reason: err.Error(), Err: err}
	if pe, ok := errors.AsType[*muxwell.PatternError](err); ok {
		fault.Column += pe.Offset
		fault.Reason = pe.Reason
	}
	if ce, ok := errors.AsType[*muxwell.ConflictError](err); ok {
		fault.Other = taken[ce.Other]
		if fault.Other != nil {
			fault.Reason = fmt.Sprintf("conflicts with line %d: %s", fault.Other.Line, ce.Reason)
		}
	}
	return fault
}
