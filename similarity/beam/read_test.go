package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/sdf"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/fileio"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/rtrackers/offsetrange"
)

// naiveLines returns the rows of a file.
func naiveLines(in string) (rows []row) {
	at := int64(0)
	for line := range strings.Lines(in) {
		text := line
		if at == 0 {
			text = strings.TrimPrefix(line, "\uFEFF")
		}
		if strings.TrimSpace(text) != "" {
			rows = append(rows, row{Offset: at, JSON: []byte(text)})
		}
		at += int64(len(line))
	}
	return rows
}

// checkParts reads a file in parts, of which some are split while they are read, as a runner
// does, and checks that each row is read once.
func checkParts(t *testing.T, in string, size int64, rng *rand.Rand) {
	t.Helper()
	fn, file := &readFn{Part: size}, fileio.ReadableFile{Metadata: fileio.FileMetadata{Path: "f", Size: int64(len(in))}}
	var got []row
	todo := fn.SplitRestriction(file, fn.CreateInitialRestriction(file))
	for len(todo) > 0 {
		part := todo[0]
		todo = todo[1:]
		rt := fn.CreateTracker(part)
		var r io.Reader = strings.NewReader(in)
		if rng.IntN(2) == 0 {
			r = bufio.NewReader(r) // which cannot seek
		}
		err := readLines(r, part.Start, func(at any) bool {
			claimed := rt.TryClaim(at)
			if rng.IntN(4) == 0 {
				if _, residual, err := rt.TrySplit(rng.Float64()); err != nil {
					t.Fatal(err)
				} else if residual != nil {
					todo = append(todo, residual.(offsetrange.Restriction))
				}
			}
			return claimed
		}, func(r row) { got = append(got, r) })
		if err != nil || !rt.IsDone() || rt.GetError() != nil {
			t.Fatalf("%q in parts of %d: part %+v: %v, %v, done %t", in, size, part, err, rt.GetError(), rt.IsDone())
		}
	}
	slices.SortFunc(got, func(a, b row) int { return int(a.Offset - b.Offset) })
	if got, want := fmt.Sprint(got), fmt.Sprint(naiveLines(in)); got != want {
		t.Errorf("%q in parts of %d:\n got %s\nwant %s", in, size, got, want)
	}
}

func TestParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var in strings.Builder
		for range rng.IntN(20) {
			in.WriteString([]string{"\n", "\r\n", "a\n", "\uFEFF", " ", "bcdefgh", "\xff\x00\n"}[rng.IntN(7)])
		}
		checkParts(t, in.String(), 1+rng.Int64N(12), rng)
	}
}

func FuzzParts(f *testing.F) {
	f.Add("\uFEFFa\n\nb\r\nc", uint8(1), uint64(3))
	f.Fuzz(func(t *testing.T, in string, size uint8, seed uint64) {
		checkParts(t, in, 1+int64(size), rand.New(rand.NewPCG(seed, 0)))
	})
}

// TestLongLine rejects a line, and goes on.
func TestLongLine(t *testing.T) {
	long := strings.Repeat("x", maxLine)
	for _, tt := range []struct{ in, want string }{
		{long + "\na\n", fmt.Sprintf("0 the line is longer than 64 MiB; %d a\n; ", maxLine+1)},
		{"a\n" + long, fmt.Sprintf("0 a\n; 2 %s; ", long)},
		{"a\n" + long + "x", "0 a\n; 2 the line is longer than 64 MiB; "},
	} {
		var got bytes.Buffer
		err := readLines(strings.NewReader(tt.in), 0, func(any) bool { return true }, func(r row) {
			fmt.Fprintf(&got, "%d %s%s; ", r.Offset, r.JSON, r.Reason)
			_, err := r.members()
			if err == nil || r.Reason != "" && err.Error() != r.Reason {
				t.Errorf("got error %v for %q", err, r.Reason)
			}
		})
		if err != nil || got.String() != tt.want {
			t.Errorf("got %.100q of %d bytes, %v, want %.100q", &got, got.Len(), err, tt.want)
		}
	}
}

// TestReadErrors returns the errors of files, and those of files that have become shorter.
func TestReadErrors(t *testing.T) {
	broken := errors.New("broken")
	claim := func(any) bool { return true }
	none := func(row) {}
	for start := range int64(4) {
		if err := readLines(io.MultiReader(strings.NewReader("ab"), iotest.ErrReader(broken)), start, claim, none); !errors.Is(err, broken) {
			t.Errorf("from %d: got %v, want the error of the reader", start, err)
		}
	}
	if err := readCSV(t.Context(), iotest.ErrReader(broken), none); !errors.Is(err, broken) {
		t.Errorf("CSV: got %v, want the error of the reader", err)
	}
	rt := sdf.NewLockRTracker(offsetrange.NewTracker(offsetrange.Restriction{End: 10}))
	if err := readLines(strings.NewReader("a\nb\n"), 0, rt.TryClaim, none); err == nil && rt.IsDone() {
		t.Error("a file that has become shorter was read to its end")
	}
}
