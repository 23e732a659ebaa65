package muxwell

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/paramconv"
	"github.com/muxwell/muxwell/internal/pattern"
)

// Param returns the parameter called name, of a request or of a [Params], as a T:
//
//	string                    the text itself
//	int…, uint…               decimal digits, after a sign if T has one, in the range of T
//	float32, float64          decimal, with or without exponent, and finite
//	bool                      what [strconv.ParseBool] accepts
//	time.Time                 2006-01-02, which is midnight UTC, or RFC 3339
//	time.Duration             what [time.ParseDuration] accepts
//	netip.Addr                what [netip.ParseAddr] accepts; AddrPort and Prefix likewise
//	other types               by UnmarshalText, if *T has it; or, if the underlying type
//	                          is a string, integer, float or bool, like that type
//
// Infinities, NaN, hexadecimal numbers and underscores between digits are rejected:
// they pass range checks, or surprise. Only a catch-all can be empty, and only a
// string, or a T whose UnmarshalText does so, accepts the empty text.
//
// With an error the result is the zero T. There are three kinds:
//
//   - A [*ParamError], if the text is not a valid T. This is an error of the client.
//   - An error that wraps [ErrNoParam], if the pattern does not have the parameter, or the
//     request has no value for it since it went to a value handler. This is a bug in the
//     program.
//   - Another error, if T is not a type of the list above. This is a bug in the program too.
//
// A value handler must read its Params. The request that it gets has no values, and if
// the pattern's only parameter is a catch-all, the request seems to have an empty value.
//
// Reading a type that is named in the list does not allocate, unless a time or an
// address has a zone of its own.
func Param[T any, S *http.Request | Params](from S, name string) (T, error) {
	var zero T
	text, err := paramText(any(from), name)
	if err != nil {
		return zero, err
	}
	v, known, err := paramconv.Parse[T](text)
	switch {
	case !known:
		t := reflect.TypeFor[T]()
		if t.Kind() == reflect.Pointer {
			return zero, fmt.Errorf("muxwell: parameter %q cannot be read as %v: read a %v, or a string", name, t, t.Elem())
		}
		return zero, fmt.Errorf("muxwell: parameter %q cannot be read as %v: implement encoding.TextUnmarshaler on *%v, or read a string", name, t, t)
	case err != nil:
		return zero, &ParamError{Name: name, Value: text, Type: typeName(reflect.TypeFor[T]()), Err: err}
	}
	return v, nil
}

// ErrNoParam is the error of reading a parameter that the pattern does not have.
var ErrNoParam = errors.New("no parameter")

// A ParamError reports a parameter whose text is not of the type that [Param] should
// return. Its text may be shown to the client.
type ParamError struct {
	Name  string // the parameter's name
	Value string // its text, as the client sent it
	Type  string // the type's name, without its package path
	Err   error  // the cause; if it is from UnmarshalText, it may contain what clients must not see
}

// Error returns a message with the parameter, the text and the type. It leaves out the
// cause.
func (e *ParamError) Error() string {
	article := "a"
	if strings.IndexAny(e.Type, "aeioAEIO") == 0 {
		article = "an"
	}
	return fmt.Sprintf("muxwell: parameter %q: %q is not %s %s", e.Name, excerpt.Abridge(e.Value), article, e.Type)
}

// Unwrap returns e.Err.
func (e *ParamError) Unwrap() error { return e.Err }

// StatusCode returns 400, the status for a request with such a parameter.
func (e *ParamError) StatusCode() int { return http.StatusBadRequest }

// typeName returns the name of a type as [ParamError] shows it. The arguments of a
// generic type are left out, since they contain package paths.
func typeName(t reflect.Type) string {
	name, _, _ := strings.Cut(t.String(), "[")
	return name
}

// paramText returns the text of a parameter. from is a *http.Request or a
// Params.
func paramText(from any, name string) (string, error) {
	switch from := from.(type) {
	case *http.Request:
		if text := from.PathValue(name); text != "" {
			return text, nil
		}
		return "", checkEmpty(from, name)
	case Params:
		if text, ok := from.Lookup(name); ok {
			return text, nil
		}
		return "", noParamIn(from, name)
	}
	panic("unreachable: the constraint of Param has no other types")
}

// checkEmpty returns nil if the request's pattern has a catch-all called name that may
// have matched the empty text. Otherwise it returns why there is no value.
func checkEmpty(r *http.Request, name string) error {
	if r.Pattern == "" {
		return noParam(name, "the request has no pattern, so no mux has matched it")
	}
	p, err := parse(r.Pattern, pattern.Rules{Unclean: true, Lenient: true})
	if err != nil {
		return noParam(name, "pattern %q is not a muxwell pattern, and the request has no such value", excerpt.Abridge(r.Pattern))
	}
	names := p.Names()
	lost := func(n string) bool { // what a segment matched is not empty
		return r.PathValue(n) == "" && (p.Last().Kind != pattern.CatchAll || p.Last().Text != n)
	}
	switch {
	case !slices.Contains(names, name):
		return noParam(name, "pattern %q has %s", excerpt.Abridge(r.Pattern), listNames(names))
	case slices.ContainsFunc(names, lost):
		return noParam(name, "pattern %q has it, but the request has no values; in a value handler read the Params", excerpt.Abridge(r.Pattern))
	}
	return nil
}

func noParamIn(p Params, name string) error {
	if p.values.IsZero() {
		return noParam(name, "the Params is the zero Params, which belongs to no route")
	}
	if p.values.Pattern() == "" {
		return noParam(name, "the Params of ParamsOf has %s", listNames(p.values.Names()))
	}
	return noParam(name, "pattern %q has %s", excerpt.Abridge(p.values.Pattern()), listNames(p.values.Names()))
}

// noParam returns the error for a name without a value.
func noParam(name, reason string, args ...any) error {
	return fmt.Errorf("muxwell: %w %q: %s", ErrNoParam, name, fmt.Sprintf(reason, args...))
}

func listNames(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return excerpt.Abridge(strings.Join(names, ", "))
}
