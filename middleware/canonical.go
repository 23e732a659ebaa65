package middleware

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/muxwell/muxwell/internal/clientaddr"
	"github.com/muxwell/muxwell/internal/compose"
)

// CanonicalOptions are the options of [Canonical].
type CanonicalOptions struct {
	// TrustedProxies are the proxies whose X-Forwarded-Proto is trusted as the scheme
	// that the client used; wss, which some send for WebSockets, counts as https. If it is nil,
	// they are those of the mux that is wrapped; see muxwell.TrustedProxies.
	// Without trusted proxies only a connection with TLS is https. Then, behind a proxy
	// that terminates TLS, every request would be redirected endlessly.
	TrustedProxies []netip.Prefix
	// Except returns true for requests that are served on any host, such as those for
	// /healthz or below /.well-known/acme-challenge/.
	Except func(r *http.Request) bool
	// Temporary redirects with 307 instead of 301 and 308, which browsers cache.
	Temporary bool
}

// Canonical redirects requests for other hosts, or with the other scheme, to an origin
// such as https://www.example.com. GET and HEAD requests are redirected with 301,
// others with 308, which keeps method and body. Path and query are kept. o may be nil.
//
// Canonical must run before the router, so that paths without a route are redirected
// too and no route for a host gets requests for the wrong host. So wrap the mux with
// it:
//
//	http.ListenAndServe(addr, middleware.Canonical("https://www.example.com", nil)(m))
//
// The case of hosts, their final dot and the scheme's default port are ignored. CONNECT
// requests and requests for * are passed on.
//
// Safe: Location is the origin, a slash, and the rest, whatever Host and
// X-Forwarded-Host contain, and whatever [http.StripPrefix] or other handlers before it
// have left of the path. Not safe: what a client sent over http before it was
// redirected was not encrypted; HSTS prevents that, see [SecureHeaders].
//
// Canonical panics if origin is anything but a scheme, http or https, and a host in
// ASCII with or without a port, or if a prefix is not valid.
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
	if o.TrustedProxies != nil && trusted == nil {
		trusted = []netip.Prefix{} // none, whatever the mux trusts
	}
	site := canonical{origin: origin, scheme: u.Scheme, host: plainHost(u.Host, u.Scheme), trusted: trusted, except: o.Except, temporary: o.Temporary}
	return func(next http.Handler) http.Handler {
		return newPart(func(chain *compose.Chain) http.Handler {
			c := site
			if c.trusted == nil {
				c.trusted = proxiesIn(chain, next)
			}
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if c.takes(r) {
					next.ServeHTTP(w, r)
					return
				}
				http.Redirect(w, r, c.location(r.URL), c.status(r.Method))
			})
		})
	}
}

// isOrigin reports whether u has a scheme and a host in the form that clients send:
// they omit the colon of an empty port, and send non-ASCII letters as xn--.
func isOrigin(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && !strings.HasSuffix(u.Host, ":") && isText(u.Host)
}

type canonical struct {
	origin, scheme, host string
	trusted              []netip.Prefix
	except               func(*http.Request) bool
	temporary            bool
}

// takes reports whether a request is served without a redirect.
func (c *canonical) takes(r *http.Request) bool {
	scheme := c.schemeOf(r)
	return scheme == c.scheme && plainHost(r.Host, scheme) == c.host ||
		r.Method == http.MethodConnect || r.URL.Path == "*" ||
		c.except != nil && c.except(r)
}

// schemeOf returns the scheme that the client used.
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
// must end at the slash after the origin: behind [http.StripPrefix] the escaped path
// may be "" or begin with anything, such as %2F@ or :80, which would make another host.
func (c *canonical) location(u *url.URL) string {
	location := c.origin + "/" + strings.TrimPrefix(u.EscapedPath(), "/")
	if u.ForceQuery || u.RawQuery != "" {
		location += "?" + escapeQuery(u.RawQuery)
	}
	return location
}

// escapeQuery escapes bytes that would end or break a query in a URL: control bytes,
// and the number sign, which a request line may contain.
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

// plainHost returns a host in the form in which it is compared: in lower case, without
// the final dot and the scheme's default port.
func plainHost(host, scheme string) string {
	port := ":80"
	if scheme == "https" {
		port = ":443"
	}
	return strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(host, port), "."))
}
