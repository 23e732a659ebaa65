// Package requestline reads a method and a URL, as somebody types them, into the request
// that a server would read.
package requestline

import (
	"bufio"
	"crypto/tls"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// ErrNoHost is the error of a URL that is not a path and has no host.
var ErrNoHost = errors.New("it has no host")

// Read returns the request that a server reads from a request line with a method, which
// is a token, and a target, and from header lines with their ends, Host among them:
//
//	/users/42?x=1                     asked of that host
//	http://api.example.com/users/42   as a proxy is asked; without a path it is /
//	example.com:443                   CONNECT only
//	*                                 the server itself
//
// CONNECT has no absolute form: of a URL it is given what follows "://". Of an https URL
// the request came over TLS. The error is ErrNoHost, a *url.Error, or what is wrong with
// the header.
func Read(method, target, header string) (*http.Request, error) {
	scheme, rest, absolute := strings.Cut(target, "://")
	absolute = absolute && !strings.ContainsAny(scheme, "/?")
	if method == http.MethodConnect && absolute {
		target = rest
	}
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(method + " " + target + " HTTP/1.1\r\n" + header + "\r\n")))
	if err != nil {
		return nil, err
	}
	if r.URL.Host == "" && !strings.HasPrefix(target, "/") && target != "*" {
		return nil, ErrNoHost
	}
	if r.URL.Path == "" && method != http.MethodConnect {
		r.URL.Path = "/" // RFC 9110 §4.2.3: as clients send it
	}
	if absolute && strings.EqualFold(scheme, "https") {
		r.TLS = &tls.ConnectionState{HandshakeComplete: true, ServerName: r.URL.Hostname()}
	}
	return r, nil
}

// Fault returns why a URL is invalid, given the error of Read.
func Fault(err error) string {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	if _, ok := errors.AsType[url.EscapeError](err); ok {
		return err.Error() + "; a percent sign itself is written %25"
	}
	return err.Error()
}

// IsToken reports whether s is a token of RFC 9110 §5.6.2, as a method and a header's
// name must be.
func IsToken(s string) bool {
	return s != "" && strings.Trim(s, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
