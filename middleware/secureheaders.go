package middleware

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// SecureHeadersOptions are the options of [SecureHeaders]. An empty text means the
// default, and "-" omits the header.
type SecureHeadersOptions struct {
	// FrameAncestors lists the sites that may show the pages in a frame, such as
	// "'self' https://example.com". The default is 'none'.
	FrameAncestors string
	// Policy is the rest of Content-Security-Policy, such as "default-src 'self'". The
	// default is none.
	Policy string
	// ReferrerPolicy is Referrer-Policy. The default is
	// strict-origin-when-cross-origin.
	ReferrerPolicy string
	// OpenerPolicy is Cross-Origin-Opener-Policy. The default is same-origin, with
	// which windows of other sites, such as those of a login, lose their opener.
	OpenerPolicy string
	// ResourcePolicy is Cross-Origin-Resource-Policy, such as same-origin. The default
	// is none, since it keeps other sites from showing images.
	ResourcePolicy string
	// PermissionsPolicy is Permissions-Policy, such as "camera=(), microphone=()". The
	// default is none.
	PermissionsPolicy string
	// HSTS is the time for which browsers must use https only, sent in answers over TLS
	// (RFC 6797). By default the header is not sent, since it cannot be revoked before
	// that time.
	HSTS time.Duration
	// HSTSSubdomains extends it to all subdomains.
	HSTSSubdomains bool
	// HSTSBehindProxy also sends HSTS without TLS, for a server behind a proxy that
	// terminates TLS. Browsers ignore it over http.
	HSTSBehindProxy bool
}

// SecureHeaders sets headers that restrict what browsers do for other sites:
//
//	X-Content-Type-Options        nosniff
//	X-Frame-Options               DENY, or SAMEORIGIN; omitted if only the next one can express it
//	Content-Security-Policy       frame-ancestors 'none'
//	Referrer-Policy               strict-origin-when-cross-origin
//	Cross-Origin-Opener-Policy    same-origin
//
// and others that options add. A handler may set or remove any of them. They are set
// before the handler runs, so errors have them too. o may be nil.
//
// Not safe: by themselves these headers prevent neither injection, for which there is
// Policy with a nonce that the handler makes, nor forged requests, see
// [http.CrossOriginProtection].
//
// SecureHeaders panics if a text has characters other than printable ASCII, or if HSTS
// is negative.
func SecureHeaders(o *SecureHeadersOptions) func(http.Handler) http.Handler {
	if o == nil {
		o = &SecureHeadersOptions{}
	}
	if o.HSTS < 0 {
		panic(fmt.Sprintf("middleware: SecureHeaders: HSTS is %s; use 0 to omit it", o.HSTS))
	}
	always := secureHeaders(o)
	overTLS := always
	if o.HSTS > 0 {
		hsts := "max-age=" + strconv.FormatInt(wholeSeconds(o.HSTS), 10)
		if o.HSTSSubdomains {
			hsts += "; includeSubDomains"
		}
		overTLS = append(overTLS[:len(overTLS):len(overTLS)], header{"Strict-Transport-Security", hsts})
	}
	if o.HSTSBehindProxy {
		always = overTLS
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			headers := always
			if r.TLS != nil {
				headers = overTLS
			}
			setHeaders(w.Header(), headers)
			next.ServeHTTP(w, r)
		})
	}
}

// A header is a name in canonical form, and a value.
type header struct{ name, value string }

// setHeaders sets headers with one allocation. The slices belong to the response, which
// may change them.
func setHeaders(h http.Header, headers []header) {
	lines := make([]string, len(headers))
	for i, header := range headers {
		lines[i] = header.value
		h[header.name] = lines[i : i+1 : i+1]
	}
}

// secureHeaders returns the headers for the options, except HSTS.
func secureHeaders(o *SecureHeadersOptions) (all []header) {
	add := func(name, value, byDefault string) {
		switch {
		case !isText(value):
			panic(fmt.Sprintf("middleware: SecureHeaders: %s is %q; use printable ASCII", name, value))
		case value == "":
			value = byDefault
		}
		if value != "" && value != "-" {
			all = append(all, header{name, value})
		}
	}
	frame, policy := o.FrameAncestors, o.Policy
	if policy == "-" {
		policy = ""
	}
	switch frame {
	case "", "'none'":
		frame = "'none'"
		add("X-Frame-Options", "DENY", "")
	case "'self'":
		add("X-Frame-Options", "SAMEORIGIN", "")
	}
	if frame != "-" {
		if policy != "" {
			policy += "; "
		}
		policy += "frame-ancestors " + frame
	}
	add("X-Content-Type-Options", "nosniff", "")
	add("Content-Security-Policy", policy, "")
	add("Referrer-Policy", o.ReferrerPolicy, "strict-origin-when-cross-origin")
	add("Cross-Origin-Opener-Policy", o.OpenerPolicy, "same-origin")
	add("Cross-Origin-Resource-Policy", o.ResourcePolicy, "")
	add("Permissions-Policy", o.PermissionsPolicy, "")
	return all
}
