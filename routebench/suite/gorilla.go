package suite

import "github.com/muxwell/muxwell/routebench/result"

// OmitRoute is the variant of the scenarios in which gorilla/mux omits its own data from
// the request's context, with OmitRouteFromContext.
const OmitRoute = "omit_route_from_ctx"

// Gorilla returns the scenarios of gorilla/mux's own benchmarks, with its names, for all
// routers that can express the routes.
func Gorilla(uint64) ([]Scenario, error) {
	var b builder
	speed := func(name string, rs *Routes, about string) Scenario {
		return Scenario{Name: name, Suite: "gorilla", Kind: result.Speed, Routes: rs, About: about}
	}
	omitting := func(name string, rs *Routes, about string) Scenario {
		s := speed(name, rs, about)
		s.Variant = OmitRoute
		return s
	}
	b.asking(speed("Mux", b.routes(newRoutes("gorilla's Mux", "GET /v1/{v1}")), "One route with one parameter."), "GET /v1/anything")

	status := b.routes(newRoutes("gorilla's MuxSimple", "GET /status"))
	b.asking(speed("MuxSimple/default", status, "One route without parameters."), "GET /status")
	b.asking(omitting("MuxSimple/omit_route_from_ctx", status, "One route without parameters; gorilla/mux leaves the route out of the context."), "GET /status")

	b.asking(speed("MuxAlternativeInRegexp", b.routes(newRoutes("gorilla's MuxAlternativeInRegexp", "GET /v1/{v1:(?:a|b)}")),
		"One route with an expression of two words, asked for both."), "GET /v1/a", "GET /v1/b")
	b.asking(speed("ManyPathVariables", b.routes(newRoutes("gorilla's ManyPathVariables", "GET /v1/{v1}/{v2}/{v3}/{v4}/{v5}")),
		"One route with five parameters, asked for a path that it takes and one that is too short."), "GET /v1/1/2/3/4/5", "GET /v1/1/2/3/4")

	context := b.routes(newRoutes("gorilla's PopulateContext", "GET /static", "GET /dynamic/{x...}"))
	for _, c := range []struct{ name, path, about string }{
		{"no_populated_vars", "/static", "A path without parameters, beside a route for the rest of a path"},
		{"empty_var", "/dynamic/", "A route for the rest of a path, which is empty"},
		{"populated_vars", "/dynamic/foo", "A route for the rest of a path"},
	} {
		b.asking(speed("PopulateContext/"+c.name, context, c.about+"."), "GET "+c.path)
	}
	b.asking(omitting("PopulateContext/omit_route_static", context, "A path without parameters; gorilla/mux leaves the route out of the context."), "GET /static")
	b.asking(omitting("PopulateContext/omit_route_dynamic", context, "An empty rest of a path; gorilla/mux leaves the route out of the context."), "GET /dynamic/")
	return b.scenarios, b.err
}
