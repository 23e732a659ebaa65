package lambda_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	aws "github.com/aws/aws-lambda-go/lambda"
	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/integrations/apart/lambda"
	"github.com/muxwell/muxwell/middleware"
)

// TestMain is also the function of Lambda, which the tests start as Lambda does.
func TestMain(m *testing.M) {
	switch os.Getenv("FUNCTION") {
	case "url":
		aws.Start(lambda.FunctionURL(newMux()))
	case "gateway":
		aws.Start(lambda.APIGateway(newMux()))
	}
	os.Exit(m.Run())
}

func newMux() *muxwell.Mux {
	m := muxwell.New()
	logger := slog.New(slog.DiscardHandler)
	m.Use(middleware.ClientIP(middleware.FromRemoteAddr()), middleware.RequestID(nil), middleware.Log(logger, nil),
		middleware.Recover(logger), middleware.Timeout(time.Minute))
	m.Post("/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		client, _ := middleware.ClientIPFrom(r.Context())
		_, deadline := r.Context().Deadline()
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "1"})
		http.SetCookie(w, &http.Cookie{Name: "b", Value: "2"})
		w.WriteHeader(http.StatusCreated)
		io.WriteString(w, strings.Join([]string{
			r.PathValue("id"), r.FormValue("q"), r.Host, r.Pattern, client.String(), string(body), strconv.FormatBool(deadline),
		}, "|"))
	})
	m.Get("/bytes", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte{0xff, 0}) })
	m.Get("/panic", func(http.ResponseWriter, *http.Request) { panic("of the test") })
	m.Get("/stream", func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "first\n")
		if http.NewResponseController(w).Flush() != nil {
			io.WriteString(w, "no flush\n")
		}
	})
	return m
}

// invoke runs the function with events, as the Runtime API of Lambda, and returns the
// bodies of its responses.
func invoke(t *testing.T, function string, events ...string) []string {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	next, done := 0, make(chan struct{})
	var responses []string
	api := muxwell.New()
	api.Get("/2018-06-01/runtime/invocation/next", func(w http.ResponseWriter, r *http.Request) {
		if next == len(events) {
			close(done)
			<-ctx.Done()
			return
		}
		w.Header().Set("Lambda-Runtime-Aws-Request-Id", strconv.Itoa(next))
		w.Header().Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(time.Now().Add(time.Hour).UnixMilli(), 10))
		io.WriteString(w, events[next])
		next++
	})
	api.Post("/2018-06-01/runtime/invocation/{id}/{result}", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.PathValue("result") != "response" {
			t.Errorf("%s: %s, %v", r.URL.Path, body, err)
		}
		responses = append(responses, string(body))
		w.WriteHeader(http.StatusAccepted)
	})
	s := httptest.NewServer(api)
	defer s.Close()
	defer stop()
	function = "FUNCTION=" + function
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), function, "AWS_LAMBDA_RUNTIME_API="+strings.TrimPrefix(s.URL, "http://"))
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-done:
		stop()
		<-ended
	case err := <-ended:
		t.Fatalf("the function ended: %v\n%s", err, output.Bytes())
	}
	if len(responses) != len(events) {
		t.Fatalf("%d responses, want %d\n%s", len(responses), len(events), output.Bytes())
	}
	return responses
}

// event returns an event of the payload format 2.0.
func event(method, path, query, body string) string {
	text, err := json.Marshal(map[string]any{
		"version": "2.0", "rawPath": path, "rawQueryString": query, "body": body,
		"headers": map[string]string{"host": "api.example.com", "content-type": "text/plain"},
		"requestContext": map[string]any{
			"domainName": "api.example.com", "stage": "$default",
			"http": map[string]string{"method": method, "path": path, "sourceIp": "192.0.2.1"},
		},
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}

var requests = []string{
	event("POST", "/users/a%2Fb", "q=x+y", "hello"),
	event("GET", "/users/7", "", ""),
	event("GET", "/nope", "", ""),
	event("GET", "//bytes", "", ""),
	event("GET", "/panic", "", ""),
	event("GET", "/stream", "", ""),
	event("GET", "/bytes", "", ""),
}

// A want is a status and a part of the body.
type want struct {
	status int
	body   string
}

var wants = []want{
	{201, "a/b|x y|api.example.com|POST /users/{id}|192.0.2.1|hello|true"},
	{405, "Method Not Allowed"},
	{404, "404 page not found"},
	{307, ""},
	{500, "Internal Server Error"},
	{200, "first\nno flush\n"},
	{200, "\xff\x00"},
}

type answer struct {
	StatusCode      int
	Headers         map[string]string
	Cookies         []string
	Body            string
	IsBase64Encoded bool
}

func check(t *testing.T, i int, got answer, body string) {
	t.Helper()
	if got.StatusCode != wants[i].status || strings.TrimSpace(body) != strings.TrimSpace(wants[i].body) && wants[i].body != "" {
		t.Errorf("%s:\n got %d %q\nwant %d %q", requests[i], got.StatusCode, body, wants[i].status, wants[i].body)
	}
	if i == 0 && strings.Join(got.Cookies, ", ") != "a=1, b=2" {
		t.Errorf("cookies %q, want a=1 and b=2", got.Cookies)
	}
	if got.Headers["X-Request-Id"] == "" {
		t.Errorf("%s: the headers are %v, want an X-Request-Id", requests[i], got.Headers)
	}
}

func TestFunctionURL(t *testing.T) {
	for i, response := range invoke(t, "url", requests...) {
		prelude, body, ok := strings.Cut(response, "\x00\x00\x00\x00\x00\x00\x00\x00")
		var got answer
		if err := json.Unmarshal([]byte(prelude), &got); err != nil || !ok {
			t.Fatalf("%q: %v", response, err)
		}
		check(t, i, got, body)
	}
}

func TestAPIGateway(t *testing.T) {
	for i, response := range invoke(t, "gateway", requests...) {
		var got answer
		if err := json.Unmarshal([]byte(response), &got); err != nil {
			t.Fatalf("%q: %v", response, err)
		}
		if i == len(wants)-1 {
			if got.Body != "/wA=" || !got.IsBase64Encoded {
				t.Errorf("bytes: %+v, want Base64", got)
			}
			continue
		}
		check(t, i, got, got.Body)
	}
}
