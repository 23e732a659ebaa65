package mux_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// seen is what a handler sees of a request: template of the route, whether there is a
// router, variables, and the path values of the same names.
func seen(req *http.Request) string {
	template := "no route"
	if route := mux.CurrentRoute(req); route != nil {
		template, _ = route.GetPathTemplate()
	}
	vars := mux.Vars(req)
	var values []string
	for _, name := range slices.Sorted(maps.Keys(vars)) {
		values = append(values, name+"="+req.PathValue(name))
	}
	return fmt.Sprintf("%s %v %v %v", template, mux.CurrentRouter(req) != nil, vars, values)
}

// see is a handler that answers with what it sees.
func see(w http.ResponseWriter, req *http.Request) { fmt.Fprint(w, seen(req)) }

// ask returns the body of the response to a GET request.
func ask(h http.Handler, target string) string {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
	return w.Body.String()
}

// inRequest returns a router with VarsInRequest.
func inRequest() *mux.Router { return mux.NewRouter().VarsInRequest(true) }

// TestVarsInRequest: handlers see route, router and variables, however the request came
// to them and whatever the route requires.
func TestVarsInRequest(t *testing.T) {
	r := inRequest()
	r.HandleFunc("/static", see)
	r.HandleFunc("/users/{id}", see).Methods("GET")
	r.HandleFunc("/files/{name:[a-z]+}.{ext:[a-z]+}", see)
	r.HandleFunc("/twice/{id}/{id}", see)
	r.HandleFunc("/search", see).Queries("page", "{page:[0-9]+}", "q", "{q}").Host("{sub}.example.com")
	sub := r.PathPrefix("/tenants/{tenant}").Subrouter()
	sub.HandleFunc("/users/{id}", see)
	r.HandleFunc("/context/{id}", func(w http.ResponseWriter, req *http.Request) {
		ctx := context.WithValue(req.Context(), contextTestKey{}, 1)
		see(w, req.WithContext(ctx).Clone(ctx))
	})
	r.PathPrefix("/strip/{id}/").Handler(http.StripPrefix("/strip", http.HandlerFunc(see)))
	r.HandleFunc("/set/{id}", func(w http.ResponseWriter, req *http.Request) {
		see(w, mux.SetURLVars(req, map[string]string{"id": "8"}))
	})
	r.NotFoundHandler = http.HandlerFunc(see)
	for target, want := range map[string]string{
		"/static":            "/static true map[] []",
		"/users/7":           "/users/{id} true map[id:7] [id=7]",
		"/files/a.txt":       "/files/{name:[a-z]+}.{ext:[a-z]+} true map[ext:txt name:a] [ext=txt name=a]",
		"/twice/1/2":         "/twice/{id}/{id} true map[id:2] [id=2]",
		"/tenants/a/users/7": "/tenants/{tenant}/users/{id} true map[id:7 tenant:a] [id=7 tenant=a]",
		"http://www.example.com/search?q=a%20b&page=3": "/search true map[page:3 q:a b sub:www] [page=3 q=a b sub=www]",
		"/context/7": "/context/{id} true map[id:7] [id=7]",
		"/strip/7/x": "/strip/{id}/ true map[id:7] [id=7]",
		"/set/7":     "/set/{id} true map[id:8] [id=7]", // SetURLVars is about Vars
		"/other":     "no route true map[] []",
	} {
		if got := ask(r, target); got != want {
			t.Errorf("%s: got %s, want %s", target, got, want)
		}
	}
}

// TestVarsInRequestAmongOthers: values of other muxes stay, and those of an outer router
// are seen where the inner one has none, with all combinations of the option.
func TestVarsInRequestAmongOthers(t *testing.T) {
	for _, outerOption := range []bool{false, true} {
		for _, innerOption := range []bool{false, true} {
			if innerOption && !outerOption {
				continue // see TestVarsInRequestOfInner
			}
			inner := mux.NewRouter().VarsInRequest(innerOption)
			inner.HandleFunc("/users/7/keys", see)
			inner.HandleFunc("/users/7/keys/{key}", see)
			outer := mux.NewRouter().VarsInRequest(outerOption)
			outer.Use(func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
					before := seen(req)
					next.ServeHTTP(w, req)
					if after := seen(req); after != before {
						t.Errorf("outer %v, inner %v: the outer request has %s, and %s afterwards", outerOption, innerOption, before, after)
					}
				})
			})
			outer.PathPrefix("/users/{id}").Handler(inner)
			for target, want := range map[string]string{
				"/users/7/keys":   "/users/7/keys true map[id:7]",
				"/users/7/keys/1": "/users/7/keys/{key} true map[key:1]",
			} {
				got := ask(outer, target)
				if !strings.HasPrefix(got, want) {
					t.Errorf("outer %v, inner %v: %s: got %s, want %s", outerOption, innerOption, target, got, want)
				}
				if innerOption && !strings.HasSuffix(got, "[key=1]") && !strings.HasSuffix(got, "[id=7]") {
					t.Errorf("outer %v: %s: got %s, want path values", outerOption, target, got)
				}
			}
		}
	}

	serveMux := http.NewServeMux()
	r := inRequest()
	r.HandleFunc("/{a}/users/{id}", func(w http.ResponseWriter, req *http.Request) {
		fmt.Fprint(w, req.PathValue("tenant"), " ", seen(req))
	})
	serveMux.Handle("/{tenant}/users/", r)
	if got, want := ask(serveMux, "/t/users/7"), "t /{a}/users/{id} true map[a:t id:7] [a=t id=7]"; got != want {
		t.Errorf("in http.ServeMux: got %s, want %s", got, want)
	}
	r.MatcherFunc(func(*http.Request, *mux.RouteMatch) bool { return false })
	if got, want := ask(serveMux, "/t/users/7"), "t /{a}/users/{id} true map[a:t id:7] [a=t id=7]"; got != want {
		t.Errorf("in http.ServeMux, with a MatcherFunc: got %s, want %s", got, want)
	}
}

// TestVarsInRequestOmits: what is omitted is that of an outer router.
func TestVarsInRequestOmits(t *testing.T) {
	r := inRequest().OmitRouteFromContext(true).OmitRouterFromContext(true)
	r.HandleFunc("/users/{id}", see)
	if got, want := ask(r, "/users/7"), "no route false map[id:7] [id=7]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	outer := mux.NewRouter()
	outer.PathPrefix("/users").Handler(r)
	if got, want := ask(outer, "/users/7"), "/users true map[id:7] [id=7]"; got != want {
		t.Errorf("in another router: got %s, want %s", got, want)
	}
}

// TestVarsInRequestCopies: copies of a request may be served by several goroutines at
// a time, and read there. The race detector would see a write to what they share.
func TestVarsInRequestCopies(t *testing.T) {
	same, other := inRequest(), inRequest()
	other.HandleFunc("/users/7/{key}", see)
	other.HandleFunc("/users/7/none", see)
	want := map[string]string{
		"/users/7/{id}": "", "/users/{id}/x": "/users/{id}/x true map[id:7] [id=7]",
	}
	same.HandleFunc("/users/{id}/x", see)
	same.HandleFunc("/start/{a}", func(_ http.ResponseWriter, req *http.Request) {
		before := seen(req)
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				copied := req.WithContext(context.WithValue(req.Context(), contextTestKey{}, i))
				copied.URL = httptest.NewRequest("GET", "/users/7/x", nil).URL
				for range 100 {
					w := httptest.NewRecorder()
					router := same
					expected := want["/users/{id}/x"]
					if i%2 == 0 {
						router, expected = other, "/users/7/{key} true map[key:x] [key=x]"
					}
					if router.ServeHTTP(w, copied); w.Body.String() != expected {
						t.Errorf("copy %d: got %s, want %s", i, w.Body, expected)
					}
					if got := seen(req); got != before {
						t.Errorf("the request has %s, had %s", got, before)
					}
				}
			})
		}
		wg.Wait()
	})
	ask(same, "/start/1")
}

type contextTestKey struct{}
