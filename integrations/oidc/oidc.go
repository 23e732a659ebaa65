// Package oidc admits requests with a token of an OpenID Connect issuer, with
// github.com/coreos/go-oidc.
//
//	check, err := oidc.New(ctx, "https://login.example.com", "https://api.example.com")
//	…
//	private := m.With(middleware.BearerAuth("api", check))
//
// Inside, middleware.UserFrom returns the token's subject. Put CORS outside, because a
// preflight has no token. Put a rate limit outside too: for a token with an unknown key,
// the library fetches the issuer's keys again.
//
// Notes:
//
//   - The token must be for this API, as its audience says. The ID token of a login has
//     the audience of the page that requested it, so it is not valid for an API. An access
//     token that is not a JWT (RFC 9068) can be checked only by asking the issuer.
//   - A valid token identifies the user. The program must decide what the user may do, for
//     example by the claim scope.
//   - A revoked token remains valid until it expires.
package oidc

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/coreos/go-oidc/v3/oidc"
)

// New queries the issuer for its configuration and returns a check for
// middleware.BearerAuth. The check accepts JWTs that the issuer signed for the audience, with
// an algorithm that it announces, and that have not expired. New returns an error if the
// issuer cannot be reached. The issuer's keys are fetched when they are needed and cached.
// A token that is signed with an unknown key makes the check fetch them again.
//
// ctx limits the query, and may have an HTTP client for it; see [oidc.ClientContext]. New
// refuses an empty audience, as the library does in each check. The reason for refusing a
// token is logged to [slog.Default] at level debug.
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
