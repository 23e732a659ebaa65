package muxwell

// A queryPart is a part of a query that a route asks for.
type queryPart struct {
	key     string
	present bool    // any value does, even none
	segment segment // else what the value must match: literal, param, constrained, mixed or rest
}
