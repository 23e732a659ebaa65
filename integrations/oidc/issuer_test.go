package oidc_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/muxwell/muxwell"
)

// An issuer is an OpenID provider on loopback, which says where its keys are and
// signs what it is given.
type issuer struct {
	url string

	mu   sync.Mutex
	keys []jose.JSONWebKey // the public ones
}

func newIssuer(t *testing.T) *issuer {
	i := new(issuer)
	m := muxwell.New()
	m.Get("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(map[string]any{
			"issuer":                                i.url,
			"authorization_endpoint":                i.url + "/authorize",
			"token_endpoint":                        i.url + "/token",
			"jwks_uri":                              i.url + "/keys",
			"response_types_supported":              []string{"code"},
			"subject_types_supported":               []string{"public"},
			"id_token_signing_alg_values_supported": []string{"ES256"},
		})
	})
	m.Get("/keys", func(w http.ResponseWriter, _ *http.Request) {
		i.mu.Lock()
		defer i.mu.Unlock()
		json.NewEncoder(w).Encode(jose.JSONWebKeySet{Keys: i.keys})
	})
	s := httptest.NewServer(m)
	t.Cleanup(s.Close)
	i.url = s.URL
	return i
}

// publish adds a key to those that the issuer shows.
func (i *issuer) publish(key jose.JSONWebKey) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = append(i.keys, key.Public())
}

// newKey returns a new key pair with an id.
func newKey(t *testing.T, id string) jose.JSONWebKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return jose.JSONWebKey{Key: key, KeyID: id, Algorithm: string(jose.ES256), Use: "sig"}
}

// claims are those of a token that is good.
func (i *issuer) claims() jwt.Claims {
	now := time.Now()
	return jwt.Claims{
		Issuer: i.url, Subject: "alice", Audience: jwt.Audience{audience},
		IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(time.Hour)),
	}
}

// sign returns the claims as a JWT.
func sign(t *testing.T, algorithm jose.SignatureAlgorithm, key any, claims jwt.Claims) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, nil)
	if err != nil {
		t.Fatal(err)
	}
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return token
}
