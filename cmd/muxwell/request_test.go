package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// optionList has a route for each thing that a request can have besides.
const optionList = `
GET /v/{id}   header=X-Beta:1 query=q={q}
GET /v/{id}   header="X-Note: a b"
GET /v/{id}
GET /tls      scheme=https
GET /plain    scheme=http
GET /near     client=127.0.0.0/8
GET /far      client=192.0.2.0/24,2001:db8::/32
GET /behind   client=10.0.0.0/8 trusted=192.0.2.1
GET /doc      accept=text/csv
GET /doc      accept=text/html
POST /doc     content-type=application/json
GET h.example/{$}
`

// What the flags and the URL say of a request decides which route matches it.
func TestMatchOptions(t *testing.T) {
	tests := []struct {
		args   []string
		line   int // of the route; 0 for none
		params map[string]string
		status int // that is answered without a route
	}{
		{[]string{"GET", "/v/1"}, 4, map[string]string{"id": "1"}, 0},
		{[]string{"-H", "X-Beta: 1", "GET", "/v/1?q=a+b%21"}, 2, map[string]string{"id": "1", "q": "a b!"}, 0},
		{[]string{"-H", "x-beta:1", "GET", "http://h.example/v/1?p&q=2"}, 2, map[string]string{"id": "1", "q": "2"}, 0},
		{[]string{"-H", "X-Beta: 1", "GET", "/v/1"}, 4, map[string]string{"id": "1"}, 0},
		{[]string{"-H", "X-Beta: 2", "GET", "/v/1?q=2", "-H", "X-Beta: 1"}, 2, map[string]string{"id": "1", "q": "2"}, 0},
		{[]string{"-H", "X-Note:  a b ", "GET", "/v/1"}, 3, map[string]string{"id": "1"}, 0},
		{[]string{"GET", "/tls"}, 0, nil, 404},
		{[]string{"GET", "http://h.example/tls"}, 0, nil, 404},
		{[]string{"GET", "https://h.example/tls"}, 5, nil, 0},
		{[]string{"GET", "HTTPS://h.example/tls?x"}, 5, nil, 0},
		{[]string{"GET", "/plain?https://"}, 6, nil, 0},
		{[]string{"GET", "https://h.example/plain"}, 0, nil, 404},
		{[]string{"-H", "X-Forwarded-Proto: https", "GET", "/tls"}, 0, nil, 404},
		{[]string{"GET", "/near"}, 7, nil, 0},
		{[]string{"-client", "192.0.2.7", "GET", "/near"}, 0, nil, 404},
		{[]string{"GET", "/far"}, 0, nil, 404},
		{[]string{"-client", "192.0.2.7", "GET", "/far"}, 8, nil, 0},
		{[]string{"-client", "[2001:db8::1]:443", "GET", "/far"}, 8, nil, 0},
		{[]string{"-client=2001:db8::1", "GET", "/far"}, 8, nil, 0},
		{[]string{"-client", "192.0.2.1", "-H", "X-Forwarded-For: 10.1.2.3", "GET", "/behind"}, 9, nil, 0},
		{[]string{"-H", "X-Forwarded-For: 10.1.2.3", "GET", "/behind"}, 0, nil, 404},
		{[]string{"GET", "/doc"}, 10, nil, 0},
		{[]string{"-H", "Accept: text/html, text/csv;q=0.5", "GET", "/doc"}, 11, nil, 0},
		{[]string{"-H", "Accept: image/png", "GET", "/doc"}, 0, nil, 406},
		{[]string{"POST", "/doc"}, 12, nil, 0},
		{[]string{"-H", "Content-Length: 1", "POST", "/doc"}, 0, nil, 415},
		{[]string{"-H", "Transfer-Encoding: chunked", "POST", "/doc"}, 0, nil, 415},
		{[]string{"-H", "Content-Type: application/json; charset=utf-8", "POST", "/doc"}, 12, nil, 0},
		{[]string{"-H", "host: H.example", "GET", "/"}, 13, nil, 0},
		{[]string{"-H", "Host: localhost", "GET", "http://h.example"}, 13, nil, 0},
	}
	for _, tt := range tests {
		status, stdout, stderr := call(t, optionList, append([]string{"match", "-json", "-"}, tt.args...)...)
		var got struct {
			matchJSON
			Params map[string]string `json:"params"`
		}
		if err := json.Unmarshal([]byte(stdout), &got); err != nil {
			t.Errorf("match %q: %v, stderr %q, stdout:\n%s", tt.args, err, stderr, stdout)
			continue
		}
		source := "none"
		if got.Route != nil {
			source = got.Route.Source
		}
		want, wantStatus := fmt.Sprintf("<standard input>:%d", tt.line), 0
		if tt.line == 0 {
			want, wantStatus = "none", 1
		}
		if source != want || got.Status != tt.status || status != wantStatus || len(got.Params)+len(tt.params) > 0 && !reflect.DeepEqual(got.Params, tt.params) {
			t.Errorf("match %q: status %d, route %s with %v, %d; want %d, %s with %v, %d", tt.args, status, source, got.Params, got.Status, wantStatus, want, tt.params, tt.status)
		}
	}
}

func TestMatchFlagErrors(t *testing.T) {
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"-H", "X", "GET", "/a"}, `invalid value "X" for flag -H: write NAME:VALUE, as in "Accept: application/json"`},
		{[]string{"-H", ": x", "GET", "/a"}, `invalid value ": x" for flag -H: "" is not a valid header name`},
		{[]string{"-H", "X Y: x", "GET", "/a"}, `invalid value "X Y: x" for flag -H: "X Y" is not a valid header name`},
		{[]string{"-H", "X: a\r\nHost: b", "GET", "/a"}, `invalid value "X: a\r\nHost: b" for flag -H: the value has a control character, which servers reject`},
		{[]string{"-H", "Content-Length: x", "GET", "/a"}, `servers reject these headers: bad Content-Length "x"`},
		{[]string{"-H", "Host: a", "-H", "host: b", "GET", "/a"}, "a request has one Host, not 2; the URL may have it instead"},
		{[]string{"-client", "here", "GET", "/a"}, `invalid value "here" for flag -client: write an IP address, such as 192.0.2.1 or 2001:db8::1`},
		{[]string{"-client", "1.2.3.4:x", "GET", "/a"}, `invalid value "1.2.3.4:x" for flag -client: write an IP address, such as 192.0.2.1 or 2001:db8::1`},
		{[]string{"GET", "/a", "-H"}, "flag needs an argument: -H"},
	}
	for _, tt := range tests {
		status, stdout, stderr := call(t, "GET /a\n", append([]string{"match", "-"}, tt.args...)...)
		want := "muxwell match: " + tt.want + "\nRun 'muxwell match -h' for usage.\n"
		if status != 2 || stdout != "" || stderr != want {
			t.Errorf("match %q: status %d, stdout %q, stderr:\n%s\nwant 2, nothing, and:\n%s", tt.args, status, stdout, stderr, want)
		}
	}
}

// A fault of an option is told with its place, by each command.
func TestOptionFaults(t *testing.T) {
	const list = "GET /a name=x\nGET /b query=q={q header=X\n"
	const want = "<standard input>:2: template \"{q\": at offset 0: '{' is never closed; add the '}', or for the character itself write {x:\\{}\n" +
		"\t2 | GET /b query=q={q header=X\n\t  |        ^\n"
	for args, wantStatus := range map[string]int{"check -": 1, "match - GET /a": 2, "serve -addr localhost:0 -": 1} {
		status, _, stderr := call(t, list, strings.Fields(args)...)
		if status != wantStatus || stderr != want {
			t.Errorf("muxwell %s: status %d, stderr:\n%s\nwant %d and:\n%s", args, status, stderr, wantStatus, want)
		}
	}
	_, stdout, _ := call(t, list, "check", "-json", "-")
	var got checkJSON
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || len(got.Errors) != 1 || got.Errors[0].Column != 8 || got.Errors[0].Line != 2 {
		t.Errorf("check -json: %v, %+v, want one error at line 2, column 8", err, got.Errors)
	}
}
