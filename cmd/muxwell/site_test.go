package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// mustSite returns the site for a list.
func mustSite(t *testing.T, list string) *site {
	t.Helper()
	s, err := newSite("routes.txt", strings.NewReader(list))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ask returns the site's response to a request for an escaped path, which may
// have a host before it.
func ask(t *testing.T, s *site, method, target string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	host, path, _ := strings.Cut(target, "/")
	u, err := url.ParseRequestURI("/" + path)
	if err != nil {
		t.Fatal(err)
	}
	r := &http.Request{Method: method, URL: u, Host: host, RequestURI: "/" + path, Header: http.Header{}, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.mux.ServeHTTP(w, r)
	return w
}

// compact returns JSON without indentation.
func compact(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	if got := w.Header().Get("Content-Type"); got != "application/json" {
		t.Errorf("content type %q, want application/json, of %s", got, w.Body)
	}
	var v strings.Builder
	for line := range strings.Lines(w.Body.String()) {
		v.WriteString(strings.TrimSpace(line))
	}
	if !json.Valid([]byte(v.String())) {
		t.Errorf("not JSON: %s", w.Body)
	}
	return v.String()
}

func TestEcho(t *testing.T) {
	s := mustSite(t, `
GET /plain
GET,POST /form/{id}
HEAD,PUT /heads
/any/{x}
GET /repos/{owner}/{repo}/tree/{path...}
GET /z/{z}/{a}/{m}
PURGE /cache
GET example.com/{page}
GET /a%2Fb/{q}
GET /{"}
GET /sub/
GET /sub/{$}
`)
	tests := []struct{ method, target, want string }{
		{"GET", "/plain", `{"pattern": "GET /plain","method": "GET","params": {}}`},
		{"HEAD", "/plain", `{"pattern": "GET /plain","method": "GET","params": {}}`},
		{"GET", "/form/1", `{"pattern": "GET,POST /form/{id}","method": "GET","params": {"id": "1"}}`},
		{"POST", "/form/1", `{"pattern": "GET,POST /form/{id}","method": "POST","params": {"id": "1"}}`},
		{"HEAD", "/form/1", `{"pattern": "GET,POST /form/{id}","method": "GET","params": {"id": "1"}}`},
		{"HEAD", "/heads", `{"pattern": "HEAD,PUT /heads","method": "HEAD","params": {}}`},
		{"PURGE", "/cache", `{"pattern": "PURGE /cache","method": "PURGE","params": {}}`},
		{"DELETE", "/any/1", `{"pattern": "/any/{x}","method": "DELETE","params": {"x": "1"}}`},
		{"HEAD", "/any/1", `{"pattern": "/any/{x}","method": "HEAD","params": {"x": "1"}}`},
		{"GET", "/repos/o/r/tree/a/b/c", `{"pattern": "GET /repos/{owner}/{repo}/tree/{path...}","method": "GET","params": {"owner": "o","repo": "r","path": "a/b/c"}}`},
		{"GET", "/repos/o/r/tree/", `{"pattern": "GET /repos/{owner}/{repo}/tree/{path...}","method": "GET","params": {"owner": "o","repo": "r","path": ""}}`},
		{"GET", "/z/1/2/3", `{"pattern": "GET /z/{z}/{a}/{m}","method": "GET","params": {"z": "1","a": "2","m": "3"}}`},
		{"GET", "example.com/x", `{"pattern": "GET example.com/{page}","method": "GET","params": {"page": "x"}}`},
		{"GET", "Example.COM:8080/x", `{"pattern": "GET example.com/{page}","method": "GET","params": {"page": "x"}}`},
		{"GET", "/a%2Fb/x%2Fy%20z", `{"pattern": "GET /a%2Fb/{q}","method": "GET","params": {"q": "x/y z"}}`},
		{"GET", "/%3Cscript%3E&%22", `{"pattern": "GET /{\"}","method": "GET","params": {"\"": "\u003cscript\u003e\u0026\""}}`},
		{"GET", "/%ff", `{"pattern": "GET /{\"}","method": "GET","params": {"\"": "\ufffd"}}`},
		{"GET", "/sub/x", `{"pattern": "GET /sub/","method": "GET","params": {}}`},
		{"GET", "/sub/", `{"pattern": "GET /sub/{$}","method": "GET","params": {}}`},
	}
	for _, tt := range tests {
		w := ask(t, s, tt.method, tt.target)
		if got := escapeReplacement(compact(t, w)); w.Code != http.StatusOK || got != tt.want {
			t.Errorf("%s %s: %d, %s\nwant 200, %s", tt.method, tt.target, w.Code, got, tt.want)
		}
	}
}

// Routes of one pattern answer each for itself, with their options and with the
// parameters of the query.
func TestEchoOptions(t *testing.T) {
	s := mustSite(t, `
GET /v/{id}   name=beta header="X-Beta: 1" query=page={page:int} query=q # why
GET /v/{id}   header-regexp=X-Beta:.+
GET /v/{id}
`)
	tests := []struct {
		target string
		header []string
		want   string
	}{
		{"/v/1", nil, `{"pattern": "GET /v/{id}","method": "GET","params": {"id": "1"}}`},
		{"/v/1", []string{"X-Beta", "1"}, `{"pattern": "GET /v/{id}","options": ["header-regexp=X-Beta:.+"],"method": "GET","params": {"id": "1"}}`},
		{"/v/1?q=x&page=2", []string{"X-Beta", "1"}, `{"pattern": "GET /v/{id}","options": ["name=beta","header=\"X-Beta: 1\"","query=page={page:int}","query=q"],"method": "GET","params": {"id": "1","page": "2"}}`},
		{"/v/1?q=x&page=y", []string{"X-Beta", "1"}, `{"pattern": "GET /v/{id}","options": ["header-regexp=X-Beta:.+"],"method": "GET","params": {"id": "1"}}`},
	}
	for _, tt := range tests {
		w := ask(t, s, "GET", tt.target, tt.header...)
		if got := compact(t, w); w.Code != http.StatusOK || got != tt.want {
			t.Errorf("GET %s with %q: %d, %s\nwant 200, %s", tt.target, tt.header, w.Code, got, tt.want)
		}
	}
}

// What misses a media type alone is refused by the mux itself.
func TestRefusesMediaTypes(t *testing.T) {
	s := mustSite(t, "GET /a accept=text/csv\nPOST /a content-type=text/csv\n")
	if w := ask(t, s, "GET", "/a", "Accept", "text/html"); w.Code != http.StatusNotAcceptable {
		t.Errorf("GET /a for text/html: %d, want 406", w.Code)
	}
	if w := ask(t, s, "POST", "/a", "Content-Type", "text/html"); w.Code != http.StatusUnsupportedMediaType {
		t.Errorf("POST /a with text/html: %d, want 415", w.Code)
	}
}

// HEAD is answered with the headers of GET and no body.
func TestHead(t *testing.T) {
	s := start(t, "GET /users/{id}\n", "-", "-addr", "localhost:0")
	for _, path := range []string{"users/42", "", "nothing"} {
		get, _ := send(t, "GET", s.url+path)
		head, body := send(t, "HEAD", s.url+path)
		if body != "" || head.StatusCode != get.StatusCode || head.Header.Get("Content-Type") != get.Header.Get("Content-Type") {
			t.Errorf("HEAD /%s: %s, body %q; GET: %s", path, head.Status, body, get.Status)
		}
		if get.StatusCode == http.StatusOK && head.ContentLength != get.ContentLength {
			t.Errorf("HEAD /%s: length %d, GET has %d", path, head.ContentLength, get.ContentLength)
		}
	}
}

func TestRefusals(t *testing.T) {
	const list = "GET /users/{id}\nDELETE,PUT /users/{id}\nexample.com/x\n"
	tests := []struct {
		method, target string
		status         int
		allow          string
		want           string
	}{
		{"GET", "localhost:80/nothing", 404, "", `{"error": "no route matches","method": "GET","host": "localhost:80","path": "/nothing","routes": "/"}`},
		{"GET", "/a%2F%3Cb%3E", 404, "", `{"error": "no route matches","method": "GET","host": "","path": "/a%2F%3Cb%3E","routes": "/"}`},
		{"GET", "example.org/x", 404, "", `{"error": "no route matches","method": "GET","host": "example.org","path": "/x","routes": "/"}`},
		{"POST", "/users/1", 405, "DELETE, GET, HEAD, PUT", `{"error": "no route with this method matches","method": "POST","host": "","path": "/users/1","allow": ["DELETE","GET","HEAD","PUT"],"routes": "/"}`},
		{"POST", "/", 405, "GET, HEAD", `{"error": "no route with this method matches","method": "POST","host": "","path": "/","allow": ["GET","HEAD"],"routes": "/"}`},
	}
	for _, tt := range tests {
		w := ask(t, mustSite(t, list), tt.method, tt.target)
		if got := compact(t, w); w.Code != tt.status || w.Header().Get("Allow") != tt.allow || got != tt.want {
			t.Errorf("%s %s: %d, Allow %q, %s\nwant %d, %q, %s", tt.method, tt.target, w.Code, w.Header().Get("Allow"), got, tt.status, tt.allow, tt.want)
		}
	}
	// Where the list is not shown, no answer sends anyone there.
	w := ask(t, mustSite(t, "GET /{$}\n"), "GET", "/nothing")
	if got, want := compact(t, w), `{"error": "no route matches","method": "GET","host": "","path": "/nothing"}`; got != want {
		t.Errorf("GET /nothing under a list that takes GET /: %s, want %s", got, want)
	}
}

// GET / shows the list, unless a route of the list takes it.
func TestRootBelongsToTheListFirst(t *testing.T) {
	tests := []struct {
		list string
		want string // the pattern that answers GET /; "" for the page
	}{
		{"GET /", "GET /"},
		{"/", "/"},
		{"GET /{$}", "GET /{$}"},
		{"GET,POST /{$}", "GET,POST /{$}"},
		{"/{path...}", "/{path...}"},
		{"GET /{path...}\nGET /a", "GET /{path...}"},
		{"GET /a", ""},
		{"GET /{x}", ""},
		{"POST /", ""},
		{"HEAD /{$}", ""},
		{"POST /{$}\nPUT /{path...}", ""},
		{"example.com/", ""},
		{"GET /{$} header=X", ""},
		{"GET / query=q", ""},
		{"GET / accept=text/html", "GET /"},
	}
	for _, tt := range tests {
		w := ask(t, mustSite(t, tt.list), "GET", "/", "Accept", "text/html")
		isPage := strings.HasPrefix(w.Header().Get("Content-Type"), "text/html")
		if isPage != (tt.want == "") || w.Code != http.StatusOK {
			t.Errorf("GET / under %q: %d, %s, want the page: %v", tt.list, w.Code, w.Header().Get("Content-Type"), tt.want == "")
			continue
		}
		if want := `{"pattern": "` + tt.want + `",`; !isPage && !strings.HasPrefix(compact(t, w), want) {
			t.Errorf("GET / under %q: %s, want %s…", tt.list, w.Body, want)
		}
	}
	// A host of the list has its root, all others show the list.
	s := mustSite(t, "example.com/")
	if w := ask(t, s, "GET", "example.com/"); !strings.Contains(w.Body.String(), `"pattern": "example.com/"`) {
		t.Errorf("GET example.com/: %s, want its route", w.Body)
	}
	// The list keeps the methods that it takes at the root.
	s = mustSite(t, "POST /{$}\nHEAD /{$}")
	for _, method := range []string{"POST", "HEAD"} {
		if w := ask(t, s, method, "/"); !strings.Contains(w.Body.String(), `"pattern": "`+method+` /{$}"`) {
			t.Errorf("%s /: %s, want its route", method, w.Body)
		}
	}
}
