package middleware

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"

	"github.com/muxwell/muxwell/internal/clientaddr"
)

// A ClientIPStrategy says where the address of a request's client is read from. The
// zero ClientIPStrategy is that of [FromRemoteAddr].
type ClientIPStrategy struct {
	find func(r *http.Request) (netip.Addr, bool)
}

// ClientIP finds the address of each request's client, by one strategy, and puts it
// into the context; see [ClientIPFrom]. r.RemoteAddr stays the peer's. Addresses of
// IPv4 that are mapped to IPv6 are those of IPv4, and zones are dropped.
//
// Which strategy is right depends on what stands in front of the server, and only who
// runs it knows that: there is none that tries several headers, since a client can
// send those that the proxy does not set. All but [FromRemoteAddr] believe proxies
// that are named, and nobody else.
//
// Where the address is not known the request goes on without one. It stands outside
// of [RateLimit] and of what logs the address.
func ClientIP(from ClientIPStrategy) func(http.Handler) http.Handler {
	if from.find == nil {
		from = FromRemoteAddr()
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			addr, _ := from.find(r) // if it is not known, the zero Addr hides one from further out
			serveWith(&clientIPContext{r.Context(), addr}, next, w, r)
		})
	}
}

// ClientIPFrom returns the address that [ClientIP] has found for the request whose
// context ctx is or comes from. ok is false if it is not known.
func ClientIPFrom(ctx context.Context) (addr netip.Addr, ok bool) {
	if a, _ := ctx.Value(clientIPKey{}).(*netip.Addr); a != nil {
		addr = *a
	}
	return addr, addr.IsValid()
}

type clientIPKey struct{}

// A clientIPContext is what context.WithValue returns and the value, in one
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

// FromRemoteAddr takes the peer of the connection, for a server that clients reach
// without a proxy, or with one that hands the connection on as it is.
func FromRemoteAddr() ClientIPStrategy {
	return ClientIPStrategy{func(r *http.Request) (netip.Addr, bool) { return clientaddr.Parse(r.RemoteAddr) }}
}

// FromXForwardedFor takes the last address in X-Forwarded-For that is not that of a
// trusted proxy, or the first if all are; and the peer if it is not trusted, whatever
// the header says. If something that is no address comes before, from the right, the
// client is not known. The last 256 addresses there are read, and up to 255 bytes of
// each: if these do not decide, the client is not known either. Each proxy must append
// to the header, or set it.
//
// It panics if no proxy is trusted or all are, as with 0.0.0.0/0.
func FromXForwardedFor(trusted ...netip.Prefix) ClientIPStrategy {
	trusted = proxiesOf("FromXForwardedFor", trusted)
	return ClientIPStrategy{func(r *http.Request) (netip.Addr, bool) { return clientaddr.Of(r, trusted) }}
}

// FromForwarded is [FromXForwardedFor] for the for= parameters of the header
// Forwarded (RFC 7239). An element without one, or with a name such as unknown or
// _hidden, is no address.
func FromForwarded(trusted ...netip.Prefix) ClientIPStrategy {
	trusted = proxiesOf("FromForwarded", trusted)
	return ClientIPStrategy{func(r *http.Request) (netip.Addr, bool) { return forwardedClient(r, trusted) }}
}

// FromHeader takes the address that is the whole value of a header, as that of
// X-Real-IP or CF-Connecting-IP, if the peer is a trusted proxy, which must set it
// and remove what clients send. It takes the peer if that is not trusted, or has sent
// no such header: then the request is the proxy's own. If there are two, or no
// address is in it, the client is not known.
//
// It panics if name is no name of a header, and if no proxy is trusted or all are.
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

// proxiesOf returns the prefixes as addresses are compared with them. function is
// that of the caller.
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
