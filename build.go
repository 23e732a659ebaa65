package muxwell

import (
	"math/bits"
	"strings"
)

// A table is built from routes sorted by [compareSegments]: those that share
// their first segments stand together, so each node is made of a run of routes,
// and the nodes below it of shorter runs within it. Nothing is inserted, and the
// finished table has no slack.

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
	b.widest = max(b.widest, len(label))
	run := 1
	if plainLiteral(label) {
		run = literalRun(routes, depth)
	} else if isDots(label) {
		b.dotted = true
	}
	for _, s := range routes[0].segs[depth+1 : depth+run] {
		b.text = append(append(b.text, '/'), s.text...)
		b.widest = max(b.widest, len(s.text))
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

// recheck says which paths that the catch-all of rt takes may match exactly
// with a final slash more, or under SlashIgnore less. It may say too many.
func (b *tableBuilder) recheck(rt *Route) recheck {
	switch depth := len(rt.segs) - 1; {
	case b.policy == SlashStrict:
		return never
	case b.policy == SlashIgnore:
		return everything
	case b.slashes <= depth:
		return never
	default:
		budget := 256
		if slashBelow(b.routes, rt.segs[:depth], 0, &budget) {
			return slashless
		}
		return never
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
