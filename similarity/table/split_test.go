package table

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// pieces returns all pieces of an input.
func pieces(t *testing.T, r io.Reader, comma byte, limit int) (all []Record) {
	t.Helper()
	for s := newSplitter(r, comma, limit); ; {
		p, err := s.next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		p.Raw = slices.Clone(p.Raw)
		all = append(all, p)
	}
}

func TestSplit(t *testing.T) {
	const bad, blank = "! ", "_ " // what is put in front of a row that is Bad, and of an empty line
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"nothing", "", nil},
		{"lines", "a,b\nc,d\n", []string{"a,b\n", "c,d\n"}},
		{"no newline at the end", "a,b\nc,d", []string{"a,b\n", "c,d"}},
		{"carriage returns", "a,\"b\"\r\n\"c\r\nd\"\r\n\r\ne\r", []string{"a,\"b\"\r\n", "\"c\r\nd\"\r\n", blank + "\r\n", "e\r"}},
		{"quoted line breaks", "a,\"b\n\nc\",d\ne\n", []string{"a,\"b\n\nc\",d\n", "e\n"}},
		{"quoted quotes", `"a""",""""` + "\n" + `""` + "\n", []string{`"a""",""""` + "\n", `""` + "\n"}},
		{"quoted separators", "\"a,\n,\",b\n", []string{"\"a,\n,\",b\n"}},
		{"blank lines", "\n\r\na\n\n", []string{blank + "\n", blank + "\r\n", "a\n", blank + "\n"}},
		{"bare quote", "a\"b\nc\n", []string{bad + "a\"b\n", "c\n"}},
		{"bare quote in a later field", "\"x\",a\"\nc\n", []string{bad + "\"x\",a\"\n", "c\n"}},
		{"text behind a quote", "\"a\"b\nc\n", []string{bad + "\"a\"b\n", "c\n"}},
		{"not closed, plain rows behind", "a,\"b\nc\nd\n", []string{bad + "a,\"b\n", "c\n", "d\n"}},
		{"not closed, quoted rows behind", "a,\"b\n\"c\",d\n\"e\",f\n", []string{bad + "a,\"b\n", "\"c\",d\n", "\"e\",f\n"}},
		{"not closed at the end", "a\n\"", []string{"a\n", bad + "\""}},
		{"closed by a later row", "a,\"b\nc,d\"\n", []string{"a,\"b\nc,d\"\n"}},
		{"too long", strings.Repeat("x", 40) + "\ny\n", []string{bad + strings.Repeat("x", 40) + "\n", "y\n"}},
		{"as long as it may be", strings.Repeat("x", 31) + "\ny\n", []string{strings.Repeat("x", 31) + "\n", "y\n"}},
		{"too long at the end", "y\n" + strings.Repeat("x", 100), []string{"y\n", bad + strings.Repeat("x", 100)}},
		{"too long when closed", "\"x\n" + strings.Repeat("abc\n", 10) + "\"\n", slices.Concat(
			[]string{bad + "\"x\n"}, slices.Repeat([]string{"abc\n"}, 10), []string{bad + "\"\n"})},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in)), iotest.DataErrReader(strings.NewReader(tt.in))} {
				var got []string
				line := 1
				for _, p := range pieces(t, r, ',', 32) {
					if p.Line != line {
						t.Errorf("piece %q: line %d, want %d", p.Raw, p.Line, line)
					}
					line += p.Lines
					switch p.Kind {
					case More:
						got[len(got)-1] += string(p.Raw)
					default:
						got = append(got, map[Kind]string{Bad: bad, Blank: blank}[p.Kind]+string(p.Raw))
					}
				}
				if !slices.Equal(got, tt.want) {
					t.Errorf("pieces of %q:\n got %q\nwant %q", tt.in, got, tt.want)
				}
			}
		})
	}
}

// A faulty reader fails in the middle of a line.
func TestSplitReadError(t *testing.T) {
	broken := errors.New("broken")
	s := newSplitter(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), ',', 100)
	if p, err := s.next(); err != nil || string(p.Raw) != "a\n" {
		t.Errorf("first row: got %q, %v", p.Raw, err)
	}
	if p, err := s.next(); !errors.Is(err, broken) {
		t.Errorf("second row: got %q, %v, want the error of the reader", p.Raw, err)
	}
}

// Each line opens a field, or may be one that does not: reading takes linear time.
func TestSplitTakesLinearTime(t *testing.T) {
	for _, line := range []string{"\"a\n", "a,\"\n", "\",\"\n", "\"\"\"\n", "\",x,\"\n", "\"\n\n\n"} {
		in := strings.Repeat(line, 1<<20/len(line))
		n := 0
		for _, p := range pieces(t, strings.NewReader(in), ',', MaxRecord) {
			n += len(p.Raw)
		}
		if n != len(in) {
			t.Errorf("%q: pieces have %d bytes of %d", line, n, len(in))
		}
	}
}

// naiveSplit is what splitter's comment says, by encoding/csv: a row is the fewest
// lines that are one, or the first line.
func naiveSplit(in []byte, comma byte, limit int) (all []Record) {
	lines := bytes.SplitAfter(in, []byte("\n"))
	for i := 0; i < len(lines); {
		p := Record{Kind: Bad, Raw: lines[i], Line: i + 1, Lines: 1}
		switch trimmed := trimEnd(lines[i]); {
		case len(lines[i]) == 0: // behind the last "\n"
			return all
		case len(trimmed) == 0 && len(lines[i]) <= limit:
			p.Kind = Blank
		default:
			for n := 1; n <= len(lines)-i; n++ {
				row := bytes.Join(lines[i:i+n], nil)
				if len(row) > limit {
					break
				}
				r := csv.NewReader(bytes.NewReader(row))
				r.Comma = rune(comma)
				if _, err := r.Read(); err == nil {
					p.Kind, p.Raw, p.Lines = Row, row, n
					break
				}
			}
		}
		all = append(all, p)
		i += p.Lines
	}
	return all
}

// whole returns pieces with what is long in one.
func whole(all []Record) (joined []Record) {
	for _, p := range all {
		if p.Kind == More {
			last := &joined[len(joined)-1]
			last.Raw, last.Lines = append(last.Raw, p.Raw...), max(last.Lines, p.Lines)
			continue
		}
		joined = append(joined, p)
	}
	return joined
}

// compareSplits compares the splitter with the naive one.
func compareSplits(t *testing.T, in []byte, limit int) {
	t.Helper()
	got, want := whole(pieces(t, bytes.NewReader(in), ',', limit)), naiveSplit(in, ',', limit)
	if len(got) != len(want) {
		t.Fatalf("%q, limit %d: got %d pieces, want %d", in, limit, len(got), len(want))
	}
	for i, p := range got {
		w := want[i]
		if p.Lines == 0 {
			p.Lines = 1 // the input ends in a long line
		}
		if p.Kind != w.Kind || !bytes.Equal(p.Raw, w.Raw) || p.Line != w.Line || p.Lines != w.Lines {
			t.Errorf("%q, limit %d, piece %d:\n got %d %q, lines %d+%d\nwant %d %q, lines %d+%d", in, limit, i, p.Kind, p.Raw, p.Line, p.Lines, w.Kind, w.Raw, w.Line, w.Lines)
		}
	}
}

// randomCSV returns bytes of which many are special.
func randomCSV(rng *rand.Rand) []byte {
	in := make([]byte, rng.IntN(40))
	for i := range in {
		in[i] = "\"\"\"\"\n\n\n,,,\r\rab é\xff"[rng.IntN(18)]
	}
	return in
}

func TestSplitLikeEncodingCSV(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		in := randomCSV(rng)
		compareSplits(t, in, 1<<10)
		compareSplits(t, in, 1+rng.IntN(20))
	}
}

func FuzzSplit(f *testing.F) {
	f.Add([]byte("a,\"b\nc\"\r\n\n\"d\"\"\"\n"), uint16(1000))
	f.Add([]byte("a,\"b\n\"c\",d\"\n\r"), uint16(4))
	f.Fuzz(func(t *testing.T, in []byte, limit uint16) {
		compareSplits(t, in[:min(len(in), 300)], int(limit)+1)
	})
}
