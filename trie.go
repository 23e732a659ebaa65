package muxwell

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"strings"
)

// A table holds the routes of one method for one host, as lookup.go searches
// them: those without parameters in a hash table by path, the others in a trie
// by segments. The trie of
//
//	/repos/{owner}/{repo}              (1)
//	/repos/{owner}/{repo}/issues/{n}   (2)
//	/v1/users/{id}                     (3)
//	/v1/users/{path...}                (4)
//
// is
//
//	node 0 ─ kid "repos" ────► node 1 ═ skip 2 segments ═► node 2 (leaf 1)
//	   │                                                      └─ kid "issues" ─► node 3 ═ skip 1 ═► 2
//	   └──── kid "v1/users" ─► node 4 (rest 4) ═ skip 1 ═► 3
//
// A node stands after a slash, or where a path ended. From it lead, in the
// order of precedence: its kids, one for each literal, a hash table of a power
// of two; its param, over a run of whole-segment parameters in one step; then
// the route of a path that ends here with a slash (end); then the catch-all
// (rest). A leaf is the route of a path that ended before this node; where there
// would be nothing but a leaf, its record stands in place of the node. A kid
// whose node would have but one kid is joined with it ("v1/users").
//
// Routes are named by their record, an index into snapshot.records; 0 is none.
type table struct {
	static staticTable
	nodes  []node
	kids   []kid
	text   string // the labels of all kids
	dotted bool   // one of the labels is "." or ".."
	// classes gives nodes the same number below which the same paths match,
	// whatever their routes are. It is nil unless many nodes have several ways.
	classes []uint32
}

// leafOnly marks, in place of a node's index, the record of a route that ends
// there, with nothing below it.
const leafOnly = 1 << 31

type node struct {
	kids  uint32 // the first kid's place
	slots uint32 // the number of places for kids: a power of two, or 0
	param uint32 // the node behind the parameters or a leafOnly, 0 for none
	leaf  uint32 // records:
	end   uint32
	rest  uint32
	seed  uint32 // of the hash of kids
	skip  uint16 // the number of parameters before param
	// recheck is set if a path that the catch-all takes, without a final
	// slash, may match exactly with one: then the answer is a redirect.
	recheck bool
}

type kid struct {
	head uint64 // the first eight bytes of the label's first segment
	tail uint64 // its last eight, if it is longer than eight
	to   uint32 // the node behind it or a leafOnly; 0 in an empty place
	text uint32 // where the label is in table.text
	len  uint32 // length of the first segment
	more uint32 // length of what follows it in the label, from a slash on
}

func (t *table) label(k *kid) string { return t.text[k.text : k.text+k.len+k.more] }

// compareSegments orders patterns' paths by precedence, those with the same
// segments beside each other, a path before its extensions.
func compareSegments(a, b []segment) int {
	for i := range min(len(a), len(b)) {
		if a[i].kind != b[i].kind {
			return cmp.Compare(a[i].kind, b[i].kind)
		}
		if a[i].kind == literal && a[i].text != b[i].text {
			return strings.Compare(a[i].text, b[i].text)
		}
	}
	return len(a) - len(b)
}

// A tableBuilder makes the table of one method.
type tableBuilder struct {
	table
	method  string // "" for the table of methods that no route names
	policy  SlashPolicy
	routes  []*Route // those that take the method, one for each path, sorted
	slashes int      // the most segments that precede a final slash in routes
	text    []byte
}

// buildTable returns the table for method of routes, which are sorted by
// compareSegments.
func buildTable(method string, routes []*Route, policy SlashPolicy) *table {
	b := &tableBuilder{method: method, policy: policy}
	b.routes = make([]*Route, 0, len(routes))
	for _, rt := range routes {
		fit := rt.fit(method)
		if fit == 0 {
			continue
		}
		if n := len(b.routes); n > 0 && compareSegments(b.routes[n-1].segs, rt.segs) == 0 {
			if b.routes[n-1].fit(method) < fit {
				b.routes[n-1] = rt
			}
			continue
		}
		b.routes = append(b.routes, rt)
	}
	var static []staticPath
	var rooted []*Route // the routes of the trie
	for _, rt := range b.routes {
		if k := rt.last().kind; k == end || k == rest {
			b.slashes = max(b.slashes, len(rt.segs)-1)
		}
		path, only := rt.staticPath()
		if n := len(static); path != "" && (n == 0 || static[n-1].path != path) {
			static = append(static, staticPath{path, rt.record()})
		}
		if !only {
			rooted = append(rooted, rt)
		}
	}
	b.static = buildStatic(static)
	b.node(rooted, 0)
	b.table.text = string(b.text)
	b.classify()
	t := b.table
	return &t
}

// record returns the route's index in snapshot.records.
func (rt *Route) record() uint32 { return uint32(rt.index) + 1 }

// fit returns how well the route's methods fit a request's: 3 by name, 2 as GET
// for HEAD, 1 by naming none, 0 not at all.
func (rt *Route) fit(method string) int {
	if rt.methods == nil {
		return 1
	}
	fit := 0
	for _, m := range rt.methods {
		if m == method {
			return 3
		}
		if m == "GET" && method == "HEAD" {
			fit = 2
		}
	}
	return fit
}

// staticPath returns the one path, or one of the paths, that the route matches
// without giving a parameter a value, and whether there are no others. The path
// is "" if there is none, or if only a request outside the usual can have it.
func (rt *Route) staticPath() (path string, only bool) {
	for i, g := range rt.segs {
		switch {
		case g.kind == param, g.kind == rest && g.text != "", g.kind == literal && !plainLiteral(g.text):
			return "", false
		case g.kind == end || g.kind == rest:
			only = g.kind == end
		case i == len(rt.segs)-1:
			only = true
		}
	}
	size := 0
	for _, g := range rt.segs {
		size += 1 + len(g.text)
	}
	if text := rt.Path(); len(text) == size {
		return text, only // spelt as it is matched
	}
	b := make([]byte, 0, size)
	for _, g := range rt.segs {
		b = append(append(b, '/'), g.text...)
	}
	return string(b), only
}

// plainLiteral reports whether a clean path that was sent without escaped
// slashes can have the segment s.
func plainLiteral(s string) bool {
	return s != "" && s != "." && s != ".." && strings.IndexByte(s, '/') < 0
}

// to returns what leads to routes, which share their first depth segments: a
// new node, or a leafOnly.
func (b *tableBuilder) to(routes []*Route, depth int) uint32 {
	if len(routes) == 1 && len(routes[0].segs) == depth {
		return leafOnly | routes[0].record()
	}
	return b.node(routes, depth)
}

// node appends the node of routes, which share their first depth segments, with
// all below it, and returns its index.
func (b *tableBuilder) node(routes []*Route, depth int) uint32 {
	index := uint32(len(b.nodes))
	b.nodes = append(b.nodes, node{})
	var n node
	if len(routes) > 0 && len(routes[0].segs) == depth {
		n.leaf = routes[0].record()
		routes = routes[1:]
	}
	var groups [][]*Route // one for each literal
	for len(routes) > 0 && routes[0].segs[depth].kind == literal {
		size := 1
		for size < len(routes) && routes[size].segs[depth] == routes[0].segs[depth] {
			size++
		}
		groups = append(groups, routes[:size])
		routes = routes[size:]
	}
	if len(groups) > 0 {
		b.hashKids(&n, groups, depth)
	}
	params := 0
	for params < len(routes) && routes[params].segs[depth].kind == param {
		params++
	}
	if params > 0 {
		n.skip = paramRun(routes[:params], depth)
		n.param = b.to(routes[:params], depth+int(n.skip))
		routes = routes[params:]
	}
	for _, rt := range routes {
		if rt.segs[depth].kind == end {
			n.end = rt.record()
		} else {
			n.rest = rt.record()
			n.recheck = b.recheck(rt)
		}
	}
	b.nodes[index] = n
	return index
}

// paramRun returns how many parameters in a row all the routes have from depth
// on, with no route ending in between.
func paramRun(routes []*Route, depth int) uint16 {
	first, last := routes[0].segs, routes[len(routes)-1].segs
	run := 1
	for run < 1<<16-1 && len(first) > depth+run && first[depth+run].kind == param && last[depth+run].kind == param {
		run++
	}
	return uint16(run)
}

// hashKids places the kids of n, one for each group of routes, whose segments
// at depth are literals.
func (b *tableBuilder) hashKids(n *node, groups [][]*Route, depth int) {
	kids, labels := make([]kid, len(groups)), make([]string, len(groups))
	for i, g := range groups {
		labels[i] = g[0].segs[depth].text
		kids[i] = b.kid(g, depth)
	}
	n.slots = 1
	if len(kids) > 1 {
		n.slots = 1 << bits.Len(uint(2*len(kids)-1))
	}
	n.kids = uint32(len(b.kids))
	n.seed = bestSeed(labels, n.slots)
	b.kids = append(b.kids, make([]kid, n.slots)...)
	places := b.kids[n.kids:]
	for i, k := range kids {
		h := segmentHash(labels[i], n.seed) & (n.slots - 1)
		for places[h].to != 0 {
			h = (h + 1) & (n.slots - 1)
		}
		places[h] = k
	}
}

// kid returns the kid for routes with the same literal at depth, and appends
// all below it.
func (b *tableBuilder) kid(routes []*Route, depth int) kid {
	label := routes[0].segs[depth].text
	k := kid{len: uint32(len(label)), text: uint32(len(b.text))}
	k.head, k.tail = segmentWords(label)
	b.text = append(b.text, label...)
	run := 1
	if plainLiteral(label) {
		run = literalRun(routes, depth)
	} else if isDots(label) {
		b.dotted = true
	}
	for _, s := range routes[0].segs[depth+1 : depth+run] {
		b.text = append(append(b.text, '/'), s.text...)
	}
	k.more = uint32(len(b.text)) - k.text - k.len
	k.to = b.to(routes, depth+run)
	return k
}

// literalRun returns how many literals in a row all the routes share from depth
// on, with no route ending in between.
func literalRun(routes []*Route, depth int) int {
	first, last := routes[0].segs, routes[len(routes)-1].segs
	run := 1
	for len(first) > depth+run && first[depth+run] == last[depth+run] &&
		first[depth+run].kind == literal && plainLiteral(first[depth+run].text) {
		run++
	}
	return run
}

// segmentWords returns the first eight bytes of a segment, and its last eight
// if it is longer than that.
func segmentWords(s string) (head, tail uint64) {
	if len(s) > 8 {
		tail = le64(s, len(s)-8)
	}
	return shortWord(s), tail
}

// segmentHash returns the hash of a label's first segment; its low bits count.
// Eight bytes from the beginning and the end make it, and eight from between if
// the segment is longer than these: where between, is up to the seed.
func segmentHash(s string, seed uint32) uint32 {
	head, tail := segmentWords(s)
	h := head ^ bits.RotateLeft64(tail, 23)
	if len(s) > 16 {
		h ^= bits.RotateLeft64(le64(s, middle(uint(len(s)), seed)), 41)
	}
	return kidHash(h, uint32(len(s)), seed)
}

const seeds = 16

// middle returns where the middle eight bytes of a long segment are taken.
func middle(length uint, seed uint32) int {
	return int((length - 8) * uint(seed%seeds+1) / (seeds + 1))
}

// kidHash mixes the words of a segment. Both halves of the product are needed
// for every byte to reach the low bits.
func kidHash(words uint64, length, seed uint32) uint32 {
	hi, lo := bits.Mul64(words^uint64(length^seed)<<56, hashFactor)
	return uint32(hi ^ lo)
}

// bestSeed returns the seed with which the fewest labels miss their own place.
func bestSeed(labels []string, slots uint32) uint32 {
	if len(labels) == 1 {
		return 0
	}
	best, fewest := uint32(0), len(labels)
	taken := make([]uint64, (slots+63)/64)
	for seed := range uint32(seeds) {
		clear(taken)
		misses := 0
		for _, label := range labels {
			h := segmentHash(label, seed) & (slots - 1)
			if taken[h/64]>>(h%64)&1 != 0 {
				misses++
			}
			taken[h/64] |= 1 << (h % 64)
		}
		if misses < fewest {
			best, fewest = seed, misses
		}
		if misses == 0 || len(labels) > 1<<10 && misses < len(labels)/2 {
			break
		}
	}
	return best
}

// classify sets the classes of nodes if so many of them have several ways that
// a path could take very many. A node comes before those below it, so the
// classes of these are known when its own is looked for.
func (b *tableBuilder) classify() {
	const many = 32
	forks := 0
	for i := range b.nodes {
		if n := &b.nodes[i]; n.slots != 0 && n.param|n.rest != 0 || n.param != 0 && n.rest != 0 {
			forks++
		}
	}
	if forks < many {
		return
	}
	b.classes = make([]uint32, len(b.nodes))
	numbers := make(map[string]uint32)
	var form []byte
	for i := len(b.nodes) - 1; i >= 0; i-- {
		form = b.form(form[:0], &b.nodes[i])
		number, ok := numbers[string(form)]
		if !ok {
			number = uint32(len(numbers)) + 1
			numbers[string(form)] = number
		}
		b.classes[i] = number
	}
}

// form appends what tells which paths match below a node.
func (b *tableBuilder) form(form []byte, n *node) []byte {
	for _, rec := range []uint32{n.leaf, n.end, n.rest} {
		form = append(form, byte(min(rec, 1)))
	}
	form = binary.LittleEndian.AppendUint16(form, n.skip)
	form = b.formOf(form, n.param)
	for _, k := range b.table.kids[n.kids : n.kids+n.slots] {
		if k.to != 0 {
			form = b.formOf(form, k.to)
			form = binary.LittleEndian.AppendUint32(form, k.len+k.more)
			form = append(form, b.text[k.text:k.text+k.len+k.more]...)
		}
	}
	return form
}

// formOf appends the class of the node that to leads to.
func (b *tableBuilder) formOf(form []byte, to uint32) []byte {
	class := to // 0, or the same for all records
	if to&leafOnly != 0 {
		class = leafOnly
	} else if to != 0 {
		class = b.classes[to]
	}
	return binary.LittleEndian.AppendUint32(form, class)
}

// recheck reports whether a path without final slash that the catch-all of rt
// takes might match exactly with a slash more. It may say so when in doubt.
func (b *tableBuilder) recheck(rt *Route) bool {
	switch depth := len(rt.segs) - 1; {
	case b.policy == SlashStrict:
		return false
	case b.policy == SlashIgnore:
		return true // a slash less may match too
	case b.slashes <= depth:
		return false
	default:
		budget := 256
		return slashBelow(b.routes, rt.segs[:depth], 0, &budget)
	}
}

// slashBelow reports whether one of routes, which are sorted and agree with
// prefix in the first depth segments, agrees with all of it and has a final
// slash behind at least one segment more. It says yes when the budget is spent.
func slashBelow(routes []*Route, prefix []segment, depth int, budget *int) bool {
	for len(routes) > 0 {
		if *budget--; *budget < 0 {
			return true
		}
		segs := routes[0].segs
		if depth == len(prefix) {
			if k := routes[0].last().kind; len(segs) > depth+1 && (k == end || k == rest) {
				return true
			}
			routes = routes[1:]
			continue
		}
		size := 1
		if len(segs) > depth {
			size = groupSize(routes, depth)
			g := segs[depth]
			agrees := g.kind == param || g.kind == literal && (prefix[depth].kind == param || prefix[depth].text == g.text)
			if agrees && slashBelow(routes[:size], prefix, depth+1, budget) {
				return true
			}
		}
		routes = routes[size:]
	}
	return false
}

// groupSize returns how many of the sorted routes have the same segment at
// depth as the first, by doubling and then halving steps.
func groupSize(routes []*Route, depth int) int {
	same := func(i int) bool {
		s := routes[i].segs
		return len(s) > depth && compareSegments(s[depth:depth+1], routes[0].segs[depth:depth+1]) == 0
	}
	lo, hi := 0, 1 // same(lo); not same(hi), or hi is past the end
	for hi < len(routes) && same(hi) {
		lo, hi = hi, 2*hi
	}
	hi = min(hi, len(routes))
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; same(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}
