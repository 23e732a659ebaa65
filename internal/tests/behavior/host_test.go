package behavior

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// hostPatterns are hosts with parameters, in the order of precedence.
var hostPatterns = []string{
	"api-{region}.eu.example.com",
	"api.{x:int}.example.com",
	"{t}.eu.example.com",
	"{x:int}.example.com",
	"{t:[a-z]+-[a-z]+}.example.com",
	"{t}.example.com",
	"{t...}.example.com",
	"{x}.a.{y...}.org",
	"*.{y:alpha}.org",
	"{x}-{y}.{z}",
	"{a}.{b}.{c}.{d}",
	"{x}",
}

// TestHostPatterns holds which host goes to which pattern, with the values,
// which are in lower case, those of the host first.
func TestHostPatterns(t *testing.T) {
	patterns := []string{"example.com/{p}", "::1/{p}", "10.0.0.1/{p}", "/{p}"}
	for _, h := range hostPatterns {
		patterns = append(patterns, h+"/{p}")
	}
	for range 2 {
		m := newTelling(t, patterns)
		for host, want := range map[string]string{
			"example.com":                  "example.com/{p}",
			"EXAMPLE.com.:80":              "example.com/{p}",
			"acme.example.com":             "{t}.example.com/{p} t=acme",
			"Acme.EXAMPLE.com.":            "{t}.example.com/{p} t=acme",
			"ACME.example.com:8080":        "{t}.example.com/{p} t=acme",
			"acme.example.com.:8080":       "{t}.example.com/{p} t=acme",
			"42.example.com":               "{x:int}.example.com/{p} x=42",
			"Co-Op.example.com":            "{t:[a-z]+-[a-z]+}.example.com/{p} t=co-op",
			"co-op2.example.com":           "{t}.example.com/{p} t=co-op2",
			"a.b.c.example.com":            "{t...}.example.com/{p} t=a.b.c",
			"A.42.example.com":             "{t...}.example.com/{p} t=a.42",
			"api.42.example.com":           "api.{x:int}.example.com/{p} x=42",
			"api.4x.example.com":           "{t...}.example.com/{p} t=api.4x",
			"api-fra.eu.example.com":       "api-{region}.eu.example.com/{p} region=fra",
			"API-Fra.EU.example.com":       "api-{region}.eu.example.com/{p} region=fra",
			"api-.eu.example.com":          "{t}.eu.example.com/{p} t=api-",
			"x.eu.example.com":             "{t}.eu.example.com/{p} t=x",
			"x.y.eu.example.com":           "{t...}.example.com/{p} t=x.y.eu",
			"example.com.example.com":      "{t...}.example.com/{p} t=example.com",
			"b.a.c.org":                    "{x}.a.{y...}.org/{p} x=b y=c",
			"b.A.C.d.ORG":                  "{x}.a.{y...}.org/{p} x=b y=c.d",
			"b.a.org":                      "*.{y:alpha}.org/{p} y=a",
			"b.a1.org":                     "/{p}",
			"x-y.net":                      "{x}-{y}.{z}/{p} x=x y=y z=net",
			"x-y-z.net":                    "{x}-{y}.{z}/{p} x=x y=y-z z=net",
			"-x.net":                       "/{p}",
			"a.b.c.d":                      "{a}.{b}.{c}.{d}/{p} a=a b=b c=c d=d",
			"10.0.0.1":                     "10.0.0.1/{p}",
			"10.0.0.1:80":                  "10.0.0.1/{p}",
			"10.0.0.2:80":                  "{a}.{b}.{c}.{d}/{p} a=10 b=0 c=0 d=2", // an address is labels too
			"localhost":                    "{x}/{p} x=localhost",
			"LOCALHOST:80":                 "{x}/{p} x=localhost",
			"[::1]":                        "::1/{p}",
			"[::1]:8080":                   "::1/{p}",
			"::1":                          "::1/{p}",
			"[::2]:8080":                   "{x}/{p} x=::2", // and an IPv6 address is one
			"[::AB]":                       "{x}/{p} x=::ab",
			"xn--bcher-kva.example.com":    "{t}.example.com/{p} t=xn--bcher-kva",
			"É.example.com":                "{t}.example.com/{p} t=É", // letters beyond ASCII are not folded
			strings.Repeat("x", 255):       "{x}/{p} x=" + strings.Repeat("x", 255),
			strings.Repeat("x", 5000):      "/{p}", // no name is so long
			strings.Repeat("x.", 99) + "x": "/{p}",

			// Empty labels, and texts that are not hosts.
			".example.com":      "/{p}",
			"a..example.com":    "/{p}",
			"a.b..example.com":  "/{p}",
			"..example.com":     "/{p}",
			"a.example.com..":   "/{p}",
			".a.b.example.com":  "/{p}",
			"a.example..com":    "/{p}",
			".":                 "/{p}",
			"..":                "/{p}",
			"":                  "/{p}",
			":80":               "/{p}",
			"a:b:c":             "{x}/{p} x=a:b:c",
			"[":                 "{x}/{p} x=[",
			"[]":                "{x}/{p} x=[]",
			"[[::1]]":           "{x}/{p} x=[::1]",
			"[a].example.com":   "{t}.example.com/{p} t=[a]",
			"[::a].example.com": "{t}.example.com/{p} t=[::a]",
			"a b.example.com":   "{t}.example.com/{p} t=a b",
			"*.example.com":     "{t}.example.com/{p} t=*",
			"{t}.example.com":   "{t}.example.com/{p} t={t}",
			"evilexample.com":   "/{p}",
			"example.com.evil":  "/{p}",
		} {
			r := muxtest.NewRequest("GET", "/v")
			r.Host = host
			if got := muxtest.AnswerLine(t, m, r); got != "200 "+want+" p=v" {
				t.Errorf("host %.50q: got %.200s, want 200 %.200s p=v", host, got, want)
			}
		}
		slices.Reverse(patterns)
	}
}

// TestHostIntrospection holds what a route says of its host.
func TestHostIntrospection(t *testing.T) {
	for _, row := range []struct {
		pattern, host string
		names         string
	}{
		{"{Tenant}.Example.COM./", "{Tenant}.example.com", "Tenant"},
		{"*.Example.com/{p}", "*.example.com", "p"},
		{"{t...}.h/{a}.{b}/{c...}", "{t...}.h", "t a b c"},
		{"API-{Region:[a-z]+}.h:443/", "api-{Region:[a-z]+}.h:443", "Region"},
		{"{a}-{b}.{c:int}.h/{d}", "{a}-{b}.{c:int}.h", "a b c d"},
		{"[::1]/", "::1", ""},
		{"H.:80/", "h:80", ""},
		{"/{p}", "", "p"},
	} {
		m := muxwell.New()
		rt, err := m.Add(row.pattern, http.HandlerFunc(muxtest.OK))
		if err != nil {
			t.Errorf("%q: got error %v", row.pattern, err)
			continue
		}
		if got := strings.Join(rt.ParamNames(), " "); rt.Host() != row.host || got != row.names || rt.Pattern() != row.pattern {
			t.Errorf("%q: got host %q, names %q, pattern %q, want %q, %q", row.pattern, rt.Host(), got, rt.Pattern(), row.host, row.names)
		}
	}
}

// TestHostValues: Params and r.PathValue hold the values of the host, from any
// kind of handler and path.
func TestHostValues(t *testing.T) {
	m := muxwell.New()
	var params, pattern string
	value := func(_ http.ResponseWriter, r *http.Request, p muxwell.Params) {
		params, pattern = "", r.Pattern
		for name, v := range p.All() {
			params += name + "=" + v + " "
		}
	}
	m.HandleParams("{t}.{u...}.h/v/{x}/{y}", value)
	m.HandleParams("*.h/v/{x}/{y}", value)
	m.HandleParams("CONNECT {t}.h:80/v/{x}/{y}", value)
	for request, want := range map[string]string{
		"GET A.B.C.h/v/1/2":       "{t}.{u...}.h/v/{x}/{y} t=a u=b.c x=1 y=2 ",
		"GET A.B.h.:80/v/%31/%2F": "{t}.{u...}.h/v/{x}/{y} t=a u=b x=1 y=/ ",
		"GET a.h/v/1/2":           "*.h/v/{x}/{y} x=1 y=2 ",
		"GET A.H/v/%2F/2":         "*.h/v/{x}/{y} x=/ y=2 ",
		"CONNECT a.b.h/v/1/2":     "{t}.{u...}.h/v/{x}/{y} t=a u=b x=1 y=2 ",
		"CONNECT A.H.:80/v/./2":   "CONNECT {t}.h:80/v/{x}/{y} t=a x=. y=2 ",
	} {
		params, pattern = "", ""
		if muxtest.AnswerTo(m, muxtest.RequestOf(request)); pattern+" "+params != want {
			t.Errorf("%s: got %s %s, want %s", request, pattern, params, want)
		}
	}
}

// TestHostPorts: a pattern with a port matches CONNECT requests alone, and these
// match no pattern without their port.
func TestHostPorts(t *testing.T) {
	m := newTelling(t, []string{"{t}.h:80/", "{t}.h/", "CONNECT {t}.h:443/", "*.g:80/", "{t...}.f:80/", "/x"})
	for request, want := range map[string]string{
		"GET a.h/x":          "200 {t}.h/ t=a",
		"GET a.h:80/x":       "200 {t}.h/ t=a",
		"CONNECT a.h/x":      "200 {t}.h/ t=a",
		"CONNECT a.h:80/x":   "200 {t}.h:80/ t=a",
		"CONNECT A.H.:80/x":  "200 {t}.h:80/ t=a",
		"CONNECT a.h:443/x":  "200 CONNECT {t}.h:443/ t=a",
		"CONNECT a.h:81/x":   "200 /x",
		"CONNECT a.h:081/x":  "200 /x",
		"CONNECT a.h:/x":     "200 /x",
		"GET a.h:443/x":      "200 {t}.h/ t=a",
		"GET a.g:80/x":       "200 /x",
		"CONNECT a.g:80/x":   "200 *.g:80/",
		"CONNECT .g:80/x":    "200 /x",
		"CONNECT b.a.f:80/x": "200 {t...}.f:80/ t=b.a",
		"CONNECT f:80/x":     "200 /x",
		"CONNECT a.g:80/y":   "200 *.g:80/",
		"CONNECT a.k:80/y":   "404",
	} {
		r := muxtest.RequestOf(request)
		r.URL.Host = r.Host
		if got := muxtest.AnswerLine(t, m, r); got != want {
			t.Errorf("%s: got %s, want %s", request, got, want)
		}
	}
}

// TestHostsTogether: 404, 405 and redirects are about all hosts that apply.
func TestHostsTogether(t *testing.T) {
	m := newTelling(t, []string{
		"GET a.h/m", "POST {t}.h/m", "PUT {t...}.h/m", "DELETE a{t}.h/m", "PATCH /m",
		"a.h/tree/", "{t}.h/tree/x", "/tree", "{t}.h/only/", "{t...}.h/only", "*.h/s/{x}/", "/s/{p...}",
		"GET {t}.h/c/{x...}", "{t...}.h/c/d/",
	})
	for request, want := range map[string]string{
		"OPTIONS a.h/m":    "405 GET, HEAD, PATCH, POST, PUT",
		"OPTIONS A.H.:1/m": "405 GET, HEAD, PATCH, POST, PUT",
		"OPTIONS ab.h/m":   "405 DELETE, PATCH, POST, PUT",
		"OPTIONS b.h/m":    "405 PATCH, POST, PUT",
		"OPTIONS c.b.h/m":  "405 PATCH, PUT",
		"OPTIONS g/m":      "405 PATCH",
		"OPTIONS .h/m":     "405 PATCH",
		"GET a.h/none":     "404",
		"GET b.h/none":     "404",

		"GET a.h/tree":     "200 /tree", // it matches exactly, with a slash more it does not for any host before
		"GET b.h/tree":     "200 /tree",
		"GET b.h/tree/x":   "200 {t}.h/tree/x t=b",
		"GET a.h/tree/x":   "200 a.h/tree/",
		"GET b.h/only":     "200 {t...}.h/only t=b",
		"GET b.h/only/y":   "200 {t}.h/only/ t=b",
		"GET c.b.h/only":   "200 {t...}.h/only t=c.b",
		"GET c.b.h/only/y": "404",
		"GET b.h/s/1":      "307 /s/1/ *.h/s/{x}/",
		"GET b.h/s/1/":     "200 *.h/s/{x}/ x=1",
		"GET c.b.h/s/1":    "200 /s/{p...} p=1",
		"GET b.h/c/d":      "200 GET {t}.h/c/{x...} t=b x=d",
		"POST b.h/c/d":     "307 /c/d/ {t...}.h/c/d/",
		"GET b.h//c/d/e":   "307 /c/d/e GET {t}.h/c/{x...}",
	} {
		got := muxtest.AnswerLine(t, m, muxtest.RequestOf(request))
		if got != want {
			t.Errorf("%s: got %s, want %s", request, got, want)
		}
	}
}

// TestHostAllocs: hosts are compared without an allocation, in whatever case
// they are sent; only a value that has to be folded costs one, and the string that
// holds values of both host and path.
func TestHostAllocs(t *testing.T) {
	for _, row := range []struct {
		pattern, host string
		want          float64
	}{
		{"example.com/{x}", "EXAMPLE.COM", 0},
		{"example.com/{x}", "Example.com.:8080", 0},
		{"*.example.com/{x}", "acme.example.com", 0},
		{"*.example.com/{x}", "ACME.Example.COM", 0},
		{"*.example.com/static", "ACME.Example.COM.:80", 0},
		{"{t}.example.com/static", "acme.example.com", 0},
		{"{t}.example.com/static", "acme.example.com:80", 0},
		{"{t}.example.com/static", "ACME.Example.COM", 1},
		{"{t}.example.com/{x}", "acme.example.com", 1},
		{"{t}.example.com/{x}", "ACME.Example.COM", 2},
		{"{t...}.example.com/{x}", "a.b.example.com:80", 1},
		{"api-{region}.example.com/{x}", "api-eu.example.com", 1},
		{"::1/{x}", "[::1]:80", 0},

		// The host matches and its routes do not, or the other way round.
		{"/{x}", "ACME.Example.COM", 0},
		{"/{x}", "ACME.Example.NET.", 0},
		{"/{x}", "[::1]:80", 0},
	} {
		m := muxwell.New()
		for _, p := range []string{"{t}.example.com/other", "{t...}.example.com/other", "*.{d...}.net/other", "{t}.example.org/{x}", row.pattern} {
			m.HandleParams(p, func(_ http.ResponseWriter, _ *http.Request, p muxwell.Params) {
				if p.Len() > 0 && p.At(0) == "" {
					t.Errorf("%s: a value is empty", row.pattern)
				}
			})
		}
		r, w := muxtest.NewRequest("GET", "/static"), muxtest.NewWriter()
		r.Host = row.host
		if m.ServeHTTP(w, r); r.Pattern != row.pattern {
			t.Errorf("%s for host %s: got pattern %q, status %d", row.pattern, row.host, r.Pattern, w.Status)
		}
		if got := testing.AllocsPerRun(1000, func() { m.ServeHTTP(w, r) }); got > row.want && !muxtest.RaceEnabled {
			t.Errorf("%s for host %s: %v allocations, want %v", row.pattern, row.host, got, row.want)
		}
	}
}
