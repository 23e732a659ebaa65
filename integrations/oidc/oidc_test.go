package oidc_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/integrations/oidc"
	"github.com/muxwell/muxwell/middleware"
)

const audience = "https://api.example.com"

// newAPI returns the URL of a server that says who has come.
func newAPI(t *testing.T, i *issuer) string {
	t.Helper()
	check, err := oidc.New(t.Context(), i.url, audience)
	if err != nil {
		t.Fatal(err)
	}
	m := muxwell.New()
	m.With(middleware.BearerAuth("api", check)).Get("/whoami", func(w http.ResponseWriter, r *http.Request) {
		user, _ := middleware.UserFrom(r.Context())
		io.WriteString(w, user)
	})
	s := httptest.NewServer(m)
	t.Cleanup(s.Close)
	return s.URL + "/whoami"
}

// send sends a token and returns the status, the body and the challenge.
func send(t *testing.T, url, token string) (status int, body, challenge string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text), resp.Header.Get("WWW-Authenticate")
}

// unsigned returns the claims as a JWT with the algorithm none.
func unsigned(t *testing.T, claims jwt.Claims) string {
	t.Helper()
	payload, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	return encode([]byte(`{"alg":"none"}`)) + "." + encode(payload) + "."
}

// publicBytes returns what everybody knows of a key: a secret of HS256 for those who
// hope that the check takes the algorithm from the token.
func publicBytes(t *testing.T, key jose.JSONWebKey) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key.Key.(*ecdsa.PrivateKey).Public())
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func TestTokens(t *testing.T) {
	i := newIssuer(t)
	key, other := newKey(t, "k1"), newKey(t, "k1") // the other has the same id
	i.publish(key)
	api := newAPI(t, i)

	with := func(change func(*jwt.Claims)) jwt.Claims {
		claims := i.claims()
		change(&claims)
		return claims
	}
	past := jwt.NewNumericDate(time.Now().Add(-time.Hour))
	good := sign(t, jose.ES256, key, i.claims())
	tests := []struct {
		name, token string
		ok          bool
	}{
		{"good", good, true},
		{"one of several audiences", sign(t, jose.ES256, key, with(func(c *jwt.Claims) { c.Audience = jwt.Audience{"x", audience} })), true},
		{"expired", sign(t, jose.ES256, key, with(func(c *jwt.Claims) { c.Expiry = past })), false},
		{"without an end", sign(t, jose.ES256, key, with(func(c *jwt.Claims) { c.Expiry = nil })), false},
		{"not yet", sign(t, jose.ES256, key, with(func(c *jwt.Claims) { c.NotBefore = c.Expiry })), false},
		{"for another audience", sign(t, jose.ES256, key, with(func(c *jwt.Claims) { c.Audience = jwt.Audience{"web"} })), false},
		{"for nobody", sign(t, jose.ES256, key, with(func(c *jwt.Claims) { c.Audience = nil })), false},
		{"of another issuer", sign(t, jose.ES256, key, with(func(c *jwt.Claims) { c.Issuer = "https://evil.example" })), false},
		{"by another key", sign(t, jose.ES256, other, i.claims()), false},
		{"by the public key", sign(t, jose.HS256, publicBytes(t, key), i.claims()), false},
		{"not signed", unsigned(t, i.claims()), false},
		{"changed", good[:len(good)-8] + "AAAAAAAA", false},
		{"no JWT", "s3cret", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, body, challenge := send(t, api, tt.token)
			if tt.ok {
				if status != http.StatusOK || body != "alice" {
					t.Errorf("status %d and %q, want 200 and alice", status, body)
				}
				return
			}
			if want := `Bearer realm="api", error="invalid_token"`; status != http.StatusUnauthorized || challenge != want {
				t.Errorf("status %d and challenge %q, want 401 and %q", status, challenge, want)
			}
			if strings.Contains(body, "alice") {
				t.Errorf("the answer is %q", body)
			}
		})
	}
	if status, _, challenge := send(t, api, ""); status != http.StatusUnauthorized || challenge != `Bearer realm="api"` {
		t.Errorf("without a token: status %d and challenge %q, want 401 and a challenge", status, challenge)
	}
}

// A key that the issuer begins to use is found without a restart.
func TestNewKey(t *testing.T) {
	i := newIssuer(t)
	first, second := newKey(t, "k1"), newKey(t, "k2")
	i.publish(first)
	api := newAPI(t, i)
	for _, step := range []struct {
		name   string
		before func()
		key    jose.JSONWebKey
		status int
	}{
		{"the first key", func() {}, first, http.StatusOK},
		{"the second, not published", func() {}, second, http.StatusUnauthorized},
		{"the second, published", func() { i.publish(second) }, second, http.StatusOK},
		{"the first again", func() {}, first, http.StatusOK},
	} {
		step.before()
		if status, _, _ := send(t, api, sign(t, jose.ES256, step.key, i.claims())); status != step.status {
			t.Errorf("%s: status %d, want %d", step.name, status, step.status)
		}
	}
}

func TestNewFails(t *testing.T) {
	i := newIssuer(t)
	away := httptest.NewServer(http.NotFoundHandler())
	defer away.Close()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name, issuer, audience string
		ctx                    context.Context
		want                   string
	}{
		{"no audience", i.url, "", t.Context(), "no audience"},
		{"no issuer there", away.URL, audience, t.Context(), "404"},
		{"another issuer's name", strings.Replace(i.url, "127.0.0.1", "localhost", 1), audience, t.Context(), "did not match"},
		{"the context is over", i.url, audience, over, "context canceled"},
	}
	for _, tt := range tests {
		check, err := oidc.New(tt.ctx, tt.issuer, tt.audience)
		if err == nil || check != nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want an error with %q", tt.name, err, tt.want)
		}
	}
}
