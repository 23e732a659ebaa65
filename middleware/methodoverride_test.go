package middleware

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

func TestMethodOverride(t *testing.T) {
	h := MethodOverride(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Method) }))
	for _, row := range []struct {
		method  string
		headers []string
		want    string
	}{
		{"POST", []string{"X-HTTP-Method-Override: PUT"}, "PUT"},
		{"POST", []string{"x-http-method-override: PATCH"}, "PATCH"},
		{"POST", []string{"X-HTTP-Method-Override: DELETE"}, "DELETE"},
		{"POST", nil, "POST"},
		{"POST", []string{"X-HTTP-Method-Override: "}, "POST"},
		{"POST", []string{"X-HTTP-Method-Override: put"}, "POST"},
		{"POST", []string{"X-HTTP-Method-Override: GET"}, "POST"},
		{"POST", []string{"X-HTTP-Method-Override: HEAD"}, "POST"},
		{"POST", []string{"X-HTTP-Method-Override: CONNECT"}, "POST"},
		{"POST", []string{"X-HTTP-Method-Override: TRACE"}, "POST"},
		{"POST", []string{"X-HTTP-Method-Override: PUT", "X-HTTP-Method-Override: DELETE"}, "POST"},
		{"POST", []string{"X-HTTP-Method-Override: PUT, DELETE"}, "POST"},
		{"POST", []string{"X-Method-Override: PUT"}, "POST"},
		{"GET", []string{"X-HTTP-Method-Override: DELETE"}, "GET"},
		{"HEAD", []string{"X-HTTP-Method-Override: DELETE"}, "HEAD"},
		{"PUT", []string{"X-HTTP-Method-Override: DELETE"}, "PUT"},
	} {
		r := newRequest(row.method, "/", row.headers...)
		if got := answer(h, r).Body.String(); got != row.want {
			t.Errorf("%s, %q: got %s, want %s", row.method, row.headers, got, row.want)
		}
		if r.Method != row.method {
			t.Errorf("%s, %q: outside it is %s", row.method, row.headers, r.Method)
		}
	}
	// A form's field is not read.
	r := newRequest("POST", "/?_method=DELETE", "Content-Type: application/x-www-form-urlencoded")
	r.Body = io.NopCloser(strings.NewReader("_method=DELETE"))
	if got := answer(h, r).Body.String(); got != "POST" {
		t.Errorf("with a form: got %s", got)
	}
}
