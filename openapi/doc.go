// Package openapi connects a mux with an OpenAPI description: it finds operations,
// validates requests and responses, and compares the description with the routes.
//
// The description is read by github.com/getkin/kin-openapi:
//
//	loader := openapi3.NewLoader()
//	loader.IncludeOrigin = true // so that errors have its lines
//	spec, err := loader.LoadFromFile("api.yaml")
//
// explorer.Handler(m, explorer.Spec(spec)) shows the routes with their operations.
//
// [NewRouter] is a router for that module, [Validate] is middleware, and [Check] is for
// tests. Code that oapi-codegen generates from a description is registered with a mux as
// in github.com/muxwell/muxwell/integrations/openapi.
package openapi
