package explorer

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/requestline"
)

// maxURL is the length of the longest URL that is explained.
const maxURL = 8 << 10

// An explanation is a [muxwell.Explanation] as JSON, and as the page shows it.
type explanation struct {
	Method   string      `json:"method"`
	Host     string      `json:"host"`
	Path     string      `json:"path"`
	Route    *routeRef   `json:"route"` // nil if none matches the request
	Params   []param     `json:"params"`
	Status   int         `json:"status"` // what the mux answers itself, or 0
	Location string      `json:"location"`
	Allow    []string    `json:"allow"`
	Others   []candidate `json:"others"`
}

// A routeRef names a route. The page shows the parts of its pattern.
type routeRef struct {
	Pattern string   `json:"pattern"`
	Source  string   `json:"source"`
	Methods []string `json:"-"`
	Host    string   `json:"-"`
	Path    string   `json:"-"`
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

// explain returns which route of the mux matches the request with the given method
// and URL, which was asked in asked. The error says what is wrong with them.
func (h *handler) explain(method, target string, asked *http.Request) (*explanation, error) {
	r, err := parseRequest(method, target, asked.Host)
	if err != nil {
		return nil, err
	}
	e := h.mux.Explain(r.WithContext(asked.Context()))
	var sources []string // of the routes that are listed, as in a view
	for rt := range h.mux.Routes() {
		if !h.hides(rt) {
			sources = append(sources, rt.Source())
		}
	}
	s := newShortener(sources)
	ref := func(rt *muxwell.Route) routeRef {
		return routeRef{rt.Pattern(), s.short(rt.Source()), rt.Methods(), rt.Host(), rt.Path()}
	}
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
	if !requestline.IsToken(method) || len(method) > 64 {
		return nil, fmt.Errorf("invalid method %q; write a method such as GET", abridge(method))
	}
	if reason := targetFault(method, target); reason != "" {
		return nil, fmt.Errorf("URL %q: %s", abridge(target), reason)
	}
	target, _, _ = strings.Cut(target, "#")
	if host == "" || strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		host = "localhost"
	}
	r, err := requestline.Read(method, target, "Host: "+host+"\r\n")
	if errors.Is(err, requestline.ErrNoHost) {
		return nil, fmt.Errorf("URL %q: missing host; write http://example.com/users/42, or only the path", abridge(target))
	}
	if err != nil {
		return nil, fmt.Errorf("URL %q: %s", abridge(target), requestline.Fault(err))
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
		return fmt.Sprintf("%q is not allowed in a URL; write %%%02X", target[at], target[at])
	case path[0] == '/' || path == "*" || method == http.MethodConnect:
		return ""
	}
	if scheme, _, ok := strings.Cut(path, "://"); !ok || strings.ContainsAny(scheme, "/?") {
		return fmt.Sprintf("neither a path nor an absolute URL; write %q or %q", abridge("/"+path), abridge("http://"+path))
	}
	return ""
}
