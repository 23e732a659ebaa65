package humamuxwell_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/humamuxwell"
	"github.com/muxwell/muxwell/middleware"
)

type (
	none struct{}
	byID struct {
		ID int `path:"id"`
	}
	byName struct {
		Name string `path:"name"`
	}
	text struct{ Body string }
)

// config returns a configuration whose answers have no links to schemas.
func config() huma.Config {
	c := huma.DefaultConfig("Test", "1.0.0")
	c.CreateHooks = nil
	return c
}

func get[I any](api huma.API, path string, options ...func(*huma.Operation)) {
	huma.Get(api, path, func(_ context.Context, in *I) (*text, error) {
		return &text{fmt.Sprintf("%+v", *in)}, nil
	}, options...)
}

// send returns the status and the body of the answer to a request, such as "GET /x",
// with headers by name and value.
func send(t *testing.T, h http.Handler, request string, headers ...string) (int, string) {
	t.Helper()
	method, url, _ := strings.Cut(request, " ")
	server := httptest.NewServer(h)
	defer server.Close()
	r, err := http.NewRequest(method, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	host, path := url[:strings.IndexByte(url, '/')], url[strings.IndexByte(url, '/'):]
	if host != "" {
		r.Host = host
	}
	r.URL.Path = path
	for pair := range slices.Chunk(headers, 2) {
		r.Header.Set(pair[0], pair[1])
	}
	resp, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var body strings.Builder
	if err := resp.Write(&body); err != nil {
		t.Fatal(err)
	}
	_, content, _ := strings.Cut(body.String(), "\r\n\r\n")
	return resp.StatusCode, strings.TrimSpace(content)
}

func route(t *testing.T, m *muxwell.Mux, pattern string) *muxwell.Route {
	t.Helper()
	for rt := range m.Routes() {
		if rt.Pattern() == pattern {
			return rt
		}
	}
	t.Fatalf("no route %s", pattern)
	return nil
}

func TestRequests(t *testing.T) {
	m := muxwell.New()
	api := humamuxwell.New(m, config())
	get[byID](api, "/pets/{id:int}")
	get[byName](api, "/pets/{name}")
	get[struct {
		Path string `path:"path"`
	}](api, "/files/{path...}")
	get[struct {
		Tenant string `path:"tenant"`
	}](api, "{tenant}.example.com/me")
	get[none](api, "/typed", humamuxwell.Options(muxwell.Headers("X-Version", "2")))
	get[none](api, "/hidden/{$}", func(op *huma.Operation) { op.Hidden = true })
	for _, c := range []struct {
		request string
		headers []string
		status  int
		body    string
	}{
		{"GET /pets/7", nil, 200, `"{ID:7}"`},
		{"GET /pets/rex", nil, 200, `"{Name:rex}"`},
		{"HEAD /pets/7", nil, 200, ``},
		{"GET /files/a/b", nil, 200, `"{Path:a/b}"`},
		{"GET acme.example.com/me", nil, 200, `"{Tenant:acme}"`},
		{"GET example.com/me", nil, 404, "404 page not found"},
		{"GET /typed", []string{"X-Version", "2"}, 200, `"{}"`},
		{"GET /typed", nil, 404, "404 page not found"},
		{"GET /hidden/", nil, 200, `"{}"`},
		{"GET /pets/99999999999999999999", nil, 422, `{"title":"Unprocessable Entity","status":422,"detail":"validation failed","errors":[{"message":"invalid integer","location":"path.id","value":"99999999999999999999"}]}`},
	} {
		if status, body := send(t, m, c.request, c.headers...); status != c.status || body != c.body {
			t.Errorf("%s %q: %d %s, want %d %s", c.request, c.headers, status, body, c.status, c.body)
		}
	}
	if status, body := send(t, m, "GET /docs"); status != 200 || !strings.Contains(body, "/openapi.yaml") {
		t.Errorf("/docs: %d %s", status, body)
	}
	if status, body := send(t, api.Adapter(), "GET /openapi.json"); status != 200 || !strings.Contains(body, `"/pets/{id}"`) {
		t.Errorf("/openapi.json: %d %s", status, body)
	}
}

func TestRoute(t *testing.T) {
	m := muxwell.New()
	c := config()
	c.Security = []map[string][]string{{"basic": {}}}
	api := humamuxwell.New(m, c)
	op := huma.Operation{
		OperationID: "get pet", Method: http.MethodGet, Path: "/pets/{id:int}",
		Tags: []string{"pets"}, Security: []map[string][]string{{"oauth": {"read"}}},
	}
	_, file, line, _ := runtime.Caller(0)
	huma.Register(api, op, func(context.Context, *byID) (*text, error) { return nil, nil })
	get[byID](api, "/free/{id:int}", func(op *huma.Operation) { op.Security = []map[string][]string{} })
	huma.Get(api, "/inherits", func(context.Context, *none) (*text, error) { return nil, nil })

	rt := route(t, m, "GET /pets/{id:int}")
	if got, want := rt.Name(), "get-pet"; got != want {
		t.Errorf("Name %q, want %q", got, want)
	}
	if got, want := rt.Source(), fmt.Sprintf("%s:%d", file, line+1); filepath.ToSlash(got) != want {
		t.Errorf("Source %s, want %s", got, want)
	}
	for _, c := range []struct {
		pattern, key string
		want         any
	}{
		{"GET /pets/{id:int}", "tags", []string{"pets"}},
		{"GET /pets/{id:int}", "security", []map[string][]string{{"oauth": {"read"}}}},
		{"GET /free/{id:int}", "security", nil},
		{"GET /free/{id:int}", "tags", nil},
		{"GET /inherits", "security", []map[string][]string{{"basic": {}}}},
		{"GET /openapi.json", "security", nil},
	} {
		if got, _ := route(t, m, c.pattern).Meta(c.key); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %s %v, want %v", c.pattern, c.key, got, c.want)
		}
	}
	if got, want := route(t, m, "GET /free/{id:int}").Name(), "get-free-by-id"; got != want {
		t.Errorf("generated name %q, want %q", got, want)
	}
	if got := route(t, m, "GET /docs").Source(); !strings.Contains(got, "adapter_test.go:") {
		t.Errorf("Source of /docs is %s", got)
	}
	if url, err := m.Path("get-pet", "id", "7"); url != "/pets/7" || err != nil {
		t.Errorf("Path: %s, %v", url, err)
	}
}

// TestSourceOfMethod: huma.AutoRegister calls methods of the program by reflection.
func TestSourceOfMethod(t *testing.T) {
	m := muxwell.New()
	huma.AutoRegister(humamuxwell.New(m, config()), server{})
	if got := route(t, m, "GET /auto").Source(); !strings.Contains(got, "adapter_test.go:") {
		t.Errorf("Source is %s", got)
	}
}

type server struct{}

func (server) RegisterAuto(api huma.API) { get[none](api, "/auto") }

func TestRegistrationErrors(t *testing.T) {
	for _, c := range []struct {
		path string
		want any
	}{
		{"/{id:nothing}", new(*muxwell.PatternError)},
		{"/there", new(*muxwell.ConflictError)},
		{"/taken", new(*muxwell.NameError)},
	} {
		m := muxwell.New()
		api := humamuxwell.New(m, config())
		m.HandleFunc("GET /there", func(http.ResponseWriter, *http.Request) {})
		m.Get("/named", func(http.ResponseWriter, *http.Request) {}, muxwell.Name("get-taken"))
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || !errors.As(err, c.want) {
					t.Errorf("%s: panics with %v, want %T", c.path, err, c.want)
				}
			}()
			get[none](api, c.path)
		}()
	}
}

func TestUnwrap(t *testing.T) {
	m := muxwell.New()
	api := humamuxwell.New(m, config())
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		r, w := humago.Unwrap(ctx)
		w.Header().Set("X-Pattern", m.RouteOf(r).Name()+" "+ctx.Operation().Path)
		next(ctx)
	})
	get[byID](api, "/pets/{id:int}")
	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest("GET", "/pets/7", nil))
	if got, want := w.Header().Get("X-Pattern"), "get-pets-by-id /pets/{id}"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestGroups(t *testing.T) {
	m := muxwell.New()
	var plain, host, param, mounted huma.API
	m.Route("/v1", func(g *muxwell.Group) { plain = humamuxwell.NewGroup(g, config()) })
	m.Route("api.example.com/v2", func(g *muxwell.Group) { host = humamuxwell.NewGroup(g, config()) })
	m.Route("/orgs/{org:slug}", func(g *muxwell.Group) {
		c := config()
		c.DocsPath = ""
		param = humamuxwell.NewGroup(g, c)
	})
	inner := muxwell.New()
	c := config()
	c.Servers = []*huma.Server{{URL: "/in"}}
	mounted = humamuxwell.New(inner, c)
	m.Mount("/in", inner)
	for i, api := range []huma.API{plain, host, param, mounted} {
		group := huma.NewGroup(api, "/pets")
		get[byID](group, "/{id:int}", func(op *huma.Operation) { op.OperationID = fmt.Sprint("pet", i) })
	}
	both := huma.NewGroup(mounted, "/a", "/b/{n:hex}")
	get[none](both, "/both")

	for _, c := range []struct {
		api     huma.API
		request string
		docs    string
		servers string
		paths   string
	}{
		{plain, "GET /v1/pets/7", "/v1/docs", "/v1", "/pets/{id}"},
		{host, "GET api.example.com/v2/pets/7", "api.example.com/v2/docs", "//api.example.com/v2", "/pets/{id}"},
		{param, "GET /orgs/acme/pets/7", "", "", "/orgs/{org}/pets/{id}"},
		{mounted, "GET /in/pets/7", "/in/docs", "/in", "/a/both /b/{n}/both /pets/{id}"},
	} {
		if status, body := send(t, m, c.request); status != 200 || body != `"{ID:7}"` {
			t.Errorf("%s: %d %s", c.request, status, body)
		}
		if c.docs != "" {
			if _, body := send(t, m, "GET "+c.docs); !strings.Contains(body, c.docs[strings.Index(c.docs, "/"):len(c.docs)-len("/docs")]+"/openapi.yaml") {
				t.Errorf("%s does not lead to the document: %s", c.docs, body)
			}
		}
		var servers []string
		for _, s := range c.api.OpenAPI().Servers {
			servers = append(servers, s.URL)
		}
		if got := strings.Join(servers, " "); got != c.servers {
			t.Errorf("%s: servers %q, want %q", c.request, got, c.servers)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(c.api.OpenAPI().Paths)), " "); got != c.paths {
			t.Errorf("%s: paths %q, want %q", c.request, got, c.paths)
		}
	}
	if status, _ := send(t, m, "GET /in/b/ff/both"); status != 200 {
		t.Errorf("a group with two prefixes: %d", status)
	}
}

func TestErrors(t *testing.T) {
	var api huma.API
	m := muxwell.New(muxwell.ErrorHandler(humamuxwell.ErrorHandler(&api)))
	api = humamuxwell.New(m, huma.DefaultConfig("Test", "1.0.0"))
	get[byID](api, "/pets/{id:int}")
	get[none](api, "/json", humamuxwell.Options(muxwell.Accept("application/json")))
	for path, err := range map[string]error{
		"/huma":    huma.Error409Conflict("taken", &huma.ErrorDetail{Message: "is taken", Location: "body.name"}),
		"/headers": huma.ErrorWithHeaders(huma.Error503ServiceUnavailable("later"), http.Header{"Retry-After": {"7"}}),
		"/plain":   errors.New("secret"),
		"/status":  &muxwell.HTTPError{Status: 418, Detail: "a teapot"},
		"/own":     ownError{},
	} {
		m.HandleError("GET "+path, func(http.ResponseWriter, *http.Request) error { return err })
	}
	m.HandleError("GET /begun", func(w http.ResponseWriter, _ *http.Request) error {
		_, _ = w.Write([]byte("begun"))
		return errors.New("late")
	})
	for _, c := range []struct {
		request       string
		status        int
		detail        string
		header, value string
	}{
		{"GET /nothing", 404, "", "Content-Type", "application/problem+json"},
		{"GET /pets/rex", 404, "", "Link", `</schemas/ErrorModel.json>; rel="describedBy"`},
		{"POST /pets/7", 405, "", "Allow", "GET, HEAD"},
		{"GET /json", 406, "", "", ""},
		{"GET /huma", 409, "taken", "", ""},
		{"GET /headers", 503, "later", "Retry-After", "7"},
		{"GET /plain", 500, "", "", ""},
		{"GET /status", 418, "a teapot", "", ""},
		{"GET /own", 451, "own", "", ""},
	} {
		method, path, _ := strings.Cut(c.request, " ")
		r := httptest.NewRequest(method, path, nil)
		r.Header.Set("Accept", "application/xml, application/cbor;q=0.1")
		w := httptest.NewRecorder()
		m.ServeHTTP(w, r)
		var body huma.ErrorModel
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != c.status || body.Status != c.status || body.Detail != c.detail {
			t.Errorf("%s: %d %s, want %d %q", c.request, w.Code, w.Body, c.status, c.detail)
		}
		if got := w.Header().Get(c.header); c.header != "" && got != c.value {
			t.Errorf("%s: %s %q, want %q", c.request, c.header, got, c.value)
		}
		if c.request == "GET /huma" && (len(body.Errors) != 1 || body.Errors[0].Location != "body.name") {
			t.Errorf("%s: no details in %s", c.request, w.Body)
		}
		if strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s: tells the cause: %s", c.request, w.Body)
		}
	}
	if _, body := send(t, m, "GET /begun"); body != "begun" {
		t.Errorf("an answer that has begun: %s", body)
	}
}

// TestErrorLog: the server logs the errors of handlers that are not the client's, and the
// headers of a body that was not sent are removed.
func TestErrorLog(t *testing.T) {
	var api huma.API
	m := muxwell.New(muxwell.ErrorHandler(humamuxwell.ErrorHandler(&api)))
	api = humamuxwell.New(m, config())
	for _, c := range []struct {
		err    error
		logged bool
	}{
		{errors.New("no disk"), true},
		{huma.Error503ServiceUnavailable("later"), true},
		{&muxwell.HTTPError{Status: 503, Reason: "overloaded"}, false},
		{huma.Error404NotFound("gone"), false},
	} {
		rt := m.HandleError("GET /{$}", func(w http.ResponseWriter, _ *http.Request) error {
			w.Header().Set("ETag", `"1"`)
			return c.err
		})
		var text strings.Builder
		server := &http.Server{ErrorLog: log.New(&text, "", 0)}
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest("GET", "/", nil).WithContext(context.WithValue(t.Context(), http.ServerContextKey, server)))
		if got := strings.Contains(text.String(), c.err.Error()); got != c.logged {
			t.Errorf("%v: logged %t, want %t: %s", c.err, got, c.logged, &text)
		}
		if got := w.Header().Get("ETag"); got != "" {
			t.Errorf("%v: ETag %s is left", c.err, got)
		}
		if err := m.Update(func(tx *muxwell.Tx) error { return tx.Remove(rt) }); err != nil {
			t.Fatal(err)
		}
	}
}

// TestErrorsOfOperations: an error of an operation has the status that it has elsewhere, and
// its text goes to the logs and not to the client.
func TestErrorsOfOperations(t *testing.T) {
	defer func(f func(huma.Context, int, string, ...error) huma.StatusError) { huma.NewErrorWithContext = f }(huma.NewErrorWithContext)
	huma.NewErrorWithContext = humamuxwell.NewErrorWithContext
	var lines, errorLog strings.Builder
	m := muxwell.New()
	m.Use(middleware.Log(slog.New(slog.NewTextHandler(&lines, nil)), nil), middleware.MaxBytes(10))
	api := humamuxwell.New(m, config())
	var fail error
	huma.Post(api, "/", func(context.Context, *struct{ Body string }) (*struct{}, error) { return nil, fail })
	for _, c := range []struct {
		body   string
		err    error
		status int
		detail string
		logged bool
	}{
		{`"a"`, errors.New("secret"), 500, "", true},
		{`"a"`, fmt.Errorf("store: %w", &muxwell.HTTPError{Status: 409, Detail: "taken"}), 409, "taken", false},
		{`"a"`, &muxwell.HTTPError{Status: 503, Detail: "later", Err: errors.New("secret")}, 503, "later", true},
		{`"a"`, huma.Error404NotFound("gone"), 404, "gone", false},
		{`"a long body"`, nil, 413, "", false},
		{`1`, nil, 422, "validation failed", false},
	} {
		fail = c.err
		lines.Reset()
		errorLog.Reset()
		r := httptest.NewRequest("POST", "/", io.NopCloser(strings.NewReader(c.body))) // of unknown length
		r.Header.Set("Content-Type", "application/json")
		server := &http.Server{ErrorLog: log.New(&errorLog, "", 0)}
		w := httptest.NewRecorder()
		m.ServeHTTP(w, r.WithContext(context.WithValue(t.Context(), http.ServerContextKey, server)))
		var body huma.ErrorModel
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil || w.Code != c.status || body.Detail != c.detail || len(body.Errors) > 0 && c.status != 422 {
			t.Errorf("%s, %v: %d %s, want %d %q", c.body, c.err, w.Code, w.Body, c.status, c.detail)
		}
		logged := strings.Contains(errorLog.String(), "POST /") && strings.Contains(lines.String(), "error=")
		if logged != c.logged || !c.logged && errorLog.Len() > 0 {
			t.Errorf("%s, %v: logged %t, want %t: %s%s", c.body, c.err, logged, c.logged, &lines, &errorLog)
		}
	}
}

type ownError struct{}

func (ownError) Error() string  { return "own" }
func (ownError) GetStatus() int { return 451 }
