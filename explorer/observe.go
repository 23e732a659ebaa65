package explorer

import (
	"iter"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/muxwell/muxwell"
)

// An observer finds the counter of a request's route in a table that never
// changes, by one atomic load:
//
//	request ─► mux ─► RouteOf ─ table ─► counter ─ requests, one atomic add
//	                                             └ latency, of the timed ones
//
// A route that is not in the table is new: then another table is made, of the
// routes that there are now, with the counters of those that were there before.
// So it never has more counters than there were routes when it was made; one more is
// for requests that no route matched.

// An Observer serves a mux and counts its requests by route. It is made by
// [Observe] and safe for concurrent use.
//
// Each request is counted when its handler has returned or panicked. Reading the
// clock twice costs more than all the rest, so not every request is timed: below
// 1,000 requests per second all are, above that one in 64, independently of its
// route. After a busy period it takes some requests, or a call of [Observer.Routes],
// until all requests are timed again. [Stats] says how many were timed.
//
// A request is counted for the route that [muxwell.Mux.RouteOf] returns when it is
// over; for a redirect that is the route it leads to. Requests without a route are
// counted together: 404, 405, answers to OPTIONS, requests whose route has been
// removed since, and requests whose handler passed them on to another router, which
// sets r.Pattern.
//
// Removed routes are forgotten when a new route matches its first request, and
// whenever [Observer.Routes] is called.
type Observer struct {
	mux      *muxwell.Mux
	counters atomic.Pointer[counterTable]
	other    counter
	pace     pace
	making   sync.Mutex // held while another table is made
}

// A counterTable has the counters of routes.
type counterTable map[*muxwell.Route]*counter

// A counter has what is known of the requests of one route.
type counter struct {
	requests atomic.Uint64
	latency  atomic.Pointer[histogram] // nil until a request was timed
}

// Stats are the statistics of the requests of a route, or of those that no route
// matched, since the Observer first saw it.
type Stats struct {
	Requests uint64
	Timed    uint64 // how many of them were timed
	// The latencies that half of the timed requests and 99 in 100 did not exceed, as
	// far as the Observer distinguishes them: at most an eighth too long or too short,
	// and between 128 ns and two minutes. They are 0 if none was timed.
	P50, P99 time.Duration
}

// Observe returns a handler that serves mux and counts its requests. The server must
// serve it instead of mux; other middleware may wrap it.
//
// It passes the request and the ResponseWriter to mux unchanged, and so counts no
// statuses. BenchmarkObserve measures what it adds to a request: least in busy times, a
// few times as much in quiet times, when each request is timed. Cores that serve one
// route at once contend for its counter, which costs more (its rows with /parallel). It
// does not allocate, except for the first request of
// a route, whose counters take 1 KB.
func Observe(mux *muxwell.Mux) *Observer {
	o := &Observer{mux: mux}
	o.counters.Store(&counterTable{})
	return o
}

// ServeHTTP lets the mux serve the request, and counts it.
func (o *Observer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if o.pace.timesNext() {
		start := now()
		defer o.countTimed(r, start)
	} else {
		defer o.count(r)
	}
	o.mux.ServeHTTP(w, r)
}

func (o *Observer) count(r *http.Request) {
	o.pace.note(o.counterOf(r).requests.Add(1))
}

func (o *Observer) countTimed(r *http.Request, start time.Duration) {
	end := now()
	c := o.counterOf(r)
	c.requests.Add(1)
	c.time(end - start)
	o.pace.noteTimed(end)
}

// counterOf returns the counter of the route that matched a request.
func (o *Observer) counterOf(r *http.Request) *counter {
	rt := o.mux.RouteOf(r)
	if rt == nil {
		return &o.other
	}
	if c := (*o.counters.Load())[rt]; c != nil {
		return c
	}
	if c := o.renew(rt)[rt]; c != nil {
		return c
	}
	return &o.other // it was removed meanwhile
}

// renew makes a table of the routes that there are now, unless the one there is
// has want or want is nil and nothing has changed, and returns it.
func (o *Observer) renew(want *muxwell.Route) counterTable {
	o.making.Lock()
	defer o.making.Unlock()
	old := *o.counters.Load()
	if want != nil && old[want] != nil {
		return old // somebody else was faster
	}
	table := make(counterTable, len(old))
	kept := 0
	for rt := range o.mux.Routes() {
		c := old[rt]
		if c == nil {
			c = new(counter)
		} else {
			kept++
		}
		table[rt] = c
	}
	if kept == len(table) && kept == len(old) {
		return old
	}
	o.counters.Store(&table)
	return table
}

// Routes iterates over the routes of the mux, in the order of registration, with
// their statistics.
func (o *Observer) Routes() iter.Seq2[*muxwell.Route, Stats] {
	return func(yield func(*muxwell.Route, Stats) bool) {
		table := o.renew(nil)
		o.pace.busy.Store(false) // whoever looks is about to try something
		for rt := range o.mux.Routes() {
			var s Stats
			if c := table[rt]; c != nil {
				s = c.stats()
			}
			if !yield(rt, s) {
				return
			}
		}
	}
}

// Other returns the statistics of the requests that no route matched.
func (o *Observer) Other() Stats { return o.other.stats() }

// time counts a latency.
func (c *counter) time(latency time.Duration) {
	h := c.latency.Load()
	if h == nil {
		c.latency.CompareAndSwap(nil, new(histogram))
		h = c.latency.Load()
	}
	h.add(latency)
}

func (c *counter) stats() Stats {
	s := Stats{Requests: c.requests.Load()}
	if h := c.latency.Load(); h != nil {
		s.Timed, s.P50, s.P99 = h.quantiles()
	}
	return s
}
