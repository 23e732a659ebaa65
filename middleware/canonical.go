package middleware

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/muxwell/muxwell/internal/clientaddr"
)

// CanonicalOptions are the options of [Canonical].
type CanonicalOptions struct {
	// TrustedProxies are those whose X-Forwarded-Proto says by which scheme the
	// client came; wss, which some send for WebSockets, is https. Without them only a
	// connection with TLS is https: behind a proxy that has the certificate every
	// request would be redirected, without an end.
	TrustedProxies []netip.Prefix
	// Except returns true for requests that are served under any name, as those for
	// /healthz, or below /.well-known/acme-challenge/.
	Except func(r *http.Request) bool
	// Temporary redirects with 307 in place of 301 and 308, which browsers keep.
	Temporary bool
}

// Canonical redirects requests for other hosts, or by the other scheme, to an origin,
// as https://www.example.com: those with GET and HEAD by 301, others by 308, which
// keeps method and body. Path and query stay. o may be nil.
//
// It judges before the router does, so that paths without a route are redirected too,
// and no route with a host gets the wrong one; it wraps the mux from outside:
//
//	http.ListenAndServe(addr, middleware.Canonical("https://www.example.com", nil)(m))
//
// Hosts are compared without case, final dot and the scheme's own port. CONNECT
// requests and those for * are passed on. Safe: Location is the origin, a slash, and
// the rest, whatever Host and X-Forwarded-Host say, and whatever [http.StripPrefix] or
// other handlers in front have left of the path. Not safe: what a client sent over
// http before it was redirected was sent in the clear; [SecureHeaders] has HSTS
// against it.
//
// Canonical panics if origin is anything but a scheme, http or https, and a host in
// ASCII with or without a port, and if a prefix is not valid.
func Canonical(origin string, o *CanonicalOptions) func(http.Handler) http.Handler {
	if o == nil {
		o = &CanonicalOptions{}
	}
	u, err := url.Parse(origin)
	if err != nil || !isOrigin(u) || origin != u.Scheme+"://"+u.Host {
		panic(fmt.Sprintf("middleware: Canonical: %q is not an origin; use a scheme and a host, such as https://www.example.com", origin))
	}
	trusted, reason := clientaddr.Clean(o.TrustedProxies)
	if reason != "" {
		panic("middleware: Canonical: TrustedProxies: " + reason)
	}
	c := &canonical{origin: origin, scheme: u.Scheme, host: plainHost(u.Host, u.Scheme), trusted: trusted, except: o.Except, temporary: o.Temporary}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if c.takes(r) {
				next.ServeHTTP(w, r)
				return
			}
			http.Redirect(w, r, c.location(r.URL), c.status(r.Method))
		})
	}
}

// isOrigin reports whether u has a scheme and a host that clients send as they are
// there: they leave out the colon of an empty port, and send other letters as xn--.
func isOrigin(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && !strings.HasSuffix(u.Host, ":") && isText(u.Host)
}

type canonical struct {
	origin, scheme, host string
	trusted              []netip.Prefix
	except               func(*http.Request) bool
	temporary            bool
}

// takes reports whether a request is to be served as it is.
func (c *canonical) takes(r *http.Request) bool {
	scheme := c.schemeOf(r)
	return scheme == c.scheme && plainHost(r.Host, scheme) == c.host ||
		r.Method == http.MethodConnect || r.URL.Path == "*" ||
		c.except != nil && c.except(r)
}

// schemeOf returns the scheme by which the client came.
func (c *canonical) schemeOf(r *http.Request) string {
	if lines := r.Header["X-Forwarded-Proto"]; len(lines) > 0 && len(c.trusted) > 0 {
		if peer, ok := clientaddr.Parse(r.RemoteAddr); ok && clientaddr.In(c.trusted, peer) {
			last := lines[len(lines)-1]
			switch strings.ToLower(strings.Trim(last[strings.LastIndexByte(last, ',')+1:], " \t")) {
			case "https", "wss":
				return "https"
			}
			return "http"
		}
	}
	if r.TLS != nil {
		return "https"
	}
	return "http"
}

// location returns the URL on the origin with the path and the query of u. The host
// ends at the slash after the origin: behind [http.StripPrefix] the escaped path may
// be "" or begin with anything, as %2F@ or :80, which would make another host.
func (c *canonical) location(u *url.URL) string {
	location := c.origin + "/" + strings.TrimPrefix(u.EscapedPath(), "/")
	if u.ForceQuery || u.RawQuery != "" {
		location += "?" + escapeQuery(u.RawQuery)
	}
	return location
}

// escapeQuery escapes what ends or breaks a query that is part of a URL: a number
// sign, which a request line may have in it, and control bytes.
func escapeQuery(query string) string {
	var b strings.Builder
	for i := range len(query) {
		if c := query[i]; c <= ' ' || c == 0x7f || c == '#' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func (c *canonical) status(method string) int {
	switch {
	case c.temporary:
		return http.StatusTemporaryRedirect
	case method == http.MethodGet || method == http.MethodHead:
		return http.StatusMovedPermanently
	}
	return http.StatusPermanentRedirect
}

// plainHost returns a host as it is compared: in lower case, without the final dot
// and the scheme's own port.
func plainHost(host, scheme string) string {
	port := ":80"
	if scheme == "https" {
		port = ":443"
	}
	return strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(host, port), "."))
}
