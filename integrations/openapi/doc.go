// Package openapi serves an API that is described in OpenAPI, with
// github.com/oapi-codegen/oapi-codegen: api.yaml says what it has, api.gen.go is
// generated of it, server and client, and pets.go is the program's part.
//
//	go generate ./openapi    # writes api.gen.go anew
//
// The generated code for net/http takes a router with HandleFunc and ServeHTTP, which
// a *muxwell.Mux has; see [New]. Besides middleware and r.Pattern that brings paths
// that [net/http.ServeMux] refuses, as /pets/{id}:adopt.
//
// What to know of it:
//
//   - Middleware of the mux is around that of the generated server, and covers 404 and
//     405 too. What asks for the operation rather than the route is a
//     StrictMiddlewareFunc.
//   - For a prefix in front of all paths it is BaseURL, or the mux is mounted in
//     another one. A Group does not fit, it has no ServeHTTP.
//   - Types are checked, as that {id} is an integer; limits of a schema, as minimum, are
//     not. Constraints of the mux, {id:int}, are not used: text that is no integer is a
//     400, not a 404.
//   - The generator is a tool of go.mod. Commit what it writes: programs are built
//     without it.
package openapi

//go:generate go tool oapi-codegen -config oapi-codegen.yaml -o api.gen.go api.yaml
