package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	stdzstd "github.com/klauspost/compress/zstd"
)

// write writes a file and returns its name.
func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// compressed returns data as a file with a name has it.
func compressed(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewCompressor(&b, name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// read returns the values of columns in all rows of a file, and the reasons of those that are
// not rows. Optional columns have a ? before their names, and come last.
func read(t *testing.T, name string, stdin io.Reader, o Options, columns ...string) (rows []string, err error) {
	t.Helper()
	f, err := Open(t.Context(), name, stdin, o)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var required, optional []string
	for _, name := range columns {
		if name, ok := strings.CutPrefix(name, "?"); ok {
			optional = append(optional, name)
		} else {
			required = append(required, name)
		}
	}
	d, err := f.NewDecoder(required, optional)
	if err != nil {
		return nil, err
	}
	for {
		r, err := f.Next()
		if errors.Is(err, io.EOF) {
			if f.Size >= 0 && f.Format != Parquet && f.Read() != f.Size {
				t.Errorf("%s: read %d of %d bytes", name, f.Read(), f.Size)
			}
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		row := fmt.Sprintf("%d:", r.Line)
		switch r.Kind {
		case Bad:
			row += " " + r.Reason
		case Row:
			values, reason := d.Decode(r)
			if reason != "" {
				row += " " + reason
				break
			}
			for _, v := range values {
				row += fmt.Sprintf(" %q", v.Text)
				if !v.Set {
					row += " unset"
				}
				if v.JSON {
					row += " JSON"
				}
			}
		default:
			continue
		}
		rows = append(rows, row)
	}
}

// TestRoundTrip writes files in all formats and with all compressions, and reads them from
// files and from standard input.
func TestRoundTrip(t *testing.T) {
	rows := [][]Value{
		{String("1"), String("plain"), Thousandths(519)},
		{String("2"), String("a, \"b\"\nc\u2028 <é>"), Thousandths(1000)},
		{String("3"), String(""), Thousandths(0)},
	}
	for i := range 1000 {
		rows = append(rows, []Value{String(fmt.Sprint(i + 4)), String(strings.Repeat("x", i)), Thousandths(i)})
	}
	for _, format := range []Format{CSV, JSONL, Parquet} {
		for _, ending := range []string{"", ".gz", ".zst"} {
			name := "table." + string(format) + ending
			t.Run(name, func(t *testing.T) {
				var b bytes.Buffer
				w, err := NewWriter(&b, format, false, Column{"id", false}, Column{"text", false}, Column{"similarity", true})
				if err != nil {
					t.Fatal(err)
				}
				var want []string
				line := 1
				if format == CSV {
					line = 2
				}
				for _, row := range rows {
					if err := w.Write(row...); err != nil {
						t.Fatal(err)
					}
					similarity := row[2].Text
					if format == CSV {
						similarity = fmt.Sprintf("%q", similarity)
					} else {
						similarity = fmt.Sprintf("%q JSON", similarity)
					}
					want = append(want, fmt.Sprintf("%d: %q %q %s \"\" unset", line, row[1].Text, row[0].Text, similarity))
					line++
					if format == CSV {
						line += strings.Count(row[1].Text, "\n")
					}
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				data := compressed(t, name, b.Bytes())
				file := write(t, name, data)
				wrong := write(t, "table", data) // without a name that tells anything
				for _, in := range []struct {
					name  string
					stdin io.Reader
					o     Options
				}{
					{file, nil, Options{}},
					{wrong, nil, Options{Default: CSV}},
					{wrong, nil, Options{Format: format}},
					{"-", bytes.NewReader(data), Options{Default: CSV}},
					{"-", iotest.HalfReader(bytes.NewReader(data)), Options{Default: CSV, Temp: t.TempDir()}},
				} {
					got, err := read(t, in.name, in.stdin, in.o, "text", "id", "similarity", "?other")
					if err != nil || strings.Join(got, "\n") != strings.Join(want, "\n") {
						t.Fatalf("%s: %v; %d rows\n%.300s, want %d\n%.300s", in.name, err, len(got), strings.Join(got, "\n"), len(want), strings.Join(want, "\n"))
					}
				}
			})
		}
	}
}

// TestHostile has files that are not what they should be.
func TestHostile(t *testing.T) {
	long := strings.Repeat("x", 100)
	var parquet bytes.Buffer
	w, _ := NewWriter(&parquet, Parquet, false, Column{"text", false})
	for range 1000 {
		w.Write(String(long))
	}
	w.Close()
	damaged := bytes.Clone(parquet.Bytes())
	for i := 10; i < len(damaged)-100; i += 3 {
		damaged[i] ^= 0x55
	}
	z := compressed(t, "a.gz", []byte("text\n"+long+"\n"))
	e, _ := stdzstd.NewWriter(nil)
	zs := e.EncodeAll([]byte("text\n"+long+"\n"), nil)
	for _, c := range []struct{ name, data, want string }{
		{"a.csv", "", "there is no header"},
		{"a.csv", "\n\n", "there is no header"},
		{"a.csv", "a,b\n", `no column "text", only ["a" "b"]`},
		{"a.csv", "text,text\n", `two columns "text"`},
		{"a.csv", "text\n\xff\n", "2: not UTF-8 from byte 1 of the row"},
		{"a.csv", "text\na,b\nc\n", `2: 2 fields, the header has 1|3: "c"`},
		{"a.csv", "text\n\"a\nb\n", `2: a quote is not closed|3: "b"`},
		{"a.csv", "text\n" + strings.Repeat(long, 11) + "\nb\n", `2: longer than 1000 bytes, the limit|3: "b"`},
		{"a.csv", "\ufefftext\r\na\r\n", `2: "a"`},
		{"a.tsv", "text\tx\na,b\tc\n", `2: "a,b"`},
		{"a.csv", "ORCID,text\n1,a\n", `2: "a"`},
		{"a.csv", "BZh,text\n1,a\n", `2: "a"`},
		{"a.csv", "BZh91AY&SYabc", "compressed by bzip2"},
		{"a.csv", "ORC\n\x00", "zero bytes"},
		{"a.csv", "\xff\xfet\x00", "this is UTF-16"},
		{"a.csv", "PK\x03\x04abc", "this is a ZIP archive"},
		{"a.csv", "te\x00xt\n", "zero bytes"},
		{"a.csv", parquet.String(), "this is a Parquet file, not csv; rename it, or read it with -format parquet"},
		{"a.parquet", "text\na\n", "this is not a Parquet file"},
		{"a.parquet", parquet.String()[:parquet.Len()/2], "damaged, or not complete"},
		{"a.parquet", "PAR1", "damaged, or not complete"},
		{"a.gz", string(z[:len(z)/2]), "gzip: the file is cut off"},
		{"a.gz", string(z[:len(z)-3]), "gzip: the file is cut off"},
		{"a.gz", string(append(z[:len(z)-5:len(z)-5], "xxxxx"...)), "gzip: "},
		{"a.zst", string(zs[:len(zs)-3]), "zstd: "},
		{"a.xz", "\xfd7zXZ\x00", "compressed by xz"},
		{"a.jsonl", "", ""},
		{"a.jsonl", `{"text":"a"}` + "\n\n" + `{"text":"b"}`, `1: "a"|3: "b"`},
		{"a.jsonl", "\ufeff" + `{"text":"a"}` + "\r\n", `1: "a"`},
		{"a.jsonl", `{"text":"a"} x`, "1: something follows the JSON object, in byte 13 of the row"},
		{"a.jsonl", `{"text":"a"`, "1: the JSON object has no end in this line"},
		{"a.jsonl", `{"text":"a","text":"b"}`, `1: not JSON in byte 13 of the row: duplicate object member name "/text"`},
		{"a.jsonl", `{"text":}`, "1: not JSON in byte 9 of the row"},
		{"a.jsonl", `["a"]` + "\n" + `1`, "1: not a JSON object|2: not a JSON object"},
		{"a.jsonl", `{"text":1}` + "\n" + `{"text":null}` + "\n" + `{"text":["a"]}` + "\n{}", `1: "1" JSON|2: "" unset|3: "[\"a\"]" JSON|4: "" unset`},
		{"a.jsonl", `{"text":"\ud800"}`, "1: not JSON in byte 10 of the row: invalid surrogate pair"},
		{"a.jsonl", `{"te\u0078t":"\u00e9\n"}`, `1: "é\n"`},
		{"a.txt", "some\ntext", `1: "some\ntext"`},
		{"a.txt", long + strings.Repeat(long, 10), "1: longer than 1000 bytes"},
		{"a.txt", "\xff", "1: not UTF-8"},
	} {
		got, err := read(t, write(t, c.name, []byte(c.data)), nil, Options{Default: Text, Limit: 1000}, "text")
		result := strings.Join(got, "|")
		if err != nil {
			result = err.Error()
		}
		if !strings.Contains(result, c.want) || c.want == "" && result != "" {
			t.Errorf("%s with %.40q: %q, want %q", c.name, c.data, result, c.want)
		}
	}
	if _, err := read(t, write(t, "a.parquet", damaged), nil, Options{}, "text"); err == nil {
		t.Error("a damaged Parquet file was read")
	}
	if _, err := read(t, t.TempDir(), nil, Options{}, "text"); err == nil || !strings.Contains(err.Error(), "this is a folder") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := read(t, "missing.csv", nil, Options{}, "text"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// TestExpand has patterns and names.
func TestExpand(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.csv", "b.csv", "[x].csv"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string]string{
		"*.csv": "[x].csv a.csv b.csv", "[x].csv": "[x].csv", "a.csv": "a.csv", "c.csv": "c.csv", "?.csv": "a.csv b.csv",
		"*.txt": "no file matches ", "[": "syntax error in pattern",
	} {
		files, err := Expand([]string{filepath.Join(dir, pattern)})
		for i := range files {
			files[i] = filepath.Base(files[i])
		}
		if got := strings.Join(files, " "); got != want && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %q %v, want %q", pattern, got, err, want)
		}
	}
	if files, err := Expand([]string{"-"}); err != nil || len(files) != 1 || files[0] != "-" {
		t.Errorf("-: %q %v", files, err)
	}
}

func TestStem(t *testing.T) {
	for name, want := range map[string]string{
		"a/b.csv": "a/b", "b.csv.gz": "b", "b.JSONL.zst": "b", "b.txt": "b", "b.1": "b.1", "b.1.gz": "b.1", "b": "b", "b.parquet": "b",
	} {
		if got := Stem(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// fuzz checks that a file of any bytes is read to the end or has an error, and that the
// records of text have all bytes.
func fuzz(f *testing.F, format Format, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Open(t.Context(), "-", bytes.NewReader(data), Options{Format: format, Limit: 100, Temp: t.TempDir()})
		if err != nil {
			return
		}
		defer file.Close()
		d, err := file.NewDecoder(nil, []string{"a", "text"})
		if err != nil {
			return
		}
		all := bytes.Clone(file.Header)
		for n := 0; format != Parquet || n < manyRows; n++ {
			r, err := file.Next()
			if err != nil {
				break
			}
			all = append(all, r.Raw...)
			if r.Kind == Row {
				d.Decode(r)
			}
		}
		if data := bytes.TrimPrefix(data, byteOrderMark); format == JSONL && !bytes.HasPrefix(data, []byte(gzipMagic)) && !bytes.HasPrefix(data, []byte(zstdMagic)) && !bytes.Equal(all, data) {
			t.Errorf("the records have %q", all)
		}
	})
}

func FuzzCSV(f *testing.F) { fuzz(f, CSV, "a,text\n1,\"x\ny\"\n", "\ufeffa\n\"\n") }

func FuzzJSONL(f *testing.F) {
	fuzz(f, JSONL, `{"a":1,"text":"x"}`+"\n", "{}", `{"text":"\ud800"}`)
}

func FuzzParquet(f *testing.F) {
	var b bytes.Buffer
	w, _ := NewWriter(&b, Parquet, false, Column{"a", true}, Column{"text", false})
	w.Write(Thousandths(1), String("x"))
	w.Close()
	fuzz(f, Parquet, b.String())
}

// manyRows is enough. A few bytes of Parquet can say that there are billions of rows, all null.
const manyRows = 10_000

// FuzzParquetRows reads all columns of Parquet, and writes the rows.
func FuzzParquetRows(f *testing.F) {
	for _, name := range []string{"types", "old", "plain", "empty"} {
		data, err := os.ReadFile("testdata/" + name + ".parquet")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Open(t.Context(), "-", bytes.NewReader(data), Options{Format: Parquet, Temp: t.TempDir()})
		if err != nil {
			return
		}
		defer file.Close()
		d, err := file.NewDecoder(nil, file.Columns)
		if err != nil {
			return
		}
		w, err := NewParquetWriter(io.Discard, file, Column{Name: "added"})
		if err != nil {
			return
		}
		for range manyRows {
			r, err := file.Next()
			if err != nil {
				break
			}
			values, reason := d.Decode(r)
			for i, v := range values {
				if v.JSON && !json.Valid([]byte(v.Text)) {
					t.Errorf("column %d is no JSON: %q", i, v.Text)
				}
			}
			if err := w.Write(r, String(reason)); err != nil {
				return
			}
		}
		if err := w.Close(); err != nil {
			t.Log(err)
		}
	})
}

func TestKeys(t *testing.T) {
	name := write(t, "x.jsonl", []byte(`{"b":1,"":{"c":2},"\u0061":null}`+"\n[]\n{}\n"))
	f, err := Open(t.Context(), name, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d, err := f.NewDecoder([]string{"a"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`["b" "" "a"]`, "[]", "[]"} {
		r, err := f.Next()
		if err != nil {
			t.Fatal(err)
		}
		d.Decode(r)
		if got := fmt.Sprintf("%q", d.Keys()); got != want || r.Size() != len(r.Raw) {
			t.Errorf("got %s and size %d, want %s and %d", got, r.Size(), want, len(r.Raw))
		}
	}
}

// TestOptionalColumn: it may be missing, but not be there twice.
func TestOptionalColumn(t *testing.T) {
	for _, tt := range []struct{ in, column, want string }{
		{"a,?b\n1,2\n", "??b", ` 2: "1" "2"`},
		{"a,b\n1,2\n", "?c", ` 2: "1" "" unset`},
		{"a,b,b\n1,2,3\n", "?b", `the header has two columns "b"; rename one`},
	} {
		rows, err := read(t, "-", strings.NewReader(tt.in), Options{Format: CSV}, "a", tt.column)
		if got := fmt.Sprint(strings.Join(rows, ";"), err); !strings.Contains(" "+got, tt.want) {
			t.Errorf("%q, %s: got %s, want %s", tt.in, tt.column, got, tt.want)
		}
	}
}

// TestParquetGroups: a group ends before its rows take too much memory.
func TestParquetGroups(t *testing.T) {
	var b bytes.Buffer
	w, err := NewWriter(&b, Parquet, false, Column{"text", false})
	if err != nil {
		t.Fatal(err)
	}
	defer func(n int) { rowGroupBytes = n }(rowGroupBytes)
	rowGroupBytes = 1000
	large := strings.Repeat("x", 500)
	for range 7 {
		if err := w.Write(String(large)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := Open(t.Context(), write(t, "x.parquet", b.Bytes()), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := len(f.parquet.groups); got != 3 {
		t.Errorf("got %d groups, want 3", got)
	}
}

// TestTwoOptionalColumns has a column that need not be there, and is there twice.
func TestTwoOptionalColumns(t *testing.T) {
	name := write(t, "a.csv", []byte("id,id,text\n1,2,a\n"))
	if _, err := read(t, name, nil, Options{}, "text", "?id"); err == nil || !strings.Contains(err.Error(), `two columns "id"`) {
		t.Errorf("got %v", err)
	}
}

// TestTextByName has a text that looks like JSON.
func TestTextByName(t *testing.T) {
	for name, want := range map[string]Format{"a.txt": Text, "a.TXT.gz": Text, "a": JSONL, "a.jsonl": JSONL} {
		if got, err := detect(name, []byte("{a} b"), "", Text); got != want || err != nil {
			t.Errorf("%s: %q, %v, want %q", name, got, err, want)
		}
	}
	if got, _ := detect("a.txt", []byte("{}"), "", CSV); got != JSONL {
		t.Errorf("a.txt that is a table: %q", got)
	}
}

// TestParquetLimit has a value in Parquet that is too long.
func TestParquetLimit(t *testing.T) {
	var b bytes.Buffer
	w, _ := NewWriter(&b, Parquet, false, Column{"text", false}, Column{"other", false})
	for _, n := range []int{1000, 1001, 1} {
		w.Write(String(strings.Repeat("x", n)), String(strings.Repeat("x", 2000)))
	}
	w.Close()
	got, err := read(t, write(t, "a.parquet", b.Bytes()), nil, Options{Limit: 1000}, "text")
	if err != nil || len(got) != 3 || got[1] != "2: text is longer than 1000 bytes, the limit" || got[2] != `3: "x"` {
		t.Errorf("%q, %v", got, err)
	}
}
