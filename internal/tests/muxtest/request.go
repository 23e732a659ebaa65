package muxtest

import (
	"crypto/tls"
	"net/http"
	"strings"
)

// MatcherRequest returns the request of a line, parts of which are between bars:
//
//	/path?query | Name: value | peer 192.0.2.1:80 | tls | body
func MatcherRequest(line string) *http.Request {
	parts := strings.Split(line, " | ")
	r := NewRequest("GET", parts[0])
	r.RemoteAddr = "192.0.2.1:1234"
	for _, part := range parts[1:] {
		name, value, _ := strings.Cut(part, ":")
		switch {
		case strings.HasPrefix(part, "peer "):
			r.RemoteAddr = strings.TrimPrefix(part, "peer ")
		case part == "tls":
			r.TLS = new(tls.ConnectionState)
		case part == "body":
			r.ContentLength = -1
		default:
			r.Header.Add(name, strings.TrimPrefix(value, " "))
		}
	}
	return r
}
