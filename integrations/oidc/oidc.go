// Package oidc lets in who has a token of an OpenID Connect issuer, with
// github.com/coreos/go-oidc.
//
//	check, err := oidc.New(ctx, "https://login.example.com", "https://api.example.com")
//	…
//	private := m.With(middleware.BearerAuth("api", check))
//
// Inside, middleware.UserFrom returns the token's subject. CORS stands outside, since a
// preflight has no token, and so does a limit: a token whose key is not known makes
// the library ask the issuer for its keys again.
//
// What to know of it:
//
//   - The token is one for this API: its audience says so. The ID token of a login has
//     the audience of the page that asked for it, and is no key to an API, and an access
//     token that is no JWT (RFC 9068) can only be asked about at the issuer.
//   - That the token is valid says who it is. What they may do, as by the claim scope,
//     is for the program to say.
//   - A token that was withdrawn is valid until it expires.
package oidc

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/coreos/go-oidc/v3/oidc"
)

// New asks the issuer where its keys are, and returns a check for
// middleware.BearerAuth that takes the JWTs that it has signed for the audience, by
// an algorithm that it announces, and that have not expired. The error is that of the
// issuer: the program cannot start while it is away. Its keys are fetched when they
// are needed and kept, and new ones are found by a token that they have signed.
//
// ctx limits the question to the issuer, and may carry a client for it, see
// [oidc.ClientContext]. New refuses an empty audience, as the library does in each
// check. Why a token was refused is logged to [slog.Default] at level debug.
func New(ctx context.Context, issuer, audience string) (func(*http.Request, string) (string, bool), error) {
	if audience == "" {
		return nil, fmt.Errorf("oidc: no audience; give the one that %s puts into the tokens for this API", issuer)
	}
	provider, err := oidc.NewProvider(ctx, issuer)
	if err != nil {
		return nil, fmt.Errorf("oidc: asking %s for its configuration: %w", issuer, err)
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: audience})
	return func(r *http.Request, token string) (string, bool) {
		verified, err := verifier.Verify(r.Context(), token)
		if err != nil {
			slog.DebugContext(r.Context(), "token refused", "error", err)
			return "", false
		}
		return verified.Subject, true
	}, nil
}
