package table

import (
	"bytes"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	logical "github.com/parquet-go/parquet-go/format"
)

// rowsOf returns all records of a file, and the file.
func rowsOf(t *testing.T, name string) (f *File, rows []Record) {
	t.Helper()
	f, err := Open(t.Context(), name, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	for {
		r, err := f.Next()
		if errors.Is(err, io.EOF) {
			return f, rows
		}
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
}

// TestParquetTypes has the columns of files by pyarrow 26: one with most of the types of Parquet,
// one of version 1.0 with times of 96 bits and decimals that are integers, and one without
// dictionaries. All columns are null in the third row.
func TestParquetTypes(t *testing.T) {
	for _, tt := range []struct {
		file, column  string
		first, second string // " JSON" follows what is no string
	}{
		{"types", "int64", "-9223372036854775808 JSON", "7 JSON"},
		{"types", "uint64", "18446744073709551615 JSON", "0 JSON"},
		{"types", "uint32", "4294967295 JSON", "0 JSON"},
		{"types", "int8", "-128 JSON", "127 JSON"},
		{"types", "string", `é "x"`, ""},
		{"types", "double", "1.5 JSON", "NaN"},
		{"types", "float", "0.1 JSON", "-Inf"},
		{"types", "boolean", "true JSON", "false JSON"},
		{"types", "date", "2026-01-02", "1969-12-31"},
		{"types", "timestamp", "2026-01-02T03:04:05.678901", "1960-01-01T00:00:00"},
		{"types", "utc", "2026-01-02T03:04:05.678Z", "1960-01-01T00:00:00Z"},
		{"types", "time", "03:04:05.000006", "00:00:00"},
		{"types", "decimal", "123.45 JSON", "-0.01 JSON"},
		{"types", "decimal38", "-123456789012345678901234567890123.12345 JSON", "0.00001 JSON"},
		{"types", "decimal0", "-7 JSON", "0 JSON"},
		{"types", "binary", "bytes", ""},
		{"types", "fixed", "ab", "cd"},
		{"types", "list", `["x",null,"y\""] JSON`, "[] JSON"},
		{"types", "lists", "[[1],[],null,[2,3]] JSON", "[] JSON"},
		{"types", "map", `{"k":1,"l":null} JSON`, "{} JSON"},
		{"types", "numbers", `{"1":0.5} JSON`, "{} JSON"},
		{"types", "struct", `{"a":1,"b":[{"c":"z","d":null},null]} JSON`, `{"a":null,"b":null} JSON`},
		{"old", "int96", "2026-01-02T03:04:05.678901", "1960-01-01T00:00:00"},
		{"old", "integer", "123.45 JSON", "-0.01 JSON"},
		{"old", "small", "1.5 JSON", "-0.1 JSON"},
		{"plain", "plain", "a", "b"},
		{"plain", "number", "1 JSON", "2 JSON"},
		{"plain", "float16", "-0.099975586 JSON", "5.9604645e-08 JSON"},
		{"plain", "split", "0.5 JSON", "-2 JSON"},
		{"plain", "delta", "5 JSON", "6 JSON"},
	} {
		f, rows := rowsOf(t, "testdata/"+tt.file+".parquet")
		d, err := f.NewDecoder([]string{tt.column}, nil)
		if err != nil || len(rows) != 3 {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
		for i, want := range []string{tt.first, tt.second, "null"} {
			values, reason := d.Decode(rows[i])
			got := values[0].Text
			if values[0].JSON {
				got += " JSON"
			}
			if !values[0].Set {
				got += "null"
			}
			if got != want || reason != "" {
				t.Errorf("%s, row %d: got %s and %q, want %s", tt.column, i, got, reason, want)
			}
		}
	}
}

// TestParquetRows writes rows as they are, with one more column.
func TestParquetRows(t *testing.T) {
	for _, name := range []string{"types", "old", "plain", "empty"} {
		name = "testdata/" + name + ".parquet"
		from, rows := rowsOf(t, name)
		var out bytes.Buffer
		w, err := NewParquetWriter(&out, from, Column{Name: "added", Number: true})
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			if err := w.Write(row, Thousandths(i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		old, err := parquet.OpenFile(bytes.NewReader(before), int64(len(before)))
		if err != nil {
			t.Fatal(err)
		}
		now, err := parquet.OpenFile(bytes.NewReader(out.Bytes()), int64(out.Len()))
		if err != nil {
			t.Fatal(err)
		}
		oldSchema, nowSchema := schema(old), schema(now)
		if want := strings.Replace(oldSchema, "\n}", "\n\toptional double added;\n}", 1); nowSchema != want && strings.HasSuffix(oldSchema, "\n}") {
			t.Errorf("%s has the schema\n%s, want\n%s", name, nowSchema, want)
		}
		for _, e := range now.Metadata().Schema {
			_, isFloat16 := e.LogicalType.Value.(*logical.Float16Type)
			if want := e.Name == "float16"; isFloat16 != want {
				t.Errorf("%s: %s has the logical type %v", name, e.Name, e.LogicalType)
			}
		}
		a, b := allRows(t, old), allRows(t, now)
		for i := range a {
			added := parquet.DoubleValue(float64(i)/1000).Level(0, 1, len(old.Schema().Columns()))
			if want := append(a[i], added); !reflect.DeepEqual(texts(b[i]), texts(want)) {
				t.Errorf("%s, row %d: got %+v, want %+v", name, i, b[i], want)
			}
		}
		if len(a) != len(rows) || len(b) != len(rows) || (len(rows) == 0) != (name == "testdata/empty.parquet") {
			t.Errorf("%s: %d, %d and %d rows", name, len(rows), len(a), len(b))
		}
	}
}

// schema returns the schema of a file, without its name.
func schema(f *parquet.File) string {
	_, s, _ := strings.Cut(f.Schema().String(), "{")
	return s
}

// texts returns values with their levels and columns.
func texts(row parquet.Row) (texts []string) {
	for _, v := range row {
		texts = append(texts, reflect.TypeOf(v).String()+v.Kind().String()+" "+v.GoString())
	}
	return texts
}

func allRows(t *testing.T, f *parquet.File) (all []parquet.Row) {
	t.Helper()
	for _, g := range f.RowGroups() {
		if g.NumRows() == 0 {
			continue
		}
		rows := g.Rows()
		defer rows.Close()
		buf := make([]parquet.Row, g.NumRows())
		n, err := rows.ReadRows(buf)
		if err != nil && !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		for _, row := range buf[:n] {
			all = append(all, row.Clone())
		}
	}
	return all
}

// TestLZ4 has a file that the library reads with wrong values.
func TestLZ4(t *testing.T) {
	type row struct {
		Text string `parquet:"text"`
	}
	var b bytes.Buffer
	if err := parquet.Write(&b, []row{{"a"}}, parquet.Compression(&parquet.Lz4Raw)); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), write(t, "a.parquet", b.Bytes()), nil, Options{}); err == nil || !strings.Contains(err.Error(), "compressed by LZ4, which is not read; use zstd or snappy") {
		t.Errorf("got %v", err)
	}
}
