package mux_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// say returns a handler that answers with a text.
func say(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
}

// mark returns middleware that adds its name to a header of the response.
func mark(name string) mux.MiddlewareFunc {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Add("Middleware", name)
			next.ServeHTTP(w, r)
		})
	}
}

func get(t *testing.T, h http.Handler, method, target string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, target, nil))
	return w
}

// meanwhile calls f again and again, in n goroutines, until stop is called.
func meanwhile(n int, f func()) (stop func()) {
	done := make(chan struct{})
	var calling sync.WaitGroup
	for range n {
		calling.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					f()
				}
			}
		})
	}
	return func() {
		close(done)
		calling.Wait()
	}
}

// TestRouteMiddlewareAfterMiss: what an earlier route missed does not take a route's
// own middleware away.
func TestRouteMiddlewareAfterMiss(t *testing.T) {
	for name, earlier := range map[string]func(*mux.Router){
		"method": func(r *mux.Router) { r.Handle("/a", say("post")).Methods("POST") },
		"query":  func(r *mux.Router) { r.Handle("/a", say("query")).Queries("q", "1") },
		"subrouter": func(r *mux.Router) {
			s := r.PathPrefix("/a").Subrouter()
			s.Handle("", say("inner")).Methods("POST")
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := mux.NewRouter()
			r.Use(mark("router"))
			earlier(r)
			r.Handle("/a", say("get")).Methods("GET").Use(mark("route"))
			w := get(t, r, "GET", "/a")
			if got := strings.Join(w.Header()["Middleware"], " "); got != "router route" || w.Body.String() != "get" {
				t.Errorf("middleware %q, body %q; want all of it", got, w.Body)
			}
		})
	}
}

// TestMatcherAfterSubrouter: a route whose subrouter matches, and another matcher
// does not, leaves nothing behind.
func TestMatcherAfterSubrouter(t *testing.T) {
	for name, late := range map[string]func(rt *mux.Route){
		"header": func(rt *mux.Route) { rt.Headers("X-Beta", "1") },
		"method": func(rt *mux.Route) { rt.Methods("POST") },
		"query":  func(rt *mux.Route) { rt.Queries("q", "1") },
		"func":   func(rt *mux.Route) { rt.MatcherFunc(func(*http.Request, *mux.RouteMatch) bool { return false }) },
	} {
		t.Run(name, func(t *testing.T) {
			r := mux.NewRouter()
			rt := r.PathPrefix("/a")
			s := rt.Subrouter()
			s.Handle("/{x}", say("inner"))
			late(rt)
			r.HandleFunc("/a/{y}", func(w http.ResponseWriter, req *http.Request) {
				path, _ := mux.CurrentRoute(req).GetPathTemplate()
				fmt.Fprint(w, "outer ", path, " ", mux.Vars(req))
			})
			if got := get(t, r, "GET", "/a/1").Body.String(); got != "outer /a/{y} map[y:1]" {
				t.Errorf("got %q", got)
			}
			var match mux.RouteMatch
			if r.Match(httptest.NewRequest("GET", "/a/1", nil), &match); match.Vars["x"] != "" || match.Vars["y"] != "1" {
				t.Errorf("vars %v", match.Vars)
			}
		})
	}
}

// TestPercent: templates may have percent signs.
func TestPercent(t *testing.T) {
	r := mux.NewRouter()
	rt := r.Path("/100%/{a}%d/%s").Host("a%20b.{h}").Queries("q%", "{q}%v")
	u, err := rt.URL("a", "x", "h", "org", "q", "5 %")
	if err != nil {
		t.Fatal(err)
	}
	if u.Path != "/100%/x%d/%s" || u.Host != "a%20b.org" || u.RawQuery != "q%=5+%25%v" {
		t.Errorf("%q %q %q", u.Host, u.Path, u.RawQuery)
	}
}

// TestRedirectsStay: no Location leaves the site.
func TestRedirectsStay(t *testing.T) {
	routers := map[string]*mux.Router{
		"clean":   mux.NewRouter(),
		"encoded": mux.NewRouter().UseEncodedPath(),
		"strict":  mux.NewRouter().StrictSlash(true).SkipClean(true),
		"both":    mux.NewRouter().StrictSlash(true).SkipClean(true).UseEncodedPath(),
	}
	sent := 0
	for name, r := range routers {
		r.Handle("/{all:.*}/", say("slash"))
		for _, path := range []string{
			"//evil.com", "///evil.com/", "/%2Fevil.com", "/%2Fevil.com/", `/\evil.com`, "/%5Cevil.com", "/%5Cevil.com/",
			"/.//evil.com/", "/..//evil.com", "//evil.com/..", "/a/..//evil.com", "//%2Fevil.com", "/%09//evil.com",
		} {
			for _, prefix := range []string{"", "http://evil.com", "https://u:p@evil.com:80"} {
				u, err := url.ParseRequestURI(prefix + path)
				if err != nil {
					t.Fatal(err)
				}
				w := httptest.NewRecorder()
				r.ServeHTTP(w, &http.Request{Method: "GET", URL: u, Host: "good.com", Header: http.Header{}})
				to := w.Header().Get("Location")
				if to == "" {
					continue
				}
				sent++
				base := &url.URL{Scheme: "http", Host: "good.com", Path: "/a/b"}
				if at, err := base.Parse(to); err != nil || at.Host != "good.com" || !strings.HasPrefix(to, "/") ||
					strings.HasPrefix(to, "//") || strings.HasPrefix(to, `/\`) {
					t.Errorf("%s: %s%s is redirected to %q", name, prefix, path, to)
				}
			}
		}
	}
	if sent < 50 {
		t.Errorf("only %d redirects", sent)
	}
}

// TestRedirectsKeepEscapes: under UseEncodedPath nothing is escaped twice, and
// nothing unescaped.
func TestRedirectsKeepEscapes(t *testing.T) {
	r := mux.NewRouter().UseEncodedPath().StrictSlash(true)
	r.Handle("/x/{a}", say("x"))
	r.Handle("/y/{a}/", say("y"))
	for from, want := range map[string]string{
		"/x//a%20b":      "/x/a%20b",
		"/x//a%2Fb?q=%2": "/x/a%2Fb?q=%2",
		"/x/a%2Fb/":      "/x/a%2Fb",
		"/y/a%2Fb?q":     "/y/a%2Fb/?q",
		"/y/a%25b":       "/y/a%25b/",
	} {
		if w := get(t, r, "GET", from); w.Code != http.StatusMovedPermanently || w.Header().Get("Location") != want {
			t.Errorf("%s: %d %q, want 301 %q", from, w.Code, w.Header().Get("Location"), want)
		}
	}
}

// TestZeroRouter: the zero Router and Route can do all.
func TestZeroRouter(t *testing.T) {
	var r mux.Router
	r.Handle("/a/{x}", say("a")).Name("a")
	if u, err := r.Get("a").URL("x", "1"); err != nil || u.Path != "/a/1" {
		t.Errorf("%v, %v", u, err)
	}
	var rt mux.Route
	if u, err := rt.Path("/b/{y}").Name("b").URLPath("y", "2"); err != nil || u.Path != "/b/2" {
		t.Errorf("%v, %v", u, err)
	}
	rt.Handler(say("b"))
	if !rt.Match(httptest.NewRequest("GET", "/b/2", nil), new(mux.RouteMatch)) {
		t.Error("the zero Route does not match")
	}
}

// TestRegisterWhileServing: routes that are registered while others are served are
// there for the next request.
func TestRegisterWhileServing(t *testing.T) {
	r := mux.NewRouter()
	r.Handle("/first", say("first")).Methods("GET")
	stop := meanwhile(3, func() {
		w := httptest.NewRecorder()
		r.ServeHTTP(w, httptest.NewRequest("GET", "/first", nil))
		if w.Body.String() != "first" {
			t.Errorf("status %d, body %q", w.Code, w.Body)
		}
	})
	sub := r.PathPrefix("/sub").Subrouter()
	for i := range 200 {
		path := fmt.Sprintf("/route/%d", i)
		r.Handle(path+"/{id:[0-9]+}", say(path)).Methods("GET").Name(path)
		sub.Handle(path, say("sub"+path)).Headers("X-A", "").Use(mark("m"))
		if i%10 == 0 {
			sub.Use(mark("sub"))
			r.StrictSlash(i%20 == 0)
		}
		if got := get(t, r, "GET", path+"/7").Body.String(); got != path {
			t.Errorf("%s: %q", path, got)
		}
		if u, err := r.Get(path).URL("id", "7"); err != nil || u.Path != path+"/7" {
			t.Errorf("%v, %v", u, err)
		}
	}
	stop()
}

// TestMiddlewareIsMadeOnce: a MiddlewareFunc is called once for each route, and again
// when something was registered.
func TestMiddlewareIsMadeOnce(t *testing.T) {
	r := mux.NewRouter()
	made, run := 0, 0
	r.Use(func(next http.Handler) http.Handler {
		made++
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			run++
			next.ServeHTTP(w, r)
		})
	})
	r.Handle("/a", say("a"))
	r.Handle("/b", say("b"))
	for range 5 {
		get(t, r, "GET", "/a")
	}
	if made != 1 || run != 5 {
		t.Errorf("made %d times, run %d times; want 1 and 5", made, run)
	}
	r.Use(mark("m"))
	if w := get(t, r, "GET", "/a"); w.Header().Get("Middleware") != "m" || made != 2 {
		t.Errorf("made %d times, header %v", made, w.Header())
	}
}
