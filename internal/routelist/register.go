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

// EntryOf returns the entry from which rt was registered, and whether it is the route
// of a list.
func EntryOf(rt *muxwell.Route) (Entry, bool) {
	v, _ := rt.Meta(entryKey)
	e, ok := v.(Entry)
	return e, ok
}

// Load reads a list and registers all of its routes: it calls [Parse] and [Register],
// and returns the errors of both as one error.
func Load(m *muxwell.Mux, name string, r io.Reader, handler func(Entry) http.Handler) error {
	entries, err := Parse(name, r)
	inLines, _ := errors.AsType[Errors](err)
	inRoutes, _ := errors.AsType[Errors](Register(m, name, entries, handler))
	errs := slices.Concat(inLines, inRoutes)
	slices.SortStableFunc(errs, func(a, b *Error) int { return cmp.Compare(a.Line, b.Line) })
	return errs.orNil()
}

// Register registers the entries of the list called name, in the order of their lines,
// with their options and the handlers that handler returns. The source of a route is
// name:line. The error is of type [Errors] and contains every entry that m rejected,
// with the error of [muxwell.Mux.Add]; all other entries are registered. So pass
// entries to a mux that is already serving only if another mux has accepted them.
func Register(m *muxwell.Mux, name string, entries []Entry, handler func(Entry) http.Handler) error {
	var errs Errors
	for _, e := range entries {
		h := handler(e)
		if _, err := m.Add(e.Pattern, h, append(e.RouteOptions(), muxwell.Source(name, e.Line), muxwell.Meta(entryKey, e))...); err != nil {
			fault := refused(name, e, entries, err)
			if oe, ok := errors.AsType[*muxwell.OptionError](err); ok {
				fault.Column = e.columnOf(m, h, oe)
			}
			errs = append(errs, fault)
		}
	}
	return errs.orNil()
}

// RouteOptions returns the entry's options for a mux.
func (e Entry) RouteOptions() []muxwell.RouteOption {
	var options []muxwell.RouteOption
	for _, o := range e.Options {
		options = append(options, o.route)
	}
	return options
}

// columnOf returns the column of the option for which m rejects the entry with an
// error: the first one up to which the options have the same error. It registers them
// with an additional option that m always rejects, so that nothing is registered.
func (e Entry) columnOf(m *muxwell.Mux, h http.Handler, want *muxwell.OptionError) int {
	options := e.RouteOptions()
	for i, o := range e.Options {
		_, err := m.Add(e.Pattern, h, slices.Concat(options[:i+1], []muxwell.RouteOption{muxwell.MatchFunc(nil)})...)
		if got, ok := errors.AsType[*muxwell.OptionError](err); ok && *got == *want {
			return o.Column
		}
	}
	return e.Column
}

// refused returns the error for one of the entries, which the mux rejected with err.
func refused(name string, e Entry, entries []Entry, err error) *Error {
	fault := &Error{File: name, Line: e.Line, Column: e.Column, Text: e.Text, Reason: err.Error(), Err: err}
	switch err := err.(type) {
	case *muxwell.PatternError:
		fault.Column += err.Offset
		fault.Reason = err.Reason
	case *muxwell.OptionError:
		fault.Reason = err.Reason
	case *muxwell.NameError:
		if o := find(e.Options, "name"); o != nil {
			fault.Column = o.Column
		}
		fault.Reason = err.Reason
		if fault.Other = entryAt(name, entries, err.OtherSource); fault.Other != nil {
			fault.Reason = fmt.Sprintf("line %d already has the name %s; choose another", fault.Other.Line, quote(err.Name))
		}
	case *muxwell.ConflictError:
		if fault.Other = entryAt(name, entries, err.OtherSource); fault.Other != nil {
			fault.Reason = fmt.Sprintf("conflicts with line %d: %s", fault.Other.Line, err.Reason)
		}
	}
	return fault
}

// entryAt returns the entry from which a route with the given source, as
// [muxwell.Route.Source] returns it, was registered, or nil if it is none of the
// entries.
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
