package table

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"
	logical "github.com/parquet-go/parquet-go/format"
)

// A parquetNode is a column of a Parquet file, or a part of one that has lists or columns of
// its own.
type parquetNode struct {
	parquet.Field
	leaves   int            // in it
	children []*parquetNode // in the order of the file; nil for a leaf
	float16  bool
	text     func(v parquet.Value) (text string, isJSON bool)
}

// newParquetNodes returns the nodes of all columns of a file.
func newParquetNodes(file *parquet.File) (nodes []*parquetNode) {
	elements := file.Metadata().Schema // of the leaves, and others
	var add func(field parquet.Field) *parquetNode
	add = func(field parquet.Field) *parquetNode {
		n := &parquetNode{Field: field}
		if field.Leaf() {
			for len(elements) > 0 && !elements[0].Type.Valid {
				elements = elements[1:]
			}
			if len(elements) > 0 {
				_, n.float16 = elements[0].LogicalType.Value.(*logical.Float16Type)
				elements = elements[1:]
			}
			n.leaves, n.text = 1, textOf(n.Type())
			return n
		}
		for _, f := range field.Fields() {
			child := add(f)
			n.children = append(n.children, child)
			n.leaves += child.leaves
		}
		return n
	}
	for _, field := range file.Schema().Fields() {
		nodes = append(nodes, add(field))
	}
	return nodes
}

// Fields returns the parts, so that a column is written as one of them.
func (n *parquetNode) Fields() (fields []parquet.Field) {
	for _, child := range n.children {
		fields = append(fields, child)
	}
	return fields
}

// Compression returns nil: columns are not compressed as they were.
func (n *parquetNode) Compression() compress.Codec { return nil }

// Encoding returns the encoding to write, which is that of the file only if it has a dictionary.
// The library cannot write all that it reads.
func (n *parquetNode) Encoding() encoding.Encoding {
	if e := n.Field.Encoding(); e != nil && e.Encoding() == logical.RLEDictionary {
		return &parquet.RLEDictionary
	}
	return nil
}

// Type returns the type, also if it is one that the library does not know.
func (n *parquetNode) Type() parquet.Type {
	if n.float16 {
		return float16Type{n.Field.Type()}
	}
	return n.Field.Type()
}

// A float16Type is the type of floating-point numbers of two bytes.
type float16Type struct{ parquet.Type }

func (float16Type) LogicalType() *logical.LogicalType {
	return &logical.LogicalType{Value: &logical.Float16Type{}}
}

// value returns the value of a column in a row, of which it gets the values of its leaves. Lists
// and groups are JSON. It panics if the values are not those of the column.
func (n *parquetNode) value(values []parquet.Value) Value {
	if n.Leaf() && !n.Repeated() {
		if len(values) != 1 {
			panic(errRow)
		}
		if values[0].IsNull() {
			return Value{}
		}
		text, isJSON := n.text(values[0])
		return Value{Text: text, Set: true, JSON: isJSON}
	}
	leaves, from := make([][]parquet.Value, 0, n.leaves), 0
	for i := range values {
		if i+1 == len(values) || values[i+1].Column() != values[i].Column() {
			leaves, from = append(leaves, values[from:i+1]), i+1
		}
	}
	if len(leaves) != n.leaves {
		panic(errRow)
	}
	b := n.appendJSON(nil, leaves, 0, 0)
	if string(b) == "null" {
		return Value{}
	}
	return Value{Text: string(b), Set: true, JSON: true}
}

var (
	errRow     = errors.New("the row does not have the columns of the file")
	errNotUTF8 = errors.New("not UTF-8")
)

// appendJSON appends a value, from those of its leaves. What contains it has a repetition and a
// definition level, by which Parquet tells what is missing, empty or repeated:
// https://parquet.apache.org/docs/file-format/nestedencoding/.
func (n *parquetNode) appendJSON(dst []byte, leaves [][]parquet.Value, repetition, definition int) []byte {
	switch {
	case n.Repeated():
		return n.appendList(dst, leaves, repetition, definition, n.appendPresent)
	case n.Optional():
		if definition++; defined(leaves) < definition {
			return append(dst, "null"...)
		}
	}
	return n.appendPresent(dst, leaves, repetition, definition)
}

// appendPresent appends a value that is not missing, or one of a list.
func (n *parquetNode) appendPresent(dst []byte, leaves [][]parquet.Value, repetition, definition int) []byte {
	if n.Leaf() {
		text, isJSON := n.text(leaves[0][0])
		if !utf8.ValidString(text) {
			panic(errNotUTF8)
		}
		return Value{Text: text, Set: true, JSON: isJSON}.appendJSON(dst)
	}
	if inner := n.onlyRepeated(); inner != nil {
		switch logicalType(n.Type()).(type) {
		case *logical.ListType:
			element := inner.appendPresent
			if len(inner.children) == 1 { // as it should be; a list may also have no group for its elements
				element = inner.children[0].appendJSON
			}
			return inner.appendList(dst, leaves, repetition, definition, element)
		case *logical.MapType:
			if len(inner.children) == 2 {
				return inner.appendMap(dst, leaves, repetition, definition)
			}
		}
	}
	dst = append(dst, '{')
	for i, child := range n.children {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendJSON(dst, child.Name()), ':')
		dst = child.appendJSON(dst, leaves[:child.leaves], repetition, definition)
		leaves = leaves[child.leaves:]
	}
	return append(dst, '}')
}

// onlyRepeated returns the only child, if it is repeated.
func (n *parquetNode) onlyRepeated() *parquetNode {
	if len(n.children) == 1 && n.children[0].Repeated() {
		return n.children[0]
	}
	return nil
}

// appendList appends the values of a repeated node as an array.
func (n *parquetNode) appendList(dst []byte, leaves [][]parquet.Value, repetition, definition int, element func([]byte, [][]parquet.Value, int, int) []byte) []byte {
	repetition, definition = repetition+1, definition+1
	dst = append(dst, '[')
	for i, one := range n.elements(leaves, repetition, definition) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = element(dst, one, repetition, definition)
	}
	return append(dst, ']')
}

// appendMap appends the values of a repeated node with keys and values as an object.
func (n *parquetNode) appendMap(dst []byte, leaves [][]parquet.Value, repetition, definition int) []byte {
	repetition, definition = repetition+1, definition+1
	key, value := n.children[0], n.children[1]
	dst = append(dst, '{')
	for i, one := range n.elements(leaves, repetition, definition) {
		if i > 0 {
			dst = append(dst, ',')
		}
		name := key.appendJSON(nil, one[:key.leaves], repetition, definition)
		if name[0] != '"' {
			name = AppendJSON(nil, string(name))
		}
		dst = append(append(dst, name...), ':')
		dst = value.appendJSON(dst, one[key.leaves:], repetition, definition)
	}
	return append(dst, '}')
}

// elements cuts the values of leaves where those of a repeated node begin.
func (n *parquetNode) elements(leaves [][]parquet.Value, repetition, definition int) (elements [][][]parquet.Value) {
	if defined(leaves) < definition {
		return nil
	}
	for l, values := range leaves {
		from, i := 0, 0
		for k := 1; k <= len(values); k++ {
			if k < len(values) && values[k].RepetitionLevel() > repetition {
				continue
			}
			if l == 0 {
				elements = append(elements, make([][]parquet.Value, len(leaves)))
			}
			elements[i][l] = values[from:k]
			from, i = k, i+1
		}
		if i != len(elements) {
			panic(errRow)
		}
	}
	return elements
}

// defined returns the definition level of what begins with the values of some leaves.
func defined(leaves [][]parquet.Value) int { return leaves[0][0].DefinitionLevel() }

// logicalType returns the logical type, or nil.
func logicalType(t parquet.Type) logical.LogicalTypeValue {
	if l := t.LogicalType(); l != nil {
		return l.Value
	}
	return nil
}

// textOf returns a function that returns a value of a type as text, which is JSON for numbers
// and booleans. The types are those of
// https://github.com/apache/parquet-format/blob/master/LogicalTypes.md.
func textOf(t parquet.Type) func(v parquet.Value) (text string, isJSON bool) {
	switch l := logicalType(t).(type) {
	case *logical.DecimalType:
		if l.Scale >= 0 && l.Scale <= maxScale {
			return func(v parquet.Value) (string, bool) { return decimal(v, int(l.Scale)), true }
		}
	case *logical.IntType:
		if !l.IsSigned {
			return func(v parquet.Value) (string, bool) { return strconv.FormatUint(unsigned(v), 10), true }
		}
	case *logical.DateType:
		return func(v parquet.Value) (string, bool) {
			return time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly), false
		}
	case *logical.TimeType:
		unit := l.Unit.Value.Duration()
		return func(v parquet.Value) (string, bool) {
			return inUnits(integer(v), unit).Format("15:04:05.999999999"), false
		}
	case *logical.TimestampType:
		unit, layout := l.Unit.Value.Duration(), "2006-01-02T15:04:05.999999999"
		if l.IsAdjustedToUTC {
			layout = time.RFC3339Nano
		}
		return func(v parquet.Value) (string, bool) { return inUnits(integer(v), unit).Format(layout), false }
	case *logical.Float16Type:
		return func(v parquet.Value) (string, bool) { return float(float16(v.ByteArray()), 32) }
	case *logical.UUIDType:
		return func(v parquet.Value) (string, bool) { return uuid(v.ByteArray()), false }
	}
	switch t.Kind() {
	case parquet.Boolean:
		return func(v parquet.Value) (string, bool) { return strconv.FormatBool(v.Boolean()), true }
	case parquet.Int32, parquet.Int64:
		return func(v parquet.Value) (string, bool) { return strconv.FormatInt(integer(v), 10), true }
	case parquet.Int96:
		return func(v parquet.Value) (string, bool) {
			return time96(v.Int96()).Format("2006-01-02T15:04:05.999999999"), false
		}
	case parquet.Float:
		return func(v parquet.Value) (string, bool) { return float(float64(v.Float()), 32) }
	case parquet.Double:
		return func(v parquet.Value) (string, bool) { return float(v.Double(), 64) }
	}
	return func(v parquet.Value) (string, bool) { return string(v.ByteArray()), false }
}

// integer returns a value of 32 or 64 bits.
func integer(v parquet.Value) int64 {
	if v.Kind() == parquet.Int32 {
		return int64(v.Int32())
	}
	return v.Int64()
}

// unsigned returns an unsigned value of 32 or 64 bits.
func unsigned(v parquet.Value) uint64 {
	if v.Kind() == parquet.Int32 {
		return uint64(v.Uint32())
	}
	return v.Uint64()
}

// float formats a number as JSON, if it is one there.
func float(x float64, bits int) (text string, isJSON bool) {
	return strconv.FormatFloat(x, 'g', -1, bits), !math.IsNaN(x) && !math.IsInf(x, 0)
}

// float16 returns a number of IEEE 754's binary16, whose bytes are in little endian.
func float16(b []byte) float64 {
	bits := binary.LittleEndian.Uint16(b)
	fraction, exponent := float64(bits&0x3ff)/(1<<10), int(bits>>10&0x1f)
	var x float64
	switch {
	case exponent == 0x1f && fraction != 0:
		return math.NaN()
	case exponent == 0x1f:
		x = math.Inf(1)
	case exponent == 0:
		x = math.Ldexp(fraction, -14)
	default:
		x = math.Ldexp(1+fraction, exponent-15)
	}
	if bits&0x8000 != 0 {
		return -x
	}
	return x
}

// inUnits returns the time that is n units after 1970 began.
func inUnits(n int64, unit time.Duration) time.Time {
	perSecond := int64(time.Second / unit)
	return time.Unix(n/perSecond, n%perSecond*int64(unit)).UTC()
}

// time96 returns a time that is stored as the nanoseconds of a Julian day.
func time96(x deprecated.Int96) time.Time {
	const day1970 = 2440588
	nanoseconds := int64(x[1])<<32 | int64(x[0])
	return time.Unix((int64(x[2])-day1970)*86400, nanoseconds).UTC()
}

// decimal formats an integer, divided by a power of ten.
func decimal(v parquet.Value, scale int) string {
	n := new(big.Int)
	switch v.Kind() {
	case parquet.Int32, parquet.Int64:
		n.SetInt64(integer(v))
	default:
		b := v.ByteArray()
		n.SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 { // two's complement
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	if scale == 0 {
		return n.String()
	}
	digits, sign := n.String(), ""
	if rest, negative := strings.CutPrefix(digits, "-"); negative {
		digits, sign = rest, "-"
	}
	if missing := scale + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - scale
	return sign + digits[:point] + "." + digits[point:]
}

// maxScale is more than any program uses.
const maxScale = 1000

// uuid formats 16 bytes as RFC 9562 has it.
func uuid(b []byte) string {
	if len(b) != 16 {
		return string(b)
	}
	text := hex.EncodeToString(b)
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}
