package middleware

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	const origin = "https://www.example.com"
	proxies := prefixes("10.0.0.0/8")
	for _, row := range []struct {
		origin  string
		options *CanonicalOptions
		request string // METHOD URL, the scheme of which is that of the connection
		headers []string
		want    string // status and Location
	}{
		{origin, nil, "GET https://www.example.com/a?b=c", nil, "200 "},
		{origin, nil, "GET https://WWW.Example.COM./", nil, "200 "},
		{origin, nil, "GET https://www.example.com:443/", nil, "200 "},
		{origin, nil, "GET http://www.example.com/a?b=c", nil, "301 https://www.example.com/a?b=c"},
		{origin, nil, "GET http://www.example.com:443/", nil, "301 https://www.example.com/"},
		{origin, nil, "GET https://example.com/", nil, "301 https://www.example.com/"},
		{origin, nil, "HEAD https://example.com/", nil, "301 https://www.example.com/"},
		{origin, nil, "POST https://example.com/", nil, "308 https://www.example.com/"},
		{origin, nil, "OPTIONS https://example.com/", nil, "308 https://www.example.com/"},
		{origin, &CanonicalOptions{Temporary: true}, "GET https://example.com/", nil, "307 https://www.example.com/"},
		{origin, nil, "GET https://www.example.com:8443/", nil, "301 https://www.example.com/"},
		{origin, nil, "GET https://www.example.com.evil.com/", nil, "301 https://www.example.com/"},
		{origin, nil, "GET https://evil.com/", []string{"X-Forwarded-Host: evil.com"}, "301 https://www.example.com/"},
		{origin, nil, "GET https://www.example.com/", []string{"X-Forwarded-Host: evil.com"}, "200 "},
		{origin, nil, "GET https://example.com//evil.com/%2e%2e", nil, "301 https://www.example.com//evil.com/%2e%2e"},
		{origin, nil, `GET https://example.com/\evil.com`, nil, `301 https://www.example.com/%5Cevil.com`},
		{origin, nil, "GET https://example.com/%2F%0D%0ASet-Cookie:x", nil, "301 https://www.example.com/%2F%0D%0ASet-Cookie:x"},
		{origin, nil, "GET https://example.com/a%2Fb?", nil, "301 https://www.example.com/a%2Fb?"},
		{origin, nil, "CONNECT https://example.com/", nil, "200 "},
		{"http://localhost:8080", nil, "GET http://localhost:8080/", nil, "200 "},
		{"http://localhost:8080", nil, "GET http://localhost/", nil, "301 http://localhost:8080/"},
		{"http://localhost:8080", nil, "GET https://localhost:8080/", nil, "301 http://localhost:8080/"},
		{"https://[2001:db8::1]", nil, "GET https://[2001:db8::1]/", nil, "200 "},
		// X-Forwarded-Proto, the peer being 10.0.0.1.
		{origin, nil, "GET http://www.example.com/", []string{"X-Forwarded-Proto: https"}, "301 https://www.example.com/"},
		{origin, &CanonicalOptions{TrustedProxies: proxies}, "GET http://www.example.com/", []string{"X-Forwarded-Proto: https"}, "200 "},
		{origin, &CanonicalOptions{TrustedProxies: proxies}, "GET http://www.example.com/", []string{"X-Forwarded-Proto: http, HTTPS"}, "200 "},
		{origin, &CanonicalOptions{TrustedProxies: proxies}, "GET http://www.example.com/", []string{"X-Forwarded-Proto: https", "X-Forwarded-Proto: http"}, "301 https://www.example.com/"},
		{origin, &CanonicalOptions{TrustedProxies: proxies}, "GET http://www.example.com/", []string{"X-Forwarded-Proto: wss"}, "200 "},
		{origin, &CanonicalOptions{TrustedProxies: proxies}, "GET http://www.example.com/", []string{"X-Forwarded-Proto: ws"}, "301 https://www.example.com/"},
		{origin, &CanonicalOptions{TrustedProxies: proxies}, "GET http://www.example.com/", nil, "301 https://www.example.com/"},
		{origin, &CanonicalOptions{TrustedProxies: prefixes("192.0.2.0/24")}, "GET http://www.example.com/", []string{"X-Forwarded-Proto: https"}, "301 https://www.example.com/"},
		{origin, &CanonicalOptions{Except: func(r *http.Request) bool { return r.URL.Path == "/healthz" }}, "GET http://10.0.0.9/healthz", nil, "200 "},
		{origin, &CanonicalOptions{Except: func(r *http.Request) bool { return r.URL.Path == "/healthz" }}, "GET http://10.0.0.9/", nil, "301 https://www.example.com/"},
	} {
		method, target, _ := strings.Cut(row.request, " ")
		scheme, rest, _ := strings.Cut(target, "://")
		host, path, _ := strings.Cut(rest, "/")
		u, err := url.ParseRequestURI("/" + path)
		if err != nil {
			t.Fatal(err)
		}
		r := newRequest(method, "/", row.headers...)
		r.Host, r.URL, r.RemoteAddr = host, u, "10.0.0.1:80"
		if scheme == "https" {
			r.TLS = new(tls.ConnectionState)
		}
		w := answer(Canonical(row.origin, row.options)(says("")), r)
		if got := fmt.Sprint(w.Code, " ", w.Header().Get("Location")); got != row.want {
			t.Errorf("%s to %s, %q: got %s, want %s", row.request, row.origin, row.headers, got, row.want)
		}
	}
	// A request for the server itself has no path to redirect.
	r := newRequest("OPTIONS", "/")
	r.URL = &url.URL{Path: "*"}
	if got := answer(Canonical(origin, nil)(says("")), r).Code; got != 200 {
		t.Errorf("OPTIONS *: got %d", got)
	}
}

func TestCanonicalPanics(t *testing.T) {
	for _, origin := range []string{"", "www.example.com", "https://", "https://a/", "https://a/b", "https://a?b", "https://a#b", "https://u@a", "ftp://a", "https://:80", "https://a:b", "//a", "https://a:", "https://bücher.example"} {
		checkPanics(t, map[string]func(){
			fmt.Sprintf("middleware: Canonical: %q is no origin; use a scheme and a host, as https://www.example.com", origin): func() { Canonical(origin, nil) },
		})
	}
	checkPanics(t, map[string]func(){
		"middleware: Canonical: TrustedProxies: prefix 1 of 1 is not valid; make it with netip.ParsePrefix, as 192.0.2.0/24": func() {
			Canonical("https://a", &CanonicalOptions{TrustedProxies: []netip.Prefix{{}}})
		},
	})
}

// FuzzCanonical: a redirect leads to the origin, whatever the request says.
func FuzzCanonical(f *testing.F) {
	f.Add("/a", "b=c", "example.com")
	f.Add("//evil.com/..", "", "evil.com")
	f.Add("/\r\nX: y", "\n", "a\nb")
	f.Fuzz(func(t *testing.T, path, query, host string) {
		r := newRequest("GET", "/")
		r.Host, r.URL = host, &url.URL{Path: path, RawQuery: query}
		location := answer(Canonical("https://www.example.com", nil)(says("")), r).Header().Get("Location")
		if location == "" {
			if plainHost(host, "http") != "www.example.com" && strings.HasPrefix(path, "/") {
				t.Errorf("%q, %q: no redirect", host, path)
			}
			return
		}
		if rest, ok := strings.CutPrefix(location, "https://www.example.com"); !ok || rest != "" && rest[0] != '/' && rest[0] != '?' {
			t.Errorf("%q, %q, %q: to %s", host, path, query, location)
		}
	})
}
