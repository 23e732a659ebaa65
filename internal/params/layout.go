package params

import (
	"math"
	"math/bits"
	"net/http"
	"slices"

	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/pathvalue"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// A Source has the texts in which the values of a request's parameters are.
type Source struct {
	Path    string
	Slashes uint64 // the bitmap of the slashes of a path that is not escaped and not too long for one
	Escaped bool
}

// SourceOf returns the source for a path.
func SourceOf(path string, escaped bool) Source {
	if escaped {
		return Source{Path: path, Escaped: true}
	}
	return Source{Path: path, Slashes: urlpath.ShortSlashes(path)}
}

// A Layout describes where the parameters of a route are in a request. It does not
// change.
type Layout struct {
	Names    *Names
	Plain    bool     // each parameter is a whole segment, or the rest of the path
	InHost   bool     // a parameter is in the host
	Encoded  bool     // Values are encoded, or a host: a parameter is in the host or in the query
	onlyHost bool     // all parameters are in the host
	tail     bool     // the last parameter is a catch-all
	lens     []uint32 // if plain, for each parameter the bytes between the end of the one before and its start; see segmentOf

	pattern *pattern.Pattern
	queries *matcher.Set
}

// Fill sets vals to the values of the parameters of a plain layout in a plain path.
func (l *Layout) Fill(vals []string, path string, slashes uint64) {
	if slashes == 0 {
		l.fillLong(vals, path)
		return
	}
	pos := 0
	for i, n := range l.lens[:len(vals)] {
		start := pos + int(n)
		if ahead := slashes >> (start & 63); ahead != 0 {
			pos = start + bits.TrailingZeros64(ahead)
		} else {
			pos = len(path)
		}
		vals[i] = path[start:pos]
	}
	l.fillTail(vals, path, pos)
}

// fillLong is Fill for a path without a bitmap of its slashes. A parameter that ends
// the pattern is the last one.
func (l *Layout) fillLong(vals []string, path string) {
	pos, whole := 0, l.pattern.Last().Kind == pattern.Param
	for i, n := range l.lens[:len(vals)] {
		start := pos + int(n)
		if pos = len(path); !whole || i < len(vals)-1 {
			pos = urlpath.SegmentEnd(path, start)
		}
		vals[i] = path[start:pos]
	}
	l.fillTail(vals, path, pos)
}

// fillTail extends the value of a catch-all, which so far is one segment that ends at
// pos, to the rest of the path.
func (l *Layout) fillTail(vals []string, path string, pos int) {
	if l.tail {
		last := &vals[len(vals)-1]
		*last = path[pos-len(*last):]
	}
}

// Given returns the Values that r's path gives a plain layout, and whether r.PathValue
// returns the same. The path need not match the route.
func (l *Layout) Given(r *http.Request) (v Values, ok bool) {
	if !l.Plain || r.URL == nil {
		return v, false
	}
	path := r.URL.Path
	if len(l.lens) == 0 {
		return Plain(path, l, 0), true
	}
	slashes := urlpath.ShortSlashes(path)
	vals, known := pathvalue.Values(r, l.Names.Shape)
	pos := 0
	for i, n := range l.lens {
		start := pos + int(n)
		if start > len(path) || i > 1 && slashes != 0 && !l.startsAt(i, start, slashes) {
			return v, false // the path does not match the route
		}
		if pos = urlpath.ValueEnd(path, slashes, start); l.tail && i == len(l.lens)-1 {
			pos = len(path)
		}
		var val string
		if known {
			val = vals[i]
		} else {
			val = r.PathValue(l.Names.List[i])
		}
		if val != path[start:pos] { // mostly they are one string, whose bytes are not read
			return v, false
		}
	}
	return Plain(path, l, slashes), true
}

// startsAt reports whether the segment of parameter i begins at start, according to the
// slashes before it.
func (l *Layout) startsAt(i, start int, slashes uint64) bool {
	before := slashes & (1<<(start&63) - 1)
	return before>>(start-1)&1 != 0 && bits.OnesCount64(before) == int(l.segmentOf(i))+1
}

// Values sets vals to the values of the parameters in a host, in folded form, and a
// path. It works for every layout; Fill is the fast path for most.
func (l *Layout) Values(vals []string, host string, at Source) {
	if l.InHost {
		f := l.pattern.HostPattern()
		f.Matches(host, vals[:f.Names])
		vals = vals[f.Names:]
	}
	path, pos := at.Path, 0
	for k := range l.pattern.Segments {
		g, start := &l.pattern.Segments[k], pos+1
		switch g.Kind {
		case pattern.Dollar:
			return
		case pattern.CatchAll:
			pos = len(path)
		case pattern.InnerCatchAll:
			pos = urlpath.WithoutLast(path, len(l.pattern.Segments)-k-1)
		default:
			pos = urlpath.ValueEnd(path, at.Slashes, start)
		}
		if g.Kind == pattern.Literal || g.Kind == pattern.CatchAll && g.Text == "" {
			continue
		}
		text := path[start:pos]
		if at.Escaped {
			text = urlpath.Unescape(text)
		}
		vals = g.Assign(vals, text)
	}
}

// Of returns the parameters of a request that matches the route.
func (l *Layout) Of(r *http.Request, at Source) Values {
	if !l.Encoded && !at.Escaped {
		return Values{at.Path, l, at.Slashes}
	}
	if l.onlyHost {
		return Values{path: l.Host(r), layout: l}
	}
	var space [16]string
	vals := space[:]
	if n := len(l.Names.List); n > len(vals) {
		vals = make([]string, n)
	}
	vals = vals[:len(l.Names.List)]
	// The values of a plain route may be unescaped later than they are found.
	later := at.Escaped && l.Plain
	l.Values(vals, l.Host(r), Source{at.Path, at.Slashes, at.Escaped && !later})
	l.QueryValues(vals, r)
	return Encoded(l, vals, later)
}

// QueryValues sets the last of vals, one for each parameter, to the values in the
// request's query.
func (l *Layout) QueryValues(vals []string, r *http.Request) {
	if len(l.queries.Queries) == 0 {
		return
	}
	n := 0
	for i := range l.queries.Queries {
		n += l.queries.Queries[i].Segment.Params()
	}
	l.queries.QueryValues(vals[len(vals)-n:], r.URL.RawQuery)
}

// Host returns the host of r if there are parameters in it, otherwise "".
func (l *Layout) Host(r *http.Request) string {
	if !l.InHost {
		return ""
	}
	return hostname.Of(r)
}

// Names is a list of parameter names. All routes of a mux with the same list share one
// object.
type Names struct {
	List  []string
	Shape pathvalue.Shape // used by net/http to find the values by name
	keys  []uint64        // for each name its nameKey, if there are more than fewNames
}

// NewNames returns a list of names.
func NewNames(names []string) *Names {
	p := &Names{List: names, Shape: pathvalue.NewShape(names)}
	if len(names) > fewNames {
		for _, name := range names {
			p.keys = append(p.keys, nameKey(name))
		}
	}
	return p
}

// NewLayout returns the layout of a pattern with matchers. Names is not set. The error
// is a [*pattern.Error]: the path is too long to be counted.
func NewLayout(p *pattern.Pattern, queries *matcher.Set) (l Layout, err error) {
	l.pattern, l.queries = p, queries
	f := p.HostPattern()
	l.InHost = f != nil && f.Names > 0
	l.Encoded = l.InHost || len(queries.QueryNames()) > 0
	l.onlyHost = l.InHost && len(pattern.AppendNames(nil, p.Segments))+len(queries.QueryNames()) == 0
	l.Plain = !l.Encoded && (l.pattern.Extra == nil || l.pattern.Extra.Order == nil)
	gap := uint64(0)
	var at []uint32 // the parameters' segments
	for i, g := range l.pattern.Segments {
		gap++ // the slash
		switch {
		case g.Kind == pattern.Composite:
			l.Plain = false
		case g.Params() > 0:
			l.lens, at = append(l.lens, uint32(gap)), append(at, uint32(i))
			l.tail = g.Kind == pattern.CatchAll
			gap = 0
		default:
			gap += uint64(len(g.Text))
		}
		if gap > math.MaxInt32 {
			return l, pattern.Errorf(p.Text, p.PathAt, "the path is longer than 2 GB")
		}
	}
	if !l.Plain {
		l.lens, l.tail = nil, false
		return l, nil
	}
	l.lens = slices.Concat(l.lens, at)[:len(at)]
	return l, nil
}

// segmentOf returns the number of the segment, from 0, that is parameter i of a plain
// route. The numbers are stored after the lengths: another slice would make the layout
// larger.
func (l *Layout) segmentOf(i int) uint32 { return l.lens[:2*len(l.lens)][len(l.lens)+i] }
