package main

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// parseRequest returns the request that a server reads from a request line with
// a method and a target, and from header lines, name and value:
//
//	/users/42?x=1                     asked of the host localhost
//	http://api.example.com/users/42   as a proxy is asked; without a path it is /
//	example.com:443                   CONNECT only
//	*                                 the server itself
//
// "//evil.com/x" is a path. CONNECT has no absolute form: of a URL it is given
// what follows "://". Of an https URL the request came over TLS. One of the lines may
// be the Host. The error is a [*usageError].
func parseRequest(method, target string, header ...[2]string) (*http.Request, error) {
	if !isToken(method) {
		return nil, &usageError{reason: fmt.Sprintf("%q is not a method; METHOD comes before URL, as in GET /users/42", method)}
	}
	if reason := targetFault(method, target); reason != "" {
		return nil, &usageError{reason: fmt.Sprintf("URL %q: %s", target, reason)}
	}
	scheme, rest, absolute := strings.Cut(target, "://")
	absolute = absolute && !strings.ContainsAny(scheme, "/?")
	if method == http.MethodConnect && absolute {
		target = rest
	}
	if n := countHost(header); n > 1 {
		return nil, &usageError{reason: fmt.Sprintf("a request has one Host, not %d; the URL may have it, too", n)}
	}
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(method + " " + target + " HTTP/1.1\r\n" + headerText(header) + "\r\n")))
	if _, ok := errors.AsType[*url.Error](err); ok {
		return nil, &usageError{reason: fmt.Sprintf("URL %q: %s", target, urlFault(err))}
	}
	if err != nil {
		return nil, &usageError{reason: "no server reads these headers: " + err.Error()}
	}
	if r.URL.Host == "" && !strings.HasPrefix(target, "/") && target != "*" {
		return nil, &usageError{reason: fmt.Sprintf("URL %q: there is no host in it; write http://api.example.com/users/42, or the path alone", target)}
	}
	if r.URL.Path == "" && method != http.MethodConnect {
		r.URL.Path = "/" // RFC 9110 §4.2.3: as clients send it
	}
	if absolute && strings.EqualFold(scheme, "https") {
		r.TLS = &tls.ConnectionState{HandshakeComplete: true, ServerName: r.URL.Hostname()}
	}
	return r, nil
}

// headerText returns header lines as they are sent, with a Host among them.
func headerText(header [][2]string) string {
	var b strings.Builder
	if countHost(header) == 0 {
		b.WriteString("Host: localhost\r\n")
	}
	for _, h := range header {
		b.WriteString(h[0] + ": " + h[1] + "\r\n")
	}
	return b.String()
}

func countHost(header [][2]string) (n int) {
	for _, h := range header {
		if strings.EqualFold(h[0], "Host") {
			n++
		}
	}
	return n
}

// parseHeader returns the name and the value of a header line.
func parseHeader(line string) (h [2]string, err error) {
	name, value, ok := strings.Cut(line, ":")
	value = strings.Trim(value, " \t")
	switch {
	case !ok:
		return h, errors.New(`write NAME:VALUE, as in "Accept: application/json"`)
	case !isToken(name):
		return h, fmt.Errorf("%q cannot be a header's name", name)
	case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
		return h, errors.New("the value has a control character, which no server takes")
	}
	return [2]string{name, value}, nil
}

// parseClient returns the address of a connection's peer as a server has it, with
// a port, of one with or without.
func parseClient(text string) (remoteAddr string, err error) {
	peer, err := netip.ParseAddrPort(text)
	if err != nil {
		addr, err := netip.ParseAddr(text)
		if err != nil {
			return "", errors.New("write an IP address, as 192.0.2.1 or 2001:db8::1")
		}
		peer = netip.AddrPortFrom(addr, 0)
	}
	return peer.String(), nil
}

// targetFault returns what is wrong with a target that no server could read from
// a request line, or that was hardly meant as it is read; else "".
func targetFault(method, target string) string {
	if target == "" {
		return `it is empty; for the root write "/"`
	}
	for i := range len(target) {
		if c := target[i]; c == ' ' || c < ' ' || c == 0x7f {
			return fmt.Sprintf("%q cannot stand in a URL; write %%%02X", c, c)
		}
	}
	if target[0] == '/' || target == "*" || method == http.MethodConnect {
		return ""
	}
	if scheme, _, ok := strings.Cut(target, "://"); !ok || strings.ContainsAny(scheme, "/?#") {
		return fmt.Sprintf("neither a path nor an absolute URL; write %q or %q", "/"+target, "http://"+target)
	}
	return ""
}

// urlFault says why a URL could not be read.
func urlFault(err error) string {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	if _, ok := errors.AsType[url.EscapeError](err); ok {
		return err.Error() + "; a percent sign itself is written %25"
	}
	return err.Error()
}

// isToken reports whether s is a token of RFC 9110 §5.6.2, as a method must be.
func isToken(s string) bool {
	return s != "" && strings.Trim(s, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
