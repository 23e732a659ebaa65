package middleware

import (
	"net/http"

	"github.com/muxwell/muxwell/internal/compose"
)

// Middleware that rejects requests, or that depends on what is around it or inside of
// it, returns a part. A mux that composes it replaces the part by one that knows the
// chain. Elsewhere the part serves as it is.

// A part builds the handler of middleware for a chain.
type part struct {
	http.Handler // for an empty chain
	build        func(*compose.Chain) http.Handler
}

func newPart(build func(*compose.Chain) http.Handler) http.Handler {
	return &part{build(new(compose.Chain)), build}
}

// Join implements [compose.Part].
func (p *part) Join(c *compose.Chain) http.Handler { return p.build(c) }

// A refuser answers a request that is rejected.
type refuser func(http.ResponseWriter, *http.Request, compose.Refusal)

// refuserOf returns the refuser of a chain: that of the mux, or plain.
func refuserOf(c *compose.Chain) refuser {
	if c.Refuse != nil {
		return c.Refuse
	}
	return plain
}

// plain answers with the text of the status.
func plain(w http.ResponseWriter, _ *http.Request, f compose.Refusal) {
	http.Error(w, http.StatusText(f.Status), f.Status)
}

// A limitKind is a kind of limits of a chain; see [compose.Chain.Limit].
type limitKind string

// lift returns a part that passes requests on, and lifts the limits of a kind that are
// around it.
func lift(kind limitKind, next http.Handler) http.Handler {
	return newPart(func(c *compose.Chain) http.Handler {
		c.SetLimit(kind, true)
		return next
	})
}
