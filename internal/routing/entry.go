package routing

import (
	"net/netip"

	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/trie"
)

// An Entry is what the tables know of a route. It does not change once it is in tables,
// but for Index, while none are built.
type Entry struct {
	trie.Path
	Matchers *matcher.Set // not nil
	Rank     Rank
}

// A Rank orders the routes for the prefix of a mount without a slash, which all have
// the same segments there. It comes before the method, as the difference between these
// paths does everywhere else.
type Rank uint8

// The ranks.
const (
	Itself   Rank = iota // registered for this path
	End                  // "/{$}" of the mounted mux
	CatchAll             // its "/", or another catch-all
)

// String returns what the rank is called in explanations.
func (r Rank) String() string {
	return [...]string{"the path itself", "{$}", "catch-all"}[r]
}

// A Policy is what a mux does with requests that no route matches as they are.
type Policy struct {
	Slash   Slash
	Unclean Unclean
	Fold    bool           // letters of literals match in either case
	Options bool           // OPTIONS requests are answered that no route matches
	Proxies []netip.Prefix // that are trusted
}

// A Slash says what becomes of a path that matches with another final slash.
type Slash uint8

// The policies for final slashes.
const (
	SlashRedirect Slash = iota
	SlashStrict
	SlashIgnore
)

// An Unclean says what becomes of a path that is not clean.
type Unclean uint8

// The policies for paths that are not clean.
const (
	PathRedirect Unclean = iota
	PathStrict
	PathServe
)
