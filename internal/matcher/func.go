package matcher

import (
	"net/http"
	"net/netip"
)

// AddFunc adds the matcher of an option MatchFunc, whose function has the given name.
func (s *Set) AddFunc(matches func(*http.Request) bool, name string) {
	text := "MatchFunc(" + name + ")"
	s.add(Matcher{
		Text:  text,
		check: func(r *http.Request, _ []netip.Prefix) bool { return matches(r) },
		Miss:  func(*http.Request, []netip.Prefix) string { return text + " returned false" },
	})
}
