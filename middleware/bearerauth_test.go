package middleware

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

func TestBearerAuth(t *testing.T) {
	const none, invalid = `Bearer realm="api"`, `Bearer realm="api", error="invalid_token"`
	h := BearerAuth("api", Tokens(map[string]string{"abc-._~+/9==": "alice", "def": "bob", "nameless": ""}))(saysUser)
	for _, row := range []struct {
		headers []string
		want    string // the user, or a challenge
	}{
		{[]string{"Authorization: Bearer abc-._~+/9=="}, "alice"},
		{[]string{"Authorization: bEARER def"}, "bob"},
		{[]string{"Authorization: Bearer   def"}, "bob"},
		{[]string{"Authorization: Bearer nameless"}, ""},
		{nil, none},
		{[]string{"Authorization: "}, none},
		{[]string{"Authorization: Bearer"}, none},
		{[]string{"Authorization: Bearer "}, none},
		{[]string{"Authorization: Bearer ="}, none},
		{[]string{"Authorization: Bearer a=b"}, none},
		{[]string{"Authorization: Bearer def def"}, none},
		{[]string{"Authorization: Bearer def,"}, none},
		{[]string{"Authorization: Bearer\tdef"}, none},
		{[]string{"Authorization: Bearerdef"}, none},
		{[]string{"Authorization: Basic def"}, none},
		{[]string{"Authorization: def"}, none},
		{[]string{"Authorization: Bearer de"}, invalid},
		{[]string{"Authorization: Bearer deff"}, invalid},
		{[]string{"Authorization: Bearer DEF"}, invalid},
		{[]string{"Authorization: Bearer abc-._~+/9="}, invalid},
		{[]string{"Authorization: Bearer " + strings.Repeat("a", 100_000)}, invalid},
		{[]string{"Authorization: Bearer def", "Authorization: Bearer def"}, none},
	} {
		r := newRequest("POST", "/?access_token=def", row.headers...)
		w := answer(h, r)
		got := w.Header().Get("WWW-Authenticate")
		if w.Code == 200 {
			got = w.Body.String()
		} else if w.Code != 401 {
			t.Errorf("%.80q: got %d", row.headers, w.Code)
		}
		if got != row.want {
			t.Errorf("%.80q: got %s, want %s", row.headers, got, row.want)
		}
	}
}

func TestBearerAuthCheck(t *testing.T) {
	h := BearerAuth("x", func(r *http.Request, token string) (string, bool) { return token + "!", r.Method == "GET" })(saysUser)
	if got := answer(h, newRequest("GET", "/", "Authorization: Bearer t")).Body.String(); got != "t!" {
		t.Errorf("got %s", got)
	}
	if got := answer(h, newRequest("PUT", "/", "Authorization: Bearer t")).Code; got != 401 {
		t.Errorf("got %d", got)
	}
}

// FuzzBearerToken compares the parser with the grammar of RFC 6750.
func FuzzBearerToken(f *testing.F) {
	f.Add("Bearer abc==")
	f.Add("bearer  a=b")
	f.Add("Bearer\u212a x")
	grammar := regexp.MustCompile(`\A(?i:Bearer) +([A-Za-z0-9\-._~+/]+=*)\z`)
	f.Fuzz(func(t *testing.T, credentials string) {
		token, ok := bearerToken(credentials)
		m := grammar.FindStringSubmatch(credentials)
		if ok != (m != nil) || ok && token != m[1] {
			t.Errorf("%q: got %q, %t, want %q", credentials, token, ok, m)
		}
	})
}
