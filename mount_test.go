package muxwell

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// mustTell registers patterns whose handlers tell the values of all parameters,
// with those of the prefixes that the mux is mounted at.
func mustTell(t *testing.T, m *Mux, patterns ...string) {
	t.Helper()
	for _, pattern := range patterns {
		if _, err := m.Add(pattern, http.HandlerFunc(tellAll)); err != nil {
			t.Fatal(err)
		}
	}
}

// tellAll answers with the values that the pattern in the outermost mux has.
func tellAll(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/plain")
	for name := range strings.SplitSeq("t tenant x y p id h", " ") {
		if v := r.PathValue(name); v != "" {
			fmt.Fprintf(w, " %s=%s", name, v)
		}
	}
}

// TestMountedMux: what a mux answers in another one, by what is mounted where.
func TestMountedMux(t *testing.T) {
	for _, row := range []struct {
		prefix  string
		child   []string
		outer   []string
		answers map[string]string
	}{
		{"/api", []string{"GET /x", "GET /{x}", "GET /", "POST /y/{$}"}, []string{"GET /api/v2", "GET /other", "/api2/"}, map[string]string{
			"GET /api": "200 GET /api", "GET /api/": "200 GET /api/", "GET /api/x": "200 GET /api/x", "GET /api/7": "200 GET /api/{x} x=7", "GET /api/v2": "200 GET /api/v2",
			"GET /api/a/b": "200 GET /api/", "GET /apix": "404", "GET /api2/": "200 /api2/", "GET /other": "200 GET /other", "GET /": "404", "GET /x": "404",
			"POST /api/y": "307 /api/y/ POST /api/y/{$}", "POST /api/y/": "200 POST /api/y/{$}", "PUT /api": "405 GET, HEAD", "GET /api/a%2Fb": "200 GET /api/{x} x=a/b",
		}},
		{"/api", []string{"/{$}"}, nil, map[string]string{"GET /api": "200 /api", "GET /api/": "200 /api/{$}", "GET /api/x": "404"}},
		{"/api", []string{"/{p...}"}, nil, map[string]string{"GET /api": "200 /api", "GET /api/": "200 /api/{p...}", "GET /api/x/y": "200 /api/{p...} p=x/y"}},
		{"/api", []string{"/x"}, nil, map[string]string{"GET /api": "404", "GET /api/": "404", "GET /api/x": "200 /api/x"}},
		{"/api", []string{"GET /", "GET /{$}"}, nil, map[string]string{"GET /api": "200 GET /api", "GET /api/": "200 GET /api/{$}", "GET /api/x": "200 GET /api/"}},
		{"/api", []string{"GET /{$}", "POST /{p...}"}, nil, map[string]string{"GET /api": "200 GET /api", "POST /api": "200 POST /api", "PUT /api": "405 GET, HEAD, POST"}},
		{"/", []string{"/", "/x/{x}", "h.com/{$}"}, []string{"/y"}, map[string]string{
			"GET /": "200 /", "GET /x/1": "200 /x/{x} x=1", "GET /y": "200 /y", "GET h.com/": "200 h.com/{$}", "GET /z": "200 /",
		}},
		{"", []string{"GET /x"}, nil, map[string]string{"GET /x": "200 GET /x", "GET /": "404"}},
		{"/t/{tenant}", []string{"GET /u/{id}", "GET /{$}"}, []string{"/t/acme/u/me"}, map[string]string{
			"GET /t/a/u/7": "200 GET /t/{tenant}/u/{id} tenant=a id=7", "GET /t/a%2Fb/u/7": "200 GET /t/{tenant}/u/{id} tenant=a/b id=7",
			"GET /t/a": "200 GET /t/{tenant} tenant=a", "GET /t/a/": "200 GET /t/{tenant}/{$} tenant=a", "GET /t//u/7": "307 /t/u/7", "GET /t": "404",
			"GET /t/acme/u/me": "200 /t/acme/u/me",
		}},
		{"/t/{tenant:int}", []string{"/{id:int}"}, nil, map[string]string{"GET /t/1/2": "200 /t/{tenant:int}/{id:int} tenant=1 id=2", "GET /t/x/2": "404"}},
		{"/r/{p...}", []string{"/raw/{x}"}, nil, map[string]string{"GET /r/a/b/raw/c": "200 /r/{p...}/raw/{x} x=c p=a/b"}},
		{"h.com", []string{"/x", "/"}, []string{"/x"}, map[string]string{"GET h.com/x": "200 h.com/x", "GET h.com/": "200 h.com/", "GET /x": "200 /x", "GET i.com/z": "404"}},
		{"h.com/api", []string{"GET h.com/x", "GET H.com./y", "/"}, nil, map[string]string{
			"GET h.com/api/x": "200 GET h.com/api/x", "GET h.com/api/y": "200 GET h.com/api/y", "GET h.com/api": "200 h.com/api", "GET /api": "404",
		}},
		{"/api", []string{"h.com/x", "{t}.h.com/x", "localhost/", "{h}.org/{$}"}, nil, map[string]string{
			"GET h.com/api/x": "200 h.com/api/x", "GET a.h.com/api/x": "200 {t}.h.com/api/x t=a", "GET localhost:80/api": "200 localhost/api", "GET /api": "404",
			"GET localhost/api/z": "200 localhost/api/", "GET a.org/api": "200 {h}.org/api h=a", "GET h.com/x": "404",
		}},
		{"{h}.com/a/{t}", []string{"/{x}"}, nil, map[string]string{"GET a.com/a/b/c": "200 {h}.com/a/{t}/{x} t=b x=c h=a"}},
		{"/Api", []string{"/%78", "/a%2Fb/"}, nil, map[string]string{"GET /Api/x": "200 /Api/%78", "GET /Api/a%2Fb": "307 /Api/a%2Fb/ /Api/a%2Fb/", "GET /api/x": "404"}},
	} {
		for _, late := range []bool{false, true} {
			m, child := New(), New()
			if late {
				m.Mount(row.prefix, child)
				answerTo(m, requestOf("GET /")) // the tables are there
			}
			mustTell(t, m, row.outer...)
			mustTell(t, child, row.child...)
			if !late {
				m.Mount(row.prefix, child)
			}
			for request, want := range row.answers {
				if got := answerLine(t, m, requestOf(request)); got != want {
					t.Errorf("%q at %q beside %q (late: %v): %s: got %q, want %q", row.child, row.prefix, row.outer, late, request, got, want)
				}
			}
			for rt := range m.Routes() {
				alone, err := New().Add(rt.Pattern(), http.HandlerFunc(ok))
				if err != nil {
					t.Errorf("%q at %q: pattern %q cannot be registered: %v", row.child, row.prefix, rt, err)
				} else if alone.Path() != rt.Path() || alone.Host() != rt.Host() || !slices.Equal(alone.ParamNames(), rt.ParamNames()) || alone.layout.Plain != rt.layout.Plain {
					t.Errorf("%q at %q: %q has path %q, host %q, names %q", row.child, row.prefix, rt, rt.Path(), rt.Host(), rt.ParamNames())
				}
			}
			if got := slices.Collect(child.Routes()); len(got) != len(row.child) {
				t.Errorf("%q at %q: the child has the routes %v", row.child, row.prefix, got)
			}
			m.Check()
		}
	}
}

// TestMountIsLive: what is added to the child later, or removed from it, is so in
// each mux around it, and the child serves itself as before.
func TestMountIsLive(t *testing.T) {
	child, middle, a, b := New(), New(), New(), New()
	a.Mount("/one", child)
	a.Mount("/two/{t}", child)
	middle.Mount("/mid", child)
	b.Mount("/b", middle)
	ways := []struct {
		mux    *Mux
		prefix string
	}{{child, ""}, {a, "/one"}, {a, "/two/T"}, {middle, "/mid"}, {b, "/b/mid"}}
	check := func(what, path, want string) {
		t.Helper()
		for _, way := range ways {
			r := newBenchRequest("GET", way.prefix+path)
			w := answerTo(way.mux, r)
			got := fmt.Sprint(w.Code)
			if w.Code == 200 {
				got = strings.TrimSuffix(strings.ReplaceAll(w.Body.String(), " t=T", ""), " ")
			}
			if got != want {
				t.Errorf("%s: GET %s%s: got %q, want %q", what, way.prefix, path, got, want)
			}
		}
	}
	says := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, text)
			tellAll(w, r)
		})
	}
	check("nothing", "/x", "404")
	first, err := child.Add("GET /{x}", says("first"), Name("n"))
	if err != nil {
		t.Fatal(err)
	}
	check("a route later", "/1", "first x=1")
	var second *Route
	err = child.Update(func(tx *Tx) (err error) {
		second, err = tx.Replace(first, "GET /{y:int}", says("second"), Name("n"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	check("a route replaced", "/1", "second y=1")
	check("a route replaced", "/x", "404")
	if err := child.Update(func(tx *Tx) error { return tx.Remove(second) }); err != nil {
		t.Fatal(err)
	}
	check("a route removed", "/1", "404")
	child.Handle("/", says("root"))
	check("the root", "/", "root")
	child.Use(mark("child"))
	for _, way := range ways {
		if got := answerTo(way.mux, newBenchRequest("GET", way.prefix+"/")).Header().Values("Trail"); !slices.Equal(got, []string{"child"}) {
			t.Errorf("middleware of the child at %q: ran %q", way.prefix, got)
		}
	}
	for rt := range a.Routes() {
		for what, change := range map[string]func(*Tx) error{
			"Remove":  func(tx *Tx) error { return tx.Remove(rt) },
			"Replace": func(tx *Tx) error { _, err := tx.Replace(rt, "", says("")); return err },
		} {
			if err := a.Update(change); !errors.Is(err, ErrNotInMux) {
				t.Errorf("%s of %v, which comes from a mount: got error %v, want ErrNotInMux", what, rt, err)
			}
		}
	}
}

// statesOf returns what a registration may change in several muxes.
func statesOf(muxes ...*Mux) (s string) {
	for _, m := range muxes {
		s += stateOf(m) + fmt.Sprintln(len(m.mounts), len(m.parents), len(m.inner), len(m.claiming))
	}
	return s
}

// TestMountRefusals: a mount that cannot be changes no mux, nor does a registration
// that cannot be in a mux around.
func TestMountRefusals(t *testing.T) {
	m, a, b, c := New(), New(), New(), New()
	a.Mount("/b", b)
	b.Mount("/c", c)
	m.Mount("/t/{tenant}", c)
	m.HandleFunc("GET /t/{x}/taken/{y}", ok)
	m.Mount("/files/{p}", http.HandlerFunc(ok))
	twin := newMuxOf([]string{"/free", "POST /t/{any}/taken", "GET /t/{any}/taken/{z}"})
	strict := New(StrictConflicts())
	strict.HandleFunc("/s/{x}/y", ok)
	strict.Mount("/s", c)
	before := statesOf(m, a, b, c, twin, strict)
	for what, row := range map[string]struct {
		f    func()
		want any
		text string
	}{
		"itself":           {func() { m.Mount("/x", m) }, new(*MountError), "itself|around it"},
		"itself, in group": {func() { m.Route("/x", nil).Mount("/y", m) }, new(*MountError), ""},
		"two":              {func() { b.Mount("/x", a) }, new(*MountError), ""},
		"three":            {func() { c.Mount("/x", a) }, new(*MountError), ""},
		"twice":            {func() { a.Mount("/b/", b) }, new(*MountError), "already"},
		"nil":              {func() { a.Mount("/n", nil) }, new(*MountError), "nil"},
		"nil mux":          {func() { a.Mount("/n", (*Mux)(nil)) }, new(*MountError), "nil"},
		"a clash":          {func() { m.Mount("/", twin) }, new(*ConflictError), "/t/{any}/taken"},
		"a name":           {func() { m.Mount("/u/{z}", twin) }, new(*PatternError), `"z"`},
		"a later name":     {func() { c.HandleFunc("/u/{tenant}", ok) }, new(*PatternError), `"tenant"`},
		"a later clash":    {func() { c.HandleFunc("GET /taken/{z}", ok) }, new(*ConflictError), "mount_test.go"},
		"a query's name":   {func() { must(c.Add("/q", http.HandlerFunc(ok), Queries("q", "{tenant}"))) }, new(*PatternError), `"tenant"`},
		"an overlap":       {func() { c.HandleFunc("/a/{z}", ok) }, new(*ConflictError), "/s/{x}/y"},
		"in an update": {func() {
			must(nil, c.Update(func(tx *Tx) error {
				tx.Add("/fine", http.HandlerFunc(ok))
				_, err := tx.Add("GET /taken/{z}", http.HandlerFunc(ok))
				return err
			}))
		}, new(*ConflictError), ""},
		"catch-alls":                           {func() { m.Mount("/r/{p...}/s", newMuxOf([]string{"/{x...}"})) }, new(*PatternError), "catch-all"},
		"two hosts":                            {func() { m.Mount("i.com", newMuxOf([]string{"h.com/x"})) }, new(*PatternError), "host"},
		"a foreign handler behind a catch-all": {func() { m.Mount("/r/{p...}", http.HandlerFunc(ok)) }, new(*MountError), "catch-all"},
		"a foreign handler twice":              {func() { m.Mount("/files/{q}", http.HandlerFunc(ok)) }, new(*ConflictError), "mount_test.go"},
	} {
		err, _ := recovered(row.f).(error)
		switch {
		case !errors.As(err, row.want):
			t.Errorf("%s: panicked with %v (%T), want a %T", what, err, err, row.want)
		case !slices.ContainsFunc(strings.Split(row.text, "|"), func(s string) bool { return strings.Contains(err.Error(), s) }):
			t.Errorf("%s: panicked with %v, want one about %s", what, err, row.text)
		}
		if got := statesOf(m, a, b, c, twin, strict); got != before {
			t.Fatalf("%s: the muxes are now\n%s\nwere\n%s", what, got, before)
		}
	}
	for _, f := range []func(){func() { a.Mount("/b2", b) }, func() { a.Mount("/b/b", b) }, func() { m.Mount("/b", b) }} {
		if err := recovered(f); err != nil {
			t.Errorf("a second mount elsewhere: panicked with %v", err)
		}
	}
}

// TestMountRoots: the bare prefix goes to what the child has for "/", as "/" does in
// the child, also if it has several routes for it.
func TestMountRoots(t *testing.T) {
	patterns := []string{"/", "/{$}", "GET /", "GET /{$}", "POST /{p...}", "GET,PUT /{$}"}
	for set := range 1 << len(patterns) {
		for _, options := range [][]Option{nil, {StrictConflicts()}} {
			child, middle, m := New(options...), New(options...), New(options...)
			m.Mount("/m", middle)
			middle.Mount("/i", child)
			m.Mount("/c", child)
			m.publish()
			var routes []*Route
			var texts []string
			for i, pattern := range patterns {
				if set>>i&1 == 0 {
					continue
				}
				if err := child.Update(func(tx *Tx) error {
					rt, err := tx.Add(pattern, says(pattern))
					routes = append(routes, rt)
					return err
				}); err != nil {
					routes = routes[:len(routes)-1]
					continue // a duplicate in the child itself
				}
				texts = append(texts, pattern)
			}
			check := func() {
				t.Helper()
				for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE"} {
					alone := answerTo(child, newBenchRequest(method, "/"))
					want := fmt.Sprint(alone.Code, alone.Header().Get("Allow"), alone.Body)
					for _, path := range []string{"/c", "/c/", "/m/i", "/m/i/"} {
						w := answerTo(m, newBenchRequest(method, path))
						if got := fmt.Sprint(w.Code, w.Header().Get("Allow"), w.Body); got != want {
							t.Errorf("%d options, child with %q: %s %s: got %s, the child says %s", len(options), texts, method, path, got, want)
						}
					}
				}
			}
			check()
			if len(routes) > 1 {
				texts = texts[1:]
				if err := child.Update(func(tx *Tx) error { return tx.Remove(routes[0]) }); err != nil {
					t.Fatal(err)
				}
				check()
			}
		}
	}
}

// TestMountUnderOptions: the outer mux says how paths are matched, the child what
// it refuses with, and how its handlers' errors are answered.
func TestMountUnderOptions(t *testing.T) {
	says := func(code int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) })
	}
	child := New(TrailingSlash(SlashIgnore), UncleanPath(PathServe), AutoOptions(), CaseInsensitive(), NotFound(says(444)), MethodNotAllowed(says(445)),
		ErrorHandler(func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(599) }))
	for _, pattern := range []string{"GET /leaf", "GET /tree/", "GET /p/{p...}"} {
		child.HandleFunc(pattern, ok)
	}
	child.HandleError("/fails", func(http.ResponseWriter, *http.Request) error { return errors.New("no") })
	for _, row := range []struct {
		options []Option
		want    string // by request, as below
	}{
		{nil, "200 444 307 200 444 307 445 445 599 404 200"},
		{[]Option{TrailingSlash(SlashStrict)}, "200 444 444 200 444 307 445 445 599 404 200"},
		{[]Option{TrailingSlash(SlashIgnore)}, "200 200 200 200 444 307 445 445 599 404 200"},
		{[]Option{UncleanPath(PathStrict)}, "200 444 307 200 444 444 445 445 599 404 200"},
		{[]Option{UncleanPath(PathServe)}, "200 444 307 200 444 200 445 445 599 404 200"},
		{[]Option{AutoOptions()}, "200 444 307 200 444 307 445 204 599 404 200"},
		{[]Option{CaseInsensitive()}, "200 444 307 200 200 307 445 445 599 404 200"},
		{[]Option{NotFound(says(450)), MethodNotAllowed(says(451)), ErrorHandler(func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(598) })}, "200 444 307 200 444 307 445 445 599 450 200"},
	} {
		m := New(row.options...)
		m.Mount("/m", child)
		var got []string
		for _, request := range []string{"GET /m/leaf", "GET /m/leaf/", "GET /m/tree", "GET /m/tree/x", "GET /m/LEAF", "GET /m/p//x", "POST /m/leaf", "OPTIONS /m/leaf", "GET /m/fails", "GET /none", "HEAD /m/leaf"} {
			got = append(got, fmt.Sprint(answerTo(m, requestOf(request)).Code))
		}
		if got := strings.Join(got, " "); got != row.want {
			t.Errorf("%d options:\ngot  %s\nwant %s", len(row.options), got, row.want)
		}
	}
}

// TestMountAnswersOfTheInner: of a group and a mux mounted there the inner one
// answers below the prefix, and of two the first that was mounted.
func TestMountAnswersOfTheInner(t *testing.T) {
	m, child, inner := New(NotFound(tells(440))), New(NotFound(tells(442))), New(NotFound(tells(443)))
	m.Route("/a", func(g *Group) {
		g.NotFound(tells(441))
		g.MethodNotAllowed(tells(451))
		g.Mount("/", child)
		g.Mount("/b", inner)
	})
	child.Mount("/i", inner)
	child.HandleFunc("GET /x", ok)
	child.Group(nil).MethodNotAllowed(tells(452))
	m.Mount("/c", inner)
	for request, want := range map[string]int{
		"GET /none": 440, "GET /a/none": 442, "GET /a": 442, "POST /a/x": 452, "GET /a/b/none": 443, "GET /a/i/none": 443, "GET /a/i": 443, "GET /c": 443, "GET /c/x": 443, "GET /cx": 440,
	} {
		if got := answerTo(m, requestOf(request)).Code; got != want {
			t.Errorf("%s: got %d, want %d", request, got, want)
		}
	}
}

// TestMountedConstraints: a constraint's function is the one of the mux that the
// route was registered with, whatever another mux calls by the same name.
func TestMountedConstraints(t *testing.T) {
	is := func(want string) func(string) bool { return func(v string) bool { return v == want } }
	outer := New(Constraint("word", is("outer")))
	child := New(Constraint("word", is("child")))
	other := New(Constraint("word", is("other")), Constraint("own", is("own")))
	mustTell(t, outer, "/{x:word}")
	mustTell(t, child, "/{x:word}", "/f/{x:word}.json")
	mustTell(t, other, "/{x:word}", "/{x:own}")
	for _, c := range []*Mux{child, other} {
		if v := recovered(func() { outer.Mount("/", c) }); v != nil {
			t.Fatalf("mount: panicked with %v", v)
		}
	}
	for request, want := range map[string]string{
		"GET /outer": "200 /{x:word} x=outer", "GET /child": "200 /{x:word} x=child", "GET /other": "200 /{x:word} x=other", "GET /own": "200 /{x:own} x=own", "GET /else": "404",
		"GET /f/child.json": "200 /f/{x:word}.json x=child", "GET /f/outer.json": "404",
	} {
		if got := answerLine(t, outer, requestOf(request)); got != want {
			t.Errorf("%s: got %q, want %q", request, got, want)
		}
	}
	shared := Constraint("word", is("both"))
	a, b := New(shared), New(shared)
	mustTell(t, a, "/{x:word}")
	mustTell(t, b, "/{x:word}")
	var e *ConflictError
	if err, _ := recovered(func() { a.Mount("/", b) }).(error); !errors.As(err, &e) {
		t.Errorf("the same option in both muxes: panicked with %v, want a *ConflictError", err)
	}
}

// TestMountNames: names of a mounted mux are known outside, unless the outer mux
// has them itself or several routes share one.
func TestMountNames(t *testing.T) {
	m, child := New(), New()
	mustName := func(m *Mux, pattern, name string) {
		t.Helper()
		if _, err := m.Add(pattern, http.HandlerFunc(ok), Name(name)); err != nil {
			t.Fatal(err)
		}
	}
	mustName(child, "/", "root")
	mustName(child, "/u/{id}", "user")
	mustName(child, "/both", "both")
	m.Mount("/m/{t}", child)
	mustName(m, "/outer", "both")
	path := func(name string, pairs ...string) string {
		p, err := m.Path(name, pairs...)
		if err != nil {
			return "error"
		}
		return p
	}
	check := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	check("root", path("root", "t", "1"), "/m/1/")
	check("user", path("user", "t", "1", "id", "a/b"), "/m/1/u/a%2Fb")
	check("user without the prefix's value", path("user", "id", "1"), "error")
	check("both", path("both"), "/outer")
	if p, err := child.Path("user", "id", "7"); err != nil || p != "/u/7" {
		t.Errorf("user of the child: got %q, error %v", p, err)
	}
	m.Mount("/n", child)
	check("root, mounted twice", path("root", "t", "1"), "error")
	check("user, mounted twice", path("user", "id", "1"), "error")
}

// TestMountedHandler: a handler that is no mux is given the path without the
// prefix, by whole segments.
func TestMountedHandler(t *testing.T) {
	for _, row := range []struct {
		prefix  string
		request string
		want    string // PATH RAWPATH PATTERN VALUES, or a status
	}{
		{"/files", "GET /files", "/ - /files"},
		{"/files", "GET /files/", "/ - /files/"},
		{"/files", "GET /files/a/b/", "/a/b/ - /files/"},
		{"/files", "GET /files/a%2Fb", "/a/b /a%2Fb /files/"},
		{"/files", "GET /files/%2e%2e", "/.. /%2e%2e /files/"},
		{"/files", "GET /files/a%20b", "/a b - /files/"},
		{"/files", "GET /%66iles/a%2Fb", "/a/b /a%2Fb /files/"},
		{"/files", "GET /filesystem", "404"},
		{"/files", "GET /files//a", "307"},
		{"/files", "PUT /files/a", "/a - /files/"},
		{"/files/", "GET /files", "/ - /files"},
		{"/a/b", "GET /a/b/c", "/c - /a/b/"},
		{"/a%2Fb", "GET /a%2Fb/c", "/c /c /a%2Fb/"},
		{"/a%2Fb", "GET /a%2Fb", "/ / /a%2Fb"},
		{"/", "GET /a%2Fb", "/a/b /a%2Fb /"},
		{"", "GET /a", "/a - /"},
		{"/t/{t}", "GET /t/x/a", "/a - /t/{t}/ t=x"},
		{"/t/{t}", "GET /t/x%2Fy/a%2Fb", "/a/b /a%2Fb /t/{t}/ t=x/y"},
		{"/t/{t}", "GET /t/x%2Fy", "/ / /t/{t} t=x/y"},
		{"/t/{t}", "GET /t/%E3%81%82/%E3%81%84", "/い - /t/{t}/ t=あ"},
		{"/t/{t:int}", "GET /t/x/a", "404"},
		{"h.com", "GET h.com/a", "/a - h.com/"},
		{"h.com", "GET /a", "404"},
		{"h.com/files", "GET h.com/files/a", "/a - h.com/files/"},
		{"{h}.com/f/{t}", "GET x.com/f/y/a", "/a - {h}.com/f/{t}/ t=y h=x"},
	} {
		m := New()
		got := ""
		m.Mount(row.prefix, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			raw := r.URL.RawPath
			if raw == "" {
				raw = "-"
			}
			tellAll(w, r)
			got = r.URL.Path + " " + raw + " " + r.Pattern + w.(*httptest.ResponseRecorder).Body.String()
			if escaped := r.URL.EscapedPath(); r.URL.RawPath != "" && escaped != r.URL.RawPath {
				t.Errorf("%s at %q: RawPath %q is not an encoding of %q", row.request, row.prefix, r.URL.RawPath, r.URL.Path)
			}
		}))
		r := requestOf(row.request)
		url, uri := *r.URL, r.RequestURI
		w := answerTo(m, r)
		if got == "" {
			got = fmt.Sprint(w.Code)
		}
		if got != row.want {
			t.Errorf("%s, mounted at %q: got %q, want %q", row.request, row.prefix, got, row.want)
		}
		if *r.URL != url || r.RequestURI != uri {
			t.Errorf("%s, mounted at %q: the request is now for %v, was for %v", row.request, row.prefix, r.URL, &url)
		}
	}
}

// TestMountedHandlerAsStripPrefix: where a prefix is plain text, the handler sees
// what http.StripPrefix shows it.
func TestMountedHandlerAsStripPrefix(t *testing.T) {
	var got string
	h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		got = fmt.Sprintf("%q %q %q %q", r.URL.Path, r.URL.EscapedPath(), r.URL.RawQuery, r.RequestURI)
	})
	m := New(UncleanPath(PathServe))
	m.Mount("/a/b", h)
	for _, path := range []string{"/a/b/", "/a/b/c", "/a/b/c/", "/a/b/c%2Fd", "/a/b/%2F", "/a/b/c?d=e%2F", "/a/b//c", "/a/b/../c", "/a/b/%20", "/a/b/é"} {
		got = ""
		answerTo(m, newBenchRequest("GET", path))
		mounted := got
		got = ""
		answerTo(http.StripPrefix("/a/b", h), newBenchRequest("GET", path))
		if mounted != got {
			t.Errorf("GET %s: got %s, http.StripPrefix shows %s", path, mounted, got)
		}
	}
}

// TestMountedHandlerKeepsTheRequest: a mounted mux gets the server's own request;
// another handler a copy, but the files of a form that it reads are removed.
func TestMountedHandlerKeepsTheRequest(t *testing.T) {
	child, m := New(), New()
	var got *http.Request
	keep := func(_ http.ResponseWriter, r *http.Request) { got = r }
	child.HandleFunc("/{x}", keep)
	child.HandleParams("/v/{x}", func(w http.ResponseWriter, r *http.Request, _ Params) { keep(w, r) })
	m.Mount("/m", child)
	m.Mount("/h", http.HandlerFunc(keep))
	m.Mount("h.com", http.HandlerFunc(keep))
	for request, same := range map[string]bool{"GET /m/1": true, "GET /m/%2F": true, "GET /m/v/1": true, "GET h.com/x": true, "GET /h/x": false} {
		r := requestOf(request)
		if answerTo(m, r); (got == r) != same {
			t.Errorf("%s: the handler has the mux's own request: %v, want %v", request, got == r, same)
		}
	}
}

// TestMountedFileServer: http.FileServer serves what is below the prefix, and its
// redirects stay there.
func TestMountedFileServer(t *testing.T) {
	fsys := fstest.MapFS{"a.txt": {Data: []byte("a")}, "dir/index.html": {Data: []byte("index")}, "dir/b.txt": {Data: []byte("b")}}
	m := New()
	m.Mount("/static", http.FileServerFS(fsys))
	m.Mount("/t/{t}", http.FileServerFS(fsys))
	for request, want := range map[string]string{
		"GET /static/a.txt": "200 a", "GET /static/dir/": "200 index", "GET /static/dir/b.txt": "200 b", "GET /static/none": "404",
		"GET /static/dir": "301 dir/", "GET /static/dir/index.html": "301 ./", "GET /t/x%2Fy/a.txt": "200 a", "GET /staticx": "404", "POST /static/a.txt": "200 a",
	} {
		w := answerTo(m, requestOf(request))
		got := fmt.Sprint(w.Code)
		if w.Code == 200 {
			got += " " + w.Body.String()
		} else if l := w.Header().Get("Location"); l != "" {
			got += " " + l
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", request, got, want)
		}
	}
	if got := answerTo(m, requestOf("GET /static")); got.Code != 200 || !strings.Contains(got.Body.String(), "dir/") {
		t.Errorf("GET /static: got %d %q", got.Code, got.Body)
	}
}

// TestMountedUncleanPattern: a pattern that only PathServe can match is refused by a
// mux without it.
func TestMountedUncleanPattern(t *testing.T) {
	child := New(UncleanPath(PathServe))
	child.HandleFunc("GET /a//b", ok)
	m := New()
	var e *PatternError
	if err, _ := recovered(func() { m.Mount("/m", child) }).(error); !errors.As(err, &e) {
		t.Errorf("an unclean pattern: panicked with %v, want a *PatternError", err)
	}
	served := New(UncleanPath(PathServe))
	served.Mount("/m", child)
	if got := matchOf(served, "GET", "/m/a//b"); got != "GET /m/a//b" {
		t.Errorf("GET /m/a//b: got %s", got)
	}
}
