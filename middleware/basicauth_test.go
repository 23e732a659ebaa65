package middleware

import (
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"
)

// saysUser is a handler that answers with the user.
var saysUser = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	user, ok := UserFrom(r.Context())
	if !ok {
		user = "nobody"
	}
	io.WriteString(w, user)
})

func basic(credentials string) string {
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(credentials))
}

func TestBasicAuth(t *testing.T) {
	h := BasicAuth(`the "realm" \`, Users(map[string]string{"alice": "wonder:land", "bob": strings.Repeat("x", 500), "": "empty", "zoë": "é"}))(saysUser)
	for _, row := range []struct {
		headers []string
		want    string // "" for 401
	}{
		{[]string{basic("alice:wonder:land")}, "alice"},
		{[]string{basic("bob:" + strings.Repeat("x", 500))}, "bob"},
		{[]string{basic("zoë:é")}, "zoë"},
		{[]string{strings.Replace(basic("alice:wonder:land"), "Basic", "bASIC", 1)}, "alice"},
		{nil, ""},
		{[]string{basic("alice:wonder:lan")}, ""},
		{[]string{basic("alice:wonder:landd")}, ""},
		{[]string{basic("alice:")}, ""},
		{[]string{basic("alice")}, ""},
		{[]string{basic("Alice:wonder:land")}, ""},
		{[]string{basic("bob:wonder:land")}, ""},
		{[]string{basic("carol:")}, ""},
		{[]string{basic("carol:wonder:land")}, ""},
		{[]string{basic(":")}, ""},
		{[]string{"Authorization: Basic"}, ""},
		{[]string{"Authorization: Basic !"}, ""},
		{[]string{"Authorization: Bearer " + basic("alice:wonder:land")[len("Authorization: Basic "):]}, ""},
		{[]string{basic("alice:wonder:land"), basic("carol:x")}, ""},
		{[]string{basic("carol:x"), basic("alice:wonder:land")}, ""},
		{[]string{basic("\x00:\x00")}, ""},
		{[]string{basic(strings.Repeat("a", 100_000))}, ""},
	} {
		w := answer(h, newRequest("GET", "/", row.headers...))
		if row.want != "" {
			if got := w.Body.String(); w.Code != 200 || got != row.want {
				t.Errorf("%.80q: got %d %s, want %s", row.headers, w.Code, got, row.want)
			}
			continue
		}
		const challenge = `Basic realm="the \"realm\" \\", charset="UTF-8"`
		if got := w.Header().Get("WWW-Authenticate"); w.Code != 401 || got != challenge {
			t.Errorf("%.80q: got %d, %s, want 401 and %s", row.headers, w.Code, got, challenge)
		}
	}
	if got := answer(saysUser, newRequest("GET", "/")).Body.String(); got != "nobody" {
		t.Errorf("without BasicAuth: got %s", got)
	}
}

// TestBasicAuthCheck: a check gets the request, and what was sent.
func TestBasicAuthCheck(t *testing.T) {
	h := BasicAuth("x", func(r *http.Request, user, password string) bool { return r.URL.Path == "/"+user && password == "p" })(saysUser)
	for target, want := range map[string]int{"/alice": 200, "/bob": 401} {
		if got := answer(h, newRequest("GET", target, basic("alice:p"))).Code; got != want {
			t.Errorf("%s: got %d, want %d", target, got, want)
		}
	}
}

// TestUsersAreCopied: the table is read once.
func TestUsersAreCopied(t *testing.T) {
	table := map[string]string{"alice": "a"}
	check := Users(table)
	table["alice"], table["bob"] = "b", "b"
	for user, want := range map[string]bool{"alice": true, "bob": false} {
		if got := check(nil, user, "a"); got != want {
			t.Errorf("%s: got %t", user, got)
		}
	}
}

func TestBasicAuthPanics(t *testing.T) {
	yes := func(*http.Request, string, string) bool { return true }
	checkPanics(t, map[string]func(){
		"middleware: BasicAuth: nil function; pass one, such as middleware.Users returns":                             func() { BasicAuth("x", nil) },
		"middleware: BasicAuth: the realm has characters that are not printable ASCII; remove them":                   func() { BasicAuth("a\r\nb", yes) },
		"middleware: Users: no users; nobody could log in":                                                            func() { Users(nil) },
		`middleware: Users: the name "a:b" contains a colon, which RFC 7617 does not allow; choose another`:           func() { Users(map[string]string{"a:b": "c"}) },
		`middleware: Users: the password of "a" is empty; set one, or remove the user`:                                func() { Users(map[string]string{"a": ""}) },
		"middleware: BearerAuth: nil function; pass one, such as middleware.Tokens returns":                           func() { BearerAuth("x", nil) },
		"middleware: BearerAuth: the realm has characters that are not printable ASCII; remove them":                  func() { BearerAuth("é", Tokens(map[string]string{"t": ""})) },
		"middleware: Tokens: no tokens; every request would be rejected":                                              func() { Tokens(nil) },
		`middleware: Tokens: the token of "u" is not a valid token; use letters, digits and -._~+/, and = at the end`: func() { Tokens(map[string]string{"a b": "u"}) },
	})
}

// FuzzBasicAuth: what is let in is what was sent.
func FuzzBasicAuth(f *testing.F) {
	f.Add("Basic YWxpY2U6cA==")
	f.Add("basic  YWxpY2U6cA==")
	h := BasicAuth("x", Users(map[string]string{"alice": "p"}))(saysUser)
	f.Fuzz(func(t *testing.T, credentials string) {
		r := newRequest("GET", "/")
		r.Header["Authorization"] = []string{credentials}
		user, password, _ := r.BasicAuth()
		want := 401
		if user == "alice" && password == "p" {
			want = 200
		}
		if got := answer(h, r).Code; got != want {
			t.Errorf("%q: got %d", credentials, got)
		}
	})
}
