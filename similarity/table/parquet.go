package table

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// A parquetReader reads the rows of a Parquet file.
type parquetReader struct {
	file    *parquet.File
	groups  []parquet.RowGroup // that are still to be read
	rows    parquet.Rows       // of the group that is being read, or nil
	buf     [64]parquet.Row
	ready   []parquet.Row // of buf
	n       int
	columns int
}

// openParquet opens Parquet, from the file itself if that is where r is.
func (f *File) openParquet(r *bufio.Reader, direct bool, temp string) (err error) {
	at, size := io.ReaderAt(nil), f.Size
	if file, ok := f.in.r.(*os.File); ok && direct {
		at = &readerAt{file, &f.in}
	} else {
		spooled, err := os.CreateTemp(temp, "similarity-*.parquet")
		if err != nil {
			return err
		}
		f.close = append(f.close, func() error { return errors.Join(spooled.Close(), os.Remove(spooled.Name())) })
		if size, err = io.Copy(spooled, r); err != nil {
			return err
		}
		at = spooled
	}
	defer recoverParquet(&err)
	file, err := parquet.OpenFile(at, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return fmt.Errorf("this Parquet file is damaged, or not complete: %w", err)
	}
	for _, column := range file.Root().Columns() {
		if !column.Leaf() || column.Repeated() {
			return fmt.Errorf("the column %q has lists or columns of its own; only flat columns are read", column.Name())
		}
		f.Columns = append(f.Columns, column.Name())
	}
	if len(f.Columns) == 0 {
		return errors.New("this Parquet file has no columns")
	}
	f.parquet = &parquetReader{file: file, groups: file.RowGroups(), columns: len(f.Columns)}
	return nil
}

// recoverParquet makes errors of panics, with which damaged files are met.
func recoverParquet(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("this Parquet file is damaged: %v", p)
	}
}

// A readerAt counts the bytes that are read.
type readerAt struct {
	r  io.ReaderAt
	in *input
}

func (r *readerAt) ReadAt(b []byte, at int64) (int, error) {
	n, err := r.r.ReadAt(b, at)
	r.in.n.Add(int64(n))
	return n, err
}

// next returns the next row. It does not share memory with others.
func (p *parquetReader) next() (r Record, err error) {
	defer recoverParquet(&err)
	for len(p.ready) == 0 {
		if p.rows == nil {
			if len(p.groups) == 0 {
				return r, io.EOF
			}
			p.rows, p.groups = p.groups[0].Rows(), p.groups[1:]
		}
		n, err := p.rows.ReadRows(p.buf[:])
		p.ready = p.buf[:n]
		if errors.Is(err, io.EOF) {
			err = p.rows.Close()
			p.rows = nil
		}
		if err != nil {
			return r, err
		}
	}
	row := p.ready[0]
	p.ready = p.ready[1:]
	p.n++
	if len(row) != p.columns {
		return r, fmt.Errorf("this Parquet file is damaged: row %d has %s, not %d", p.n, count(len(row), "value"), p.columns)
	}
	r = Record{Line: p.n, Lines: 1, values: make([]string, len(row)), nulls: make([]bool, len(row))}
	for i, v := range row {
		switch {
		case v.IsNull():
			r.nulls[i] = true
		case v.Kind() == parquet.ByteArray || v.Kind() == parquet.FixedLenByteArray:
			r.values[i] = string(v.ByteArray())
		default:
			r.values[i] = strings.Clone(v.String())
		}
	}
	return r, nil
}
