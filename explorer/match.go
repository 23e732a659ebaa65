package explorer

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/muxwell/muxwell"
)

// maxURL is the length of the longest URL that is explained.
const maxURL = 8 << 10

// An explanation is a [muxwell.Explanation] as JSON, and as the page shows it.
type explanation struct {
	Method   string      `json:"method"`
	Host     string      `json:"host"`
	Path     string      `json:"path"`
	Route    *routeRef   `json:"route"` // nil if none takes the request
	Params   []param     `json:"params"`
	Status   int         `json:"status"` // what the mux answers itself, or 0
	Location string      `json:"location"`
	Allow    []string    `json:"allow"`
	Others   []candidate `json:"others"`
}

// A routeRef says which route is meant.
type routeRef struct {
	Pattern string `json:"pattern"`
	Source  string `json:"source"`
}

type param struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// A candidate is a route that did not get a request.
type candidate struct {
	routeRef
	Matched bool   `json:"matched"`
	Reason  string `json:"reason"`
}

// StatusText returns the status as text.
func (e *explanation) StatusText() string { return http.StatusText(e.Status) }

// explain says which route of mux takes the request with the given method and URL,
// which was asked in asked. The error says what is wrong with them.
func explain(mux *muxwell.Mux, method, target string, asked *http.Request) (*explanation, error) {
	r, err := parseRequest(method, target, asked.Host)
	if err != nil {
		return nil, err
	}
	e := mux.Explain(r.WithContext(asked.Context()))
	var sources []string
	for rt := range mux.Routes() {
		sources = append(sources, rt.Source())
	}
	s := newShortener(sources)
	ref := func(rt *muxwell.Route) routeRef { return routeRef{rt.Pattern(), s.short(rt.Source())} }
	x := &explanation{
		Method: e.Method, Host: e.Host, Path: e.Path, Params: []param{},
		Status: e.Status, Location: e.Location, Allow: orEmpty(e.Allow), Others: []candidate{},
	}
	if e.Route != nil {
		winner := ref(e.Route)
		x.Route = &winner
	}
	for name, value := range e.Params.All() {
		x.Params = append(x.Params, param{name, value})
	}
	for _, o := range e.Others {
		x.Others = append(x.Others, candidate{ref(o.Route), o.Matched, o.Reason})
	}
	return x, nil
}

// parseRequest returns the request that a server reads from a client that sends
// the URL with the method, without headers, from the machine itself:
//
//	/users/42?x=1                     asked of host
//	http://api.example.com/users/42   of the host in it; over TLS if it is https
//	example.com:443                   CONNECT only
//
// A fragment is cut off, as clients do.
func parseRequest(method, target, host string) (*http.Request, error) {
	if !isToken(method) || len(method) > 64 {
		return nil, fmt.Errorf("%q is no method; write one as a request has it, as in GET", abridge(method))
	}
	if reason := targetFault(method, target); reason != "" {
		return nil, fmt.Errorf("URL %q: %s", abridge(target), reason)
	}
	target, _, _ = strings.Cut(target, "#")
	scheme, rest, absolute := strings.Cut(target, "://")
	if absolute = absolute && !strings.ContainsAny(scheme, "/?"); absolute && method == http.MethodConnect {
		target = rest
	}
	if host == "" || strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		host = "localhost"
	}
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")))
	if err != nil {
		return nil, fmt.Errorf("URL %q: %s", abridge(target), urlFault(err))
	}
	if r.URL.Host == "" && target[0] != '/' && target != "*" {
		return nil, fmt.Errorf("URL %q: there is no host in it; write http://example.com/users/42, or the path alone", abridge(target))
	}
	if r.URL.Path == "" && method != http.MethodConnect {
		r.URL.Path = "/" // RFC 9110 §4.2.3: as clients send it
	}
	if absolute && strings.EqualFold(scheme, "https") {
		r.TLS = &tls.ConnectionState{HandshakeComplete: true, ServerName: r.URL.Hostname()}
	}
	r.RemoteAddr = "127.0.0.1:0"
	return r, nil
}

// targetFault returns what is wrong with a URL that no client sends, else "".
func targetFault(method, target string) string {
	path, _, _ := strings.Cut(target, "#")
	switch at := strings.IndexFunc(target, func(r rune) bool { return r <= ' ' || r == 0x7f }); {
	case path == "":
		return `it is empty; for the root write "/"`
	case len(target) > maxURL:
		return fmt.Sprintf("it is longer than %d bytes", maxURL)
	case at >= 0:
		return fmt.Sprintf("%q cannot stand in a URL; write %%%02X", target[at], target[at])
	case path[0] == '/' || path == "*" || method == http.MethodConnect:
		return ""
	}
	if scheme, _, ok := strings.Cut(path, "://"); !ok || strings.ContainsAny(scheme, "/?") {
		return fmt.Sprintf("neither a path nor an absolute URL; write %q or %q", abridge("/"+path), abridge("http://"+path))
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

// isToken reports whether s is a token of RFC 9110 §5.6.2, as a method is.
func isToken(s string) bool {
	return s != "" && strings.Trim(s, "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
