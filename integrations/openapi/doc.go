// Package openapi serves an API that is described in OpenAPI, with
// github.com/oapi-codegen/oapi-codegen: api.yaml describes the API, api.gen.go is
// generated from it, server and client, and pets.go is the program's part.
//
//	go generate ./openapi    # regenerates api.gen.go
//
// The generated code for net/http needs a router with HandleFunc and ServeHTTP, such as
// a *muxwell.Mux; see [New]. In addition to middleware and r.Pattern, this supports
// paths that [net/http.ServeMux] rejects, such as /pets/{id}:adopt.
//
// Notes:
//
//   - Middleware of the mux is around that of the generated server, and covers 404 and 405 too.
//     Middleware that needs the operation rather than the route is a StrictMiddlewareFunc.
//   - To put a prefix before all paths, set BaseURL, or mount the mux in another one.
//   - Types are checked, for example that {id} is an integer; limits of a schema, such as
//     minimum, are not. Constraints of the mux, {id:int}, are not used: if the text is not an
//     integer, the answer is 400, not 404.
//   - The generator is a tool of go.mod. Commit its output: programs are built without it.
package openapi

//go:generate go tool oapi-codegen -config oapi-codegen.yaml -o api.gen.go api.yaml
