package batch

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
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

// testOptions returns options with small chunks and a checkpoint behind each.
func testOptions(t *testing.T, args ...string) *options {
	t.Helper()
	o, err := parse(append([]string{"-max-record", fmt.Sprint(maxRecord), "-reports", "0"}, args...), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	o.chunk, o.every = 64, 0
	return o
}

// naiveBatch returns the output and the rejected rows, without headers, and how many
// rows there are in both, by naiveSplit.
func naiveBatch(t *testing.T, in string) (out, rejected string, rows int) {
	t.Helper()
	head, body, _ := strings.Cut(in, "\n")
	h, err := newHeader(nil, []byte(head+"\n"), ',')
	if err != nil {
		t.Fatal(err)
	}
	c, afterReject := newComparer(h, 0, ','), false
	for _, p := range naiveSplit([]byte(body), ',', maxRecord) {
		if p.kind == blankLine {
			if afterReject {
				rejected += string(p.raw)
			}
			continue
		}
		rows++
		r, reason := c.compare(p.raw)
		if afterReject = p.kind == misquoted || reason != ""; afterReject {
			rejected += string(p.raw)
			c.reset() // reading may have stopped anywhere
			continue
		}
		out += string(c.appendRow(nil, p.raw, r))
	}
	return out, rejected, rows
}

// wantFiles checks that the outputs are those of an uninterrupted run.
func wantFiles(t *testing.T, in string) {
	t.Helper()
	head, _, _ := strings.Cut(in, "\n")
	out, rejected, _ := naiveBatch(t, in)
	checkFile(t, "pairs.similarity.csv", head+",similarity,interpretation\n"+out)
	if rejected != "" {
		rejected = head + "\n" + rejected
	}
	checkFile(t, "pairs.rejected.csv", rejected)
	checkFile(t, "pairs.similarity.csv.state", "")
	if left, _ := filepath.Glob("*.tmp"); len(left) > 0 {
		t.Errorf("files are left over: %q", left)
	}
}

// memory runs the pipeline over an input in memory, and returns the outputs without
// headers.
func memory(t *testing.T, in string, chunk int) (out, rejected string, p position) {
	t.Helper()
	head, body, _ := strings.Cut(in, "\n")
	h, err := newHeader(nil, []byte(head+"\n"), ',')
	if err != nil {
		t.Fatal(err)
	}
	o := testOptions(t, "-workers", "2", "pairs.csv")
	o.chunk = chunk
	var outBytes, rejectedBytes bytes.Buffer
	line := &pipeline{
		o: o, rows: newSplitter(strings.NewReader(body), ',', maxRecord, 0, 1),
		w:        &outputs{head: h, o: o, out: &sink{w: &outBytes}, rejected: &sink{w: &rejectedBytes}},
		progress: newProgress(io.Discard, -1, 0, 0),
	}
	if err := line.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return outBytes.String(), rejectedBytes.String(), line.at
}

// checkNothingLost: all rows are in one of the outputs.
func checkNothingLost(t *testing.T, in string, chunk int) {
	t.Helper()
	wantOut, wantRejected, wantRows := naiveBatch(t, in)
	out, rejected, p := memory(t, in, chunk)
	if out != wantOut || rejected != wantRejected {
		t.Errorf("%q:\n got %q and %q\nwant %q and %q", in, out, rejected, wantOut, wantRejected)
	}
	if p.Compared+p.RejectedRows != int64(wantRows) {
		t.Errorf("%q: got %d rows compared and %d rejected, want %d", in, p.Compared, p.RejectedRows, wantRows)
	}
}

func TestNothingLost(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		checkNothingLost(t, mixed(rng, rng.IntN(30)), 1+rng.IntN(500))
	}
	for range 1000 {
		checkNothingLost(t, "text1,text2\n"+string(randomCSV(rng)), 1+rng.IntN(30))
	}
}

func FuzzNothingLost(f *testing.F) {
	f.Add("a,b\n\"a\n\nb\",c\n\na\"\n\n\n\xff,\r\n", uint8(3))
	f.Add("\"a\",\"b\"\nx,\"y\n"+strings.Repeat("z", 300)+"\n1,2", uint8(50))
	f.Fuzz(func(t *testing.T, body string, chunk uint8) {
		checkNothingLost(t, "text1,text2\n"+body[:min(len(body), 500)], 1+int(chunk))
	})
}

// TestRowsOfReader compares the rows with those that the command writes and rejects.
func TestRowsOfReader(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for n := range 50 {
		in := strings.Repeat("\uFEFF", n%2) + mixed(rng, rng.IntN(30))
		var compared, rejected int64
		for row, err := range Rows(strings.NewReader(in)) {
			switch {
			case err != nil:
				t.Fatal(err)
			case row.Reason != "":
				rejected++
			case len(row.Fields) != 3:
				t.Errorf("got fields %q", row.Fields)
			default:
				compared++
			}
			if row.Reason == "" && row.Fields[0] != "id" && !strings.HasPrefix(in[row.Offset:], row.Fields[0]+",") {
				t.Errorf("at byte %d is %.20q, want %q", row.Offset, in[row.Offset:], row.Fields)
			}
		}
		c := newComparer(&header{fields: 3, text1: 1, text2: 2}, 0, ',')
		_, body, _ := strings.Cut(in, "\n")
		var wantCompared, wantRejected int64 = 1, 0 // the header
		for _, p := range naiveSplit([]byte(body), ',', maxLimit) {
			if p.kind == blankLine {
				continue
			}
			if _, reason := c.compare(p.raw); p.kind == misquoted || reason != "" {
				wantRejected++
				c.reset()
			} else {
				wantCompared++
			}
		}
		if compared != wantCompared || rejected != wantRejected {
			t.Errorf("%q: got %d rows and %d rejected, want %d and %d", in, compared, rejected, wantCompared, wantRejected)
		}
	}
	broken := errors.New("broken")
	for _, err := range Rows(iotest.ErrReader(broken)) {
		if !errors.Is(err, broken) {
			t.Errorf("got error %v, want that of the reader", err)
		}
	}
}
