package table

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A Format is how a file has rows.
type Format string

// The formats.
const (
	CSV     Format = "csv"
	JSONL   Format = "jsonl"
	Parquet Format = "parquet"
	Text    Format = "text" // a file that is one row with the column text
)

// ParseFormat returns the format with a name.
func ParseFormat(name string) (Format, error) {
	f := Format(name)
	if !slices.Contains([]Format{CSV, JSONL, Parquet, Text}, f) {
		return "", fmt.Errorf("must be csv, jsonl, parquet or text")
	}
	return f, nil
}

// A compression is how a file is compressed.
type compression string

const (
	plain compression = ""
	gzip  compression = "gzip"
	zstd  compression = "zstd"
)

// Stem returns a file's name without the endings that say its format and compression:
// data/a.csv.gz is data/a.
func Stem(name string) string {
	name = cutCompression(name)
	if format(name) != "" || strings.EqualFold(filepath.Ext(name), ".txt") {
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	return name
}

func cutCompression(name string) string {
	switch ext := filepath.Ext(name); strings.ToLower(ext) {
	case ".gz", ".zst":
		return strings.TrimSuffix(name, ext)
	}
	return name
}

// FormatOf returns the format that a file's name says, or "".
func FormatOf(name string) Format { return format(cutCompression(name)) }

func format(name string) Format {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv", ".tsv":
		return CSV
	case ".jsonl", ".ndjson":
		return JSONL
	case ".parquet":
		return Parquet
	}
	return ""
}

// compressionOf returns the compression that a file's name says.
func compressionOf(name string) compression {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gz":
		return gzip
	case ".zst":
		return zstd
	}
	return plain
}

// The first bytes of files.
const (
	gzipMagic    = "\x1f\x8b"
	zstdMagic    = "\x28\xb5\x2f\xfd"
	parquetMagic = "PAR1"
)

// others are the first bytes of files that are not tables. None of them is a word that a text
// or a header may begin with.
var others = []struct{ magic, what string }{
	{"PK\x03\x04", "a ZIP archive, or a spreadsheet; unpack it, or save it as CSV in UTF-8"},
	{"\xd0\xcf\x11\xe0", "a spreadsheet or document; save it as CSV in UTF-8"},
	{"%PDF", "a PDF document"},
	{"BZh91AY&SY", "compressed by bzip2; only gzip and zstd are read: decompress it first"},
	{"\xfd7zXZ", "compressed by xz; only gzip and zstd are read: decompress it first"},
	{"\x04\x22\x4d\x18", "compressed by lz4; only gzip and zstd are read: decompress it first"},
	{"\xff\xfe", "UTF-16; save it as UTF-8"},
	{"\xfe\xff", "UTF-16; save it as UTF-8"},
	{"Obj\x01", "an Avro file; convert it to Parquet or JSONL"},
	{"SQLite format 3", "an SQLite database; export the rows as CSV"},
}

// A FormatError says that a file is in none of the formats, or in another one than its name
// says.
type FormatError struct{ Reason string }

func (e *FormatError) Error() string { return e.Reason }

// detect returns the format of a file by its name and its first bytes. byDefault is the format
// of a file that neither tells.
func detect(name string, head []byte, asked, byDefault Format) (Format, error) {
	for _, o := range others {
		if bytes.HasPrefix(head, []byte(o.magic)) && asked != Text {
			return "", &FormatError{"this is " + o.what}
		}
	}
	named, isParquet := FormatOf(name), bytes.HasPrefix(head, []byte(parquetMagic))
	got := asked
	switch {
	case got != "":
	case named != "":
		got = named
	case isParquet:
		got = Parquet
	case byDefault == Text && strings.EqualFold(filepath.Ext(cutCompression(name)), ".txt"):
		got = Text // even if it looks like JSON
	case bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(head, byteOrderMark), " \t\r\n"), []byte("{")):
		got = JSONL
	default:
		got = byDefault
	}
	switch {
	case isParquet && got != Parquet && got != Text:
		return "", &FormatError{fmt.Sprintf("this is a Parquet file, not %s; rename it, or read it with -format parquet", got)}
	case !isParquet && got == Parquet:
		return "", &FormatError{"this is not a Parquet file"}
	case bytes.IndexByte(head, 0) >= 0 && got != Parquet:
		return "", &FormatError{"this is not text in UTF-8: it has zero bytes"}
	}
	return got, nil
}

// ParseComma parses what is between the fields of CSV: a character, or tab.
func ParseComma(s string) (byte, error) {
	if s == "tab" || s == `\t` {
		return '\t', nil
	}
	if len(s) != 1 || s != "\t" && !strings.Contains("!#$%&'()*+,/:;<=>?@[\\]^_`{|}~\x1e\x1f", s) {
		return 0, errors.New("must be tab, or one character that is not a letter, digit, space, quote, dot or hyphen, such as ';'")
	}
	return s[0], nil
}
