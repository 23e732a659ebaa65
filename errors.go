package muxwell

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrNilHandler is the error of a registration without a handler: a nil
// interface, a nil function, or a nil function in an [http.HandlerFunc].
var ErrNilHandler = errors.New("nil handler")

// A PatternError reports a pattern that cannot be registered, with the place
// in it that is wrong. [Mux.Add] returns it; [Mux.Handle] panics with it.
type PatternError struct {
	Pattern string // the pattern as it was given, after the method that a function like Get puts in front
	Offset  int    // the byte in Pattern at which the fault begins, 0 ≤ Offset ≤ len(Pattern)
	Reason  string // what is wrong there, and where there is one, the way out
	Err     error  // the cause, if it is one of this package's errors; may be nil
}

// patternError returns a PatternError whose reason quotes no more of a text than
// fits a message.
func patternError(pattern string, offset int, format string, args ...any) *PatternError {
	for i, arg := range args {
		if s, ok := arg.(string); ok {
			args[i] = abridge(s)
		}
	}
	return &PatternError{Pattern: pattern, Offset: offset, Reason: fmt.Sprintf(format, args...)}
}

// Error returns the reason with the offset, and below it the pattern with a
// caret under the fault.
func (e *PatternError) Error() string {
	return fmt.Sprintf("muxwell: pattern %q: at offset %d: %s\n%s",
		abridge(e.Pattern), e.Offset, e.Reason, caret(e.Pattern, e.Offset))
}

// Unwrap returns e.Err.
func (e *PatternError) Unwrap() error { return e.Err }

// A ConflictError reports a pattern that cannot stand beside one registered
// before: a duplicate, or under [StrictConflicts] an overlap that neither wins.
type ConflictError struct {
	Pattern     string // the pattern that was refused
	Source      string // file:line of its registration
	Other       string // the pattern that was there before
	OtherSource string // file:line of the other's registration
	Path        string // a path that both match; "" if none is known
	Reason      string // how the two relate, and the way out
}

// Error names both patterns, where they were registered, and how they clash.
func (e *ConflictError) Error() string {
	return fmt.Sprintf("muxwell: pattern %q (registered at %s) conflicts with pattern %q (registered at %s):\n%s",
		abridge(e.Pattern), e.Source, abridge(e.Other), e.OtherSource, e.Reason)
}

// A NameError reports a route name that is empty or taken.
type NameError struct {
	Name        string // the name that was refused
	Pattern     string // the pattern of the route that was to bear it
	Other       string // the pattern of the route that bears it; "" if the name is empty
	OtherSource string // file:line of the other's registration
	Reason      string // what is wrong with it, and the way out
}

// Error names the pattern and the name, and says what is wrong.
func (e *NameError) Error() string {
	return fmt.Sprintf("muxwell: pattern %q: name %q: %s", abridge(e.Pattern), abridge(e.Name), e.Reason)
}

// An OptionError reports an option of a route that asks for what cannot be.
type OptionError struct {
	Pattern string // the pattern of the route that was to have it
	Option  string // the option as it is written: Headers("X-Beta")
	Reason  string // what is wrong with it, and the way out
}

// Error names the pattern and the option, and says what is wrong.
func (e *OptionError) Error() string {
	return fmt.Sprintf("muxwell: pattern %q: %s: %s", abridge(e.Pattern), abridge(e.Option), e.Reason)
}

// optionError returns an OptionError whose reason quotes no more of a text than
// fits a message.
func optionError(option, format string, args ...any) *OptionError {
	for i, arg := range args {
		if s, ok := arg.(string); ok {
			args[i] = abridge(s)
		}
	}
	return &OptionError{Option: option, Reason: fmt.Sprintf(format, args...)}
}

// optionText returns an option as it is written: Headers("X-Beta", "1").
func optionText(name string, args []string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = strconv.Quote(arg)
	}
	return name + "(" + strings.Join(quoted, ", ") + ")"
}

// caret returns the line of text around offset and a line with a caret below
// that offset, both indented. Bytes that would not print are escaped, and the
// window is cut to a line's length so that a huge pattern stays readable.
func caret(text string, offset int) string {
	const reach = 50 // bytes shown on either side
	from, to := runeStart(text, max(0, offset-reach)), runeStart(text, min(len(text), offset+reach))
	before, after := printable(text[from:offset]), printable(text[offset:to])
	if from > 0 {
		before = "…" + before
	}
	if to < len(text) {
		after += "…"
	}
	return "\t" + before + after + "\n\t" + strings.Repeat(" ", utf8.RuneCountInString(before)) + "^"
}

// printable returns s with what does not print escaped as in a Go string.
func printable(s string) string {
	q := strconv.Quote(s)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

// abridge cuts a text that is too long for a message.
func abridge(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	return s[:runeStart(s, most)] + "…"
}

// runeStart returns where the character begins that byte i of s is part of; i
// itself at the end of s, and among bytes that are no characters.
func runeStart(s string, i int) int {
	for at := i; at >= 0 && at > i-utf8.UTFMax; at-- {
		if at == len(s) || utf8.RuneStart(s[at]) {
			return at
		}
	}
	return i
}
