package middleware

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/muxwell/muxwell/internal/compose"
)

// BearerAuth passes on requests with a token (RFC 6750), Authorization: Bearer TOKEN,
// for which check returns true and the name of the user. [Tokens] returns a check for a
// table of tokens. Other requests are answered with 401 and a challenge for the realm,
// and with error="invalid_token" if they have a token. [UserFrom] returns the name from
// the request's context.
//
// check must be safe for concurrent use. It is called only with tokens of the
// characters that RFC 6750 allows. It must compare secrets in constant time. It can
// verify a JWT with a library.
//
// Safe: tokens in the query or the body, which end up in logs, are ignored, and
// requests with two Authorization headers are rejected. Not safe: without TLS, tokens
// can be read in transit.
//
// BearerAuth panics if check is nil, or if the realm has characters other than
// printable ASCII.
func BearerAuth(realm string, check func(r *http.Request, token string) (user string, ok bool)) func(http.Handler) http.Handler {
	if check == nil {
		panic("middleware: BearerAuth: nil function; pass one, such as middleware.Tokens returns")
	}
	challenge := "Bearer realm=" + quoted("BearerAuth", realm)
	invalid := challenge + `, error="invalid_token"`
	return func(next http.Handler) http.Handler {
		return newPart(func(c *compose.Chain) http.Handler {
			refuse := refuserOf(c)
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				token, ok := bearerToken(onlyValue(r.Header, "Authorization"))
				if !ok {
					refuse.unauthorized(w, r, challenge)
					return
				}
				user, ok := check(r, token)
				if !ok {
					refuse.unauthorized(w, r, invalid)
					return
				}
				serveUser(user, next, w, r)
			})
		})
	}
}

// Tokens returns a check for [BearerAuth] that accepts the tokens of a table from
// tokens to user names. The table is read once. The time that a check takes reveals
// nothing about the tokens. Tokens panics if the table is empty, or if a token is
// invalid.
func Tokens(users map[string]string) func(r *http.Request, token string) (user string, ok bool) {
	if len(users) == 0 {
		panic("middleware: Tokens: no tokens; every request would be rejected")
	}
	table := make(map[digest]string, len(users))
	for token, user := range users {
		if !isToken68(token) {
			panic(fmt.Sprintf("middleware: Tokens: the token of %q is not a valid token; use letters, digits and -._~+/, and = at the end", user))
		}
		table[digestOf(token)] = user
	}
	return func(_ *http.Request, token string) (string, bool) {
		user, ok := table[digestOf(token)]
		return user, ok
	}
}

// bearerToken returns the token of credentials:
//
//	credentials = "Bearer" 1*SP b64token         ; the scheme in either case
//	b64token    = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="
func bearerToken(credentials string) (token string, ok bool) {
	scheme, token, _ := strings.Cut(credentials, " ")
	if len(scheme) != len("Bearer") || !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	token = strings.TrimLeft(token, " ")
	return token, isToken68(token)
}

// isToken68 reports whether s is a b64token.
func isToken68(s string) bool {
	s = strings.TrimRight(s, "=")
	for i := range len(s) {
		if c := s[i]; !isAlnum(c) && strings.IndexByte("-._~+/", c) < 0 {
			return false
		}
	}
	return s != ""
}
