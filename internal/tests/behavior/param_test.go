package behavior

import (
	"encoding"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/paramconv"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

type (
	testID    int64
	testByte  uint8
	testName  string
	testFlag  bool
	testRatio float32
)

// A testColor is a named basic type that is read by its own UnmarshalText.
type testColor uint8

func (c *testColor) UnmarshalText(text []byte) error {
	if string(text) != "red" {
		*c = 99
		return errors.New("secret: no such row in colors")
	}
	*c = 7
	return nil
}

// A testPanic panics on what it does not like.
type testPanic struct{}

func (*testPanic) UnmarshalText(text []byte) error { panic(string(text)) }

// A testRefusing is a generic type that takes no text.
type testRefusing[T any] struct{ _ T }

func (*testRefusing[T]) UnmarshalText([]byte) error { return errors.New("no") }

// requestAndParams returns a request and a Params whose parameter "v" has the
// given text.
func requestAndParams(t testing.TB, text string) (r *http.Request, p muxwell.Params) {
	t.Helper()
	m := muxwell.New()
	m.HandleFunc("/request/{v...}", func(_ http.ResponseWriter, got *http.Request) { r = got })
	m.HandleParams("/params/{v...}", func(_ http.ResponseWriter, _ *http.Request, got muxwell.Params) { p = got })
	for _, base := range []string{"/request/", "/params/"} {
		m.ServeHTTP(muxtest.NewWriter(), muxtest.NewRequest("GET", base+url.PathEscape(text)))
	}
	if r == nil || p.Len() != 1 {
		t.Fatalf("no route took the text %q", text)
	}
	return r, p
}

// readBoth returns what Param makes of text, from a request and from a Params.
func readBoth[T any](t testing.TB, text string) (results [2]struct {
	from string
	got  T
	err  error
},
) {
	t.Helper()
	r, p := requestAndParams(t, text)
	results[0].from, results[1].from = "request", "Params"
	results[0].got, results[0].err = muxwell.Param[T](r, "v")
	results[1].got, results[1].err = muxwell.Param[T](p, "v")
	return results
}

// Matches checks that text is read as want.
func takes[T any](t *testing.T, text string, want T) {
	t.Helper()
	for _, res := range readBoth[T](t, text) {
		if fmt.Sprint(res.got) != fmt.Sprint(want) || res.err != nil {
			t.Errorf("Param[%T] of %q from a %s: got %v, %v, want %v", want, text, res.from, res.got, res.err, want)
		}
	}
}

// refuses checks that each of texts is refused with a *ParamError and the zero
// T, and that the error speaks of the type as is says.
func refuses[T any](t *testing.T, is string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		for _, res := range readBoth[T](t, text) {
			var zero T
			if fmt.Sprint(res.got) != fmt.Sprint(zero) {
				t.Errorf("Param[%T] of %q from a %s: got %v with an error, want the zero value", zero, text, res.from, res.got)
			}
			var e *muxwell.ParamError
			if !errors.As(res.err, &e) {
				t.Errorf("Param[%T] of %q from a %s: got %v, %v, want a *ParamError", zero, text, res.from, res.got, res.err)
				continue
			}
			if want := fmt.Sprintf("muxwell: parameter %q: %q is not %s", "v", text, is); res.err.Error() != want {
				t.Errorf("Param[%T] of %q from a %s: error %q, want %q", zero, text, res.from, res.err, want)
			}
			if e.Name != "v" || e.Value != text || !strings.HasSuffix(is, " "+e.Type) || e.Err == nil || e.Unwrap() != e.Err || e.StatusCode() != 400 {
				t.Errorf("Param[%T] of %q from a %s: error %#v with status %d", zero, text, res.from, e, e.StatusCode())
			}
			if errors.Is(res.err, muxwell.ErrNoParam) {
				t.Errorf("Param[%T] of %q from a %s: error %q is ErrNoParam too", zero, text, res.from, res.err)
			}
		}
	}
}

func TestParamText(t *testing.T) {
	for _, text := range []string{"", "a", "a/b", "é", "\x00\xff", "100%", strings.Repeat("x", 100)} {
		takes(t, text, text)
		takes(t, text, testName(text))
	}
}

func TestParamIntegers(t *testing.T) {
	takes(t, "0", 0)
	takes(t, "+7", 7)
	takes(t, "-0", 0)
	takes(t, "007", 7)
	takes(t, strconv.Itoa(math.MaxInt), math.MaxInt)
	takes(t, strconv.Itoa(math.MinInt), math.MinInt)
	refuses[int](t, "an int", "", "abc", "1.0", "1e3", "0x10", "1_000", " 1", "1 ", "--1", "٣", "9223372036854775808", "-9223372036854775809", strings.Repeat("9", 150))

	takes(t, "127", int8(127))
	takes(t, "-128", int8(-128))
	refuses[int8](t, "an int8", "128", "-129", "")
	takes(t, "32767", int16(32767))
	takes(t, "-32768", int16(-32768))
	refuses[int16](t, "an int16", "32768", "-32769", "")
	takes(t, "2147483647", int32(math.MaxInt32))
	takes(t, "-2147483648", int32(math.MinInt32))
	refuses[int32](t, "an int32", "2147483648", "-2147483649", "")
	takes(t, "9223372036854775807", int64(math.MaxInt64))
	takes(t, "-9223372036854775808", int64(math.MinInt64))
	refuses[int64](t, "an int64", "9223372036854775808", "-9223372036854775809", "", "0x1", "1_0")

	takes(t, strconv.FormatUint(math.MaxUint, 10), uint(math.MaxUint))
	refuses[uint](t, "a uint", "-1", "+1", "18446744073709551616", "")
	takes(t, "255", uint8(255))
	refuses[uint8](t, "a uint8", "256", "-1", "")
	takes(t, "65535", uint16(65535))
	refuses[uint16](t, "a uint16", "65536", "-1", "")
	takes(t, "4294967295", uint32(math.MaxUint32))
	refuses[uint32](t, "a uint32", "4294967296", "-1", "")
	takes(t, "18446744073709551615", uint64(math.MaxUint64))
	refuses[uint64](t, "a uint64", "18446744073709551616", "-1", "")
	takes(t, "42", uintptr(42))
	refuses[uintptr](t, "a uintptr", "18446744073709551616", "-1", "")
}

func TestParamFloatsAndBools(t *testing.T) {
	takes(t, "3.25", 3.25)
	takes(t, "-.5", -.5)
	takes(t, "1e3", 1e3)
	takes(t, "1E-3", 1e-3)
	takes(t, "1.7976931348623157e308", math.MaxFloat64)
	takes(t, "1e-999", 0.0)
	refuses[float64](t, "a float64", "", "-", "1.2.3", "e", "abc", "NaN", "nan", "Inf", "-inf", "+Infinity", "1e309", "-1e309", "0x1p-2", "1_0.5", "1,5", " 1")
	takes(t, "3.4028235e38", float32(math.MaxFloat32))
	refuses[float32](t, "a float32", "", "1e39", "NaN", "0x1p0")

	for _, text := range []string{"1", "t", "T", "true", "True", "TRUE"} {
		takes(t, text, true)
	}
	for _, text := range []string{"0", "f", "F", "false", "False", "FALSE"} {
		takes(t, text, false)
	}
	refuses[bool](t, "a bool", "", "yes", "on", "2", "tRUE")
}

func TestParamTimes(t *testing.T) {
	takes(t, "2024-02-29", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC))
	takes(t, "2024-02-29T13:14:15Z", time.Date(2024, 2, 29, 13, 14, 15, 0, time.UTC))
	takes(t, "2024-02-29T13:14:15.123456789+07:30", time.Date(2024, 2, 29, 13, 14, 15, 123456789, time.FixedZone("", 7*3600+30*60)))
	refuses[time.Time](t, "a time.Time", "", "2023-02-29", "2024-13-01", "2024-2-29", "24-02-29", "2024/02/29", "20240229", "2024-02-29T13:14:15", "2024-02-29 13:14:15Z", "2024-02-29T25:00:00Z", "today")

	takes(t, "1h30m", 90*time.Minute)
	takes(t, "-5ms", -5*time.Millisecond)
	refuses[time.Duration](t, "a time.Duration", "", "90", "1 h", "9999999h")
}

func TestParamAddresses(t *testing.T) {
	takes(t, "192.0.2.1", netip.MustParseAddr("192.0.2.1"))
	takes(t, "2001:DB8::1", netip.MustParseAddr("2001:db8::1"))
	takes(t, "fe80::1%eth0", netip.MustParseAddr("fe80::1%eth0"))
	refuses[netip.Addr](t, "a netip.Addr", "", "192.0.2", "192.0.2.256", "192.0.2.01", "192.0.2.1:80", "[::1]", "localhost")
	takes(t, "[::1]:80", netip.MustParseAddrPort("[::1]:80"))
	refuses[netip.AddrPort](t, "a netip.AddrPort", "", "::1", "1.2.3.4:99999")
	takes(t, "10.0.0.0/8", netip.MustParsePrefix("10.0.0.0/8"))
	refuses[netip.Prefix](t, "a netip.Prefix", "", "10.0.0.0", "10.0.0.0/33")
}

func TestParamNamedTypes(t *testing.T) {
	takes(t, "-5", testID(-5))
	refuses[testID](t, "a behavior.testID", "", "x", "9223372036854775808")
	takes(t, "255", testByte(255))
	refuses[testByte](t, "a behavior.testByte", "256", "-1")
	takes(t, "true", testFlag(true))
	refuses[testFlag](t, "a behavior.testFlag", "yes")
	takes(t, "0.5", testRatio(0.5))
	refuses[testRatio](t, "a behavior.testRatio", "1e39", "NaN", "0x1p0")
}

func TestParamTextUnmarshaler(t *testing.T) {
	takes(t, "red", testColor(7))
	refuses[testColor](t, "a behavior.testColor", "7", "blue", "")
	if _, err := muxwell.Param[testColor](mustParams(t, "blue"), "v"); strings.Contains(err.Error(), "secret") {
		t.Errorf("Param[testColor] of %q: error %q shows its cause", "blue", err)
	}
	defer func() {
		if got := recover(); got != "boom" {
			t.Errorf("UnmarshalText of %q panicked: Param panicked with %v, want the same", "boom", got)
		}
	}()
	muxwell.Param[testPanic](mustParams(t, "boom"), "v")
}

func mustParams(t testing.TB, text string) muxwell.Params {
	t.Helper()
	_, p := requestAndParams(t, text)
	return p
}

// isUnreadable checks that a T is refused, with an error that is not the
// client's and says what to do.
func isUnreadable[T any](t *testing.T) {
	t.Helper()
	for _, res := range readBoth[T](t, "1") {
		var zero T
		var e *muxwell.ParamError
		switch {
		case res.err == nil:
			t.Errorf("Param[%T] from a %s: got %v, want an error", zero, res.from, res.got)
		case errors.As(res.err, &e) || errors.Is(res.err, muxwell.ErrNoParam):
			t.Errorf("Param[%T] from a %s: got error %q, want one of neither other kind", zero, res.from, res.err)
		case reflect.TypeFor[T]().Kind() == reflect.Pointer && !strings.Contains(res.err.Error(), ": read a "),
			reflect.TypeFor[T]().Kind() != reflect.Pointer && !strings.Contains(res.err.Error(), "implement encoding.TextUnmarshaler"):
			t.Errorf("Param[%T] from a %s: error %q does not say what to do", zero, res.from, res.err)
		}
	}
}

func TestParamUnreadableTypes(t *testing.T) {
	isUnreadable[struct{ A int }](t)
	isUnreadable[func()](t)
	isUnreadable[[]byte](t)
	isUnreadable[[2]int](t)
	isUnreadable[map[string]int](t)
	isUnreadable[chan int](t)
	isUnreadable[complex128](t)
	isUnreadable[*int](t)
	isUnreadable[*testColor](t)
	isUnreadable[any](t)
	isUnreadable[encoding.TextUnmarshaler](t)
}

func TestParamErrorText(t *testing.T) {
	long := strings.Repeat("<\n", 1<<10)
	for _, row := range []struct {
		err  *muxwell.ParamError
		want string
	}{
		{&muxwell.ParamError{Name: "id", Value: "abc", Type: "int"}, `muxwell: parameter "id": "abc" is not an int`},
		{&muxwell.ParamError{Name: "n\n", Value: "\"\x00", Type: "uint"}, `muxwell: parameter "n\n": "\"\x00" is not a uint`},
		{&muxwell.ParamError{Name: "id", Value: long, Type: "uuid.UUID"}, `muxwell: parameter "id": "` + strings.Repeat(`<\n`, 100) + `…" is not a uuid.UUID`},
		{&muxwell.ParamError{}, `muxwell: parameter "": "" is not a `},
	} {
		if got := row.err.Error(); got != row.want {
			t.Errorf("error of %#v: got %s, want %s", row.err, got, row.want)
		}
	}
	_, err := muxwell.Param[testRefusing[testID]](mustParams(t, "x"), "v")
	if want := `muxwell: parameter "v": "x" is not a behavior.testRefusing`; fmt.Sprint(err) != want {
		t.Errorf("Param of a generic type: got error %v, want %s", err, want)
	}
}

// TestParamWithoutValue reads parameters that have no value, for the reason
// that the error is to give.
func TestParamWithoutValue(t *testing.T) {
	var r *http.Request
	var p muxwell.Params
	m := muxwell.New()
	m.HandleFunc("GET /request/{id}/to/{path...}", func(_ http.ResponseWriter, got *http.Request) { r = got })
	m.HandleParams("GET /value/{id}/to/{path...}", func(_ http.ResponseWriter, got *http.Request, params muxwell.Params) { r, p = got, params })
	m.HandleFunc("GET /none/{$}", func(_ http.ResponseWriter, got *http.Request) { r = got })
	serve := func(path string) *http.Request {
		m.ServeHTTP(muxtest.NewWriter(), muxtest.NewRequest("GET", path))
		return r
	}
	with := func(pattern string) *http.Request { return &http.Request{Pattern: pattern} }

	for _, row := range []struct {
		request *http.Request
		name    string
		want    string
	}{
		{serve("/request/7/to/"), "uid", `muxwell: no parameter "uid": pattern "GET /request/{id}/to/{path...}" has id, path`},
		{serve("/request/7/to/"), "", `muxwell: no parameter "": pattern "GET /request/{id}/to/{path...}" has id, path`},
		{serve("/request/7/to/"), "request", `muxwell: no parameter "request": pattern "GET /request/{id}/to/{path...}" has id, path`},
		{serve("/none/"), "id", `muxwell: no parameter "id": pattern "GET /none/{$}" has none`},
		{serve("/value/7/to/x"), "id", `muxwell: no parameter "id": pattern "GET /value/{id}/to/{path...}" has it, but the request has no values; in a value handler read the Params`},
		{serve("/value/7/to/x"), "path", `muxwell: no parameter "path": pattern "GET /value/{id}/to/{path...}" has it, but the request has no values; in a value handler read the Params`},
		{serve("/value/7/to/x"), "uid", `muxwell: no parameter "uid": pattern "GET /value/{id}/to/{path...}" has id, path`},
		{with(""), "id", `muxwell: no parameter "id": the request has no pattern, so no mux has matched it`},
		{with("users/:id"), "id", `muxwell: no parameter "id": pattern "users/:id" has none`},
		{with("users-by-id"), "id", `muxwell: no parameter "id": pattern "users-by-id" is not a muxwell pattern, and the request has no such value`},
		{with("GET /a//../{id}"), "id", `muxwell: no parameter "id": pattern "GET /a//../{id}" has it, but the request has no values; in a value handler read the Params`},
	} {
		_, errString := muxwell.Param[string](row.request, row.name)
		_, errInt := muxwell.Param[int](row.request, row.name)
		for _, err := range []error{errString, errInt} {
			checkNoParam(t, fmt.Sprintf("request with pattern %q", row.request.Pattern), row.name, err, row.want)
		}
	}
	serve("/value/7/to/x")
	_, err := muxwell.Param[int](p, "uid")
	checkNoParam(t, "Params", "uid", err, `muxwell: no parameter "uid": pattern "GET /value/{id}/to/{path...}" has id, path`)
	_, err = muxwell.Param[int](muxwell.Params{}, "id")
	checkNoParam(t, "zero Params", "id", err, `muxwell: no parameter "id": the Params is the zero Params, which belongs to no route`)
}

func checkNoParam(t *testing.T, from, name string, err error, want string) {
	t.Helper()
	var e *muxwell.ParamError
	if fmt.Sprint(err) != want || !errors.Is(err, muxwell.ErrNoParam) || errors.As(err, &e) {
		t.Errorf("parameter %q of a %s:\n got error %v (ErrNoParam: %v)\nwant %s", name, from, err, errors.Is(err, muxwell.ErrNoParam), want)
	}
}

// TestParamOfOtherMuxes reads what another router left in the request.
func TestParamOfOtherMuxes(t *testing.T) {
	for _, pattern := range []string{"", "users-by-id", "/users/:id", "/users/{id}"} {
		r := &http.Request{Pattern: pattern}
		r.SetPathValue("id", "42")
		if got, err := muxwell.Param[int](r, "id"); got != 42 || err != nil {
			t.Errorf("after SetPathValue, pattern %q: got %d, %v, want 42", pattern, got, err)
		}
	}
	std := http.NewServeMux()
	std.HandleFunc("/users/{id}/{rest...}", func(_ http.ResponseWriter, r *http.Request) {
		id, err := muxwell.Param[int](r, "id")
		rest, errRest := muxwell.Param[string](r, "rest")
		_, errNone := muxwell.Param[int](r, "none")
		if id != 42 || err != nil || rest != "" || errRest != nil || !errors.Is(errNone, muxwell.ErrNoParam) {
			t.Errorf("behind http.ServeMux: got %d, %v and %q, %v and %v, want 42, an empty text and ErrNoParam", id, err, rest, errRest, errNone)
		}
	})
	w := muxtest.NewWriter()
	std.ServeHTTP(w, muxtest.NewRequest("GET", "/users/42/"))
	if w.Status != 0 {
		t.Errorf("http.ServeMux answered /users/42/ with status %d", w.Status)
	}
}

func TestParamAllocatesNothing(t *testing.T) {
	allocatesNothing[int](t, "42")
	allocatesNothing[int64](t, "42")
	allocatesNothing[uint16](t, "42")
	allocatesNothing[string](t, "42")
	allocatesNothing[float64](t, "3.5")
	allocatesNothing[float32](t, "3.5")
	allocatesNothing[bool](t, "true")
	allocatesNothing[netip.Addr](t, "2001:db8::1")
	allocatesNothing[time.Time](t, "2024-02-29")
	allocatesNothing[time.Time](t, "2024-02-29T13:14:15Z")
	allocatesNothing[time.Duration](t, "1h")
}

func allocatesNothing[T any](t *testing.T, text string) {
	t.Helper()
	r, p := requestAndParams(t, text)
	var got T
	var err error
	for from, read := range map[string]func(){
		"request": func() { got, err = muxwell.Param[T](r, "v") },
		"Params":  func() { got, err = muxwell.Param[T](p, "v") },
	} {
		if n := testing.AllocsPerRun(100, read); n != 0 || err != nil {
			t.Errorf("Param[%T] of %q from a %s: %v allocations and error %v, want none", got, text, from, n, err)
		}
	}
}

// FuzzParam compares what Param reads from a request and from a Params with what
// the text alone is.
func FuzzParam(f *testing.F) {
	for _, text := range []string{"", "0", "-1", "255", "9223372036854775807", "1e3", "nan", "0x1", "1_0", "true", "::1", "2024-02-29"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var p muxwell.Params
		m := muxwell.New(muxwell.UncleanPath(muxwell.PathServe))
		m.HandleParams("/{v...}", func(_ http.ResponseWriter, _ *http.Request, got muxwell.Params) { p = got })
		r := &http.Request{Method: "GET", URL: &url.URL{Path: "/" + text}, Header: http.Header{}}
		if muxtest.AnswerTo(m, r); r.Pattern == "" {
			t.Fatalf("%q: no route matched", text)
		}
		r.SetPathValue("v", text)

		agrees[string](t, r, p, text)
		agrees[int64](t, r, p, text)
		agrees[testID](t, r, p, text)
		agrees[int](t, r, p, text)
		agrees[int8](t, r, p, text)
		agrees[uint64](t, r, p, text)
		agrees[testByte](t, r, p, text)
		agrees[bool](t, r, p, text)
		agrees[netip.Addr](t, r, p, text)
		agrees[time.Duration](t, r, p, text)
		agrees[float64](t, r, p, text)
		muxwell.Param[time.Time](r, "v")
	})
}

// agrees checks that Param makes of a parameter what its text is, and the zero
// value if that is no T.
func agrees[T comparable](t *testing.T, r *http.Request, p muxwell.Params, text string) {
	t.Helper()
	want, _, wantErr := paramconv.Parse[T](text)
	if wantErr != nil {
		var zero T
		want = zero
	}
	fromRequest, err1 := muxwell.Param[T](r, "v")
	fromParams, err2 := muxwell.Param[T](p, "v")
	if fromRequest != want || fromParams != want || (err1 != nil) != (wantErr != nil) || (err2 != nil) != (wantErr != nil) {
		t.Errorf("Param[%T] of %q: got %v, %v and %v, %v, want %v, %v", want, text, fromRequest, err1, fromParams, err2, want, wantErr)
	}
}

func BenchmarkParam(b *testing.B) {
	r, p := requestAndParams(b, "12345")
	var n int
	var id testID
	for _, row := range []struct {
		from, read string
		f          func()
	}{
		{"request", "Atoi", func() { n, _ = strconv.Atoi(r.PathValue("v")) }},
		{"request", "int", func() { n, _ = muxwell.Param[int](r, "v") }},
		{"request", "named", func() { id, _ = muxwell.Param[testID](r, "v") }},
		{"Params", "Atoi", func() { n, _ = strconv.Atoi(p.Get("v")) }},
		{"Params", "int", func() { n, _ = muxwell.Param[int](p, "v") }},
		{"Params", "named", func() { id, _ = muxwell.Param[testID](p, "v") }},
	} {
		b.Run("from="+row.from+"/read="+row.read, func(b *testing.B) {
			n, id = 0, 0
			if row.f(); n+int(id) != 12345 {
				b.Fatalf("read %d, want 12345", n+int(id))
			}
			b.ReportAllocs()
			for b.Loop() {
				row.f()
			}
		})
	}
}
