// Package openapi serves an API that is described in OpenAPI, with
// github.com/oapi-codegen/oapi-codegen. The file api.yaml describes the API, api.gen.go has
// the server and the client generated from it, and pets.go is the part that one writes.
//
//	go generate ./openapi    # writes api.gen.go again
//
// The generated code for net/http needs a router with HandleFunc and ServeHTTP, which a
// *muxwell.Mux has; see [New]. Compared with [net/http.ServeMux], this adds middleware and
// paths such as /pets/{id}:adopt.
//
// Notes:
//
//   - Middleware of the mux is around that of the generated server, and also covers 404
//     and 405. Middlewares of StdHTTPServerOptions and StrictMiddlewareFuncs cover all
//     operations; [Operations] gives single ones their own, and metadata.
//   - To put a prefix before all paths, use BaseURL, or mount the mux in another one.
//   - Types are checked, for example that {id} is an integer. Limits of a schema, such as
//     minimum, are not. Constraints of the mux, such as {id:int}, are not used: text that is
//     not an integer is a 400, not a 404.
//   - The generator is a tool in go.mod. Commit its output, because programs are built
//     without it.
package openapi

//go:generate go tool oapi-codegen -config oapi-codegen.yaml -o api.gen.go api.yaml
