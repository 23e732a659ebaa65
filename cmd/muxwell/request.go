package main

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// parseRequest returns the request that a server reads from a request line with
// a method and a target:
//
//	/users/42?x=1                     asked of the host localhost
//	http://api.example.com/users/42   as a proxy is asked; without a path it is /
//	example.com:443                   CONNECT only
//	*                                 the server itself
//
// "//evil.com/x" is a path. CONNECT has no absolute form: of a URL it is given
// what follows "://". The error is a [*usageError].
func parseRequest(method, target string) (*http.Request, error) {
	if !isToken(method) {
		return nil, &usageError{reason: fmt.Sprintf("%q is not a method; METHOD comes before URL, as in GET /users/42", method)}
	}
	if reason := targetFault(method, target); reason != "" {
		return nil, &usageError{reason: fmt.Sprintf("URL %q: %s", target, reason)}
	}
	if scheme, rest, ok := strings.Cut(target, "://"); method == http.MethodConnect && ok && !strings.ContainsAny(scheme, "/?") {
		target = rest
	}
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n")))
	if err != nil {
		return nil, &usageError{reason: fmt.Sprintf("URL %q: %s", target, urlFault(err))}
	}
	if r.URL.Host == "" && !strings.HasPrefix(target, "/") && target != "*" {
		return nil, &usageError{reason: fmt.Sprintf("URL %q: there is no host in it; write http://api.example.com/users/42, or the path alone", target)}
	}
	if r.URL.Path == "" && method != http.MethodConnect {
		r.URL.Path = "/" // RFC 9110 §4.2.3: as clients send it
	}
	return r, nil
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
