package muxtest

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/muxwell/muxwell/internal/tests/random"
)

// RandomPattern returns a pattern; few texts and names, so that patterns meet.
func RandomPattern(src random.Source, methods, hosts []string) string {
	var b strings.Builder
	b.WriteString(random.Pick(src, methods...))
	if b.Len() > 0 {
		b.WriteByte(' ')
	}
	b.WriteString(random.Pick(src, hosts...))
	names := []string{"x", "y", "z", "longer_name", "w"}
	for i := range 1 + src.IntN(4) {
		b.WriteByte('/')
		switch k := src.IntN(12); {
		case k < 4:
			b.WriteString(random.Pick(src, "a", "b", "c"))
		case k < 5:
			b.WriteString(random.Pick(src, "a%2Fb", "%61", "x%20y", "subscriptions", "subscribers", "commit_activity_of_it", "..x", ".w", "p:q", "a%zz"))
		case k < 10:
			b.WriteString("{" + names[i] + "}")
		case k == 10:
			b.WriteString("{" + names[i] + "...}")
			return b.String()
		default:
			b.WriteString("{$}")
			return b.String()
		}
	}
	if src.IntN(3) == 0 {
		b.WriteByte('/')
	}
	return b.String()
}

// RandomPath returns the path of a request line.
func RandomPath(src random.Source) string {
	var b strings.Builder
	for range 1 + src.IntN(5) {
		b.WriteByte('/')
		switch k := src.IntN(20); {
		case k < 14:
			b.WriteString(random.Pick(src, "a", "b", "c"))
		case k < 16:
			b.WriteString(random.Pick(src, "subscriptions", "subscribers", "commit_activity_of_it", "commit_activity_of_us", "..x", ".w", "p:q", "long-"+strings.Repeat("x", 60)))
		case k < 18:
			b.WriteString(random.Pick(src, "%61", "x%20y", "a%2Fb", "a%2fb", "%2e%2e", "%2E", "a%25zz", "%5C", "%00", "é", "a;b", "a%21", "%2F"))
		default:
			b.WriteString(random.Pick(src, "", "", ".", ".."))
		}
	}
	if src.IntN(4) == 0 {
		b.WriteByte('/')
	}
	return b.String()
}

// RandomRequest returns a request as a server reads it from a connection, or nil
// if it would refuse it.
func RandomRequest(src random.Source, methods, hosts []string) *http.Request {
	return RandomRequestFor(src, RandomPath(src), methods, hosts)
}

// RandomRequestFor is RandomRequest for a path.
func RandomRequestFor(src random.Source, target string, methods, hosts []string) *http.Request {
	method := random.Pick(src, methods...)
	if src.IntN(5) == 0 {
		target += random.Pick(src, "?", "?q=1", "?q=/../a%2F&é", "?a=\\b")
	}
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return nil
	}
	r := &http.Request{Method: method, URL: u, Host: random.Pick(src, hosts...), RequestURI: target, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}}
	if method == "CONNECT" {
		r.URL.Host = random.Pick(src, hosts...)
	}
	return r
}
