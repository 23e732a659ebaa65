package muxwell

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
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
		{[]string{"/{p...}/raw", "/{p...}/x/raw", "/{p...}/{f}"}, "GET h /a/x/raw", "+/{p...}/raw: more segments after the catch-all beat fewer\n+/{p...}/{f}: literal beats parameter at the last segment"},
		{[]string{"/{p...}/b/raw", "/{p...}/{c}/raw"}, "GET h /a/b/raw", "+/{p...}/{c}/raw: literal beats parameter at segment 2 from the end"},
		{[]string{"/a/{p...}/b", "/a/{p...}"}, "GET h /a/x/b", "+/a/{p...}: catch-all in the middle beats catch-all at segment 2"},
		{[]string{"GET /a", "/a", "POST /a"}, "GET h /a", "+/a: method: GET beats any method\n-POST /a: method: it is for POST"},
		{[]string{"GET /a", "HEAD /a"}, "HEAD h /a", "+GET /a: method: HEAD beats GET"},
		{[]string{"GET /a", "/{x}"}, "HEAD h /a", "+/{x}: literal beats parameter at segment 1"},
		{[]string{"h/a", "/a", "{t}/a", "g/a"}, "GET h /a", "+{t}/a: host h beats {t}, which has parameters\n+/a: host h beats every host\n-g/a: host: it is for g"},
		{[]string{"{t}.h/a", "{t...}.h/a", "{t:alpha}.h/a", "a.{u}/a", "{a}.{b}/a"}, "GET a.h /a", "+{t}.h/a: host {t:alpha}.h beats {t}.h: more constraints beat fewer\n" +
			"+a.{u}/a: host {t:alpha}.h beats a.{u}: more constraints beat fewer\n+{t...}.h/a: host {t:alpha}.h beats {t...}.h: a fixed number of labels beats any number\n+{a}.{b}/a: host {t:alpha}.h beats {a}.{b}: more text beats less"},
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

// TestExplainMatchers holds what matchers add: rules and reasons by name, the
// status, and the parameters of the query.
func TestExplainMatchers(t *testing.T) {
	type route struct {
		pattern string
		options []RouteOption
	}
	with := func(pattern string, options ...RouteOption) route { return route{pattern, options} }
	for _, row := range []struct {
		routes  []route
		request string // as matcherRequest reads it
		want    string // the winner or the status, then the others
	}{
		{
			[]route{with("/a"), with("/a", Headers("X-Beta", "1"))},
			"/a | X-Beta: 1",
			"/a Headers(\"X-Beta\", \"1\")\n+/a: a matcher beats none",
		},
		{
			[]route{with("/a"), with("/a", Headers("X-Beta", "1"))},
			"/a",
			"/a\n-/a Headers(\"X-Beta\", \"1\"): header X-Beta is missing",
		},
		{
			[]route{with("/a", Headers("X-A", "")), with("/a", Headers("X-B", "")), with("/{x}", Headers("X-B", "")), with("/a")},
			"/a | X-A: 1 | X-B: 1",
			"/a Headers(\"X-A\", \"\")\n+/a Headers(\"X-B\", \"\"): registered first among those with matchers\n+/a: a matcher beats none\n+/{x} Headers(\"X-B\", \"\"): literal beats parameter at segment 1",
		},
		{
			[]route{with("/a", Accept("text/html")), with("/a", Accept("application/json")), with("/a", Accept("application/xml"))},
			"/a | Accept: text/html;q=0.5, application/json, application/xml;q=0.255",
			"/a Accept(\"application/json\")\n+/a Accept(\"text/html\"): the client prefers it (Accept q=1, not q=0.5)\n+/a Accept(\"application/xml\"): the client prefers it (Accept q=1, not q=0.255)",
		},
		{
			[]route{with("/a", Accept("text/html")), with("/a", Headers("X", "")), with("/a", Accept("application/json"))},
			"/a | X: 1 | Accept: text/html;q=0.5, application/json",
			"/a Headers(\"X\", \"\")\n+/a Accept(\"application/json\"): registered first among those with matchers\n+/a Accept(\"text/html\"): the client prefers it (the other has Accept q=0.5)",
		},
		{
			[]route{with("/a", Accept("text/html")), with("/a", Accept("application/json"))},
			"/a",
			"/a Accept(\"text/html\")\n+/a Accept(\"application/json\"): registered first among those with matchers",
		},
		{
			[]route{with("GET /a", Accept("text/html")), with("/a", Accept("application/json"))},
			"/a | Accept: text/html;q=0.5, application/json",
			"GET /a Accept(\"text/html\")\n+/a Accept(\"application/json\"): method: GET beats any method",
		},
		{
			[]route{with("/a", Headers("X", "1"), Schemes("https")), with("POST /a", Headers("X", "1")), with("POST /a")},
			"/a",
			"404\n-/a Headers(\"X\", \"1\") Schemes(\"https\"): header X is missing; scheme is http, not https\n-POST /a: method: it is for POST",
		},
		{
			[]route{with("POST /a")},
			"/a",
			"405\n-POST /a: method: it is for POST",
		},
		{
			[]route{with("GET /a", Accept("text/html")), with("POST /a")},
			"/a | Accept: text/csv",
			"406\n-GET /a Accept(\"text/html\"): Accept \"text/csv\" does not include text/html\n-POST /a: method: it is for POST",
		},
		{
			[]route{with("GET /{x}", ContentType("text/csv"))},
			"/a | body",
			"415\n-GET /{x} ContentType(\"text/csv\"): Content-Type is missing",
		},
		{
			[]route{with("/search/{kind}", Queries("q", "{q}", "page", "{page:int}", "sort", ""))},
			"/search/all?page=2&sort&q=a+b",
			"/search/{kind} Queries(\"q\", \"{q}\", \"page\", \"{page:int}\", \"sort\", \"\") kind=all q=a b page=2",
		},
		{
			[]route{with("/search", Queries("q", "{q}"))},
			"/search?q=",
			"404\n-/search Queries(\"q\", \"{q}\"): query q is empty",
		},
		{
			[]route{with("/{x:int}", Headers("X", "1"))}, // two things are amiss
			"/a",
			"404",
		},
	} {
		m := New()
		for _, rt := range row.routes {
			if _, err := m.Add(rt.pattern, http.NotFoundHandler(), rt.options...); err != nil {
				t.Fatal(err)
			}
		}
		name := func(rt *Route) string { return strings.Join(append([]string{rt.pattern.Text}, rt.Matchers()...), " ") }
		e := m.Explain(matcherRequest(row.request))
		got := []string{strconv.Itoa(e.Status)}
		if e.Route != nil {
			got[0] = name(e.Route)
			for param, value := range e.Params.All() {
				got[0] += " " + param + "=" + value
				if want := fmt.Sprintf("%s = %q", param, value); !strings.Contains(e.String(), want) {
					t.Errorf("%s: %s is not in\n%v", row.request, want, e)
				}
			}
		}
		for _, o := range e.Others {
			got = append(got, map[bool]string{true: "+", false: "-"}[o.Matched]+name(o.Route)+": "+o.Reason)
			if !strings.Contains(e.String(), o.Reason) {
				t.Errorf("%s: %s is not in\n%v", row.request, o.Reason, e)
			}
		}
		if strings.Join(got, "\n") != row.want {
			t.Errorf("%v, %s:\ngot\n%s\nwant\n%s", row.routes, row.request, strings.Join(got, "\n"), row.want)
		}
	}
}

// TestExplainFold: under CaseInsensitive the others are found in either case too.
func TestExplainFold(t *testing.T) {
	m := New(CaseInsensitive())
	for _, pattern := range []string{"/Users/{x}", "/{x}/Me", "POST /USERS/me", "/u{x}/{y}"} {
		m.Handle(pattern, http.NotFoundHandler())
	}
	want := "/Users/{x}; /u{x}/{y} true, /{x}/Me true, POST /USERS/me false"
	for _, path := range []string{"/users/me", "/USERS/ME", "/uSERS/m%45"} {
		e := m.Explain(httptest.NewRequest("GET", path, nil))
		var others []string
		for _, o := range e.Others {
			others = append(others, fmt.Sprint(o.Route, " ", o.Matched))
		}
		if got := fmt.Sprint(e.Route, "; ", strings.Join(others, ", ")); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}

// TestExplainIsServeHTTP: an explanation says what serving does, and names
// exactly the routes that the naive matcher finds.
func TestExplainIsServeHTTP(t *testing.T) {
	skipUnderRace(t)
	explained, others := 0, 0
	statuses := make(map[int]int)
	for seed := range uint64(800) {
		src := rand.New(rand.NewPCG(seed, 3))
		gen := []generator{plainPatterns, wholeLanguage, plainMatchers, wholeMatchers}[seed%4]
		options := append([]Option{
			TrailingSlash(SlashPolicy(src.IntN(3))), UncleanPath(PathPolicy(src.IntN(3))), {},
		}, gen.options...)
		if src.IntN(2) == 0 {
			options = append(options, AutoOptions())
		}
		m, naive := New(options...), newNaiveMux(SlashStrict)
		var served *http.Request
		for range 1 + src.IntN(20) {
			rt, matchers := gen.add(m, src, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { served = r }))
			if rt != nil {
				naive.add(rt, matchers)
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
			what := describeRequest(r)
			statuses[e.Status]++
			switch {
			case (e.Route == nil) != (served == nil), e.Route != nil && (e.Route.Pattern() != served.Pattern || m.RouteOf(served) != e.Route && !safeBuild):
				t.Fatalf("%s: explained as %v, served as %v\n%v\nroutes: %v", what, e.Route, served, e, naive)
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
			checkOthers(t, what, naive, r, e)
			_ = e.String()
		}
	}
	if others < explained/4 {
		t.Errorf("%d other routes in %d explanations", others, explained)
	}
	for _, status := range []int{0, 307, 404, 405, 406, 415} {
		if statuses[status] < 200 {
			t.Errorf("%d explanations with status %d", statuses[status], status)
		}
	}
}

func checkOthers(t *testing.T, what string, naive *naiveMux, r *http.Request, e *Explanation) {
	t.Helper()
	without := slices.DeleteFunc(slices.Clone(naive.routes), func(rt *Route) bool { return rt == e.Route })
	want := naive.order(without, r, e.Host, e.Path)
	var got []*Route
	near := make(map[*Route]bool)
	for _, o := range e.Others {
		if o.Matched {
			got = append(got, o.Route)
		}
		near[o.Route] = !o.Matched
		if o.Reason == "" {
			t.Fatalf("%s: no reason why %v does not take it\n%v", what, o.Route, e)
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("%s: matched as well: got %v, want %v\n%v\nroutes: %v", what, got, want, e, naive)
	}
	for _, rt := range without {
		fits, _ := naiveMatch([]*Route{rt}, e.Method, e.Host, e.Path)
		if status, _ := naive.ask(rt, r); fits != nil && status != 0 && !near[rt] {
			t.Fatalf("%s: only the matchers of %v do not take it, and it is not there\n%v", what, rt, e)
		}
	}
}
