package muxwell

import (
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/pattern"
)

// A transaction is checked as it is made, against the existing routes and its own
// earlier steps. Its plan is committed when the function that makes it returns. No lock
// is held while that function runs, so the plan is made again if routes changed
// meanwhile.

// A Tx is a transaction on the routes of a mux; see [Mux.Update]. It is safe for
// concurrent use until the function that it was passed to returns. Later calls fail
// with [ErrTxOver].
type Tx struct {
	*transaction
	group *Group // to which routes are added
}

type transaction struct {
	mux   *Mux
	mu    sync.Mutex // guards the fields below
	plan  plan
	ops   []op
	after uint64 // the version of the mux against which the plan was checked
	fault error  // why the plan could not be made again
	over  bool
}

// An op is one operation of a transaction.
type op struct{ add, remove *Route } // both for a replacement

// ErrTxOver is the error of a transaction that is used after its function has returned.
var ErrTxOver = errors.New("the transaction is over")

// ErrNotInMux is the error of removing or replacing a route that is not in the mux.
var ErrNotInMux = errors.New("not a route of this mux")

// Update changes the routes of the mux while it serves requests. f adds, replaces and
// removes routes. All changes take effect together or not at all: if f returns an
// error, or panics, nothing has changed, and Update returns the error or passes the
// panic on. The same applies if a [Middleware] function panics that is called for the
// routes.
//
// Requests are never blocked: the old tables serve them until the new ones are built,
// and Update returns then. Only what changes is built; most of the rest is shared. So
// the time grows with the number of routes, but is a small part of the time to build all
// tables.
// If more than 256 routes change at once, all tables are built. A request that began
// before is served to its end with the old routes.
//
// No lock is held while f runs. It may read the mux, serve from it, and register routes
// with it, which are not part of the transaction. If the transaction conflicts with
// something that was registered meanwhile, Update returns that error. Updates may run
// concurrently; each starts from the result of the one before.
//
// A route of a mounted mux is changed through that mux, and changes with it in the
// outer mux.
func (m *Mux) Update(f func(*Tx) error) error {
	if f == nil {
		panic("muxwell: Update: nil function")
	}
	t := &transaction{mux: m}
	tx := &Tx{t, m.own()}
	defer t.end()
	if err := f(tx); err != nil {
		return err
	}
	return t.commit()
}

// end makes the transaction unusable.
func (t *transaction) end() {
	t.mu.Lock()
	t.over = true
	t.mu.Unlock()
}

// In returns the transaction with g as the group to which routes are added. It panics
// if g is not a group of the transaction's mux.
func (tx *Tx) In(g *Group) *Tx {
	if g == nil || g.mux != tx.mux {
		panic("muxwell: Tx.In: the group is nil or belongs to another mux; call Update on its mux")
	}
	return &Tx{tx.transaction, g}
}

// Add adds a route, as [Mux.Add] does. The route is checked against the existing routes
// and the earlier steps of the transaction. The error is one of [Mux.Add] or
// [ErrTxOver]. After an error the transaction is unchanged and can continue.
func (tx *Tx) Add(pattern string, handler http.Handler, options ...RouteOption) (*Route, error) {
	return tx.add(nil, pattern, handler, options)
}

// Replace replaces old with a new route, which may have the same pattern and which gets
// old's place in the order of registration. If pattern is empty, it is that of old. The
// new route is in the same group as old. It has the group's [Group.Defaults] and the
// given options. The name, the matchers and all other options of old are dropped.
//
// For a handler that is not a Mux, [Mux.Mount] registers two routes, one for the prefix
// and one for everything below it. Replacing one of them leaves the other, and the new
// handler gets the whole path.
//
// The error is one of [Tx.Add] or wraps [ErrNotInMux]. After an error old stays.
func (tx *Tx) Replace(old *Route, pattern string, handler http.Handler, options ...RouteOption) (*Route, error) {
	if old == nil {
		return nil, errNilRoute
	}
	return tx.add(old, pattern, handler, options)
}

// Remove removes a route. The error is [ErrTxOver], or wraps [ErrNotInMux] if the mux
// does not have the route or has it from a mounted mux. After an error the transaction
// is unchanged.
func (tx *Tx) Remove(rt *Route) error {
	if rt == nil {
		return errNilRoute
	}
	registering.Lock()
	defer registering.Unlock()
	tx.transaction.mu.Lock()
	defer tx.transaction.mu.Unlock()
	if err := tx.refresh(); err != nil {
		return err
	}
	return tx.do(op{remove: rt})
}

// Routes iterates over the routes that the mux will have, in the order of registration.
// It sees those that exist when the iteration begins, and none when the transaction is
// over.
func (tx *Tx) Routes() iter.Seq[*Route] {
	return func(yield func(*Route) bool) {
		for _, rt := range tx.routes() {
			if !yield(rt) {
				return
			}
		}
	}
}

func (tx *Tx) routes() []*Route {
	registering.Lock()
	defer registering.Unlock()
	tx.transaction.mu.Lock()
	defer tx.transaction.mu.Unlock()
	if tx.refresh() != nil {
		return nil
	}
	placed := make(map[*Route]*Route)
	var added []*Route
	for _, s := range tx.plan.steps {
		switch {
		case s.mux != tx.mux || s.removed:
		case s.place != nil:
			placed[s.place] = s.route
		default:
			added = append(added, s.route)
		}
	}
	var routes []*Route
	for _, rt := range slices.Concat(tx.mux.routes, added) {
		for placed[rt] != nil {
			rt = placed[rt]
		}
		if !tx.plan.isRemoved(rt) {
			routes = append(routes, rt)
		}
	}
	return routes
}

// add adds a route. If old is not nil, the route replaces it.
func (tx *Tx) add(old *Route, pattern string, handler http.Handler, options []RouteOption) (*Route, error) {
	rt := &Route{handler: handler, group: tx.group, caller: callerOf(1)}
	if old != nil {
		rt.group = old.group
		if pattern == "" {
			pattern = old.own()
		}
	}
	if err := rt.prepare("", pattern, options); err != nil {
		return nil, err
	}
	registering.Lock()
	defer registering.Unlock()
	tx.transaction.mu.Lock()
	defer tx.transaction.mu.Unlock()
	if err := tx.refresh(); err != nil {
		return nil, err
	}
	if err := tx.do(op{rt, old}); err != nil {
		return nil, err
	}
	return rt, nil
}

// own returns the pattern of a route as it was passed to its group.
func (rt *Route) own() string {
	prefix := rt.group.prefix
	if prefix == "" {
		return rt.pattern.Text
	}
	stop := pattern.SegmentEnd(prefix, 0)
	head := rt.pattern.Text[:rt.pattern.PathAt]
	if stop > 0 { // the host is the prefix's
		head = head[:len(head)-stop]
	}
	return head + rt.pattern.Text[rt.pattern.PathAt+len(prefix)-stop:]
}

// do checks an op and adds it. The locks are held.
func (t *transaction) do(o op) error {
	n := len(t.plan.steps)
	err := t.try(o)
	if err != nil {
		t.plan.undo(n)
		return err
	}
	t.ops = append(t.ops, o)
	return nil
}

func (t *transaction) try(o op) error {
	if o.remove != nil {
		if err := t.canRemove(o.remove); err != nil {
			return err
		}
		t.plan.remove(t.mux, o.remove)
	}
	if o.add != nil {
		return t.plan.add(t.mux, o.add, o.remove)
	}
	return nil
}

// canRemove reports whether rt is a route of the mux and can be removed.
func (t *transaction) canRemove(rt *Route) error {
	why := ""
	switch {
	case rt.isMounted() && t.mux.has(rt):
		why = "it comes from a mounted mux; update that mux"
	case t.plan.isRemoved(rt):
		why = "the transaction has already removed it"
	case !t.mux.has(rt) && !slices.Contains(t.plan.planned(t.mux, rt.pattern.Hash()), rt):
		why = "it was removed, or belongs to another mux"
	default:
		return nil
	}
	return &routeError{rt, why}
}

// A routeError wraps ErrNotInMux.
type routeError struct {
	route *Route
	why   string
}

func (e *routeError) Error() string {
	return "muxwell: pattern " + strconv.Quote(excerpt.Abridge(e.route.pattern.Text)) + ", registered at " + e.route.Source() + ", is " + ErrNotInMux.Error() + ": " + e.why
}

func (e *routeError) Unwrap() error { return ErrNotInMux }

var errNilRoute = fmt.Errorf("muxwell: the route is nil, which is %w; pass one that Add or Routes returned", ErrNotInMux)

// has reports whether rt is a route of m. The lock is held.
func (m *Mux) has(rt *Route) bool {
	i, found := slices.BinarySearchFunc(m.routes, rt, byRegistration)
	return found && m.routes[i] == rt
}

// refresh makes the plan again if the mux, or one in which it is mounted, has changed.
// The locks are held.
func (t *transaction) refresh() error {
	switch {
	case t.over:
		return ErrTxOver
	case t.fault != nil:
		return t.fault
	}
	if v := t.mux.versions(); v != t.after {
		t.after = v
		t.plan = plan{}
		for _, o := range t.ops {
			if t.fault = t.try(o); t.fault != nil {
				return t.fault
			}
		}
	}
	return nil
}

// versions returns a number that grows with each change of the mux and of those in
// which it is mounted. The lock is held.
func (m *Mux) versions() uint64 {
	v := m.version
	for _, mt := range m.parents {
		v += mt.group.mux.versions() + 1
	}
	return v
}

// commit makes the changes of the transaction and builds the snapshots with them. If a
// middleware function panics meanwhile, it undoes the changes.
func (t *transaction) commit() error {
	if err := t.apply(); err != nil {
		return err
	}
	built := false
	defer func() {
		if !built {
			t.revert()
		}
	}()
	for _, publish := range []bool{false, true} { // publish none before all are built
		for _, m := range t.plan.muxes() {
			m.rebuild(publish)
		}
	}
	built = true
	registering.Lock()
	defer registering.Unlock()
	t.plan.release()
	return nil
}

// apply makes the changes.
func (t *transaction) apply() error {
	registering.Lock()
	defer registering.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.refresh(); err != nil {
		return err
	}
	t.over = true
	t.plan.commit()
	return nil
}

// revert undoes the changes that were made.
func (t *transaction) revert() {
	registering.Lock()
	defer registering.Unlock()
	back := t.plan.inverse()
	back.put()
	back.release()
}

// rebuild builds the snapshot of m if the last one is not of this version. It publishes
// it if publish is set.
func (m *Mux) rebuild(publish bool) {
	for !m.tryRebuild(publish) { // others changed routes meanwhile
	}
}

func (m *Mux) tryRebuild(publish bool) bool {
	m.building.Lock()
	defer m.building.Unlock()
	if m.isBuilt(publish) {
		return true
	}
	m.build(publish)
	return !publish || m.live.Load() == nil || m.isBuilt(true) // if there is none, the next request builds it
}

// isBuilt reports whether the last snapshot is of this version. If publish is set, it
// is also published.
func (m *Mux) isBuilt(publish bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.built == nil || m.built.version != m.version {
		return false
	}
	if publish {
		m.live.Store(m.built)
	}
	return true
}
