package behavior

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	"github.com/muxwell/muxwell"
)

// Middleware also runs where no route matched, and may ask RouteOf for the path there.
func TestRouteOfWithoutRoute(t *testing.T) {
	m := muxwell.New()
	m.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			rt := m.RouteOf(r)
			w.Header().Set("X-Route", rt.Path()+"|"+rt.Pattern()+"|"+rt.Name())
			if role, ok := rt.Meta("role"); ok {
				w.Header().Set("X-Role", role.(string))
			}
			next.ServeHTTP(w, r)
		})
	})
	m.Get("/users/{id}", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "h") }, muxwell.Name("user"), muxwell.Meta("role", "any"))
	for _, tt := range []struct {
		method, path string
		status       int
		route, role  string
	}{
		{"GET", "/users/7", http.StatusOK, "/users/{id}|GET /users/{id}|user", "any"},
		{"GET", "/nope", http.StatusNotFound, "||", ""},
		{"POST", "/users/7", http.StatusMethodNotAllowed, "||", ""},
		{"GET", "/a//b", http.StatusTemporaryRedirect, "||", ""},
	} {
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest(tt.method, tt.path, nil))
		if w.Code != tt.status || w.Header().Get("X-Route") != tt.route || w.Header().Get("X-Role") != tt.role {
			t.Errorf("%s %s: %d, route %q, role %q, want %d, %q, %q", tt.method, tt.path,
				w.Code, w.Header().Get("X-Route"), w.Header().Get("X-Role"), tt.status, tt.route, tt.role)
		}
	}
}

// Every method of a nil *Route returns zero values, but for String and URL.
func TestNilRoute(t *testing.T) {
	var rt *muxwell.Route
	v := reflect.ValueOf(rt)
	if v.NumMethod() < 13 {
		t.Fatalf("%d methods found, want 13 at least", v.NumMethod())
	}
	for i := range v.NumMethod() {
		name, method := v.Type().Method(i).Name, v.Method(i)
		if name == "String" || name == "URL" {
			continue
		}
		args := make([]reflect.Value, method.Type().NumIn())
		for j := range args {
			args[j] = reflect.Zero(method.Type().In(j))
		}
		for j, result := range callOf(t, name, method, args) {
			if !result.IsZero() {
				t.Errorf("%s: result %d is %v, want the zero value", name, j, result)
			}
		}
	}
	if got := rt.String(); got != "<nil>" {
		t.Errorf("String: got %q, want <nil>", got)
	}
	u, err := rt.URL("id", "7")
	if _, ok := errors.AsType[*muxwell.URLError](err); u != nil || !ok {
		t.Errorf("URL: got %v, %v, want a *URLError", u, err)
	}
}

// callOf calls a method and reports if it panics.
func callOf(t *testing.T, name string, method reflect.Value, args []reflect.Value) (results []reflect.Value) {
	t.Helper()
	defer func() {
		if fault := recover(); fault != nil {
			t.Errorf("%s panics: %v", name, fault)
		}
	}()
	return method.Call(args)
}
