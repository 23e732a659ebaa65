package batch

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/similarity/internal/command"
)

// A result is what the command left.
type result struct {
	status         int
	stdout, stderr string
}

// batch runs the command.
func batch(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := Main(t.Context(), args, strings.NewReader(stdin), &stdout, &stderr)
	return result{status, stdout.String(), stderr.String()}
}

// put writes a file into a new folder, to which the test changes.
func put(t *testing.T, name, content string) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, name, content)
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// get returns the content of a file, and whether it is there.
func get(t *testing.T, name string) (content string, ok bool) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(data), err == nil
}

// checkFile reports a file that has not the content wanted; "" is no file.
func checkFile(t *testing.T, name, want string) {
	t.Helper()
	if got, ok := get(t, name); got != want || ok != (want != "") {
		t.Errorf("%s: got %q (there: %t), want %q", name, abridged(got), ok, abridged(want))
	}
}

func abridged(s string) string {
	if len(s) > 1000 {
		return fmt.Sprintf("%s … (%d bytes)", s[:1000], len(s))
	}
	return s
}

// checkFolder reports files that should not be there.
func checkFolder(t *testing.T, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("files: got %q, want %q", got, want)
	}
}

func TestRows(t *testing.T) {
	const head, added = "id,text1,text2", ",similarity,interpretation"
	for _, tt := range []struct {
		name          string
		args          []string
		in            string
		out, rejected string // without the header, which in has
		reports       []string
	}{
		{"no row", nil, head + "\n", "", "", nil},
		{"a row", nil, head + "\n1,a b,a c\n", "1,a b,a c,0.352,Slightly Similar\n", "", nil},
		{"no newline at the end", nil, head + "\r\n1,a,a", "1,a,a,1,Highly Similar\r\n", "", nil},
		{"fields as they are", nil, head + "\n\" \"\"1\",\"a,\r\nb\",\"a\nb\"\r\n", "\" \"\"1\",\"a,\r\nb\",\"a\nb\",1,Highly Similar\r\n", "", nil},
		{"columns in another order", nil, "text2,x,text1\na b,\"\",a c\n", "a b,\"\",a c,0.352,Slightly Similar\n", "", nil},
		{"byte order mark", nil, "\uFEFF\"text1\",text2\na,b\n", "a,b,0,Dissimilar\n", "", nil},
		{"empty texts", nil, head + "\n1,,\n", "1,,,1,Highly Similar\n", "", []string{"similarity batch: 1 row without words in either text count as equal"}},
		{
			"other scripts", nil, head + "\n1,привет,мир\n2,a,a\n3,!,\n", "1,привет,мир,1,Highly Similar\n2,a,a,1,Highly Similar\n3,!,,1,Highly Similar\n", "",
			[]string{"similarity batch: 2 rows without words in either text count as equal; -words unicode finds words in 1 of them"},
		},
		{"blank lines", nil, "\n" + head + "\n\n1,a,b\n\n\n2,a,b\n\n", "1,a,b,0,Dissimilar\n2,a,b,0,Dissimilar\n", "", nil},
		{"semicolons", []string{"-comma", ";"}, "text1;text2\na,b;a\n", "a,b;a;0;Dissimilar\n", "", nil},
		{"tabs", []string{"-comma", "tab"}, "text1\ttext2\na\ta\n", "a\ta\t1\tHighly Similar\n", "", nil},
		{"ascii words", nil, "text1,text2\né x,x\n", "é x,x,1,Highly Similar\n", "", nil},
		{"unicode words", []string{"-words=unicode"}, "text1,text2\né é,É\n", "é é,É,1,Highly Similar\n", "", nil},
		{
			"fields are missing", nil, head + "\n1,a\n2,a,b\n3,a,b,c\n4\n", "2,a,b,0,Dissimilar\n", "1,a\n3,a,b,c\n4\n",
			[]string{"line 2: 2 fields, the header has 3", "line 4: 4 fields", "line 5: 1 field,"},
		},
		{
			"fields are missing in a row of lines", nil, head + "\n1,\"a\n2,a,b\"\n3,a,b\n", "3,a,b,0,Dissimilar\n", "1,\"a\n2,a,b\"\n",
			[]string{"lines 2 to 3: 2 fields, the header has 3"},
		},
		{"not UTF-8", nil, head + "\n1,a,b\xff\n2,a,b\n", "2,a,b,0,Dissimilar\n", "1,a,b\xff\n", []string{"line 2: not UTF-8 from byte 6 of the row"}},
		{"a quote too many", nil, head + "\n1,a\"b,c\n2,a,b\n", "2,a,b,0,Dissimilar\n", "1,a\"b,c\n", []string{"line 2: a quote in a field"}},
		{
			"a quote too few", nil, head + "\n1,\"a,b\n2,a,b\n3,\"x\",y\n", "2,a,b,0,Dissimilar\n3,\"x\",y,0,Dissimilar\n", "1,\"a,b\n",
			[]string{"line 2: a quote is not closed; line 4 has text after the quote that closes a field"},
		},
		{
			"blank lines of a rejected row", nil, head + "\n1,\"a\n\n\nb\" x,c\n2,a,b\n\n", "2,a,b,0,Dissimilar\n", "1,\"a\n\n\nb\" x,c\n",
			[]string{"line 2: a quote is not closed; line 5", "line 5: a quote in a field"},
		},
		{
			"too large",
			[]string{"-max-record", "20"},
			head + "\n1," + strings.Repeat("a", 30) + ",b\n2,a,b\n3,\"a\nb\nccccccccccccc\",b\n4,a,b\n",
			"2,a,b,0,Dissimilar\n4,a,b,0,Dissimilar\n", "1," + strings.Repeat("a", 30) + ",b\n3,\"a\nb\nccccccccccccc\",b\n",
			[]string{"line 2: longer than 20 bytes, the limit", "line 4: longer than 20 bytes", "line 5: 1 field", "line 6: a quote in a field"},
		},
		{"reports", []string{"-reports", "1"}, head + "\n1\n2\n3\n", "", "1\n2\n3\n", []string{"line 2: 1 field", "more rows are rejected; -reports -1 reports all"}},
		{"no reports", []string{"-reports", "0"}, head + "\n1\n2\n", "", "1\n2\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			put(t, "pairs.csv", tt.in)
			got := batch(t, "", append(tt.args, "pairs.csv")...)
			header, _, _ := strings.Cut(strings.TrimPrefix(tt.in, "\n"), "\n")
			end := header[len(strings.TrimSuffix(header, "\r")):] + "\n"
			header = strings.TrimSuffix(header, "\r")
			comma := header[len(header)-6 : len(header)-5] // in front of the last name, text2
			if strings.HasSuffix(header, "text1") {
				comma = ","
			}
			checkFile(t, "pairs.similarity.csv", header+strings.ReplaceAll(added, ",", comma)+end+tt.out)
			wantStatus, files := 0, []string{"pairs.csv", "pairs.similarity.csv"}
			if tt.rejected == "" {
				checkFile(t, "pairs.rejected.csv", "")
			} else {
				checkFile(t, "pairs.rejected.csv", header+end+tt.rejected)
				wantStatus, files = command.Rejected, []string{"pairs.csv", "pairs.rejected.csv", "pairs.similarity.csv"}
			}
			checkFolder(t, files...)
			lines := strings.Split(strings.TrimSuffix(got.stderr, "\n"), "\n")
			if got.status != wantStatus || got.stdout != "" || len(lines) != len(tt.reports)+1 {
				t.Fatalf("got %+v, want status %d and %d lines", got, wantStatus, len(tt.reports)+1)
			}
			for i, want := range tt.reports {
				if !strings.HasPrefix(lines[i], want) {
					t.Errorf("report: got %q, want %q", lines[i], want)
				}
			}
			if last := lines[len(lines)-1]; !strings.HasPrefix(last, "similarity batch: ") || !strings.HasSuffix(last, " rows/s") {
				t.Errorf("summary: got %q", last)
			}
		})
	}
}

// TestRejectedCanBeRepaired: corrected, the rejected rows are an input.
func TestRejectedCanBeRepaired(t *testing.T) {
	put(t, "pairs.csv", "\uFEFFtext1,text2\r\na,b\r\na\"b,c\r\n")
	if got := batch(t, "", "pairs.csv"); got.status != command.Rejected {
		t.Fatalf("got %+v", got)
	}
	rejected, _ := get(t, "pairs.rejected.csv")
	write(t, "pairs.rejected.csv", strings.ReplaceAll(rejected, "a\"b", "\"a\"\"b\""))
	if got := batch(t, "", "pairs.rejected.csv"); got.status != 0 {
		t.Fatalf("got %+v", got)
	}
	checkFile(t, "pairs.rejected.similarity.csv", "\uFEFFtext1,text2,similarity,interpretation\r\n\"a\"\"b\",c,0,Dissimilar\r\n")
}

func TestStandardStreams(t *testing.T) {
	const in = "text1,text2\na,a\nx\n"
	put(t, "pairs.csv", in)
	const out = "text1,text2,similarity,interpretation\na,a,1,Highly Similar\n"
	if got := batch(t, in, "-"); got.status != command.Rejected || got.stdout != out {
		t.Errorf("- to -: got %+v", got)
	}
	checkFile(t, "stdin.rejected.csv", "text1,text2\nx\n")
	if got := batch(t, "", "-out", "-", "pairs.csv"); got.status != command.Rejected || got.stdout != out {
		t.Errorf("file to -: got %+v", got)
	}
	if got := batch(t, in, "-", "-out", "x.csv"); got.status != command.Rejected || got.stdout != "" {
		t.Errorf("- to file: got %+v", got)
	}
	checkFile(t, "x.csv", out)
	checkFolder(t, "pairs.csv", "pairs.rejected.csv", "stdin.rejected.csv", "x.csv", "x.rejected.csv")
}

// TestErrors: each says what is wrong and what to do, and leaves all files as they are.
func TestErrors(t *testing.T) {
	const in = "text1,text2\na,a\nx\n"
	for _, tt := range []struct {
		name   string
		args   string
		files  map[string]string
		status int
		want   string
	}{
		{"no file", "", nil, 2, "missing file"},
		{"unknown flag", "-x pairs.csv", nil, 2, "-help shows all flags"},
		{"words", "-words x pairs.csv", nil, 2, "must be ascii, unicode or bigrams"},
		{"comma", "-comma 1 pairs.csv", nil, 2, "must be tab, or one character"},
		{"size", "-max-record 65MiB pairs.csv", nil, 2, "up to 64MiB"},
		{"workers", "-workers 0 pairs.csv", nil, 2, "must be from 1 to 1024"},
		{"reports", "-reports -2 pairs.csv", nil, 2, "-1 for all"},
		{"rejected to the standard output", "-rejected - pairs.csv", nil, 2, "name one"},
		{"format", "-format text pairs.csv", nil, 2, "must be csv, jsonl or parquet"},
		{"one column", "-text1 a -text2 a pairs.csv", nil, 2, `are the same column "a"`},
		{"rejected of several", "-rejected x pairs.csv -", nil, 2, "also requires -out"},
		{"one output of several", "pairs.csv ./pairs.csv", nil, 2, "are the same file"},
		{"no match", "nix*.csv", nil, 1, "no file matches nix*.csv"},
		{"missing", "nix.csv", nil, 1, "open nix.csv:"},
		{"folder", ".", nil, 1, ".: this is a folder"},
		{"empty", "pairs.csv", map[string]string{"pairs.csv": ""}, 1, "pairs.csv: there is no header"},
		{"other columns", "pairs.csv", map[string]string{"pairs.csv": "a;b\n"}, 1, `no column "text1", only ["a;b"]; rename a column, or set the separator with -comma`},
		{"column twice", "pairs.csv", map[string]string{"pairs.csv": "text1,text2,text1\n"}, 1, `two columns "text1"`},
		{"similarity there already", "pairs.csv", map[string]string{"pairs.csv": "text1,text2,similarity\n"}, 1, `pairs.csv has a column "similarity", which the output adds`},
		{"misquoted header", "pairs.csv", map[string]string{"pairs.csv": "\ntext1,\"text2\n"}, 1, "line 2, the header: a quote is not closed"},
		{"UTF-16", "pairs.csv", map[string]string{"pairs.csv": "\xff\xfet\x00\n\x00"}, 1, "save it as UTF-8"},
		{"output exists", "pairs.csv", map[string]string{"pairs.similarity.csv": "mine"}, 1, "overwrite it with -force"},
		{"rejected exists", "pairs.csv", map[string]string{"pairs.rejected.csv": "mine"}, 1, "overwrite it with -force"},
		{"in is out", "-force -out pairs.csv pairs.csv", nil, 2, "are the same file"},
		{"in is rejected", "-force -rejected ./pairs.csv pairs.csv", nil, 2, "are the same file"},
		{"new files are one", "-out x -rejected ./x pairs.csv", nil, 2, "are the same file"},
		{"rejected is the output, not complete", "-out x -rejected x.partial pairs.csv", nil, 2, "are the same file"},
		{"another run", "pairs.csv", map[string]string{"pairs.similarity.csv.partial": "mine"}, 1, "another run writes it"},
		{"tabs", "-out x.tsv pairs.csv", nil, 1, "would have ',' between the fields"},
		{"other columns in the second", "-reports 0 -out x.csv pairs.csv b.csv", map[string]string{"b.csv": "text1,text2,c\n"}, 1, "pairs.csv and b.csv do not have the same columns and separators"},
		{"another format of the second", "-reports 0 -out x.csv pairs.csv b.jsonl", map[string]string{"b.jsonl": ""}, 1, "pairs.csv is csv and b.jsonl is jsonl"},
		{"JSONL in CSV", "b.csv", map[string]string{"b.csv": `{"text1":1}`}, 1, "line 1, the header: a quote"},
		{"Parquet", "b.parquet", map[string]string{"b.parquet": "text1,text2\n"}, 1, "this is not a Parquet file"},
		{"gzip", "b.csv", map[string]string{"b.csv": "\x1f\x8b"}, 1, "gzip"},
		{"column twice, converted", "-out x.jsonl b.csv", map[string]string{"b.csv": "text1,text2,a,a\n"}, 1, `two columns "a"`},
		{"no folder", "-out nix/x.csv pairs.csv", nil, 1, "open nix/x.csv"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			put(t, "pairs.csv", in)
			for name, content := range tt.files {
				write(t, name, content)
			}
			got := batch(t, in, strings.Fields(tt.args)...)
			if got.status != tt.status || !strings.HasPrefix(got.stderr, "similarity batch: ") || !strings.Contains(got.stderr, tt.want) {
				t.Errorf("got %+v, want status %d and %q", got, tt.status, tt.want)
			}
			entries, _ := filepath.Glob("*")
			for _, name := range entries {
				if want, ok := tt.files[name]; ok {
					if content, _ := get(t, name); content != want {
						t.Errorf("%s: got %q, want %q as before", name, content, want)
					}
				} else if name != "pairs.csv" {
					t.Errorf("%s was left", name)
				}
			}
			if _, ok := tt.files["pairs.csv"]; !ok {
				checkFile(t, "pairs.csv", in)
			}
		})
	}
}

// TestReadOnlyFolder: the error is that of the folder, and says what to do.
func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	put(t, "pairs.csv", "text1,text2\na,a\n")
	if err := os.Chmod(".", 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(".", 0o755) })
	got := batch(t, "", "pairs.csv")
	if got.status != command.Failed || !strings.Contains(got.stderr, "permission denied; write to other files with -out") {
		t.Errorf("got %+v", got)
	}
	checkFolder(t, "pairs.csv")
}

func TestLinkedFilesAreOne(t *testing.T) {
	put(t, "pairs.csv", "text1,text2\n")
	if err := os.Link("pairs.csv", "x.csv"); err != nil {
		t.Skip(err)
	}
	if got := batch(t, "", "-force", "-out", "x.csv", "pairs.csv"); got.status != command.Usage || !strings.Contains(got.stderr, "are the same file") {
		t.Errorf("got %+v", got)
	}
	checkFile(t, "pairs.csv", "text1,text2\n")
}

func TestForce(t *testing.T) {
	put(t, "pairs.csv", "text1,text2\na,a\n")
	write(t, "pairs.similarity.csv", strings.Repeat("mine", 100))
	write(t, "pairs.rejected.csv", strings.Repeat("mine", 100))
	write(t, "pairs.similarity.csv.partial", "mine")
	if got := batch(t, "", "pairs.csv", "-force"); got.status != 0 {
		t.Errorf("got %+v", got)
	}
	checkFile(t, "pairs.similarity.csv", "text1,text2,similarity,interpretation\na,a,1,Highly Similar\n")
	checkFolder(t, "pairs.csv", "pairs.similarity.csv")
}

func TestHelp(t *testing.T) {
	got := batch(t, "", "-help")
	if got.status != 0 || got.stderr != "" || !strings.HasPrefix(got.stdout, "Usage: similarity batch") || !strings.Contains(got.stdout, "  -force\n") {
		t.Errorf("got %+v", got)
	}
}

// TestDiskFull: the file is named.
func TestDiskFull(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	put(t, "pairs.csv", "text1,text2\na,a\n")
	if got := batch(t, "", "-out", "/dev/full", "pairs.csv"); got.status != command.Failed || !strings.Contains(got.stderr, "write /dev/full: ") {
		t.Errorf("got %+v", got)
	}
	checkFolder(t, "pairs.csv")
}

// TestLikeEncodingCSV: what encoding/csv writes is all compared, and comes back.
func TestLikeEncodingCSV(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var in bytes.Buffer
	w := csv.NewWriter(&in)
	rows := [][]string{{"id", "text1", "text2"}}
	w.Write(rows[0])
	for i := range 2000 {
		rows = append(rows, []string{fmt.Sprint(i), randomText(rng), randomText(rng)})
		w.Write(rows[i+1])
	}
	w.Flush()
	put(t, "pairs.csv", in.String())
	got := batch(t, "", "-out", "-", "pairs.csv")
	if got.status != 0 {
		t.Fatalf("got %+v", got)
	}
	out, err := csv.NewReader(strings.NewReader(got.stdout)).ReadAll()
	if err != nil || len(out) != len(rows) {
		t.Fatalf("%d rows of %d, error %v", len(out), len(rows), err)
	}
	for i, row := range rows {
		if !slices.Equal(out[i][:3], row) {
			t.Errorf("row %d: got %q, want %q", i, out[i], row)
		}
	}
}

// randomText returns a text with all that needs quotes.
func randomText(rng *rand.Rand) string {
	var b strings.Builder
	for range rng.IntN(10) {
		b.WriteString([]string{"a", "b ", "c\n", ",", "\"", "é", "\n\n", "\"\""}[rng.IntN(8)])
	}
	return b.String()
}

// TestStandardInputIsLeft: a run that waits for its input ends when ctx does, in the
// header as well as behind it.
func TestStandardInputIsLeft(t *testing.T) {
	for _, in := range []string{"text1,te", "text1,text2\n" + strings.Repeat("a,b\n", 1000)} {
		t.Chdir(t.TempDir())
		r, w := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan int)
		var stdout, stderr bytes.Buffer
		go func() { ended <- Main(ctx, []string{"-"}, r, &stdout, &stderr) }()
		if _, err := io.WriteString(w, in); err != nil {
			t.Fatal(err)
		}
		cancel()
		if got := <-ended; got != command.Interrupted || !strings.HasPrefix(stderr.String(), "similarity batch: interrupted") {
			t.Errorf("behind %.20q: got status %d, %q", in, got, stderr.String())
		}
		checkFolder(t)
		w.Close()
	}
}
