package muxwell

import (
	"net/http"

	"github.com/muxwell/muxwell/internal/pattern"
)

// MatchFunc makes a route take only requests for which takes returns true.
//
// The function is called while a request is matched, before middleware and
// handler. It must be quick and safe for concurrent use, and give the same
// answer for the same request: it may be called more than once for one, by
// [Mux.Explain] too, and by [Mux.Check] and [Mux.Sample] with requests of their
// own. It must not change the request, read its body or register routes. In it
// r.Pattern and r.PathValue are not set.
//
// Registration fails with an [*OptionError] if takes is nil.
func MatchFunc(takes func(*http.Request) bool) RouteOption {
	return RouteOption{func(rt *Route, _ pattern.Rules) error {
		if takes == nil {
			return optionError("MatchFunc(nil)", "the function is nil; pass one, or leave the option out")
		}
		text := "MatchFunc(" + functionName(takes) + ")"
		rt.addMatcher(matcher{
			text:  text,
			check: func(r *http.Request, _ *config) bool { return takes(r) },
			miss:  func(*http.Request, *config) string { return text + " returned false" },
		})
		return nil
	}}
}
