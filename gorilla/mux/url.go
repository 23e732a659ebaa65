package mux

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// URL builds a URL from the route's templates and the values of all their variables,
// given in pairs of name and value. The values must match the patterns of their
// variables; those of the query are escaped. A URL with a host has a scheme: the first
// one of [Route.Schemes], or http.
//
//	u, err := r.Get("article").URL("category", "technology", "id", "42")
func (r *Route) URL(pairs ...string) (*url.URL, error) {
	c, values, err := r.build(pairs)
	if err != nil {
		return nil, err
	}
	u := &url.URL{}
	if c.host != nil {
		if u.Host, err = c.host.url(values); err != nil {
			return nil, err
		}
		u.Scheme = c.scheme()
	}
	if c.path != nil {
		if u.Path, err = c.path.url(values); err != nil {
			return nil, err
		}
	}
	queries := make([]string, len(c.queries))
	for i, q := range c.queries {
		if queries[i], err = q.url(values); err != nil {
			return nil, err
		}
	}
	u.RawQuery = strings.Join(queries, "&")
	return u, nil
}

// URLHost builds the scheme and host of a URL; see [Route.URL]. It returns an error if
// the route has none.
func (r *Route) URLHost(pairs ...string) (*url.URL, error) {
	return r.buildPart(pairs, "host", func(c *config) *template { return c.host })
}

// URLPath builds the path of a URL; see [Route.URL]. It returns an error if the route
// has none.
func (r *Route) URLPath(pairs ...string) (*url.URL, error) {
	return r.buildPart(pairs, "path", func(c *config) *template { return c.path })
}

// buildPart builds the part of a URL for a template.
func (r *Route) buildPart(pairs []string, part string, of func(*config) *template) (*url.URL, error) {
	var missing error
	r.read(func() {
		if r.err == nil && of(&r.config) == nil {
			missing = errors.New("mux: route doesn't have a " + part)
		}
	})
	if missing != nil {
		return nil, missing
	}
	c, values, err := r.build(pairs)
	if err != nil {
		return nil, err
	}
	text, err := of(&c).url(values)
	switch {
	case err != nil:
		return nil, err
	case part == "host":
		return &url.URL{Scheme: c.scheme(), Host: text}, nil
	}
	return &url.URL{Path: text}, nil
}

// scheme returns the scheme of URLs that have a host.
func (c *config) scheme() string {
	if c.buildScheme != "" {
		return c.buildScheme
	}
	return "http"
}

// build returns the config and the values for building a URL.
func (r *Route) build(pairs []string) (c config, values map[string]string, err error) {
	r.read(func() { c, err = r.config, r.err })
	if err == nil {
		_, err = checkPairs(pairs)
	}
	if err != nil {
		return c, nil, err
	}
	values = make(map[string]string, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	if c.buildVars != nil {
		values = c.buildVars(values)
	}
	return c, values, nil
}

// url returns the template with values for its variables.
func (t *template) url(values map[string]string) (string, error) {
	var b strings.Builder
	for _, v := range t.vars {
		value, ok := values[v.name]
		if !ok {
			return "", fmt.Errorf("mux: missing route variable %q", v.name)
		}
		if t.kind == queryTemplate {
			value = url.QueryEscape(value)
		}
		b.WriteString(v.before)
		b.WriteString(value)
	}
	b.WriteString(t.tail)
	if t.slashed {
		b.WriteByte('/')
	}
	text := b.String()
	if t.compile().MatchString(text) {
		return text, nil
	}
	for _, v := range t.vars { // which one is it?
		if check := v.checked(); !check.MatchString(values[v.name]) {
			return "", fmt.Errorf("mux: variable %q doesn't match, expected %q", values[v.name], check)
		}
	}
	return text, nil
}

// checked returns the expression that a value must match completely.
func (v *variable) checked() *regexp.Regexp {
	if v.check != nil {
		return v.check
	}
	return regexp.MustCompile("^" + v.pattern + "$")
}
