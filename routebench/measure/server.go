package measure

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"time"

	"github.com/muxwell/muxwell/routebench/result"
)

// A Listener is a server to measure.
type Listener struct {
	Name string
	// Serve answers the connections of a listener until stop is called.
	Serve func(net.Listener) (stop func(), err error)
	// Requests are sent in turn on every connection. They have no bodies.
	Requests []*http.Request
	// Statuses are the statuses of the right answers, one per request, or nil if all are
	// 200.
	Statuses []int
}

// ServerOptions are the options for measuring servers. A field that is zero has its
// default.
type ServerOptions struct {
	Rounds      int           // how often each server has its turn; 10
	Slice       time.Duration // how long it is under load in a turn; 500ms
	Connections int           // 16
	CPU         int           // GOMAXPROCS of the servers; as it is
	// Rand shuffles the order of each round; one of its own.
	Rand *rand.Rand
}

// Server measures servers of this process over loopback, in turns. A child process
// generates the load, so main must call [Child]. Server sets GOMAXPROCS and restores it.
// The samples are those of package result's kind Server. All servers listen from the
// beginning to the end, each on its own port.
//
// step is called as by [Turns], and if ctx ends, Server returns what Turns does. A server
// that cannot be started, or that answers a request wrongly or not at all, is excluded. The
// error is that of ctx or of the child.
func Server(ctx context.Context, o ServerOptions, listeners []Listener, step func(done, total time.Duration)) ([]Samples, error) {
	o = o.withDefaults()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(o.CPU))
	child, err := startChild(ctx)
	if err != nil {
		return nil, err
	}
	defer child.Stop()
	s := &servers{ServerOptions: o, child: child, step: step, began: time.Now()}
	for _, l := range listeners {
		u := &underLoad{name: l.Name}
		if err := u.start(&l); err != nil {
			u.leftOut = err.Error()
		} else {
			defer u.stop()
		}
		s.all = append(s.all, u)
	}
	err = s.run(ctx)
	samples := make([]Samples, len(s.all))
	for i, u := range s.all {
		samples[i] = u.result()
	}
	return samples, err
}

// Estimate returns about how long [Server] takes for this number of servers.
func (o ServerOptions) Estimate(servers int) time.Duration {
	o = o.withDefaults()
	const around = 10 * time.Millisecond // connections and collections
	return time.Duration(servers) * time.Duration(o.Rounds) * (o.Slice + o.warm() + around)
}

func (o ServerOptions) withDefaults() ServerOptions {
	d := Options{Rounds: o.Rounds, CPU: o.CPU, Rand: o.Rand}.withDefaults()
	o.Rounds, o.CPU, o.Rand = d.Rounds, d.CPU, d.Rand
	if o.Slice <= 0 {
		o.Slice = 500 * time.Millisecond
	}
	if o.Connections <= 0 {
		o.Connections = 16
	}
	return o
}

// warm is how long a server is under load before it is measured.
func (o ServerOptions) warm() time.Duration { return o.Slice / 10 }

// servers is a call of [Server] in progress.
type servers struct {
	ServerOptions
	child *child
	step  func(done, total time.Duration)
	all   []*underLoad
	began time.Time
	done  int // turns
}

// An underLoad is a server that takes part.
type underLoad struct {
	name    string
	target  target
	stop    func()
	samples []load // one for each round that was complete
	round   load   // of the round on its way
	leftOut string
}

// A load is the result of a turn.
type load struct {
	report
	cpu time.Duration
}

// start makes a server answer at a port of loopback.
func (u *underLoad) start(l *Listener) (err error) {
	defer func() { recovered(recover(), &err) }()
	if u.target.Calls, err = calls(l.Requests, l.Statuses); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("cannot listen: %w", err)
	}
	u.target.Address = listener.Addr().String()
	if u.stop, err = l.Serve(listener); err != nil {
		listener.Close()
		return fmt.Errorf("cannot serve: %w", err)
	}
	return nil
}

func (s *servers) run(ctx context.Context) error {
	for range s.Rounds {
		for _, i := range s.Rand.Perm(len(s.all)) {
			if err := ctx.Err(); err != nil {
				return err
			}
			u := s.all[i]
			if u.leftOut == "" {
				if err := s.turn(u); err != nil {
					return cmp.Or(ctx.Err(), err) // a child that ctx ended fails too
				}
			}
			s.done++
			s.tell()
		}
		for _, u := range s.all {
			u.samples = append(u.samples, u.round)
		}
	}
	return nil
}

// turn loads a server: first to open its connections and to warm it up, then, after a
// garbage collection, to measure it. The error is that of the child.
func (s *servers) turn(u *underLoad) error {
	u.target.Connections = s.Connections
	r, err := s.child.Do(order{Target: &u.target, For: s.warm()})
	if err != nil {
		return err
	}
	if r.Failed == 0 {
		runtime.GC()
		before := cpuTime()
		if r, err = s.child.Do(order{For: s.Slice}); err != nil {
			return err
		}
		u.round = load{report: r, cpu: cpuTime() - before}
	}
	if r.Failed > 0 {
		u.leftOut = fmt.Sprintf("%d of %d requests over loopback failed, the first so: %s", r.Failed, r.Requests, r.Reason)
	}
	return nil
}

// tell is that of [Turns].
func (s *servers) tell() {
	if s.step != nil {
		done := time.Since(s.began)
		s.step(done, done*time.Duration(s.Rounds*len(s.all))/time.Duration(s.done))
	}
}

// result returns what was measured of the server.
func (u *underLoad) result() Samples {
	out := Samples{Name: u.name, LeftOut: u.leftOut}
	if u.leftOut != "" || len(u.samples) == 0 {
		return out
	}
	out.Values = map[string][]float64{}
	add := func(unit string, v float64) { out.Values[unit] = append(out.Values[unit], v) }
	for _, l := range u.samples {
		add(result.Throughput, float64(l.Requests)/l.Took.Seconds())
		add(result.CPUTime, float64(l.cpu)/float64(l.Requests))
		add(result.MedianDelay, float64(l.Median))
		add(result.TailDelay, float64(l.Tail))
		out.Ops = append(out.Ops, l.Requests)
	}
	return out
}
