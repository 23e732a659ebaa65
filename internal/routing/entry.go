package routing

import (
	"net/netip"

	"github.com/muxwell/muxwell/internal/matcher"
	"github.com/muxwell/muxwell/internal/trie"
)

// An Entry is what the tables know about a route. It does not change once it is in
// tables, except for Index while no tables are built.
type Entry struct {
	trie.Path
	Matchers *matcher.Set // not nil
	Rank     Rank
}

// Entries has the entries of tables by their numbers, which are below Len. Some may be
// nil, 0 always is. They do not change.
type Entries interface {
	Len() int
	Entry(number uint32) *Entry
}

// A List has entries at the indices that are their numbers.
type List []*Entry

// Len returns the length of the list.
func (l List) Len() int { return len(l) }

// Entry returns the entry of a number.
func (l List) Entry(number uint32) *Entry { return l[number] }

// A Rank orders the routes for the prefix of a mount without a slash, which all have
// the same segments there. It decides before the method, as the difference between
// these paths does everywhere else.
type Rank uint8

// The ranks.
const (
	Itself   Rank = iota // registered for this path
	End                  // "/{$}" of the mounted mux
	CatchAll             // "/" of the mounted mux, or another catch-all
)

// String returns the name of the rank in explanations.
func (r Rank) String() string {
	return [...]string{"the path itself", "{$}", "catch-all"}[r]
}

// A Policy has the options of a mux for requests that no route matches directly.
type Policy struct {
	Slash   Slash
	Unclean Unclean
	Fold    bool           // the case of literals is ignored
	Options bool           // OPTIONS requests that no route matches are answered
	Proxies []netip.Prefix // the trusted proxies
}

// A Slash decides how to treat a path that matches with a final slash added or removed.
type Slash uint8

// The policies for final slashes.
const (
	SlashRedirect Slash = iota
	SlashStrict
	SlashIgnore
)

// An Unclean decides how to treat a path that is not clean.
type Unclean uint8

// The policies for paths that are not clean.
const (
	PathRedirect Unclean = iota
	PathStrict
	PathServe
)
