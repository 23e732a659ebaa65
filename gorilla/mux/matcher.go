package mux

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// A matcherKind is the part of a request at which a matcher looks.
type matcherKind uint8

const (
	byTemplate matcherKind = iota // path, host or query
	byMethods
	bySchemes
	byHeaders
	byHeadersRegexp
	byFunc
	byRouter
)

// A matcher is a requirement of a route. Only the fields of its kind are set.
type matcher struct {
	kind     matcherKind
	template *template
	list     []string // methods or schemes
	headers  []header
	f        MatcherFunc
	router   *Router
}

// A header is a requirement on one header.
type header struct {
	key    string         // in canonical form
	value  string         // "" for any
	regexp *regexp.Regexp // instead of value
}

// A MatcherFunc decides whether a route matches a request. It may read the result so
// far in match, and change it; its changes are kept.
type MatcherFunc func(r *http.Request, match *RouteMatch) bool

// Match calls f.
func (f MatcherFunc) Match(r *http.Request, match *RouteMatch) bool { return f(r, match) }

// A BuildVarsFunc changes the variables of a URL before it is built, and returns
// them.
type BuildVarsFunc func(map[string]string) map[string]string

// add adds a matcher, unless there was an error.
func (r *Route) add(m matcher) {
	if r.err == nil {
		r.config.matchers = append(r.config.matchers, m)
	}
}

// addTemplates adds matchers for templates, up to the first invalid one, whose error is
// the route's error. No lock is held while they are parsed: RegexpCompileFunc may do
// anything.
func (r *Route) addTemplates(kind templateKind, texts ...string) *Route {
	for _, text := range texts {
		var c config
		var err error
		if r.read(func() { c, err = r.config, r.err }); err != nil {
			return r
		}
		t, err := c.template(text, kind)
		r.change(func() {
			if err != nil {
				r.err = err
				return
			}
			switch kind {
			case hostTemplate:
				r.config.host = t
			case queryTemplate:
				r.config.queries = append(r.config.queries, t)
			default:
				r.config.path = t
			}
			r.add(matcher{kind: byTemplate, template: t})
		})
	}
	return r
}

// template parses a template that is added to those of c.
func (c *config) template(text string, kind templateKind) (*template, error) {
	if kind == pathTemplate || kind == prefixTemplate {
		if text != "" && text[0] != '/' {
			return nil, fmt.Errorf("mux: path must start with a slash, got %q", text)
		}
		if c.path != nil {
			text = strings.TrimRight(c.path.text, "/") + text
		}
	}
	t, err := newTemplate(text, kind, c.strictSlash, c.encodedPath)
	if err != nil {
		return nil, err
	}
	others := slices.Clone(c.queries)
	if kind == hostTemplate {
		others = append(others, c.path)
	} else {
		others = append(others, c.host)
	}
	for _, other := range others {
		if err := uniqueNames(t, other); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Host matches the host: that of the URL of a request in absolute form, otherwise the
// Host header. In the template {name} matches anything up to the next dot, and
// {name:pattern} matches what the regular expression does, whose groups must not
// capture. The port of a request is ignored unless the template has a colon.
//
//	r.Host("www.example.com")
//	r.Host("{subdomain:[a-z]+}.example.com")
func (r *Route) Host(tpl string) *Route {
	return r.addTemplates(hostTemplate, tpl)
}

// Path matches the whole path. The template begins with a slash; below a subrouter's
// path it may be empty, and follows that path. In it {name} matches anything up to the
// next slash, and {name:pattern} matches what the regular expression does, including
// slashes. Its groups must not capture: Path panics if one does. The names of a route
// must be unique.
//
//	r.Path("/articles/{category}/{id:[0-9]+}")
func (r *Route) Path(tpl string) *Route {
	return r.addTemplates(pathTemplate, tpl)
}

// PathPrefix matches the beginning of the path; see [Route.Path]. It need not end where
// a segment does: /foo matches /foobar. [Router.StrictSlash] does not apply to it.
func (r *Route) PathPrefix(tpl string) *Route {
	return r.addTemplates(prefixTemplate, tpl)
}

// Queries matches keys of the query and their values, given in pairs. A value is a
// template, in which {name} matches anything, including the empty text. An empty
// template matches any value, without a variable. Only the first value of a key is
// used.
//
//	r.Queries("format", "json", "page", "{page:[0-9]+}")
//
// Queries returns nil if a value is missing.
func (r *Route) Queries(pairs ...string) *Route {
	if _, err := checkPairs(pairs); err != nil {
		r.change(func() { r.err = err })
		return nil
	}
	texts := make([]string, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		texts = append(texts, pairs[i]+"="+pairs[i+1])
	}
	return r.addTemplates(queryTemplate, texts...)
}

// Methods matches requests with one of the methods. The methods are converted to upper
// case. GET does not include HEAD.
func (r *Route) Methods(methods ...string) *Route {
	return r.change(func() {
		r.add(matcher{kind: byMethods, list: mapped(methods, strings.ToUpper)})
	})
}

// Schemes matches requests with one of the schemes, http or https: that of the URL of a
// request in absolute form, otherwise https if the connection has TLS. URLs are built
// with the first one.
func (r *Route) Schemes(schemes ...string) *Route {
	list := mapped(schemes, strings.ToLower)
	return r.change(func() {
		if len(list) > 0 {
			r.config.buildScheme = list[0]
		}
		r.add(matcher{kind: bySchemes, list: list})
	})
}

// mapped returns the results of f for the strings, or nil for nil.
func mapped(list []string, f func(string) string) []string {
	list = slices.Clone(list)
	for i, s := range list {
		list[i] = f(s)
	}
	return list
}

// Headers matches keys of the header and their values, given in pairs. One of a key's
// values must be equal. An empty value matches any value.
//
//	r.Headers("Content-Type", "application/json", "X-Requested-With", "")
func (r *Route) Headers(pairs ...string) *Route {
	return r.addHeaders(byHeaders, pairs, func(h *header, value string) error {
		h.value = value
		return nil
	})
}

// HeadersRegexp matches keys of the header and regular expressions for their values,
// given in pairs. One of a key's values must match, anywhere unless the expression has
// anchors.
//
//	r.HeadersRegexp("Content-Type", "^application/(text|json)$")
func (r *Route) HeadersRegexp(pairs ...string) *Route {
	return r.addHeaders(byHeadersRegexp, pairs, func(h *header, value string) (err error) {
		h.regexp, err = compileRegexp(value)
		return err
	})
}

// addHeaders adds a matcher of headers. set stores their values.
func (r *Route) addHeaders(kind matcherKind, pairs []string, set func(h *header, value string) error) *Route {
	if r.GetError() != nil {
		return r
	}
	m := matcher{kind: kind}
	_, err := checkPairs(pairs)
	at := make(map[string]int) // by key as written
	for i := 0; i < len(pairs) && err == nil; i += 2 {
		h := header{key: http.CanonicalHeaderKey(pairs[i])}
		if err = set(&h, pairs[i+1]); err != nil {
			break
		}
		if j, ok := at[pairs[i]]; ok {
			m.headers[j] = h // the last one is used
			continue
		}
		at[pairs[i]] = len(m.headers)
		m.headers = append(m.headers, h)
	}
	return r.change(func() {
		if err != nil {
			r.err = err
			return
		}
		r.add(m)
	})
}

// checkPairs returns the number of strings, and an error if it is odd.
func checkPairs(pairs []string) (int, error) {
	if len(pairs)%2 != 0 {
		return len(pairs), fmt.Errorf("mux: number of parameters must be multiple of 2, got %v", pairs)
	}
	return len(pairs), nil
}

// MatcherFunc matches requests for which f returns true. f is called only if the
// matchers before it match, apart from methods. Every request to a tree of routers with
// such a function costs more, since the function may see and change everything.
func (r *Route) MatcherFunc(f MatcherFunc) *Route {
	return r.change(func() { r.add(matcher{kind: byFunc, f: f}) })
}

// BuildVarsFunc adds a function that changes variables before a URL is built. It is
// called after the functions that were added before, and those of the routes around
// this one.
func (r *Route) BuildVarsFunc(f BuildVarsFunc) *Route {
	return r.note(func() {
		if old := r.config.buildVars; old != nil {
			r.config.buildVars = func(m map[string]string) map[string]string { return f(old(m)) }
			return
		}
		r.config.buildVars = f
	})
}

// Subrouter returns a new router whose routes are tried if this route matches. They
// inherit the matchers and options of the route: a path below it follows its path. A
// second subrouter of the same route is tried if the first one matches.
//
//	s := r.Host("api.example.com").PathPrefix("/v1").Subrouter()
//	s.HandleFunc("/articles", listArticles) // api.example.com/v1/articles
func (r *Route) Subrouter() *Router {
	sub := &Router{}
	sub.shared.pointer.Store(r.shared.tree())
	r.change(func() {
		sub.config = r.config.copied()
		r.add(matcher{kind: byRouter, router: sub})
	})
	return sub
}

// matchesHeader reports whether a header meets all requirements.
func matchesHeader(demands []header, have http.Header) bool {
	for i := range demands {
		d := &demands[i]
		switch values := have[d.key]; {
		case values == nil:
			return false
		case d.regexp != nil:
			if !slices.ContainsFunc(values, d.regexp.MatchString) {
				return false
			}
		case d.value != "" && !slices.Contains(values, d.value):
			return false
		}
	}
	return true
}
