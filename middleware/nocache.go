package middleware

import "net/http"

// NoCache sets Cache-Control: no-store, with which neither browsers nor proxies keep
// the response (RFC 9111 §5.2.2.5). It is for pages of one user, and answers that
// must be fresh; no-cache, which is weaker, lets them be kept and asked about.
//
// A handler that sets Cache-Control itself wins. What a cache has kept before stays
// there until it is stale.
func NoCache(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}
