package middleware

import "net/http"

// NoCache sets Cache-Control: no-store, so that neither browsers nor proxies store the
// response (RFC 9111 §5.2.2.5). It is for pages of one user, and for answers that must
// be fresh. The weaker no-cache allows storing a response and requires revalidating it.
//
// If a handler sets Cache-Control itself, that wins. Responses that a cache has stored
// before stay there until they are stale.
func NoCache(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}
