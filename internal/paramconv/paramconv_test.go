package paramconv

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"
)

type (
	testText  string
	testFlag  bool
	testID    int64
	testByte  uint8
	testRatio float32
)

// A testColor is a named integer with an UnmarshalText method, which decides.
type testColor uint8

var errColor = errors.New("no such color")

func (c *testColor) UnmarshalText(text []byte) error {
	if string(text) != "red" {
		return errColor
	}
	*c = 7
	return nil
}

// accepts checks that text is a T of the value want.
func accepts[T any](t *testing.T, text string, want T) {
	t.Helper()
	got, known, err := Parse[T](text)
	if fmt.Sprint(got) != fmt.Sprint(want) || !known || err != nil {
		t.Errorf("Parse[%T](%q) = %v, %v, %v, want %v, true, nil", want, text, got, known, err, want)
	}
}

// rejects checks that none of texts is a T.
func rejects[T any](t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if got, known, err := Parse[T](text); !known || err == nil {
			t.Errorf("Parse[%T](%q) = %v, %v, %v, want an error", got, text, got, known, err)
		}
	}
}

func TestParse(t *testing.T) {
	for _, text := range []string{"", "a/b", "\x00\xff", strings.Repeat("x", 1000)} {
		accepts(t, text, text)
		accepts(t, text, testText(text))
	}

	accepts(t, "+007", 7)
	accepts(t, "-128", int8(math.MinInt8))
	accepts(t, "32767", int16(math.MaxInt16))
	accepts(t, "-2147483648", int32(math.MinInt32))
	accepts(t, "9223372036854775807", int64(math.MaxInt64))
	accepts(t, "-5", testID(-5))
	rejects[int](t, "", "0x10", "1_000", "1.0", "1e3", " 1", "٣", "9223372036854775808")
	rejects[int8](t, "", "-129", "128")
	rejects[int16](t, "", "-32769", "32768")
	rejects[int32](t, "", "-2147483649", "2147483648")
	rejects[int64](t, "", "-9223372036854775809", "9223372036854775808")
	rejects[testID](t, "", "x", "9223372036854775808")

	accepts(t, strconv.FormatUint(math.MaxUint, 10), uint(math.MaxUint))
	accepts(t, "255", uint8(255))
	accepts(t, "65535", uint16(65535))
	accepts(t, "4294967295", uint32(math.MaxUint32))
	accepts(t, "18446744073709551615", uint64(math.MaxUint64))
	accepts(t, "42", uintptr(42))
	accepts(t, "255", testByte(255))
	rejects[uint](t, "", "-1", "+1", "18446744073709551616")
	rejects[uint8](t, "", "-1", "256")
	rejects[uint16](t, "", "-1", "65536")
	rejects[uint32](t, "", "-1", "4294967296")
	rejects[uint64](t, "", "-1", "18446744073709551616")
	rejects[testByte](t, "", "-1", "256")

	accepts(t, "-.5e-1", -.05)
	accepts(t, "1E+3", float32(1000))
	accepts(t, "0.5", testRatio(0.5))
	rejects[float64](t, "", "-", "NaN", "Inf", "-infinity", "0x1p-2", "1_0.5", "1,5", "1e309")
	rejects[float32](t, "", "nan", "1e39")
	rejects[testRatio](t, "", "inf", "0x1p0", "1e39")

	accepts(t, "T", true)
	accepts(t, "false", testFlag(false))
	rejects[bool](t, "", "yes", "tRUE")
	rejects[testFlag](t, "", "on")

	accepts(t, "2024-02-29", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC))
	accepts(t, "2024-02-29T13:14:15.5+07:30", time.Date(2024, 2, 29, 13, 14, 15, 500_000_000, time.FixedZone("", 7*3600+30*60)))
	rejects[time.Time](t, "", "2023-02-29", "2024-2-29", "24-02-29", "2024-02-29 13:14:15Z", "2024-02-29T13:14:15")
	accepts(t, "-1h30m", -90*time.Minute)
	rejects[time.Duration](t, "", "90", "1 h")

	accepts(t, "2001:DB8::1", netip.MustParseAddr("2001:db8::1"))
	accepts(t, "[::1]:80", netip.MustParseAddrPort("[::1]:80"))
	accepts(t, "10.0.0.0/8", netip.MustParsePrefix("10.0.0.0/8"))
	rejects[netip.Addr](t, "", "192.0.2.01", "[::1]", "localhost")
	rejects[netip.AddrPort](t, "", "::1", "1.2.3.4:99999")
	rejects[netip.Prefix](t, "", "10.0.0.0", "10.0.0.0/33")

	accepts(t, "red", testColor(7))
	rejects[testColor](t, "7", "")
	if _, _, err := Parse[testColor]("7"); err != errColor {
		t.Errorf("Parse[testColor](%q): error %v, want that of UnmarshalText, %v", "7", err, errColor)
	}
}

func TestParseOfUnknownTypes(t *testing.T) {
	isUnknown[struct{ A int }](t)
	isUnknown[func()](t)
	isUnknown[[]byte](t)
	isUnknown[[2]int](t)
	isUnknown[map[string]int](t)
	isUnknown[chan int](t)
	isUnknown[complex128](t)
	isUnknown[*int](t)
	isUnknown[*testColor](t)
	isUnknown[any](t)
	isUnknown[encoding.TextUnmarshaler](t)
}

// isUnknown checks that no text is read as a T.
func isUnknown[T any](t *testing.T) {
	t.Helper()
	if got, known, err := Parse[T]("1"); known || err != nil {
		t.Errorf("Parse[%T](%q) = %v, %v, %v, want not known", got, "1", got, known, err)
	}
}

// FuzzParse compares Parse with strconv, time and netip, and a named type with
// its kind.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"", "0", "-1", "255", "9223372036854775807", "1e3", "nan", "0x1", "1_0", "true", "::1", "10.0.0.0/8", "1h", "2024-02-29", "2024-02-29T13:14:15Z"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		agrees(t, text, text, nil)
		n, err := strconv.ParseInt(text, 10, 64)
		agrees(t, text, n, err)
		agrees(t, text, testID(n), err)
		n, err = strconv.ParseInt(text, 10, 0)
		agrees(t, text, int(n), err)
		n, err = strconv.ParseInt(text, 10, 8)
		agrees(t, text, int8(n), err)
		u, err := strconv.ParseUint(text, 10, 64)
		agrees(t, text, u, err)
		u, err = strconv.ParseUint(text, 10, 8)
		agrees(t, text, testByte(u), err)
		b, err := strconv.ParseBool(text)
		agrees(t, text, b, err)
		addr, err := netip.ParseAddr(text)
		agrees(t, text, addr, err)
		prefix, err := netip.ParsePrefix(text)
		agrees(t, text, prefix, err)
		d, err := time.ParseDuration(text)
		agrees(t, text, d, err)
		x, err := strconv.ParseFloat(text, 64)
		if strings.ContainsAny(text, "xX_nN") && err == nil { // hexadecimal, underscores, NaN and Inf
			err = strconv.ErrSyntax
		}
		agrees(t, text, x, err)
		when, err := time.Parse(time.DateOnly, text)
		if err != nil {
			when, err = time.Parse(time.RFC3339, text)
		}
		got, known, gotErr := Parse[time.Time](text)
		if !known || (gotErr != nil) != (err != nil) || err == nil && !got.Equal(when) {
			t.Errorf("Parse[time.Time](%q) = %v, %v, %v, want %v, %v", text, got, known, gotErr, when, err)
		}
	})
}

// agrees checks that Parse makes the same of text as another parser.
func agrees[T comparable](t *testing.T, text string, want T, wantErr error) {
	t.Helper()
	got, known, err := Parse[T](text)
	if !known || (err != nil) != (wantErr != nil) || err == nil && got != want {
		t.Errorf("Parse[%T](%q) = %v, %v, %v, want %v, %v", want, text, got, known, err, want, wantErr)
	}
}
