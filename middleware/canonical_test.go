package middleware

import (
	"bufio"
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
			fmt.Sprintf("middleware: Canonical: %q is not an origin; use a scheme and a host, such as https://www.example.com", origin): func() { Canonical(origin, nil) },
		})
	}
	checkPanics(t, map[string]func(){
		"middleware: Canonical: TrustedProxies: prefix 1 of 1 is not valid; make it with netip.ParsePrefix, as in 192.0.2.0/24": func() {
			Canonical("https://a", &CanonicalOptions{TrustedProxies: []netip.Prefix{{}}})
		},
	})
}

// TestCanonicalStaysOnOrigin sends request lines as they come from a connection
// through handlers in front of Canonical that change the path.
func TestCanonicalStaysOnOrigin(t *testing.T) {
	fronts := map[string]func(http.Handler) http.Handler{
		"none":            func(h http.Handler) http.Handler { return h },
		"StripPrefix":     func(h http.Handler) http.Handler { return http.StripPrefix("/app", h) },
		"StripPrefix one": func(h http.Handler) http.Handler { return http.StripPrefix("/", h) },
		"path only": func(h http.Handler) http.Handler { // RawPath does not fit
			return changeURL(h, func(u *url.URL) { u.Path = strings.TrimPrefix(u.Path, "/app") })
		},
		"raw path only": func(h http.Handler) http.Handler {
			return changeURL(h, func(u *url.URL) { u.RawPath = strings.TrimPrefix(u.EscapedPath(), "/app") })
		},
		"opaque": func(h http.Handler) http.Handler {
			return changeURL(h, func(u *url.URL) { u.Opaque = u.EscapedPath() })
		},
	}
	redirects := 0
	for _, tail := range []string{
		"", "/", "/x", "//", "//evil.com/x", "///evil.com", "%2F@evil.com/x", "%2f@evil.com", "%2F%2Fevil.com", "%2F:80@evil.com/x", "%2F.evil.com/x",
		"@evil.com/x", ":80@evil.com/x", ":80", ":evil", ".evil.com/x", "evil.com", "-evil.com", "%40evil.com", "%3A80", "%2Eevil.com", "%00@evil.com", "%09/evil.com", "%0D%0AX:%20y",
		`\@evil.com`, `\\evil.com`, `/\evil.com`, "%5C@evil.com", "/%5Cevil.com", "*", "%2A", "é", "\x80@evil.com", "%zz@evil.com", "%2F%zz@evil.com",
		"?@evil.com/x", "?//evil.com", "/?a#@evil.com", "/#@evil.com", "#@evil.com", "#%zz", "?",
	} {
		for _, target := range []string{"/app" + tail, tail, "/" + tail, "http://evil.com/app" + tail, "http://u:p@evil.com" + tail, "http:evil.com/app" + tail, "http:///app" + tail} {
			for front, wrap := range fronts {
				r, err := http.ReadRequest(bufio.NewReader(strings.NewReader("GET " + target + " HTTP/1.1\r\nHost: example.com\r\n\r\n")))
				if err != nil {
					continue // the server answers 400
				}
				w := answer(wrap(Canonical("https://www.example.com", nil)(says(""))), r)
				location := w.Header().Get("Location")
				if location == "" {
					continue
				}
				redirects++
				if why := offOrigin(location, "https", "www.example.com"); why != "" {
					t.Errorf("GET %s behind %s: Location %q: %s", target, front, location, why)
				}
			}
		}
	}
	if redirects < 1000 {
		t.Errorf("%d redirects, want 1000 at least", redirects)
	}
}

// changeURL calls h with a URL that change has changed.
func changeURL(h http.Handler, change func(*url.URL)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r2, u := *r, *r.URL
		change(&u)
		r2.URL = &u
		h.ServeHTTP(w, &r2)
	})
}

// offOrigin returns why a Location may lead elsewhere than to an origin, or "".
func offOrigin(location, scheme, host string) string {
	u, err := url.Parse(location)
	if err != nil {
		return err.Error()
	}
	if u.Scheme != scheme || u.Host != host || u.User != nil || u.Opaque != "" {
		return "net/url reads " + u.Scheme + ", " + u.Host
	}
	// As browsers read it: tabs and line breaks are left out, control bytes and
	// spaces in front too, and a backslash is a slash.
	text := strings.NewReplacer("\t", "", "\r", "", "\n", "", `\`, "/").Replace(location)
	text = strings.TrimLeftFunc(text, func(r rune) bool { return r <= ' ' })
	read, rest, _ := strings.Cut(text, ":")
	rest = strings.TrimLeft(rest, "/")
	if at := strings.IndexAny(rest, "/?#"); at >= 0 {
		rest = rest[:at]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	if !strings.EqualFold(read, scheme) || !strings.EqualFold(rest, host) {
		return "a browser reads " + read + ", " + rest
	}
	// As what knows less reads it: the host ends at the first slash, or not at all.
	if !strings.HasPrefix(location, scheme+"://"+host+"/") {
		return "no slash follows the host"
	}
	return ""
}

func TestOffOrigin(t *testing.T) {
	for location, off := range map[string]bool{
		"https://a.example/":                   false,
		"https://a.example/?@evil.com":         false,
		"https://a.example//evil.com":          false,
		"https://a.example/%2F@evil.com":       false,
		"https://a.example%2F@evil.com/":       true,
		"https://a.example@evil.com/":          true,
		"https://u@a.example/":                 true,
		"https://a.example.evil.com/":          true,
		"https://a.example:80/":                true,
		"https://a.example":                    true,
		"https://a.example?@evil.com/":         true,
		`https://a.example\@evil.com/`:         true,
		"https://evil.com/a.example/":          true,
		"https:///evil.com/":                   true,
		"http://a.example/":                    true,
		"//a.example/":                         true,
		"/":                                    true,
		"":                                     true,
		"https://a.example/\n":                 true,
		"https://a.example/#@%zz":              true,
		"https:/\t/evil.com/https://a.example": true,
	} {
		if why := offOrigin(location, "https", "a.example"); (why != "") != off {
			t.Errorf("%q: got %q, want off the origin: %v", location, why, off)
		}
	}
}

// TestCanonicalLocation: the path begins with a slash, and what it says is kept.
func TestCanonicalLocation(t *testing.T) {
	for _, row := range []struct {
		url  url.URL
		want string // "" if the request is passed on
	}{
		{url.URL{Path: "/a b", RawQuery: "c=d"}, "/a%20b?c=d"},
		{url.URL{Path: "/a/b", RawPath: "/a%2Fb"}, "/a%2Fb"},
		{url.URL{Path: "//@evil.com", RawPath: "%2F/@evil.com"}, "/%2F/@evil.com"},
		{url.URL{Path: "/@evil.com", RawPath: "%2F@evil.com"}, "/%2F@evil.com"},
		{url.URL{Path: "/@evil.com", RawPath: "@evil.com"}, "/@evil.com"}, // RawPath is of another path
		{url.URL{Path: "foo"}, "/foo"},
		{url.URL{Path: "@evil.com"}, "/@evil.com"},
		{url.URL{Path: ":80"}, "/:80"},
		{url.URL{}, "/"},
		{url.URL{RawQuery: "@evil.com"}, "/?@evil.com"},
		{url.URL{ForceQuery: true}, "/?"},
		{url.URL{Opaque: "@evil.com/"}, "/"},
		{url.URL{Scheme: "http", Host: "evil.com", User: url.User("u"), Path: "/x"}, "/x"},
		{url.URL{Path: "/", RawQuery: "a#b\r\nc\x7f"}, "/?a%23b%0D%0Ac%7F"},
		{url.URL{Path: "/", Fragment: "b"}, "/"},
		{url.URL{Path: "*"}, ""},
	} {
		r := newRequest("GET", "/")
		r.URL = &row.url
		want := row.want
		if want != "" {
			want = "https://www.example.com" + want
		}
		if got := answer(Canonical("https://www.example.com", nil)(says("")), r).Header().Get("Location"); got != want {
			t.Errorf("%#v: got Location %q, want %q", row.url, got, want)
		}
	}
}

// FuzzCanonical: a redirect leads to the origin, whatever the request and handlers
// in front have made of its URL.
func FuzzCanonical(f *testing.F) {
	f.Add("/a", "", "", "b=c", "example.com")
	f.Add("//evil.com/..", "//evil.com/%2E.", "", "", "evil.com")
	f.Add("/@evil.com/x", "%2F@evil.com/x", "", "", "evil.com")
	f.Add("@evil.com", "", "@evil.com", "#@", "www.example.com")
	f.Add("/\r\nX: y", "", "", "\n", "a\nb")
	f.Fuzz(func(t *testing.T, path, raw, opaque, query, host string) {
		r := newRequest("GET", "/")
		r.Host, r.URL = host, &url.URL{Path: path, RawPath: raw, Opaque: opaque, RawQuery: query}
		location := answer(Canonical("https://www.example.com", nil)(says("")), r).Header().Get("Location")
		if location == "" {
			if path != "*" { // over http, so it is never the origin
				t.Errorf("%q, %#v: no redirect", host, r.URL)
			}
			return
		}
		if why := offOrigin(location, "https", "www.example.com"); why != "" {
			t.Errorf("%q, %#v: to %q: %s", host, r.URL, location, why)
		}
	})
}
