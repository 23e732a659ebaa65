package behavior

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/muxwell/muxwell"
)

// TestTxReplaceKinds: a route of any kind can take the place of one of any other.
func TestTxReplaceKinds(t *testing.T) {
	m := muxwell.New()
	rt, err := m.Add("GET /users/{id}", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "plain ", r.PathValue("id")) }))
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		want    string
		replace func(tx *muxwell.Tx) (*muxwell.Route, error)
	}{
		{"200 value 7", func(tx *muxwell.Tx) (*muxwell.Route, error) {
			return tx.Replace(rt, "", muxwell.ParamsFunc(func(w http.ResponseWriter, _ *http.Request, p muxwell.Params) { fmt.Fprint(w, "value ", p.Get("id")) }))
		}},
		{"418 I'm a teapot\n", func(tx *muxwell.Tx) (*muxwell.Route, error) {
			return tx.Replace(rt, "", muxwell.ErrorFunc(func(http.ResponseWriter, *http.Request) error { return teapot{} }))
		}},
		{"200 plain", func(tx *muxwell.Tx) (*muxwell.Route, error) {
			return tx.Replace(rt, "", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "plain") }))
		}},
	} {
		if err := m.Update(func(tx *muxwell.Tx) (err error) { rt, err = step.replace(tx); return err }); err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest("GET", "/users/7", nil))
		if got := fmt.Sprint(w.Code, " ", w.Body); got != step.want {
			t.Errorf("got %q, want %q", got, step.want)
		}
	}
	err = m.Update(func(tx *muxwell.Tx) error {
		_, err1 := tx.Replace(nil, "", muxwell.ParamsFunc(func(http.ResponseWriter, *http.Request, muxwell.Params) {}))
		_, err2 := tx.Replace(rt, "", muxwell.ParamsFunc(nil))
		_, err3 := tx.Replace(rt, "", muxwell.ErrorFunc(nil))
		if !errors.Is(err1, muxwell.ErrNotInMux) || !errors.Is(err2, muxwell.ErrNilHandler) || !errors.Is(err3, muxwell.ErrNilHandler) {
			t.Errorf("got %v, %v, %v", err1, err2, err3)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

type teapot struct{}

func (teapot) Error() string   { return "a secret" }
func (teapot) StatusCode() int { return http.StatusTeapot }

// TestOptionsBesideMatchers: a preflight, which has none of a route's headers, is
// answered if a route for another method takes the path.
func TestOptionsBesideMatchers(t *testing.T) {
	m := muxwell.New(muxwell.AutoOptions())
	m.Handle("GET /x", http.NotFoundHandler())
	if _, err := m.Add("/x", http.NotFoundHandler(), muxwell.Headers("X-Beta", "1")); err != nil {
		t.Fatal(err)
	}
	for method, want := range map[string]string{"OPTIONS": "204 GET, HEAD, OPTIONS", "PUT": "404 "} {
		w := httptest.NewRecorder()
		m.ServeHTTP(w, httptest.NewRequest(method, "/x", nil))
		if got := fmt.Sprint(w.Code, " ", w.Header().Get("Allow")); got != want {
			t.Errorf("%s /x: got %q, want %q", method, got, want)
		}
	}
}
