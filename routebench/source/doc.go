// Package source reads the routes of a comparison and generates a request for each.
// Routes come from a route list ([List]) or an OpenAPI file ([OpenAPI]). [Oracle.Samples]
// returns requests that reach them. A mux of muxwell with all routes determines the right
// answers.
package source
