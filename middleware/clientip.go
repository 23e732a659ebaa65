package middleware

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"

	"github.com/muxwell/muxwell/internal/clientaddr"
)

// A ClientIPStrategy determines where the address of a request's client is read from.
// The zero ClientIPStrategy is that of [FromRemoteAddr].
type ClientIPStrategy struct {
	find func(r *http.Request) (netip.Addr, bool)
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
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			addr, _ := from.find(r) // if unknown, the zero Addr hides an address from middleware further out
			serveWith(&clientIPContext{r.Context(), addr}, next, w, r)
		})
	}
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
	return ClientIPStrategy{func(r *http.Request) (netip.Addr, bool) { return clientaddr.Parse(r.RemoteAddr) }}
}

// FromXForwardedFor uses the last address in X-Forwarded-For that is not that of a
// trusted proxy, or the first one if all are. If the peer is not trusted, it uses the
// peer, whatever the header contains. If, from the right, something that is not an
// address comes first, the client is unknown. The last 256 addresses are read, and up
// to 255 bytes of each; if these do not decide, the client is unknown too. Each proxy
// must append to the header, or set it.
//
// It panics if no proxy is trusted or all addresses are, as with 0.0.0.0/0.
func FromXForwardedFor(trusted ...netip.Prefix) ClientIPStrategy {
	trusted = proxiesOf("FromXForwardedFor", trusted)
	return ClientIPStrategy{func(r *http.Request) (netip.Addr, bool) { return clientaddr.Of(r, trusted) }}
}

// FromForwarded is like [FromXForwardedFor] for the for= parameters of the header
// Forwarded (RFC 7239). An element without one, or with a name such as unknown or
// _hidden, does not count as an address.
func FromForwarded(trusted ...netip.Prefix) ClientIPStrategy {
	trusted = proxiesOf("FromForwarded", trusted)
	return ClientIPStrategy{func(r *http.Request) (netip.Addr, bool) { return forwardedClient(r, trusted) }}
}

// FromHeader uses the address that is the whole value of a header, such as X-Real-IP or
// CF-Connecting-IP, if the peer is a trusted proxy. The proxy must set the header and
// remove what clients send. If the peer is not trusted, or has not sent the header,
// FromHeader uses the peer; in the latter case the request is the proxy's own. If the
// header occurs twice or is not an address, the client is unknown.
//
// It panics if name is not a valid header name, or if no proxy is trusted or all
// addresses are.
func FromHeader(name string, trusted ...netip.Prefix) ClientIPStrategy {
	trusted = proxiesOf("FromHeader", trusted)
	if !isFieldName(name) {
		panic(fmt.Sprintf("middleware: FromHeader: %q is not a valid header name; use one such as X-Real-IP", name))
	}
	name = http.CanonicalHeaderKey(name)
	return ClientIPStrategy{func(r *http.Request) (netip.Addr, bool) {
		peer, ok := clientaddr.Parse(r.RemoteAddr)
		if !ok || !clientaddr.In(trusted, peer) || len(r.Header[name]) == 0 {
			return peer, ok
		}
		return clientaddr.Parse(onlyValue(r.Header, name))
	}}
}

// proxiesOf returns the prefixes in the form with which addresses are compared.
// function is the name of the caller, for panics.
func proxiesOf(function string, prefixes []netip.Prefix) []netip.Prefix {
	clean, reason := clientaddr.Clean(prefixes)
	if reason == "" && len(clean) == 0 {
		reason = "no proxy is trusted; pass the addresses of your proxies, such as 10.0.0.0/8, or use FromRemoteAddr"
	}
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
