package muxwell

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/muxwell/muxwell/internal/params"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/routing"
)

// A route is registered in three steps: prepare makes it from what the caller passed, a
// plan checks it against all routes of all muxes that it will be in, and commit changes
// those. Nothing is changed before everything is checked.

// registering is held while routes, groups and mounts of any mux are checked and
// changed: those of a mounted mux are also in other muxes. Mux.mu is not held while a
// constraint's function is called.
var registering sync.Mutex

// register registers a route. Every exported function that registers must call it
// directly, since it records the caller of its caller as the place of the registration.
func (m *Mux) register(g *Group, method, text string, handler http.Handler, options []RouteOption) (*Route, error) {
	rt := &Route{handler: handler, group: g, caller: callerOf(1)}
	if err := rt.prepare(method, text, options); err != nil {
		return nil, err
	}
	registering.Lock()
	defer registering.Unlock()
	var p plan
	if err := p.add(m, rt, nil); err != nil {
		return nil, err
	}
	p.put()
	return rt, nil
}

// servesItself is the reason for rejecting a handler that serves the mux around it.
const servesItself = "the handler is the mux, or a group of it, which would call itself forever"

// serves reports whether a handler is the mux or a group of it.
func (m *Mux) serves(h http.Handler) bool {
	switch h := h.(type) {
	case *Mux:
		return h == m
	case *Group:
		return h.mux == m
	case stripped:
		return m.serves(h.handler)
	}
	return false
}

// prepare sets the pattern of a route, which already has its handler and its group, and
// applies the group's defaults and the options.
func (rt *Route) prepare(method, text string, options []RouteOption) error {
	if method != "" {
		if i := strings.IndexAny(text, " \t/{"); i > 0 && text[i] != '/' && text[i] != '{' {
			return &PatternError{
				Pattern: method + " " + text, Offset: len(method) + 1,
				Reason: "the function's name already has the method; omit it, or call Handle",
			}
		}
	}
	if off := methodsStop(text); rt.group.prefix != "" && lacksSlash(text[off:]) {
		return patternError(text, off, "a path must begin with a slash, write %q; the group's prefix %q is put before it", text[:off]+"/"+text[off:], rt.group.prefix)
	}
	text, err := joinPattern(rt.group.prefix, text)
	if err != nil {
		return err
	}
	if method != "" {
		text = method + " " + text
	}
	if isNil(rt.handler) {
		return &PatternError{Pattern: text, Reason: "the handler is nil; pass a handler", Err: ErrNilHandler}
	}
	if rt.group.mux.serves(rt.handler) {
		return &PatternError{Pattern: text, Reason: servesItself + "; pass the handler that writes the answer", Err: ErrServesItself}
	}
	c := &rt.group.mux.config
	p, err := c.parse(text)
	if err != nil {
		return err
	}
	rt.pattern = *p
	if err := rt.applyAll(append(rt.group.defaults(), options...), c.rules()); err != nil {
		return err
	}
	return rt.complete()
}

// parse parses a pattern of the mux. Each has a copy of the text: RouteOf identifies a
// route by the address of its own.
func (c *config) parse(text string) (*pattern.Pattern, error) {
	p, err := parse(strings.Clone(text), c.rules())
	if err == nil && c.fold {
		p.Fold()
	}
	return p, err
}

func byRegistration(a, b *Route) int { return cmp.Compare(a.entry.Index, b.entry.Index) }

// A nameList is a list of parameter names that routes of a mux share.
type nameList struct {
	names  *params.Names
	routes int // number of routes that have it
}

// link adds a checked route.
func (m *Mux) link(rt *Route, shape uint64, place *Route) {
	if m.duplicateIndex == nil {
		m.duplicateIndex = make(map[uint64]*Route)
		m.named = make(map[string]*Route)
		m.lists = make(map[string]*nameList)
	}
	names := rt.allNames()
	key := strings.Join(names, "/")
	if rt == place {
		if m.lists[key] == nil {
			m.lists[key] = &nameList{names: rt.layout.Names}
		}
	} else {
		if m.lists[key] == nil {
			m.lists[key] = &nameList{names: params.NewNames(names)}
		}
		rt.layout.Names = m.lists[key].names
		m.number(rt, place)
		if n := len(m.free); n > 0 {
			rt.entry.Number, m.free = m.free[n-1], m.free[:n-1]
		} else {
			m.numbers++
			rt.entry.Number = m.numbers
		}
	}
	if list := m.lists[key]; list.names == rt.layout.Names {
		list.routes++
	}
	rt.next = m.duplicateIndex[shape]
	m.duplicateIndex[shape] = rt
	if name := rt.Name(); name != "" && !rt.isMounted() {
		m.named[name] = rt
	} else if name != "" {
		if m.inner == nil {
			m.inner = make(map[string][]*Route)
		}
		m.inner[name] = append(m.inner[name], rt)
	}
	if strict := m.config.strict; strict != nil {
		strict.note(m, rt)
	}
	if rt.isMounted() {
		d := rt.info.mount.derived
		d[rt.info.origin] = append(d[rt.info.origin], rt)
	}
	m.routes = append(m.routes, rt)
	m.hold(rt.group)
	m.noteChange(rt)
}

// number gives a route its place in the registration order. A route of a mounted mux may
// become two. The second one, at the bare prefix, has the odd index; all other routes have
// even ones. So one route can be replaced by two.
func (m *Mux) number(rt, place *Route) {
	index := m.nextIndex
	if place != nil {
		index = place.entry.Index &^ 1
	}
	if rt.entry.Rank != routing.Itself {
		index |= 1
	}
	rt.entry.Index = index
	m.nextIndex = max(m.nextIndex, index&^1+2)
}

// unlink removes a route, except from m.routes. Its number is not free before
// [plan.release].
func (m *Mux) unlink(rt *Route, shape uint64) {
	if m.duplicateIndex[shape] == rt {
		if m.duplicateIndex[shape] = rt.next; rt.next == nil {
			delete(m.duplicateIndex, shape)
		}
	} else {
		q := m.duplicateIndex[shape]
		for q.next != rt {
			q = q.next
		}
		q.next = rt.next
	}
	key := strings.Join(rt.layout.Names.List, "/")
	if list := m.lists[key]; list != nil && list.names == rt.layout.Names {
		if list.routes--; list.routes == 0 {
			delete(m.lists, key)
		}
	}
	if name := rt.Name(); name != "" {
		if m.named[name] == rt {
			delete(m.named, name)
		}
		if those := m.inner[name]; slices.Contains(those, rt) {
			m.inner[name] = slices.DeleteFunc(slices.Clone(those), func(q *Route) bool { return q == rt })
			if len(m.inner[name]) == 0 {
				delete(m.inner, name)
			}
		}
	}
	if strict := m.config.strict; strict != nil {
		strict.forget(m, rt)
	}
	if rt.isMounted() {
		delete(rt.info.mount.derived, rt.info.origin)
	}
	m.drop(rt.group)
	m.noteChange(rt)
}

// maxChanges is the maximum number of changes for which a snapshot is copied and
// changed. With more it is built from scratch.
const maxChanges = 256

// noteChange records that a route was added or removed since the last snapshot.
func (m *Mux) noteChange(rt *Route) {
	if len(m.changed) <= maxChanges && !slices.Contains(m.changed, rt) {
		m.changed = append(m.changed, rt)
	}
}

// stale marks the snapshots stale that depend on groups of m.
func (m *Mux) stale() {
	m.mu.Lock()
	m.version++
	m.uses++
	m.mu.Unlock()
	m.live.Store(nil)
	for _, mt := range m.parents {
		mt.group.mux.stale()
	}
}

// recompose makes the next snapshots of the mux, and of those around it, compose all
// handlers again.
func (m *Mux) recompose() {
	m.mu.Lock()
	m.compositions++
	m.mu.Unlock()
	for _, mt := range m.parents {
		mt.group.mux.recompose()
	}
	m.stale()
}
