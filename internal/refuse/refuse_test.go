package refuse

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
)

// TestWrite compares Write with http.Error.
func TestWrite(t *testing.T) {
	for _, c := range []struct {
		before http.Header
		allow  string
	}{
		{http.Header{}, ""},
		{http.Header{}, "GET, HEAD"},
		{http.Header{"X-Id": {"1"}}, ""},
		{http.Header{"X-Id": {"1"}, "Content-Length": {"5"}, "Content-Type": {"text/html"}, "Allow": {"PUT"}}, "GET, HEAD"},
	} {
		got, want := httptest.NewRecorder(), httptest.NewRecorder()
		maps.Copy(got.Header(), c.before.Clone())
		maps.Copy(want.Header(), c.before.Clone())
		if c.allow != "" {
			want.Header().Set("Allow", c.allow)
		}
		http.Error(want, "no such thing", http.StatusMethodNotAllowed)
		Write(got, 405, "no such thing\n", c.allow)
		if got.Code != want.Code || !reflect.DeepEqual(got.Header(), want.Header()) || got.Body.String() != want.Body.String() {
			t.Errorf("header %v, allow %q: %d %v %q, want as http.Error %d %v %q",
				c.before, c.allow, got.Code, got.Header(), got.Body, want.Code, want.Header(), want.Body)
		}
		got.Header().Add("Content-Type", "x")
		if v := got.Header()["X-Content-Type-Options"]; len(v) != 1 || v[0] != "nosniff" {
			t.Errorf("adding to one header changes another to %q", v)
		}
	}
}
