package params

import (
	"encoding/binary"
	"iter"
	"math/bits"

	"github.com/muxwell/muxwell/internal/urlpath"
)

// Values are the parameters of a request, by value. They never change. The zero Values
// has no parameters.
//
// They are four words, so that they are passed in registers, in one of three forms:
//
//   - plain: path is the request's path, which has the values unescaped. slashes has a bit for
//     each slash of a path of up to 63 bytes, and is 0 for longer ones, which are searched
//     again. If the layout is not plain, with parameters within a segment or after a
//     catch-all, reading a value matches the path against the pattern again.
//   - host: path is the request's host, in folded form, if all parameters are in the host.
//     Reading a value matches it against the pattern again.
//   - encoded: path is a private string, which has a table of the ends of the values and then
//     the values. Bit 63 of slashes marks this form. It is for escaped paths, for routes with
//     parameters in a query or in both host and path, and if middleware set values.
type Values struct {
	path    string
	layout  *Layout
	slashes uint64
}

// Plain returns the values in an unescaped path for a layout that is not encoded.
// slashes is the bitmap of the path's slashes, or 0 if it is too long for one.
func Plain(path string, l *Layout, slashes uint64) Values { return Values{path, l, slashes} }

// Pattern returns the pattern of the parameters.
func (v Values) Pattern() string { return v.layout.pattern.Text }

// IsZero reports whether v belongs to no pattern.
func (v Values) IsZero() bool { return v.layout == nil }

// Names returns the names of the parameters, or nil. The caller must not modify them.
func (v Values) Names() []string {
	if v.layout == nil {
		return nil
	}
	return v.layout.Names.List
}

// encoded is the bit of Values.slashes that marks the encoded form.
const encoded = 1 << 63

// Len returns the number of parameters.
func (v Values) Len() int {
	if v.layout == nil {
		return 0
	}
	return len(v.layout.Names.List)
}

// Name returns the name of parameter i, counted from the left of the pattern.
// It panics unless 0 ≤ i < p.Len().
func (v Values) Name(i int) string {
	if v.layout == nil {
		panic("muxwell: Params.Name of a Params without parameters")
	}
	return v.layout.Names.List[i]
}

// At returns the value of parameter i, counted from the left of the pattern:
// unescaped, and non-empty unless it is a catch-all. It panics unless
// 0 ≤ i < p.Len().
func (v Values) At(i int) string {
	if v.layout == nil {
		panic("muxwell: Params.At of a Params without parameters")
	}
	if v.slashes&encoded != 0 {
		return v.unpack(i)
	}
	pos, lens := 0, v.layout.lens
	if uint(i) >= uint(len(lens)) {
		return v.matchedAt(i)
	}
	if i > 1 && v.slashes != 0 {
		return v.atByBitmap(i)
	}
	for _, n := range lens[:i] {
		pos = v.stop(pos + int(n))
	}
	start := pos + int(lens[i])
	if i == len(lens)-1 && v.layout.tail {
		return v.path[start:]
	}
	return v.path[start:v.stop(start)]
}

// atByBitmap is At for a path that has a bitmap of its slashes. It counts those before the
// parameter.
func (v Values) atByBitmap(i int) string {
	slashes := v.slashes
	for range v.layout.segmentOf(i) {
		slashes &= slashes - 1
	}
	start := bits.TrailingZeros64(slashes) + 1
	if slashes &= slashes - 1; slashes == 0 || i == len(v.layout.lens)-1 && v.layout.tail {
		return v.path[start:]
	}
	return v.path[start:bits.TrailingZeros64(slashes)]
}

// Get returns the value of the parameter called name, or "" if there is none.
func (v Values) Get(name string) string {
	value, _ := v.Lookup(name)
	return value
}

// Lookup returns the value of the parameter called name, and whether there is
// one.
func (v Values) Lookup(name string) (value string, ok bool) {
	if v.layout == nil {
		return "", false
	}
	names := v.layout.Names.List
	if len(names) > fewNames {
		return v.lookupOfMany(name)
	}
	for i, n := range names {
		if n == name {
			return v.At(i), true
		}
	}
	return "", false
}

// fewNames is the number of names up to which names are compared one by one.
const fewNames = 4

// lookupOfMany is Lookup for a list of names that has keys.
func (v Values) lookupOfMany(name string) (value string, ok bool) {
	names, key := v.layout.Names, nameKey(name)
	for i, k := range names.keys {
		if k == key && names.List[i] == name {
			return v.At(i), true
		}
	}
	return "", false
}

// nameKey returns a key in which most names differ: the first bytes, and the length.
func nameKey(name string) uint64 { return urlpath.ShortWord(name) ^ uint64(len(name))<<56 }

// All iterates over the names and values from left to right.
func (v Values) All() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		if v.layout == nil {
			return
		}
		pos, names := 0, v.layout.Names.List
		var space [16]string
		var matched []string
		if v.slashes&encoded == 0 && !v.layout.Plain {
			matched = v.appendMatched(space[:0])
		}
		for i, name := range names {
			var value string
			switch {
			case v.slashes&encoded != 0:
				value = v.unpack(i)
			case matched != nil:
				value = matched[i]
			case i == len(names)-1 && v.layout.tail:
				value = v.path[pos+int(v.layout.lens[i]):]
			default:
				start := pos + int(v.layout.lens[i])
				pos = v.stop(start)
				value = v.path[start:pos]
			}
			if !yield(name, value) {
				return
			}
		}
	}
}

// matchedAt returns value i of a Values that is not encoded and whose route is not plain.
func (v Values) matchedAt(i int) string {
	if v.layout.onlyHost && i == 0 {
		if value, ok := v.layout.pattern.HostPattern().OneValue(v.path); ok {
			return value
		}
	}
	var space [16]string
	return v.appendMatched(space[:0])[i]
}

// appendMatched appends to vals, which is empty, all values of such a Values.
func (v Values) appendMatched(vals []string) []string {
	if n := len(v.layout.Names.List); n <= cap(vals) {
		vals = vals[:n]
	} else {
		vals = make([]string, n)
	}
	if v.layout.onlyHost {
		v.layout.pattern.HostPattern().Matches(v.path, vals)
	} else {
		v.layout.Values(vals, "", Source{Path: v.path, Slashes: v.slashes})
	}
	return vals
}

// stop returns the end of the plain value that begins at start: the next slash, or the
// end of the path.
func (v Values) stop(start int) int {
	return urlpath.ValueEnd(v.path, v.slashes, start)
}

// Encoded returns the encoded Values of a layout with the given values, one for each of
// its names. If escaped is set, it unescapes them. It allocates one string, and no more
// unless that is long.
func Encoded(l *Layout, vals []string, escaped bool) Values {
	var space [256]byte
	b := append(space[:0], make([]byte, 4*len(vals))...)
	for i, val := range vals {
		if escaped {
			b = urlpath.AppendUnescaped(b, val)
		} else {
			b = append(b, val...)
		}
		binary.LittleEndian.PutUint32(b[4*i:], uint32(len(b)))
	}
	return Values{path: string(b), layout: l, slashes: encoded}
}

// unpack returns value i of the encoded form.
func (v Values) unpack(i int) string {
	names := v.layout.Names.List
	_ = names[i] // it panics here, if at all
	start := 4 * len(names)
	if i > 0 {
		start = int(urlpath.HalfWord(v.path, 4*(i-1)))
	}
	return v.path[start:urlpath.HalfWord(v.path, 4*i)]
}
