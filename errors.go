package muxwell

import (
	"errors"
	"fmt"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/pattern"
)

// ErrNilHandler is the error of a registration without a handler: a nil
// interface, a nil function, or a nil [http.HandlerFunc], [ParamsFunc] or [ErrorFunc].
var ErrNilHandler = errors.New("nil handler")

// ErrServesItself is the error of a registration whose handler is the mux itself or a
// group of it. Such a handler would call itself forever.
var ErrServesItself = errors.New("a mux cannot serve itself")

// A PatternError reports an invalid pattern and the position of the error in it.
// [Mux.Add] returns it; [Mux.Handle] panics with it.
type PatternError struct {
	Pattern string // the pattern as it was passed, after the method that a function like Get adds
	Offset  int    // the byte in Pattern at which the error begins, 0 ≤ Offset ≤ len(Pattern)
	Reason  string // what is wrong there and, if possible, how to fix it
	Err     error  // the cause, if it is one of this package's errors; may be nil
}

// patternError returns a PatternError whose reason shortens long texts that it quotes.
func patternError(text string, offset int, format string, args ...any) *PatternError {
	e := pattern.Errorf(text, offset, format, args...)
	return &PatternError{Pattern: e.Pattern, Offset: e.Offset, Reason: e.Reason}
}

// publicError returns the error of the public API for an error of an internal package.
func publicError(err error) error {
	switch e := err.(type) {
	case *pattern.Error:
		return &PatternError{Pattern: e.Pattern, Offset: e.Offset, Reason: e.Reason}
	case *matcher.Error:
		return &OptionError{Option: e.Option, Reason: e.Reason}
	}
	return err
}

// parse parses a pattern under the given rules. Its errors are of type *PatternError.
func parse(text string, r pattern.Rules) (*pattern.Pattern, error) {
	p, err := pattern.Parse(text, r)
	return p, publicError(err)
}

// Error returns the reason with the offset, and below it the pattern with a caret that
// points at the error.
func (e *PatternError) Error() string {
	return fmt.Sprintf("muxwell: pattern %q: at offset %d: %s\n%s",
		excerpt.Abridge(e.Pattern), e.Offset, e.Reason, excerpt.Caret(e.Pattern, e.Offset))
}

// Unwrap returns e.Err.
func (e *PatternError) Unwrap() error { return e.Err }

// A ConflictError reports a pattern that conflicts with one registered before: a
// duplicate or, under [StrictConflicts], an overlap in which neither is more specific.
type ConflictError struct {
	Pattern     string // the pattern that was rejected
	Source      string // file:line of its registration
	Other       string // the pattern that was registered before
	OtherSource string // file:line of the other's registration
	Path        string // a path that both match; "" if none is known
	Reason      string // how the two relate, and how to fix it
}

// Error names both patterns, where they were registered, and how they conflict.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("muxwell: pattern %q (registered at %s) conflicts with pattern %q (registered at %s):\n%s",
		excerpt.Abridge(e.Pattern), e.Source, excerpt.Abridge(e.Other), e.OtherSource, e.Reason)
}

// A NameError reports a route name that is empty or already in use.
type NameError struct {
	Name        string // the name that was rejected
	Pattern     string // the pattern of the route that should have it
	Other       string // the pattern of the route that has it; "" if the name is empty
	OtherSource string // file:line of the other's registration
	Reason      string // what is wrong with it, and how to fix it
}

// Error returns the pattern, the name, and the reason.
func (e *NameError) Error() string {
	return fmt.Sprintf("muxwell: pattern %q: name %q: %s", excerpt.Abridge(e.Pattern), excerpt.Abridge(e.Name), e.Reason)
}

// An OptionError reports an invalid option of a route.
type OptionError struct {
	Pattern string // the pattern of the route; for [Group.Defaults] the group's prefix, or "/"
	Option  string // the option as a program writes it: Headers("X-Beta")
	Reason  string // what is wrong with it, and how to fix it
}

// Error returns the pattern, the option, and the reason.
func (e *OptionError) Error() string {
	return fmt.Sprintf("muxwell: pattern %q: %s: %s", excerpt.Abridge(e.Pattern), excerpt.Abridge(e.Option), e.Reason)
}
