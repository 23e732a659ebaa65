package problem_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/middleware"
	"github.com/muxwell/muxwell/problem"
)

func newMux() *muxwell.Mux {
	m := muxwell.New(muxwell.ErrorHandler(problem.Answer))
	m.HandleError("GET /orders/{id}", func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Etag", `"1"`)
		w.Header().Set("Content-Length", "5")
		id, err := muxwell.Param[int](r, "id")
		switch {
		case err != nil:
			return err
		case id == 0:
			return errors.New("secret: database password")
		case id == 1:
			return &muxwell.HTTPError{Status: 404, Reason: "no_order", Detail: "no order <1>", Err: io.EOF}
		case id == 2:
			w.WriteHeader(http.StatusOK)
			io.WriteString(w, "begun")
			return io.ErrUnexpectedEOF
		}
		return &muxwell.HTTPError{Status: 499}
	})
	return m
}

// ask returns the answer to a request line with an Accept header, "" for none, and what
// was logged.
func ask(h http.Handler, line, accept string) (w *httptest.ResponseRecorder, logged string) {
	var b bytes.Buffer
	method, target, _ := strings.Cut(line, " ")
	r := httptest.NewRequest(method, target, nil)
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	s := &http.Server{ErrorLog: log.New(&b, "", 0)}
	w = httptest.NewRecorder()
	h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), http.ServerContextKey, s)))
	return w, b.String()
}

func TestAnswer(t *testing.T) {
	m := newMux()
	for _, row := range []struct {
		line, accept string
		status       int
		contentType  string
		body         string
		logged       string
	}{
		{"GET /nope", "", 404, "application/problem+json", `{"title":"Not Found","status":404,"reason":"not_found"}`, ""},
		{"GET /nope", "*/*", 404, "application/problem+json", `{"title":"Not Found","status":404,"reason":"not_found"}`, ""},
		{"GET /nope", "application/json", 404, "application/problem+json", `{"title":"Not Found","status":404,"reason":"not_found"}`, ""},
		{"GET /nope", "image/png", 404, "application/problem+json", `{"title":"Not Found","status":404,"reason":"not_found"}`, ""},
		{"GET /nope", "text/plain;q=0.5, text/html;q=0.1", 404, "text/plain; charset=utf-8", "Not Found", ""},
		{"GET /nope", "text/*, application/json;q=0.9", 404, "text/html; charset=utf-8", "", ""},
		{"GET /nope", strings.Repeat("text/plain,", 1000), 404, "application/problem+json", `{"title":"Not Found","status":404,"reason":"not_found"}`, ""},
		{"HEAD /nope", "", 404, "application/problem+json", "", ""},
		{"POST /orders/1", "", 405, "application/problem+json", `{"title":"Method Not Allowed","status":405,"reason":"method_not_allowed","allowed":["GET","HEAD"]}`, ""},
		{"GET /orders/x", "", 400, "application/problem+json", `{"title":"Bad Request","status":400,"detail":"parameter \"id\": \"x\" is not an int","reason":"invalid_parameter"}`, ""},
		{"GET /orders/0", "", 500, "application/problem+json", `{"title":"Internal Server Error","status":500,"reason":"internal_server_error"}`, "secret"},
		{"GET /orders/1", "text/plain", 404, "text/plain; charset=utf-8", "Not Found: no order <1>", ""},
		{"GET /orders/2", "", 200, "", "begun", "unexpected EOF"},
		{"GET /orders/3", "", 499, "application/problem+json", `{"title":"Status 499","status":499,"reason":"status_code_499"}`, ""},
	} {
		w, logged := ask(m, row.line, row.accept)
		body := strings.TrimSpace(w.Body.String())
		if w.Code != row.status || w.Header().Get("Content-Type") != row.contentType || body != row.body && !strings.HasPrefix(row.contentType, "text/html") {
			t.Errorf("%s, Accept: %.40s: got %d %v %s; want %d %s %s", row.line, row.accept, w.Code, w.Header(), body, row.status, row.contentType, row.body)
		}
		if (row.logged == "") != (logged == "") || !strings.Contains(logged, row.logged) {
			t.Errorf("%s: logged %q, want %q", row.line, logged, row.logged)
		}
		if h := w.Header(); row.status != 200 && (h.Get("Vary") != "Accept" || h.Get("Etag") != "" || h.Get("Content-Length") != "") {
			t.Errorf("%s: headers %v", row.line, h)
		}
	}
	if w, _ := ask(m, "GET /nope", "text/html"); !strings.Contains(w.Body.String(), "<body>\n<h1>Not Found</h1>\n</body>") {
		t.Errorf("HTML without a detail: got %s", w.Body)
	}
	w, _ := ask(m, "GET /orders/1", "text/html,application/xhtml+xml,*/*;q=0.8")
	if body := w.Body.String(); w.Code != 404 || !strings.Contains(body, "<h1>Not Found</h1>\n<p>no order &lt;1&gt;</p>") {
		t.Errorf("HTML: got %d %s", w.Code, body)
	}
}

// TestAnswerKeepsHeaders: what middleware around the mux's own answers has set stays.
func TestAnswerKeepsHeaders(t *testing.T) {
	m := newMux()
	m.Use(middleware.NoCache, middleware.RequestID(nil))
	w, _ := ask(m, "GET /nope", "")
	if w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("X-Request-Id") == "" {
		t.Errorf("got headers %v", w.Header())
	}
}

// TestAnswerLogs: what middleware rejects is not an error of the program.
func TestAnswerLogs(t *testing.T) {
	for reason, want := range map[string]bool{"timeout": false, "overloaded": false, "panic": false, "other": true} {
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			problem.Answer(w, r, &muxwell.HTTPError{Status: 503, Reason: reason})
		})
		if _, logged := ask(h, "GET /", ""); (logged != "") != want {
			t.Errorf("%s: logged %q", reason, logged)
		}
	}
}

// TestOf: details are JSON as RFC 9457 has it, with members for a program's own.
func TestOf(t *testing.T) {
	d := problem.Of(fmt.Errorf("wrapped: %w", &muxwell.HTTPError{Status: 409, Reason: "sold_out"}))
	d.Type, d.Title, d.Instance = "https://example.com/problems/sold-out", "Sold out", "/orders/7"
	got, err := json.Marshal(d)
	if want := `{"type":"https://example.com/problems/sold-out","title":"Sold out","status":409,"instance":"/orders/7","reason":"sold_out"}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	if d := problem.Of(nil); d.Status != 500 {
		t.Errorf("of no error: got %+v", d)
	}
}

// A program answers its own kinds of problems with a type of their own.
func ExampleDetails_Write() {
	sell := func(w http.ResponseWriter, r *http.Request) error {
		return &muxwell.HTTPError{Status: http.StatusConflict, Reason: "sold_out", Detail: "3 are left"}
	}
	m := muxwell.New(muxwell.ErrorHandler(func(w http.ResponseWriter, r *http.Request, err error) {
		d := problem.Of(err)
		if d.Reason == "sold_out" {
			d.Type, d.Title = "https://example.com/problems/sold-out", "Sold out"
		}
		d.Write(w, r)
	}))
	m.HandleError("POST /orders", sell)
	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest("POST", "/orders", nil))
	io.Copy(os.Stdout, w.Body)
	// Output:
	// {"type":"https://example.com/problems/sold-out","title":"Sold out","status":409,"detail":"3 are left","reason":"sold_out"}
}
