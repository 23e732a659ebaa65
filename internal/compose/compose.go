// Package compose is what a mux and the bundled middleware know of each other. Neither
// imports the other: middleware returns a handler that is a [Part], and the mux that
// composes it lets it join the [Chain].
package compose

import (
	"net/http"
	"net/netip"
)

// A Part is a handler of middleware that depends on what is around it or inside of it.
type Part interface {
	http.Handler
	// Join returns the handler to use in the chain instead of the part. The parts of a
	// chain join it once, from the innermost outward, before it serves a request. Join
	// must not change the part, which other chains may have too.
	Join(*Chain) http.Handler
}

// A Chain is the middleware around one handler.
type Chain struct {
	// Refuse answers a request that middleware does not serve. The headers that belong
	// to the status are set. It is nil if each part answers by itself.
	Refuse func(http.ResponseWriter, *http.Request, Refusal)
	// Proxies are those that the mux trusts.
	Proxies []netip.Prefix
	limits  map[any]any
}

// Limit returns what a part further in has set for a kind of limits, or nil.
func (c *Chain) Limit(kind any) any { return c.limits[kind] }

// SetLimit sets what parts further out get for a kind of limits.
func (c *Chain) SetLimit(kind, value any) {
	if c.limits == nil {
		c.limits = make(map[any]any)
	}
	c.limits[kind] = value
}

// A Refusal says why middleware does not serve a request.
type Refusal struct {
	Status int    // 400 to 599
	Reason string // for programs, such as "timeout"
	Detail string // what the client may be told; may be ""
	Err    error  // the cause, which clients must not see; may be nil
}
