package muxwell

import (
	"errors"
	"fmt"
	"iter"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/pattern"
)

// A transaction is checked as it is made, against the routes there are and what
// it did before; the plan of it is committed when the function that made it
// returns. No lock is held while that runs, so the plan is made again if routes
// changed in between.

// A Tx is a transaction on the routes of a mux; see [Mux.Update]. It is safe for
// concurrent use until the function returns that it was given to; what is called
// later fails with [ErrTxOver].
type Tx struct {
	*transaction
	group *Group // that routes are added to
}

type transaction struct {
	mux   *Mux
	mu    sync.Mutex // guards what follows
	plan  plan
	ops   []op
	after uint64 // the mux's version that the plan was checked against
	fault error  // why the plan could not be made again
	over  bool
}

// An op is a part of a transaction.
type op struct{ add, remove *Route } // both for a replacement

// ErrTxOver is the error of a transaction that is used after its function
// returned.
var ErrTxOver = errors.New("the transaction is over")

// ErrNotInMux is the error of removing or replacing a route that is not there.
var ErrNotInMux = errors.New("no route of this mux")

// Update changes the routes of the mux while it serves: f adds, replaces and
// removes routes, and all of that takes effect at once or not at all. If f
// returns an error, or panics, nothing has changed, and Update returns the error
// or passes the panic on. The same holds if [Middleware] panics that is made for
// the routes.
//
// Requests are never blocked: they are served by the tables of before until those
// of after are built, and Update returns when they are. What changes is built, the
// rest is copied: the time grows with the number of routes, but is a small part of
// what all tables take. With more than 256 routes changed at once these are built.
// A request that began before is served to its end by what it began with.
//
// No lock is held while f runs: it may read the mux, serve from it, and register
// with it, which then is no part of the transaction. If meanwhile something was
// registered that the transaction clashes with, Update returns the error of that.
// Updates may run at the same time; each is made on what the one before left.
//
// A route of a mounted mux is changed there, and changes with it in the mux
// around.
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

// In returns the transaction with g, a group of its mux, as the one that routes
// are added to. It panics if g is a group of another mux.
func (tx *Tx) In(g *Group) *Tx {
	if g == nil || g.mux != tx.mux {
		panic("muxwell: Tx.In: the group is nil, or one of another mux; call Update on that")
	}
	return &Tx{tx.transaction, g}
}

// Add adds a route, as [Mux.Add] does, checked against the routes there are and
// what the transaction did before. The error is one of [Mux.Add] or [ErrTxOver];
// with it the transaction is as it was, and can go on.
func (tx *Tx) Add(pattern string, handler http.Handler, options ...RouteOption) (*Route, error) {
	return tx.add(nil, pattern, handler, options)
}

// Replace puts a route in the place of old, which may have the same pattern: it
// takes old's place in the order of registration too. The new pattern is that of
// old if it is empty, and is in the group that old is in. Name, matchers and
// whatever else options said of old are not taken over; the new route has the group's
// [Group.Defaults] and the options given. [Mux.Mount] registers two routes for a handler
// that is not a Mux, for the prefix and for all below it: to replace one leaves the
// other, and the new handler is given the whole path. The error is that of [Tx.Add], or
// wraps [ErrNotInMux]; then old stays.
func (tx *Tx) Replace(old *Route, pattern string, handler http.Handler, options ...RouteOption) (*Route, error) {
	if old == nil {
		return nil, errNilRoute
	}
	return tx.add(old, pattern, handler, options)
}

// Remove removes a route. The error wraps [ErrNotInMux] if the mux does not have
// it, or has it from a mounted mux, or is [ErrTxOver]; then the transaction is as
// it was.
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

// Routes iterates over the routes that the mux will have, in the order of
// registration. It sees those there are when the iteration begins, and none when
// the transaction is over.
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

// add adds a route, in the place of old if it is not nil.
func (tx *Tx) add(old *Route, pattern string, handler http.Handler, options []RouteOption) (*Route, error) {
	rt := &Route{handler: tx.mux.config.known(handler), group: tx.group}
	if _, file, line, ok := runtime.Caller(2); ok {
		rt.file, rt.line = file, int32(line)
	}
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

// own returns the pattern of a route as it was given to its group.
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
		why = "it comes from a mounted mux; change it there"
	case t.plan.isRemoved(rt):
		why = "the transaction has removed it already"
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

var errNilRoute = fmt.Errorf("muxwell: the route is nil, which is %w; pass one that Add returned or Routes lists", ErrNotInMux)

// has reports whether rt is a route of m. The lock is held.
func (m *Mux) has(rt *Route) bool {
	i, found := slices.BinarySearchFunc(m.routes, rt, byRegistration)
	return found && m.routes[i] == rt
}

// refresh makes the plan again if the mux, or one that it is mounted in, has
// changed. The locks are held.
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

// versions returns a number that grows with each change of the mux and of those
// it is mounted in. The lock is held.
func (m *Mux) versions() uint64 {
	v := m.version
	for _, mt := range m.parents {
		v += mt.group.mux.versions() + 1
	}
	return v
}

// commit makes the changes of the transaction and builds the snapshots with
// them. If middleware panics that is made for them, it takes them back.
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
	for _, publish := range []bool{false, true} { // none before all are built
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

// revert takes back the changes that were made.
func (t *transaction) revert() {
	registering.Lock()
	defer registering.Unlock()
	back := t.plan.inverse()
	back.put()
	back.release()
}

// rebuild builds the snapshot of m if the last one is not of this version, and
// publishes it if publish is set.
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

// isBuilt reports whether the last snapshot is of this version. If publish is set,
// it is published then.
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
