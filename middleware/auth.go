package middleware

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"
)

// What a client sends is compared with a secret by their hashes, which have one
// length, in constant time. The hashes begin with random bytes of this process, so
// that no client can choose one, and a table may be asked for one: how long that
// takes says nothing about the keys that are near.

// A digest is the hash of a name or a secret.
type digest [sha256.Size]byte

// digestKey begins each text that is hashed. With it most are still one block of the
// hash.
var digestKey = func() (key [16]byte) {
	_, _ = rand.Read(key[:]) // it never fails
	return key
}()

func digestOf(s string) digest {
	text := append(make([]byte, 0, 256), digestKey[:]...)
	return sha256.Sum256(append(text, s...))
}

// equal reports in constant time whether two digests are equal.
func (d digest) equal(other digest) bool {
	return subtle.ConstantTimeCompare(d[:], other[:]) == 1
}

// UserFrom returns the user whom [BasicAuth] or [BearerAuth] has let in, in the
// request whose context ctx is or comes from. ok is false if neither has.
func UserFrom(ctx context.Context) (user string, ok bool) {
	u, _ := ctx.Value(userKey{}).(*string)
	if u == nil {
		return "", false
	}
	return *u, true
}

type userKey struct{}

// A userContext is what context.WithValue returns and the value, in one allocation.
type userContext struct {
	context.Context
	user string
}

func (c *userContext) Value(key any) any {
	if key == (userKey{}) {
		return &c.user
	}
	return c.Context.Value(key)
}

// serveUser calls next for a user.
func serveUser(user string, next http.Handler, w http.ResponseWriter, r *http.Request) {
	serveWith(&userContext{r.Context(), user}, next, w, r)
}

// unauthorized answers 401, with what the client should send.
func unauthorized(w http.ResponseWriter, challenge string) {
	w.Header().Set("WWW-Authenticate", challenge)
	http.Error(w, http.StatusText(http.StatusUnauthorized), http.StatusUnauthorized)
}

// quoted returns s as a quoted string of RFC 9110 §5.6.4, or panics if it is not made
// of printable ASCII. name is that of the function that was given it.
func quoted(name, s string) string {
	if !isText(s) {
		panic("middleware: " + name + ": the realm has characters that are not printable ASCII; remove them")
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
