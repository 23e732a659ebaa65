package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/muxwell/muxwell/internal/requestline"
)

// parseRequest returns the request that a server reads from a request line with a method
// and a target, in the forms of [requestline.Read], and from header lines, each a name and
// a value. "//evil.com/x" is a path. If no line is a Host, that is localhost. The error is
// a [*usageError].
func parseRequest(method, target string, header ...[2]string) (*http.Request, error) {
	if !requestline.IsToken(method) {
		return nil, &usageError{reason: fmt.Sprintf("%q is not a method; METHOD comes before URL, as in GET /users/42", method)}
	}
	if reason := targetFault(method, target); reason != "" {
		return nil, &usageError{reason: fmt.Sprintf("URL %q: %s", target, reason)}
	}
	if n := countHost(header); n > 1 {
		return nil, &usageError{reason: fmt.Sprintf("a request has one Host, not %d; the URL may have it instead", n)}
	}
	r, err := requestline.Read(method, target, headerText(header))
	if errors.Is(err, requestline.ErrNoHost) {
		return nil, &usageError{reason: fmt.Sprintf("URL %q: it has no host; write http://api.example.com/users/42, or the path alone", target)}
	}
	if _, ok := errors.AsType[*url.Error](err); ok {
		return nil, &usageError{reason: fmt.Sprintf("URL %q: %s", target, requestline.Fault(err))}
	}
	if err != nil {
		return nil, &usageError{reason: "servers reject these headers: " + err.Error()}
	}
	return r, nil
}

// headerText returns header lines as they are sent, including a Host.
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
	case !requestline.IsToken(name):
		return h, fmt.Errorf("%q is not a valid header name", name)
	case strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }):
		return h, errors.New("the value has a control character, which servers reject")
	}
	return [2]string{name, value}, nil
}

// parseClient returns the address of a connection's peer in the form that a server has,
// with a port, from a text with or without a port.
func parseClient(text string) (remoteAddr string, err error) {
	peer, err := netip.ParseAddrPort(text)
	if err != nil {
		addr, err := netip.ParseAddr(text)
		if err != nil {
			return "", errors.New("write an IP address, such as 192.0.2.1 or 2001:db8::1")
		}
		peer = netip.AddrPortFrom(addr, 0)
	}
	return peer.String(), nil
}

// targetFault returns what is wrong with a target that servers reject or that was probably
// meant differently, or "".
func targetFault(method, target string) string {
	if target == "" {
		return `it is empty; for the root write "/"`
	}
	for i := range len(target) {
		if c := target[i]; c == ' ' || c < ' ' || c == 0x7f {
			return fmt.Sprintf("%q is not allowed in a URL; write %%%02X", c, c)
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
