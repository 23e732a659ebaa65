package muxwell

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/tests/long"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
	"github.com/muxwell/muxwell/internal/tests/random"
)

// TestDeadEndsOfMatchers: where a dead end is one for its matchers only, another
// place with the same patterns is none.
func TestDeadEndsOfMatchers(t *testing.T) {
	for seed := range uint64(long.Rounds(t, "muxes", 100, 100, 400)) {
		src := rand.New(rand.NewPCG(seed, 12))
		m, naive := New(TrailingSlash(SlashStrict)), newNaiveMux(SlashStrict)
		add := func(pattern string, matchers ...naiveMatcher) {
			var options []RouteOption
			for _, nm := range matchers {
				options = append(options, nm.option)
			}
			rt, err := m.Add(pattern, http.NotFoundHandler(), options...)
			if err != nil {
				t.Fatal(err)
			}
			naive.add(rt, matchers)
		}
		for _, pattern := range adversarialRoutes(6) {
			add("/deep" + strings.TrimPrefix(pattern, "GET ")) // enough for classes
		}
		for _, first := range []string{"/a", "/{x}", "/{x:alpha}"} {
			for _, second := range []string{"/b/{z}", "/{y}/{z}", "/b/{$}", "/b/c"} {
				add(first+second, naiveMatchers[src.IntN(len(naiveMatchers))])
			}
		}
		if src.IntN(2) == 0 {
			add("/{all...}")
		}
		s := m.publish()
		if !s.get.Remembers() {
			t.Fatal("the table remembers no dead ends")
		}
		for range 60 {
			path := random.Pick(src, "/a/b/c", "/a/b/", "/a/b/d", "/a/c/c", "/q/b/c", "/1/b/c", "/a/b", "/a/b/%63")
			r := genMet(src, genRequestFor(src, path, []string{"GET", "POST"}, []string{"h"}))
			a, want := s.resolve(r), naive.answer(r, path)
			if a.Status != want.status || s.endpoints.At(a.Number).route != want.route {
				t.Fatalf("%s: got %v, status %d, want %+v\nroutes: %v", describeRequest(r), s.endpoints.At(a.Number).route, a.Status, want, naive)
			}
		}
	}
}

// TestValuesOfQueries: the values of a route's parameters, those of the query
// among them, are the same by value, by name and for Explain, in middleware and
// without.
func TestValuesOfQueries(t *testing.T) {
	skipUnderRace(t)
	around := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
	}
	read, seeds := 0, long.Rounds(t, "sets of routes", 600, 600, 1500)
	for seed := range uint64(seeds) {
		src := rand.New(rand.NewPCG(seed, 13))
		gen := []generator{plainMatchers, wholeMatchers}[seed%2]
		gen.matchers = func(src random.Source) []naiveMatcher {
			matchers := genMatchers(src)
			if src.IntN(2) == 0 {
				matchers = append(matchers, naiveMatchers[3+src.IntN(6)]) // of queries
			}
			return matchers
		}
		var routes []struct {
			pattern  string
			matchers []naiveMatcher
		}
		for range 1 + src.IntN(12) {
			routes = append(routes, struct {
				pattern  string
				matchers []naiveMatcher
			}{gen.pattern(src), gen.matchers(src)})
		}
		var got string
		byName := func(rt **Route) http.HandlerFunc {
			return func(_ http.ResponseWriter, r *http.Request) {
				for _, name := range (*rt).ParamNames() {
					got += fmt.Sprintf("%s=%q ", name, r.PathValue(name))
				}
			}
		}
		byValue := func(_ http.ResponseWriter, _ *http.Request, p Params) {
			i := 0
			for name, value := range p.All() {
				got += fmt.Sprintf("%s=%q ", name, value)
				if p.Get(name) != value || p.At(i) != value || p.Name(i) != name {
					t.Errorf("%s is %q in All, %q by Get, %q by At", name, value, p.Get(name), p.At(i))
				}
				i++
			}
		}
		muxes := make([]*Mux, 4) // by name, by value; the same in middleware
		for i := range muxes {
			m := New(gen.options...)
			muxes[i] = m
			if i >= 2 {
				m.Use(around)
			}
			for _, rt := range routes {
				var options []RouteOption
				for _, nm := range rt.matchers {
					options = append(options, nm.option)
				}
				if i%2 == 0 {
					added := new(*Route)
					*added, _ = m.Add(rt.pattern, byName(added), options...)
				} else {
					m.Add(rt.pattern, ParamsFunc(byValue), options...)
				}
			}
		}
		for range 40 {
			r := gen.request(src)
			if r == nil {
				continue
			}
			e := muxes[0].Explain(r)
			want := ""
			for name, value := range e.Params.All() {
				want += fmt.Sprintf("%s=%q ", name, value)
			}
			if e.Route != nil && len(e.Route.set().QueryNames()) > 0 {
				read++
			}
			for i, m := range muxes {
				got = ""
				if m.ServeHTTP(httptest.NewRecorder(), r.Clone(r.Context())); got != want {
					t.Fatalf("%s: mux %d: got %s, want %s\n%v", describeRequest(r), i, got, want, e)
				}
			}
		}
	}
	if read < seeds*8/15 {
		t.Errorf("only %d requests had values in their queries", read)
	}
}

// TestAllocsOfMatchers: a route that shares its path with one whose matcher fails
// costs as little as one alone, and so does one whose matcher takes the request.
func TestAllocsOfMatchers(t *testing.T) {
	for _, row := range []struct {
		name, pattern string
		header        string // of the request
		value         bool
		options       []RouteOption // of the route itself; the other one has Headers("X-Beta", "1")
		want          float64
	}{
		{"static by value", "GET /a/b", "", true, nil, 0},
		{"static by name", "GET /a/b", "", false, nil, 0},
		{"parameter by value", "GET /a/{x}", "", true, nil, 0},
		{"parameter by name", "GET /a/{x}", "", false, nil, 0},
		{"subtree by value", "/a/", "", true, nil, 0},
		{"constraint by value", "GET /a/{x:alpha}", "", true, nil, 0},
		{"both with matchers", "GET /a/{x}", "", true, []RouteOption{Headers("X-Gamma", ""), Schemes("http"), Accept("text/html")}, 0},
		{"values of a query by value", "GET /a/{x}", "", true, []RouteOption{Queries("q", "{q}")}, 1},
		{"values of a query by name", "GET /a/{x}", "", false, []RouteOption{Queries("q", "{q}")}, 0},
	} {
		if safeBuild && !row.value {
			continue // SetPathValue allocates
		}
		m := New()
		nothing := func(http.ResponseWriter, *http.Request) {}
		if _, err := m.Add(row.pattern, http.NotFoundHandler(), Headers("X-Beta", "1")); err != nil {
			t.Fatal(err)
		}
		var rt *Route
		var err error
		if row.value {
			rt, err = m.Add(row.pattern, ParamsFunc(func(http.ResponseWriter, *http.Request, Params) {}), row.options...)
		} else {
			rt, err = m.Add(row.pattern, http.HandlerFunc(nothing), row.options...)
		}
		if err != nil {
			t.Fatal(err)
		}
		r, w := newBenchRequest("GET", "/a/b?q=x"), muxtest.NewWriter()
		r.Header = http.Header{"X-Gamma": {"1"}, "Accept": {"text/html, */*;q=0.1"}}
		m.ServeHTTP(w, r)
		if !safeBuild && m.RouteOf(r) != rt || w.Status != 0 {
			t.Fatalf("%s: %v takes it, status %d", row.name, m.RouteOf(r), w.Status)
		}
		if got := testing.AllocsPerRun(1000, func() { m.ServeHTTP(w, r) }); got > row.want && !raceEnabled {
			t.Errorf("%s: %v allocations, want %v", row.name, got, row.want)
		}
	}
}

// TestMissed holds what becomes of a request that misses matchers only: not 405,
// for a path with another final slash too if that may match.
func TestMissed(t *testing.T) {
	json, beta := Accept("application/json"), Headers("X-Beta", "1")
	type route struct {
		pattern string
		options []RouteOption
	}
	for _, row := range []struct {
		slash   SlashPolicy
		routes  []route
		request string
		want    string
	}{
		{SlashRedirect, []route{{"GET /a", []RouteOption{beta}}, {"POST /a", nil}}, "GET /a", "404"},
		{SlashRedirect, []route{{"GET /a", []RouteOption{beta}}, {"POST /a", nil}}, "HEAD /a", "404"},
		{SlashRedirect, []route{{"GET /a", []RouteOption{beta}}, {"POST /a", nil}}, "PUT /a", "405 POST"},
		{SlashRedirect, []route{{"GET /a", []RouteOption{beta}}}, "PUT /a", "404"},
		{SlashRedirect, []route{{"/a", []RouteOption{beta}}, {"POST /a", nil}}, "PUT /a", "404"},
		{SlashRedirect, []route{{"GET /a", []RouteOption{json}}, {"POST /a", nil}, {"GET /{x}", []RouteOption{beta}}}, "GET /a", "406"},
		{SlashRedirect, []route{{"GET /a", []RouteOption{beta}}, {"GET /{x}", []RouteOption{json}}}, "GET /a", "406"},
		{SlashRedirect, []route{{"GET /a", []RouteOption{beta, json}}}, "GET /a", "404"},
		{SlashRedirect, []route{{"GET /a", []RouteOption{json}}, {"GET /{x}", nil}}, "GET /a", "200"},
		{SlashRedirect, []route{{"GET /a/", []RouteOption{json}}, {"POST /a/", nil}}, "GET /a", "406"},
		{SlashRedirect, []route{{"GET /a/", []RouteOption{json}}, {"POST /a/", nil}}, "PUT /a", "405 POST"},
		{SlashRedirect, []route{{"GET /a", []RouteOption{json}}, {"GET /a/", nil}}, "GET /a", "307"},
		{SlashIgnore, []route{{"GET /a", []RouteOption{json}}, {"POST /a", nil}}, "GET /a/", "406"},
		{SlashStrict, []route{{"GET /a/", []RouteOption{json}}, {"POST /a/", nil}}, "GET /a", "404"},
		{SlashRedirect, []route{{"h/a", []RouteOption{json}}, {"POST /a", nil}}, "GET /a", "406"},
	} {
		m := New(TrailingSlash(row.slash))
		for _, rt := range row.routes {
			if _, err := m.Add(rt.pattern, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), rt.options...); err != nil {
				t.Fatal(err)
			}
		}
		method, path, _ := strings.Cut(row.request, " ")
		r := httptest.NewRequest(method, path, nil)
		r.Host = "h"
		r.Header.Set("Accept", "text/html")
		w := httptest.NewRecorder()
		m.ServeHTTP(w, r)
		if got := strings.TrimSpace(fmt.Sprint(w.Code, " ", w.Header().Get("Allow"))); got != row.want {
			t.Errorf("%v, %v, %s: got %s, want %s", row.slash, slices.Collect(m.Routes()), row.request, got, row.want)
		}
	}
}

// BenchmarkAdversarial has the cost of the search alone, without values and handlers,
// among routes of which a path can take each turn.
func BenchmarkAdversarial(b *testing.B) {
	const n = 12
	m := newMuxOf(adversarialRoutes(n))
	hit, miss := "", ""
	for range n {
		hit, miss = hit+"/b", miss+"/a"
	}
	for _, request := range []struct{ name, path string }{{"hit", hit + "/z"}, {"miss", miss + "/y"}, {"short", miss}} {
		b.Run("request="+request.name, func(b *testing.B) {
			t := m.publish().get
			if rec, _ := t.Find(request.path); (rec != 0) != (request.name == "hit") {
				b.Fatalf("%s: record %d", request.path, rec)
			}
			for b.Loop() {
				t.Find(request.path)
			}
		})
	}
}

func TestRouteSchemes(t *testing.T) {
	if got := matcherRoute(t, Schemes("HTTPS", "http")).set().Schemes; !slices.Equal(got, []string{"https", "http"}) {
		t.Errorf("got %q", got)
	}
	for _, rt := range []*Route{matcherRoute(t), matcherRoute(t, Name("n"))} {
		if got := rt.set().Schemes; got != nil {
			t.Errorf("got %q, want none", got)
		}
	}
}
