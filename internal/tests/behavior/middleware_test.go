package behavior

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
	"github.com/muxwell/muxwell/internal/tests/policies"
)

// Middleware stands at the places below, in the order in which it runs:
//
//	mux
//	├─ with, with.later                  m.With(…), and what it is given later
//	├─ group ─ nested, group.with        under /g/{org}, with its own 404 and 405
//	├─ quiet                             under /q, without
//	├─ child ─ child.group               mounted at /m/{tenant}
//	├─ own                               mounted at /o, with its own 404 and 405
//	└─ around ─ child, foreign           a group that mounts the same child at /a, and a handler at /f
var places = []string{"mux", "with", "with.later", "group", "nested", "group.with", "quiet", "child", "child.group", "own", "around"}

func tellsParams(w http.ResponseWriter, r *http.Request, p muxwell.Params) {
	w.Header().Add("Seen", muxtest.Seen(r.Pattern, p.Get))
}

// newMarked returns a mux with middleware at those places that on says, added
// before the routes, after them, or when the mux has served already.
func newMarked(when string, on func(place string) bool, options ...muxwell.Option) *muxwell.Mux {
	var later []func()
	use := func(place string, f func(...muxwell.Middleware)) {
		switch {
		case !on(place):
		case when == "before" || place == "with":
			f(muxtest.Mark(place))
		default:
			later = append(later, func() { f(muxtest.Mark(place)) })
		}
	}
	m, child := muxwell.New(append(options, muxwell.AutoOptions())...), muxwell.New()
	own := muxwell.New(muxwell.NotFound(muxtest.Tells(444)), muxwell.MethodNotAllowed(muxtest.Tells(445)))

	use("mux", m.Use)
	m.HandleFunc("GET /plain/{id}", muxtest.Tells(200))
	m.HandleParams("GET /value/{id}", tellsParams)
	m.HandleFunc("GET /tree/{id}/", muxtest.Tells(200))
	var with *muxwell.Group
	use("with", func(mw ...muxwell.Middleware) { with = m.With(mw...) })
	if with == nil {
		with = m.With()
	}
	use("with.later", with.Use)
	with.Get("/with/{id}", muxtest.Tells(200))
	m.Route("/g/{org}", func(g *muxwell.Group) {
		use("group", g.Use)
		g.Get("/{id}", muxtest.Tells(200))
		g.HandleParams("GET /value/{id}", tellsParams)
		g.Get("/tree/{$}", muxtest.Tells(200))
		g.NotFound(muxtest.Tells(404))
		g.MethodNotAllowed(muxtest.Tells(405))
		g.Route("/n", func(g *muxwell.Group) {
			use("nested", g.Use)
			g.Get("/{id}", muxtest.Tells(200))
			g.HandleParams("GET /value/{id}", tellsParams)
			g.NotFound(muxtest.Tells(444))
		})
		g = g.With()
		use("group.with", g.Use)
		g.Get("/with/{id}", muxtest.Tells(200))
	})
	m.Route("/q", func(g *muxwell.Group) {
		use("quiet", g.Use)
		g.Get("/{id}", muxtest.Tells(200))
	})
	m.Mount("/m/{tenant}", child)
	use("child", child.Use)
	child.HandleFunc("GET /{id}", muxtest.Tells(200))
	child.HandleParams("GET /value/{id}", tellsParams)
	child.HandleFunc("GET /tree/{$}", muxtest.Tells(200))
	child.Route("/g", func(g *muxwell.Group) {
		use("child.group", g.Use)
		g.HandleParams("GET /{id}", tellsParams)
		g.NotFound(muxtest.Tells(444))
	})
	use("own", own.Use)
	own.HandleFunc("GET /{id}", muxtest.Tells(200))
	m.Mount("/o", own)
	around := m.Group(nil)
	use("around", around.Use)
	around.Mount("/a", child)
	around.Mount("/f/{org}", muxtest.Tells(200))
	if when == "while serving" {
		for request := range markedAnswers {
			muxtest.AnswerTo(m, muxtest.RequestOf(request))
		}
	}
	for _, f := range later {
		f()
	}
	return m
}

// markedAnswers has the answer to each request, STATUS [ALLOW|LOCATION] SEEN, and
// the middleware that it goes through.
var markedAnswers = map[string]struct{ answer, trail string }{
	"GET /plain/1":      {"200 GET /plain/{id} id=1", "mux"},
	"HEAD /plain/1":     {"200 GET /plain/{id} id=1", "mux"},
	"GET /plain/a%2Fb":  {"200 GET /plain/{id} id=a/b", "mux"},
	"GET /value/1":      {"200 GET /value/{id} id=1", "mux"},
	"GET /value/a%2Fb":  {"200 GET /value/{id} id=a/b", "mux"},
	"GET /with/1":       {"200 GET /with/{id} id=1", "mux with with.later"},
	"GET /none":         {"404", "mux"},
	"POST /plain/1":     {"405 GET, HEAD, OPTIONS", "mux"},
	"POST /with/1":      {"405 GET, HEAD, OPTIONS", "mux"},
	"OPTIONS /with/1":   {"204 GET, HEAD, OPTIONS", "mux"},
	"GET /tree/1":       {"307 /tree/1/ GET /tree/{id}/", "mux"},
	"GET /tree/1?q=a b": {"307 /tree/1/?q=a b GET /tree/{id}/", "mux"},
	"GET //plain/./1":   {"307 /plain/1 GET /plain/{id}", "mux"},
	"GET //none":        {"307 /none", "mux"},

	"GET /g/o/1":         {"200 GET /g/{org}/{id} org=o id=1", "mux group"},
	"GET /g/a%2Fb/1":     {"200 GET /g/{org}/{id} org=a/b id=1", "mux group"},
	"GET /g/o/value/1":   {"200 GET /g/{org}/value/{id} org=o id=1", "mux group"},
	"GET /g/o/with/1":    {"200 GET /g/{org}/with/{id} org=o id=1", "mux group group.with"},
	"GET /g/o/n/1":       {"200 GET /g/{org}/n/{id} org=o id=1", "mux group nested"},
	"GET /g/o/n/value/1": {"200 GET /g/{org}/n/value/{id} org=o id=1", "mux group nested"},
	"GET /g/o/no/where":  {"404 org=o", "mux group"},
	"GET /g/a%2Fb/c/d/e": {"404 org=a/b", "mux group"},
	"GET /g/o":           {"404 org=o", "mux group"},
	"GET /g/o/":          {"404 org=o", "mux group"},
	"GET /g":             {"404", "mux"},
	"GET /g/":            {"404", "mux"},
	"POST /g/o/1":        {"405 GET, HEAD, OPTIONS org=o", "mux group"},
	"POST /g/o/with/1":   {"405 GET, HEAD, OPTIONS org=o", "mux group"},
	"OPTIONS /g/o/1":     {"204 GET, HEAD, OPTIONS org=o", "mux group"},
	"GET /g/o/n/no/1/2":  {"444 org=o", "mux group nested"},
	"POST /g/o/n/1":      {"405 GET, HEAD, OPTIONS org=o", "mux group nested"}, // by the handler of the outer group
	"GET /g/o/tree":      {"200 GET /g/{org}/{id} org=o id=tree", "mux group"},
	"GET /g/o//1":        {"307 /g/o/1 GET /g/{org}/{id} org=o", "mux group"},

	"GET /q/1":        {"200 GET /q/{id} id=1", "mux quiet"},
	"GET /q/no/where": {"404", "mux quiet"},
	"POST /q/1":       {"405 GET, HEAD, OPTIONS", "mux quiet"},
	"OPTIONS /q/1":    {"204 GET, HEAD, OPTIONS", "mux quiet"},

	"GET /m/t/1":         {"200 GET /m/{tenant}/{id} tenant=t id=1", "mux child"},
	"GET /m/t/value/1":   {"200 GET /m/{tenant}/value/{id} tenant=t id=1", "mux child"},
	"GET /m/a%2Fb/val/1": {"404 tenant=a/b", "mux child"},
	"GET /m/t/g/1":       {"200 GET /m/{tenant}/g/{id} tenant=t id=1", "mux child child.group"},
	"GET /m/t/g/1/2":     {"444 tenant=t", "mux child child.group"},
	"POST /m/t/1":        {"405 GET, HEAD, OPTIONS tenant=t", "mux child"},
	"POST /m/t/g/1":      {"405 GET, HEAD, OPTIONS tenant=t", "mux child child.group"},
	"OPTIONS /m/t/1":     {"204 GET, HEAD, OPTIONS tenant=t", "mux child"},
	"GET /m/t":           {"404 tenant=t", "mux child"},
	"GET /m/t/tree/":     {"200 GET /m/{tenant}/tree/{$} tenant=t", "mux child"},
	"GET /m/t//1":        {"307 /m/t/1 GET /m/{tenant}/{id} tenant=t", "mux child"},

	"GET /a/1":       {"200 GET /a/{id} id=1", "mux around child"},
	"GET /a/g/1":     {"200 GET /a/g/{id} id=1", "mux around child child.group"},
	"GET /a/g/1/2":   {"444", "mux around child child.group"},
	"POST /a/1":      {"405 GET, HEAD, OPTIONS", "mux around child"},
	"GET /f/o":       {"200 /f/{org} org=o", "mux around"},
	"PUT /f/o/any/1": {"200 /f/{org}/ org=o", "mux around"},

	"GET /o/1":     {"200 GET /o/{id} id=1", "mux own"},
	"GET /o/1/2":   {"444", "mux own"},
	"GET /o":       {"444", "mux own"},
	"GET /o/":      {"444", "mux own"},
	"POST /o/1":    {"445 GET, HEAD, OPTIONS", "mux own"},
	"OPTIONS /o/1": {"204 GET, HEAD, OPTIONS", "mux own"},
	"GET /other":   {"404", "mux"},
}

// markedLine returns the answer to a request and the middleware that it went
// through, and checks that all on the way saw the same.
func markedLine(t *testing.T, about string, h http.Handler, r *http.Request) (answer, trail string) {
	t.Helper()
	w := muxtest.AnswerTo(h, r)
	sights := slices.Compact(w.Header().Values("Seen"))
	if len(sights) > 1 {
		t.Errorf("%s: middleware and handler saw different things: %q", about, w.Header().Values("Seen"))
	}
	head := w.Header().Get("Allow") + w.Header().Get("Location")
	answer = strings.Join(append([]string{fmt.Sprint(w.Code), head}, sights...), " ")
	return strings.Join(strings.Fields(answer), " "), strings.Join(w.Header().Values("Trail"), " ")
}

// TestMiddlewareOrderAndScope: what runs for each answer, in which order, and what
// it sees, with middleware everywhere, nowhere, and at one place only.
func TestMiddlewareOrderAndScope(t *testing.T) {
	only := map[string]func(string) bool{
		"everywhere": func(string) bool { return true },
		"nowhere":    func(string) bool { return false },
	}
	for _, place := range places {
		only[place] = func(p string) bool { return p == place }
	}
	for _, when := range []string{"before", "after", "while serving"} {
		for where, on := range only {
			m := newMarked(when, on)
			for request, want := range markedAnswers {
				about := fmt.Sprintf("%s, middleware %s, added %s", request, where, when)
				answer, trail := markedLine(t, about, m, muxtest.RequestOf(request))
				runs := slices.DeleteFunc(strings.Fields(want.trail), func(p string) bool { return !on(p) })
				if trail != strings.Join(runs, " ") {
					t.Errorf("%s: ran %q, want %q", about, trail, runs)
				}
				wantAnswer := strings.Join(strings.Fields(want.answer), " ")
				if len(runs) == 0 { // nobody says what an answer of the mux itself leads to, and which values there are
					byMux := strings.Contains(request, " /m/") && wantAnswer[0] != '2' && !strings.HasPrefix(wantAnswer, "444")
					switch {
					case want.answer[0] == '3':
						wantAnswer, _, _ = strings.Cut(wantAnswer, " GET")
					case byMux || strings.HasPrefix(wantAnswer, "204"):
						wantAnswer = strings.Join(slices.DeleteFunc(strings.Fields(wantAnswer), func(s string) bool { return strings.Contains(s, "=") }), " ")
					}
				}
				if answer != wantAnswer {
					t.Errorf("%s: got %q, want %q", about, answer, wantAnswer)
				}
			}
		}
	}
}

// TestMiddlewareAndHandler: what Handler returns goes through the same middleware
// as the request itself, and asking for it changes nothing.
func TestMiddlewareAndHandler(t *testing.T) {
	m := newMarked("before", func(string) bool { return true })
	for request, want := range markedAnswers {
		r := muxtest.RequestOf(request)
		before := fmt.Sprintf("%+v", *r)
		h, pattern := m.Handler(r)
		if after := fmt.Sprintf("%+v", *r); after != before {
			t.Errorf("%s: Handler changed the request from\n%s\nto\n%s", request, before, after)
		}
		w := muxtest.AnswerTo(h, r.Clone(r.Context()))
		if got := strings.Join(w.Header().Values("Trail"), " "); got != want.trail {
			t.Errorf("%s: the handler ran %q, want %q", request, got, want.trail)
		}
		if code := fmt.Sprint(w.Code); !strings.HasPrefix(want.answer, code) {
			t.Errorf("%s: the handler answers %s, want %s", request, code, want.answer)
		}
		if muxtest.AnswerTo(m, r); r.Pattern != pattern {
			t.Errorf("%s: Handler says the pattern is %q, ServeHTTP %q", request, pattern, r.Pattern)
		}
	}
}

// TestMiddlewareUnderPolicies: middleware and own handlers are the same under
// every policy for paths, but for the redirects.
func TestMiddlewareUnderPolicies(t *testing.T) {
	policies.Each(t, func(t *testing.T, options ...muxwell.Option) {
		m := newMarked("after", func(string) bool { return true }, options...)
		for request, want := range markedAnswers {
			if want.answer[0] == '3' || want.answer[0] == '2' && strings.Contains(request, "//") {
				continue
			}
			answer, trail := markedLine(t, request, m, muxtest.RequestOf(request))
			if answer != want.answer || trail != want.trail {
				t.Errorf("%s: got %q through %q, want %q through %q", request, answer, trail, want.answer, want.trail)
			}
		}
	})
}

// throughMux returns middleware that passes the request through another router.
func throughMux(register func(next http.Handler) http.Handler) muxwell.Middleware { return register }

// passings are the ways in which middleware passes on a request.
var passings = map[string]muxwell.Middleware{
	"itself":       func(next http.Handler) http.Handler { return next },
	"WithContext":  muxtest.Replacing(func(r *http.Request) *http.Request { return r.WithContext(context.Background()) }),
	"Clone":        muxtest.Replacing(func(r *http.Request) *http.Request { return r.Clone(context.Background()) }),
	"shallow copy": muxtest.Replacing(func(r *http.Request) *http.Request { c := *r; return &c }),
	"new request": muxtest.Replacing(func(r *http.Request) *http.Request {
		c, err := http.NewRequest(r.Method, r.URL.String(), r.Body)
		if err != nil {
			panic(err)
		}
		c.Host = r.Host
		return c
	}),
	"new request with the pattern": muxtest.Replacing(func(r *http.Request) *http.Request {
		return &http.Request{Method: r.Method, URL: r.URL, Host: r.Host, Pattern: r.Pattern}
	}),
	"http.ServeMux": throughMux(func(next http.Handler) http.Handler {
		m := http.NewServeMux()
		m.Handle("/{first}", next)
		m.Handle("/{first}/", next)
		return m
	}),
	"another Mux": throughMux(func(next http.Handler) http.Handler {
		m := muxwell.New()
		m.Handle("/{id}", next)
		m.Handle("/{id}/{rest...}", next)
		return m
	}),
}

// valueRows are patterns with the values that requests give them.
var valueRows = []struct {
	pattern, request, want string
	options                []muxwell.RouteOption
}{
	{"GET /u/{id}", "GET /u/7", "id=7", nil},
	{"GET /u/{id}", "GET /u/a%2Fb%25", "id=a/b%", nil},
	{"GET /u/{id}", "GET /u/%2e%2e", "id=..", nil},
	{"GET /u/{id}/x/{y}", "GET /u/" + strings.Repeat("7", 70) + "/x/1", "id=" + strings.Repeat("7", 70) + " y=1", nil},
	{"GET /f/{name}.{ext}", "GET /f/a.b.c", "name=a ext=b.c", nil},
	{"GET /f/{n:int}-{w:[a-z]+}", "GET /f/-7-abc", "n=-7 w=abc", nil},
	{"GET /r/{p...}/raw/{f}", "GET /r/a/b/raw/c", "p=a/b f=c", nil},
	{"GET /r/{p...}", "GET /r/", "p=", nil},
	{"GET /r/{p...}", "GET /r/a%2Fb/c", "p=a/b/c", nil},
	{"GET {t}.example.com/h/{id}", "GET Acme.example.com:80/h/7", "t=acme id=7", nil},
	{"GET /q/{id}", "GET /q/7?v=a+b&v=c", "id=7 v=a b", []muxwell.RouteOption{muxwell.Queries("v", "{v}")}},
	{"GET /q", "GET /q?v=", "v=", []muxwell.RouteOption{muxwell.Queries("v", "{v...}")}},
	{"CONNECT /c/{id}", "CONNECT /c/..", "id=..", nil},
	{"GET /t/{id}/", "GET /t/7/", "id=7", nil},
}

// TestValueHandlersBehindMiddleware: a value handler gets the parameters of its
// route however middleware passes on the request.
func TestValueHandlersBehindMiddleware(t *testing.T) {
	for i, options := range [][]muxwell.Option{nil, {muxwell.TrailingSlash(muxwell.SlashIgnore)}, {muxwell.CaseInsensitive()}} {
		for passing, mw := range passings {
			for _, row := range valueRows {
				if passing == "http.ServeMux" && (strings.HasPrefix(row.request, "CONNECT") || strings.Contains(row.request, "%2e")) || strings.HasPrefix(row.want, "id=..") && passing == "another Mux" {
					continue // it does not pass them on
				}
				m := muxwell.New(options...)
				want, got := row.want, ""
				called := 0
				_, err := m.With(mw).Add(row.pattern, muxwell.ParamsFunc(func(_ http.ResponseWriter, r *http.Request, p muxwell.Params) {
					called++
					var list, byName []string
					for name, value := range p.All() {
						list = append(list, name+"="+value)
						byName = append(byName, name+"="+r.PathValue(name))
					}
					got = strings.Join(list, " ")
					if passing == "http.ServeMux" || passing == "another Mux" { // which gave the request values of its own
						want = strings.Join(byName, " ")
					}
				}), row.options...)
				if err != nil {
					t.Fatal(err)
				}
				r := muxtest.RequestOf(row.request)
				switch {
				case i == 1 && row.pattern == "GET /u/{id}" && r.URL.RawPath == "":
					r.URL.Path += "/"
				case i == 2 && r.URL.RawPath == "" && r.Method != "CONNECT":
					r.URL.Path = strings.ToUpper(r.URL.Path[:2]) + r.URL.Path[2:]
				}
				w := muxtest.AnswerTo(m, r)
				if called != 1 || got != want {
					t.Errorf("%s on %s, passed on as %s, %d options: called %d times with %q (status %d), want %q", row.request, row.pattern, passing, len(options), called, got, w.Code, want)
				}
			}
		}
	}
}

// TestValueHandlerKeepsWhatMiddlewareSet: middleware may give a parameter another
// value, or send the request to another path; what the match gave stays.
func TestValueHandlerKeepsWhatMiddlewareSet(t *testing.T) {
	for _, row := range []struct {
		what, request, want string
		change              func(*http.Request) *http.Request
	}{
		{"SetPathValue", "/u/7/x", "id=8 rest=x", func(r *http.Request) *http.Request { r.SetPathValue("id", "8"); return r }},
		{"SetPathValue in a clone", "/u/7/x", "id=8 rest=x", func(r *http.Request) *http.Request {
			r = r.Clone(r.Context())
			r.SetPathValue("id", "8")
			return r
		}},
		{"another path", "/u/7/x", "id=7 rest=x", func(r *http.Request) *http.Request { r.URL.Path = "/elsewhere"; return r }},
		{"another path, empty catch-all", "/u/7/", "id=7 rest=", func(r *http.Request) *http.Request { r.URL.Path = "/u/8/y"; return r }},
		{"StripPrefix", "/u/7/x", "id=7 rest=x", func(r *http.Request) *http.Request {
			var got *http.Request
			http.StripPrefix("/u", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r })).ServeHTTP(httptest.NewRecorder(), r)
			return got
		}},
		{"a request that has nothing to do with it", "/u/7/x", "id= rest=", func(*http.Request) *http.Request { return httptest.NewRequest("GET", "/other", nil) }},
	} {
		m := muxwell.New()
		var got string
		m.With(muxtest.Replacing(row.change)).HandleParams("/u/{id}/{rest...}", func(_ http.ResponseWriter, _ *http.Request, p muxwell.Params) {
			got = fmt.Sprintf("id=%s rest=%s", p.Get("id"), p.Get("rest"))
		})
		if muxtest.AnswerTo(m, muxtest.NewRequest("GET", row.request)); got != row.want {
			t.Errorf("%s, GET %s: got %q, want %q", row.what, row.request, got, row.want)
		}
	}
}

// TestAnswersBehindMiddleware: what the mux answers itself reaches the client also
// if middleware replaced the request.
func TestAnswersBehindMiddleware(t *testing.T) {
	for passing, mw := range passings {
		m := muxwell.New(muxwell.AutoOptions())
		m.Use(mw)
		m.HandleFunc("GET /a/{id}", muxtest.OK)
		m.HandleFunc("GET /tree/{id}/", muxtest.OK)
		m.Add("GET /v2/{id}", http.HandlerFunc(muxtest.OK), muxwell.Accept("application/json"))
		m.Route("/g/{id}", func(g *muxwell.Group) {
			g.Use(mw)
			g.Get("/x", muxtest.OK)
			g.MethodNotAllowed(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(499) }))
		})
		for request, want := range map[string]string{
			"GET /a/1": "200", "GET /a/1/2": "404", "POST /a/1": "405 GET, HEAD, OPTIONS", "OPTIONS /a/1": "204 GET, HEAD, OPTIONS",
			"GET /tree/1": "307 /tree/1/", "GET /tree/%2F": "307 /tree/%2F/", "POST /g/1/x": "499 GET, HEAD, OPTIONS", "GET /g/1/y": "404",
		} {
			w := muxtest.AnswerTo(m, muxtest.RequestOf(request))
			got := strings.TrimSpace(fmt.Sprintf("%d %s%s", w.Code, w.Header().Get("Allow"), w.Header().Get("Location")))
			if got != want {
				t.Errorf("%s, passed on as %s: got %q, want %q", request, passing, got, want)
			}
		}
	}
}

// TestMiddlewareIsComposedOnce: middleware is made once for each route, and once
// for what the mux answers itself until some group is given middleware, whatever is
// served or registered besides.
func TestMiddlewareIsComposedOnce(t *testing.T) {
	m := muxwell.New()
	made := 0
	m.Use(func(next http.Handler) http.Handler { made++; return next })
	m.HandleFunc("/a", muxtest.OK)
	m.HandleFunc("/b/{x}", muxtest.OK)
	for range 3 {
		for _, target := range []string{"/a", "/b/1", "/none"} {
			muxtest.AnswerTo(m, muxtest.NewRequest("GET", target))
		}
	}
	if made != 3 {
		t.Errorf("two routes: made %d times, want 3", made)
	}
	m.HandleFunc("/c", muxtest.OK)
	muxtest.AnswerTo(m, muxtest.NewRequest("GET", "/a"))
	if made != 4 {
		t.Errorf("one route more: made %d times, want 4", made)
	}
	m.Group(nil).Use(muxtest.Mark("other"))
	muxtest.AnswerTo(m, muxtest.NewRequest("GET", "/a"))
	if made != 4 { // none of it covers what the middleware covers
		t.Errorf("middleware elsewhere: made %d times, want 4", made)
	}
}

// TestMiddlewareIsRefused: nil middleware is refused at once, and middleware that
// makes no handler when it is asked for one.
func TestMiddlewareIsRefused(t *testing.T) {
	m := muxwell.New()
	m.HandleFunc("/a", muxtest.OK)
	for what, f := range map[string]func(){
		"Mux.Use":    func() { m.Use(muxtest.Mark("a"), nil) },
		"Mux.With":   func() { m.With(nil) },
		"Group.Use":  func() { m.Group(nil).Use(nil) },
		"Group.With": func() { m.Group(nil).With(muxtest.Mark("a"), nil) },
	} {
		if v := muxtest.Recovered(f); !strings.Contains(fmt.Sprint(v), "is nil") {
			t.Errorf("%s(nil): panicked with %v", what, v)
		}
	}
	if trail := muxtest.AnswerTo(m, muxtest.NewRequest("GET", "/a")).Header().Values("Trail"); trail != nil {
		t.Errorf("middleware next to a nil one was added: ran %q", trail)
	}
	for _, none := range []http.Handler{nil, http.HandlerFunc(nil), muxwell.ParamsFunc(nil), (*muxwell.Group)(nil)} {
		m := muxwell.New()
		m.HandleFunc("/a", muxtest.OK)
		m.Use(func(http.Handler) http.Handler { return none })
		v := fmt.Sprint(muxtest.Recovered(func() { muxtest.AnswerTo(m, muxtest.NewRequest("GET", "/a")) }))
		if !strings.Contains(v, "TestMiddlewareIsRefused") || !strings.Contains(v, "no handler") {
			t.Errorf("middleware that returns a nil %T: panicked with %v, want its name and what is wrong", none, v)
		}
	}
}

// TestMiddlewareMayRegister: middleware may register when it is made; what it
// registered is there for the next request.
func TestMiddlewareMayRegister(t *testing.T) {
	m := muxwell.New()
	registered := false
	m.Use(func(next http.Handler) http.Handler {
		if !registered {
			registered = true
			m.HandleFunc("/made", muxtest.OK)
			m.Route("/group", func(g *muxwell.Group) { g.Get("", muxtest.OK); g.Use(muxtest.Mark("late")) })
		}
		return next
	})
	m.HandleFunc("/a", muxtest.OK)
	for target, want := range map[string]string{"/a": "/a", "/made": "/made", "/group": "GET /group"} {
		muxtest.AnswerTo(m, muxtest.NewRequest("GET", "/a"))
		if got := muxtest.MatchOf(m, "GET", target); got != want {
			t.Errorf("GET %s: got %s, want %s", target, got, want)
		}
	}
}

// TestRouteOfInMiddleware: middleware can ask for the route on every way, in each
// mux that the route is of, and without an allocation.
func TestRouteOfInMiddleware(t *testing.T) {
	outer, middle, inner := muxwell.New(), muxwell.New(), muxwell.New()
	type answers struct{ outer, middle, inner string }
	var got answers
	text := func(rt *muxwell.Route) string {
		if rt == nil {
			return ""
		}
		return rt.Pattern()
	}
	for _, m := range []*muxwell.Mux{outer, middle, inner} {
		m.Use(func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got = answers{text(outer.RouteOf(r)), text(middle.RouteOf(r)), text(inner.RouteOf(r.WithContext(r.Context())))}
				next.ServeHTTP(w, r)
			})
		})
	}
	outer.HandleFunc("GET /o/{x}", muxtest.OK)
	outer.HandleFunc("GET /tree/", muxtest.OK)
	outer.Mount("/m/{t}", middle)
	middle.HandleFunc("GET /x/{x}", muxtest.OK)
	middle.Mount("/i", inner)
	inner.HandleFunc("GET /y/{x}", muxtest.OK)
	inner.HandleFunc("GET /{$}", muxtest.OK)
	for request, want := range map[string]answers{
		"GET /o/1":       {outer: "GET /o/{x}"},
		"GET /o/%2F":     {outer: "GET /o/{x}"},
		"GET /tree":      {outer: "GET /tree/"},
		"GET //o/1":      {outer: "GET /o/{x}"},
		"GET /none":      {},
		"POST /o/1":      {},
		"GET /m/t/x/1":   {"GET /m/{t}/x/{x}", "GET /x/{x}", ""},
		"GET /m/t/i/y/1": {"GET /m/{t}/i/y/{x}", "GET /i/y/{x}", "GET /y/{x}"},
		"GET /m/t/i":     {"GET /m/{t}/i", "GET /i", "GET /{$}"},
		"GET /m/t/i/":    {"GET /m/{t}/i/{$}", "GET /i/{$}", "GET /{$}"},
	} {
		got = answers{"not asked", "", ""}
		if muxtest.AnswerTo(outer, muxtest.RequestOf(request)); got != want {
			t.Errorf("%s: got %q, want %q", request, got, want)
		}
	}
	r := muxtest.RequestOf("GET /m/t/i/y/1")
	muxtest.AnswerTo(outer, r)
	if allocs := testing.AllocsPerRun(100, func() { outer.RouteOf(r); middle.RouteOf(r); inner.RouteOf(r) }); allocs != 0 {
		t.Errorf("RouteOf: %v allocations", allocs)
	}
	rt := outer.RouteOf(r)
	outer.HandleFunc("/new", muxtest.OK)
	if again := outer.RouteOf(r); again != rt || rt == nil {
		t.Errorf("RouteOf after a registration: got %v, want %v", again, rt)
	}
	origin := inner.RouteOf(r)
	if err := inner.Update(func(tx *muxwell.Tx) error { return tx.Remove(origin) }); err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]*muxwell.Mux{"outer": outer, "middle": middle, "inner": inner} {
		if rt := m.RouteOf(r); rt != nil {
			t.Errorf("RouteOf of the %s mux after the route was removed: got %v", name, rt)
		}
	}
}
