package muxwell

import "net/http"

// A matcher is a condition on a request besides its method, host and path. A
// route has any number of them, and takes the requests that meet all.
type matcher struct {
	text  string // the option as it is written: Headers("X-Beta", "1")
	takes func(*http.Request, *config) bool
	// status is the answer to a request that misses nothing but this: 406, 415, or
	// 0 for what it would be without the route.
	status int
	// quality returns how much the client wants what the route has, from 1 to
	// 1000, for a request that the matcher takes; nil is 1000 always.
	quality func(*http.Request) int
}

// addMatcher adds a matcher to the route.
func (rt *Route) addMatcher(m matcher) {
	info := rt.addInfo()
	info.matchers = append(info.matchers, m)
}
