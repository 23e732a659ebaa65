package service

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// FuzzSimilarity: whatever is sent, the answer is JSON with a status that is
// documented.
func FuzzSimilarity(f *testing.F) {
	f.Add([]byte(texts), "application/json", "words=unicode", "", false)
	f.Add([]byte(`{"text1":"\ud83d","text2":"`+strings.Repeat("x", 1000)+`"}`), "application/json; charset=utf-8", "&words=%61scii", "gzip", true)
	f.Add([]byte("{\"text1\":\"\xff\"}"), "", "a=b;c", "identity", false)
	statuses := documented(loadDescription(f))
	s := quietService()
	f.Fuzz(func(t *testing.T, body []byte, contentType, query, coding string, list bool) {
		path := "/similarity"
		if list {
			path += "/words"
		}
		r := &http.Request{
			Method: "POST", URL: &url.URL{Path: path, RawQuery: query}, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: http.Header{}, Host: "localhost", Body: io.NopCloser(strings.NewReader(string(body))), ContentLength: int64(len(body)),
		}
		if contentType != "" {
			r.Header.Set("Content-Type", contentType)
		}
		if coding != "" {
			r.Header.Set("Content-Encoding", coding)
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		status := w.Result().Status[:3]
		if !slices.Contains(statuses["POST "+path], status) || w.Code >= 500 {
			t.Fatalf("the status is %s", status)
		}
		if !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%s: %q is no JSON", status, w.Body)
		}
		if want := map[bool]string{true: "application/json", false: "application/problem+json"}[w.Code == 200]; w.Header().Get("Content-Type") != want {
			t.Fatalf("%s: the type is %s", status, w.Header().Get("Content-Type"))
		}
	})
}
