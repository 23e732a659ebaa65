package table

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
	logical "github.com/parquet-go/parquet-go/format"
)

// A parquetReader reads the rows of a Parquet file.
type parquetReader struct {
	file    *parquet.File
	groups  []parquet.RowGroup // that are still to be read
	rows    parquet.Rows       // of the group that is being read, or nil
	buf     [64]parquet.Row
	ready   []parquet.Row // of buf
	n       int
	columns []*parquetNode
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
	if err := checkFooter(at, size); err != nil {
		return err
	}
	file, err := parquet.OpenFile(at, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return fmt.Errorf("%w: %w", errCutOff, err)
	}
	for _, group := range file.Metadata().RowGroups {
		for _, c := range group.Columns {
			if codec := c.MetaData.Codec; codec == logical.Lz4 || codec == logical.Lz4Raw {
				// https://github.com/parquet-go/parquet-go/issues/608: values may be wrong.
				return errors.New("the columns of this Parquet file are compressed by LZ4, which is not read; use zstd or snappy")
			}
		}
	}
	f.parquet = &parquetReader{file: file, columns: newParquetNodes(file)}
	for _, c := range f.parquet.columns {
		f.Columns = append(f.Columns, c.Name())
	}
	for _, group := range file.RowGroups() {
		if group.NumRows() > 0 { // others have no pages, perhaps
			f.parquet.groups = append(f.parquet.groups, group)
		}
	}
	if len(f.Columns) == 0 {
		return errors.New("this Parquet file has no columns")
	}
	return nil
}

// checkFooter returns an error if the file does not end as Parquet does: with the metadata, their
// size and PAR1. Package parquet allocates memory for any size.
func checkFooter(at io.ReaderAt, size int64) error {
	const ends = int64(len(parquetMagic)) + 4
	end := make([]byte, ends)
	if size < ends {
		return errCutOff
	}
	if _, err := at.ReadAt(end, size-ends); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if metadata := int64(binary.LittleEndian.Uint32(end)); string(end[4:]) != parquetMagic || metadata > size-ends {
		return errCutOff
	}
	return nil
}

var errCutOff = errors.New("this Parquet file is damaged, or not complete")

// recoverParquet makes errors of panics, with which package parquet meets damaged files.
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
	return Record{Line: p.n, Lines: 1, row: clone(row)}, nil
}

// clone returns a copy of a row that shares no memory with others.
func clone(row parquet.Row) parquet.Row {
	size := 0
	for _, v := range row {
		size += len(bytesOf(v))
	}
	to, buf := make(parquet.Row, len(row)), make([]byte, 0, size)
	for i, v := range row {
		to[i] = v
		if b := bytesOf(v); b != nil {
			buf = append(buf, b...)
			b = buf[len(buf)-len(b) : len(buf) : len(buf)]
			if v.Kind() == parquet.ByteArray {
				to[i] = parquet.ByteArrayValue(b)
			} else {
				to[i] = parquet.FixedLenByteArrayValue(b)
			}
			to[i] = to[i].Level(v.RepetitionLevel(), v.DefinitionLevel(), v.Column())
		}
	}
	return to
}

// bytesOf returns the bytes of a value, or nil if it is of a type without any.
func bytesOf(v parquet.Value) []byte {
	switch v.Kind() {
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return v.ByteArray()
	}
	return nil
}

// cut sets the values of each column in a row, and reports whether the row has those of the
// file.
func (p *parquetReader) cut(row parquet.Row, columns [][]parquet.Value) bool {
	end := 0 // of the leaves of a column
	for i, c := range p.columns {
		end += c.leaves
		n := 0
		for n < len(row) && row[n].Column() < end {
			n++
		}
		columns[i], row = row[:n], row[n:]
	}
	return len(row) == 0
}

// valueOf returns the value of a column, or the reason why there is none.
func (n *parquetNode) valueOf(values []parquet.Value) (v Value, reason string) {
	defer func() {
		if p := recover(); p == errNotUTF8 || p == errRow {
			reason = p.(error).Error()
		} else if p != nil {
			panic(p)
		}
	}()
	return n.value(values), ""
}
