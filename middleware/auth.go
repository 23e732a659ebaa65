package middleware

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/muxwell/muxwell/internal/compose"
)

// Credentials are compared with secrets by their hashes, which have the same length, in
// constant time. The hashed texts begin with random bytes of this process, so no client
// can choose a hash. So a table may be indexed by hashes: the time of a lookup reveals
// nothing about similar keys.

// A digest is the hash of a name or a secret.
type digest [sha256.Size]byte

// digestKey begins each text that is hashed. It is short enough that most texts still
// fit in one block of the hash.
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

// UserFrom returns the user whom [BasicAuth] or [BearerAuth] has authenticated for the
// request whose context is ctx or a parent of ctx. ok is false if there is none.
func UserFrom(ctx context.Context) (user string, ok bool) {
	u, _ := ctx.Value(userKey{}).(*string)
	if u == nil {
		return "", false
	}
	return *u, true
}

type userKey struct{}

// A userContext is like the result of context.WithValue, with the value in the same
// allocation.
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

// serveUser calls next with a request that has the user in its context, and sets the user
// in the log line.
func serveUser(user string, next http.Handler, w http.ResponseWriter, r *http.Request) {
	logUser(r.Context(), user)
	serveWith(&userContext{r.Context(), user}, next, w, r)
}

// unauthorized answers 401 with a challenge.
func (refuse refuser) unauthorized(w http.ResponseWriter, r *http.Request, challenge string) {
	w.Header().Set("WWW-Authenticate", challenge)
	refuse(w, r, compose.Refusal{Status: http.StatusUnauthorized})
}

// quoted returns s as a quoted string of RFC 9110 §5.6.4. It panics with the name of
// the calling function if s has characters other than printable ASCII.
func quoted(name, s string) string {
	if !isText(s) {
		panic("middleware: " + name + ": the realm has characters that are not printable ASCII; remove them")
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
