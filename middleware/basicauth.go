package middleware

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/muxwell/muxwell/internal/compose"
)

// BasicAuth passes on requests with a name and a password (RFC 7617) for which check
// returns true. [Users] returns a check for a table of users. Other requests are
// answered with 401 and a challenge for the realm, a text that browsers may show.
// [UserFrom] returns the name from the request's context.
//
// check must be safe for concurrent use. It must compare secrets in constant time, and
// should take the same time for names that do not exist.
//
// Safe: requests with two Authorization headers are rejected, since a proxy may have
// checked the other one. Not safe: without TLS, passwords can be read in transit;
// without [RateLimit], they can be guessed without limit. Browsers send them
// automatically, so protect state-changing requests with [http.CrossOriginProtection].
//
// BasicAuth panics if check is nil, or if the realm has characters other than printable
// ASCII.
func BasicAuth(realm string, check func(r *http.Request, user, password string) bool) func(http.Handler) http.Handler {
	if check == nil {
		panic("middleware: BasicAuth: nil function; pass one, such as middleware.Users returns")
	}
	challenge := "Basic realm=" + quoted("BasicAuth", realm) + `, charset="UTF-8"`
	return func(next http.Handler) http.Handler {
		return newPart(func(c *compose.Chain) http.Handler {
			refuse := refuserOf(c)
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				user, password, ok := r.BasicAuth()
				if !ok || len(r.Header["Authorization"]) != 1 || !check(r, user, password) {
					refuse.unauthorized(w, r, challenge)
					return
				}
				serveUser(user, next, w, r)
			})
		})
	}
}

// Users returns a check for [BasicAuth] that accepts the users of a table from names to
// passwords. The table is read once. The time that a check takes depends neither on the
// name nor on how much of the password is correct. Only hashes are kept in memory. They
// are fast hashes, which are not suitable for storing passwords on disk.
//
// Users panics if there are no users, or if a name has a colon or a password is empty.
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
		want, known := table[digestOf(user)] // zero if unknown
		return want.equal(digestOf(password)) && known
	}
}
