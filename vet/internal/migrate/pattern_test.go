package migrate

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"
	"github.com/gorilla/mux"

	"github.com/muxwell/muxwell"
)

func TestGorillaPath(t *testing.T) {
	for _, c := range []struct{ template, want, err string }{
		{"/", "/{$}", ""},
		{"/x", "/x", ""},
		{"/x/", "/x/{$}", ""},
		{"/users/{id}", "/users/{id}", ""},
		{"/users/{id:[0-9]+}/", "/users/{id:[0-9]+}/{$}", ""},
		{"/files/{path:.*}", "/files/{path...}", ""},
		{"/repos/{path:.+}/raw", "/repos/{path...}/raw", ""},
		{"/{a}-{b}", "/{a:.+}-{b:.+}", ""},
		{"/{name}.json", "/{name}.json", ""},
		{"/files/{path:.+}", "", "needs at least one character"},
		{"/{x:[a-z/]+}", "", "can match a slash"},
		{"/{x:a/b}", "", "can match a slash"},
		{"/{x:[0-9]*}", "", "matches the empty text"},
		{"/{x:.*}.css", "", "can match a slash"},
		{"/100%", "", "escape"},
		{"/a b", "", "space"},
		{"/a//b", "", "clean path"},
		{"/a/../b", "", "clean path"},
		{"/{x", "", "unbalanced"},
		{"/x}", "", "unbalanced"},
		{"/{x...}", "", "name"},
		{"/{$}", "", "name"},
		{"/{x}/{x}", "", "x"},
	} {
		got, err := gorillaPath(c.template, false, false)
		checkConversion(t, c.template, got, err, c.want, c.err)
	}
}

func TestChiPath(t *testing.T) {
	for _, c := range []struct{ pattern, rest, want, err string }{
		{"/", "", "/{$}", ""},
		{"/x", "", "/x", ""},
		{"/x/", "", "/x/{$}", ""},
		{"/*", "", "/", ""},
		{"/files/*", "", "/files/", ""},
		{"/files/*", "rest", "/files/{rest...}", ""},
		{"/users/{id}", "", "/users/{id}", ""},
		{"/users/{id:^[0-9]+$}", "", "/users/{id:[0-9]+}", ""},
		{"/{x:.+}", "", "/{x:.+}", ""},
		{"/{a}-{b}", "", "/{a}-{b}", ""},
		{"/{a}--{b}", "", "", "first byte"},
		{"/{a}-{b:[0-9]+}/{c}", "", "/{a:[^-]+}-{b:[0-9]+}/{c}", ""},
		{"/{a}]{b:[0-9]+}", "", "/{a:[^\\]]+}]{b:[0-9]+}", ""},
		{"/{a:[a-z]+}-{b}", "", "/{a:[a-z]+}-{b}", ""},
		{"/{a:[a-z-]+}-{b}", "", "", `can match "-", with which chi ends the value`},
		{"/{a:(?i)x+}X", "", "", `can match "X"`},
		{"/{name}.json", "", "/{name}.json", ""},
		{"/{x:.+}.json", "", "", "can match a slash"},
		{"/{x:a|b}", "", "", "anchors"},
		{"/{x:(a|b)}", "", "/{x:(a|b)}", ""},
		{"/{x:[|]+}", "", "/{x:[|]+}", ""},
		{"/x*", "", "", "after text"},
		{"/*/x", "", "", "at the end"},
		{"/100%", "", "", "escape"},
	} {
		got, err := chiPath(c.pattern, c.rest)
		checkConversion(t, c.pattern, got, err, c.want, c.err)
	}
}

func TestTextFollows(t *testing.T) {
	for pattern, want := range map[string]bool{
		"/a": false, "/{a}": false, "/{a}/b": false, "/{a}/{$}": false, "/{a:[0-9]{2}}-b": false, "/{a...}": false,
		"/{a}.json": true, "/{a}-{b}": true, "/{a:x}/{b}x": true, "/{a:[0-9]{2}}/{b}x": true,
	} {
		if got := textFollows(pattern); got != want {
			t.Errorf("%s: got %v", pattern, got)
		}
	}
}

func checkConversion(t *testing.T, pattern, got string, err error, want, wantErr string) {
	t.Helper()
	switch {
	case wantErr == "" && (err != nil || got != want):
		t.Errorf("%s: got %q, %v; want %q", pattern, got, err, want)
	case wantErr != "" && (err == nil || !strings.Contains(err.Error(), wantErr)):
		t.Errorf("%s: got %q, %v; want an error with %q", pattern, got, err, wantErr)
	}
}

// FuzzGorillaPath compares the matches and values of gorilla/mux with those of muxwell for
// the converted pattern, for paths without escapes.
func FuzzGorillaPath(f *testing.F) {
	for _, seed := range [][2]string{
		{"/users/{id}", "/users/7"},
		{"/{a}-{b}", "/1-2-3"},
		{"/{a}x{b:[0-9]+}/", "/1x2x3/"},
		{"/repos/{path:.+}/raw", "/repos/a/b/raw"},
		{"/files/{path:.*}", "/files/"},
		{"/{x:a|b}", "/ab"},
		{"/{y:[0-9]{4}}/{z}.json", "/2026/a.b.json"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, template, target string) {
		pattern, err := gorillaPath(template, false, false)
		if err != nil || pattern == "" || !cleanPath(target) { // "" is the prefix of a group
			return
		}
		var theirs map[string]string
		r := mux.NewRouter()
		route := r.HandleFunc(template, func(_ http.ResponseWriter, r *http.Request) { theirs = maps.Clone(mux.Vars(r)) })
		if route.GetError() != nil {
			return
		}
		w := httptest.NewRecorder()
		r.ServeHTTP(w, &http.Request{Method: "GET", URL: &url.URL{Path: target}, Host: "example.com"})
		compareMatch(t, template, pattern, target, w.Code, theirs)
	})
}

// FuzzChiPath is the same for chi.
func FuzzChiPath(f *testing.F) {
	for _, seed := range [][2]string{
		{"/users/{id}", "/users/7"},
		{"/{a}-{b}", "/1-2-3"},
		{"/{a}x{b:[0-9]+}/", "/1x2/"},
		{"/files/*", "/files/a/b"},
		{"/{x:(a|b)}", "/ab"},
		{"/{y:[0-9]{4}}/{z}.json", "/2026/a.json"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, template, target string) {
		pattern, err := chiPath(template, "rest")
		if err != nil || !cleanPath(target) || !strings.HasPrefix(template, "/") {
			return
		}
		theirs := map[string]string{}
		r := chi.NewRouter()
		func() {
			defer func() { err, _ = recover().(error) }()
			r.Get(template, func(_ http.ResponseWriter, r *http.Request) {
				params := chi.RouteContext(r.Context()).URLParams
				for i, name := range params.Keys {
					if name == "*" {
						name = "rest"
					}
					theirs[name] = params.Values[i]
				}
			})
		}()
		if len(r.Routes()) == 0 {
			return
		}
		w := httptest.NewRecorder()
		r.ServeHTTP(w, &http.Request{Method: "GET", URL: &url.URL{Path: target}, Host: "example.com"})
		if emptyInChi(template, target) {
			return // that muxwell has no empty values is one of the changes that are listed
		}
		if w.Code != 200 && textFollows(pattern) {
			return // that a value can contain the text after it is another one
		}
		compareMatch(t, template, pattern, target, w.Code, theirs)
	})
}

// emptyInChi reports whether chi gives a parameter an empty value when it compares a path with a
// template. A value there ends before the first byte of the text that follows the parameter.
func emptyInChi(template, target string) bool {
	parts, err := splitPattern(strings.TrimSuffix(template, "*"))
	if err != nil || !utf8.ValidString(template) {
		return true // perhaps; expressions are of characters and not of bytes
	}
	expr := "(?s)^"
	for i, p := range parts {
		if !p.param {
			expr += regexp.QuoteMeta(p.text)
			continue
		}
		end := "$"
		value := "[^/]*"
		if i+1 < len(parts) && !parts[i+1].param {
			if parts[i+1].text[0] >= utf8.RuneSelf {
				return true
			}
			end = regexp.QuoteMeta(parts[i+1].text[:1])
			value = "[^/" + end + "]*"
		}
		if found := regexp.MustCompile(expr + "(" + value + ")" + end).FindStringSubmatch(target); found != nil && found[1] == "" {
			return true
		}
		expr += value
	}
	return false
}

// cleanPath reports whether neither router redirects a path.
func cleanPath(s string) bool {
	if s == "" || s[0] != '/' || strings.ContainsAny(s, "%\n") {
		return false
	}
	clean := path.Clean(s)
	return clean == s || s == clean+"/"
}

func compareMatch(t *testing.T, template, pattern, target string, status int, theirs map[string]string) {
	t.Helper()
	matched := false
	ours := map[string]string{}
	m := muxwell.New(muxwell.TrailingSlash(muxwell.SlashStrict))
	m.HandleParams(pattern, func(_ http.ResponseWriter, _ *http.Request, p muxwell.Params) {
		matched = true
		maps.Insert(ours, p.All())
	})
	m.ServeHTTP(httptest.NewRecorder(), &http.Request{Method: "GET", URL: &url.URL{Path: target}, Host: "example.com"})
	if matched != (status == 200) || matched && len(theirs)+len(ours) > 0 && !maps.Equal(ours, theirs) {
		t.Errorf("%q and %q, path %q: matched %t %q; muxwell: %t %q", template, pattern, target, status == 200, theirs, matched, ours)
	}
}
