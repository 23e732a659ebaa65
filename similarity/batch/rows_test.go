package batch

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/similarity/internal/command"
	"github.com/muxwell/muxwell/similarity/score"
	"github.com/muxwell/muxwell/similarity/table"
)

// mixed returns an input of good and bad rows, and blank lines.
func mixed(rng *rand.Rand, rows int) string {
	var b strings.Builder
	b.WriteString("id,text1,text2\n")
	for i := range rows {
		switch rng.IntN(12) {
		case 0:
			fmt.Fprintf(&b, "%d,\"never closed,b\n\n", i)
		case 1:
			fmt.Fprintf(&b, "%d,too few\n\n\n", i)
		case 2:
			fmt.Fprintf(&b, "%d,a\xff,b\r\n", i)
		case 3: // cut at maxRecord, the rest would be a row
			fmt.Fprintf(&b, "%d%s,a,b\n", i, strings.Repeat("too long ", 30))
		case 4:
			b.WriteString("\n\r\n")
		case 5:
			fmt.Fprintf(&b, "%d,\"lines\nof\n\ntext\",\"a \"\"quote\"\"\"\r\n", i)
		default:
			fmt.Fprintf(&b, "%d,%s,\"%s\"\n", i, strings.Repeat("a b ", rng.IntN(20)), strings.Repeat("b, ", rng.IntN(20)))
		}
	}
	return b.String()
}

// maxRecord is what the tests of this file have for -max-record.
const maxRecord = 200

// testOptions returns options with small chunks.
func testOptions(t *testing.T, args ...string) *options {
	t.Helper()
	o, err := parse(append([]string{"-max-record", fmt.Sprint(maxRecord), "-reports", "0"}, args...), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	o.chunk = 64
	return o
}

// naiveBatch returns the output and the rejected rows, without headers, and how many rows
// there are in both. It is a naive reference implementation: one row after the other.
func naiveBatch(t *testing.T, in string) (out, rejected string, rows int) {
	t.Helper()
	f, err := table.Open(t.Context(), "-", strings.NewReader(in), table.Options{Format: table.CSV, Limit: maxRecord})
	if err != nil {
		t.Fatal(err)
	}
	after := false
	for {
		r, err := f.Next()
		if err != nil {
			return out, rejected, rows
		}
		good := r.Kind == table.Row
		if good {
			d, err := f.NewDecoder([]string{"text1", "text2"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			values, reason := d.Decode(r)
			if good = reason == ""; good {
				result := score.Compare([]byte(values[0].Text), []byte(values[1].Text), score.ASCII)
				row := strings.TrimSuffix(string(r.Raw), "\n")
				end := "\n"
				if cut, ok := strings.CutSuffix(row, "\r"); ok {
					row = cut
					if strings.HasSuffix(string(r.Raw), "\n") {
						end = "\r\n"
					}
				}
				out += fmt.Sprintf("%s,%v,%s%s", row, result.Similarity(), result.Interpretation(), end)
			}
		}
		switch {
		case r.Kind == table.Blank && !after:
		case !good:
			rejected += string(r.Raw)
		}
		if r.Kind == table.Row || r.Kind == table.Bad {
			rows++
		}
		if r.Kind != table.Blank {
			after = !good
		}
	}
}

// checkNothingLost: all rows are in one of the outputs.
func checkNothingLost(t *testing.T, in string, chunk int) {
	t.Helper()
	wantOut, wantRejected, wantRows := naiveBatch(t, in)
	head, _, _ := strings.Cut(in, "\n")
	if wantRejected != "" {
		wantRejected = head + "\n" + wantRejected
	}
	o := testOptions(t, "-workers", "2", "-force", "-")
	o.chunk = chunk
	var out, stderr strings.Builder
	if err := o.run(t.Context(), strings.NewReader(in), &out, &stderr); err != nil && !errors.Is(err, command.ErrRejected) {
		t.Fatal(err)
	}
	if got, want := out.String(), head+",similarity,interpretation\n"+wantOut; got != want {
		t.Errorf("%q:\n got %q\nwant %q", in, got, want)
	}
	checkFile(t, "stdin.rejected.csv", wantRejected)
	var compared, rejected int
	summary := stderr.String()
	fmt.Sscanf(strings.Replace(summary[strings.LastIndex(strings.TrimSpace(summary), "\n")+1:], "rows", "row", 1), "similarity batch: %d row compared, %d rejected", &compared, &rejected)
	if compared+rejected != wantRows {
		t.Errorf("%q: got %q, want %d rows", in, summary, wantRows)
	}
}

func TestNothingLost(t *testing.T) {
	t.Chdir(t.TempDir())
	rng := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		checkNothingLost(t, mixed(rng, rng.IntN(30)), 1+rng.IntN(500))
	}
	for range 300 {
		checkNothingLost(t, "text1,text2\n"+string(randomCSV(rng)), 1+rng.IntN(30))
	}
}

// randomCSV returns bytes that are hard to split.
func randomCSV(rng *rand.Rand) []byte {
	in := make([]byte, rng.IntN(40))
	for i := range in {
		in[i] = "\"\"\"\"\n\n\n,,,\r\rab é\xff"[rng.IntN(18)]
	}
	return in
}

func FuzzNothingLost(f *testing.F) {
	f.Add("a,b\n\"a\n\nb\",c\n\na\"\n\n\n\xff,\r\n", uint8(3))
	f.Add("\"a\",\"b\"\nx,\"y\n"+strings.Repeat("z", 300)+"\n1,2", uint8(50))
	f.Fuzz(func(t *testing.T, body string, chunk uint8) {
		t.Chdir(t.TempDir())
		checkNothingLost(t, "text1,text2\n"+strings.ReplaceAll(body[:min(len(body), 500)], "\x00", ""), 1+int(chunk))
	})
}
