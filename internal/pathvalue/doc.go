// Package pathvalue gives requests the values that [http.Request.PathValue] returns.
// It does not know of patterns and routes: it is given names and values.
//
// Copies of a request share the map and the slice that net/http keeps values in. No
// function of this package writes to what a copy may share, and values are never used
// again, so that a request, and every copy of it, keeps its values for as long as
// anyone keeps the request.
//
// unsafe.go is the only file of the module that uses package unsafe. Built with the tag
// muxwell_safe, safe.go is used in its place.
package pathvalue
