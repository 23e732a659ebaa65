package explorer

import (
	"sync/atomic"
	"time"
)

// A pace decides which requests are timed: in quiet times all, in busy ones one in
// sparse. How busy it is the timed requests tell, which are counted by windows.
//
// In busy times a request is timed if the one that was served before it says so,
// by a hash of the count of its route: that has no rhythm which traffic could
// share, and costs less than a random number.
type pace struct {
	busy  atomic.Bool
	next  atomic.Bool  // in busy times: time the next request
	began atomic.Int64 // when the window began, by now
	timed atomic.Int64 // since then
}

const (
	sparse     = 64 // a power of two
	window     = 100 * time.Millisecond
	busyWindow = 100 // as many requests in a window make it a busy one
)

// timesNext reports whether the request that begins is to be timed.
func (p *pace) timesNext() bool {
	return !p.busy.Load() || p.next.Load() && p.next.CompareAndSwap(true, false)
}

// note notes a request that was served, the nth of its route.
func (p *pace) note(n uint64) {
	if n = mix(n); n&(sparse-1) == 0 {
		p.next.Store(true)
	}
}

// noteTimed notes a request that was timed and ended just now.
func (p *pace) noteTimed(end time.Duration) {
	timed := p.timed.Add(1)
	began := p.began.Load()
	passed := end - time.Duration(began)
	if passed < window {
		if timed >= busyWindow && !p.busy.Load() {
			p.busy.Store(true)
		}
		return
	}
	if !p.began.CompareAndSwap(began, int64(end)) {
		return // another one ends the window
	}
	p.timed.Store(0)
	if p.busy.Load() {
		timed *= sparse
	}
	p.busy.Store(timed*int64(window) >= busyWindow*int64(passed))
}

// mix returns a hash of n (the first half of Stafford's mix 13, as in splitmix64).
func mix(n uint64) uint64 {
	n *= 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	return n ^ n>>27
}

var started = time.Now()

// now returns the time of the monotonic clock, for half of what time.Now costs.
func now() time.Duration { return time.Since(started) }
