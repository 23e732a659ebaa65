package behavior

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/long"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
	"github.com/muxwell/muxwell/internal/tests/random"
)

func TestURL(t *testing.T) {
	for _, row := range []struct{ pattern, pairs, want string }{
		{"/", "", "/"},
		{"GET /a/b/", "", "/a/b/"},
		{"/a/{$}", "", "/a/"},
		{"/users/{id}", "id=42", "/users/42"},
		{"/users/{id}", "id=a b", "/users/a%20b"},
		{"/users/{id}", "id=a/b", "/users/a%2Fb"},
		{"/users/{id}", "id=..", "/users/%2E%2E"},
		{"/users/{id}", "id=é?#%", "/users/%C3%A9%3F%23%25"},
		{"/a%2Fb/{x}", "x=1", "/a%2Fb/1"},
		{"/%2e/{x}", "x=1", "/%2E/1"},
		{"/f/{name}.{ext}", "ext=go,name=main", "/f/main.go"},
		{"/v{a:int}.{b:int}/{c}", "a=1,b=2,c=3", "/v1.2/3"},
		{"/{id}:apply", "id=7", "/7:apply"},
		{"/s/{p...}", "p=a/b", "/s/a/b"},
		{"/s/{p...}", "p=", "/s/"},
		{"/s/{p...}", "p=a/", "/s/a/"},
		{"/s/{p...}", "p=a//b", "/s/a%2F%2Fb"},
		{"/s/{p...}", "p=/a", "/s/%2Fa"},
		{"/s/{p...}", "p=a/../b", "/s/a/%2E%2E/b"},
		{"/r/{p...}/raw/{f}", "p=a/b,f=x", "/r/a/b/raw/x"},
		{"/r/{p...}/raw/{$}", "p=a", "/r/a/raw/"},
		{"Example.com/{x}", "x=1", "//example.com/1"},
		{"example.com:80/", "", "//example.com:80/"},
		{"[::1]/", "", "//[::1]/"},
		{"::1/{x}", "x=1", "//[::1]/1"},
		{"[::1]:80/", "", "//[::1]:80/"},
		{"{t}.example.com/{x}", "x=1,t=acme", "//acme.example.com/1"},
		{"{t...}.h/", "t=a.b", "//a.b.h/"},
		{"api-{r:alpha}.h:443/", "r=eu", "//api-eu.h:443/"},
	} {
		m := muxwell.New()
		if _, err := m.Add(row.pattern, http.NotFoundHandler(), muxwell.Name("n")); err != nil {
			t.Fatal(err)
		}
		u, err := m.URL("n", splitPairs(row.pairs)...)
		if err != nil || u.String() != row.want {
			t.Errorf("%s with %s: got %v, error %v, want %s", row.pattern, row.pairs, u, err, row.want)
			continue
		}
		if path, err := m.Path("n", splitPairs(row.pairs)...); err != nil || path != u.EscapedPath() {
			t.Errorf("%s with %s: path %q, error %v, want %q", row.pattern, row.pairs, path, err, u.EscapedPath())
		}
	}
}

func splitPairs(s string) (pairs []string) {
	for pair := range strings.SplitSeq(s, ",") {
		if name, value, ok := strings.Cut(pair, "="); ok {
			pairs = append(pairs, name, value)
		}
	}
	return pairs
}

func TestURLErrors(t *testing.T) {
	for _, row := range []struct {
		pattern string
		pairs   []string
		param   string
		reason  string
	}{
		{"/{a}/{b}", []string{"a", "1"}, "b", `no value for "b"; the route has the parameters a, b`},
		{"/{a}", []string{"a", "1", "b", "2"}, "b", `no parameter "b"; the route has a`},
		{"/", []string{"a", "1"}, "a", `no parameter "a"; the route has none`},
		{"/{a}", []string{"a", "1", "a", "2"}, "a", `two values for "a"; pass one`},
		{"/{a}", []string{"a"}, "", `odd number of names and values, 1; the last one is "a"`},
		{"/{a}", []string{"a", ""}, "a", `the value of "a" is empty, but a segment cannot be empty`},
		{"/{a:int}", []string{"a", "x"}, "a", `{a:int} does not match "x"`},
		{"/{a}.{b:int}", []string{"a", "x", "b", "y"}, "a", `{a}.{b:int} does not match "x.y"`},
		{"/{a}-{b}", []string{"a", "x-y", "b", "z"}, "a", `{a}-{b} would parse "x-y-z" as ["x" "y-z"]`},
		{"/{a...}/b", []string{"a", ""}, "a", `the value of "a" is empty; a catch-all between segments matches at least one segment`},
		{"{t}.h/", []string{"t", "a.b"}, "", `the values ["a.b"] make the host "a.b.h", which does not give them back; labels have no dots and are in lower case`},
		{"{t}.h/", []string{"t", "A"}, "", `the values ["A"] make the host "A.h", which does not give them back; labels have no dots and are in lower case`},
		{"{t}.h/", []string{"t", "a/b"}, "", `the values ["a/b"] make the host "a/b.h", which does not give them back; labels have no dots and are in lower case`},
		{"*.h/", nil, "", `its host begins with '*', which has no name; write {name} instead`},
	} {
		m := muxwell.New()
		if _, err := m.Add(row.pattern, http.NotFoundHandler(), muxwell.Name("n")); err != nil {
			t.Fatal(err)
		}
		u, err := m.URL("n", row.pairs...)
		var e *muxwell.URLError
		if !errors.As(err, &e) || u != nil || e.Name != "n" || e.Pattern != row.pattern || e.Param != row.param || e.Reason != row.reason {
			t.Errorf("%s with %q: got %v, error %+v, want %q", row.pattern, row.pairs, u, err, row.reason)
			continue
		}
		if want := `muxwell: URL of route "n", pattern "` + row.pattern + `": ` + row.reason; err.Error() != want {
			t.Errorf("got %q, want %q", err, want)
		}
	}
	_, err := muxwell.New().Path("n")
	if want := `muxwell: URL of route "n": no route has this name; name a route with the option Name`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// checkURL builds a URL for each of valuePatterns with v, and looks whether a
// request for it gives the values back. It returns how many could be built.
func checkURL(t *testing.T, v string) (built int) {
	t.Helper()
	for _, row := range valuePatterns {
		var got []string
		m := muxwell.New(muxwell.Constraint("any", func(string) bool { return true }))
		rt, err := m.Add("GET "+row.pattern, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			for _, name := range m.RouteOf(r).ParamNames() {
				got = append(got, r.PathValue(name))
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		var pairs, want []string
		for _, name := range rt.ParamNames() {
			value := "u"
			if name == "v" {
				value = v
			}
			pairs, want = append(pairs, name, value), append(want, value)
		}
		u, err := rt.URL(pairs...)
		if err != nil {
			if row.allowed(v) {
				t.Fatalf("%s with %q: %v", row.pattern, v, err)
			}
			continue
		}
		built++
		sent, err := url.ParseRequestURI(u.EscapedPath())
		if err != nil {
			t.Fatalf("%s with %q: %v", row.pattern, v, err)
		}
		r := &http.Request{Method: "GET", URL: sent, Host: u.Host, RequestURI: u.EscapedPath(), Header: http.Header{}}
		w := httptest.NewRecorder()
		if m.ServeHTTP(w, r); w.Code != 200 || !slices.Equal(got, want) {
			t.Fatalf("%s with %q: %s gives status %d and %q, want %q", row.pattern, v, u, w.Code, got, want)
		}
	}
	return built
}

func TestURLComesBack(t *testing.T) {
	muxtest.SkipUnderRace(t)
	src, built := rand.New(rand.NewPCG(1, 4)), 0
	rounds := long.Rounds(t, "values", 200, 200, 800)
	for range rounds {
		v := ""
		for range src.IntN(6) {
			v += random.Pick(src, "a", "b", ".", "/", "-", "%", "é", "\xff", " ", "raw", "u", "?", "\n")
		}
		built += checkURL(t, v) + checkQueryURL(t, v)
	}
	if built < 15*rounds {
		t.Errorf("only %d URLs were built", built)
	}
}

func FuzzURL(f *testing.F) {
	for _, v := range []string{"a", "..", "a/b", "%2F", "a-b.c", "//", "\x00"} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v string) {
		if len(v) <= 4<<10 {
			checkURL(t, v)
			checkQueryURL(t, v)
		}
	})
}
