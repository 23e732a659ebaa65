package generate

import (
	"slices"

	"github.com/muxwell/muxwell/gorilla/conformance/internal/program"
)

// Options are the options of a generated program.
type Options struct {
	Routes   int  // in each phase, about
	Requests int  // in each phase
	Phases   int  // of registering, then asking
	Plain    bool // without misses: see NoMiss in the differences
}

// Some returns random options from s. Most programs are small, some have no 404s and 405s,
// and few are large.
func Some(s Source) Options {
	o := Options{Routes: 1 + s.IntN(14), Requests: 40, Phases: 1 + s.IntN(2)}
	switch s.IntN(32) {
	case 1:
		o.Routes, o.Requests = 40+s.IntN(120), 150
	case 2, 3, 4, 5:
		o.Plain = true
	}
	return o
}

// A builder builds one program.
type builder struct {
	Source
	Options
	ops     program.Program
	values  int // made so far
	routers []*place
	routes  []*place
	zero    []bool // by tree: a zero Router or Route, which cannot have names
}

// Program returns a program.
func Program(s Source, o Options) program.Program {
	b := &builder{Source: s, Options: o}
	if oneIn(b, 12) {
		b.root(program.ZeroRouter)
	} else {
		b.root(program.NewRouter)
	}
	for range 2 {
		if oneIn(b, 4) {
			b.root(program.NewRouter)
		}
	}
	if oneIn(b, 10) {
		b.freeRoute()
	}
	for range o.Phases {
		n := 1 + b.IntN(o.Routes)
		if o.Routes > 20 {
			n = o.Routes
		}
		for range n {
			b.route(pick(b, b.routers))
		}
		b.questions()
		for range o.Requests {
			b.ask()
		}
	}
	return b.ops
}

// add appends an op.
func (b *builder) add(call program.Call, on int, args []string, nums ...int) {
	b.ops = append(b.ops, program.Op{Call: call, On: on, Args: args, Nums: nums})
}

// addValue appends an op that creates a value, and returns its number.
func (b *builder) addValue(call program.Call, on int, args []string, nums ...int) int {
	b.values++
	b.ops = append(b.ops, program.Op{Call: call, On: on, Out: b.values, Args: args, Nums: nums})
	return b.values
}

// root starts a tree of routers.
func (b *builder) root(call program.Call) {
	r := &place{id: b.addValue(call, 0, nil), tree: len(b.zero), asRouter: true}
	b.zero = append(b.zero, call == program.ZeroRouter)
	b.routers = append(b.routers, r)
	for range b.IntN(3) {
		b.configure(r)
	}
}

// freeRoute creates a route without a router.
func (b *builder) freeRoute() {
	r := &place{id: b.addValue(program.ZeroRoute, 0, nil), tree: len(b.zero)}
	b.zero = append(b.zero, true)
	b.routes = append(b.routes, r)
	b.setUp(r, oneIn(b, 2))
}

// configure changes a router.
func (b *builder) configure(r *place) {
	switch b.IntN(16) {
	case 0, 1, 2:
		b.add(program.StrictSlash, r.id, nil, b.IntN(3)/2^1)
	case 3:
		b.add(program.SkipClean, r.id, nil, b.IntN(3)/2^1)
	case 4:
		b.add(program.UseEncodedPath, r.id, nil)
	case 5:
		b.add(program.OmitRouteFromContext, r.id, nil, b.IntN(3)/2^1)
	case 6:
		b.add(program.OmitRouterFromContext, r.id, nil, b.IntN(3)/2^1)
	case 7, 8, 9, 10:
		b.add(program.Use, r.id, nil, b.layers()...)
	case 11:
		b.add(program.UseCORS, r.id, nil, pick(b, []*place{r, pick(b, b.routers)}).id)
	case 12, 13:
		if b.handlesMisses(r) {
			b.add(program.NotFoundHandler, r.id, nil, b.failureHandler(100))
		}
	default:
		if b.handlesMisses(r) {
			b.add(program.MethodNotAllowedHandler, r.id, nil, b.failureHandler(200))
		}
	}
}

// handlesMisses reports whether a router may have handlers for misses.
func (b *builder) handlesMisses(r *place) bool {
	return !b.Plain && (r.depth == 0 || !r.limited)
}

func (b *builder) failureHandler(base int) int {
	if oneIn(b, 8) {
		return program.Nil
	}
	return base + b.IntN(9)
}

func (b *builder) layers() []int {
	ids := make([]int, 1+b.IntN(2))
	for i := range ids {
		ids[i] = 1 + b.IntN(9)
	}
	return ids
}

// route creates a route on r, and often more below it.
func (b *builder) route(r *place) {
	if oneIn(b, 8) {
		b.configure(r)
	}
	route := r.child(b.values + 1)
	branch := r.depth < 3 && b.IntN(5-r.depth) == 0 // has a subrouter
	n := b.IntN(40)
	if branch && n < 20 && !oneIn(b, 8) {
		n = 20 // a prefix: below a path hardly anything matches
	}
	switch {
	case n < 20:
		template, pieces := b.template(r)
		call := pick(b, []program.Call{program.HandleFunc, program.Handle, program.Path})
		if call == program.Path {
			b.addValue(call, r.id, []string{template})
		} else {
			b.addValue(call, r.id, []string{template}, b.IntN(90))
		}
		b.notePath(route, template, pieces)
	case n < 26:
		template, pieces := b.template(r)
		b.addValue(program.PathPrefix, r.id, []string{template})
		b.notePath(route, template, pieces)
	case n == 39 && !b.zero[r.tree]:
		b.addValue(program.Name, r.id, []string{pick(b, names)})
	case n == 38:
		b.addValue(program.BuildVarsFunc, r.id, nil, b.IntN(program.VarsFuncCount))
	case n < 28:
		b.addValue(program.NewRoute, r.id, nil)
	default:
		call, args, nums := b.matcher(route)
		if call == "" || call == program.HeadersRegexp {
			b.addValue(program.NewRoute, r.id, nil)
			if call != "" {
				b.add(call, route.id, args, nums...)
			}
			break
		}
		b.addValue(call, r.id, args, nums...)
	}
	b.routes = append(b.routes, route)
	b.setUp(route, branch)
}

// notePath records the pieces of a path template, for requests.
func (b *builder) notePath(p *place, template string, pieces []piece) {
	if pieces == nil && template != "" {
		pieces = []piece{{template: template, hits: []string{"/a", template, ""}}}
	}
	p.addPath(pieces)
}

// setUp adds matchers, a handler and the rest to a route, and a subrouter to a branch.
func (b *builder) setUp(r *place, branch bool) {
	for range b.IntN(3) {
		if call, args, nums := b.matcher(r); call != "" {
			b.add(call, r.id, args, nums...)
		}
	}
	if !oneIn(b, 10) {
		b.handler(r)
	}
	if branch {
		b.subrouter(r)
	}
	for range b.IntN(3) {
		b.decorate(r)
	}
}

// subrouter creates a subrouter of a route, with routes.
func (b *builder) subrouter(r *place) {
	sub := r.child(b.addValue(program.Subrouter, r.id, nil))
	sub.asRouter, sub.depth = true, r.depth+1
	r.parent = true // no matchers from here on: see the differences
	b.routers = append(b.routers, sub)
	for range b.IntN(2) {
		b.configure(sub)
	}
	for range 1 + b.IntN(3) {
		b.route(sub)
	}
}

// handler gives a route a handler.
func (b *builder) handler(r *place) {
	switch n := b.IntN(12); {
	case n == 0:
		b.add(program.Handler, r.id, nil, program.Nil)
	case n <= 2 && !r.layered:
		// A router is mounted in trees before its own only: no cycles.
		above := func(p *place) bool { return p.tree <= r.tree }
		if list := slices.DeleteFunc(slices.Clone(b.routers), above); len(list) > 0 {
			b.mount(r, pick(b, list))
			return
		}
		fallthrough
	case n < 6:
		b.add(program.HandlerFunc, r.id, nil, b.IntN(90))
	default:
		b.add(program.Handler, r.id, nil, b.IntN(90))
	}
	r.mounted = false
}

// mount makes a router the handler of a route, and adds a route to it for paths below those
// of the first route, because it matches the whole path.
func (b *builder) mount(r, router *place) {
	b.add(program.Mount, r.id, nil, router.id)
	r.mounted = true
	below := r.child(b.values + 1)
	below.tree, below.templates = router.tree, slices.Clone(router.templates)
	_, pieces := b.template(r)
	below.addPath(pieces)
	below.templates = append(below.templates, text(below.path))
	b.addValue(program.HandleFunc, router.id, []string{text(below.path)}, b.IntN(90))
	b.routes = append(b.routes, below)
}

// decorate adds options that do not affect matching.
func (b *builder) decorate(r *place) {
	switch b.IntN(8) {
	case 0, 1:
		if !b.zero[r.tree] {
			b.add(program.Name, r.id, []string{pick(b, names)})
		}
	case 2:
		b.add(program.Metadata, r.id, []string{pick(b, []string{"k", "j"})}, b.IntN(9))
	case 3:
		b.add(program.BuildVarsFunc, r.id, nil, b.IntN(program.VarsFuncCount))
	case 4:
		if oneIn(b, 4) {
			b.add(program.BuildOnly, r.id, nil)
		}
	default:
		if !r.mounted {
			b.add(program.Use, r.id, nil, b.layers()...)
			r.layered = true
		}
	}
}
