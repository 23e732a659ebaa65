package matcher

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/muxwell/muxwell/internal/clientaddr"
)

// AddSchemes adds the matcher of an option Schemes.
func (s *Set) AddSchemes(schemes []string) error {
	text := OptionText("Schemes", schemes)
	switch {
	case len(schemes) == 0:
		return matchErrorf(text, `no scheme; write "http" or "https", or omit the option for both`)
	case s.Schemes != nil:
		return matchErrorf(text, "the route already has Schemes; list all schemes in one option")
	}
	for _, scheme := range schemes {
		name := knownScheme(scheme)
		if name == "" {
			return matchErrorf(text, `unknown scheme %q; write "http" or "https"`, scheme)
		}
		s.Schemes = append(s.Schemes, name)
	}
	want := s.Schemes
	s.add(Matcher{
		Text:  text,
		check: func(r *http.Request, proxies []netip.Prefix) bool { return slices.Contains(want, Scheme(r, proxies)) },
		Satisfy: func(r *http.Request, way int) {
			r.TLS = nil
			if want[way%len(want)] == "https" {
				r.TLS = new(tls.ConnectionState)
			}
		},
		Miss: func(r *http.Request, proxies []netip.Prefix) string {
			return fmt.Sprintf("scheme is %s, not %s", Scheme(r, proxies), strings.Join(want, " or "))
		},
	})
	return nil
}

// Scheme returns the scheme that the client used for a request, "http" or "https".
func Scheme(r *http.Request, proxies []netip.Prefix) string {
	if lines := r.Header["X-Forwarded-Proto"]; len(lines) > 0 && len(proxies) > 0 {
		if peer, ok := clientaddr.Parse(r.RemoteAddr); ok && clientaddr.In(proxies, peer) {
			if s := forwardedScheme(lastElement(lines[len(lines)-1])); s != "" {
				return s
			}
		}
	}
	if r.TLS != nil {
		return "https"
	}
	return "http"
}

// lastElement returns the text after the last comma of a list, without spaces around
// it, or "" if that is longer than any scheme with some spaces.
func lastElement(list string) string {
	const most = 64 // bytes, so that a long one costs no more
	end := list[max(0, len(list)-most-len(",")):]
	comma := strings.LastIndexByte(end, ',')
	if comma < 0 && len(list) > most {
		return ""
	}
	return strings.Trim(end[comma+1:], " \t")
}

// forwardedScheme is knownScheme for values from proxies, some of which send ws or wss
// as the scheme of a WebSocket's handshake.
func forwardedScheme(s string) string {
	switch {
	case len(s) == len("ws") && strings.EqualFold(s, "ws"):
		return "http"
	case len(s) == len("wss") && strings.EqualFold(s, "wss"):
		return "https"
	}
	return knownScheme(s)
}

// knownScheme returns s in lower case if it is a scheme of HTTP, otherwise "".
func knownScheme(s string) string {
	switch {
	case len(s) == len("http") && strings.EqualFold(s, "http"):
		return "http"
	case len(s) == len("https") && strings.EqualFold(s, "https"):
		return "https"
	}
	return ""
}
