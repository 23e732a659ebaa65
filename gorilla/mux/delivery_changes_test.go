//go:build !muxwell_safe

package mux_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/gorilla/mux"
)

// The tests below are the documented changes of VarsInRequest. Each shows what is without
// it, too.

// withAndWithout runs a test with the option and without it.
func withAndWithout(t *testing.T, test func(t *testing.T, option bool)) {
	for _, option := range []bool{false, true} {
		t.Run(fmt.Sprint("VarsInRequest=", option), func(t *testing.T) { test(t, option) })
	}
}

// TestVarsInRequestNewRequest: a request that is made from the context has no variables.
func TestVarsInRequestNewRequest(t *testing.T) {
	withAndWithout(t, func(t *testing.T, option bool) {
		r := mux.NewRouter().VarsInRequest(option)
		r.HandleFunc("/users/{id}", func(w http.ResponseWriter, req *http.Request) {
			made, err := http.NewRequestWithContext(req.Context(), "GET", "/", nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := mux.Vars(made) == nil && mux.CurrentRoute(made) == nil; got != option {
				t.Errorf("the new request has the variables %v, route %v", mux.Vars(made), mux.CurrentRoute(made))
			}
		})
		ask(r, "/users/7")
	})
}

// TestVarsInRequestServeMux: an http.ServeMux that is a handler replaces the values.
func TestVarsInRequestServeMux(t *testing.T) {
	withAndWithout(t, func(t *testing.T, option bool) {
		inner := http.NewServeMux()
		inner.HandleFunc("/users/{other}", see)
		r := mux.NewRouter().VarsInRequest(option)
		r.PathPrefix("/users/{id}").Handler(inner)
		want := "/users/{id} true map[id:7] [id=]"
		if option {
			want = "no route false map[] []"
		}
		if got := ask(r, "/users/7"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// TestVarsInRequestAgain: a request that is passed to the same router again keeps the
// values of the last route.
func TestVarsInRequestAgain(t *testing.T) {
	withAndWithout(t, func(t *testing.T, option bool) {
		r := mux.NewRouter().VarsInRequest(option)
		r.HandleFunc("/users/{id}", func(http.ResponseWriter, *http.Request) {})
		r.HandleFunc("/old/{old}", func(w http.ResponseWriter, req *http.Request) {
			req.URL.Path = "/users/7"
			r.ServeHTTP(w, req)
			see(w, req)
		})
		want := "/old/{old} true map[old:1] [old=]"
		if option {
			want = "/users/{id} true map[id:7] [id=7]"
		}
		if got := ask(r, "/old/1"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// TestVarsInRequestWrites: what is written to the map of Vars is lost.
func TestVarsInRequestWrites(t *testing.T) {
	withAndWithout(t, func(t *testing.T, option bool) {
		r := mux.NewRouter().VarsInRequest(option)
		r.HandleFunc("/users/{id}", func(_ http.ResponseWriter, req *http.Request) {
			mux.Vars(req)["id"] = "8"
			want := "8"
			if option {
				want = "7"
			}
			if got := mux.Vars(req)["id"]; got != want {
				t.Errorf("id is %s, want %s", got, want)
			}
		})
		ask(r, "/users/7")
	})
}

// TestVarsInRequestAround: handlers around the router see the values when it has
// returned.
func TestVarsInRequestAround(t *testing.T) {
	withAndWithout(t, func(t *testing.T, option bool) {
		r := mux.NewRouter().VarsInRequest(option)
		r.HandleFunc("/users/{id}", func(http.ResponseWriter, *http.Request) {})
		want := "no route false map[] []"
		if option {
			want = "/users/{id} true map[id:7] [id=7]"
		}
		req := httptest.NewRequest("GET", "/users/7", nil)
		r.ServeHTTP(httptest.NewRecorder(), req)
		if got := seen(req); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// TestVarsInRequestOfInner: a router with the option replaces what handlers of a router
// without it see when it has returned.
func TestVarsInRequestOfInner(t *testing.T) {
	withAndWithout(t, func(t *testing.T, option bool) {
		inner := mux.NewRouter().VarsInRequest(option)
		inner.HandleFunc("/users/7/{key}", func(http.ResponseWriter, *http.Request) {})
		inner.HandleFunc("/users/7/", see)
		outer := mux.NewRouter()
		outer.PathPrefix("/users/{id}").HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			inner.ServeHTTP(w, req)
			see(w, req)
		})
		want := "/users/{id} true map[id:7] [id=]"
		if option {
			want = "/users/7/{key} true map[key:x] [key=x]"
		}
		if got := ask(outer, "/users/7/x"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		// The variables of the outer router are seen by Vars, as without the option.
		if got, want := ask(outer, "/users/7/"), "/users/7/ true map[id:7] [id=]"; !strings.HasPrefix(got, want) {
			t.Errorf("in the inner router: got %s, want %s", got, want)
		}
	})
}

// TestVarsInRequestBackground: a copy of the request with a context that is not derived
// from its own keeps the values.
func TestVarsInRequestBackground(t *testing.T) {
	withAndWithout(t, func(t *testing.T, option bool) {
		r := mux.NewRouter().VarsInRequest(option)
		r.HandleFunc("/users/{id}", func(w http.ResponseWriter, req *http.Request) {
			see(w, req.WithContext(context.Background()))
		})
		want := "no route false map[] []"
		if option {
			want = "/users/{id} true map[id:7] [id=7]"
		}
		if got := ask(r, "/users/7"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}
