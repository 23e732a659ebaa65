package middleware

import "net/http"

// MethodOverride makes a POST request with X-HTTP-Method-Override: PUT, PATCH or
// DELETE one with that method, for clients and proxies that know GET and POST only.
// Any other value, or the header twice, changes nothing, nor does it in a request
// that is not a POST: neither can a request be made one that counts as safe, as GET,
// past a check against forgery, nor can a link or a prefetch delete.
//
// It must know the method before the router does, so it wraps the mux from outside;
// as middleware of the mux it comes too late:
//
//	http.ListenAndServe(addr, middleware.MethodOverride(m))
//
// The mux gets a copy of the request; what is outside sees the POST that was sent. So
// what allows or refuses by method stands inside. A form's field, as _method, is not
// read: that would read the body of every POST before any limit, and a page of
// another site can send a field without being asked, but no such header.
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
