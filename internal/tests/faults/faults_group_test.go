package faults

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
	"github.com/muxwell/muxwell/internal/tests/policies"
)

// TestFaultMiddlewareIsSkipped: gorilla/mux left out a route's middleware after a
// method miss, and MuxMaster served handlers without it that were registered before
// Use.
func TestFaultMiddlewareIsSkipped(t *testing.T) {
	refuse := func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) })
	}
	value := func(http.ResponseWriter, *http.Request, muxwell.Params) {}
	m, child := muxwell.New(), muxwell.New()
	m.HandleFunc("POST /a/{x}", muxtest.OK)
	m.HandleFunc("/a/", muxtest.OK)
	m.HandleParams("GET /a/{x}", value)
	m.HandleParams("GET /static", value)
	child.HandleParams("GET /v", value)
	m.Mount("/m", child)
	m.Route("/g", func(g *muxwell.Group) { g.HandleParams("/v/{x}", value) })
	var requests []string
	for _, target := range []string{"/a/1", "/a/1/2", "/a/%2F", "/static", "/m/v", "/g/v/1", "/none", "//none", "/g", "/m/v/"} {
		for _, method := range []string{"GET", "HEAD", "POST", "DELETE", "OPTIONS"} {
			requests = append(requests, method+" "+target)
		}
	}
	for _, request := range requests {
		if got := muxtest.AnswerTo(m, muxtest.RequestOf(request)).Code; got == http.StatusUnauthorized {
			t.Errorf("%s before Use: got status 401", request)
		}
	}
	m.Use(refuse)
	for _, request := range requests {
		if got := muxtest.AnswerTo(m, muxtest.RequestOf(request)).Code; got != http.StatusUnauthorized {
			t.Errorf("%s after Use: got status %d, want 401", request, got)
		}
	}
}

// TestFaultSiblingGuardIsBypassed: a router that matched the encoded path, with a
// handler that decoded it, let /public/%2e%2e/private or /public%2F..%2Fprivate get
// around the guard of a sibling.
func TestFaultSiblingGuardIsBypassed(t *testing.T) {
	policies.Each(t, func(t *testing.T, options ...muxwell.Option) {
		m, admin := muxwell.New(options...), muxwell.New(options...)
		reached := ""
		m.Route("/admin", func(g *muxwell.Group) {
			g.Use(func(http.Handler) http.Handler {
				return http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = "guard" })
			})
			g.Mount("/", admin)
		})
		admin.HandleFunc("/{x...}", func(http.ResponseWriter, *http.Request) { reached = "admin" })
		m.HandleFunc("/public/{x...}", func(http.ResponseWriter, *http.Request) { reached = "public" })
		for _, target := range []string{"/admin", "/admin/", "/admin/x", "/%61dmin/x", "/admin/%2e%2e/x", "/admin/a%2Fb", "/public/../admin/x", "/public/%2e%2e/admin/x", "//admin/x", "/./admin/x", "/admin//x", "/public%2F..%2Fadmin/x", "/admin%2Fx", "/public/..%2fadmin/x"} {
			reached = ""
			muxtest.AnswerTo(m, muxtest.NewRequest("GET", target))
			if reached == "admin" {
				t.Errorf("GET %s: reached the guarded mux without its guard", target)
			}
		}
	})
}

// TestFaultMountedFilesAreLeftBehind: a mounted handler reads a form from a copy of
// the request, of which the server does not remove the temporary files.
func TestFaultMountedFilesAreLeftBehind(t *testing.T) {
	paths := []string{"/mux/upload/1", "/mux/value/%2F", "/handler/x", "/handler", "/group", "/group/none"}
	checkUploads(t, paths, func(m *muxwell.Mux, upload http.HandlerFunc) {
		child := muxwell.New()
		child.Post("/upload/{x}", upload)
		child.HandleParams("POST /value/{x}", func(w http.ResponseWriter, r *http.Request, _ muxwell.Params) { upload(w, r) })
		m.Mount("/mux", child)
		m.Mount("/handler", upload)
		m.Route("/group", func(g *muxwell.Group) { g.Use(muxtest.Mark("g")); g.Post("", upload); g.NotFound(upload) })
	})
}

// TestFaultParametersOfAnother: MuxMaster gave one user's parameters to another's
// goroutine, and a context derived from a request crashed. What a request, its
// copies and its Params say does not change when other requests are served.
func TestFaultParametersOfAnother(t *testing.T) {
	m, child := muxwell.New(), muxwell.New()
	m.Use(muxtest.Mark("m"))
	m.Mount("/t/{tenant}", child)
	type kept struct {
		r *http.Request
		p muxwell.Params
	}
	var mu sync.Mutex
	all := make(map[string]kept)
	child.HandleParams("/v/{id}", func(_ http.ResponseWriter, r *http.Request, p muxwell.Params) {
		mu.Lock()
		defer mu.Unlock()
		all[r.URL.Path] = kept{r.WithContext(r.Context()), p}
	})
	var wg sync.WaitGroup
	for c := range 4 {
		wg.Go(func() {
			for n := range 100 {
				muxtest.AnswerTo(m, muxtest.NewRequest("GET", fmt.Sprintf("/t/%d/v/%d", c, n)))
			}
		})
	}
	wg.Wait()
	if len(all) != 400 {
		t.Errorf("%d requests were served, want 400", len(all))
	}
	for path, k := range all {
		byName := fmt.Sprintf("/t/%s/v/%s", k.r.PathValue("tenant"), k.r.PathValue("id"))
		byValue := fmt.Sprintf("/t/%s/v/%s", k.p.Get("tenant"), k.p.Get("id"))
		if byName != path || byValue != path {
			t.Errorf("GET %s: kept the values of %s by name, of %s by value", path, byName, byValue)
		}
	}
}

// TestFaultAbortInGroups: http.ErrAbortHandler passes through middleware, mounts and
// groups' own handlers.
func TestFaultAbortInGroups(t *testing.T) {
	abort := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	m, child := muxwell.New(), muxwell.New(muxwell.NotFound(abort), muxwell.MethodNotAllowed(abort))
	m.Use(muxtest.Mark("m"))
	m.Mount("/m", child)
	child.Handle("GET /x", abort)
	m.Mount("/h", abort)
	m.Route("/g", func(g *muxwell.Group) {
		g.Use(muxtest.Mark("g"))
		g.Handle("GET /x", abort)
		g.NotFound(abort)
		g.MethodNotAllowed(abort)
	})
	for _, request := range []string{"GET /m/x", "POST /m/x", "GET /m/none", "GET /h", "GET /h/x", "GET /g/x", "POST /g/x", "GET /g/none"} {
		if v := muxtest.Recovered(func() { muxtest.AnswerTo(m, muxtest.RequestOf(request)) }); v != http.ErrAbortHandler {
			t.Errorf("%s: recovered %v, want http.ErrAbortHandler", request, v)
		}
	}
}

// TestFaultFirstAnswerFixesTheChain: a first 404 cached the middleware there was, for
// ever.
func TestFaultFirstAnswerFixesTheChain(t *testing.T) {
	m, child := muxwell.New(), muxwell.New()
	m.Mount("/m", child)
	g := m.Route("/g", nil)
	for i, change := range []func(){
		func() {},
		func() { m.Use(muxtest.Mark("m1")) },
		func() { child.Use(muxtest.Mark("c1")) },
		func() { m.Use(muxtest.Mark("m2")) },
		func() { g.Use(muxtest.Mark("g1")) },
		func() { g.NotFound(muxtest.Tells(404)) },
		func() { g.Use(muxtest.Mark("g2")) },
		func() { child.Group(nil).NotFound(muxtest.Tells(404)) },
		func() { child.Use(muxtest.Mark("c2")) },
	} {
		change()
		for target, want := range map[string]string{
			"/none":   []string{"", "m1", "m1", "m1 m2", "m1 m2", "m1 m2", "m1 m2", "m1 m2", "m1 m2"}[i],
			"/g/none": []string{"", "m1", "m1", "m1 m2", "m1 m2 g1", "m1 m2 g1", "m1 m2 g1 g2", "m1 m2 g1 g2", "m1 m2 g1 g2"}[i],
			"/m/none": []string{"", "m1", "m1 c1", "m1 m2 c1", "m1 m2 c1", "m1 m2 c1", "m1 m2 c1", "m1 m2 c1", "m1 m2 c1 c2"}[i],
		} {
			if got := strings.Join(muxtest.AnswerTo(m, muxtest.NewRequest("GET", target)).Header().Values("Trail"), " "); got != want {
				t.Errorf("GET %s after change %d: ran %q, want %q", target, i, got, want)
			}
		}
	}
}

// TestFaultReconfiguringRaces: changing groups, mounts, handlers and routes while
// requests were served made a data race. What a change added is there when it
// returns.
func TestFaultReconfiguringRaces(t *testing.T) {
	m, child := muxwell.New(), muxwell.New()
	m.HandleParams("GET /v/{x}", func(w http.ResponseWriter, _ *http.Request, p muxwell.Params) { fmt.Fprint(w, p.Get("x")) })
	m.Mount("/child", child)
	child.HandleFunc("GET /{x}/y", muxtest.OK)
	shared := m.Route("/shared", nil)
	done := make(chan struct{})
	var served atomic.Int64
	var readers, writers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				for _, target := range []string{"/v/7", "/child/7/y", "/shared/x", "/none", "/child", "//v/7", "/new/1/x/y"} {
					w := muxtest.AnswerTo(m, muxtest.NewRequest("GET", target))
					if target == "/v/7" && w.Body.String() != "7" || target == "/child/7/y" && w.Code != 200 {
						t.Errorf("GET %s: got %d %q", target, w.Code, w.Body)
					}
				}
				r := muxtest.NewRequest("GET", "/v/7")
				m.ServeHTTP(httptest.NewRecorder(), r)
				if rt := m.RouteOf(r); rt == nil || rt.Path() != "/v/{x}" || len(rt.Middleware()) > 1000 {
					t.Errorf("RouteOf: got %v", rt)
				}
				m.Explain(r)
				served.Add(1)
				runtime.Gosched()
			}
		})
	}
	const rounds = 25
	for what, change := range map[string]func(n int){
		"Use":        func(int) { m.Use(muxtest.Mark("m")); shared.Use(muxtest.Mark("s")) },
		"Use inside": func(int) { child.Use(muxtest.Mark("c")) },
		"NotFound": func(n int) {
			g := m.Route(fmt.Sprintf("/nf/%d", n), nil)
			g.NotFound(muxtest.Tells(444))
			g.MethodNotAllowed(muxtest.Tells(445))
			if w := muxtest.AnswerTo(m, muxtest.NewRequest("GET", fmt.Sprintf("/nf/%d/x", n))); w.Code != 444 {
				t.Errorf("a group's NotFound: got %d, want 444", w.Code)
			}
		},
		"Handle": func(n int) {
			pattern := fmt.Sprintf("/new/%d/{x}", n)
			m.With(muxtest.Mark("w")).HandleFunc(pattern, muxtest.OK)
			if got := muxtest.MatchOf(m, "GET", fmt.Sprintf("/new/%d/1", n)); got != pattern {
				t.Errorf("Handle(%q): got %s", pattern, got)
			}
		},
		"Mount": func(n int) {
			other := muxtest.MuxOf(muxwell.New, []string{"/x/{y}"})
			m.Mount(fmt.Sprintf("/mount/%d", n), other)
			other.HandleFunc("/late", muxtest.OK)
			if got := muxtest.MatchOf(m, "GET", fmt.Sprintf("/mount/%d/late", n)); got != fmt.Sprintf("/mount/%d/late", n) {
				t.Errorf("a route of a mounted mux: got %s", got)
			}
		},
		"Update": func(n int) {
			var rt *muxwell.Route
			add := func(tx *muxwell.Tx) (err error) {
				rt, err = tx.Add(fmt.Sprintf("/u/%d/{x}", n), muxtest.Says("u"))
				return err
			}
			for _, f := range []func(*muxwell.Tx) error{add, func(tx *muxwell.Tx) (err error) { rt, err = tx.Replace(rt, "", muxtest.Says("v")); return err }, func(tx *muxwell.Tx) error { return tx.Remove(rt) }} {
				if err := child.Update(f); err != nil {
					t.Errorf("Update: %v", err)
				}
			}
		},
		"read": func(int) {
			for rt := range m.Routes() {
				_, _, _ = rt.Middleware(), rt.Prefix(), rt.Name()
			}
			for range m.ByPrecedence() {
				break
			}
			m.Path("none")
			m.Handler(muxtest.NewRequest("GET", "/v/1"))
		},
	} {
		writers.Go(func() {
			for n := range rounds {
				if change(n); t.Failed() {
					t.Log(what)
					return
				}
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	if served.Load() == 0 {
		t.Error("nothing was served meanwhile")
	}
}
