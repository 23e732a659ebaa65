package mux

import (
	"errors"
	"slices"
)

// GetPathTemplate returns the template of the path, after those of the subrouters
// around the route. It returns an error if the route has none.
func (r *Route) GetPathTemplate() (string, error) {
	t, err := r.templateOf("doesn't have a path", func(c *config) *template { return c.path })
	if err != nil {
		return "", err
	}
	return t.text, nil
}

// GetPathRegexp returns the regular expression for the template of the path. It returns
// an error if the route has none.
func (r *Route) GetPathRegexp() (string, error) {
	t, err := r.templateOf("does not have a path", func(c *config) *template { return c.path })
	if err != nil {
		return "", err
	}
	return t.expression(), nil
}

// GetHostTemplate returns the template of the host. It returns an error if the route
// has none.
func (r *Route) GetHostTemplate() (string, error) {
	t, err := r.templateOf("doesn't have a host", func(c *config) *template { return c.host })
	if err != nil {
		return "", err
	}
	return t.text, nil
}

// templateOf returns a template, or an error that begins with "mux: route" and ends
// with missing.
func (r *Route) templateOf(missing string, of func(*config) *template) (t *template, err error) {
	r.read(func() {
		if t, err = of(&r.config), r.err; err == nil && t == nil {
			err = errors.New("mux: route " + missing)
		}
	})
	return t, err
}

// GetQueriesTemplates returns the templates of the query, each after its key and an
// equals sign. It returns an error if the route has no router and no query.
func (r *Route) GetQueriesTemplates() ([]string, error) {
	return r.queries(func(t *template) string { return t.text })
}

// GetQueriesRegexp returns the regular expressions for the templates of the query. It
// returns an error if the route has no router and no query.
func (r *Route) GetQueriesRegexp() ([]string, error) {
	return r.queries((*template).expression)
}

// queries returns the results of f for the templates of the query.
func (r *Route) queries(f func(*template) string) (texts []string, err error) {
	r.read(func() {
		switch {
		case r.err != nil:
			err = r.err
		case r.config.queries == nil:
			err = errors.New("mux: route doesn't have queries")
		default:
			texts = make([]string, 0, len(r.config.queries))
			for _, t := range r.config.queries {
				texts = append(texts, f(t))
			}
		}
	})
	return texts, err
}

// GetMethods returns the methods that the route matches, those of the first call of
// [Route.Methods]. It returns an error if the route matches all methods.
func (r *Route) GetMethods() (methods []string, err error) {
	r.read(func() {
		if err = r.err; err != nil {
			return
		}
		i := slices.IndexFunc(r.config.matchers, func(m matcher) bool { return m.kind == byMethods })
		if i < 0 {
			err = errors.New("mux: route doesn't have methods")
			return
		}
		methods = slices.Clone(r.config.matchers[i].list)
	})
	return methods, err
}

// GetVarNames returns the names of all variables: those of the host, of the path and of
// the query.
func (r *Route) GetVarNames() (names []string, err error) {
	r.read(func() {
		if err = r.err; err != nil {
			return
		}
		for _, t := range append([]*template{r.config.host, r.config.path}, r.config.queries...) {
			if t != nil {
				names = append(names, t.names()...)
			}
		}
	})
	return names, err
}
