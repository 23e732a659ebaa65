// Package paramconv converts the text of a parameter to a value of a Go type.
//
//	string                    the text as it is
//	int…, uint…               decimal digits, after a sign if the type has one, in range
//	float32, float64          decimal, with or without exponent, and finite
//	bool                      what [strconv.ParseBool] accepts
//	time.Time                 2006-01-02, which is midnight UTC, or RFC 3339
//	time.Duration             what [time.ParseDuration] accepts
//	netip.Addr                what [netip.ParseAddr] accepts; AddrPort and Prefix likewise
//	other types               UnmarshalText, if a pointer to the type has it; else a named
//	                          string, integer, float or bool is read as that
//
// Infinities, NaN, hexadecimal numbers and underscores between digits are
// rejected: they slip through range checks, or surprise.
//
// The package knows nothing of requests and of where a text comes from.
package paramconv

import (
	"encoding"
	"net/netip"
	"reflect"
	"strconv"
	"time"
)

// Parse returns text as a T. It reports false for known if the package cannot
// read a T from any text; then err is nil. If err is not nil, text is not a T,
// and v is of no use.
//
// For the types that are listed by name Parse does not allocate, unless it fails,
// or a time or an address has a zone of its own.
func Parse[T any](text string) (v T, known bool, err error) {
	if known, err = parseListed(any(&v), text); known {
		return v, true, err
	}
	return parseOther[T](text)
}

// parseListed sets *to to the value of text, for the types that are listed by
// name. It reports false for a pointer to any other. *to does not escape.
func parseListed(to any, text string) (known bool, err error) {
	switch to := to.(type) {
	case *string:
		*to = text
	case *int:
		*to, err = strconv.Atoi(text)
	case *int8:
		err = parseInt(to, text, 8)
	case *int16:
		err = parseInt(to, text, 16)
	case *int32:
		err = parseInt(to, text, 32)
	case *int64:
		*to, err = strconv.ParseInt(text, 10, 64)
	case *uint:
		err = parseUint(to, text, strconv.IntSize)
	case *uint8:
		err = parseUint(to, text, 8)
	case *uint16:
		err = parseUint(to, text, 16)
	case *uint32:
		err = parseUint(to, text, 32)
	case *uint64:
		*to, err = strconv.ParseUint(text, 10, 64)
	case *float32:
		var f float64
		f, err = parseFloat(text, 32)
		*to = float32(f)
	case *float64:
		*to, err = parseFloat(text, 64)
	case *bool:
		*to, err = strconv.ParseBool(text)
	case *time.Time:
		*to, err = parseTime(text)
	case *time.Duration:
		*to, err = time.ParseDuration(text)
	// UnmarshalText of these three accepts the empty text, so it is not used.
	case *netip.Addr:
		*to, err = netip.ParseAddr(text)
	case *netip.AddrPort:
		*to, err = netip.ParseAddrPort(text)
	case *netip.Prefix:
		*to, err = netip.ParsePrefix(text)
	default:
		return false, nil
	}
	return true, err
}

func parseInt[T int8 | int16 | int32](to *T, text string, bits int) error {
	n, err := strconv.ParseInt(text, 10, bits)
	*to = T(n)
	return err
}

func parseUint[T uint | uint8 | uint16 | uint32](to *T, text string, bits int) error {
	n, err := strconv.ParseUint(text, 10, bits)
	*to = T(n)
	return err
}

// parseFloat returns a finite decimal number.
func parseFloat(text string, bits int) (float64, error) {
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9', c == '.', c == '-', c == '+', c == 'e', c == 'E':
		default:
			return 0, strconv.ErrSyntax
		}
	}
	return strconv.ParseFloat(text, bits)
}

// parseTime returns a date, or a time as RFC 3339 has it.
func parseTime(text string) (time.Time, error) {
	if len(text) == len(time.DateOnly) {
		return time.Parse(time.DateOnly, text)
	}
	return time.Parse(time.RFC3339, text)
}

// parseOther is Parse for the types that are not listed by name.
func parseOther[T any](text string) (v T, known bool, err error) {
	if _, ok := any((*T)(nil)).(encoding.TextUnmarshaler); ok {
		to := new(T)
		err := any(to).(encoding.TextUnmarshaler).UnmarshalText([]byte(text))
		return *to, true, err
	}
	known, err = parseKind(reflect.ValueOf(&v).Elem(), text)
	return v, known, err
}

// parseKind is parseListed for a variable of a named type, by its kind.
func parseKind(to reflect.Value, text string) (known bool, err error) {
	switch {
	case to.Kind() == reflect.String:
		to.SetString(text)
	case to.Kind() == reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(text)
		to.SetBool(b)
	case to.CanInt():
		var n int64
		n, err = strconv.ParseInt(text, 10, to.Type().Bits())
		to.SetInt(n)
	case to.CanUint():
		var n uint64
		n, err = strconv.ParseUint(text, 10, to.Type().Bits())
		to.SetUint(n)
	case to.CanFloat():
		var f float64
		f, err = parseFloat(text, to.Type().Bits())
		to.SetFloat(f)
	default:
		return false, nil
	}
	return true, err
}
