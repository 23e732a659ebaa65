package behavior

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// TestGroupPrefixes: a prefix precedes the path of a pattern, and the
// host of either in front of both.
func TestGroupPrefixes(t *testing.T) {
	for _, row := range []struct {
		prefixes []string // from the outside
		pattern  string
		want     string // the pattern in the mux
		request  string
		answer   string
	}{
		{[]string{"/api"}, "", "/api", "GET /api", "200 /api"},
		{[]string{"/api"}, "/", "/api/", "GET /api", "307 /api/ /api/"},
		{[]string{"/api"}, "/", "/api/", "GET /api/x/y", "200 /api/"},
		{[]string{"/api"}, "/{$}", "/api/{$}", "GET /api/x", "404"},
		{[]string{"/api"}, "/x", "/api/x", "GET /api/x", "200 /api/x"},
		{[]string{"/api"}, "GET /x", "GET /api/x", "POST /api/x", "405 GET, HEAD"},
		{[]string{"/api"}, "GET,POST /x", "GET,POST /api/x", "POST /api/x", "200 GET,POST /api/x"},
		{[]string{"/api"}, "GET", "GET /api", "GET /api", "200 GET /api"},
		{[]string{"/api"}, "GET ", "GET /api", "GET /api", "200 GET /api"},
		{[]string{"/api"}, "GET\t /x", "GET\t /api/x", "GET /api/x", "200 GET\t /api/x"},
		{[]string{"/api"}, "example.com", "example.com/api", "GET example.com/api", "200 example.com/api"},
		{[]string{"/api"}, "GET example.com", "GET example.com/api", "GET Example.com./api", "200 GET example.com/api"},
		{[]string{"/api"}, "example.com/x", "example.com/api/x", "GET other/api/x", "404"},
		{[]string{"/api"}, "GET {t}.example.com/x/{id}", "GET {t}.example.com/api/x/{id}", "GET a.example.com/api/x/7", "200 GET {t}.example.com/api/x/{id} t=a id=7"},
		{[]string{"/api/"}, "/x", "/api/x", "GET /api/x", "200 /api/x"},
		{[]string{"/api/"}, "", "/api", "GET /api", "200 /api"},
		{[]string{"/", "/x"}, "/y", "/x/y", "GET /x/y", "200 /x/y"},
		{[]string{"", "/x", ""}, "", "/x", "GET /x", "200 /x"},
		{[]string{"", ""}, "/y", "/y", "GET /y", "200 /y"},
		{[]string{"/a", "/b", "/c/d"}, "/e", "/a/b/c/d/e", "GET /a/b/c/d/e", "200 /a/b/c/d/e"},
		{[]string{"/u/{id}"}, "/x/{y}", "/u/{id}/x/{y}", "GET /u/1/x/2", "200 /u/{id}/x/{y} id=1 y=2"},
		{[]string{"/u/{id:int}"}, "", "/u/{id:int}", "GET /u/x", "404"},
		{[]string{"/u/{id:int}"}, "/{n:[a-z]{2}}", "/u/{id:int}/{n:[a-z]{2}}", "GET /u/-1/ab", "200 /u/{id:int}/{n:[a-z]{2}} id=-1 n=ab"},
		{[]string{"/u/{id:[^/]+}"}, "/x", "/u/{id:[^/]+}/x", "GET /u/a/x", "200 /u/{id:[^/]+}/x id=a"},
		{[]string{"/f/{n}.{e}"}, "/x", "/f/{n}.{e}/x", "GET /f/a.b/x", "200 /f/{n}.{e}/x n=a e=b"},
		{[]string{"/r/{p...}"}, "/raw", "/r/{p...}/raw", "GET /r/a/b/raw", "200 /r/{p...}/raw p=a/b"},
		{[]string{"/r/{p...}"}, "", "/r/{p...}", "GET /r/", "200 /r/{p...} p="},
		{[]string{"/%7Bx"}, "/%2F", "/%7Bx/%2F", "GET /%7Bx/%2F", "200 /%7Bx/%2F"},
		{[]string{"example.com"}, "/x", "example.com/x", "GET example.com/x", "200 example.com/x"},
		{[]string{"example.com/"}, "/", "example.com/", "GET example.com/x", "200 example.com/"},
		{[]string{"localhost/"}, "/x", "localhost/x", "GET localhost:8080/x", "200 localhost/x"},
		{[]string{"example.com/api"}, "GET /x", "GET example.com/api/x", "GET example.com/api/x", "200 GET example.com/api/x"},
		{[]string{"example.com/api"}, "example.com/x", "example.com/api/x", "GET example.com/api/x", "200 example.com/api/x"},
		{[]string{"Example.com/api"}, "GET example.COM/x", "GET Example.com/api/x", "GET example.com/api/x", "200 GET Example.com/api/x"},
		{[]string{"/api", "example.com"}, "/x", "example.com/api/x", "GET example.com/api/x", "200 example.com/api/x"},
		{[]string{"/api", "localhost/"}, "/x", "localhost/api/x", "GET localhost/api/x", "200 localhost/api/x"},
		{[]string{"/api", "example.com/v2"}, "/x", "example.com/api/v2/x", "GET example.com/api/v2/x", "200 example.com/api/v2/x"},
		{[]string{"example.com", "example.com/v2"}, "/x", "example.com/v2/x", "GET example.com/v2/x", "200 example.com/v2/x"},
		{[]string{"{t}.example.com", "/u/{id}"}, "/x", "{t}.example.com/u/{id}/x", "GET a.example.com/u/7/x", "200 {t}.example.com/u/{id}/x t=a id=7"},
		{[]string{"*.example.com", "/u"}, "", "*.example.com/u", "GET a.example.com/u", "200 *.example.com/u"},
		{[]string{"[::1]/api"}, "/x", "[::1]/api/x", "GET [::1]:80/api/x", "200 [::1]/api/x"},
		{[]string{"example.com:443/c"}, "CONNECT /x", "CONNECT example.com:443/c/x", "CONNECT example.com:443/c/x", "200 CONNECT example.com:443/c/x"},
	} {
		m := muxwell.New()
		g := m.Group(nil)
		for _, prefix := range row.prefixes {
			g = g.Route(prefix, nil)
		}
		var rt *muxwell.Route
		rt, err := g.Add(row.pattern, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for _, name := range rt.ParamNames() {
				fmt.Fprintf(w, " %s=%s", name, r.PathValue(name))
			}
		}))
		if err != nil {
			t.Errorf("%q under %q: got error %v", row.pattern, row.prefixes, err)
			continue
		}
		alone, err := muxwell.New().Add(row.want, http.HandlerFunc(muxtest.OK))
		if err != nil {
			t.Fatalf("%q: %v", row.want, err)
		}
		if rt.Pattern() != row.want || rt.Path() != alone.Path() || rt.Host() != alone.Host() || !slices.Equal(rt.Methods(), alone.Methods()) {
			t.Errorf("%q under %q: got pattern %q with methods %q, host %q, path %q, want %q", row.pattern, row.prefixes, rt, rt.Methods(), rt.Host(), rt.Path(), row.want)
		}
		if rt.Prefix() != g.Prefix() {
			t.Errorf("%q under %q: the route's prefix is %q, the group's %q", row.pattern, row.prefixes, rt.Prefix(), g.Prefix())
		}
		if got := muxtest.AnswerLine(t, m, muxtest.RequestOf(row.request)); got != strings.TrimRight(row.answer, " ") {
			t.Errorf("%s, %q under %q: got %q, want %q", row.request, row.pattern, row.prefixes, got, row.answer)
		}
		if m.Explain(muxtest.RequestOf(row.request)).Route != m.RouteOf(served(m, row.request)) && !strings.HasPrefix(row.answer, "307") {
			t.Errorf("%s, %q under %q: Explain says another route than serves", row.request, row.pattern, row.prefixes)
		}
	}
}

// served returns the request of a line when m has served it.
func served(m *muxwell.Mux, line string) *http.Request {
	r := muxtest.RequestOf(line)
	muxtest.AnswerTo(m, r)
	return r
}

// TestGroupDuplicates: it does not matter in which group a pattern was registered.
func TestGroupDuplicates(t *testing.T) {
	m := muxwell.New()
	m.Route("/a", func(g *muxwell.Group) {
		g.Route("/b", func(g *muxwell.Group) { g.Get("/{x}", muxtest.OK) })
	})
	for what, add := range map[string]func() (*muxwell.Route, error){
		"the mux": func() (*muxwell.Route, error) { return m.Add("GET /a/b/{y}", http.HandlerFunc(muxtest.OK)) },
		"a shorter prefix": func() (*muxwell.Route, error) {
			return m.Route("/a", nil).Add("GET /b/{y}", http.HandlerFunc(muxtest.OK))
		},
		"a longer prefix": func() (*muxwell.Route, error) {
			return m.Route("/a/b/{y}", nil).Add("GET", http.HandlerFunc(muxtest.OK))
		},
		"the same prefix": func() (*muxwell.Route, error) {
			return m.Route("/a/b", nil).Add("GET,PUT /{y}", http.HandlerFunc(muxtest.OK))
		},
		"another middleware": func() (*muxwell.Route, error) {
			return m.With(muxtest.Mark("x")).Add("GET /a/b/{y}", http.HandlerFunc(muxtest.OK))
		},
	} {
		_, err := add()
		var e *muxwell.ConflictError
		if !errors.As(err, &e) || !strings.Contains(err.Error(), "group_test.go") {
			t.Errorf("a duplicate in %s: got error %v", what, err)
		}
	}
	if _, err := m.Route("/a", nil).Add("POST /b/{y}", http.HandlerFunc(muxtest.OK)); err != nil {
		t.Errorf("another method: got error %v", err)
	}
}

// TestGroupSource: a route knows the line on which it was registered, in groups,
// mounts and transactions too.
func TestGroupSource(t *testing.T) {
	m, child := muxwell.New(), muxwell.New()
	g := m.Route("/g", nil)
	value := func(http.ResponseWriter, *http.Request, muxwell.Params) {}
	fails := func(http.ResponseWriter, *http.Request) error { return nil }
	fsys := fstest.MapFS{"a": {}}
	m.Mount("/child", child)
	tx := func(f func(*muxwell.Tx) string) (line string) {
		if err := m.Update(func(tx *muxwell.Tx) error { line = f(tx); return nil }); err != nil {
			t.Fatal(err)
		}
		return line
	}
	h := http.HandlerFunc(muxtest.OK)
	for path, register := range map[string]func() string{
		"/HandleError":    func() string { m.HandleError("/HandleError", fails); return muxtest.Here() },
		"/AddError":       func() string { m.Add("/AddError", muxwell.ErrorFunc(fails)); return muxtest.Here() },
		"/Files/":         func() string { m.Files("/Files/", fsys); return muxtest.Here() },
		"/Mount":          func() string { m.Mount("/Mount", h); return muxtest.Here() },
		"/Mount/":         func() string { m.Mount("/Mount2", h); return "" },
		"/g/Mount":        func() string { g.Mount("/Mount", h); return muxtest.Here() },
		"/g/Handle":       func() string { g.Handle("/Handle", h); return muxtest.Here() },
		"/g/HandleFunc":   func() string { g.HandleFunc("/HandleFunc", muxtest.OK); return muxtest.Here() },
		"/g/HandleParams": func() string { g.HandleParams("/HandleParams", value); return muxtest.Here() },
		"/g/HandleError":  func() string { g.HandleError("/HandleError", fails); return muxtest.Here() },
		"/g/Add":          func() string { g.Add("/Add", h); return muxtest.Here() },
		"/g/AddParams":    func() string { g.Add("/AddParams", muxwell.ParamsFunc(value)); return muxtest.Here() },
		"/g/AddError":     func() string { g.Add("/AddError", muxwell.ErrorFunc(fails)); return muxtest.Here() },
		"/g/Files/":       func() string { g.Files("/Files/", fsys); return muxtest.Here() },
		"/g/Get":          func() string { g.Get("/Get", muxtest.OK); return muxtest.Here() },
		"/g/Head":         func() string { g.Head("/Head", muxtest.OK); return muxtest.Here() },
		"/g/Post":         func() string { g.Post("/Post", muxtest.OK); return muxtest.Here() },
		"/g/Put":          func() string { g.Put("/Put", muxtest.OK); return muxtest.Here() },
		"/g/Patch":        func() string { g.Patch("/Patch", muxtest.OK); return muxtest.Here() },
		"/g/Delete":       func() string { g.Delete("/Delete", muxtest.OK); return muxtest.Here() },
		"/g/Connect":      func() string { g.Connect("/Connect", muxtest.OK); return muxtest.Here() },
		"/g/Options":      func() string { g.Options("/Options", muxtest.OK); return muxtest.Here() },
		"/g/Trace":        func() string { g.Trace("/Trace", muxtest.OK); return muxtest.Here() },
		"/g/Query":        func() string { g.Query("/Query", muxtest.OK); return muxtest.Here() },
		"/g/With":         func() string { g.With(muxtest.Mark("x")).Get("/With", muxtest.OK); return muxtest.Here() },
		"/child/Get":      func() string { child.Get("/Get", muxtest.OK); return muxtest.Here() },
		"/child/g/Get":    func() string { child.Route("/g", nil).Get("/Get", muxtest.OK); return muxtest.Here() },
		"/tx":             func() string { return tx(func(tx *muxwell.Tx) string { tx.Add("/tx", h); return muxtest.Here() }) },
		"/txParams": func() string {
			return tx(func(tx *muxwell.Tx) string { tx.Add("/txParams", muxwell.ParamsFunc(value)); return muxtest.Here() })
		},
		"/txError": func() string {
			return tx(func(tx *muxwell.Tx) string { tx.Add("/txError", muxwell.ErrorFunc(fails)); return muxtest.Here() })
		},
		"/g/tx": func() string {
			return tx(func(tx *muxwell.Tx) string { tx.In(g).Add("/tx", h); return muxtest.Here() })
		},
		"/g/replaced": func() string {
			return tx(func(tx *muxwell.Tx) string {
				rt, _ := tx.In(g).Add("/replaced", h)
				tx.Replace(rt, "", h)
				return muxtest.Here()
			})
		},
	} {
		want := register()
		if want == "" {
			continue
		}
		got := "no route"
		for rt := range m.Routes() {
			if rt.Path() == path {
				got = rt.Source()
			}
		}
		if path == "/g/replaced" {
			if !muxtest.SameLine(got, want, -1) {
				t.Errorf("%s: got %s, want the line before %s", path, got, want)
			}
			continue
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
		if file, _, _ := strings.Cut(filepath.Base(got), ":"); file != "group_test.go" {
			t.Errorf("%s: got file %s, want group_test.go", path, file)
		}
	}
}

// TestGroupAnswers: a request that no route takes goes to the handler of the
// innermost prefix that has one for it.
func TestGroupAnswers(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(code)
			fmt.Fprintf(w, "%s x=%s y=%s", r.Pattern, r.PathValue("x"), r.PathValue("y"))
		}
	}
	m := muxwell.New(muxwell.NotFound(status(600)), muxwell.MethodNotAllowed(status(650)), muxwell.TrailingSlash(muxwell.SlashStrict))
	a := m.Route("/a", nil)
	a.NotFound(status(601))
	a.MethodNotAllowed(status(651))
	m.Route("/a/b", nil).MethodNotAllowed(status(652)) // not in a, but below its prefix
	a.Route("/c", nil).NotFound(status(603))
	m.Route("/p/{x}", nil).NotFound(status(604))
	m.Route("/p/{x:int}/q", nil).NotFound(status(605))
	m.Route("h.com", nil).NotFound(status(606))
	m.Route("{y}.com/z", nil).NotFound(status(607))
	m.Route("/r/{x...}", nil).NotFound(status(608))
	m.Group(nil).Route("/g", func(g *muxwell.Group) {
		g.With(muxtest.Mark("inside")).Group(func(g *muxwell.Group) {
			g.NotFound(status(609))
			g.MethodNotAllowed(status(659))
		})
	})
	for _, pattern := range []string{"GET /a/x", "GET /a/b/x", "GET /a/c/x", "GET /p/{z}/x", "GET /g/x", "GET /x"} {
		m.HandleFunc(pattern, muxtest.OK)
	}
	for request, want := range map[string]string{
		"GET /none": "600", "POST /x": "650", "GET /a": "601", "GET /a/": "601", "GET /a/none": "601", "GET /ab": "600", "GET /A/none": "600",
		"POST /a/x": "651", "POST /a/b/x": "652", "GET /a/b/none": "601", "GET /a/c/none": "603", "POST /a/c/x": "651", "GET /a/c": "603",
		"GET /p/1": "604 x=1", "GET /p/1/2/3": "604 x=1", "GET /p/": "600", "GET /p/1/q/z": "605 x=1", "GET /p/a/q/z": "604 x=a", "POST /p/1/x": "650 x=1", "GET /p/a%2Fb/z": "604 x=a/b",
		"GET h.com/none": "606", "GET h.com:80/a/none": "606", "GET i.com/z/none": "607 y=i", "GET i.com/none": "600", "GET h.com/z/none": "606",
		"GET /r/1/2": "608 x=1/2", "GET /r": "600",
		"GET /g/none": "609", "POST /g/x": "659", "GET *": "600",
		"CONNECT h.com:80/none": "600", "CONNECT h.com/none": "606", "GET /a//none": "307", "GET /a/%2F": "601", "GET /%61/none": "601",
	} {
		w := httptest.NewRecorder()
		if request == "GET *" {
			continue
		}
		r := muxtest.RequestOf(request)
		m.ServeHTTP(w, r)
		got := fmt.Sprint(w.Code)
		if w.Code >= 600 {
			body := strings.Fields(w.Body.String())
			body = slices.DeleteFunc(body, func(s string) bool { return strings.HasSuffix(s, "=") })
			got = strings.TrimSpace(got + " " + strings.Join(body, " "))
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", request, got, want)
		}
		if w.Code >= 650 && w.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: Allow %q, want GET, HEAD", request, w.Header().Get("Allow"))
		}
	}
}

// TestGroupAnswersOfTheSamePrefix: of groups with one prefix one can have such
// handlers.
func TestGroupAnswersOfTheSamePrefix(t *testing.T) {
	m := muxwell.New()
	for _, prefix := range []string{"", "/a", "/a/{x}", "h.com", "{t}.com/a", "/{x:int}"} {
		g := m.Route(prefix, nil)
		g.NotFound(muxtest.Tells(404))
		g.NotFound(muxtest.Tells(405))
		g.MethodNotAllowed(muxtest.Tells(405))
		other := prefix
		if prefix != "" {
			other = strings.NewReplacer("{x}", "{z}", "{x:", "{z:", "{t}", "{u}", "h.com", "H.com").Replace(prefix) + "/"
		}
		if v := muxtest.Recovered(func() { m.Route(other, nil).NotFound(muxtest.Tells(404)) }); !strings.Contains(fmt.Sprint(v), "prefix") {
			t.Errorf("a second group with prefix %q, written %q: panicked with %v", prefix, other, v)
		}
		if v := muxtest.Recovered(func() { g.With().MethodNotAllowed(muxtest.Tells(404)) }); v == nil {
			t.Errorf("a group without prefix within %q can have a handler of its own", prefix)
		}
	}
}

// TestGroupNames: URLs of routes in groups have the prefix, with its parameters.
func TestGroupNames(t *testing.T) {
	m := muxwell.New()
	m.Route("{t}.example.com/u/{id:int}", func(g *muxwell.Group) {
		g.Add("GET /x/{y}", http.HandlerFunc(muxtest.OK), muxwell.Name("y"))
		g.Add("GET", http.HandlerFunc(muxtest.OK), muxwell.Name("root"))
	})
	for _, row := range []struct {
		pairs []string
		want  string
	}{
		{[]string{"y", "t", "acme", "id", "7", "y", "a/b"}, "//acme.example.com/u/7/x/a%2Fb"},
		{[]string{"root", "t", "acme", "id", "7"}, "//acme.example.com/u/7"},
		{[]string{"y", "t", "acme", "id", "x", "y", "1"}, ""},
		{[]string{"y", "t", "acme", "y", "1"}, ""},
	} {
		u, err := m.URL(row.pairs[0], row.pairs[1:]...)
		if row.want == "" {
			if err == nil {
				t.Errorf("URL(%q): got %v, want an error", row.pairs, u)
			}
		} else if err != nil || u.String() != row.want {
			t.Errorf("URL(%q): got %v, error %v, want %s", row.pairs, u, err, row.want)
		}
	}
}

func namedMiddleware(next http.Handler) http.Handler { return next }

// TestIntrospection: a route says what it has from the groups and mounts around it.
func TestIntrospection(t *testing.T) {
	m, child := muxwell.New(), muxwell.New()
	m.Use(namedMiddleware)
	child.Use(muxtest.Mark("child"))
	var inGroup, inChild *muxwell.Route
	m.Route("h.com/a", func(g *muxwell.Group) {
		g.Use(muxtest.Mark("a"))
		inGroup, _ = g.With(namedMiddleware).Add("GET,POST /{x}", http.HandlerFunc(muxtest.OK), muxwell.Name("n"), muxwell.Headers("X-Beta", "1"), muxwell.Meta("k", 1))
		g.Mount("/m/{t}", child)
	})
	inChild, _ = child.Route("/c", nil).Add("PUT /{x}", http.HandlerFunc(muxtest.OK), muxwell.Name("c"), muxwell.Meta("k", 2), muxwell.Queries("q", "{q}"))
	derived := m.RouteOf(served(m, "PUT h.com/a/m/1/c/2?q=3"))
	if derived == nil || derived == inChild {
		t.Fatalf("the derived route is %v", derived)
	}
	for _, row := range []struct {
		rt   *muxwell.Route
		want string
	}{
		{inGroup, `GET,POST h.com/a/{x}; [GET POST] "h.com" "/a/{x}"; names [x]; name "n"; k=1; prefix "h.com/a"; in [behavior.namedMiddleware muxtest.Mark behavior.namedMiddleware]; [Headers("X-Beta", "1")]`},
		{inChild, `PUT /c/{x}; [PUT] "" "/c/{x}"; names [x q]; name "c"; k=2; prefix "/c"; in [muxtest.Mark]; [Queries("q", "{q}")]`},
		{derived, `PUT h.com/a/m/{t}/c/{x}; [PUT] "h.com" "/a/m/{t}/c/{x}"; names [t x q]; name "c"; k=2; prefix "h.com/a/m/{t}/c"; in [behavior.namedMiddleware muxtest.Mark muxtest.Mark]; [Queries("q", "{q}")]`},
	} {
		rt := row.rt
		k, _ := rt.Meta("k")
		got := fmt.Sprintf("%s; %v %q %q; names %v; name %q; k=%v; prefix %q; in %v; %v", rt, rt.Methods(), rt.Host(), rt.Path(), rt.ParamNames(), rt.Name(), k, rt.Prefix(), rt.Middleware(), rt.Matchers())
		if got != row.want {
			t.Errorf("got  %s\nwant %s", got, row.want)
		}
	}
	if inChild.Source() != derived.Source() {
		t.Errorf("the derived route is of %s, its origin of %s", derived.Source(), inChild.Source())
	}
}
