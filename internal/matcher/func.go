package matcher

import (
	"net/http"
	"net/netip"
)

// AddFunc adds a function as the matcher of an option. miss says why a request does not
// match.
func (s *Set) AddFunc(option, miss string, matches func(*http.Request) bool) {
	s.add(Matcher{
		Text:  option,
		check: func(r *http.Request, _ []netip.Prefix) bool { return matches(r) },
		Miss:  func(*http.Request, []netip.Prefix) string { return miss },
	})
}
