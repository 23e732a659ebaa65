package middleware

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"

	"github.com/muxwell/muxwell/internal/clientaddr"
	"github.com/muxwell/muxwell/internal/compose"
)

// A ClientIPStrategy determines where the address of a request's client is read from.
// The zero ClientIPStrategy is that of [FromRemoteAddr].
type ClientIPStrategy struct {
	name    string // of the function that returned it
	find    func(r *http.Request, trusted []netip.Prefix) (netip.Addr, bool)
	trusted []netip.Prefix // nil for those of the mux
}

// ClientIP determines the address of each request's client, by one strategy, and stores
// it in the request's context; see [ClientIPFrom]. It does not change r.RemoteAddr.
// IPv4 addresses that are mapped to IPv6 become IPv4 addresses, and zones are dropped.
//
// Which strategy is right depends on the proxies in front of the server, which only its
// operator knows. So no strategy tries several headers: a client could send those that
// the proxy does not set. All strategies except [FromRemoteAddr] trust only the given
// proxies.
//
// If the address is unknown, the request is passed on without one. Put ClientIP outside
// of [RateLimit] and of middleware that logs the address.
func ClientIP(from ClientIPStrategy) func(http.Handler) http.Handler {
	if from.find == nil {
		from = FromRemoteAddr()
	}
	return func(next http.Handler) http.Handler {
		return newPart(func(c *compose.Chain) http.Handler {
			trusted := from.trusted
			if trusted == nil && from.name != "" {
				trusted = checkProxies(from.name, proxiesIn(c, next))
			}
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if trusted == nil && from.name != "" {
					panic("middleware: ClientIP: " + from.name + " has no proxies to trust; pass those of your servers, or use it in a mux that has them as its option TrustedProxies")
				}
				addr, _ := from.find(r, trusted) // if unknown, the zero Addr hides an address from middleware further out
				serveWith(&clientIPContext{r.Context(), addr}, next, w, r)
			})
		})
	}
}

// proxiesIn returns the proxies that the mux trusts that composes a chain or that is
// next, or nil.
func proxiesIn(c *compose.Chain, next http.Handler) []netip.Prefix {
	if m, ok := next.(interface{ TrustedProxies() []netip.Prefix }); ok && len(c.Proxies) == 0 {
		return m.TrustedProxies()
	}
	return c.Proxies
}

// ClientIPFrom returns the address that [ClientIP] has determined for the request whose
// context is ctx or a parent of ctx. ok is false if it is unknown.
func ClientIPFrom(ctx context.Context) (addr netip.Addr, ok bool) {
	if a, _ := ctx.Value(clientIPKey{}).(*netip.Addr); a != nil {
		addr = *a
	}
	return addr, addr.IsValid()
}

type clientIPKey struct{}

// A clientIPContext is like the result of context.WithValue, with the value in the same
// allocation.
type clientIPContext struct {
	context.Context
	addr netip.Addr
}

func (c *clientIPContext) Value(key any) any {
	if key == (clientIPKey{}) {
		return &c.addr
	}
	return c.Context.Value(key)
}

// FromRemoteAddr uses the peer of the connection. It is for a server that clients reach
// without a proxy, or through one that forwards connections unchanged.
func FromRemoteAddr() ClientIPStrategy {
	return ClientIPStrategy{find: func(r *http.Request, _ []netip.Prefix) (netip.Addr, bool) { return clientaddr.Parse(r.RemoteAddr) }}
}

// FromXForwardedFor uses the last address in X-Forwarded-For that is not that of a
// trusted proxy, or the first one if all are. If the peer is not trusted, it uses the
// peer, whatever the header contains. If, from the right, something that is not an
// address comes first, the client is unknown. The last 256 addresses are read, and up
// to 255 bytes of each; if these do not decide, the client is unknown too. Each proxy
// must append to the header, or set it.
//
// Without arguments it trusts the proxies of the mux that has the middleware or is
// wrapped in it; see muxwell.TrustedProxies. If there are none, requests panic. It
// panics itself if all addresses are trusted, as with 0.0.0.0/0.
func FromXForwardedFor(trusted ...netip.Prefix) ClientIPStrategy {
	return ClientIPStrategy{"FromXForwardedFor", clientaddr.Of, checkProxies("FromXForwardedFor", trusted)}
}

// FromForwarded is like [FromXForwardedFor] for the for= parameters of the header
// Forwarded (RFC 7239). An element without one, or with a name such as unknown or
// _hidden, does not count as an address.
func FromForwarded(trusted ...netip.Prefix) ClientIPStrategy {
	return ClientIPStrategy{"FromForwarded", forwardedClient, checkProxies("FromForwarded", trusted)}
}

// FromHeader uses the address that is the whole value of a header, such as X-Real-IP or
// CF-Connecting-IP, if the peer is a trusted proxy. The proxy must set the header and
// remove what clients send. If the peer is not trusted, or has not sent the header,
// FromHeader uses the peer; in the latter case the request is the proxy's own. If the
// header occurs twice or is not an address, the client is unknown.
//
// Without proxies it trusts those of the mux, as FromXForwardedFor does. It panics if
// name is not a valid header name, or if all addresses are trusted.
func FromHeader(name string, trusted ...netip.Prefix) ClientIPStrategy {
	trusted = checkProxies("FromHeader", trusted)
	if !isFieldName(name) {
		panic(fmt.Sprintf("middleware: FromHeader: %q is not a valid header name; use one such as X-Real-IP", name))
	}
	name = http.CanonicalHeaderKey(name)
	return ClientIPStrategy{"FromHeader", func(r *http.Request, trusted []netip.Prefix) (netip.Addr, bool) {
		peer, ok := clientaddr.Parse(r.RemoteAddr)
		if !ok || !clientaddr.In(trusted, peer) || len(r.Header[name]) == 0 {
			return peer, ok
		}
		return clientaddr.Parse(onlyValue(r.Header, name))
	}, trusted}
}

// checkProxies returns the prefixes in the form with which addresses are compared, or
// nil if there are none. function is the name of the caller, for panics.
func checkProxies(function string, prefixes []netip.Prefix) []netip.Prefix {
	if len(prefixes) == 0 {
		return nil
	}
	clean, reason := clientaddr.Clean(prefixes)
	for _, p := range clean {
		if p.Bits() == 0 {
			reason = p.String() + " trusts everybody, so clients could choose their addresses; pass those of your proxies"
		}
	}
	if reason != "" {
		panic("middleware: " + function + ": " + reason)
	}
	return clean
}
