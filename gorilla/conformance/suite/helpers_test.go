// Package suite tests what gorilla/mux's own test files test, in other words and by
// behavior. Each file names the part of gorilla's suite that it replaces. The tests
// pass on gorilla/mux too, where TestSuiteOnGorilla of the module runs them, but for
// those of differences that are meant.
package suite_test

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// request returns a request as a server hands it out; header is pairs of names and
// values.
func request(method, target string, header ...string) *http.Request {
	req := httptest.NewRequest(method, target, nil)
	for i := 0; i < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
	}
	return req
}

// withHost returns a request for a path that names its host in the header.
func withHost(method, target, host string) *http.Request {
	req := request(method, target)
	req.Host = host
	return req
}

// says returns a handler that answers with a text.
func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) }
}

// serve returns the answer of a handler to a request.
func serve(h http.Handler, req *http.Request) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	return rec
}

// A vars is the variables of a match.
type vars = map[string]string

// A matching is a request to one route, and what is to come of it.
type matching struct {
	name  string
	route func(*mux.Router) *mux.Route
	req   *http.Request
	miss  bool // the route does not match
	vars  vars // of the match

	url          string // built from the variables of the match
	pathTemplate string
	pathRegexp   string
	hostTemplate string
}

// check runs matchings on routers that match the path and the escaped path.
func check(t *testing.T, tests []matching) {
	t.Helper()
	routers := map[string]func() *mux.Router{
		"path":         mux.NewRouter,
		"escaped path": func() *mux.Router { return mux.NewRouter().UseEncodedPath() },
		"zero router":  func() *mux.Router { return new(mux.Router) },
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for name, router := range routers {
				t.Run(name, func(t *testing.T) { test.check(t, router()) })
			}
		})
	}
}

func (m matching) check(t *testing.T, r *mux.Router) {
	route := m.route(r)
	if err := route.GetError(); err != nil {
		t.Fatalf("the route has the error %v", err)
	}
	var match mux.RouteMatch
	if got := route.Match(m.req, &match); got != !m.miss {
		t.Fatalf("Match of %s %s is %t, want %t", m.req.Method, m.req.URL, got, !m.miss)
	}
	if !maps.Equal(match.Vars, m.vars) {
		t.Errorf("Vars of %s are %v, want %v", m.req.URL, match.Vars, m.vars)
	}
	if m.url != "" {
		u, err := route.URL(pairs(m.vars)...)
		if err != nil || u.String() != m.url {
			t.Errorf("URL(%v) = %v, %v, want %s", m.vars, u, err, m.url)
		}
	}
	for _, text := range []struct {
		name, want string
		get        func() (string, error)
	}{
		{"GetPathTemplate", m.pathTemplate, route.GetPathTemplate},
		{"GetPathRegexp", m.pathRegexp, route.GetPathRegexp},
		{"GetHostTemplate", m.hostTemplate, route.GetHostTemplate},
	} {
		if got, err := text.get(); text.want != "" && (got != text.want || err != nil) {
			t.Errorf("%s() = %q, %v, want %q", text.name, got, err, text.want)
		}
	}
}

// pairs returns variables as arguments for URL.
func pairs(v vars) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(v)) {
		list = append(list, name, v[name])
	}
	return list
}
