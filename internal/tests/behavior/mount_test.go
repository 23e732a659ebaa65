package behavior

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// mustTell registers patterns whose handlers tell the values of all parameters,
// with those of the prefixes that the mux is mounted at.
func mustTell(t *testing.T, m *muxwell.Mux, patterns ...string) {
	t.Helper()
	for _, pattern := range patterns {
		if _, err := m.Add(pattern, http.HandlerFunc(muxtest.TellAll)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMountIsLive: what is added to the child later, or removed from it, is so in
// each mux around it, and the child serves itself as before.
func TestMountIsLive(t *testing.T) {
	child, middle, a, b := muxwell.New(), muxwell.New(), muxwell.New(), muxwell.New()
	a.Mount("/one", child)
	a.Mount("/two/{t}", child)
	middle.Mount("/mid", child)
	b.Mount("/b", middle)
	ways := []struct {
		mux    *muxwell.Mux
		prefix string
	}{{child, ""}, {a, "/one"}, {a, "/two/T"}, {middle, "/mid"}, {b, "/b/mid"}}
	check := func(what, path, want string) {
		t.Helper()
		for _, way := range ways {
			r := muxtest.NewRequest("GET", way.prefix+path)
			w := muxtest.AnswerTo(way.mux, r)
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
			muxtest.TellAll(w, r)
		})
	}
	check("nothing", "/x", "404")
	first, err := child.Add("GET /{x}", says("first"), muxwell.Name("n"))
	if err != nil {
		t.Fatal(err)
	}
	check("a route later", "/1", "first x=1")
	var second *muxwell.Route
	err = child.Update(func(tx *muxwell.Tx) (err error) {
		second, err = tx.Replace(first, "GET /{y:int}", says("second"), muxwell.Name("n"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	check("a route replaced", "/1", "second y=1")
	check("a route replaced", "/x", "404")
	if err := child.Update(func(tx *muxwell.Tx) error { return tx.Remove(second) }); err != nil {
		t.Fatal(err)
	}
	check("a route removed", "/1", "404")
	child.Handle("/", says("root"))
	check("the root", "/", "root")
	child.Use(muxtest.Mark("child"))
	for _, way := range ways {
		if got := muxtest.AnswerTo(way.mux, muxtest.NewRequest("GET", way.prefix+"/")).Header().Values("Trail"); !slices.Equal(got, []string{"child"}) {
			t.Errorf("middleware of the child at %q: ran %q", way.prefix, got)
		}
	}
	for rt := range a.Routes() {
		for what, change := range map[string]func(*muxwell.Tx) error{
			"Remove":  func(tx *muxwell.Tx) error { return tx.Remove(rt) },
			"Replace": func(tx *muxwell.Tx) error { _, err := tx.Replace(rt, "", says("")); return err },
		} {
			if err := a.Update(change); !errors.Is(err, muxwell.ErrNotInMux) {
				t.Errorf("%s of %v, which comes from a mount: got error %v, want ErrNotInMux", what, rt, err)
			}
		}
	}
}

// TestMountRoots: the bare prefix goes to what the child has for "/", as "/" does in
// the child, also if it has several routes for it.
func TestMountRoots(t *testing.T) {
	patterns := []string{"/", "/{$}", "GET /", "GET /{$}", "POST /{p...}", "GET,PUT /{$}"}
	for set := range 1 << len(patterns) {
		for _, options := range [][]muxwell.Option{nil, {muxwell.StrictConflicts()}} {
			child, middle, m := muxwell.New(options...), muxwell.New(options...), muxwell.New(options...)
			m.Mount("/m", middle)
			middle.Mount("/i", child)
			m.Mount("/c", child)
			muxtest.AnswerTo(m, muxtest.NewRequest("GET", "/")) // the tables are there
			var routes []*muxwell.Route
			var texts []string
			for i, pattern := range patterns {
				if set>>i&1 == 0 {
					continue
				}
				if err := child.Update(func(tx *muxwell.Tx) error {
					rt, err := tx.Add(pattern, muxtest.Says(pattern))
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
					alone := muxtest.AnswerTo(child, muxtest.NewRequest(method, "/"))
					want := fmt.Sprint(alone.Code, alone.Header().Get("Allow"), alone.Body)
					for _, path := range []string{"/c", "/c/", "/m/i", "/m/i/"} {
						w := muxtest.AnswerTo(m, muxtest.NewRequest(method, path))
						if got := fmt.Sprint(w.Code, w.Header().Get("Allow"), w.Body); got != want {
							t.Errorf("%d options, child with %q: %s %s: got %s, the child says %s", len(options), texts, method, path, got, want)
						}
					}
				}
			}
			check()
			if len(routes) > 1 {
				texts = texts[1:]
				if err := child.Update(func(tx *muxwell.Tx) error { return tx.Remove(routes[0]) }); err != nil {
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
	child := muxwell.New(muxwell.TrailingSlash(muxwell.SlashIgnore), muxwell.UncleanPath(muxwell.PathServe), muxwell.AutoOptions(), muxwell.CaseInsensitive(), muxwell.NotFound(says(444)), muxwell.MethodNotAllowed(says(445)),
		muxwell.ErrorHandler(func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(599) }))
	for _, pattern := range []string{"GET /leaf", "GET /tree/", "GET /p/{p...}"} {
		child.HandleFunc(pattern, muxtest.OK)
	}
	child.HandleError("/fails", func(http.ResponseWriter, *http.Request) error { return errors.New("no") })
	for _, row := range []struct {
		options []muxwell.Option
		want    string // by request, as below
	}{
		{nil, "200 444 307 200 444 307 445 445 599 404 200"},
		{[]muxwell.Option{muxwell.TrailingSlash(muxwell.SlashStrict)}, "200 444 444 200 444 307 445 445 599 404 200"},
		{[]muxwell.Option{muxwell.TrailingSlash(muxwell.SlashIgnore)}, "200 200 200 200 444 307 445 445 599 404 200"},
		{[]muxwell.Option{muxwell.UncleanPath(muxwell.PathStrict)}, "200 444 307 200 444 444 445 445 599 404 200"},
		{[]muxwell.Option{muxwell.UncleanPath(muxwell.PathServe)}, "200 444 307 200 444 200 445 445 599 404 200"},
		{[]muxwell.Option{muxwell.AutoOptions()}, "200 444 307 200 444 307 445 204 599 404 200"},
		{[]muxwell.Option{muxwell.CaseInsensitive()}, "200 444 307 200 200 307 445 445 599 404 200"},
		{[]muxwell.Option{muxwell.NotFound(says(450)), muxwell.MethodNotAllowed(says(451)), muxwell.ErrorHandler(func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(598) })}, "200 444 307 200 444 307 445 445 599 450 200"},
	} {
		m := muxwell.New(row.options...)
		m.Mount("/m", child)
		var got []string
		for _, request := range []string{"GET /m/leaf", "GET /m/leaf/", "GET /m/tree", "GET /m/tree/x", "GET /m/LEAF", "GET /m/p//x", "POST /m/leaf", "OPTIONS /m/leaf", "GET /m/fails", "GET /none", "HEAD /m/leaf"} {
			got = append(got, fmt.Sprint(muxtest.AnswerTo(m, muxtest.RequestOf(request)).Code))
		}
		if got := strings.Join(got, " "); got != row.want {
			t.Errorf("%d options:\ngot  %s\nwant %s", len(row.options), got, row.want)
		}
	}
}

// TestMountAnswersOfTheInner: of a group and a mux mounted there the inner one
// answers below the prefix, and of two the first that was mounted.
func TestMountAnswersOfTheInner(t *testing.T) {
	m, child, inner := muxwell.New(muxwell.NotFound(muxtest.Tells(440))), muxwell.New(muxwell.NotFound(muxtest.Tells(442))), muxwell.New(muxwell.NotFound(muxtest.Tells(443)))
	m.Route("/a", func(g *muxwell.Group) {
		g.NotFound(muxtest.Tells(441))
		g.MethodNotAllowed(muxtest.Tells(451))
		g.Mount("/", child)
		g.Mount("/b", inner)
	})
	child.Mount("/i", inner)
	child.HandleFunc("GET /x", muxtest.OK)
	child.Group(nil).MethodNotAllowed(muxtest.Tells(452))
	m.Mount("/c", inner)
	for request, want := range map[string]int{
		"GET /none": 440, "GET /a/none": 442, "GET /a": 442, "POST /a/x": 452, "GET /a/b/none": 443, "GET /a/i/none": 443, "GET /a/i": 443, "GET /c": 443, "GET /c/x": 443, "GET /cx": 440,
	} {
		if got := muxtest.AnswerTo(m, muxtest.RequestOf(request)).Code; got != want {
			t.Errorf("%s: got %d, want %d", request, got, want)
		}
	}
}

// TestMountedConstraints: a constraint's function is the one of the mux that the
// route was registered with, whatever another mux calls by the same name.
func TestMountedConstraints(t *testing.T) {
	is := func(want string) func(string) bool { return func(v string) bool { return v == want } }
	outer := muxwell.New(muxwell.Constraint("word", is("outer")))
	child := muxwell.New(muxwell.Constraint("word", is("child")))
	other := muxwell.New(muxwell.Constraint("word", is("other")), muxwell.Constraint("own", is("own")))
	mustTell(t, outer, "/{x:word}")
	mustTell(t, child, "/{x:word}", "/f/{x:word}.json")
	mustTell(t, other, "/{x:word}", "/{x:own}")
	for _, c := range []*muxwell.Mux{child, other} {
		if v := muxtest.Recovered(func() { outer.Mount("/", c) }); v != nil {
			t.Fatalf("mount: panicked with %v", v)
		}
	}
	for request, want := range map[string]string{
		"GET /outer": "200 /{x:word} x=outer", "GET /child": "200 /{x:word} x=child", "GET /other": "200 /{x:word} x=other", "GET /own": "200 /{x:own} x=own", "GET /else": "404",
		"GET /f/child.json": "200 /f/{x:word}.json x=child", "GET /f/outer.json": "404",
	} {
		if got := muxtest.AnswerLine(t, outer, muxtest.RequestOf(request)); got != want {
			t.Errorf("%s: got %q, want %q", request, got, want)
		}
	}
	shared := muxwell.Constraint("word", is("both"))
	a, b := muxwell.New(shared), muxwell.New(shared)
	mustTell(t, a, "/{x:word}")
	mustTell(t, b, "/{x:word}")
	var e *muxwell.ConflictError
	if err, _ := muxtest.Recovered(func() { a.Mount("/", b) }).(error); !errors.As(err, &e) {
		t.Errorf("the same option in both muxes: panicked with %v, want a *ConflictError", err)
	}
}

// TestMountNames: names of a mounted mux are known outside, unless the outer mux
// has them itself or several routes share one.
func TestMountNames(t *testing.T) {
	m, child := muxwell.New(), muxwell.New()
	mustName := func(m *muxwell.Mux, pattern, name string) {
		t.Helper()
		if _, err := m.Add(pattern, http.HandlerFunc(muxtest.OK), muxwell.Name(name)); err != nil {
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
		m := muxwell.New()
		got := ""
		m.Mount(row.prefix, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			raw := r.URL.RawPath
			if raw == "" {
				raw = "-"
			}
			muxtest.TellAll(w, r)
			got = r.URL.Path + " " + raw + " " + r.Pattern + w.(*httptest.ResponseRecorder).Body.String()
			if escaped := r.URL.EscapedPath(); r.URL.RawPath != "" && escaped != r.URL.RawPath {
				t.Errorf("%s at %q: RawPath %q is not an encoding of %q", row.request, row.prefix, r.URL.RawPath, r.URL.Path)
			}
		}))
		r := muxtest.RequestOf(row.request)
		url, uri := *r.URL, r.RequestURI
		w := muxtest.AnswerTo(m, r)
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
	m := muxwell.New(muxwell.UncleanPath(muxwell.PathServe))
	m.Mount("/a/b", h)
	for _, path := range []string{"/a/b/", "/a/b/c", "/a/b/c/", "/a/b/c%2Fd", "/a/b/%2F", "/a/b/c?d=e%2F", "/a/b//c", "/a/b/../c", "/a/b/%20", "/a/b/é"} {
		got = ""
		muxtest.AnswerTo(m, muxtest.NewRequest("GET", path))
		mounted := got
		got = ""
		muxtest.AnswerTo(http.StripPrefix("/a/b", h), muxtest.NewRequest("GET", path))
		if mounted != got {
			t.Errorf("GET %s: got %s, http.StripPrefix shows %s", path, mounted, got)
		}
	}
}

// TestMountedHandlerKeepsTheRequest: a mounted mux gets the server's own request;
// another handler a copy, but the files of a form that it reads are removed.
func TestMountedHandlerKeepsTheRequest(t *testing.T) {
	child, m := muxwell.New(), muxwell.New()
	var got *http.Request
	keep := func(_ http.ResponseWriter, r *http.Request) { got = r }
	child.HandleFunc("/{x}", keep)
	child.HandleParams("/v/{x}", func(w http.ResponseWriter, r *http.Request, _ muxwell.Params) { keep(w, r) })
	m.Mount("/m", child)
	m.Mount("/h", http.HandlerFunc(keep))
	m.Mount("h.com", http.HandlerFunc(keep))
	for request, same := range map[string]bool{"GET /m/1": true, "GET /m/%2F": true, "GET /m/v/1": true, "GET h.com/x": true, "GET /h/x": false} {
		r := muxtest.RequestOf(request)
		if muxtest.AnswerTo(m, r); (got == r) != same {
			t.Errorf("%s: the handler has the mux's own request: %v, want %v", request, got == r, same)
		}
	}
}

// TestMountedFileServer: http.FileServer serves what is below the prefix, and its
// redirects stay there.
func TestMountedFileServer(t *testing.T) {
	fsys := fstest.MapFS{"a.txt": {Data: []byte("a")}, "dir/index.html": {Data: []byte("index")}, "dir/b.txt": {Data: []byte("b")}}
	m := muxwell.New()
	m.Mount("/static", http.FileServerFS(fsys))
	m.Mount("/t/{t}", http.FileServerFS(fsys))
	for request, want := range map[string]string{
		"GET /static/a.txt": "200 a", "GET /static/dir/": "200 index", "GET /static/dir/b.txt": "200 b", "GET /static/none": "404",
		"GET /static/dir": "301 dir/", "GET /static/dir/index.html": "301 ./", "GET /t/x%2Fy/a.txt": "200 a", "GET /staticx": "404", "POST /static/a.txt": "200 a",
	} {
		w := muxtest.AnswerTo(m, muxtest.RequestOf(request))
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
	if got := muxtest.AnswerTo(m, muxtest.RequestOf("GET /static")); got.Code != 200 || !strings.Contains(got.Body.String(), "dir/") {
		t.Errorf("GET /static: got %d %q", got.Code, got.Body)
	}
}

// TestMountedUncleanPattern: a pattern that only PathServe can match is refused by a
// mux without it.
func TestMountedUncleanPattern(t *testing.T) {
	child := muxwell.New(muxwell.UncleanPath(muxwell.PathServe))
	child.HandleFunc("GET /a//b", muxtest.OK)
	m := muxwell.New()
	var e *muxwell.PatternError
	if err, _ := muxtest.Recovered(func() { m.Mount("/m", child) }).(error); !errors.As(err, &e) {
		t.Errorf("an unclean pattern: panicked with %v, want a *PatternError", err)
	}
	served := muxwell.New(muxwell.UncleanPath(muxwell.PathServe))
	served.Mount("/m", child)
	if got := muxtest.MatchOf(served, "GET", "/m/a//b"); got != "GET /m/a//b" {
		t.Errorf("GET /m/a//b: got %s", got)
	}
}
