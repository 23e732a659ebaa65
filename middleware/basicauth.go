package middleware

import (
	"fmt"
	"net/http"
	"strings"
)

// BasicAuth lets in requests with a name and a password (RFC 7617) for which check
// returns true; [Users] makes a check of a table. Others are answered 401 with a
// challenge for the realm, a text that browsers may show. The name is in the context,
// see [UserFrom].
//
// check is called by many goroutines at once. What it compares it must compare in
// constant time, and it should cost the same for names that do not exist.
//
// Safe: requests with two Authorization headers are refused, in which a proxy may
// have seen the other. Not safe: passwords can be read on the way but over TLS, and
// be guessed without end but behind [RateLimit]. Browsers send them by themselves, so
// guard what changes something with [http.CrossOriginProtection].
//
// BasicAuth panics if check is nil, or if the realm has characters other than
// printable ASCII.
func BasicAuth(realm string, check func(r *http.Request, user, password string) bool) func(http.Handler) http.Handler {
	if check == nil {
		panic("middleware: BasicAuth: nil function; pass one, such as middleware.Users returns")
	}
	challenge := "Basic realm=" + quoted("BasicAuth", realm) + `, charset="UTF-8"`
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			user, password, ok := r.BasicAuth()
			if !ok || len(r.Header["Authorization"]) != 1 || !check(r, user, password) {
				unauthorized(w, challenge)
				return
			}
			serveUser(user, next, w, r)
		})
	}
}

// Users returns a check for [BasicAuth] that takes the users of a table from names to
// passwords, which is read once. How long it takes depends neither on the name nor on
// how much of the password is right. In memory are hashes only, but fast ones: they
// are no way to store passwords on disk.
//
// Users panics if there are none, or if a name has a colon or a password is empty.
func Users(passwords map[string]string) func(r *http.Request, user, password string) bool {
	if len(passwords) == 0 {
		panic("middleware: Users: no users; nobody could log in")
	}
	table := make(map[digest]digest, len(passwords))
	for user, password := range passwords {
		switch {
		case strings.Contains(user, ":"):
			panic(fmt.Sprintf("middleware: Users: the name %q contains a colon, which RFC 7617 does not allow; choose another", user))
		case password == "":
			panic(fmt.Sprintf("middleware: Users: the password of %q is empty; set one, or remove the user", user))
		}
		table[digestOf(user)] = digestOf(password)
	}
	return func(_ *http.Request, user, password string) bool {
		want, known := table[digestOf(user)] // zero if not known
		return want.equal(digestOf(password)) && known
	}
}
