package bytereplace

import "fmt"

// A Step is an operation on each byte of a text; see [Build]. The zero Step does
// nothing. A Step never changes, and may be used several times.
//
// # Classes
//
// Steps take classes of bytes. They are written like the text between the brackets of a
// regular expression of package regexp, and have the same meaning:
//
//	a           the byte a
//	a-z         the bytes from a to z
//	\t \n \v \f \r
//	            a tab, line feed, vertical tab, form feed, carriage return
//	\x7F        the byte with the number 0x7F, two hexadecimal digits
//	\\ \- \] \^ a literal backslash, or any other punctuation
//	\d          0-9
//	\w          0-9A-Za-z_
//	\s          \t\n\f\r and the space
//	[:punct:]   one of the classes alnum, alpha, ascii, blank, cntrl, digit,
//	            graph, lower, print, punct, space, upper, word, xdigit
//	^           as the first byte: all bytes except those that follow
//
// An expression of package regexp is about characters, a class about bytes. So
// \x80-\xFF are the bytes of all characters outside ASCII. Bytes above 0x7F can be
// written only with \x. A hyphen at the beginning or the end is literal; brackets need
// a backslash. The bytes of a class have the order in which they are written; after ^
// they are in ascending order. No class is empty.
type Step struct {
	to  *table     // nil for a step that does nothing
	err *StepError // nil, or the error of Build
}

// Build returns a Replacer that does in a single pass what the steps do one after
// another, each with the whole result of those before it. Without steps nothing
// changes.
//
// The error is a [*StepError] for the first invalid step.
func Build(steps ...Step) (*Replacer, error) {
	t := identity()
	for i, step := range steps {
		if step.err != nil {
			e := *step.err
			e.Step = i
			return nil, &e
		}
		if step.to == nil {
			continue
		}
		for c, to := range t {
			if to != deleted {
				t[c] = step.to[to]
			}
		}
	}
	return newReplacer(t), nil
}

// LowerASCII replaces the letters A-Z by a-z. It is Map("A-Z", "a-z").
func LowerASCII() Step {
	return Map("A-Z", "a-z")
}

// Delete deletes the bytes of a class.
func Delete(class string) Step {
	list, err := parseClass(class)
	if err != nil {
		return err.step("Delete(%#q)", class)
	}
	t := identity()
	for _, c := range list {
		t[c] = deleted
	}
	return Step{to: t}
}

// Keep deletes all bytes except those of a class.
func Keep(class string) Step {
	list, err := parseClass(class)
	if err != nil {
		return err.step("Keep(%#q)", class)
	}
	t := new(table)
	for c := range t {
		t[c] = deleted
	}
	for _, c := range list {
		t[c] = int16(c)
	}
	return Step{to: t}
}

// Map replaces the bytes of the class from by those of the class to. If to is a single
// byte, it replaces all of them. Otherwise the classes must have the same length, and
// the first byte is replaced by the first and so on, as in Map("a-z", "A-Z"). No byte
// may be replaced by two.
func Map(from, to string) Step {
	const call = "Map(%#q, %#q)"
	old, err := parseClass(from)
	if err != nil {
		return err.step(call, from, to)
	}
	results, err := parseClass(to)
	if err != nil {
		if to == "" {
			err.Reason += "; use Delete to delete bytes"
		}
		return err.step(call, from, to)
	}
	if len(results) != 1 && len(results) != len(old) {
		return classError(to, 0, "it has %d bytes for the %d of %#q; use one byte for all, or as many bytes",
			len(results), len(old), from).step(call, from, to)
	}
	t, seen := identity(), [256]bool{}
	for i, c := range old {
		result := results[0]
		if len(results) > 1 {
			result = results[i]
		}
		if seen[c] && t[c] != int16(result) {
			return classError(from, 0, "it has the byte %q twice, which becomes %q and %q; remove one of them",
				[]byte{c}, []byte{byte(t[c])}, []byte{result}).step(call, from, to)
		}
		t[c], seen[c] = int16(result), true
	}
	return Step{to: t}
}

// A StepError reports a step that [Build] rejects.
type StepError struct {
	Step   int    // the index of the step
	Call   string // the call that made the step
	Class  string // the class that is wrong
	Offset int    // the byte in Class at which the error begins, 0 ≤ Offset ≤ len(Class)
	Reason string // what is wrong there, and how to fix it
}

func classError(class string, offset int, format string, args ...any) *StepError {
	return &StepError{Class: class, Offset: offset, Reason: fmt.Sprintf(format, args...)}
}

// step returns the step that makes Build fail with e.
func (e *StepError) step(format string, classes ...any) Step {
	e.Call = fmt.Sprintf(format, classes...)
	return Step{err: e}
}

// Error returns the reason with the step, counted from 1, and the class.
func (e *StepError) Error() string {
	return fmt.Sprintf("bytereplace: step %d, %s: class %#q at offset %d: %s", e.Step+1, e.Call, e.Class, e.Offset, e.Reason)
}
