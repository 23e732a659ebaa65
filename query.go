package muxwell

// A queryPart is a part of a query that a route asks for.
type queryPart struct {
	key     string
	present bool    // any value does, even none
	segment segment // else what the value must match: literal, param, constrained, mixed or rest
}

func (info *routeInfo) queryNames() []string { return nil }

func (info *routeInfo) queryValues(vals []string, rawQuery string) {}
