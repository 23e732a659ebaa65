// Package source is where routes and requests of a comparison come from: a list of
// routes ([List]), an OpenAPI file ([OpenAPI]), and for each route a request that
// reaches it ([Oracle.Samples]). What answer is right, a mux of muxwell with all
// routes says.
package source
