package command

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestStatus(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		stderr string
	}{
		{nil, 0, ""},
		{flag.ErrHelp, 0, ""},
		{errors.New("no such file"), Failed, "similarity x: no such file\n"},
		{fmt.Errorf("-n: %w", UsageError{errors.New("no number")}), Usage, "similarity x: -n: no number\n"},
		{fmt.Errorf("%w: 3", ErrRejected), Rejected, ""},
		{fmt.Errorf("%w after 3 rows", ErrInterrupted), Interrupted, "similarity x: interrupted after 3 rows\n"},
	} {
		var stderr strings.Builder
		if got := Status("similarity x", c.err, &stderr); got != c.status || stderr.String() != c.stderr {
			t.Errorf("%v: got %d and %q, want %d and %q", c.err, got, &stderr, c.status, c.stderr)
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		args     string
		operands []string
		n        int
		stdout   string
		err      string
	}{
		{args: "", n: 7},
		{args: "a -n 1 b c", operands: []string{"a", "b", "c"}, n: 1},
		{args: "-n 1 - -n 2", operands: []string{"-"}, n: 2},
		{args: "a -- -n", operands: []string{"a", "-n"}, n: 7},
		{args: "a -n x", err: `invalid value "x" for flag -n: parse error; -help shows all flags`},
		{args: "a -m", n: 7, err: "flag provided but not defined: -m; -help shows all flags"},
		{args: "a -help b", n: 7, stdout: "Usage.\n  -n int\n    \tthis many (default 7)\n", err: "flag: help requested"},
	} {
		fs := flag.NewFlagSet("x", flag.ContinueOnError)
		n := fs.Int("n", 7, "this many")
		var stdout strings.Builder
		operands, err := Parse(fs, strings.Fields(c.args), "Usage.\n", &stdout)
		message := ""
		if err != nil {
			message = err.Error()
			if _, isUsage := errors.AsType[UsageError](err); isUsage == errors.Is(err, flag.ErrHelp) {
				t.Errorf("%q: the error is %T", c.args, err)
			}
		}
		if !slices.Equal(operands, c.operands) || *n != c.n || stdout.String() != c.stdout || message != c.err {
			t.Errorf("%q: got %q, %d, %q, %q; want %q, %d, %q, %q", c.args, operands, *n, &stdout, message, c.operands, c.n, c.stdout, c.err)
		}
	}
}

func TestParseSize(t *testing.T) {
	for _, c := range []struct {
		in          string
		least, most int64
		want        int64
		ok          bool
	}{
		{"0", 0, 10, 0, true},
		{"0", 1, 10, 0, false},
		{"500000", 1, 1 << 20, 500000, true},
		{"1MiB", 1, 1 << 20, 1 << 20, true},
		{"1025KiB", 1, 1 << 20, 0, false},
		{"2GiB", 0, math.MaxInt64, 2 << 30, true},
		{"8589934592GiB", 0, math.MaxInt64, 0, false}, // 2^63
		{"-8589934593GiB", 0, math.MaxInt64, 0, false},
		{"-1", 0, 10, 0, false},
		{"1TB", 0, math.MaxInt64, 0, false},
		{"1.5MiB", 0, math.MaxInt64, 0, false},
		{"MiB", 0, math.MaxInt64, 0, false},
		{"", 0, math.MaxInt64, 0, false},
	} {
		if got, ok := ParseSize(c.in, c.least, c.most); got != c.want || ok != c.ok {
			t.Errorf("%q: got %d, %v, want %d, %v", c.in, got, ok, c.want, c.ok)
		}
	}
}

func FuzzParseSize(f *testing.F) {
	f.Add("4MiB")
	f.Add("9223372036854775807")
	f.Fuzz(func(t *testing.T, s string) {
		n, ok := ParseSize(s, 0, math.MaxInt64)
		if !ok {
			return
		}
		if again, ok := ParseSize(FormatSize(n), n, n); !ok || again != n {
			t.Errorf("%q is %d, which is formatted as %q", s, n, FormatSize(n))
		}
		if plain, ok := ParseSize(strconv.FormatInt(n, 10), n, n); !ok || plain != n {
			t.Errorf("%q is %d, which is not read as that", s, n)
		}
	})
}

// TestBarPrints: what is not a terminal has lines only.
func TestBarPrints(t *testing.T) {
	var out strings.Builder
	b := NewBar(&out, "reading", -1, true)
	b.Set(1)
	b.Print("a.csv:2: no")
	b.End()
	b.Print("after")
	if got := out.String(); got != "a.csv:2: no\nafter\n" {
		t.Errorf("got %q", got)
	}
	if got := Count(1, "row") + Count(2, "row"); got != "1 row2 rows" {
		t.Errorf("got %q", got)
	}
}
