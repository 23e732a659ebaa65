package openapi

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"

	"github.com/muxwell/muxwell"
)

// NewRouter returns a router that finds the operations of a description, for package
// openapi3filter and others that need a [routers.Router]. It takes one lookup in a mux,
// however many operations there are, and is safe for concurrent use. The description
// must be valid and must not change.
//
// A path is matched as it was sent, without redirects. Of several paths, the more
// specific one wins, whatever its methods. If a path has no operation for the request's
// method, the error is [routers.ErrMethodNotAllowed]; if no path matches, it is
// [routers.ErrPathNotFound]. Values of parameters are unescaped.
//
// If the description has servers, a request must match one of them: its scheme, its host
// with the port, and its base path. Variables in the host and the base path match one
// label or segment, and are in the path parameters. Other variables have their defaults.
// A parameter {name:.*} matches the rest of the path.
//
// The error names the path of the description that is not valid, or that two paths match
// the same requests.
func NewRouter(spec *openapi3.T) (routers.Router, error) {
	r := &router{mux: muxwell.New(
		muxwell.TrailingSlash(muxwell.SlashStrict), muxwell.UncleanPath(muxwell.PathServe), muxwell.NotFound(http.HandlerFunc(missed)),
	)}
	for _, path := range spec.Paths.InMatchingOrder() {
		item := spec.Paths.Value(path)
		servers := spec.Servers
		if len(item.Servers) > 0 {
			servers = item.Servers
		}
		if len(servers) == 0 {
			servers = openapi3.Servers{nil}
		}
		for _, s := range servers {
			if err := r.add(spec, s, path, item); err != nil {
				return nil, fmt.Errorf("openapi: path %s%s: %w", path, at(item.Origin), err)
			}
		}
	}
	return r, nil
}

type router struct{ mux *muxwell.Mux }

// add adds a path of the description at a server, which may be nil.
func (r *router) add(spec *openapi3.T, s *openapi3.Server, path string, item *openapi3.PathItem) error {
	if !strings.HasPrefix(path, "/") {
		return errors.New("it must begin with a slash")
	}
	a, err := addressOf(s)
	if err != nil {
		return err
	}
	t, err := newTemplate(a.host + a.base + path)
	if err != nil {
		return err
	}
	var options []muxwell.RouteOption
	if a.schemes != nil || a.port != "" {
		options = append(options, muxwell.MatchFunc(a.matches))
	}
	_, err = r.mux.Add(t.pattern, muxwell.ParamsFunc(func(w http.ResponseWriter, req *http.Request, p muxwell.Params) {
		f := w.(*finding)
		operation := item.GetOperation(req.Method)
		if operation == nil {
			f.err = routers.ErrMethodNotAllowed
			return
		}
		f.route = &routers.Route{Spec: spec, Server: s, Path: path, PathItem: item, Method: req.Method, Operation: operation}
		f.values = make(map[string]string, len(t.names))
		for i, name := range t.names {
			f.values[name] = p.Get(paramName(i))
		}
	}), options...)
	return err
}

// FindRoute implements [routers.Router]. It does not change the request.
func (r *router) FindRoute(req *http.Request) (*routers.Route, map[string]string, error) {
	copied := *req // the mux sets its pattern
	if req.URL.Host != "" {
		copied.Host = req.URL.Host
	}
	f := new(finding)
	r.mux.ServeHTTP(f, &copied)
	switch {
	case f.err != nil:
		return nil, nil, f.err
	case f.route == nil: // a request for "*"
		return nil, nil, routers.ErrPathNotFound
	}
	return f.route, f.values, nil
}

// missed is the handler of requests that no path matches.
func missed(w http.ResponseWriter, _ *http.Request) { w.(*finding).err = routers.ErrPathNotFound }

// A finding is where the handlers of a router put what they find.
type finding struct {
	route  *routers.Route
	values map[string]string
	err    error
}

func (f *finding) Header() http.Header         { return make(http.Header) }
func (f *finding) Write(p []byte) (int, error) { return len(p), nil }
func (f *finding) WriteHeader(int)             {}

// An address is where a server of a description is.
type address struct {
	schemes []string // nil for any
	host    string   // without the port; "" for any
	port    string   // "" for any
	base    string   // without a final slash
}

// addressOf returns the address of a server, with the defaults of variables in the
// scheme and the port.
func addressOf(s *openapi3.Server) (a address, err error) {
	if s == nil {
		return a, nil
	}
	text := s.URL
	if strings.HasPrefix(text, "{") && strings.Index(text, "}") == len(text)-1 {
		text = defaultOf(s, text) // one variable is the whole URL
	}
	scheme, rest, absolute := strings.Cut(text, "://")
	if !absolute {
		a.base = strings.TrimSuffix(text, "/")
		if a.base != "" && a.base[0] != '/' {
			return a, fmt.Errorf("server %q: a relative URL must begin with a slash", s.URL)
		}
		return a, nil
	}
	a.schemes = []string{scheme}
	if strings.HasPrefix(scheme, "{") {
		a.schemes = []string{defaultOf(s, scheme)}
		if v := s.Variables[strings.Trim(scheme, "{}")]; v != nil {
			a.schemes = append(a.schemes, v.Enum...)
		}
	}
	slash := strings.IndexByte(rest, '/')
	if slash < 0 {
		slash = len(rest)
	}
	a.base = strings.TrimSuffix(rest[slash:], "/")
	host := rest[:slash]
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		host, a.port = host[:i], host[i+1:]
		if strings.HasPrefix(a.port, "{") {
			a.port = defaultOf(s, a.port)
		}
	}
	a.host = host
	return a, nil
}

// defaultOf returns the default of a variable, {name}.
func defaultOf(s *openapi3.Server, variable string) string {
	if v := s.Variables[strings.Trim(variable, "{}")]; v != nil {
		return v.Default
	}
	return ""
}

// matches reports whether a request has the scheme and the port.
func (a *address) matches(r *http.Request) bool {
	scheme := r.URL.Scheme
	switch {
	case scheme != "":
	case r.TLS != nil:
		scheme = "https"
	default:
		scheme = "http"
	}
	if !slices.Contains(a.schemes, scheme) {
		return false
	}
	port := ""
	if i := strings.LastIndexByte(r.Host, ':'); i >= 0 && !strings.HasSuffix(r.Host, "]") {
		port = r.Host[i+1:]
	}
	return a.port == "" || port == a.port || port == "" && a.port == map[string]string{"http": "80", "https": "443"}[scheme]
}
