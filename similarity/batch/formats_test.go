package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/similarity/internal/command"
	"github.com/muxwell/muxwell/similarity/score"
	"github.com/muxwell/muxwell/similarity/table"
)

// encode returns a file with a name that has rows with columns. Values "\x00" are null.
func encode(t *testing.T, name string, columns []string, rows [][]string) string {
	t.Helper()
	var b bytes.Buffer
	z, err := table.NewCompressor(&b, name)
	if err != nil {
		t.Fatal(err)
	}
	var all []table.Column
	for _, name := range columns {
		all = append(all, table.Column{Name: name})
	}
	w, err := table.NewWriter(z, table.FormatOf(name), false, all...)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		var values []table.Value
		for _, text := range row {
			values = append(values, table.Value{Text: strings.Trim(text, "\x00"), Set: text != "\x00"})
		}
		if err := w.Write(values...); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// decode returns the values of columns in all rows of a file.
func decode(t *testing.T, name string, columns ...string) (rows [][]string) {
	t.Helper()
	f, err := table.Open(t.Context(), name, nil, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d, err := f.NewDecoder(columns, nil)
	if err != nil {
		t.Fatal(err)
	}
	for {
		r, err := f.Next()
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		values, reason := d.Decode(r)
		if reason != "" {
			t.Fatalf("%s: line %d: %s", name, r.Line, reason)
		}
		var row []string
		for _, v := range values {
			row = append(row, v.Text)
		}
		rows = append(rows, row)
	}
}

// TestFormats: each format and compression is read and written, and the results are those of
// package score.
func TestFormats(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	columns := []string{"text2", "note, \"x\"", "text1"}
	var rows, want [][]string
	for i := range 60 {
		row := []string{randomText(rng), "n", randomText(rng)}
		if i%3 == 1 {
			row[1] = "\x00"
		}
		rows = append(rows, row)
		r := score.Compare([]byte(row[2]), []byte(row[0]), score.ASCII)
		want = append(want, []string{row[0], strings.Trim(row[1], "\x00"), row[2], fmt.Sprint(r.Similarity()), r.Interpretation()})
	}
	var names []string
	for _, format := range []string{"csv", "jsonl", "parquet"} {
		for _, ending := range []string{"", ".gz", ".zst"} {
			names = append(names, format+ending)
		}
	}
	for _, in := range names {
		for _, out := range names {
			t.Run(in+" to "+out, func(t *testing.T) {
				put(t, "in."+in, encode(t, "in."+in, columns, rows))
				o := testOptions(t, "-max-record", "64MiB", "-out", "out."+out, "in."+in)
				if err := o.run(t.Context(), nil, io.Discard, io.Discard); err != nil {
					t.Fatal(err)
				}
				got := decode(t, "out."+out, append(columns, "similarity", "interpretation")...)
				if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
					t.Errorf("got %q\nwant %q", got, want)
				}
				checkFolder(t, "in."+in, "out."+out)
			})
		}
	}
}

// TestBytes compares files as bytes.
func TestBytes(t *testing.T) {
	const result = `,"similarity":0.352,"interpretation":"Slightly Similar"`
	for _, tt := range []struct {
		name, args string
		in         map[string]string
		out        map[string]string
		stderr     string
	}{
		{
			"JSONL", "in.jsonl",
			map[string]string{"in.jsonl": "\n" + `{"text1":"a b","x":[1, {"}":2}],"text2":"a \u0063"}` + "\n\n" + ` { "text2" : "a b", "text1":"a c" }  ` + "\r\n" + `{"text1":"a b","text2":"a c"}`},
			map[string]string{"in.similarity.jsonl": `{"text1":"a b","x":[1, {"}":2}],"text2":"a \u0063"` + result + "}\n" + ` { "text2" : "a b", "text1":"a c" ` + result + "}  \r\n" + `{"text1":"a b","text2":"a c"` + result + "}\n"},
			"similarity batch: 3 rows compared, 0 rejected",
		},
		{
			"JSONL rejects", "in.ndjson",
			map[string]string{"in.ndjson": "{\"text1\":\n\n[]\n{\"text1\":\"a\",\"text2\":1}\n{\"text1\":\"a\"}\n{\"text1\":\"a\",\"text2\":null}\n\n" +
				"{\"text1\":\"a\",\"text2\":\"a\",\"similarity\":null}\n{\"text1\":\"a\",\"text2\":\"a\",\"interpretation\":1}\n{\"text1\":\"a\",\"text2\":\"\xff\"}\n{\"text1\":\"a\",\"text1\":\"a\"}\n{\"text1\":\"a\",\"text2\":\"a\"}\n"},
			map[string]string{
				"in.similarity.jsonl": `{"text1":"a","text2":"a","similarity":1,"interpretation":"Highly Similar"}` + "\n",
				"in.rejected.jsonl": "{\"text1\":\n\n[]\n{\"text1\":\"a\",\"text2\":1}\n{\"text1\":\"a\"}\n{\"text1\":\"a\",\"text2\":null}\n\n" +
					"{\"text1\":\"a\",\"text2\":\"a\",\"similarity\":null}\n{\"text1\":\"a\",\"text2\":\"a\",\"interpretation\":1}\n{\"text1\":\"a\",\"text2\":\"\xff\"}\n{\"text1\":\"a\",\"text1\":\"a\"}\n",
			},
			`line 1: the JSON object has no end in this line
line 3: not a JSON object
line 4: text2 is 1 and not a string
line 5: there is no text2
line 6: there is no text2
line 8: there is a key "similarity", which the output adds
line 9: there is a key "interpretation", which the output adds
line 10: not UTF-8 from byte 23 of the row
line 11: not JSON in byte 14 of the row: duplicate object member name "/text1"
similarity batch: 1 row compared, 9 rejected (kept in in.rejected.jsonl)`,
		},
		{
			"JSONL to CSV", "-out out.csv in.jsonl",
			map[string]string{"in.jsonl": "[]\n{\"a\":1}\n{\"text1\":\"a\",\"n\":1.50,\"text2\":\"a\",\"o\":{\"x\": null},\"s\":\"\\\"\\n\"}\n{\"text2\":\"b\",\"text1\":\"a\",\"n\":null}\n{\"text2\":\"b\",\"text1\":\"a\",\"q\":1}\n"},
			map[string]string{
				"out.csv":           "text1,n,text2,o,s,similarity,interpretation\na,1.50,a,\"{\"\"x\"\": null}\",\"\"\"\n\",1,Highly Similar\na,,b,,,0,Dissimilar\n",
				"in.rejected.jsonl": "[]\n{\"a\":1}\n{\"text2\":\"b\",\"text1\":\"a\",\"q\":1}\n",
			},
			`line 1: not a JSON object
line 2: there is no text1
line 5: the key "q" is not in the first row, whose keys are the columns of the output
similarity batch: 2 rows compared, 3 rejected`,
		},
		{
			"CSV to JSONL", "-comma ; -out out.jsonl in.csv",
			map[string]string{"in.csv": "\uFEFFtext1;x;text2\r\na,b;\"\"\"\r\n\";a\r\na\r\n"},
			map[string]string{"out.jsonl": `{"text1":"a,b","x":"\"\n","text2":"a","similarity":0,"interpretation":"Dissimilar"}` + "\n", "in.rejected.csv": "\uFEFFtext1;x;text2\r\na\r\n"},
			"line 4: 1 field, the header has 3\n",
		},
		{"no row of JSONL to CSV", "-out out.csv in.jsonl", map[string]string{"in.jsonl": ""}, map[string]string{"out.csv": "text1,text2,similarity,interpretation\n"}, "similarity batch: 0 rows compared"},
		{"any names of columns", "-text1 a -text2 ?b in.csv", map[string]string{"in.csv": "?b,a\nx,x\n"}, map[string]string{"in.similarity.csv": "?b,a,similarity,interpretation\nx,x,1,Highly Similar\n"}, "similarity batch: 1 row"},
		{"format", "-format jsonl in.csv", map[string]string{"in.csv": `{"text1":"a","text2":"a"}`}, map[string]string{"in.similarity.jsonl": `{"text1":"a","text2":"a","similarity":1,"interpretation":"Highly Similar"}` + "\n"}, "similarity batch: 1 row"},
		{"content", "in.txt", map[string]string{"in.txt": `{"text1":"a","text2":"a"}`}, map[string]string{"in.similarity.jsonl": `{"text1":"a","text2":"a","similarity":1,"interpretation":"Highly Similar"}` + "\n"}, "similarity batch: 1 row"},
		{"tabs", "in.tsv", map[string]string{"in.tsv": "text1\ttext2\na,\ta\n\"\n"}, map[string]string{"in.similarity.tsv": "text1\ttext2\tsimilarity\tinterpretation\na,\ta\t1\tHighly Similar\n", "in.rejected.tsv": "text1\ttext2\n\"\n"}, "line 3: a quote is not closed"},
		{
			"several", "a.csv *.jsonl",
			map[string]string{"a.csv": "text1,text2\na,a\n", "b.jsonl": `{"text1":"a"}`, "c.jsonl": ""},
			map[string]string{"a.similarity.csv": "text1,text2,similarity,interpretation\na,a,1,Highly Similar\n", "b.rejected.jsonl": `{"text1":"a"}`, "b.similarity.jsonl": "", "c.similarity.jsonl": ""},
			"similarity batch: 1 row compared, 0 rejected",
		},
		{
			"several to one", "-out out.csv a.csv b.csv",
			map[string]string{"a.csv": "text1,text2\na,a\n\nx", "b.csv": "\uFEFF\"text1\",text2\r\n\ny\r\na,b"},
			map[string]string{"out.csv": "text1,text2,similarity,interpretation\na,a,1,Highly Similar\na,b,0,Dissimilar\r\n", "out.rejected.csv": "text1,text2\nx\ny\r\n"},
			"a.csv: line 4: 1 field, the header has 2\nb.csv: line 3: 1 field, the header has 2\nsimilarity batch: 2 rows compared, 2 rejected (kept in out.rejected.csv)",
		},
		{
			"several JSONL to CSV", "-out out.csv -rejected bad.jsonl a.jsonl b.jsonl",
			map[string]string{"a.jsonl": `{"text1":"a","text2":"a"}`, "b.jsonl": `{"text1":"a","text2":"a","x":1}`},
			map[string]string{"out.csv": "text1,text2,similarity,interpretation\na,a,1,Highly Similar\n", "bad.jsonl": `{"text1":"a","text2":"a","x":1}`},
			`b.jsonl: line 1: the key "x" is not in the first row`,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for name, content := range tt.in {
				write(t, name, content)
			}
			wantStatus := 0
			for name := range tt.out {
				if strings.Contains(name, "rejected") || name == "bad.jsonl" {
					wantStatus = command.Rejected
				}
			}
			got := batch(t, "", strings.Fields(tt.args)...)
			if got.status != wantStatus || !strings.HasPrefix(got.stderr, tt.stderr) {
				t.Errorf("got %+v, want status %d and %s", got, wantStatus, tt.stderr)
			}
			for name, want := range tt.out {
				if content, ok := get(t, name); content != want || !ok {
					t.Errorf("%s:\n got %q (there: %t)\nwant %q", name, content, ok, want)
				}
			}
		})
	}
}

// TestParquet: rows keep the types of their columns, whether they are compared or rejected.
func TestParquet(t *testing.T) {
	types, err := os.ReadFile("../table/testdata/types.parquet")
	if err != nil {
		t.Fatal(err)
	}
	put(t, "types.parquet", string(types))
	const args = "-text1 string -text2 date"
	got := batch(t, "", append(strings.Fields(args), "types.parquet")...)
	if got.status != command.Rejected || !strings.HasPrefix(got.stderr, "line 3: there is no string\nsimilarity batch: ") || !strings.Contains(got.stderr, "2 rows compared, 1 rejected (kept in types.rejected.parquet)") {
		t.Fatalf("got %+v", got)
	}
	columns := []string{"int64", "decimal", "utc", "list", "struct", "string"}
	want := decode(t, "types.parquet", columns...)
	if got := decode(t, "types.similarity.parquet", columns...); fmt.Sprint(got) != fmt.Sprint(want[:2]) {
		t.Errorf("got %q, want %q", got, want[:2])
	}
	if got := decode(t, "types.rejected.parquet", columns...); fmt.Sprint(got) != fmt.Sprint(want[2:]) {
		t.Errorf("rejected: got %q, want %q", got, want[2:])
	}
	if got := decode(t, "types.similarity.parquet", "similarity", "interpretation"); fmt.Sprint(got) != "[[0 Dissimilar] [0 Dissimilar]]" {
		t.Errorf("got %q", got)
	}

	if got := batch(t, "", append(strings.Fields(args), "-force", "-out", "out.jsonl", "types.parquet")...); got.status != command.Rejected {
		t.Fatalf("got %+v", got)
	}
	jsonl, _ := get(t, "out.jsonl")
	for _, want := range []string{`{"int64":-9223372036854775808,`, `"decimal":123.45,`, `"utc":"2026-01-02T03:04:05.678Z",`, `"list":["x",null,"y\""],`, `"interpretation":"Dissimilar"}` + "\n"} {
		if !strings.Contains(jsonl, want) {
			t.Errorf("%s, want %s in it", jsonl, want)
		}
	}

	for in, want := range map[string]string{
		"-text1 int64 -text2 string types.parquet": "line 1: int64 is -9223372036854775808 and not a string\n",
		"-text1 list -text2 string types.parquet":  "line 1: list is [\"x\",null,\"y\\\"\"] and not a string\n",
	} {
		if got := batch(t, "", append(strings.Fields(in), "-force")...); got.status != command.Rejected || !strings.HasPrefix(got.stderr, want) {
			t.Errorf("%s: got %+v, want %s", in, got, want)
		}
	}
}

// TestParquetOfOtherTypes: several files have the same types, or an output for each.
func TestParquetOfOtherTypes(t *testing.T) {
	put(t, "a.parquet", encode(t, "a.parquet", []string{"text1", "text2", "n"}, nil))
	var b bytes.Buffer
	w, err := table.NewWriter(&b, table.Parquet, false, table.Column{Name: "text1"}, table.Column{Name: "text2"}, table.Column{Name: "n", Number: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, "b.parquet", b.String())
	if got := batch(t, "", "-out", "x.parquet", "a.parquet", "b.parquet"); got.status != command.Failed || !strings.Contains(got.stderr, "a.parquet and b.parquet do not have the same columns and types; ") {
		t.Errorf("got %+v", got)
	}
	if got := batch(t, "", "a.parquet", "b.parquet"); got.status != 0 {
		t.Errorf("got %+v", got)
	}
}

// TestParquetRejectsAreAnInput: they are rows of the same file, and bytes that are not UTF-8
// remain.
func TestParquetRejectsAreAnInput(t *testing.T) {
	put(t, "in.parquet", encode(t, "in.parquet", []string{"id", "text1", "text2"}, [][]string{{"1", "a", "\x00"}, {"2", "a", "b"}, {"\x00", "\xff", "a"}}))
	want := "line 1: there is no text2\nline 3: text1 is not UTF-8\nsimilarity batch: 1 row compared, 2 rejected (kept in in.rejected.parquet)"
	if got := batch(t, "", "in.parquet"); got.status != command.Rejected || !strings.HasPrefix(got.stderr, want) {
		t.Fatalf("got %+v", got)
	}
	if got := decode(t, "in.similarity.parquet", "id", "similarity"); fmt.Sprint(got) != "[[2 0]]" {
		t.Errorf("got %s", got)
	}
	got := batch(t, "", "in.rejected.parquet")
	if got.status != command.Rejected || !strings.HasPrefix(got.stderr, "line 1: there is no text2\nline 2: text1 is not UTF-8\n") {
		t.Errorf("got %+v", got)
	}
	if got := decode(t, "in.rejected.rejected.parquet", "id"); fmt.Sprint(got) != "[[1] []]" {
		t.Errorf("got %s", got)
	}
	if got := batch(t, "", "-force", "-rejected", "bad.jsonl", "in.parquet"); got.status != command.Usage || !strings.Contains(got.stderr, "choose a name that ends with .parquet") {
		t.Errorf("got %+v", got)
	}
}

// TestInterrupt: no files are left, and those of an earlier run are as they were.
func TestInterrupt(t *testing.T) {
	put(t, "pairs.csv", mixed(rand.New(rand.NewPCG(11, 12)), 300))
	for _, args := range [][]string{{"pairs.csv"}, {"-force", "pairs.csv"}, {"-force", "-out", "x.parquet", "pairs.csv"}, {"-force", "-out", "pairs.similarity.csv", "pairs.csv", "pairs.csv"}} {
		files := []string{"pairs.csv"}
		if args[0] == "-force" {
			write(t, "pairs.similarity.csv", "mine")
			write(t, "pairs.rejected.csv", "mine")
			files = append(files, "pairs.rejected.csv", "pairs.similarity.csv")
		}
		ctx, cancel := context.WithCancel(t.Context())
		reports := &canceling{cancel: cancel, after: 5}
		o := testOptions(t, append([]string{"-reports", "-1"}, args...)...)
		got := command.Status("similarity batch", o.run(ctx, nil, io.Discard, reports), reports)
		cancel()
		if got != command.Interrupted || !strings.Contains(reports.String(), "similarity batch: interrupted after ") || !strings.Contains(reports.String(), " rows; nothing was written to ") {
			t.Errorf("%q: got status %d, %q", args, got, reports)
		}
		checkFolder(t, files...)
		for _, name := range files[1:] {
			checkFile(t, name, "mine")
		}
	}
}

// canceling cancels after some writes.
type canceling struct {
	strings.Builder
	cancel func()
	after  int
}

func (c *canceling) Write(b []byte) (int, error) {
	if c.after--; c.after == 0 {
		c.cancel()
	}
	return c.Builder.Write(b)
}

// full is a writer with room for some bytes.
type full struct{ room int }

var errFull = errors.New("no space left on device")

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// TestWriteFails: wherever an output cannot be written, no file is left.
func TestWriteFails(t *testing.T) {
	in := mixed(rand.New(rand.NewPCG(3, 4)), 30)
	put(t, "pairs.csv", in)
	for _, format := range []string{"csv", "jsonl"} {
		for room := 0; ; room += 50 {
			o := testOptions(t, "-out", "-", "pairs.csv")
			if format == "jsonl" { // through a table.Writer
				write(t, "pairs.jsonl", `{"text1":"a","text2":"b"}`+"\n{\n"+strings.Repeat(`{"text1":"a b","text2":"b"}`+"\n", 20))
				o = testOptions(t, "-out", "-", "pairs.jsonl")
			}
			err := o.run(t.Context(), nil, &full{room}, io.Discard)
			if errors.Is(err, command.ErrRejected) && room > 0 {
				os.Remove("pairs.rejected." + format)
				break
			}
			if !errors.Is(err, errFull) || !strings.HasPrefix(err.Error(), "write to standard output: ") || !strings.HasSuffix(err.Error(), "; the output is not complete") {
				t.Fatalf("%s, room for %d bytes: got %v", format, room, err)
			}
			if _, ok := get(t, "pairs.rejected."+format+".partial"); ok {
				t.Fatal("rejected rows are left")
			}
		}
	}
	for name, want := range map[string]string{"/dev/full": "write /dev/full: ", "nix/x": "open nix/x.partial: "} {
		if _, err := os.Stat(name); name == "/dev/full" && err != nil {
			continue
		}
		for _, ending := range []string{"csv", "parquet"} {
			got := batch(t, "", "-reports", "0", "-out", "x."+ending, "-rejected", name, "pairs.csv")
			if got.status != command.Failed || !strings.HasPrefix(got.stderr, "similarity batch: "+want) || !strings.HasSuffix(got.stderr, "; nothing was written to x."+ending+"\n") {
				t.Errorf("rejected rows to %s: got %+v", name, got)
			}
		}
	}
	checkFolder(t, "pairs.csv", "pairs.jsonl")
}

// TestReadFails: an input that cannot be read to its end leaves no files.
func TestReadFails(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	rows := make([][]string, 5000)
	for i := range rows {
		rows[i] = []string{fmt.Sprint(rng.Uint64()), "a"}
	}
	file := encode(t, "a.csv.gz", []string{"text1", "text2"}, rows)
	put(t, "a.csv.gz", file[:len(file)/2])
	write(t, "b.csv", "text1,text2\na,a\nx\n")
	for _, args := range [][]string{{"a.csv.gz"}, {"-reports", "0", "-out", "x.csv", "b.csv", "a.csv.gz"}} {
		got := batch(t, "", args...)
		if got.status != command.Failed || !strings.HasPrefix(got.stderr, "similarity batch: a.csv.gz: gzip: the file is cut off") || !strings.Contains(got.stderr, "; nothing was written to ") {
			t.Errorf("got %+v", got)
		}
		checkFolder(t, "a.csv.gz", "b.csv")
	}
}

// TestStreamsAreOneFile: a file that is standard input is not written.
func TestStreamsAreOneFile(t *testing.T) {
	const in = "text1,text2\na,a\n"
	put(t, "pairs.csv", in)
	f, err := os.OpenFile("pairs.csv", os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, args := range [][]string{{"-"}, {"-out", "-", "pairs.csv"}, {"-force", "-out", "pairs.csv", "-"}} {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		var stderr strings.Builder
		if got := Main(t.Context(), args, f, f, &stderr); got != command.Usage || !strings.Contains(stderr.String(), "are the same file") {
			t.Errorf("%q: got status %d, %s", args, got, stderr.String())
		}
		checkFile(t, "pairs.csv", in)
	}
}

// TestLargeRows: -max-record is also for Parquet, and larger rows than a comparer keeps do not
// disturb others.
func TestLargeRows(t *testing.T) {
	large := strings.Repeat("a ", maxKeptRow/2)
	for _, format := range []string{"csv", "jsonl", "parquet"} {
		name := "in." + format
		put(t, name, encode(t, name, []string{"text1", "text2"}, [][]string{{"a", "b"}, {large, "a"}, {large + large, "a"}, {"a", "a"}}))
		if got := batch(t, "", "-max-record", "1500KiB", name); got.status != command.Rejected || !strings.Contains(got.stderr, "longer than ") {
			t.Errorf("got %+v", got)
		}
		if got := decode(t, "in.similarity."+format, "similarity"); fmt.Sprint(got) != "[[0] [1] [1]]" {
			t.Errorf("%s: got %q", format, got)
		}
	}
}
