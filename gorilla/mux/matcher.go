package mux

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// A matcherKind says what a matcher looks at.
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

// A matcher is what a route demands of a request. Of its fields those of the kind
// are set.
type matcher struct {
	kind     matcherKind
	template *template
	list     []string // methods or schemes
	headers  []header
	f        MatcherFunc
	router   *Router
}

// A header is a demand on one.
type header struct {
	key    string         // in canonical form
	value  string         // "" for any
	regexp *regexp.Regexp // in place of value
}

// A MatcherFunc decides whether a route takes a request. It may read what matched so
// far in match, and change it: what it leaves there stands.
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

// addTemplates adds matchers for templates, up to the first that has a fault, which
// is the route's error. No lock is held while they are parsed: RegexpCompileFunc may
// do anything.
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

// template parses a template that is to be added to what c has.
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

// Host matches the host: that of the URL of a request in absolute form, else the
// Host header. In the template {name} stands for anything up to the next dot, and
// {name:pattern} for what the regular expression matches, of which groups must not
// capture. The port of a request counts only if there is a colon in the template.
//
//	r.Host("www.example.com")
//	r.Host("{subdomain:[a-z]+}.example.com")
func (r *Route) Host(tpl string) *Route {
	return r.addTemplates(hostTemplate, tpl)
}

// Path matches the whole path. The template begins with a slash; below a
// subrouter's path it may be empty, and follows that path. In it {name} stands for
// anything up to the next slash, and {name:pattern} for what the regular expression
// matches, slashes included, of which groups must not capture: a template with such
// a group panics. Names must not be used twice in a route.
//
//	r.Path("/articles/{category}/{id:[0-9]+}")
func (r *Route) Path(tpl string) *Route {
	return r.addTemplates(pathTemplate, tpl)
}

// PathPrefix matches the beginning of the path; see [Route.Path]. It need not end
// where a segment does: /foo matches /foobar. [Router.StrictSlash] does not concern
// it.
func (r *Route) PathPrefix(tpl string) *Route {
	return r.addTemplates(prefixTemplate, tpl)
}

// Queries matches keys of the query and their values, in pairs. A value is a
// template, in which {name} stands for anything, also for nothing. The empty value
// stands for anything without a variable. Only the first value of a key counts.
//
//	r.Queries("format", "json", "page", "{page:[0-9]+}")
//
// It returns nil if a value is missing.
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

// Methods matches requests with one of the methods, in upper case whatever the case
// here. GET does not include HEAD.
func (r *Route) Methods(methods ...string) *Route {
	return r.change(func() {
		r.add(matcher{kind: byMethods, list: mapped(methods, strings.ToUpper)})
	})
}

// Schemes matches requests with one of the schemes, http or https: that of the URL
// of a request in absolute form, else https if the connection has TLS. The first one
// is what URLs are built with.
func (r *Route) Schemes(schemes ...string) *Route {
	list := mapped(schemes, strings.ToLower)
	return r.change(func() {
		if len(list) > 0 {
			r.config.buildScheme = list[0]
		}
		r.add(matcher{kind: bySchemes, list: list})
	})
}

// mapped returns what f makes of each string, and nil for nil.
func mapped(list []string, f func(string) string) []string {
	list = slices.Clone(list)
	for i, s := range list {
		list[i] = f(s)
	}
	return list
}

// Headers matches keys of the header and their values, in pairs. One of a key's
// values must be equal; the empty value stands for any.
//
//	r.Headers("Content-Type", "application/json", "X-Requested-With", "")
func (r *Route) Headers(pairs ...string) *Route {
	return r.addHeaders(byHeaders, pairs, func(h *header, value string) error {
		h.value = value
		return nil
	})
}

// HeadersRegexp matches keys of the header and regular expressions for their
// values, in pairs. One of a key's values must match, anywhere unless the expression
// has anchors.
//
//	r.HeadersRegexp("Content-Type", "^application/(text|json)$")
func (r *Route) HeadersRegexp(pairs ...string) *Route {
	return r.addHeaders(byHeadersRegexp, pairs, func(h *header, value string) (err error) {
		h.regexp, err = RegexpCompileFunc(value)
		return err
	})
}

// addHeaders adds a matcher of headers, whose values set stores.
func (r *Route) addHeaders(kind matcherKind, pairs []string, set func(h *header, value string) error) *Route {
	if r.GetError() != nil {
		return r
	}
	m := matcher{kind: kind}
	_, err := checkPairs(pairs)
	at := make(map[string]int) // by key as it is written
	for i := 0; i < len(pairs) && err == nil; i += 2 {
		h := header{key: http.CanonicalHeaderKey(pairs[i])}
		if err = set(&h, pairs[i+1]); err != nil {
			break
		}
		if j, ok := at[pairs[i]]; ok {
			m.headers[j] = h // the last one stands
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

// MatcherFunc matches requests for which f returns true. It is called only if the
// matchers before it, methods aside, match. A tree of routers with such a function
// costs more for every request, since the function may see and change everything.
func (r *Route) MatcherFunc(f MatcherFunc) *Route {
	return r.change(func() { r.add(matcher{kind: byFunc, f: f}) })
}

// BuildVarsFunc adds a function that changes variables before a URL is built. It is
// called after those that were added before, and those of the routes around.
func (r *Route) BuildVarsFunc(f BuildVarsFunc) *Route {
	return r.note(func() {
		if old := r.config.buildVars; old != nil {
			r.config.buildVars = func(m map[string]string) map[string]string { return f(old(m)) }
			return
		}
		r.config.buildVars = f
	})
}

// Subrouter returns a new router whose routes are tried where this route matches.
// They take over what the route demands and its options: a path below it follows its
// path. A second subrouter of the same route is tried where the first one matches.
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

// matchesHeader reports whether a header has what is demanded.
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
