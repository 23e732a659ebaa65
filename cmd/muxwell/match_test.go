package main

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// matchList has a route for each thing that match shows.
const matchList = `
GET /users/me
GET /users/{id:int}
GET,PUT /users/{name}    # line 4
/users/{path...}
POST /form
GET /tree/
GET {tenant}.example.com/{a}.{b}
CONNECT proxy.test:443/up/{x}
GET /%1b/{q}
`

// The whole of what match prints, and its status.
func TestMatch(t *testing.T) {
	tests := []struct {
		method, url string
		status      int
		want        string // stdout
		hint        string // stderr
	}{
		{"GET", "/users/me?x=1", 0, `GET localhost/users/me
└─► GET /users/me    <standard input>:2
also matched
    GET,PUT /users/{name}  literal beats parameter at segment 2
    /users/{path...}       literal beats catch-all at segment 2
nearly matched
    GET /users/{id:int}    constraint int refused "me"
`, ""},
		{"HEAD", "/users/42", 0, `HEAD localhost/users/42
└─► GET /users/{id:int}    <standard input>:3
    id = "42"
also matched
    GET,PUT /users/{name}  constrained parameter beats parameter at segment 2
    /users/{path...}       constrained parameter beats catch-all at segment 2
`, ""},
		{"GET", "http://A.Example.COM.:8080/x%2Fy.z", 0, `GET a.example.com/x%2Fy.z
└─► GET {tenant}.example.com/{a}.{b}    <standard input>:8
    tenant = "a"
    a = "x/y"
    b = "z"
`, ""},
		{"PUT", "/form", 1, `PUT localhost/form
└─► 405 Method Not Allowed, allowed: POST
nearly matched
    POST /form  method: it is for POST
`, ""},
		{"GET", "/tree", 1, `GET localhost/tree
└─► 307, redirected to /tree/
nearly matched
    GET /tree/  final slash: it matches "/tree/"
`, ""},
		{"GET", "/tree/../users//me?x=1", 1, `GET localhost/users/me
└─► 307, redirected to /users/me?x=1
also matched
    GET /users/me          the request is redirected before that
    GET,PUT /users/{name}  the request is redirected before that
    /users/{path...}       the request is redirected before that
nearly matched
    GET /users/{id:int}    constraint int refused "me"
`, ""},
		{"GET", "//evil.example/x", 1, `GET localhost/evil.example/x
└─► 307, redirected to /evil.example/x
`, ""},
		{"GET", "/nothing", 1, `GET localhost/nothing
└─► 404 Not Found
`, ""},
		{"GET", "http://localhost", 1, `GET localhost/
└─► 404 Not Found
`, ""},
		{"OPTIONS", "*", 1, `OPTIONS *
└─► 400 Bad Request
`, ""},
		{"post", "/form", 1, `post localhost/form
└─► 405 Method Not Allowed, allowed: POST
nearly matched
    POST /form  method: it is for POST
`, "muxwell match: methods are case-sensitive; did you mean POST?\n"},
		{"get", "/tree", 1, `get localhost/tree
└─► 405 Method Not Allowed, allowed: GET, HEAD
`, "muxwell match: methods are case-sensitive; did you mean GET?\n"},
		{"get", "/nothing", 1, "get localhost/nothing\n└─► 404 Not Found\n", ""},
		{"get", "/users/x", 0, `get localhost/users/x
└─► /users/{path...}    <standard input>:5
    path = "x"
nearly matched
    GET,PUT /users/{name}  method: it is for GET, PUT
`, ""},
		{
			"GET", "/form#top", 1, "GET localhost/form%23top\n└─► 404 Not Found\n",
			"muxwell match: the URL has a #, which is treated as part of the path; clients do not send it or what follows\n",
		},
		{
			"CONNECT", "example.com:443", 1, "CONNECT example.com:443\n└─► 404 Not Found\n",
			"muxwell match: the request has no path, but every pattern has one; to request a path write http://example.com:443/\n",
		},
		{"CONNECT", "http://Proxy.test:443/up/a", 0, `CONNECT proxy.test:443/up/a
└─► CONNECT proxy.test:443/up/{x}    <standard input>:9
    x = "a"
`, ""},
		{"CONNECT", "/users/1", 0, `CONNECT localhost/users/1
└─► /users/{path...}    <standard input>:5
    path = "1"
nearly matched
    GET /users/{id:int}    method: it is for GET
    GET,PUT /users/{name}  method: it is for GET, PUT
`, ""},
		// What does not print is escaped.
		{"GET", "/%1B/%1B%5B2J%C2%9B", 0, `GET localhost/\x1b/\x1b[2J\u009b
└─► GET /%1b/{q}    <standard input>:10
    q = "\x1b[2J\u009b"
`, ""},
		{"GET", "http://a%C2%9B31m%E2%80%AE.example.com/\xff.b", 0, `GET a\u009b31m\u202e.example.com/%FF.b
└─► GET {tenant}.example.com/{a}.{b}    <standard input>:8
    tenant = "a\u009b31m\u202e"
    a = "\xff"
    b = "b"
`, ""},
	}
	for _, tt := range tests {
		status, stdout, stderr := call(t, matchList, "match", "-", tt.method, tt.url)
		if status != tt.status || stdout != tt.want || stderr != tt.hint {
			t.Errorf("match %s %s: status %d, stdout:\n%s\nstderr %q\nwant %d:\n%s\nand %q", tt.method, tt.url, status, stdout, stderr, tt.status, tt.want, tt.hint)
		}
	}
}

func TestMatchUsageErrors(t *testing.T) {
	tests := []struct{ method, url, want string }{
		{"GET /", "/", `"GET /" is not a method; METHOD comes before URL, as in GET /users/42`},
		{"GET\r\nX:", "/", `"GET\r\nX:" is not a method; METHOD comes before URL, as in GET /users/42`},
		{"", "/", `"" is not a method; METHOD comes before URL, as in GET /users/42`},
		{"GET", "", `URL "": it is empty; for the root write "/"`},
		{"GET", "/a b", `URL "/a b": ' ' is not allowed in a URL; write %20`},
		{"GET", "/a\x1b[2J", `URL "/a\x1b[2J": '\x1b' is not allowed in a URL; write %1B`},
		{"GET", "/ HTTP/1.1\r\nHost: evil", `URL "/ HTTP/1.1\r\nHost: evil": ' ' is not allowed in a URL; write %20`},
		{"GET", "/%zz", `URL "/%zz": invalid URL escape "%zz"; a percent sign itself is written %25`},
		{"GET", "users/42", `URL "users/42": neither a path nor an absolute URL; write "/users/42" or "http://users/42"`},
		{"GET", "?x=1", `URL "?x=1": neither a path nor an absolute URL; write "/?x=1" or "http://?x=1"`},
		{"GET", "localhost:8080/a", `URL "localhost:8080/a": neither a path nor an absolute URL; write "/localhost:8080/a" or "http://localhost:8080/a"`},
		{"connect", "example.com:443", `URL "example.com:443": neither a path nor an absolute URL; write "/example.com:443" or "http://example.com:443"`},
		{"GET", "http:///a", `URL "http:///a": it has no host; write http://api.example.com/users/42, or the path alone`},
		{"CONNECT", "?a", `URL "?a": it has no host; write http://api.example.com/users/42, or the path alone`},
		{"GET", "http://[::1/", `URL "http://[::1/": missing ']' in host`},
		{"GET", "http://h:x/", `URL "http://h:x/": invalid port ":x" after host`},
	}
	for _, tt := range tests {
		status, stdout, stderr := call(t, "GET /a\n", "match", "-", "--", tt.method, tt.url)
		want := "muxwell match: " + tt.want + "\nRun 'muxwell match -h' for usage.\n"
		if status != 2 || stdout != "" || stderr != want {
			t.Errorf("match %q %q: status %d, stdout %q, stderr:\n%s\nwant 2, nothing, and:\n%s", tt.method, tt.url, status, stdout, stderr, want)
		}
	}
}

func TestMatchJSON(t *testing.T) {
	tests := []struct {
		method, url string
		status      int
		want        string // without indentation
	}{
		{"GET", "/users/42", 0, `{"method": "GET","host": "localhost","path": "/users/42",` +
			`"route": {"pattern": "GET /users/{id:int}","source": "<standard input>:3"},"params": {"id": "42"},"status": 0,"location": "","allow": [],` +
			`"others": [{"pattern": "GET,PUT /users/{name}","source": "<standard input>:4","matched": true,"reason": "constrained parameter beats parameter at segment 2"},` +
			`{"pattern": "/users/{path...}","source": "<standard input>:5","matched": true,"reason": "constrained parameter beats catch-all at segment 2"}]}`},
		{"GET", "http://z.example.com/x.y", 0, `{"method": "GET","host": "z.example.com","path": "/x.y",` +
			`"route": {"pattern": "GET {tenant}.example.com/{a}.{b}","source": "<standard input>:8"},"params": {"tenant": "z","a": "x","b": "y"},"status": 0,"location": "","allow": [],"others": []}`},
		{"PUT", "/form", 1, `{"method": "PUT","host": "localhost","path": "/form","route": null,"params": {},"status": 405,"location": "","allow": ["POST"],` +
			`"others": [{"pattern": "POST /form","source": "<standard input>:6","matched": false,"reason": "method: it is for POST"}]}`},
		{"GET", "/tree?x", 1, `{"method": "GET","host": "localhost","path": "/tree","route": null,"params": {},"status": 307,"location": "/tree/?x","allow": [],` +
			`"others": [{"pattern": "GET /tree/","source": "<standard input>:7","matched": false,"reason": "final slash: it matches \"/tree/\""}]}`},
		{"GET", "/nothing", 1, `{"method": "GET","host": "localhost","path": "/nothing","route": null,"params": {},"status": 404,"location": "","allow": [],"others": []}`},
		{"GET", "/%1B/%FF%C2%9B%F3%A0%80%81%7F%F0%9F%98%80", 0, `{"method": "GET","host": "localhost","path": "/\u001b/\ufffd\u009b\udb40\udc01\u007f😀",` +
			`"route": {"pattern": "GET /%1b/{q}","source": "<standard input>:10"},"params": {"q": "\ufffd\u009b\udb40\udc01\u007f😀"},"status": 0,"location": "","allow": [],"others": []}`},
	}
	for _, tt := range tests {
		status, stdout, stderr := call(t, matchList, "match", "-", tt.method, tt.url, "-json")
		var got strings.Builder
		for line := range strings.Lines(stdout) {
			got.WriteString(strings.TrimSpace(line))
		}
		want := strings.NewReplacer("<", `\u003c`, ">", `\u003e`).Replace(tt.want)
		if status != tt.status || escapeReplacement(got.String()) != want || stderr != "" || !json.Valid([]byte(stdout)) {
			t.Errorf("match %s %s -json: status %d, stdout:\n%s\nstderr %q\nwant %d, and:\n%s", tt.method, tt.url, status, got.String(), stderr, tt.status, want)
		}
	}
}

// A list with an error, and a missing one, are reported as by serve,
// with a status that does not say that no route takes the request.
func TestMatchListFailures(t *testing.T) {
	status, stdout, stderr := call(t, "GET /a\nGET /{\n", "match", "-", "GET", "/a")
	if want := "<standard input>:2: '{' is never closed; add the '}', or for the character itself write %7B\n\t2 | GET /{\n\t  |      ^\n"; status != 2 || stdout != "" || stderr != want {
		t.Errorf("status %d, stdout %q, stderr:\n%s\nwant 2, nothing, and:\n%s", status, stdout, stderr, want)
	}
	missing := filepath.Join(t.TempDir(), "missing\x1b.txt")
	status, stdout, stderr = call(t, "", "match", missing, "GET", "/a")
	if status != 2 || stdout != "" || !strings.HasPrefix(stderr, "muxwell match: open ") || strings.Contains(stderr, "\x1b") {
		t.Errorf("status %d, stdout %q, stderr %q, want 2, nothing, and the reason without control characters", status, stdout, stderr)
	}
}

// Each route of GitHub's list takes its sample, and match says so.
func TestMatchGitHub(t *testing.T) {
	file := filepath.Join("..", "..", "routes", "github-rest.txt")
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := loadMux(file, f)
	if err != nil {
		t.Fatal(err)
	}
	routes := slices.Collect(m.Routes())
	for i := 0; i < len(routes); i += 40 {
		r, ok := m.Sample(routes[i])
		if !ok {
			t.Fatalf("no sample for %s", routes[i])
		}
		status, stdout, stderr := call(t, "", "match", file, r.Method, "http://"+r.Host+r.RequestURI)
		if want := fmt.Sprintf("\n└─► %s    %s\n", routes[i], routes[i].Source()); status != 0 || stderr != "" || !strings.Contains(stdout, want) {
			t.Errorf("match %s %s: status %d, stderr %q, stdout:\n%s\nwant %s", r.Method, r.URL, status, stderr, stdout, want)
		}
	}
}

// A request is what a server reads from a request line.
func TestParseRequestIsWhatAServerReads(t *testing.T) {
	var got *http.Request
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r }))
	defer srv.Close()
	for _, line := range []string{
		"GET /users/42?x=1", "GET //evil.example/x", "GET /a%2Fb/%ff", "GET /é\xff", "GET /a#b", "get /", "GET http://Api.example.com:80/x?y", "PUT https://u:p@h/",
		"CONNECT example.com:443", "CONNECT /a", "CONNECT example.com:443/a", "POST *",
	} {
		method, target, _ := strings.Cut(line, " ")
		r, err := parseRequest(method, target)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		conn := dial(t, srv.Listener.Addr().String())
		fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", line)
		if _, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if r.Method != got.Method || r.Host != got.Host || r.RequestURI != got.RequestURI || !reflect.DeepEqual(r.URL, got.URL) {
			t.Errorf("%s: %s %q %#v %q, a server reads %s %q %#v %q", line, r.Method, r.Host, r.URL, r.RequestURI, got.Method, got.Host, got.URL, got.RequestURI)
		}
	}
}

// FuzzMatch checks that match says of any request what serving it does.
func FuzzMatch(f *testing.F) {
	const list = matchList + "GET /{x...}/raw\n/{y:[ #]+}-{z}\nget /lower\n*.example.com/{u:uuid}/\n" +
		"GET /q/{p} query=v={v:int} scheme=https\nGET /q/{p} query=v={w} client=127.0.0.1\nGET /q/{p} header=X name=q\n"
	for _, seed := range []struct{ method, url string }{
		{"GET", "/users/me"},
		{"HEAD", "/users/42"},
		{"get", "/lower"},
		{"CONNECT", "proxy.test:443"},
		{"CONNECT", "http://proxy.test:443/up/x"},
		{"GET", "//x/../raw"},
		{"OPTIONS", "*"},
		{"GET", "http://a.example.com"},
		{"GET", "/%20-%23%ff"},
		{"GET", "/tree"},
		{"PUT", "/form#"},
		{"G T", "\r\n"},
		{"GET", "http://%C2%9B.example.com/a.b"},
		{"CONNECT", "?://x"},
		{"GET", "https://h/q/a?v=1"},
		{"HEAD", "/q/a?u&v=%20b"},
		{"PUT", "HTTPS://h/q/a?v=1"},
	} {
		f.Add(seed.method, seed.url)
	}
	f.Fuzz(func(t *testing.T, method, url string) {
		status, text, stderr := call(t, list, "match", "--", "-", method, url)
		jsonStatus, object, _ := call(t, list, "match", "-json", "--", "-", method, url)
		for _, s := range []string{text, stderr, object} {
			if i := strings.IndexFunc(s, func(r rune) bool { return r != '\n' && !strconv.IsPrint(r) }); i >= 0 {
				t.Fatalf("match %q %q prints %q", method, url, s[i:])
			}
		}
		if status < 0 || status > 2 || jsonStatus != status || (status == 2) != (text == "") || (status == 2) != (object == "") {
			t.Fatalf("match %q %q: status %d, with -json %d, stdout:\n%s", method, url, status, jsonStatus, text)
		}
		if status < 2 && !(method == http.MethodConnect && strings.Contains(url, "://")) {
			checkServed(t, list, method, url, status, object)
		}
	})
}

// checkServed checks what match -json printed against a mux that serves the
// same request.
func checkServed(t *testing.T, list, method, url string, status int, object string) {
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(method + " " + url + " HTTP/1.1\r\nHost: localhost\r\n\r\n")))
	if err != nil {
		t.Fatalf("match %q %q: status %d, and a server cannot read it: %v", method, url, status, err)
	}
	if r.URL.Path == "" && method != http.MethodConnect {
		r.URL.Path = "/"
	}
	r.RemoteAddr = "127.0.0.1:1"
	if strings.HasPrefix(strings.ToLower(url), "https://") {
		r.TLS = new(tls.ConnectionState)
	}
	s := mustSite(t, list)
	w := httptest.NewRecorder()
	s.mux.ServeHTTP(w, r)
	var e struct {
		matchJSON
		Params map[string]string `json:"params"`
	}
	if err := json.Unmarshal([]byte(object), &e); err != nil {
		t.Fatalf("match %q %q prints no JSON: %v\n%s", method, url, err, object)
	}
	if rt := s.mux.RouteOf(r); w.Code == http.StatusOK && rt.Pattern() != "GET /{$}" {
		var served struct{ Params map[string]string }
		if err := json.Unmarshal(w.Body.Bytes(), &served); err != nil {
			t.Fatal(err)
		}
		if status != 0 || e.Route == nil || e.Route.Pattern != rt.Pattern() || !reflect.DeepEqual(e.Params, served.Params) {
			t.Fatalf("match %q %q: status %d,\n%s\nserved by %s with %v", method, url, status, object, rt, served.Params)
		}
		return
	}
	if r.URL.Path == "/" { // the list
		return
	}
	if status != 1 || e.Route != nil || e.Status != w.Code || e.Location != w.Header().Get("Location") || strings.Join(e.Allow, ", ") != w.Header().Get("Allow") {
		t.Fatalf("match %q %q: status %d,\n%s\nserved with %d %v", method, url, status, object, w.Code, w.Header())
	}
}
