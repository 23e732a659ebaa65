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

// An Option sets a property of a mux; see [New]. Without options a mux behaves like an
// [http.ServeMux]. The zero Option sets nothing.
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
	constraintIDs    map[string]uint64 // identifies the call of Constraint that set each
	proxies          []netip.Prefix
	fold             bool         // the case of literals is ignored
	errors           errorHandler // nil without ErrorHandler
}

// answersOptions reports whether the mux answers OPTIONS requests that match no route.
func (c *config) answersOptions() bool { return c.autoOptions || c.optionsHandler != nil }

// policy returns the options for requests that match no route.
func (c *config) policy() routing.Policy {
	return routing.Policy{
		Slash: routing.Slash(c.slash), Unclean: routing.Unclean(c.unclean), Fold: c.fold,
		Options: c.answersOptions(), Proxies: c.proxies,
	}
}

// rules returns the options for patterns.
func (c *config) rules() pattern.Rules {
	return pattern.Rules{Unclean: c.unclean == PathServe, Constraints: c.constraints}
}

// A SlashPolicy decides how to treat a path that would match exactly with one more
// slash at its end.
type SlashPolicy uint8

const (
	// SlashRedirect sends a request for /tree to /tree/ with status 307 if only
	// the latter matches exactly. A redirect never leads to a 404. There is no
	// redirect the other way.
	SlashRedirect SlashPolicy = iota
	// SlashStrict treats /tree and /tree/ as two unrelated paths.
	SlashStrict
	// SlashIgnore serves /tree and /tree/ alike, without a redirect: if no pattern
	// matches the path exactly as it was sent, a pattern is used that matches it
	// exactly with a final slash added or removed.
	// Only the pattern of [Mux.Files] is redirected to: /static to /static/, since
	// relative links would break.
	SlashIgnore
)

// String returns the policy's name in this package.
func (p SlashPolicy) String() string {
	if p > SlashIgnore {
		return fmt.Sprintf("SlashPolicy(%d)", uint8(p))
	}
	return [...]string{"SlashRedirect", "SlashStrict", "SlashIgnore"}[p]
}

// TrailingSlash sets how to treat a path that lacks a final slash. It panics if the
// policy is unknown.
func TrailingSlash(p SlashPolicy) Option {
	if p > SlashIgnore {
		panic(fmt.Sprintf("muxwell: TrailingSlash: unknown policy %d; use SlashRedirect, SlashStrict or SlashIgnore", uint8(p)))
	}
	return Option{func(c *config) { c.slash = p }}
}

// A PathPolicy decides how to treat a request whose path is unclean: it has an empty,
// "." or ".." segment, or does not begin with a slash. Escaped dots (%2e) are text and
// do not make a path unclean. CONNECT requests are exempt: their paths are matched as
// they were sent.
type PathPolicy uint8

const (
	// PathRedirect redirects the request to the clean path with status 307, whether
	// anything matches there or not.
	PathRedirect PathPolicy = iota
	// PathStrict answers with 404.
	PathStrict
	// PathServe matches the path as it was sent. Then empty and dot segments are
	// ordinary text, which only a catch-all and an equal literal match. A handler that
	// reads r.URL.Path sees them, so do not mount a file server there, except with
	// [Mux.Files] (SECURITY.md explains why). Such a path is never redirected.
	PathServe
)

// String returns the policy's name in this package.
func (p PathPolicy) String() string {
	if p > PathServe {
		return fmt.Sprintf("PathPolicy(%d)", uint8(p))
	}
	return [...]string{"PathRedirect", "PathStrict", "PathServe"}[p]
}

// UncleanPath sets how to treat a path with empty or dot segments. It panics if the
// policy is unknown.
func UncleanPath(p PathPolicy) Option {
	if p > PathServe {
		panic(fmt.Sprintf("muxwell: UncleanPath: unknown policy %d; use PathRedirect, PathStrict or PathServe", uint8(p)))
	}
	return Option{func(c *config) { c.unclean = p }}
}

// CaseInsensitive ignores the case of ASCII letters in the literal text of paths:
// /Users/{id} matches /users/7. Values keep the case in which they were sent, and
// constraints see that. Keys and values of queries and headers are compared as usual.
// Patterns that differ only in the case of their literals are duplicates. A [Route],
// r.Pattern and URLs show a pattern as it was written.
func CaseInsensitive() Option {
	return Option{func(c *config) { c.fold = true }}
}

// StrictConflicts makes registration reject, as [http.ServeMux] does, two patterns that
// match a common request if neither is more specific, such as "/a/{x}" and "/{y}/b", or
// "GET /{x}" and "/a". Without this option the order of precedence decides between
// them.
func StrictConflicts() Option {
	return Option{func(c *config) {
		c.strict = &strictness{
			check:  (*plan).checkOverlaps,
			note:   func(m *Mux, rt *Route) { m.overlaps.Add(&rt.pattern, rt) },
			forget: func(m *Mux, rt *Route) { m.overlaps.Remove(&rt.pattern, rt) },
		}
	}}
}

// Constraint adds a constraint to a mux: a parameter {x:name} matches the non-empty
// values for which match returns true. The name consists of ASCII letters, digits and
// '_', and does not begin with a digit.
//
// The function is called with the unescaped value while a request is matched. It must
// be quick, safe for concurrent use, and return the same result for the same value. It
// must not register routes. Registration, [Mux.Check] and [Mux.Explain] may call it
// with texts of their own. The constraint cannot be used in a segment with other
// parameters.
//
// Constraint panics if name is invalid or the name of a built-in constraint, or if
// match is nil. New panics if two constraints have the same name.
func Constraint(name string, match func(value string) bool) Option {
	switch {
	case !constraint.IsName(name):
		panic(fmt.Sprintf("muxwell: Constraint: invalid name %q; use ASCII letters, digits and '_', and do not begin with a digit", name))
	case constraint.Find(name) != nil:
		panic(fmt.Sprintf("muxwell: Constraint: %s is a built-in constraint; choose another name", name))
	case match == nil:
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
		c.constraints[name], c.constraintIDs[name] = match, id
	}}
}

// constraintCalls counts the calls of Constraint.
var constraintCalls atomic.Uint64

// AutoOptions answers an OPTIONS request that no route matches with 204 and an Allow
// header if its path matches for other methods. A route with matchers counts only if
// the OPTIONS request satisfies them.
func AutoOptions() Option {
	return Option{func(c *config) { c.autoOptions = true }}
}

// OptionsHandler is like [AutoOptions], but calls h to write the answer to an OPTIONS
// request that no route matches, if its path matches for other methods. So h can answer
// CORS preflight requests.
//
// allowed has the methods that the path allows, sorted, including OPTIONS, and HEAD if
// there is GET. The Allow header of the response is already set. A route with matchers
// counts only if the OPTIONS request satisfies them; note that a preflight request does
// not have the headers of the request that it announces. OptionsHandler panics if h is
// nil.
func OptionsHandler(h func(w http.ResponseWriter, r *http.Request, allowed []string)) Option {
	if h == nil {
		panic("muxwell: OptionsHandler: nil function")
	}
	return Option{func(c *config) { c.optionsHandler = h }}
}

// NotFound sets the handler for requests that nothing matches, instead of
// [http.NotFound]. The handler must write the status itself. In it r.Pattern is "".
// NotFound panics if h is nil.
func NotFound(h http.Handler) Option {
	if isNil(h) {
		panic("muxwell: NotFound: nil handler")
	}
	return Option{func(c *config) { c.notFound = h }}
}

// MethodNotAllowed sets the handler for requests whose path matches for other methods
// only, instead of a plain text answer with status 405. The handler must write the
// status itself. The Allow header of the response is already set. In it r.Pattern is
// "". MethodNotAllowed panics if h is nil.
func MethodNotAllowed(h http.Handler) Option {
	if isNil(h) {
		panic("muxwell: MethodNotAllowed: nil handler")
	}
	return Option{func(c *config) { c.methodNotAllowed = h }}
}

// isNil reports whether h is nil, a nil function or mux, or a group without a mux.
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
	case *Mux:
		return h == nil
	case *Group:
		return h == nil || h.mux == nil
	}
	return false
}
