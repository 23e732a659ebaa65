// Package benchmarks measures what requests and registrations cost, by the API of
// package muxwell only, and holds what of it is promised. Benchmarks of one package's
// insides are in that package.
package benchmarks

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/constraint"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
)

// The rows are those of the classic Go router benchmark, with the route lists
// of routes/. Each is measured for value handlers, for handlers that use
// r.PathValue, and for http.ServeMux with the same routes:
//
//	go test -run - -bench . -cpu 1,2 -count 10 ./internal/benchmarks | tee new.txt
//	go tool benchstat -col /mux new.txt
//
// results/muxwell.txt is the run that the documents have figures of; routebench/figures
// measures it.
//
// Every route of a row is checked once before it is timed. A request is served
// again and again without being copied: neither mux leaves in it what would
// make the next call cheaper or dearer.

// A benchRow is a table of routes and the requests that one operation serves.
type benchRow struct {
	name   string
	routes []string // METHOD PATTERN
	// requests are METHOD PATH, or "" for each of routes once, a parameter's
	// value being its name.
	requests []string
	write    bool // the handler writes its first parameter
	status   int  // expected; 0 for 200
}

func benchRows() []benchRow {
	github, gplus, parse, static := muxtest.Routes("github"), muxtest.Routes("gplus"), muxtest.Routes("parse"), muxtest.Routes("static")
	var githubREST []string // without those that http.ServeMux refuses next to others
	mux := http.NewServeMux()
	for _, rt := range muxtest.Routes("github-rest") {
		if accepted(mux, rt) {
			githubREST = append(githubREST, rt)
		}
	}
	five, twenty := "", ""
	for c := 'a'; c < 'a'+20; c++ {
		if c < 'a'+5 {
			five += fmt.Sprintf("/{%c}", c)
		}
		twenty += fmt.Sprintf("/{%c}", c)
	}
	long := strings.Repeat("x", 4<<10)
	const uuid = "/123e4567-e89b-42d3-a456-426614174000"
	const organizations = "GET /api/v1/organizations"
	uuids := []string{
		organizations, organizations + "/{org}", organizations + "/{org}/projects", organizations + "/{org}/projects/{project}",
		organizations + "/{org}/projects/{project}/environments", organizations + "/{org}/projects/{project}/environments/{environment}",
	}
	return []benchRow{
		{name: "Param", routes: []string{"GET /user/{name}"}, requests: []string{"GET /user/gordon"}},
		{name: "Param5", routes: []string{"GET " + five}, requests: []string{"GET /test/test/test/test/test"}},
		{name: "Param20", routes: []string{"GET " + twenty}, requests: []string{"GET /a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t"}},
		{name: "ParamWrite", routes: []string{"GET /user/{name}"}, requests: []string{"GET /user/gordon"}, write: true},
		{name: "GithubStatic", routes: github, requests: []string{"GET /user/repos"}},
		{name: "GithubParam", routes: github, requests: []string{"GET /repos/julienschmidt/httprouter/stargazers"}},
		{name: "GithubAll", routes: github},
		{name: "GPlusStatic", routes: gplus, requests: []string{"GET /people"}},
		{name: "GPlusParam", routes: gplus, requests: []string{"GET /people/118051310819094153327"}},
		{name: "GPlus2Params", routes: gplus, requests: []string{"GET /people/118051310819094153327/activities/123456789"}},
		{name: "GPlusAll", routes: gplus},
		{name: "ParseStatic", routes: parse, requests: []string{"GET /1/users"}},
		{name: "ParseParam", routes: parse, requests: []string{"GET /1/classes/go"}},
		{name: "Parse2Params", routes: parse, requests: []string{"GET /1/classes/go/123456789"}},
		{name: "ParseAll", routes: parse},
		{name: "StaticAll", routes: static},
		{name: "UUID", routes: uuids, requests: []string{organizations + uuid}},                                                // 60 bytes
		{name: "UUID2", routes: uuids, requests: []string{organizations + uuid + "/projects" + uuid}},                          // 103
		{name: "UUID3", routes: uuids, requests: []string{organizations + uuid + "/projects" + uuid + "/environments" + uuid}}, // 153
		{name: "GithubREST", routes: githubREST},
		{name: "Miss", routes: github, requests: []string{"GET /repos/julienschmidt/httprouter/nothing"}, status: 404},
		{name: "MethodNotAllowed", routes: github, requests: []string{"DELETE /repos/julienschmidt/httprouter/issues"}, status: 405},
		{name: "LongPath", routes: []string{"GET /{a}/in/{b}"}, requests: []string{"GET /" + long + "/in/" + long}},
		{name: "Escaped", routes: github, requests: []string{"GET /repos/julien%2Fschmidt/httprouter/stargazers"}},
		{name: "CatchAll", routes: []string{"GET /{path...}", "GET /api/users/{id}", "GET /api/"}, requests: []string{"GET /assets/app.js"}},
	}
}

// accepted registers a pattern, and reports whether the mux accepts it.
func accepted(mux *http.ServeMux, pattern string) (ok bool) {
	defer func() { ok = recover() == nil }()
	mux.HandleFunc(pattern, func(http.ResponseWriter, *http.Request) {})
	return true
}

var (
	paramRx   = regexp.MustCompile(`\{([^}.]+)(\.\.\.)?\}`)
	benchMuxs = []string{"value", "pathvalue", "ServeMux"}
)

// newBenchMux returns a mux of the kind with the row's routes.
func newBenchMux(kind string, row benchRow) http.Handler {
	if kind == "ServeMux" {
		m := http.NewServeMux()
		for _, rt := range row.routes {
			m.HandleFunc(rt, benchHandler(row, rt))
		}
		return m
	}
	m := muxwell.New()
	for _, rt := range row.routes {
		switch name := firstParam(rt); {
		case kind == "pathvalue":
			m.HandleFunc(rt, benchHandler(row, rt))
		case row.write:
			m.HandleParams(rt, func(w http.ResponseWriter, _ *http.Request, p muxwell.Params) { io.WriteString(w, p.Get(name)) })
		default:
			m.HandleParams(rt, func(http.ResponseWriter, *http.Request, muxwell.Params) {})
		}
	}
	return m
}

func benchHandler(row benchRow, pattern string) http.HandlerFunc {
	if name := firstParam(pattern); row.write {
		return func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.PathValue(name)) }
	}
	return func(http.ResponseWriter, *http.Request) {}
}

func firstParam(pattern string) string {
	if m := paramRx.FindStringSubmatch(pattern); m != nil {
		return m[1]
	}
	return ""
}

// benchRequests returns the row's requests.
func benchRequests(row benchRow) []*http.Request {
	lines := row.requests
	if lines == nil {
		for _, rt := range row.routes {
			lines = append(lines, paramRx.ReplaceAllString(rt, "$1"))
		}
	}
	var reqs []*http.Request
	for _, line := range lines {
		method, path, _ := strings.Cut(line, " ")
		reqs = append(reqs, muxtest.NewRequest(method, path))
	}
	return reqs
}

func BenchmarkServe(b *testing.B) {
	for _, row := range benchRows() {
		for _, kind := range benchMuxs {
			b.Run("row="+row.name+"/mux="+kind, func(b *testing.B) {
				mux, reqs := newBenchMux(kind, row), benchRequests(row)
				w := muxtest.NewWriter()
				for _, r := range reqs {
					w.Status = 200
					mux.ServeHTTP(w, r)
					if w.Status != max(row.status, 200) {
						b.Fatalf("%s %s: status %d", r.Method, r.URL, w.Status)
					}
				}
				b.ReportAllocs()
				for b.Loop() {
					for _, r := range reqs {
						mux.ServeHTTP(w, r)
						if len(w.Header()) > 0 { // a server's is new for each request
							clear(w.Header())
						}
					}
				}
			})
		}
	}
}

// BenchmarkRead has the rows with many parameters, each of which is read by name.
func BenchmarkRead(b *testing.B) {
	for _, row := range benchRows()[:3] {
		var names []string
		for _, group := range paramRx.FindAllStringSubmatch(row.routes[0], -1) {
			names = append(names, group[1])
		}
		for _, kind := range benchMuxs {
			b.Run("row="+row.name+"/mux="+kind, func(b *testing.B) {
				read := 0
				handler := func(_ http.ResponseWriter, r *http.Request) {
					for _, name := range names {
						read += len(r.PathValue(name))
					}
				}
				m, std := muxwell.New(), http.NewServeMux()
				mux := http.Handler(m)
				switch kind {
				case "value":
					m.HandleParams(row.routes[0], func(_ http.ResponseWriter, _ *http.Request, p muxwell.Params) {
						for _, name := range names {
							read += len(p.Get(name))
						}
					})
				case "pathvalue":
					m.HandleFunc(row.routes[0], handler)
				default:
					std.HandleFunc(row.routes[0], handler)
					mux = std
				}
				r, w := benchRequests(row)[0], muxtest.NewWriter()
				if mux.ServeHTTP(w, r); read < len(names) {
					b.Fatalf("%s: %d bytes read of %d parameters", r.URL, read, len(names))
				}
				b.ReportAllocs()
				for b.Loop() {
					mux.ServeHTTP(w, r)
				}
			})
		}
	}
}

// BenchmarkLanguage has a row for each way to write a segment, with the same
// request for those to be compared with each other: what a constraint adds is
// the difference to plain.
func BenchmarkLanguage(b *testing.B) {
	const uuid = "123e4567-e89b-42d3-a456-426614174000"
	for _, row := range []struct{ name, pattern, path string }{
		{"plain", "/users/{id}", "/users/12345678"},
		{"int", "/users/{id:int}", "/users/12345678"},
		{"alnum", "/users/{id:alnum}", "/users/12345678"},
		{"function", "/users/{id:even}", "/users/12345678"},
		{"regexp=[0-9]+", "/users/{id:[0-9]+}", "/users/12345678"},
		{"regexp=[a-zA-Z0-9_-]+", "/users/{id:[a-zA-Z0-9_-]+}", "/users/12345678"},
		{"regexp=[0-9]{8}", "/users/{id:[0-9]{8}}", "/users/12345678"},
		{"regexp=1|12345678", "/users/{id:1|12345678}", "/users/12345678"},
		{"regexp=re2", "/users/{id:.*5.*}", "/users/12345678"},
		{"plain-uuid", "/users/{id}", "/users/" + uuid},
		{"uuid", "/users/{id:uuid}", "/users/" + uuid},
		{"regexp=uuid", "/users/{id:" + constraint.Find("uuid").Expr + "}", "/users/" + uuid},
		{"prefix", "/users/1{id}", "/users/12345678"},
		{"plain-file", "/files/{name}", "/files/report.pdf"},
		{"name.ext", "/files/{name}.{ext}", "/files/report.pdf"},
		{"name.ext:alpha", "/files/{name:[a-z]+}.{ext:alpha}", "/files/report.pdf"},
		{"middle", "/repos/{path...}/raw/{file}", "/repos/a/b/c/raw/f"},
		{"host", "{t}.example.com/users/{id}", "/users/12345678"},
	} {
		for _, kind := range benchMuxs[:2] {
			b.Run("row="+row.name+"/mux="+kind, func(b *testing.B) {
				m, served := muxwell.New(muxwell.Constraint("even", func(v string) bool { return len(v)%2 == 0 })), false
				if kind == "value" {
					m.HandleParams("GET "+row.pattern, func(http.ResponseWriter, *http.Request, muxwell.Params) { served = true })
				} else {
					m.HandleFunc("GET "+row.pattern, func(http.ResponseWriter, *http.Request) { served = true })
				}
				r := muxtest.NewRequest("GET", row.path)
				r.Host = "tenant.example.com"
				w := muxtest.NewWriter()
				if m.ServeHTTP(w, r); !served {
					b.Fatalf("%s does not reach %s", row.path, row.pattern)
				}
				b.ReportAllocs()
				for b.Loop() {
					m.ServeHTTP(w, r)
				}
			})
		}
	}
}
