package table

import (
	"bufio"
	"bytes"
	stdgzip "compress/gzip"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	stdzstd "github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
)

// MaxRecord is the largest size of a record, in bytes.
const MaxRecord = 64 << 20

// Options say how files are read.
type Options struct {
	Format  Format // of all files; by their names and content if empty
	Default Format // of files for which neither name nor content tell it
	Comma   byte   // between fields of CSV; a comma if 0, or a tab in .tsv
	Limit   int    // bytes of a record, or of a value in Parquet; MaxRecord if 0
	Temp    string // the folder for Parquet that is compressed or not in a file
}

// Expand returns the names of files: those in names, and those that match patterns of
// [filepath.Match] in it. A name of a file that exists is no pattern, and neither is "-".
func Expand(names []string) (files []string, err error) {
	for _, name := range names {
		if _, err := os.Lstat(name); err == nil || !strings.ContainsAny(name, `*?[`) {
			files = append(files, name)
			continue
		}
		found, err := filepath.Glob(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("no file matches %s", name)
		}
		files = append(files, found...)
	}
	return files, nil
}

// A File is a file that is read.
type File struct {
	Name    string
	Format  Format
	Size    int64    // in bytes, or -1 if it is not known
	Columns []string // of CSV and Parquet; nil for JSONL
	Header  []byte   // the first row of CSV, with the byte order mark if there is one
	Comma   byte     // of CSV

	Info fs.FileInfo // of the file, or nil

	in      input
	rows    *splitter
	parquet *parquetReader
	text    bool // that is still to be read
	limit   int
	close   []func() error
}

// An input counts the bytes that are read from a file.
type input struct {
	r io.Reader
	n atomic.Int64
}

func (in *input) Read(b []byte) (int, error) {
	n, err := in.r.Read(b)
	in.n.Add(int64(n))
	return n, err
}

// Open opens a file, or standard input for the name "-". When ctx is done, reads that may
// block, as those of a pipe, are abandoned. The error names the file.
func Open(ctx context.Context, name string, stdin io.Reader, o Options) (f *File, err error) {
	f = &File{Name: name, Size: -1, limit: o.Limit, Comma: o.Comma}
	if f.limit == 0 {
		f.limit = MaxRecord
	}
	defer func() {
		if err == nil {
			return
		}
		f.Close()
		if _, isPath := errors.AsType[*fs.PathError](err); !isPath && !errors.Is(err, ctx.Err()) {
			err = fmt.Errorf("%s: %w", f.Name, err)
		}
	}()
	if err := f.open(ctx, stdin); err != nil {
		return f, err
	}
	r := bufio.NewReaderSize(&f.in, 64<<10)
	decompressed, err := f.decompress(r)
	if err != nil {
		return f, err
	}
	head, err := decompressed.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return f, err
	}
	if f.Format, err = detect(name, head, o.Format, o.Default); err != nil {
		return f, err
	}
	switch f.Format {
	case CSV:
		return f, f.readHeader(decompressed)
	case Parquet:
		return f, f.openParquet(decompressed, decompressed == r, o.Temp)
	}
	mark := skip(decompressed, byteOrderMark)
	f.rows = newSplitter(decompressed, 0, f.limit)
	f.rows.offset = int64(len(mark))
	f.text = f.Format == Text
	return f, nil
}

// open opens the file itself.
func (f *File) open(ctx context.Context, stdin io.Reader) error {
	if f.Name == "-" {
		f.Name, f.in.r = "standard input", &leavable{ctx: ctx, r: stdin}
		if file, ok := stdin.(*os.File); ok {
			f.Info, _ = file.Stat()
		}
		return nil
	}
	file, err := openFile(ctx, f.Name)
	if err != nil {
		return err
	}
	f.close = append(f.close, file.Close)
	if f.Info, err = file.Stat(); err != nil {
		return err
	}
	switch {
	case f.Info.IsDir():
		return fmt.Errorf("this is a folder; name its files, for example %s", filepath.Join(f.Name, "*.jsonl"))
	case f.Info.Mode().IsRegular():
		f.in.r, f.Size = file, f.Info.Size()
	default:
		f.in.r = &leavable{ctx: ctx, r: file}
	}
	return nil
}

// openFile opens a file. Opening a named pipe waits for its writer, which is abandoned when ctx
// is done.
func openFile(ctx context.Context, name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return os.Open(name)
	}
	var file *os.File
	done := make(chan struct{})
	go func() {
		defer close(done)
		file, err = os.Open(name)
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-done:
		return file, err
	}
}

// decompress returns a reader of what r has, which is r if it is not compressed.
func (f *File) decompress(r *bufio.Reader) (*bufio.Reader, error) {
	head, err := r.Peek(4)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, err
	case bytes.HasPrefix(head, []byte(gzipMagic)):
		z, err := stdgzip.NewReader(r)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		return bufio.NewReaderSize(&named{z, gzip}, 64<<10), nil
	case bytes.HasPrefix(head, []byte(zstdMagic)):
		z, err := stdzstd.NewReader(r, stdzstd.WithDecoderConcurrency(1), stdzstd.WithDecoderMaxMemory(1<<30))
		if err != nil {
			return nil, fmt.Errorf("zstd: %w", err)
		}
		f.close = append(f.close, func() error { z.Close(); return nil })
		return bufio.NewReaderSize(&named{z, zstd}, 64<<10), nil
	}
	return r, nil
}

// A named reader says in its errors how a file is compressed.
type named struct {
	r io.Reader
	c compression
}

func (n *named) Read(b []byte) (int, error) {
	k, err := n.r.Read(b)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("%s: the file is cut off: %w", n.c, err)
	} else if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%s: %w", n.c, err)
	}
	return k, err
}

// skip skips a prefix, if it is there.
func skip(r *bufio.Reader, prefix []byte) (skipped []byte) {
	if head, _ := r.Peek(len(prefix)); !bytes.Equal(head, prefix) {
		return nil
	}
	r.Discard(len(prefix))
	return prefix
}

var byteOrderMark = []byte("\uFEFF")

// readHeader reads the header of CSV.
func (f *File) readHeader(r *bufio.Reader) error {
	switch {
	case f.Comma != 0:
	case strings.EqualFold(filepath.Ext(cutCompression(f.Name)), ".tsv"):
		f.Comma = '\t'
	default:
		f.Comma = ','
	}
	mark := skip(r, byteOrderMark)
	f.rows = newSplitter(r, f.Comma, f.limit)
	f.rows.offset = int64(len(mark))
	for {
		switch record, err := f.rows.next(); {
		case errors.Is(err, io.EOF):
			return errors.New("there is no header; the first row must have the names of the columns, such as id,text1,text2")
		case err != nil:
			return err
		case record.Kind == Bad:
			return fmt.Errorf("line %d, the header: %s", record.Line, record.Reason)
		case record.Kind == Row:
			return f.setHeader(mark, record.Raw)
		}
	}
}

func (f *File) setHeader(mark, row []byte) error {
	if !utf8.Valid(row) {
		return errors.New("the header is not UTF-8; save the file as UTF-8, with or without a byte order mark")
	}
	r := csv.NewReader(bytes.NewReader(row))
	r.Comma = rune(f.Comma)
	var err error
	if f.Columns, err = r.Read(); err != nil {
		return fmt.Errorf("the header: %w", err)
	}
	f.Header = append(bytes.Clone(mark), row...)
	return nil
}

// Kind is the kind of a record.
type Kind uint8

// The kinds of records.
const (
	Row   Kind = iota // a row, or what looks like one
	Blank             // a blank line, which is no row
	Bad               // the first line of a row that cannot be read, or its first bytes
	More              // more bytes of a line that is too long
)

// A Record is a row, or bytes that are not one.
type Record struct {
	Kind   Kind
	Raw    []byte // as it is in the file, with what ends it; nil for Parquet
	Line   int    // its first line, from 1; the number of the row for Parquet
	Lines  int    // 0 if the line goes on in the next record
	Offset int64  // of its first byte, in the file as it is decompressed; 0 for Parquet
	Reason string // why it is Bad

	row parquet.Row // of Parquet
}

// Size returns the number of bytes of a record; for Parquet, those of its values.
func (r *Record) Size() int {
	n := len(r.Raw)
	for _, v := range r.row {
		n += 8 + len(bytesOf(v))
	}
	return n
}

// Next returns the next record. Its bytes are valid until the one after it is read. The error
// is io.EOF at the end of the file; others name the file.
func (f *File) Next() (r Record, err error) {
	switch {
	case f.parquet != nil:
		r, err = f.parquet.next()
	case f.text:
		f.text = false
		r, err = f.nextText()
	case f.Format == Text:
		err = io.EOF
	default:
		r, err = f.rows.next()
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%s: %w", f.Name, err)
	}
	return r, err
}

// nextText returns the whole file as a row.
func (f *File) nextText() (Record, error) {
	text, err := io.ReadAll(io.LimitReader(f.rows.r, int64(f.limit)+1))
	switch {
	case err != nil:
		return Record{}, err
	case len(text) > f.limit:
		return Record{Kind: Bad, Line: 1, Reason: fmt.Sprintf("longer than %s, the limit", size(f.limit))}, nil
	}
	return Record{Raw: text, Line: 1, Lines: 1}, nil
}

// Read returns the number of bytes that have been read from the file, compressed as they are.
// It is safe for concurrent use with [File.Next].
func (f *File) Read() int64 { return f.in.n.Load() }

// Close closes the file.
func (f *File) Close() error {
	var errs []error
	for i := len(f.close) - 1; i >= 0; i-- {
		errs = append(errs, f.close[i]())
	}
	f.close = nil
	return errors.Join(errs...)
}

// A leavable reader abandons a read when ctx is done.
type leavable struct {
	ctx context.Context
	r   io.Reader
}

// Read reads into memory of its own, because an abandoned read may end later.
func (l *leavable) Read(b []byte) (int, error) {
	type read struct {
		data []byte
		err  error
	}
	done := make(chan read, 1)
	go func() {
		own := make([]byte, min(len(b), 64<<10))
		n, err := l.r.Read(own)
		done <- read{own[:n], err}
	}()
	select {
	case <-l.ctx.Done():
		return 0, l.ctx.Err()
	case got := <-done:
		return copy(b, got.data), got.err
	}
}

// size formats a number of bytes.
func size(n int) string {
	for i, unit := range []string{"MiB", "KiB"} {
		if per := 1 << (20 - 10*i); n%per == 0 && n > 0 {
			return fmt.Sprintf("%d %s", n/per, unit)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}
