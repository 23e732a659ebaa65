package table

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// A ParquetWriter writes rows of a Parquet file as they are, followed by more columns. It must
// be closed.
type ParquetWriter struct {
	w       *parquet.GenericWriter[any]
	columns []Column
	first   int // of these, among the leaves of the output
	row     parquet.Row
	size    int // of values that are in memory
}

// ordered is a group whose columns have an order, which those of parquet.Group have not.
type ordered struct {
	parquet.Group
	fields []parquet.Field
}

func (o ordered) Fields() []parquet.Field { return o.fields }

// rowGroup is the number of rows in a group of a Parquet file.
const rowGroup = 64 << 10

// rowGroupBytes is the size of values after which a group ends, because it is in memory until
// then. It is a variable for tests.
var rowGroupBytes = 64 << 20

// NewParquetWriter returns a writer to w. The columns of its rows are those of a file, or none
// if it is nil, and after them others.
func NewParquetWriter(w io.Writer, from *File, columns ...Column) (p *ParquetWriter, err error) {
	defer recoverWriter(&err)
	p = &ParquetWriter{columns: columns}
	o := ordered{Group: parquet.Group{}}
	if from != nil {
		for _, c := range from.parquet.columns {
			o.add(c.Name(), c)
			p.first += c.leaves
		}
	}
	for _, c := range columns {
		node := parquet.String()
		if c.Number {
			node = parquet.Leaf(parquet.DoubleType)
		}
		o.add(c.Name, parquet.Optional(node))
	}
	p.w = parquet.NewGenericWriter[any](w, parquet.NewSchema("table", o), parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(rowGroup), parquet.DictionaryMaxBytes(1<<20))
	return p, nil
}

// recoverWriter makes errors of panics, with which package parquet meets what it cannot write.
func recoverWriter(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("it cannot be written as Parquet: %v", p)
	}
}

// add adds a column.
func (o *ordered) add(name string, node parquet.Node) {
	o.Group[name] = node
	o.fields = append(o.fields, parquet.Group{name: node}.Fields()...)
}

// Write writes a record of the file, and the values of the other columns.
func (p *ParquetWriter) Write(r Record, values ...Value) (err error) {
	defer recoverWriter(&err)
	if p.size > rowGroupBytes {
		p.size = 0
		if err := p.w.Flush(); err != nil {
			return err
		}
	}
	p.size += r.Size()
	p.row = append(p.row[:0], r.row...)
	for i, v := range values {
		p.size += len(v.Text)
		value, level := parquet.NullValue(), 0
		if v.Set {
			level = 1
			value = parquet.ByteArrayValue([]byte(v.Text))
			if p.columns[i].Number {
				x, err := strconv.ParseFloat(v.Text, 64)
				if err != nil || math.IsNaN(x) {
					return fmt.Errorf("%s is %q and not a number", p.columns[i].Name, v.Text)
				}
				value = parquet.DoubleValue(x)
			}
		}
		p.row = append(p.row, value.Level(0, level, p.first+i))
	}
	_, err = p.w.WriteRows([]parquet.Row{p.row})
	return err
}

// Close completes the file. It does not close the underlying writer.
func (p *ParquetWriter) Close() (err error) {
	defer recoverWriter(&err)
	return p.w.Close()
}
