package mux

import (
	"math/bits"
	"net/http"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// An index returns the routes of a router that may match a request, in the order of
// registration: all that do, and few that do not. Routes are numbers, and sets of them
// are bitmaps. There is a set for every number of segments that a path can have, and
// for every literal segment at every place. Those for a request's path are intersected,
// 64 routes at a time.
//
//	/users/{id}            (0)    segments   2: {0 1}   3: {2 3}
//	/users/me              (1)    place 0    "users": {0 1 2}   others: {3}
//	/users/{id}/keys       (2)    place 1    "me": {0 1 2 3}    others: {0 2 3}
//	/{kind}/{id}/keys      (3)    place 2    "keys": {2 3}      others: {}
//
// The host is one more place. So is the method, for a search that only needs a match.
type index struct {
	size    int  // number of routes
	encoded bool // paths are matched as they were sent
	counts  [maxDepth + 2]*set
	places  []place
	hosts   *place // nil if no route's host excludes requests
	methods *place // nil if no route names methods
	get     union  // of methods, for GET
}

// maxDepth is the number of segments that an index looks at.
const maxDepth = 12

// A place has the sets for a segment, or for the host.
type place struct {
	any   *set   // those that match any text, or none
	other *set   // those that may match texts that are not in slots
	slots []slot // open addressing by text, a power of two
}

// A slot has the set of the routes that match a text, in addition to those of
// place.any.
type slot struct {
	text  string
	own   *set
	taken bool
}

// A shape describes the paths that a template matches, for the index.
type shape struct {
	segments []segment
	most     int // the maximum number of segments, or -1
}

// A segment is one of a template's.
type segment struct {
	text  string
	exact bool // not only a prefix of what matches
}

// shapeOf returns the shape of a path or prefix template, whose text is empty or
// begins with a slash.
func shapeOf(t *template) shape {
	var s shape
	if t.foreign || strings.ContainsRune(t.text, utf8.RuneError) {
		return shape{most: -1} // nothing is known of the former, and the latter may be any byte
	}
	here := segment{exact: true}
	begun := false
	literal := func(text string) {
		for i := range len(text) {
			switch {
			case text[i] == '/' && begun:
				s.segments = append(s.segments, here)
				here = segment{exact: true}
			case text[i] == '/':
				begun = true
			case here.exact:
				here.text += text[i : i+1]
			}
		}
	}
	for _, v := range t.vars {
		literal(v.before)
		here.exact = false
		if v.spans() {
			s.segments = append(s.segments, here)
			s.most = -1
			return s
		}
	}
	literal(t.tail)
	if t.kind == prefixTemplate {
		here.exact = false
		s.most = -1
	}
	if begun {
		s.segments = append(s.segments, here)
	}
	if s.most == 0 {
		s.most = len(s.segments)
		if t.strict {
			s.most++
		}
	}
	return s
}

// spans reports whether the value of a variable may contain a slash.
func (v *variable) spans() bool {
	if !v.own {
		return false
	}
	re, err := syntax.Parse(v.pattern, syntax.Perl)
	return err != nil || takesSlash(re)
}

func takesSlash(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return slices.Contains(re.Rune, '/')
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			if re.Rune[i] <= '/' && '/' <= re.Rune[i+1] {
				return true
			}
		}
		return false
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return true
	}
	return slices.ContainsFunc(re.Sub, takesSlash)
}

// newIndex returns the index of a plan's routes, for paths as they were sent or not.
func newIndex(entries []*entry, encoded bool) *index {
	ix := &index{size: len(entries), encoded: encoded}
	shapes := make([]shape, len(entries))
	hosts := make([]*template, len(entries))
	for i, e := range entries {
		path, host := e.told()
		hosts[i], shapes[i] = host, shape{most: -1}
		if path != nil && path.encoded == encoded { // otherwise it is of no use for the index
			shapes[i] = shapeOf(path)
		}
	}
	for n := range ix.counts {
		var routes []int
		for i, s := range shapes {
			least := min(len(s.segments), maxDepth+1)
			if least <= n && (s.most < 0 || n <= s.most || n > maxDepth && s.most > maxDepth) {
				routes = append(routes, i)
			}
		}
		ix.counts[n] = newSet(routes, ix.size)
	}
	for depth := range maxDepth {
		var b placeBuilder
		for i, s := range shapes {
			if depth < len(s.segments) {
				b.add(i, s.segments[depth])
			} else {
				b.add(i, segment{})
			}
		}
		if !b.tells {
			b = placeBuilder{}
		}
		ix.places = append(ix.places, b.place(ix.size))
	}
	for len(ix.places) > 0 && ix.places[len(ix.places)-1].any == nil {
		ix.places = ix.places[:len(ix.places)-1]
	}
	var b placeBuilder
	for i, host := range hosts {
		if host != nil && host.how == simple && len(host.vars) == 0 && host.anyPort {
			b.add(i, segment{text: host.tail, exact: true})
		} else {
			b.add(i, segment{})
		}
	}
	ix.hosts = b.told(ix.size)
	b = placeBuilder{}
	for i, e := range entries {
		methods, ok := e.methods()
		for _, m := range methods {
			b.add(i, segment{text: m, exact: true})
		}
		if !ok {
			b.add(i, segment{})
		}
	}
	if ix.methods = b.told(ix.size); ix.methods != nil {
		ix.get = ix.methods.find(http.MethodGet)
	}
	return ix
}

// told returns the place, or nil if it excludes nothing.
func (b *placeBuilder) told(size int) *place {
	if !b.tells {
		return nil
	}
	p := b.place(size)
	return &p
}

// A query is the input of an index: it returns the routes that may match a request for
// a path, of which path has the segments, a host and, unless it is empty, a method.
type query struct {
	path         *segments
	host, method string
}

// few sets f to the routes that may match, if there are not many routes.
func (ix *index) few(f *few, q query) {
	f.start(ix.size)
	if ix.size <= tooFew {
		return
	}
	if q.method != "" && ix.methods != nil {
		f.keep(ix.ofMethod(q.method))
	}
	if ix.hosts != nil {
		f.keep(ix.hosts.find(withoutPort(q.host)))
	}
	if !q.path.rooted {
		return
	}
	f.keep(union{ix.counts[q.path.number], nil})
	for i := range min(len(ix.places), q.path.number, maxDepth) {
		if p := &ix.places[i]; p.any != nil {
			if f.keep(p.find(q.path.at(i))); f.decided() {
				return
			}
		}
	}
}

// ofMethod returns the routes that may match a method, if routes name methods.
func (ix *index) ofMethod(method string) union {
	if method == http.MethodGet { // most requests
		return ix.get
	}
	return ix.methods.find(method)
}

// tooFew is the number of routes up to which trying them all takes less time.
const tooFew = 2

// unions appends to list unions of sets whose intersection has the routes that may
// match, if there are many routes.
func (ix *index) unions(list []union, q query) []union {
	if q.method != "" && ix.methods != nil {
		list = append(list, ix.ofMethod(q.method))
	}
	if ix.hosts != nil {
		list = append(list, ix.hosts.find(withoutPort(q.host)))
	}
	if q.path.rooted {
		list = append(list, union{ix.counts[q.path.number], nil})
		for i := range min(len(ix.places), q.path.number, maxDepth) {
			if p := &ix.places[i]; p.any != nil {
				list = append(list, p.find(q.path.at(i)))
			}
		}
	}
	return list
}

// maxUnions is the maximum number of unions that unions appends.
const maxUnions = maxDepth + 3

// hasFew reports whether the index has few enough routes for a few.
func (ix *index) hasFew() bool { return ix.size <= 64*fewBlocks }

// A placeBuilder collects the texts that routes match at a place.
type placeBuilder struct {
	tells  bool
	any    []int
	exact  map[string][]int
	begins []int // those that match everything with a prefix
	texts  map[string][]int
}

func (b *placeBuilder) add(route int, s segment) {
	switch {
	case s.exact:
		b.tells = true
		if b.exact == nil {
			b.exact = make(map[string][]int)
		}
		b.exact[s.text] = append(b.exact[s.text], route)
	case s.text != "":
		b.tells = true
		if b.texts == nil {
			b.texts = make(map[string][]int)
		}
		b.texts[s.text] = append(b.texts[s.text], route)
		b.begins = append(b.begins, route)
	default:
		b.any = append(b.any, route)
	}
}

// place returns the place for what was added. Its any is nil if the place excludes
// nothing.
func (b *placeBuilder) place(size int) place {
	if !b.tells {
		return place{}
	}
	p := place{any: newSet(b.any, size)}
	p.other = p.any
	if len(b.begins) > 0 {
		p.other = newSet(merged(b.any, b.begins), size)
	}
	texts := make([]string, 0, len(b.exact)+len(b.texts))
	for text := range b.exact {
		texts = append(texts, text)
	}
	for text := range b.texts {
		if b.exact[text] == nil {
			texts = append(texts, text)
		}
	}
	slices.Sort(texts)
	own := make([][]int, len(texts))
	for i, text := range texts {
		own[i] = b.exact[text]
	}
	for text, routes := range b.texts {
		at, _ := slices.BinarySearch(texts, text)
		for ; at < len(texts) && strings.HasPrefix(texts[at], text); at++ {
			own[at] = merged(own[at], routes)
		}
	}
	p.slots = make([]slot, 1<<bits.Len(uint(2*len(texts)-1)))
	for i, text := range texts {
		at := hash(text)
		for p.slots[at&uint32(len(p.slots)-1)].taken {
			at++
		}
		p.slots[at&uint32(len(p.slots)-1)] = slot{text, newSet(own[i], size), true}
	}
	return p
}

// merged returns the sorted union of two lists.
func merged(a, b []int) []int {
	c := slices.Concat(a, b)
	slices.Sort(c)
	return slices.Compact(c)
}

// find returns the routes that may match text.
func (p *place) find(text string) union {
	mask := uint32(len(p.slots) - 1)
	for at := hash(text); ; at++ {
		s := &p.slots[at&mask]
		if !s.taken {
			return union{p.other, nil}
		}
		if s.text == text {
			return union{p.any, s.own}
		}
	}
}

// hash returns a hash of a text.
func hash(s string) uint32 {
	const factor = 0x9e3779b97f4a7c15 // Fibonacci hashing
	var head, tail uint64
	switch n := len(s); {
	case n >= 8:
		head, tail = load64(s), load64(s[n-8:])
		for i := 8; i < n-8; i += 8 {
			head = (bits.RotateLeft64(head, 29) ^ load64(s[i:])) * factor
		}
	case n >= 4:
		head = uint64(load32(s)) | uint64(load32(s[n-4:]))<<32
	case n > 0:
		head = uint64(s[0]) | uint64(s[n/2])<<8 | uint64(s[n-1])<<16
	}
	h := (head ^ bits.RotateLeft64(tail, 23) ^ uint64(len(s))<<57) * factor
	return uint32(h >> 32)
}

func load32(s string) uint32 {
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

func load64(s string) uint64 {
	_ = s[7]
	return uint64(load32(s)) | uint64(load32(s[4:]))<<32
}
