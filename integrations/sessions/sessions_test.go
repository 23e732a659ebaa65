package sessions_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/integrations/sessions"
	"github.com/muxwell/muxwell/middleware"
)

// newServer returns a server with a form, pages of a user, and a file that has none, and a
// client with a jar of cookies that does not follow redirects.
func newServer(t *testing.T) (string, *http.Client) {
	manager := sessions.New()
	m := muxwell.New()
	m.Use(middleware.Recover(nil), http.NewCrossOriginProtection().Handler)
	m.Get("/style.css", func(http.ResponseWriter, *http.Request) {})
	pages := m.With(manager.LoadAndSave, middleware.Timeout(time.Minute))
	pages.Post("/login", sessions.LogIn(manager, func(r *http.Request) string {
		if r.FormValue("password") != "s3cret" {
			return ""
		}
		return r.FormValue("name")
	}))
	private := pages.With(sessions.Require(manager))
	private.Get("/account", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, manager.GetString(r.Context(), "user"))
	})
	private.Post("/logout", func(w http.ResponseWriter, r *http.Request) {
		if err := manager.Destroy(r.Context()); err != nil {
			t.Error(err)
		}
	})
	private.Get("/late/{how}", func(w http.ResponseWriter, r *http.Request) {
		if r.PathValue("how") == "status" {
			manager.Put(r.Context(), "late", "status")
			w.WriteHeader(http.StatusOK)
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		manager.Put(r.Context(), "late", "flush")
	})
	private.Get("/late", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, manager.GetString(r.Context(), "late"))
	})
	s := httptest.NewTLSServer(m)
	t.Cleanup(s.Close)
	client := s.Client()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client.Jar = jar
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return s.URL, client
}

func send(t *testing.T, client *http.Client, method, url, form string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(form))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	resp, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, strings.TrimSpace(string(body))
}

func TestLogIn(t *testing.T) {
	base, client := newServer(t)
	const right = "name=alice&password=s3cret"
	for _, step := range []struct {
		name, method, path, form string
		status                   int
		location, body           string
		cookie                   bool // whether one is set
	}{
		{"no session", "GET", "/account", "", http.StatusSeeOther, "/login", "", false},
		{"a wrong password", "POST", "/login", "name=alice&password=x", http.StatusUnauthorized, "", "wrong name or password", false},
		{"log in", "POST", "/login", right, http.StatusSeeOther, "/account", "", true},
		{"logged in", "GET", "/account", "", http.StatusOK, "", "alice", true}, // which extends the session
		{"again, with a new token", "POST", "/login", right, http.StatusSeeOther, "/account", "", true},
		{"log out", "POST", "/logout", "", http.StatusOK, "", "", true},
		{"logged out", "GET", "/account", "", http.StatusSeeOther, "/login", "", false},
	} {
		resp, body := send(t, client, step.method, base+step.path, step.form)
		if resp.StatusCode != step.status || resp.Header.Get("Location") != step.location || step.method == "POST" && body != step.body {
			t.Errorf("%s: status %d to %q, %q; want %d to %q, %q", step.name, resp.StatusCode, resp.Header.Get("Location"), body, step.status, step.location, step.body)
		}
		if got := resp.Header.Get("Set-Cookie"); (got != "") != step.cookie {
			t.Errorf("%s: Set-Cookie = %q, want one: %t", step.name, got, step.cookie)
		}
	}
}

// The token before logging in is worthless after it.
func TestNewToken(t *testing.T) {
	base, client := newServer(t)
	u, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	token := func() string {
		send(t, client, "POST", base+"/login", "name=alice&password=s3cret")
		cookies := client.Jar.Cookies(u)
		if len(cookies) != 1 || cookies[0].Name != "__Host-session" {
			t.Fatalf("cookies %v, want __Host-session", cookies)
		}
		return cookies[0].Value
	}
	first, second := token(), token()
	for value, status := range map[string]int{first: http.StatusSeeOther, second: http.StatusOK} {
		client.Jar.SetCookies(u, []*http.Cookie{{Name: "__Host-session", Value: value, Path: "/", Secure: true}})
		if resp, _ := send(t, client, "GET", base+"/account", ""); resp.StatusCode != status {
			t.Errorf("the account: status %d, want %d", resp.StatusCode, status)
		}
	}
}

func TestHeaders(t *testing.T) {
	base, client := newServer(t)
	resp, _ := send(t, client, "POST", base+"/login", "name=alice&password=s3cret")
	for _, want := range []string{"__Host-session=", "Path=/", "HttpOnly", "Secure", "SameSite=Lax", "Max-Age="} {
		if got := resp.Header.Get("Set-Cookie"); !strings.Contains(got, want) {
			t.Errorf("Set-Cookie = %q, want %q in it", got, want)
		}
	}
	resp, _ = send(t, client, "GET", base+"/account", "")
	if got := resp.Header.Get("Vary"); got != "Cookie" {
		t.Errorf("Vary = %q, want Cookie", got)
	}
	if got := resp.Header.Values("Cache-Control"); len(got) == 0 || got[0] != "no-store" {
		t.Errorf("Cache-Control = %q, want no-store", got)
	}
	resp, _ = send(t, client, "GET", base+"/style.css", "")
	if len(resp.Header["Vary"])+len(resp.Header["Set-Cookie"]) > 0 {
		t.Errorf("the headers of a file are %v", resp.Header)
	}
	if resp, _ := send(t, client, "POST", base+"/logout", "", "Origin", "https://evil.example"); resp.StatusCode != http.StatusForbidden {
		t.Errorf("POST of another origin: status %d, want 403", resp.StatusCode)
	}
}

// What a handler stores after the status is lost, and so is the cookie after a flush.
func TestLate(t *testing.T) {
	base, client := newServer(t)
	send(t, client, "POST", base+"/login", "name=alice&password=s3cret")
	for _, tt := range []struct {
		path, stored string
		cookie       bool
	}{{"/late/status", "status", true}, {"/late/flush", "flush", false}} {
		resp, _ := send(t, client, "GET", base+tt.path, "")
		if got := resp.Header.Get("Set-Cookie"); (got != "") != tt.cookie {
			t.Errorf("GET %s: Set-Cookie = %q, want one: %t", tt.path, got, tt.cookie)
		}
		if _, got := send(t, client, "GET", base+"/late", ""); got != tt.stored {
			t.Errorf("after GET %s: %q is stored, want %q", tt.path, got, tt.stored)
		}
	}
}
