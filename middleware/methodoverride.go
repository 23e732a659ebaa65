package middleware

import "net/http"

// MethodOverride changes the method of a POST request with X-HTTP-Method-Override: PUT,
// PATCH or DELETE to that method, for clients and proxies that support only GET and
// POST. The header is ignored if it has another value, occurs twice, or the request is
// not a POST. So a request cannot be turned into a safe one, such as GET, to bypass
// protection against forged requests, and a link or a prefetch cannot delete.
//
// It must change the method before the router matches the request, so it wraps the mux.
// As middleware of the mux it has no effect:
//
//	http.ListenAndServe(addr, middleware.MethodOverride(m))
//
// The mux gets a copy of the request; middleware outside sees the original POST. So put
// middleware that allows or rejects methods inside. A form field, such as _method, is
// not supported: reading it would read the body of every POST before any limit applies,
// and a page of another site can send a form field without permission, but not such a
// header.
func MethodOverride(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		switch method := onlyValue(r.Header, "X-Http-Method-Override"); method {
		case http.MethodPut, http.MethodPatch, http.MethodDelete:
			inner := r.WithContext(r.Context())
			inner.Method = method
			defer handBack(r, inner)
			next.ServeHTTP(w, inner)
		default:
			next.ServeHTTP(w, r)
		}
	})
}
