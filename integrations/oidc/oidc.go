// Package oidc authenticates requests with tokens of an OpenID Connect issuer, with
// github.com/coreos/go-oidc.
//
//	check, err := oidc.New(ctx, "https://login.example.com", "https://api.example.com")
//	…
//	private := m.With(middleware.BearerAuth("api", check))
//
// Inside, middleware.UserFrom returns the token's subject. CORS belongs outside, since
// a preflight has no token. So does a rate limit: a token with an unknown key makes the
// library fetch the issuer's keys again.
//
// Notes:
//
//   - The token must be for this API, which is its audience. The ID token of a login has the page
//     that requested it as its audience, and is not valid for an API. An access token that is not
//     a JWT (RFC 9068) can only be checked by asking the issuer.
//   - A valid token identifies the user. The program decides what the user may do, for example by
//     the claim scope.
//   - A revoked token is valid until it expires.
package oidc

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/coreos/go-oidc/v3/oidc"
)

// New fetches the issuer's configuration, and returns a check for
// middleware.BearerAuth. The check accepts JWTs that the issuer has signed for the
// audience, with an algorithm that it announces, and that have not expired. The error
// is that of fetching the configuration: the program cannot start while the issuer is
// unavailable. Its keys are fetched when they are needed and cached; a token with an
// unknown key causes another fetch.
//
// ctx limits fetching the configuration, and may carry a client for the issuer, see
// [oidc.ClientContext]. New rejects an empty audience, as the library does in each
// check. The reason why a token was rejected is logged to [slog.Default] at level
// debug.
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
