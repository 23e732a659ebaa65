package middleware

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// headersOf returns headers as sorted lines, but for those that the recorder sets.
func headersOf(h http.Header) string {
	var lines []string
	for name, values := range h {
		if name != "Content-Type" {
			lines = append(lines, fmt.Sprintf("%s: %s", name, strings.Join(values, " | ")))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func TestSecureHeaders(t *testing.T) {
	const common = "Cross-Origin-Opener-Policy: same-origin\nReferrer-Policy: strict-origin-when-cross-origin\n"
	for _, row := range []struct {
		name    string
		options *SecureHeadersOptions
		tls     bool
		want    string
	}{
		{"default", nil, true, "Content-Security-Policy: frame-ancestors 'none'\n" + common + "X-Content-Type-Options: nosniff\nX-Frame-Options: DENY"},
		{"own frames", &SecureHeadersOptions{FrameAncestors: "'self'"}, false, "Content-Security-Policy: frame-ancestors 'self'\n" + common + "X-Content-Type-Options: nosniff\nX-Frame-Options: SAMEORIGIN"},
		{
			"frames of others and a policy", &SecureHeadersOptions{FrameAncestors: "https://a.example", Policy: "default-src 'self'"}, false,
			"Content-Security-Policy: default-src 'self'; frame-ancestors https://a.example\n" + common + "X-Content-Type-Options: nosniff",
		},
		{
			"as little as possible", &SecureHeadersOptions{FrameAncestors: "-", Policy: "-", ReferrerPolicy: "-", OpenerPolicy: "-", ResourcePolicy: "-", PermissionsPolicy: "-"}, false,
			"X-Content-Type-Options: nosniff",
		},
		{
			"all", &SecureHeadersOptions{ReferrerPolicy: "no-referrer", OpenerPolicy: "unsafe-none", ResourcePolicy: "same-site", PermissionsPolicy: "camera=()", HSTS: time.Hour}, true,
			"Content-Security-Policy: frame-ancestors 'none'\nCross-Origin-Opener-Policy: unsafe-none\nCross-Origin-Resource-Policy: same-site\n" +
				"Permissions-Policy: camera=()\nReferrer-Policy: no-referrer\nStrict-Transport-Security: max-age=3600\nX-Content-Type-Options: nosniff\nX-Frame-Options: DENY",
		},
	} {
		r := newRequest("GET", "/")
		if row.tls {
			r.TLS = new(tls.ConnectionState)
		}
		if got := headersOf(answer(SecureHeaders(row.options)(says("")), r).Header()); got != row.want {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", row.name, got, row.want)
		}
	}
}

func TestSecureHeadersHSTS(t *testing.T) {
	year := SecureHeadersOptions{HSTS: 365 * 24 * time.Hour, HSTSSubdomains: true}
	proxy := year
	proxy.HSTSBehindProxy = true
	const want = "max-age=31536000; includeSubDomains"
	for _, row := range []struct {
		options SecureHeadersOptions
		tls     bool
		want    string
	}{{year, true, want}, {year, false, ""}, {proxy, true, want}, {proxy, false, want}, {SecureHeadersOptions{HSTSSubdomains: true}, true, ""}} {
		r := newRequest("GET", "/")
		if row.tls {
			r.TLS = new(tls.ConnectionState)
		}
		if got := answer(SecureHeaders(&row.options)(says("")), r).Header().Get("Strict-Transport-Security"); got != row.want {
			t.Errorf("%+v: got %q", row, got)
		}
	}
}

// TestSecureHeadersAreTheResponses: what one handler does to them, another does not
// see.
func TestSecureHeadersAreTheResponses(t *testing.T) {
	h := SecureHeaders(nil)(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		if got := h["X-Frame-Options"]; len(got) != 1 || got[0] != "DENY" {
			t.Errorf("got %q", got)
		}
		h["X-Frame-Options"][0] = "changed"
		h.Add("X-Frame-Options", "added")
		if got := h.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("the next header is %q", got)
		}
	}))
	for range 2 {
		answer(h, newRequest("GET", "/"))
	}
}

func TestSecureHeadersPanics(t *testing.T) {
	checkPanics(t, map[string]func(){
		`middleware: SecureHeaders: Referrer-Policy is "a\nb"; use printable ASCII`: func() { SecureHeaders(&SecureHeadersOptions{ReferrerPolicy: "a\nb"}) },
		"middleware: SecureHeaders: HSTS is -1ns; use 0 to omit it":                 func() { SecureHeaders(&SecureHeadersOptions{HSTS: -1}) },
	})
}
