package service

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
)

func init() {
	openapi3filter.RegisterBodyDecoder("text/html", openapi3filter.PlainBodyDecoder)
}

// loadDescription returns the description, which must be valid.
func loadDescription(t testing.TB) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(context.Background()); err != nil {
		t.Fatal(err)
	}
	if doc.OpenAPI != "3.1.0" {
		t.Fatalf("it is OpenAPI %s", doc.OpenAPI)
	}
	return doc
}

// documented returns the operations, as METHOD PATH, with their statuses.
func documented(doc *openapi3.T) map[string][]string {
	operations := map[string][]string{}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			operations[method+" "+path] = slices.Sorted(maps.Keys(operation.Responses.Map()))
		}
	}
	return operations
}

// TestOpenAPIRoutes: every route is documented, but for what the page is made of, and
// every operation is a route.
func TestOpenAPIRoutes(t *testing.T) {
	want := documented(loadDescription(t))
	for rt := range quietService().Mux().Routes() {
		pattern := strings.TrimSuffix(rt.Pattern(), "{$}")
		if pattern == "GET /page.css" || pattern == "GET /page.js" {
			continue
		}
		if _, ok := want[pattern]; !ok {
			t.Errorf("%s is not documented", pattern)
		}
		delete(want, pattern)
	}
	for operation := range want {
		t.Errorf("%s is documented, and no route", operation)
	}
}

// withBody returns a POST request with a body that is read from a reader.
func withBody(path string, body io.Reader) *http.Request {
	r := newRequest("POST", path, "{}")
	r.Body, r.ContentLength = io.NopCloser(body), -1
	return r
}

// postCases are requests to a path that takes texts, by the status that they get.
func postCases(path string) map[string][]*http.Request {
	return map[string][]*http.Request{
		"200": {
			newRequest("POST", path, texts), newRequest("POST", path+"?words=unicode", `{"text1":"","text2":"\u00e9"}`),
			newRequest("POST", path, `{"text1":"a","text2":"a"}`, "X-Request-Id", "x"),
		},
		"400": {newRequest("POST", path, "{"), newRequest("POST", path+"?x", texts)},
		"408": {withBody(path, iotest.ErrReader(os.ErrDeadlineExceeded))},
		"413": {newRequest("POST", path, strings.Repeat(" ", 1001))},
		"415": {newRequest("POST", path, texts, "Content-Type", "text/plain"), newRequest("POST", path, texts, "Content-Encoding", "gzip")},
		"500": {withBody(path, panicking{"a fault"})},
	}
}

// TestOpenAPIAnswers: every status that is documented occurs, and each answer is as the
// description says.
func TestOpenAPIAnswers(t *testing.T) {
	doc := loadDescription(t)
	router, err := legacy.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string][]string{}
	check := func(s *Service, r *http.Request, status string) {
		t.Helper()
		w := do(s, r)
		if got := fmt.Sprint(w.Code); got != status {
			t.Errorf("%s %s: %s, want %s", r.Method, r.URL, got, status)
			return
		}
		operation := validate(t, router, r, w.Code, w.Header(), w.Body.Bytes())
		if !slices.Contains(seen[operation], status) {
			seen[operation] = append(seen[operation], status)
		}
	}
	s, full := quietService(), quietService()
	for full.slots.take() {
	}
	for _, path := range []string{"/similarity", "/similarity/words"} {
		for status, requests := range postCases(path) {
			for _, r := range requests {
				check(s, r, status)
			}
		}
		check(full, newRequest("POST", path, texts), "503")
	}
	for _, path := range []string{"/", "/openapi.yaml"} {
		check(s, newRequest("GET", path, ""), "200")
		check(s, newRequest("GET", path, "", "If-None-Match", do(s, newRequest("GET", path, "")).Header().Get("ETag")), "304")
	}
	for _, path := range []string{"/healthz", "/readyz", "/metrics"} {
		check(s, newRequest("GET", path, ""), "200")
	}
	s.Drain()
	check(s, newRequest("GET", "/readyz", ""), "503")
	for operation, want := range documented(doc) {
		slices.Sort(seen[operation])
		if !slices.Equal(seen[operation], want) {
			t.Errorf("%s: the statuses %v occurred, documented are %v", operation, seen[operation], want)
		}
	}
}

// validate checks an answer by the description and returns its operation.
func validate(t testing.TB, router routers.Router, r *http.Request, status int, header http.Header, body []byte) string {
	t.Helper()
	rt, params, err := router.FindRoute(r)
	if err != nil {
		t.Fatalf("%s %s: %v", r.Method, r.URL, err)
	}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: rt},
		Status:                 status,
		Header:                 header,
		Options:                &openapi3filter.Options{IncludeResponseStatus: true},
	}
	if err := openapi3filter.ValidateResponse(context.Background(), input.SetBodyBytes(body)); err != nil {
		t.Errorf("%s %s: %d: %v", r.Method, r.URL, status, err)
	}
	return r.Method + " " + rt.Path
}

// TestOpenAPIValidates: an answer that is not as the description says is noticed.
func TestOpenAPIValidates(t *testing.T) {
	router, err := legacy.NewRouter(loadDescription(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{
		`{"similarity":1.5,"interpretation":"Highly Similar"}`, `{"similarity":1,"interpretation":"Equal"}`, `{"similarity":1}`,
		`{"similarity":1,"interpretation":"Highly Similar","more":1}`, `{"similarity":"1","interpretation":"Highly Similar"}`,
	} {
		r := newRequest("POST", "/similarity", texts)
		rt, params, err := router.FindRoute(r)
		if err != nil {
			t.Fatal(err)
		}
		input := &openapi3filter.ResponseValidationInput{
			RequestValidationInput: &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: rt},
			Status:                 200, Header: http.Header{"Content-Type": {"application/json"}},
		}
		if err := openapi3filter.ValidateResponse(context.Background(), input.SetBodyBytes([]byte(body))); err == nil {
			t.Errorf("%s is taken", body)
		}
	}
}

// TestOpenAPIExamples: the examples of requests are answered, those of answers are of
// their schemas.
func TestOpenAPIExamples(t *testing.T) {
	doc := loadDescription(t) // which checks the examples
	request := doc.Components.RequestBodies["Texts"].Value.Content["application/json"].Examples["short"].Value.Value
	texts, ok := request.(map[string]any)
	if !ok {
		t.Fatalf("the example is %v", request)
	}
	body := fmt.Sprintf(`{"text1":%q,"text2":%q}`, texts["text1"], texts["text2"])
	if w := do(quietService(), newRequest("POST", "/similarity", body)); w.Code != 200 {
		t.Errorf("%s: %d %s", body, w.Code, w.Body)
	}
}
