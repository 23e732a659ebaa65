package muxwell

import (
	"fmt"
	"net/http"
	"net/netip"
	"sync/atomic"

	"github.com/muxwell/muxwell/internal/constraint"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/routing"
)

// An Option sets a property of a mux; see [New]. The defaults are what
// [http.ServeMux] does. The zero Option sets nothing.
type Option struct{ apply func(*config) }

type config struct {
	slash            SlashPolicy
	unclean          PathPolicy
	autoOptions      bool
	strict           *strictness  // nil without StrictConflicts
	notFound         http.Handler // nil for http.NotFound
	methodNotAllowed http.Handler // nil for a plain text answer
	optionsHandler   func(w http.ResponseWriter, r *http.Request, allowed []string)
	constraints      map[string]func(string) bool
	constraintIDs    map[string]uint64 // which call of Constraint they come from
	proxies          []netip.Prefix
	fold             bool                                            // letters of literals match in either case
	errorHandler     func(http.ResponseWriter, *http.Request, error) // nil for answerError
}

// answersOptions reports whether OPTIONS requests are answered that no route
// takes.
func (c *config) answersOptions() bool { return c.autoOptions || c.optionsHandler != nil }

// policy returns what the options say about requests that no route matches.
func (c *config) policy() routing.Policy {
	return routing.Policy{
		Slash: routing.Slash(c.slash), Unclean: routing.Unclean(c.unclean), Fold: c.fold,
		Options: c.answersOptions(), Proxies: c.proxies,
	}
}

// rules returns what the options say about patterns.
func (c *config) rules() pattern.Rules {
	return pattern.Rules{Unclean: c.unclean == PathServe, Constraints: c.constraints}
}

// A SlashPolicy says what becomes of a request that would match, exactly, with
// a slash more at its end.
type SlashPolicy uint8

const (
	// SlashRedirect sends a request for /tree to /tree/ with status 307 if only
	// the latter matches exactly. A redirect never leads to a 404. There is no
	// redirect the other way.
	SlashRedirect SlashPolicy = iota
	// SlashStrict treats /tree and /tree/ as two paths that have nothing to do
	// with each other.
	SlashStrict
	// SlashIgnore serves /tree and /tree/ alike, without a redirect: where no
	// pattern matches the path exactly as it was sent, one that matches exactly
	// with a final slash more, or less, takes it. Only the pattern of [Mux.Files]
	// is redirected to: /static to /static/, since relative links would break.
	SlashIgnore
)

// String returns the policy's name in this package.
func (p SlashPolicy) String() string {
	if p > SlashIgnore {
		return fmt.Sprintf("SlashPolicy(%d)", uint8(p))
	}
	return [...]string{"SlashRedirect", "SlashStrict", "SlashIgnore"}[p]
}

// TrailingSlash sets what becomes of a path that misses a final slash. It panics
// if there is no such policy.
func TrailingSlash(p SlashPolicy) Option {
	if p > SlashIgnore {
		panic(fmt.Sprintf("muxwell: TrailingSlash: no policy %d; use SlashRedirect, SlashStrict or SlashIgnore", uint8(p)))
	}
	return Option{func(c *config) { c.slash = p }}
}

// A PathPolicy says what becomes of a request whose path is unclean: one with
// an empty, "." or ".." segment, or without a slash at its beginning. Escaped
// dots (%2e) are text and make no path unclean. CONNECT requests are exempt:
// their paths are matched as they were sent.
type PathPolicy uint8

const (
	// PathRedirect sends the request to the clean path with status 307,
	// whether anything matches there or not.
	PathRedirect PathPolicy = iota
	// PathStrict answers 404.
	PathStrict
	// PathServe matches the path as it was sent. Empty and dot segments are
	// then plain text, which only a catch-all and an equal literal take, and a
	// handler that reads r.URL.Path meets them: mount no file server there but
	// with [Mux.Files] (SECURITY.md says why). Such a path is never redirected.
	PathServe
)

// String returns the policy's name in this package.
func (p PathPolicy) String() string {
	if p > PathServe {
		return fmt.Sprintf("PathPolicy(%d)", uint8(p))
	}
	return [...]string{"PathRedirect", "PathStrict", "PathServe"}[p]
}

// UncleanPath sets what becomes of a path with empty or dot segments. It panics
// if there is no such policy.
func UncleanPath(p PathPolicy) Option {
	if p > PathServe {
		panic(fmt.Sprintf("muxwell: UncleanPath: no policy %d; use PathRedirect, PathStrict or PathServe", uint8(p)))
	}
	return Option{func(c *config) { c.unclean = p }}
}

// CaseInsensitive matches the literal text of patterns' paths, in ASCII letters,
// without regard to case: /Users/{id} takes /users/7. Values keep the case they
// were sent in, and constraints see that; the keys and values of queries and
// headers are compared as they are. Patterns that differ in the case of their
// literals only are duplicates. A [Route], r.Pattern and URLs show a pattern as
// it was written.
func CaseInsensitive() Option {
	return Option{func(c *config) { c.fold = true }}
}

// StrictConflicts makes registration refuse, as [http.ServeMux] does, two
// patterns that match a common request while neither is more specific:
// "/a/{x}" beside "/{y}/b", or "GET /{x}" beside "/a". Without it the order of
// precedence decides between them.
func StrictConflicts() Option {
	return Option{func(c *config) {
		c.strict = &strictness{
			check:  (*plan).checkOverlaps,
			note:   func(m *Mux, rt *Route) { m.overlaps.Add(&rt.pattern, rt) },
			forget: func(m *Mux, rt *Route) { m.overlaps.Remove(&rt.pattern, rt) },
		}
	}}
}

// Constraint gives a mux a constraint of its own: parameters written {x:name} take
// the values that are not empty and for which takes returns true. The name is
// made of ASCII letters, digits and '_', without a digit in front.
//
// The function is called with the unescaped value while a request is matched, so
// it must be quick, safe for concurrent use, and give the same answer for the
// same value. It must not register routes: a registration, like [Mux.Check] and
// [Mux.Explain], may call it with texts of its own. It cannot stand in a segment
// with other parameters. Constraint panics if name is not such a name or is one of
// those that every mux has, and if takes is nil; New panics if it is given two of
// the same name.
func Constraint(name string, takes func(value string) bool) Option {
	switch {
	case !constraint.IsName(name):
		panic(fmt.Sprintf("muxwell: Constraint: %q is no name; use ASCII letters, digits and '_', and no digit in front", name))
	case constraint.Find(name) != nil:
		panic(fmt.Sprintf("muxwell: Constraint: every mux has a constraint %s; choose another name", name))
	case takes == nil:
		panic(fmt.Sprintf("muxwell: Constraint: the function of %s is nil", name))
	}
	id := constraintCalls.Add(1)
	return Option{func(c *config) {
		if c.constraints == nil {
			c.constraints, c.constraintIDs = make(map[string]func(string) bool), make(map[string]uint64)
		}
		if c.constraints[name] != nil {
			panic(fmt.Sprintf("muxwell: New: two functions for the constraint %s; choose another name for one of them", name))
		}
		c.constraints[name], c.constraintIDs[name] = takes, id
	}}
}

// constraintCalls counts the calls of Constraint.
var constraintCalls atomic.Uint64

// AutoOptions answers an OPTIONS request that no pattern matches with 204 and
// an Allow header, if its path matches for other methods. A route with matchers
// counts only if the OPTIONS request meets them.
func AutoOptions() Option {
	return Option{func(c *config) { c.autoOptions = true }}
}

// OptionsHandler is [AutoOptions] with an answer of the caller's: h is called for
// an OPTIONS request that no pattern matches, if its path matches for other
// methods. allowed are the methods that the path allows, sorted, OPTIONS and if
// there is GET also HEAD among them; the response's Allow header has been set. It
// is the place for what a CORS preflight asks. A route with matchers counts only
// if the OPTIONS request meets them, and a preflight does not have the headers of
// the request that it asks for. It panics if h is nil.
func OptionsHandler(h func(w http.ResponseWriter, r *http.Request, allowed []string)) Option {
	if h == nil {
		panic("muxwell: OptionsHandler: nil function")
	}
	return Option{func(c *config) { c.optionsHandler = h }}
}

// NotFound sets the handler of requests that nothing matches, in place of
// [http.NotFound]. It sets the status itself. In it r.Pattern is "". NotFound
// panics if h is nil.
func NotFound(h http.Handler) Option {
	if isNil(h) {
		panic("muxwell: NotFound: nil handler")
	}
	return Option{func(c *config) { c.notFound = h }}
}

// MethodNotAllowed sets the handler of requests whose path matches for other
// methods only, in place of a plain text answer with status 405. It sets the
// status itself; the response's Allow header has been set. In it r.Pattern
// is "". MethodNotAllowed panics if h is nil.
func MethodNotAllowed(h http.Handler) Option {
	if isNil(h) {
		panic("muxwell: MethodNotAllowed: nil handler")
	}
	return Option{func(c *config) { c.methodNotAllowed = h }}
}

// isNil reports whether h is nil, a nil function or mux, or no group of a mux.
func isNil(h http.Handler) bool {
	switch h := h.(type) {
	case nil:
		return true
	case http.HandlerFunc:
		return h == nil
	case ParamsFunc:
		return h == nil
	case ErrorFunc:
		return h == nil
	case errorFunc:
		return h.fn == nil
	case *Mux:
		return h == nil
	case *Group:
		return h == nil || h.mux == nil
	}
	return false
}
