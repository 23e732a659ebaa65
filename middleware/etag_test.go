package middleware

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

const helloTag = `"LPJNul-wow4m6Dsqxbning"` // SHA-256 of hello, 16 bytes of it

func TestETag(t *testing.T) {
	hello := says("hello")
	for _, row := range []struct {
		name    string
		handle  http.HandlerFunc
		request string // method, and a line of If-None-Match
		want    string // status, tag, body
	}{
		{"first", hello, "GET", "200 " + helloTag + " hello"},
		{"same", hello, "GET " + helloTag, "304 " + helloTag + " "},
		{"weak", hello, "GET W/" + helloTag, "304 " + helloTag + " "},
		{"listed", hello, `GET "a", W/"b" ,,` + helloTag, "304 " + helloTag + " "},
		{"any", hello, "GET *", "304 " + helloTag + " "},
		{"other", hello, `GET "other"`, "200 " + helloTag + " hello"},
		{"malformed", hello, "GET " + strings.Trim(helloTag, `"`), "200 " + helloTag + " hello"},
		{"HEAD", hello, "HEAD", "200 " + helloTag + " hello"}, // the server leaves the body out
		{"HEAD same", hello, "HEAD " + helloTag, "304 " + helloTag + " "},
		{"HEAD without body", func(http.ResponseWriter, *http.Request) {}, "HEAD *", "200  "},
		{"POST", hello, "POST *", "200  hello"},
		{"empty", func(http.ResponseWriter, *http.Request) {}, "GET", `200 "47DEQpj8HBSa-_TImW-5JA" `},
		{"parts", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hel"); io.WriteString(w, "lo") }, "GET " + helloTag, "304 " + helloTag + " "},
		{"status 200", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(200)
			w.WriteHeader(404)
			io.WriteString(w, "hello")
		}, "GET", "200 " + helloTag + " hello"},
		{"said length", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "5")
			io.WriteString(w, "hello")
		}, "GET *", "304 " + helloTag + " "},
		{"status 404", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404); io.WriteString(w, "hello") }, "GET *", "404  hello"},
		{"own tag", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Etag", `"own"`)
			io.WriteString(w, "hello")
		}, "GET " + helloTag, `200 "own" hello`},
		{"own tag, no body", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Etag", `"own"`) }, "GET", `200 "own" `},
		{"no-store", NoCache(hello).ServeHTTP, "GET " + helloTag, "200  hello"},
		{"no-store in capitals", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Cache-Control", "No-Store")
			io.WriteString(w, "hello")
		}, "GET *", "200  hello"},
		{"no-store in a second line", func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Cache-Control"] = []string{"private", "no-store"}
			io.WriteString(w, "hello")
		}, "GET *", "200  hello"},
		{"flushed", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, "hel")
			w.(http.Flusher).Flush()
			io.WriteString(w, "lo")
		}, "GET " + helloTag, "200  hello"},
		{"flushed by controller", func(w http.ResponseWriter, _ *http.Request) {
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
			io.WriteString(w, "hello")
		}, "GET " + helloTag, "200  hello"},
		{"as long as allowed", says("0123456789"), "GET", `200 "hNiYd_DUBB77a_kaFvAkjw" 0123456789`},
		{"too long", says("0123456789a"), "GET *", "200  0123456789a"},
		{"too long in parts", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "012345678"); io.WriteString(w, "9ab") }, "GET *", "200  0123456789ab"},
		{"said to be too long", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "11")
			io.WriteString(w, "hello")
		}, "GET *", "200  hello"},
		{"said to be longer", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "6")
			io.WriteString(w, "hello")
		}, "GET *", "200  hello"},
		{"copied", func(w http.ResponseWriter, _ *http.Request) { io.Copy(w, strings.NewReader("hello")) }, "GET " + helloTag, "304 " + helloTag + " "},
		{"copied, too long", func(w http.ResponseWriter, _ *http.Request) {
			io.Copy(w, io.LimitReader(strings.NewReader("0123456789abc"), 12))
		}, "GET *", "200  0123456789ab"},
		{"trailer", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Trailer", "X")
			io.WriteString(w, "hello")
		}, "GET *", "200  hello"},
	} {
		method, line, _ := strings.Cut(row.request, " ")
		r := newRequest(method, "/")
		if line != "" {
			r.Header.Set("If-None-Match", line)
		}
		w := answer(ETag(&ETagOptions{MaxBytes: 10})(row.handle), r)
		if got := fmt.Sprint(w.Code, " ", w.Header().Get("Etag"), " ", w.Body); got != row.want {
			t.Errorf("%s: got %s, want %s", row.name, got, row.want)
		}
		if length := w.Header().Get("Content-Length"); w.Code == 304 && length != "" {
			t.Errorf("%s: a 304 with Content-Length %s", row.name, length)
		}
	}
}

// TestETagKeepsHeaders: a 304 has the headers that a cache updates what it has by.
func TestETagKeepsHeaders(t *testing.T) {
	h := ETag(nil)(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for _, name := range []string{"Cache-Control", "Vary", "Set-Cookie", "Content-Type"} {
			w.Header().Set(name, "x")
		}
		io.WriteString(w, "hello")
	}))
	got := answer(h, newRequest("GET", "/", "If-None-Match: *")).Header()
	if got.Get("Cache-Control") != "x" || got.Get("Vary") != "x" || got.Get("Set-Cookie") != "x" || got["Content-Type"] != nil {
		t.Errorf("got %v", got)
	}
}

func TestETagOverServers(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		s := newServer(t, ETag(nil)(says("hello")), http2)
		resp, body, err := get(s, "/")
		if err != nil || body != "hello" || resp.Header.Get("Etag") != helloTag || resp.ContentLength != 5 {
			t.Errorf("HTTP/2 %t: got %v, %q, %v", http2, resp, body, err)
		}
		r, _ := http.NewRequest("GET", s.URL, nil)
		r.Header.Set("If-None-Match", helloTag)
		if resp, err = s.Client().Do(r); err != nil || resp.StatusCode != 304 {
			t.Errorf("HTTP/2 %t: got %v, %v", http2, resp, err)
		}
		resp.Body.Close()
	}
}

// TestETagPanic: of a handler that panics nothing is sent, so that there can be a
// 500.
func TestETagPanic(t *testing.T) {
	h := Recover(discard)(ETag(nil)(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, "a part")
		panic("oops")
	})))
	if w := answer(h, newRequest("GET", "/")); w.Code != 500 || strings.Contains(w.Body.String(), "part") {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	checkPanics(t, map[string]func(){
		"middleware: ETag: MaxBytes is negative; use 0 for its default": func() { ETag(&ETagOptions{MaxBytes: -1}) },
	})
}

// TestETagClaimsNoFlush: where the server cannot flush, neither can the handler.
func TestETagClaimsNoFlush(t *testing.T) {
	h := ETag(nil)(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if is[http.Flusher](w) {
			t.Error("it can")
		}
	}))
	h.ServeHTTP(plainWriter{httptest.NewRecorder()}, newRequest("GET", "/"))
}

// A list up to where it is malformed, and its tags, by regular expressions.
var (
	tagList = regexp.MustCompile(`(?s)\A[ \t,]*(?:(?:W/)?"[^"]*"[ \t]*(?:,[ \t,]*|\z))*(?:(?:W/)?"[^"]*")?`)
	oneTag  = regexp.MustCompile(`(?s)"[^"]*"`)
)

// naiveMatchesTag is the twin of matchesTag.
func naiveMatchesTag(line, tag string) bool {
	if strings.Trim(line, " \t") == "*" {
		return true
	}
	for _, listed := range oneTag.FindAllString(tagList.FindString(line), -1) {
		if listed == tag {
			return true
		}
	}
	return false
}

func FuzzMatchesTag(f *testing.F) {
	f.Add(`"a", W/"b" ,"c"`)
	f.Add(" * ")
	f.Add(`"a" "b"`)
	f.Add(`,W/"b`)
	f.Add(`"b"x, "b"`)
	f.Fuzz(func(t *testing.T, line string) {
		for _, tag := range []string{`"a"`, `"b"`, `"c"`, `""`, `","`} {
			if got, want := matchesTag([]string{line}, tag), naiveMatchesTag(line, tag); got != want {
				t.Errorf("%q, %s: got %t, want %t", line, tag, got, want)
			}
		}
	})
}
