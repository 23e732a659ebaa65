package pairs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/similarity/score"
	"github.com/muxwell/muxwell/similarity/table"
)

// write writes a file into a folder, compressed as its name says, and returns its name.
func write(t *testing.T, dir, name, data string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := table.NewCompressor(&b, name)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(w, data)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	name = filepath.Join(dir, name)
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestFormats has documents in files of all formats.
func TestFormats(t *testing.T) {
	dir := t.TempDir()
	var parquet bytes.Buffer
	w, err := table.NewWriter(&parquet, table.Parquet, false, table.Column{Name: "text"}, table.Column{Name: "id", Number: true})
	if err != nil {
		t.Fatal(err)
	}
	w.Write(table.String("a b c"), table.Thousandths(1500))
	w.Write(table.String("x y z"), table.Value{})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	files := []string{
		write(t, dir, "a.csv", "other,id,text\n1,c1,\"a b\nc\"\n2,,\"x\ny\nz\"\n"),
		write(t, dir, "b.jsonl.gz", `{"id":"j1","text":"c b a"}`+"\n"+`{"text":"z y x"}`+"\n"+`{"id":7,"text":"."}`),
		write(t, dir, "c.parquet.zst", parquet.String()),
		write(t, dir, "d.1.gz", "A B C"),
	}
	want := "id1,id2,similarity\n" +
		"c1,j1,1\n" + // a b c
		",DIR/b.jsonl.gz:2,1\n" + // x y z, with an empty ID
		"c1,1.5,1\nj1,1.5,1\n" +
		",DIR/c.parquet.zst:2,1\nDIR/b.jsonl.gz:2,DIR/c.parquet.zst:2,1\n" +
		"c1,DIR/d.1.gz,1\nj1,DIR/d.1.gz,1\n1.5,DIR/d.1.gz,1\n"
	want = strings.ReplaceAll(want, "DIR", dir)
	status, stdout, stderr := execute(t, "", files...)
	if status != 0 || stdout != want {
		t.Errorf("status %d, %q\n%s, want\n%s", status, stderr, stdout, want)
	}
	if status, stdout, _ := execute(t, "", filepath.Join(dir, "*")); status != 0 || stdout != want {
		t.Errorf("by a pattern: status %d\n%s", status, stdout)
	}
	if status, stdout, stderr := execute(t, "text\na b\na b c d e\nb a\n", "-"); status != 0 || stdout != "id1,id2,similarity\nstandard input:2,standard input:4,1\n" {
		t.Errorf("standard input: status %d, %q, %q", status, stdout, stderr)
	}
	for _, name := range []string{"out.jsonl", "out.parquet", "out.csv.zst", "out.jsonl.gz"} {
		out := filepath.Join(dir, name)
		if status, _, stderr := execute(t, "", append(files, "-out", out)...); status != 0 {
			t.Fatalf("%s: status %d, %q", name, status, stderr)
		}
		f, err := table.Open(t.Context(), out, nil, table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		d, err := f.NewDecoder([]string{"id1", "id2", "similarity"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := "id1,id2,similarity\n"
		for {
			r, err := f.Next()
			if err != nil {
				break
			}
			v, reason := d.Decode(r)
			if reason != "" {
				t.Fatal(reason)
			}
			got += v[0].Text + "," + v[1].Text + "," + v[2].Text + "\n"
		}
		f.Close()
		if got != want || exists(partial(out)) || exists(journal(out)) {
			t.Errorf("%s has\n%s, want\n%s", name, got, want)
		}
	}
}

// TestOtherFiles has files that are not text among documents: each is rejected, unless it is the
// only one, or named as a table.
func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.txt", "a b")
	write(t, dir, "b.txt", "\xff\xfea\x00")
	zip := write(t, dir, "c", "PK\x03\x04")
	write(t, dir, "d.txt", "a\x00")
	write(t, dir, "e.txt", "b a")
	want := fmt.Sprintf("id1,id2,similarity\n%[1]s/a.txt,%[1]s/e.txt,1\n", dir)
	status, stdout, stderr := execute(t, "", filepath.Join(dir, "*"))
	if status != 3 || stdout != want {
		t.Errorf("status %d, %q, want %q", status, stdout, want)
	}
	for _, want := range []string{"b.txt:1: this is UTF-16; save it as UTF-8\n", "c:1: this is a ZIP archive", "d.txt:1: this is not text in UTF-8: it has zero bytes\n", "2 documents, 0 without words, 3 rejected; 1 pair,"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("%q, want %q in it", stderr, want)
		}
	}
	if status, _, stderr := execute(t, "", zip); status != 1 || !strings.Contains(stderr, zip+": this is a ZIP archive") {
		t.Errorf("alone: status %d, %q", status, stderr)
	}
	table := write(t, dir, "f.csv", "PK\x03\x04")
	if status, _, stderr := execute(t, "", filepath.Join(dir, "*")); status != 1 || !strings.Contains(stderr, table+": this is a ZIP archive") {
		t.Errorf("named as a table: status %d, %q", status, stderr)
	}
}

// TestRejected has documents, and files, that cannot be read.
func TestRejected(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "a.jsonl", `{"id":"1","text":"a"}`+"\n{\n"+`{"id":[1],"text":"a"}`+"\n"+`{"id":"2"}`+"\n"+`{"text":1}`+"\n"+"\xff\n"+`{"id":"3","text":"A"}`)
	status, stdout, stderr := execute(t, "", file)
	if status != 3 || stdout != "id1,id2,similarity\n1,3,1\n" {
		t.Errorf("status %d, %q", status, stdout)
	}
	for _, want := range []string{
		"a.jsonl:2: the JSON object has no end in this line", "a.jsonl:3: id is [1] and neither a string nor a number",
		"a.jsonl:4: there is no text", "a.jsonl:5: text is 1 and not a string", "a.jsonl:6: not UTF-8", "2 documents, 0 without words, 5 rejected; 1 pair, 1 candidate;",
	} {
		if !strings.Contains(stderr, want) {
			t.Errorf("%q is not reported in\n%s", want, stderr)
		}
	}
	if _, _, stderr := execute(t, "", "-reports", "2", file); strings.Count(stderr, "a.jsonl:") != 2 || !strings.Contains(stderr, "-reports -1 reports all") {
		t.Errorf("-reports 2: %q", stderr)
	}
	for _, c := range []struct{ args, want string }{
		{write(t, dir, "b.csv", "id,body\n1,a\n"), `the header has no column "text", only ["id" "body"]`},
		{write(t, dir, "c.csv.gz", "id,text\n")[:len(dir)] + "/missing", "no such file"},
		{filepath.Join(dir, "*.none"), "no file matches"},
		{dir, "this is a folder; name its files"},
		{"-format parquet " + file, "this is not a Parquet file"},
		{"-temp " + dir + "/none -memory 0 " + file, "name a folder for temporary files with -temp"},
		{"-out " + dir + "/none/a.csv " + file, "write to another file with -out"},
		{"-resume -out " + dir + "/a.parquet " + file, "a.parquet cannot be continued"},
	} {
		status, stdout, stderr := execute(t, "", strings.Fields(c.args)...)
		if status == 0 || status == 3 || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: status %d, %q, want %q", c.args, status, stderr, c.want)
		}
	}
	if status, stdout, _ := execute(t, "", "-text", "body", filepath.Join(dir, "b.csv")); status != 0 || stdout != "id1,id2,similarity\n" {
		t.Errorf("-text: status %d, %q", status, stdout)
	}
}

// TestID has tables without the column of -id.
func TestID(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "a.csv", "id,text\n1,a\n2,a\n")
	text := write(t, dir, "a.txt", "A")
	jsonl := write(t, dir, "a.jsonl", `{"key":3,"text":"a"}`)
	if status, stdout, stderr := execute(t, "", "-id", "key", file); status != 1 || stdout != "" || !strings.Contains(stderr, `no column "key"`) {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}
	if status, stdout, stderr := execute(t, "", "-id", "key", jsonl, text); status != 0 || !strings.HasSuffix(stdout, "\n3,"+text+",1\n") {
		t.Errorf("a text: status %d, %q, %q", status, stdout, stderr)
	}
	if status, _, stderr := execute(t, "", "-id", "text", file); status != 2 || !strings.Contains(stderr, "-id and -text") {
		t.Errorf("one column: status %d, %q", status, stderr)
	}
}

// TestChunks has large documents in Parquet, of which few are read ahead, and blank lines, which
// do not delay an interruption.
func TestChunks(t *testing.T) {
	dir := t.TempDir()
	var parquet bytes.Buffer
	w, err := table.NewWriter(&parquet, table.Parquet, false, table.Column{Name: "text"})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		w.Write(table.String(strings.Repeat("x ", chunkBytes/8)))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	read := func(name, data string) (chunks int, err error) {
		f, err := table.Open(t.Context(), write(t, dir, name, data), nil, table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		err = chunksOf(ctx, f, func(c *chunk) error {
			if chunks++; len(c.records) > 4 {
				t.Errorf("%s: %d records in a chunk", name, len(c.records))
			}
			return nil
		})
		return chunks, err
	}
	if n, err := read("a.parquet", parquet.String()); n < 5 || err != nil {
		t.Errorf("%d chunks, %v", n, err)
	}
	cancel()
	if n, err := read("a.jsonl", strings.Repeat("\n", 100)); n != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %d chunks, %v", n, err)
	}
}

// TestLongWords has documents of long words, which take more memory.
func TestLongWords(t *testing.T) {
	bytes := func(words string) int64 {
		c := newCorpus(800, 1<<30, t.TempDir())
		defer c.close()
		v := score.Prepare([]byte(words), score.ASCII)
		if err := c.add("", v, nil); err != nil {
			t.Fatal(err)
		}
		return c.pending.bytes
	}
	if short, long := bytes("a b"), bytes("incomprehensibilities incomprehensibility"); long < short+2*20 {
		t.Errorf("%d bytes, and %d of long words", short, long)
	}
}
