package conformance

import (
	"bufio"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	original "github.com/minio/mux"

	"github.com/muxwell/muxwell/gorilla/mux"
	"github.com/muxwell/muxwell/routes"
)

// The rows are those of gorilla/mux's own benchmarks and of the classic Go router
// benchmark, each for this package and for gorilla/mux's main branch:
//
//	go test -run - -bench Serve -benchtime 50ms -cpu 1,2 -count 10 . | go tool benchstat -col /mux -
//
// Each request is served once before it is timed, to see that the right handler runs.

// A benchRow is a table of routes and the requests that one operation serves.
type benchRow struct {
	name     string
	routes   []string // METHOD TEMPLATE
	requests []string // METHOD PATH; nil for each of routes once
	read     bool     // handlers read the variables
	omit     bool     // neither route nor router is in the context
	missing  int      // of the requests, that no route takes
	queries  []string
}

func benchRows() []benchRow {
	github, gplus, parse, static := listed("github"), listed("gplus"), listed("parse"), listed("static")
	row := func(c byte) string {
		var b strings.Builder
		b.WriteString("GET ")
		for ; c > 'a'-1; c-- {
			fmt.Fprintf(&b, "/{%c}", c)
		}
		return b.String()
	}
	var many []string
	for i := range 1000 {
		many = append(many, fmt.Sprintf("GET /v%d/%s%d/{id}/part%d", i%7, []string{"users", "orders", "items"}[i%3], i, i%11))
	}
	dynamic := []string{"GET /static", "GET /dynamic/{param:.*}"}
	return []benchRow{
		{name: "Mux", routes: []string{"GET /v1/{v1}"}, requests: []string{"GET /v1/anything"}},
		{name: "MuxSimple/default", routes: []string{"GET /status"}, requests: []string{"GET /status"}},
		{name: "MuxSimple/omit", routes: []string{"GET /status"}, requests: []string{"GET /status"}, omit: true},
		{name: "MuxAlternativeInRegexp", routes: []string{"GET /v1/{v1:(?:a|b)}"}, requests: []string{"GET /v1/a", "GET /v1/b"}},
		{name: "ManyPathVariables", routes: []string{"GET /v1/{v1}/{v2}/{v3}/{v4}/{v5}"}, requests: []string{"GET /v1/1/2/3/4/5", "GET /v1/1/2/3/4"}, missing: 1},
		{name: "PopulateContext/no_vars", routes: dynamic, requests: []string{"GET /static"}},
		{name: "PopulateContext/empty_var", routes: dynamic, requests: []string{"GET /dynamic/"}},
		{name: "PopulateContext/vars", routes: dynamic, requests: []string{"GET /dynamic/foo"}},
		{name: "PopulateContext/omit_static", routes: dynamic, requests: []string{"GET /static"}, omit: true},
		{name: "PopulateContext/omit_dynamic", routes: dynamic, requests: []string{"GET /dynamic/"}, omit: true},
		{name: "Param", routes: []string{"GET /user/{name}"}, requests: []string{"GET /user/gordon"}},
		{name: "Param5", routes: []string{row('e')}, requests: []string{"GET /test/test/test/test/test"}},
		{name: "Param20", routes: []string{row('t')}, requests: []string{"GET " + strings.Repeat("/a", 20)}},
		{name: "GithubStatic", routes: github, requests: []string{"GET /user/repos"}},
		{name: "GithubStatic/omit", routes: github, requests: []string{"GET /user/repos"}, omit: true},
		{name: "GithubParam", routes: github, requests: []string{"GET /repos/julienschmidt/httprouter/stargazers"}},
		{name: "GithubAll", routes: github},
		{name: "GithubAll/read", routes: github, read: true},
		{name: "GPlusStatic", routes: gplus, requests: []string{"GET /people"}},
		{name: "GPlusParam", routes: gplus, requests: []string{"GET /people/118051310819094153327"}},
		{name: "GPlus2Params", routes: gplus, requests: []string{"GET /people/118051310819094153327/activities/123456789"}},
		{name: "GPlusAll", routes: gplus},
		{name: "ParseStatic", routes: parse, requests: []string{"GET /1/users"}},
		{name: "ParseParam", routes: parse, requests: []string{"GET /1/classes/go"}},
		{name: "Parse2Params", routes: parse, requests: []string{"GET /1/classes/go/123456789"}},
		{name: "ParseAll", routes: parse},
		{name: "StaticAll", routes: static},
		{name: "Routes1000", routes: many, requests: []string{"GET /v4/users900/7/part9", "GET /v0/orders7/x/part7"}},
		{name: "NotFound", routes: github, requests: []string{"GET /repos/julienschmidt/httprouter/nothing"}, missing: 1},
		{name: "Query", routes: []string{"GET /a"}, queries: []string{"q", "{q}", "page", "{page:[0-9]+}"}, requests: []string{"GET /a?lang=en&q=router&sort=asc&page=12"}},
	}
}

// listed returns the routes of a list.
func listed(name string) []string {
	f, err := routes.FS.Open(name + ".txt")
	if err != nil {
		panic(err)
	}
	defer f.Close()
	var list []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if line := lines.Text(); line != "" && line[0] != '#' {
			list = append(list, line)
		}
	}
	return list
}

// served counts what handlers were called, so that nothing is left out.
var served int

// newBenchRouter returns the row's router, of this package or the original.
func newBenchRouter(row benchRow, ours bool) http.Handler {
	if ours {
		r := mux.NewRouter().OmitRouteFromContext(row.omit).OmitRouterFromContext(row.omit)
		for _, route := range row.routes {
			method, path, _ := strings.Cut(route, " ")
			rt := r.HandleFunc(path, func(_ http.ResponseWriter, req *http.Request) {
				if served++; row.read {
					served += len(mux.Vars(req))
				}
			}).Methods(method)
			if row.queries != nil {
				rt.Queries(row.queries...)
			}
		}
		return r
	}
	r := original.NewRouter().OmitRouteFromContext(row.omit).OmitRouterFromContext(row.omit)
	for _, route := range row.routes {
		method, path, _ := strings.Cut(route, " ")
		rt := r.HandleFunc(path, func(_ http.ResponseWriter, req *http.Request) {
			if served++; row.read {
				served += len(original.Vars(req))
			}
		}).Methods(method)
		if row.queries != nil {
			rt.Queries(row.queries...)
		}
	}
	return r
}

var variable = regexp.MustCompile(`\{([^}:]+)[^}]*\}`)

// benchRequests returns the row's requests.
func benchRequests(row benchRow) []*http.Request {
	lines := row.requests
	if lines == nil {
		for _, route := range row.routes {
			lines = append(lines, variable.ReplaceAllString(route, "$1"))
		}
	}
	reqs := make([]*http.Request, len(lines))
	for i, line := range lines {
		method, target, _ := strings.Cut(line, " ")
		u, err := url.ParseRequestURI(target)
		if err != nil {
			panic(err)
		}
		reqs[i] = &http.Request{Method: method, URL: u, RequestURI: target, Header: http.Header{}, Host: "localhost", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	}
	return reqs
}

// A benchWriter throws away what is written.
type benchWriter struct{ header http.Header }

func (w *benchWriter) Header() http.Header         { return w.header }
func (w *benchWriter) Write(b []byte) (int, error) { return len(b), nil }
func (w *benchWriter) WriteHeader(int)             {}

func BenchmarkServe(b *testing.B) {
	for _, row := range benchRows() {
		b.Run("row="+row.name, func(b *testing.B) {
			for _, name := range []string{"gorilla", "muxwell"} {
				b.Run("mux="+name, func(b *testing.B) {
					h, reqs := newBenchRouter(row, name == "muxwell"), benchRequests(row)
					w := &benchWriter{make(http.Header)}
					served = 0
					for _, req := range reqs {
						h.ServeHTTP(w, req)
					}
					if served < len(reqs)-row.missing {
						b.Fatalf("%d of %d requests were served", served, len(reqs))
					}
					b.ReportAllocs()
					for b.Loop() {
						for _, req := range reqs {
							h.ServeHTTP(w, req)
							clear(w.header)
						}
					}
				})
			}
		})
	}
}

// BenchmarkRouteMatch matches single routes, as kin-openapi does.
//
//	go test -run - -bench RouteMatch -count 10 . | go tool benchstat -col /mux -
func BenchmarkRouteMatch(b *testing.B) {
	for _, row := range []struct{ name, path string }{
		{"missPrefix", "/orders/7/items"}, {"missLater", "/users/7/items"}, {"hit", "/users/7/keys"},
	} {
		req := &http.Request{Method: "GET", URL: &url.URL{Path: row.path}, Host: "localhost"}
		const template = "/users/{id}/keys"
		b.Run("row="+row.name, func(b *testing.B) {
			b.Run("mux=gorilla", func(b *testing.B) {
				rt := original.NewRouter().Path(template)
				b.ReportAllocs()
				for b.Loop() {
					if rt.Match(req, &original.RouteMatch{}) != (row.name == "hit") {
						b.Fatal("wrong result")
					}
				}
			})
			b.Run("mux=muxwell", func(b *testing.B) {
				rt := mux.NewRouter().Path(template)
				b.ReportAllocs()
				for b.Loop() {
					if rt.Match(req, &mux.RouteMatch{}) != (row.name == "hit") {
						b.Fatal("wrong result")
					}
				}
			})
		})
	}
}

// BenchmarkVarsInRequest serves GitHub's routes with gorilla/mux and with this package, with
// and without VarsInRequest, where handlers read no variable, or each one by its name.
//
//	go test -run - -bench VarsInRequest -count 10 . | go tool benchstat -col /mux -
func BenchmarkVarsInRequest(b *testing.B) {
	type reader func(req *http.Request, names []string)
	byName := func(vars func(*http.Request) map[string]string) reader {
		return func(req *http.Request, names []string) {
			values := vars(req)
			for _, name := range names {
				served += min(1, len(values[name]))
			}
		}
	}
	none := func(*http.Request, []string) {}
	pathValue := func(req *http.Request, names []string) {
		for _, name := range names {
			served += min(1, len(req.PathValue(name)))
		}
	}
	routes := listed("github")
	register := func(read reader, handle func(method, path string, f http.HandlerFunc)) {
		for _, route := range routes {
			method, path, _ := strings.Cut(route, " ")
			var names []string
			for _, v := range variable.FindAllStringSubmatch(path, -1) {
				names = append(names, v[1])
			}
			handle(method, path, func(_ http.ResponseWriter, req *http.Request) {
				served++
				read(req, names)
			})
		}
	}
	theirs := func(read reader) http.Handler {
		r := original.NewRouter()
		register(read, func(method, path string, f http.HandlerFunc) { r.HandleFunc(path, f).Methods(method) })
		return r
	}
	ours := func(option bool, read reader) http.Handler {
		r := mux.NewRouter().VarsInRequest(option)
		register(read, func(method, path string, f http.HandlerFunc) { r.HandleFunc(path, f).Methods(method) })
		return r
	}
	for _, c := range []struct {
		read, name string
		h          http.Handler
	}{
		{"none", "gorilla", theirs(none)},
		{"none", "muxwell", ours(false, none)},
		{"none", "request", ours(true, none)},
		{"vars", "gorilla", theirs(byName(original.Vars))},
		{"vars", "muxwell", ours(false, byName(mux.Vars))},
		{"vars", "request", ours(true, byName(mux.Vars))},
		{"pathvalue", "request", ours(true, pathValue)},
	} {
		b.Run("read="+c.read+"/mux="+c.name, func(b *testing.B) {
			w, reqs := &benchWriter{make(http.Header)}, benchRequests(benchRow{routes: routes})
			want := len(routes)
			if c.read != "none" {
				want += strings.Count(strings.Join(routes, " "), "{")
			}
			served = 0
			for _, req := range reqs {
				c.h.ServeHTTP(w, req)
			}
			if served != want {
				b.Fatalf("handlers saw %d requests and variables, want %d", served, want)
			}
			b.ReportAllocs()
			for b.Loop() {
				for _, req := range reqs {
					c.h.ServeHTTP(w, req)
				}
			}
		})
	}
}
