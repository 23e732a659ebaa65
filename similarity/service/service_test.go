package service

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// newService returns a service with limits that tests can reach. Its log goes to w.
func newService(w io.Writer, level slog.Level) *Service {
	logger := slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))
	return New(Config{MaxBody: 1000, MaxInFlight: 2, Logger: logger})
}

// quietService returns a service that logs nothing.
func quietService() *Service { return newService(io.Discard, slog.LevelError+1) }

const texts = `{"text1":"a b","text2":"a c"}`

// newRequest returns a request as a client makes it, with headers as pairs of names
// and values. A body is JSON unless they say otherwise.
func newRequest(method, target, body string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Del(headers[i])
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	return r
}

// do returns the answer to a request.
func do(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// problemIn returns the problem that an answer is.
func problemIn(t *testing.T, w *httptest.ResponseRecorder) problem {
	t.Helper()
	var p problem
	d := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		t.Fatalf("%s: %v", w.Body, err)
	}
	if got := w.Header().Get("Content-Type"); got != "application/problem+json" {
		t.Errorf("the type is %q", got)
	}
	if p.Status != w.Code || p.Title != http.StatusText(w.Code) || p.Type != "about:blank" || p.Detail == "" {
		t.Errorf("status %d: the problem is %+v", w.Code, p)
	}
	return p
}

func TestAnswers(t *testing.T) {
	s := quietService()
	accented := `{"text1":"caf\u00e9","text2":"caf"}`
	for _, c := range []struct{ target, body, want string }{
		{"/similarity", texts, `{"similarity":0.352,"interpretation":"Slightly Similar"}`},
		{"/similarity", `{"text1":"","text2":""}`, `{"similarity":1,"interpretation":"Highly Similar","hint":"neither text has a word"}`},
		{"/similarity?words=ascii", accented, `{"similarity":1,"interpretation":"Highly Similar"}`},
		{"/similarity?words=unicode", accented, `{"similarity":0,"interpretation":"Dissimilar"}`},
		{"/similarity?words=%75nicode", accented, `{"similarity":0,"interpretation":"Dissimilar"}`},
		{"/similarity/words", `{"text1":"b a B","text2":"a, c"}`, `{"similarity":0.205,"interpretation":"Slightly Similar","words1":2,"words2":2,"sharedWords":1,` +
			`"shared":[{"word":"a","count1":1,"count2":1}],"frequent":[{"word":"a","count1":1,"count2":1},{"word":"b","count1":2,"count2":0},{"word":"c","count1":0,"count2":1}]}`},
		{"/similarity/words", `{"text1":"","text2":"!"}`, `{"similarity":1,"interpretation":"Highly Similar","words1":0,"words2":0,"sharedWords":0,"shared":[],"frequent":[],"hint":"neither text has a word"}`},
		{"/similarity?words=bigrams", `{"text1":"東京都です","text2":"京都です"}`, `{"similarity":0.787,"interpretation":"Quite Similar"}`},
	} {
		w := do(s, newRequest("POST", c.target, c.body))
		if w.Code != 200 || w.Body.String() != c.want || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: %d %s %s, want %s", c.target, c.body, w.Code, w.Header().Get("Content-Type"), w.Body, c.want)
		}
	}
}

// TestManyWords: the lists of words are short, their numbers are not.
func TestManyWords(t *testing.T) {
	var words strings.Builder
	for i := range 150 {
		words.WriteString(" " + string(rune('a'+i%26)) + strings.Repeat("x", i/26))
	}
	body, _ := json.Marshal(map[string]string{"text1": words.String(), "text2": words.String()})
	s := New(Config{MaxBody: 1 << 20, MaxInFlight: 1, Logger: slog.New(slog.DiscardHandler)})
	var a wordsAnswer
	if err := json.Unmarshal(do(s, newRequest("POST", "/similarity/words", string(body))).Body.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	if a.Words1 != 150 || a.Words2 != 150 || a.SharedWords != 150 || len(a.Shared) != maxShared || len(a.Frequent) != maxFrequent {
		t.Errorf("%d, %d, %d words, lists of %d and %d", a.Words1, a.Words2, a.SharedWords, len(a.Shared), len(a.Frequent))
	}
}

func TestRefusals(t *testing.T) {
	s := quietService()
	at := func(n int) *int { return &n }
	for _, c := range []struct {
		name    string
		request *http.Request
		status  int
		detail  string // a part of it
		offset  *int
	}{
		{"no colon", newRequest("POST", "/similarity", `{"text1"}`), 400, "a colon is expected", at(8)},
		{"fault at the first byte", newRequest("POST", "/similarity", `x`), 400, "not a JSON object", at(0)},
		{"no body", newRequest("POST", "/similarity", ""), 400, "not a JSON object", at(0)},
		{"words of broken JSON", newRequest("POST", "/similarity/words", `{"text1":1}`), 400, "a string is expected", at(9)},
		{"other words", newRequest("POST", "/similarity?words=latin", texts), 400, "must be ascii, unicode or bigrams", nil},
		{"words in other letters", newRequest("POST", "/similarity?words=ASCII", texts), 400, "must be ascii, unicode or bigrams", nil},
		{"words twice", newRequest("POST", "/similarity?words=ascii&words=unicode", texts), 400, "once", nil},
		{"no words", newRequest("POST", "/similarity?words=", texts), 400, "must be ascii, unicode or bigrams", nil},
		{"misspelled key", newRequest("POST", "/similarity?word=unicode", texts), 400, `unknown query parameter "word"`, nil},
		{"broken query", newRequest("POST", "/similarity?words=%zz", texts), 400, "the query cannot be read", nil},
		{"too long", newRequest("POST", "/similarity", strings.Repeat(" ", 1001)), 413, "longer than the limit of 1000 bytes", nil},
		{"form", newRequest("POST", "/similarity", texts, "Content-Type", "application/x-www-form-urlencoded"), 415, "must be application/json", nil},
		{"latin-1", newRequest("POST", "/similarity", texts, "Content-Type", "application/json; charset=latin-1"), 415, "in UTF-8", nil},
		{"broken type", newRequest("POST", "/similarity", texts, "Content-Type", "application/json; charset"), 415, "must be application/json", nil},
		{"gzip", newRequest("POST", "/similarity", texts, "Content-Encoding", "gzip"), 415, "send it without an encoding", nil},
		{"other path", newRequest("GET", "/nothing", ""), 404, "nothing at this path", nil},
		{"final slash", newRequest("POST", "/similarity/", texts), 404, "nothing at this path", nil},
		{"unclean path", newRequest("POST", "//similarity", texts), 404, "nothing at this path", nil},
		{"other method", newRequest("GET", "/similarity", ""), 405, "the header Allow", nil},
	} {
		w := do(s, c.request)
		if w.Code != c.status {
			t.Errorf("%s: status %d, want %d: %s", c.name, w.Code, c.status, w.Body)
			continue
		}
		p := problemIn(t, w)
		if !strings.Contains(p.Detail, c.detail) {
			t.Errorf("%s: the detail is %q, want %q in it", c.name, p.Detail, c.detail)
		}
		if (p.Offset == nil) != (c.offset == nil) || p.Offset != nil && *p.Offset != *c.offset {
			t.Errorf("%s: %s, want the offset %v", c.name, w.Body, c.offset)
		}
	}
}

// TestRefusalHeaders: what the status alone does not say.
func TestRefusalHeaders(t *testing.T) {
	s := quietService()
	for _, c := range []struct {
		request       *http.Request
		header, value string
	}{
		{newRequest("GET", "/similarity", ""), "Allow", "POST"},
		{newRequest("DELETE", "/healthz", ""), "Allow", "GET, HEAD"},
		{newRequest("POST", "/similarity", texts, "Content-Type", "text/plain"), "Accept-Post", "application/json"},
		{newRequest("POST", "/similarity", texts, "Content-Encoding", "br"), "Accept-Encoding", "identity"},
		{newRequest("POST", "/similarity", strings.Repeat(" ", 1001)), "Connection", "close"},
	} {
		w := do(s, c.request)
		if got := w.Header().Get(c.header); got != c.value {
			t.Errorf("%s %s: %d, %s: %q, want %q", c.request.Method, c.request.URL, w.Code, c.header, got, c.value)
		}
	}
}

// TestAcceptedTypes: these are JSON.
func TestAcceptedTypes(t *testing.T) {
	s := quietService()
	for _, contentType := range []string{
		"", "application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8", `application/json; charset="utf-8"`, "application/json; v=1",
	} {
		if w := do(s, newRequest("POST", "/similarity", texts, "Content-Type", contentType, "Content-Encoding", "identity")); w.Code != 200 {
			t.Errorf("%q: %d %s", contentType, w.Code, w.Body)
		}
	}
}

// TestSlots: requests for which there is no slot are refused; others are answered.
func TestSlots(t *testing.T) {
	s := quietService()
	for s.slots.take() {
	}
	w := do(s, newRequest("POST", "/similarity", texts))
	if w.Code != 503 || w.Header().Get("Retry-After") != "1" {
		t.Errorf("all slots taken: %d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
	}
	problemIn(t, w)
	for _, path := range []string{"/healthz", "/readyz", "/metrics", "/"} {
		if w := do(s, newRequest("GET", path, "")); w.Code != 200 {
			t.Errorf("all slots taken: GET %s: %d", path, w.Code)
		}
	}
	s.slots.free()
	for range 3 { // each frees its slot, also if it is refused
		if w := do(s, newRequest("POST", "/similarity", "{")); w.Code != 400 {
			t.Errorf("one slot free: %d", w.Code)
		}
		if w := do(s, newRequest("POST", "/similarity", texts)); w.Code != 200 {
			t.Errorf("one slot free: %d", w.Code)
		}
	}
}

// TestTurns: a large body waits for its turn, unless its client goes away; a small one
// does not wait.
func TestTurns(t *testing.T) {
	s := quietService()
	s.maxBody = 1 << 20
	for s.turns.take() {
	}
	if w := do(s, newRequest("POST", "/similarity", texts)); w.Code != 200 {
		t.Errorf("a small body: %d", w.Code)
	}
	large := texts + strings.Repeat(" ", largeBody)
	answered := make(chan int)
	go func() { answered <- do(s, newRequest("POST", "/similarity", large)).Code }()
	select {
	case status := <-answered:
		t.Errorf("a large body did not wait: %d", status)
	case <-time.After(50 * time.Millisecond):
		s.turns.free()
		if status := <-answered; status != 200 {
			t.Errorf("a large body: %d", status)
		}
	}
	if len(s.turns) != cap(s.turns)-1 {
		t.Errorf("%d of %d turns are taken", len(s.turns), cap(s.turns))
	}
	for s.turns.take() {
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	defer func() {
		if v := recover(); v != http.ErrAbortHandler {
			t.Errorf("the client is gone: %v", v)
		}
	}()
	do(s, newRequest("POST", "/similarity", large).WithContext(ctx))
}

func TestDrain(t *testing.T) {
	s := quietService()
	if w := do(s, newRequest("GET", "/readyz", "")); w.Code != 200 || w.Body.String() != `{"status":"ready"}` {
		t.Errorf("before: %d %s", w.Code, w.Body)
	}
	s.Drain()
	w := do(s, newRequest("GET", "/readyz", ""))
	if w.Code != 503 {
		t.Errorf("draining: %d", w.Code)
	}
	problemIn(t, w)
	w = do(s, newRequest("POST", "/similarity", texts))
	if w.Code != 200 || w.Header().Get("Connection") != "close" {
		t.Errorf("draining: %d, Connection %q, want 200 and close", w.Code, w.Header().Get("Connection"))
	}
	if w := do(s, newRequest("GET", "/healthz", "")); w.Code != 200 {
		t.Errorf("draining: GET /healthz: %d", w.Code)
	}
}

// TestPage: the files are there, kept by their tags, and may run nothing else.
func TestPage(t *testing.T) {
	s := quietService()
	for path, contentType := range map[string]string{
		"/": "text/html; charset=utf-8", "/page.css": "text/css; charset=utf-8", "/page.js": "text/javascript; charset=utf-8", "/openapi.yaml": "application/yaml",
	} {
		w := do(s, newRequest("GET", path, ""))
		etag := w.Header().Get("ETag")
		if w.Code != 200 || w.Body.Len() < 100 || w.Header().Get("Content-Type") != contentType || len(etag) != 34 || w.Header().Get("Cache-Control") != "no-cache" {
			t.Errorf("GET %s: %d, %d bytes, %v", path, w.Code, w.Body.Len(), w.Header())
		}
		for _, tag := range []string{etag, "W/" + etag, `"x", ` + etag} {
			again := do(s, newRequest("GET", path, "", "If-None-Match", tag))
			if again.Code != 304 || again.Body.Len() != 0 || again.Header().Get("ETag") != etag {
				t.Errorf("GET %s, If-None-Match %s: %d, %d bytes, %v", path, tag, again.Code, again.Body.Len(), again.Header())
			}
		}
		if w := do(s, newRequest("GET", path, "", "If-None-Match", `"x"`)); w.Code != 200 {
			t.Errorf("GET %s with another tag: %d", path, w.Code)
		}
	}
	policy := do(s, newRequest("GET", "/", "")).Header().Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none';") || strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %q", policy)
	}
}

// TestNewPanics: a configuration out of range is the program's fault.
func TestNewPanics(t *testing.T) {
	logger := slog.New(slog.DiscardHandler)
	for name, c := range map[string]Config{
		"zero":        {},
		"no logger":   {MaxBody: 1, MaxInFlight: 1},
		"no body":     {MaxInFlight: 1, Logger: logger},
		"large body":  {MaxBody: MaxMaxBody + 1, MaxInFlight: 1, Logger: logger},
		"none flying": {MaxBody: 1, Logger: logger},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			New(c)
		}()
	}
}
