package behavior

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// listed is a value handler that writes r.Pattern and all parameters.
func listed(w http.ResponseWriter, r *http.Request, p muxwell.Params) {
	var list []string
	for name, value := range p.All() {
		list = append(list, fmt.Sprintf("%s=%q", name, value))
	}
	fmt.Fprintf(w, "%s: %s", r.Pattern, strings.Join(list, " "))
}

// refusing fails with 404.
func refusing(http.ResponseWriter, *http.Request) error { return statusError(404) }

// unknownAround is middleware that a caller puts around a handler.
func unknownAround(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, r) })
}

// TestParamsFuncElsewhere: where no mux knows it, a ParamsFunc is given the parameters
// that r.Pattern names.
func TestParamsFuncElsewhere(t *testing.T) {
	serveMux := func(pattern string) http.Handler {
		m := http.NewServeMux()
		m.Handle(pattern, muxwell.ParamsFunc(listed))
		return m
	}
	wrapped := func(pattern string, options ...muxwell.RouteOption) http.Handler {
		m := muxwell.New(muxwell.Constraint("color", func(s string) bool { return s == "red" }))
		if _, err := m.Add(pattern, unknownAround(muxwell.ParamsFunc(listed)), options...); err != nil {
			t.Fatal(err)
		}
		return m
	}
	mounted := func(pattern string) http.Handler {
		m, child := muxwell.New(), muxwell.New()
		child.Handle(pattern, unknownAround(muxwell.ParamsFunc(listed)))
		m.Mount("/of/{tenant}", child)
		return m
	}
	inGroup := func(pattern string) http.Handler {
		m := muxwell.New()
		m.Route("{tenant}.example.com/of/{group}", nil).Handle(pattern, unknownAround(muxwell.ParamsFunc(listed)))
		return m
	}
	inTx := func(pattern string) http.Handler {
		m := muxwell.New()
		err := m.Update(func(tx *muxwell.Tx) error {
			_, err := tx.Add(pattern, unknownAround(muxwell.ParamsFunc(listed)))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	unclean := muxwell.New(muxwell.UncleanPath(muxwell.PathServe))
	unclean.Handle("GET //u/{x}", unknownAround(muxwell.ParamsFunc(listed)))
	stripped := muxwell.New()
	stripped.Handle("GET /s/{x}/{rest...}", http.StripPrefix("/s", muxwell.ParamsFunc(listed)))
	mountedItself := muxwell.New()
	mountedItself.Mount("/at/{x}", muxwell.ParamsFunc(listed))
	for _, row := range []struct {
		name    string
		handler http.Handler
		request string
		want    string
	}{
		{"ServeMux", serveMux("GET /u/{id}"), "GET /u/7", `GET /u/{id}: id="7"`},
		{"ServeMux, escaped", serveMux("/u/{id}/{rest...}"), "GET /u/a%2Fb/c/d", `/u/{id}/{rest...}: id="a/b" rest="c/d"`},
		{"ServeMux, an empty value", serveMux("/u/{rest...}"), "GET /u/", `/u/{rest...}: rest=""`},
		{"ServeMux, a host", serveMux("example.com/{x}/{$}"), "GET http://example.com/1/", `example.com/{x}/{$}: x="1"`},
		{"ServeMux, no parameter", serveMux("/u/"), "GET /u/7", `/u/: `},
		{"ServeMux, an unclean pattern", serveMux("//u/{x}"), "CONNECT //u/1", `//u/{x}: x="1"`},
		{"wrapped", wrapped("GET /{name}.{ext}"), "GET /a.txt", `GET /{name}.{ext}: name="a" ext="txt"`},
		{"wrapped, constraints", wrapped("/{c:color}/{y:[0-9]{4}}/{n:int}"), "GET /red/2024/7", `/{c:color}/{y:[0-9]{4}}/{n:int}: c="red" y="2024" n="7"`},
		{"wrapped, five", wrapped("/{a}/{b}/{c}/{d}/{e}"), "GET /1/2/3/4/5", `/{a}/{b}/{c}/{d}/{e}: a="1" b="2" c="3" d="4" e="5"`},
		{"wrapped, a query", wrapped("GET,PUT /{x}", muxwell.Queries("q", "{q}")), "PUT /1?q=2", `GET,PUT /{x}: x="1"`},
		{"wrapped, an unclean pattern", unclean, "GET //u/1", `GET //u/{x}: x="1"`},
		{"wrapped, mounted", mounted("GET /{id}"), "GET /of/acme/7", `GET /of/{tenant}/{id}: tenant="acme" id="7"`},
		{"wrapped, in a group", inGroup("GET /{id}"), "GET http://acme.example.com/of/x/7", `GET {tenant}.example.com/of/{group}/{id}: tenant="acme" group="x" id="7"`},
		{"wrapped, in a transaction", inTx("GET /{id}"), "GET /7", `GET /{id}: id="7"`},
		{"http.StripPrefix", stripped, "GET /s/1/2/3", `GET /s/{x}/{rest...}: x="1" rest="2/3"`},
		{"Mount", mountedItself, "GET /at/1/2", `/at/{x}/: x="1"`},
		{"no mux", muxwell.ParamsFunc(listed), "GET /u/7", `: `},
		{"NotFound", muxwell.New(muxwell.NotFound(muxwell.ParamsFunc(listed))), "GET /u/7", `: `},
	} {
		method, url, _ := strings.Cut(row.request, " ")
		w := muxtest.AnswerTo(row.handler, newTestRequest(method, url))
		if got := w.Body.String(); got != row.want {
			t.Errorf("%s: %s: got %q, want %q", row.name, row.request, got, row.want)
		}
	}
}

// newTestRequest returns a request; its path may begin with two slashes.
func newTestRequest(method, url string) *http.Request {
	if strings.HasPrefix(url, "//") {
		r := httptest.NewRequest(method, "/", nil)
		r.URL.Path = url
		return r
	}
	return httptest.NewRequest(method, url, nil)
}

// TestParamsFuncForeignPattern: a ParamsFunc has no parameters if r.Pattern is not a
// pattern of this package.
func TestParamsFuncForeignPattern(t *testing.T) {
	for _, pattern := range []string{"", "/{id", "no path", "/{id?}", "/{a}/{a}", "{", "/{}", "/users/:id"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Pattern = pattern
		r.SetPathValue("id", "7")
		r.SetPathValue("a", "7")
		called := false
		muxwell.ParamsFunc(func(_ http.ResponseWriter, r *http.Request, p muxwell.Params) {
			called = true
			if p.Len() != 0 || p.Get("id") != "" || p.Get("a") != "" || r.Pattern != pattern {
				t.Errorf("r.Pattern %q: got %d parameters, r.Pattern %q", pattern, p.Len(), r.Pattern)
			}
		}).ServeHTTP(httptest.NewRecorder(), r)
		if !called {
			t.Errorf("r.Pattern %q: the function was not called", pattern)
		}
	}
}

// TestParamsFuncLikeKnown: the parameters that ServeHTTP gives are those that the mux
// gives a ParamsFunc that it knows.
func TestParamsFuncLikeKnown(t *testing.T) {
	for _, row := range [][2]string{
		{"/{x}", "/1"},
		{"GET /a/{x}/{y...}", "/a/%2F/2/3"},
		{"/{x}-{y:uint}.{z}", "/a-1.b"},
		{"/{x...}/raw/{y}", "/1/2/raw/3"},
		{"example.com/{x}/", "/1/"},
		{"{h}.com/{x}", "/1"},
		{"{sub...}.com/a", "/a"},
	} {
		var got [2]string
		for i, h := range []http.Handler{muxwell.ParamsFunc(listed), unknownAround(muxwell.ParamsFunc(listed))} {
			m := muxwell.New()
			m.Handle(row[0], h)
			r := httptest.NewRequest("GET", row[1], nil)
			r.Host = "example.com"
			got[i] = muxtest.AnswerTo(m, r).Body.String()
		}
		if got[0] != got[1] || !strings.Contains(got[0], `"`) {
			t.Errorf("%s on %s: known %q, wrapped %q", row[1], row[0], got[0], got[1])
		}
	}
}

// TestHandlerKinds: a ParamsFunc and an ErrorFunc that are registered as they are serve
// as those of HandleParams and HandleError do, and are shown as they are.
func TestHandlerKinds(t *testing.T) {
	custom := muxwell.ErrorHandler(func(w http.ResponseWriter, r *http.Request, err error) {
		fmt.Fprintf(w, "custom %s %v", r.Pattern, err)
	})
	for name, register := range map[string]func(m *muxwell.Mux, pattern string, h http.Handler) error{
		"Handle": func(m *muxwell.Mux, pattern string, h http.Handler) error { m.Handle(pattern, h); return nil },
		"Add":    func(m *muxwell.Mux, pattern string, h http.Handler) error { _, err := m.Add(pattern, h); return err },
		"Group.Handle": func(m *muxwell.Mux, pattern string, h http.Handler) error {
			m.Group(nil).Handle(pattern, h)
			return nil
		},
		"Group.Add": func(m *muxwell.Mux, pattern string, h http.Handler) error {
			_, err := m.Group(nil).Add(pattern, h)
			return err
		},
		"Tx.Add": func(m *muxwell.Mux, pattern string, h http.Handler) error {
			return m.Update(func(tx *muxwell.Tx) error { _, err := tx.Add(pattern, h); return err })
		},
		"Tx.Replace": func(m *muxwell.Mux, pattern string, h http.Handler) error {
			return m.Update(func(tx *muxwell.Tx) error {
				rt, err := tx.Add(pattern, http.NotFoundHandler())
				if err == nil {
					_, err = tx.Replace(rt, "", h)
				}
				return err
			})
		},
		"a mounted mux": func(m *muxwell.Mux, pattern string, h http.Handler) error {
			child := muxwell.New()
			child.Handle(pattern, h)
			m.Mount("/", child)
			return nil
		},
	} {
		var byName string
		m, reference := muxwell.New(custom), muxwell.New(custom)
		value := func(w http.ResponseWriter, r *http.Request, p muxwell.Params) {
			byName = r.PathValue("x")
			listed(w, r, p)
		}
		if err := errors.Join(register(m, "GET /v/{x}", muxwell.ParamsFunc(value)), register(m, "GET /e/{x}", muxwell.ErrorFunc(refusing))); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		reference.HandleParams("GET /v/{x}", value)
		reference.HandleError("GET /e/{x}", refusing)
		for _, path := range []string{"/v/1", "/v/%2F", "/e/1"} {
			r := httptest.NewRequest("GET", path, nil)
			want := muxtest.AnswerTo(reference, r).Body.String()
			byName = "none"
			if got := muxtest.AnswerTo(m, httptest.NewRequest("GET", path, nil)).Body.String(); got != want {
				t.Errorf("%s: GET %s: got %q, want %q", name, path, got, want)
			}
			if strings.HasPrefix(path, "/v") && byName != "" {
				t.Errorf("%s: GET %s: a ParamsFunc that the mux knows can read %q by name", name, path, byName)
			}
			h1, pattern1 := m.Handler(r)
			h2, pattern2 := reference.Handler(r)
			if pattern1 != pattern2 || fmt.Sprintf("%T", h1) != fmt.Sprintf("%T", h2) || muxtest.AnswerTo(h1, httptest.NewRequest("GET", path, nil)).Code != muxtest.AnswerTo(h2, httptest.NewRequest("GET", path, nil)).Code {
				t.Errorf("%s: Handler of GET %s: got %T, %q, want %T, %q", name, path, h1, pattern1, h2, pattern2)
			}
			if got, want := m.Explain(r), reference.Explain(r); got.Route == nil || got.Route.Pattern() != want.Route.Pattern() {
				t.Errorf("%s: Explain of GET %s: got %v, want %v", name, path, got, want)
			}
		}
	}
}

// TestErrorFuncElsewhere: where no mux knows it, an ErrorFunc gives the answer of a mux
// without ErrorHandler.
func TestErrorFuncElsewhere(t *testing.T) {
	custom := muxwell.New(muxwell.ErrorHandler(func(w http.ResponseWriter, _ *http.Request, err error) { fmt.Fprint(w, "custom") }))
	custom.Handle("/wrapped/{x}", unknownAround(muxwell.ErrorFunc(refusing)))
	custom.Handle("/stripped/", http.StripPrefix("/stripped", muxwell.ErrorFunc(refusing)))
	custom.Mount("/mounted", muxwell.ErrorFunc(refusing))
	plain, child, serveMux := muxwell.New(), muxwell.New(), http.NewServeMux()
	plain.Mount("/mounted", muxwell.ErrorFunc(refusing))
	child.Mount("/mounted", muxwell.ErrorFunc(refusing))
	custom.Mount("/child", child)
	serveMux.Handle("/x", muxwell.ErrorFunc(refusing))
	for _, row := range []struct {
		handler http.Handler
		path    string
		want    string
	}{
		{custom, "/wrapped/1", "404 Not Found\n"},
		{custom, "/stripped/x", "404 Not Found\n"},
		{custom, "/mounted/x", "200 custom"},
		{custom, "/child/mounted/x", "200 custom"},
		{child, "/mounted/x", "404 Not Found\n"},
		{plain, "/mounted/x", "404 Not Found\n"},
		{serveMux, "/x", "404 Not Found\n"},
		{muxwell.ErrorFunc(refusing), "/x", "404 Not Found\n"},
		{muxwell.ErrorFunc(func(http.ResponseWriter, *http.Request) error { return nil }), "/x", "200 "},
		{muxwell.New(muxwell.NotFound(muxwell.ErrorFunc(refusing))), "/x", "404 Not Found\n"},
	} {
		w := muxtest.AnswerTo(row.handler, httptest.NewRequest("GET", row.path, nil))
		if got := fmt.Sprint(w.Code, " ", w.Body); got != row.want {
			t.Errorf("GET %s of %T: got %q, want %q", row.path, row.handler, got, row.want)
		}
	}
	if v := muxtest.Recovered(func() {
		muxwell.ErrorFunc(func(http.ResponseWriter, *http.Request) error { return fmt.Errorf("wrapped: %w", http.ErrAbortHandler) }).
			ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	}); v != http.ErrAbortHandler {
		t.Errorf("http.ErrAbortHandler: panicked with %v, want %v", v, http.ErrAbortHandler)
	}
}

func TestParamsOf(t *testing.T) {
	for _, pairs := range [][]string{
		nil,
		{"id", "42"},
		{"id", ""},
		{"a", "1", "b", "a/b", "c", "%2F", "d", "é", "e", strings.Repeat("x", 300)},
	} {
		given := slices.Clone(pairs)
		p := muxwell.ParamsOf(given...)
		clear(given) // which it does not keep
		if p.Len() != len(pairs)/2 {
			t.Errorf("ParamsOf(%q): %d parameters, want %d", pairs, p.Len(), len(pairs)/2)
		}
		var all []string
		for name, value := range p.All() {
			all = append(all, name, value)
		}
		if !slices.Equal(all, pairs) {
			t.Errorf("ParamsOf(%q): All yields %q", pairs, all)
		}
		for i := range p.Len() {
			name, value := pairs[2*i], pairs[2*i+1]
			got, ok := p.Lookup(name)
			typed, err := muxwell.Param[string](p, name)
			if p.Name(i) != name || p.At(i) != value || p.Get(name) != value || got != value || !ok || typed != value || err != nil {
				t.Errorf("ParamsOf(%q): parameter %d is %q=%q, by name %q, typed %q, error %v", pairs, i, p.Name(i), p.At(i), got, typed, err)
			}
		}
		if v, ok := p.Lookup("other"); v != "" || ok {
			t.Errorf("ParamsOf(%q): there is a parameter other, %q", pairs, v)
		}
	}
	if _, err := muxwell.Param[int](muxwell.ParamsOf("id", "42"), "other"); !errors.Is(err, muxwell.ErrNoParam) || err.Error() != `muxwell: no parameter "other": the Params of ParamsOf has id` {
		t.Errorf("a name that ParamsOf was not given: got error %v", err)
	}
	for want, pairs := range map[string][]string{
		`muxwell: ParamsOf: the name "id" has no value; pass a value after each name`: {"id"},
		`muxwell: ParamsOf: the name "c" has no value; pass a value after each name`:  {"a", "b", "c"},
		`muxwell: ParamsOf: duplicate name "a"; names must be unique`:                 {"a", "1", "b", "2", "a", "1"},
	} {
		if got := muxtest.Recovered(func() { muxwell.ParamsOf(pairs...) }); got != want {
			t.Errorf("ParamsOf(%q): panicked with %v, want %q", pairs, got, want)
		}
	}
}

// TestHandlerKindAllocs: a ParamsFunc that the mux knows is called without an
// allocation, and an ErrorFunc with one.
func TestHandlerKindAllocs(t *testing.T) {
	if muxtest.RaceEnabled {
		t.Skip("the race detector allocates, so that allocations cannot be counted")
	}
	m, child := muxwell.New(), muxwell.New()
	value := muxwell.ParamsFunc(func(http.ResponseWriter, *http.Request, muxwell.Params) {})
	m.Handle("GET /handle/{x}", value)
	m.Route("/group", nil).Handle("GET /{x}", value)
	child.Handle("GET /{x}", value)
	m.Mount("/child", child)
	m.Handle("GET /error", muxwell.ErrorFunc(func(http.ResponseWriter, *http.Request) error { return nil }))
	w := muxtest.NewWriter()
	for path, want := range map[string]float64{"/handle/1": 0, "/group/1": 0, "/child/1": 0, "/error": 1} {
		r := muxtest.NewRequest("GET", path)
		m.ServeHTTP(w, r)
		if got := testing.AllocsPerRun(1000, func() { m.ServeHTTP(w, r) }); got > want {
			t.Errorf("GET %s: %v allocations, want %v", path, got, want)
		}
	}
}
