// Package pathvalue sets the values that [http.Request.PathValue] returns. It does not
// know patterns and routes, only names and values.
//
// Copies of a request share the map and the slice in which net/http keeps values. No
// function of this package writes to anything that a copy may share, and values are
// never reused. So a request, and every copy of it, keeps its values as long as anyone
// keeps the request.
//
// unsafe.go is the only file of the module that uses package unsafe. The build tag
// muxwell_safe replaces it by safe.go.
package pathvalue
