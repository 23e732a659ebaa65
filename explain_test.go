package muxwell

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// TestExplainReasons holds the rules by name.
func TestExplainReasons(t *testing.T) {
	for _, row := range []struct {
		routes  []string
		request string // METHOD HOST PATH
		want    string // each route but the winner, with + if it matched, and its reason
	}{
		{[]string{"/a/b", "/a/{x}"}, "GET h /a/b", "+/a/{x}: literal beats parameter at segment 2"},
		{[]string{"/{x}", "/{x:int}", "/{x...}", "/{x}s"}, "GET h /1s", "+/{x}: literal with parameters beats parameter at segment 1\n+/{x...}: literal with parameters beats catch-all at segment 1\n-/{x:int}: constraint int refused \"1s\""},
		{[]string{"/{x:int}", "/{x}"}, "GET h /7", "+/{x}: constrained parameter beats parameter at segment 1"},
		{[]string{"/{x:int}"}, "GET h /x", "-/{x:int}: constraint int refused \"x\""},
		{[]string{"/v{a:int}.{b:int}", "/w{a:int}.{b}"}, "GET h /v1.x", "-/v{a:int}.{b:int}: constraint int refused \"x\""},
		{[]string{"/{x:[0-9]+}", "/{x:hex}"}, "GET h /7", "+/{x:hex}: constraint [0-9]+ was registered before constraint hex at segment 1"},
		{[]string{"/{a}.{b}", "/{a}.{b}.gz", "/x.{b:alpha}"}, "GET h /x.gz", "+/{a}.{b}: more text beats less at segment 1"},
		{[]string{"/{a}.gz", "/x.{b}"}, "GET h /x.gz", "+/x.{b}: more text beats less at segment 1"},
		{[]string{"/{a}.g", "/x.{b}"}, "GET h /x.g", "+/{a}.g: more text in front beats less at segment 1"},
		{[]string{"/x{b}", "/x{b:int}"}, "GET h /x7", "+/x{b}: more constraints beat fewer at segment 1"},
		{[]string{"/{p...}/raw", "/{p...}/x/raw", "/{p...}/{f}"}, "GET h /a/x/raw", "+/{p...}/raw: more segments behind the catch-all beat fewer\n+/{p...}/{f}: literal beats parameter at the last segment"},
		{[]string{"/{p...}/b/raw", "/{p...}/{c}/raw"}, "GET h /a/b/raw", "+/{p...}/{c}/raw: literal beats parameter at segment 2 from the end"},
		{[]string{"/a/{p...}/b", "/a/{p...}"}, "GET h /a/x/b", "+/a/{p...}: catch-all in the middle beats catch-all at segment 2"},
		{[]string{"GET /a", "/a", "POST /a"}, "GET h /a", "+/a: method: GET beats any method\n-POST /a: method: it is for POST"},
		{[]string{"GET /a", "HEAD /a"}, "HEAD h /a", "+GET /a: method: HEAD beats GET"},
		{[]string{"GET /a", "/{x}"}, "HEAD h /a", "+/{x}: literal beats parameter at segment 1"},
		{[]string{"h/a", "/a", "{t}/a", "g/a"}, "GET h /a", "+{t}/a: host h beats {t}, which has parameters\n+/a: host h beats every host\n-g/a: host: it is for g"},
		{[]string{"{t}.h/a", "{t...}.h/a", "{t:alpha}.h/a", "a.{u}/a", "{a}.{b}/a"}, "GET a.h /a", "+{t}.h/a: host {t:alpha}.h beats {t}.h: more constraints beat fewer\n" +
			"+a.{u}/a: host {t:alpha}.h beats a.{u}: more constraints beat fewer\n+{t...}.h/a: host {t:alpha}.h beats {t...}.h: labels that are counted beat any number of them\n+{a}.{b}/a: host {t:alpha}.h beats {a}.{b}: more text beats less"},
		{[]string{"/a/{x}/", "/a/{x}/b"}, "GET h /a/x", "-/a/{x}/: final slash: it matches \"/a/x/\""},
		{[]string{"/a"}, "GET h /a/", "-/a: final slash: it matches \"/a\""},
		{[]string{"POST g/a", "/b"}, "GET h /a", ""}, // two things are amiss
		{[]string{"/a/{x...}/b"}, "GET h /a/b", ""},
		{[]string{"/{x}"}, "GET h /a%2Fb", ""},
	} {
		m := New()
		for _, pattern := range row.routes {
			m.Handle(pattern, http.NotFoundHandler())
		}
		f := strings.Fields(row.request)
		r := httptest.NewRequest(f[0], f[2], nil)
		r.Host = f[1]
		var got []string
		for _, o := range m.Explain(r).Others {
			got = append(got, map[bool]string{true: "+", false: "-"}[o.Matched]+o.Route.Pattern()+": "+o.Reason)
		}
		if strings.Join(got, "\n") != row.want {
			t.Errorf("%q, %s:\ngot\n%s\nwant\n%s", row.routes, row.request, strings.Join(got, "\n"), row.want)
		}
	}
}

// TestExplainIsServeHTTP: an explanation says what serving does, and names
// exactly the routes that the naive matcher finds.
func TestExplainIsServeHTTP(t *testing.T) {
	explained, others := 0, 0
	for seed := range uint64(400) {
		src := rand.New(rand.NewPCG(seed, 3))
		gen := []generator{plainPatterns, wholeLanguage}[seed%2]
		options := append([]Option{
			TrailingSlash(SlashPolicy(src.IntN(3))), UncleanPath(PathPolicy(src.IntN(3))), {},
		}, gen.options...)
		if src.IntN(2) == 0 {
			options = append(options, AutoOptions())
		}
		m := New(options...)
		var routes []*Route
		var served *http.Request
		for range 1 + src.IntN(20) {
			rt, err := m.Add(gen.pattern(src), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { served = r }))
			if err == nil {
				routes = append(routes, rt)
			}
		}
		for range 100 {
			r := gen.request(src)
			if r == nil {
				continue
			}
			e := m.Explain(r)
			w := httptest.NewRecorder()
			served = nil
			m.ServeHTTP(w, r)
			what := r.Method + " " + r.Host + r.RequestURI
			switch {
			case (e.Route == nil) != (served == nil), e.Route != nil && e.Route.Pattern() != served.Pattern:
				t.Fatalf("%s: explained as %v, served as %v\n%v\nroutes: %v", what, e.Route, served, e, routes)
			case e.Route != nil && e.Status != 0, e.Route == nil && e.Status != w.Code:
				t.Fatalf("%s: status %d, served with %d", what, e.Status, w.Code)
			case e.Location != w.Header().Get("Location"), strings.Join(e.Allow, ", ") != w.Header().Get("Allow"):
				t.Fatalf("%s: location %q, allow %q, served %v", what, e.Location, e.Allow, w.Header())
			}
			if e.Route != nil {
				for name, value := range e.Params.All() {
					if got := served.PathValue(name); got != value {
						t.Fatalf("%s: %s explained as %q, served as %q", what, name, value, got)
					}
				}
			}
			explained++
			others += len(e.Others)
			checkOthers(t, what, routes, e)
			_ = e.String()
		}
	}
	if others < explained/4 {
		t.Errorf("%d other routes in %d explanations", others, explained)
	}
}

func checkOthers(t *testing.T, what string, routes []*Route, e *Explanation) {
	t.Helper()
	var want, got []*Route
	for _, rt := range routes {
		if rt == e.Route {
			continue
		}
		if best, _ := naiveMatch([]*Route{rt}, e.Method, e.Host, e.Path); best != nil {
			want = append(want, rt)
		}
	}
	slices.SortFunc(want, func(a, b *Route) int { return naiveCompare(routes, a, b, e.Method) })
	for _, o := range e.Others {
		if o.Matched {
			got = append(got, o.Route)
		}
		if o.Reason == "" {
			t.Fatalf("%s: no reason why %v does not take it\n%v", what, o.Route, e)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%s: matched as well: got %v, want %v\n%v", what, got, want, e)
	}
}
