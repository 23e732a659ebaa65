package muxwell

import (
	"encoding/binary"
	"iter"
	"math/bits"
	"net/http"

	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// Params holds the parameters of a matched request by value. It costs no
// allocation, but for one where the path is escaped, a parameter is in the host or
// in the query, or middleware covers the route; nor does reading, but where
// package regexp matched several parameters of a segment. It never changes, and is safe to keep after the
// handler returned and to share between goroutines. The zero Params has no
// parameters.
//
// A value keeps the string alive that it is a part of: the request's path, or
// what the server read it from.
type Params struct {
	// Four words, so that it travels in registers, in one of two forms:
	//
	//   - plain: path is the request's path, in which the values stand
	//     unescaped. slashes has a bit for each slash of a path of up to 63
	//     bytes, and is 0 for longer ones, which are searched again. If the
	//     route is not plain, with parameters within a segment or behind a
	//     catch-all, reading one matches the path against the pattern again.
	//   - packed: path is a private string, the values behind a table of their
	//     ends. Bit 63 of slashes tells it apart. It is for escaped paths, for
	//     routes with parameters in a host or a query, and behind middleware.
	path    string
	route   *Route
	slashes uint64
}

// A ParamsFunc is a handler that is given the parameters by value.
type ParamsFunc func(http.ResponseWriter, *http.Request, Params)

// packed is the bit of Params.slashes that marks the packed form.
const packed = 1 << 63

// Len returns the number of parameters.
func (p Params) Len() int {
	if p.route == nil {
		return 0
	}
	return len(p.route.params.names)
}

// Name returns the name of parameter i, counted from the left of the pattern.
// It panics unless 0 ≤ i < p.Len().
func (p Params) Name(i int) string {
	if p.route == nil {
		panic("muxwell: Params.Name of a Params without parameters")
	}
	return p.route.params.names[i]
}

// At returns the value of parameter i, counted from the left of the pattern:
// unescaped, and non-empty unless it is a catch-all. It panics unless
// 0 ≤ i < p.Len().
func (p Params) At(i int) string {
	if p.route == nil {
		panic("muxwell: Params.At of a Params without parameters")
	}
	if p.slashes&packed != 0 {
		return p.unpack(i)
	}
	pos, gaps := 0, p.route.gaps
	if uint(i) >= uint(len(gaps)) {
		return p.walked(i)
	}
	if i > 1 && p.slashes != 0 {
		return p.far(i)
	}
	for _, gap := range gaps[:i] {
		pos = p.stop(pos + int(gap))
	}
	start := pos + int(gaps[i])
	if i == len(gaps)-1 && p.route.tail {
		return p.path[start:]
	}
	return p.path[start:p.stop(start)]
}

// far is At for a path that has a bitmap of its slashes, of which it counts those
// before the parameter.
func (p Params) far(i int) string {
	slashes := p.slashes
	for range p.route.segmentOf(i) {
		slashes &= slashes - 1
	}
	start := bits.TrailingZeros64(slashes) + 1
	if slashes &= slashes - 1; slashes == 0 || i == len(p.route.gaps)-1 && p.route.tail {
		return p.path[start:]
	}
	return p.path[start:bits.TrailingZeros64(slashes)]
}

// Get returns the value of the parameter called name, or "" if there is none.
func (p Params) Get(name string) string {
	v, _ := p.Lookup(name)
	return v
}

// Lookup returns the value of the parameter called name, and whether there is
// one.
func (p Params) Lookup(name string) (value string, ok bool) {
	if p.route == nil {
		return "", false
	}
	names := p.route.params.names
	if len(names) > fewNames {
		return p.lookupOfMany(name)
	}
	for i, n := range names {
		if n == name {
			return p.At(i), true
		}
	}
	return "", false
}

// fewNames is up to how many names are compared one by one.
const fewNames = 4

// lookupOfMany is Lookup for a list of names that has keys.
func (p Params) lookupOfMany(name string) (value string, ok bool) {
	params, key := p.route.params, nameKey(name)
	for i, k := range params.keys {
		if k == key && params.names[i] == name {
			return p.At(i), true
		}
	}
	return "", false
}

// nameKey returns what tells most names apart: the first bytes, and the length.
func nameKey(name string) uint64 { return urlpath.ShortWord(name) ^ uint64(len(name))<<56 }

// All iterates over the names and values from left to right.
func (p Params) All() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		if p.route == nil {
			return
		}
		pos, names := 0, p.route.params.names
		var space [16]string
		var walked []string
		if p.slashes&packed == 0 && !p.route.plain {
			walked = p.walk(space[:0])
		}
		for i, name := range names {
			var value string
			switch {
			case p.slashes&packed != 0:
				value = p.unpack(i)
			case walked != nil:
				value = walked[i]
			case i == len(names)-1 && p.route.tail:
				value = p.path[pos+int(p.route.gaps[i]):]
			default:
				start := pos + int(p.route.gaps[i])
				pos = p.stop(start)
				value = p.path[start:pos]
			}
			if !yield(name, value) {
				return
			}
		}
	}
}

// walked returns value i of a Params that is not packed and whose route is not
// plain.
func (p Params) walked(i int) string {
	var space [16]string
	return p.walk(space[:0])[i]
}

// walk appends to vals, which is empty, all values of such a Params.
func (p Params) walk(vals []string) []string {
	if n := len(p.route.params.names); n <= cap(vals) {
		vals = vals[:n]
	} else {
		vals = make([]string, n)
	}
	p.route.values(vals, "", place{path: p.path, slashes: p.slashes})
	return vals
}

// stop returns where the plain value that begins at start ends: at the next
// slash, or with the path.
func (p Params) stop(start int) int {
	return urlpath.ValueEnd(p.path, p.slashes, start)
}

// packParams returns the packed Params of rt with the given values, one for
// each of its names, which are unescaped on the way if they are escaped. It
// allocates one string, and no more unless that is long.
func packParams(rt *Route, vals []string, escaped bool) Params {
	var space [256]byte
	b := append(space[:0], make([]byte, 4*len(vals))...)
	for i, v := range vals {
		if escaped {
			b = urlpath.AppendUnescaped(b, v)
		} else {
			b = append(b, v...)
		}
		binary.LittleEndian.PutUint32(b[4*i:], uint32(len(b)))
	}
	return Params{path: string(b), route: rt, slashes: packed}
}

// unpack returns value i of the packed form.
func (p Params) unpack(i int) string {
	names := p.route.params.names
	_ = names[i] // it panics here, if at all
	start := 4 * len(names)
	if i > 0 {
		start = int(urlpath.HalfWord(p.path, 4*(i-1)))
	}
	return p.path[start:urlpath.HalfWord(p.path, 4*i)]
}

// fill sets vals to the values that a plain path gives rt's parameters.
func (rt *Route) fill(vals []string, path string, slashes uint64) {
	if slashes == 0 {
		rt.fillLong(vals, path)
		return
	}
	pos := 0
	for i, gap := range rt.gaps[:len(vals)] {
		start := pos + int(gap)
		if ahead := slashes >> (start & 63); ahead != 0 {
			pos = start + bits.TrailingZeros64(ahead)
		} else {
			pos = len(path)
		}
		vals[i] = path[start:pos]
	}
	rt.fillTail(vals, path, pos)
}

// fillLong is fill for a path that has no bitmap of its slashes. Behind a parameter
// that ends the pattern there is none.
func (rt *Route) fillLong(vals []string, path string) {
	pos, whole := 0, rt.pattern.Last().Kind == pattern.Param
	for i, gap := range rt.gaps[:len(vals)] {
		start := pos + int(gap)
		if pos = len(path); !whole || i < len(vals)-1 {
			pos = urlpath.SegmentEnd(path, start)
		}
		vals[i] = path[start:pos]
	}
	rt.fillTail(vals, path, pos)
}

// fillTail gives a catch-all, whose value so far is one segment that ends at pos, the
// rest of the path.
func (rt *Route) fillTail(vals []string, path string, pos int) {
	if rt.tail {
		last := &vals[len(vals)-1]
		*last = path[pos-len(*last):]
	}
}

// values sets vals to the values that a host, in folded form, and a path give
// rt's parameters. It works for every route that matches; fill is its fast way
// for most.
func (rt *Route) values(vals []string, host string, at place) {
	if rt.inHost {
		f := rt.pattern.HostPattern()
		f.Matches(host, vals[:f.Names])
		vals = vals[f.Names:]
	}
	path, pos := at.path, 0
	for k := range rt.pattern.Segments {
		g, start := &rt.pattern.Segments[k], pos+1
		switch g.Kind {
		case pattern.Dollar:
			return
		case pattern.CatchAll:
			pos = len(path)
		case pattern.InnerCatchAll:
			pos = urlpath.WithoutLast(path, len(rt.pattern.Segments)-k-1)
		default:
			pos = urlpath.ValueEnd(path, at.slashes, start)
		}
		if g.Kind == pattern.Literal || g.Kind == pattern.CatchAll && g.Text == "" {
			continue
		}
		text := path[start:pos]
		if at.escaped {
			text = urlpath.Unescape(text)
		}
		vals = g.Assign(vals, text)
	}
}
