// Package datadog creates a span for each request, with
// github.com/DataDog/dd-trace-go/contrib/net/http/v2.
//
//	err := tracer.Start(tracer.WithService("shop"))
//	m.Use(middleware.RequestID(nil), datadog.New(), middleware.Log(logger, nil), middleware.Recover(logger))
//
// Notes:
//
//   - Use it in the mux, where the route is known when the span begins. The library's own
//     WrapHandler is for http.ServeMux: it calls all requests by one name that you choose.
//   - Use it outside of Recover, so that the span has the 500.
//   - A response writer of the library has Flush and Hijack if the server's has.
//   - With DD_TRACE_OTEL_SEMANTICS_ENABLED=true, names of tags are those of OpenTelemetry.
//   - Call tracer.Stop before the program ends. If you begin now, the package tracing
//     with OpenTelemetry sends to Datadog too, and needs fewer modules.
package datadog

import (
	"net/http"
	"strings"

	httptrace "github.com/DataDog/dd-trace-go/contrib/net/http/v2"
	"github.com/muxwell/muxwell"
)

// New returns middleware that creates a span http.request for each request. Its resource is
// the method and the path of the route's pattern, "GET /users/{id}", and http.route is
// "/users/{id}". For a request without a route, the resource is the method.
func New() muxwell.Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			resource, route := r.Method, ""
			if i := strings.IndexByte(r.Pattern, '/'); i >= 0 {
				route = r.Pattern[i:]
				resource += " " + route
			}
			httptrace.TraceAndServe(next, w, r, &httptrace.ServeConfig{Resource: resource, Route: route, RouteSet: true})
		})
	}
}
