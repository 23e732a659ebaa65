package routelist_test

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/muxwell/muxwell"
	"github.com/muxwell/muxwell/internal/routelist"
)

func TestParseOptions(t *testing.T) {
	tests := []struct {
		line    string
		pattern string
		want    []string // column:key:value of each option
	}{
		{"/a", "/a", nil},
		{"GET /a name=x", "GET /a", []string{"8:name:x"}},
		{"\tGET /a\t name=x \t scheme=https \t", "GET /a", []string{"10:name:x", "19:scheme:https"}},
		{"GET /v/{id}   name=v header=X-Beta:1 query=q={q} scheme=https accept=application/json", "GET /v/{id}", []string{
			"15:name:v", "22:header:X-Beta:1", "38:query:q={q}", "50:scheme:https", "63:accept:application/json",
		}},
		{"/a header=A header=B:c header-regexp=C:.+ query=q query=r={r}", "/a", []string{
			"4:header:A", "13:header:B:c", "24:header-regexp:C:.+", "43:query:q", "51:query:r={r}",
		}},
		{"/a content-type=text/plain client=10.0.0.0/8,::1 trusted=192.0.2.1 meta=a:b meta=c:d=e meta=f:", "/a", []string{
			"4:content-type:text/plain", "28:client:10.0.0.0/8,::1", "50:trusted:192.0.2.1", "68:meta:a:b", "77:meta:c:d=e", "88:meta:f:",
		}},
		{"/a trusted=192.0.2.1 client=::1", "/a", []string{"4:trusted:192.0.2.1", "22:client:::1"}},
		// Quotes, as in Go.
		{`/a header="X-Note: a b"`, "/a", []string{"4:header:X-Note: a b"}},
		{`/a header="X: # \"b\" \\ \u00e9 é"  name=y`, "/a", []string{`4:header:X: # "b" \ é é`, "38:name:y"}},
		{`/a name="x"`, "/a", []string{"4:name:x"}},
		{`/a accept="text/csv; header=present, text/plain; x=\"a,b\""`, "/a", []string{`4:accept:text/csv; header=present, text/plain; x="a,b"`}},
		{`/a query="q={x:[a b]}"`, "/a", []string{"4:query:q={x:[a b]}"}},
		{`/a header-regexp=X:\d+\x20`, "/a", []string{`4:header-regexp:X:\d+\x20`}},
		{`/a meta=a:'b'`, "/a", []string{`4:meta:a:'b'`}},
		// A comment begins after a space, but not in quotes.
		{"/a name=x # name=y", "/a", []string{"4:name:x"}},
		{"/a name=x\t#", "/a", []string{"4:name:x"}},
		{"/a meta=k:#b#c", "/a", []string{"4:meta:k:#b#c"}},
		{`/a meta="k: # b" # c`, "/a", []string{"4:meta:k: # b"}},
		{`/a # meta="k`, "/a", nil},
		{`/a meta="k:\" # b"#`, "", nil},
		// Braces are the pattern's alone.
		{"/{a name=b} name=c", "/{a name=b}", []string{"13:name:c"}},
		{"/a meta=k:{ # }", "/a", []string{"4:meta:k:{"}},
		{"/a meta=k:} name=x", "/a", []string{"4:meta:k:}", "13:name:x"}},
		{`/{x:" } name="y z"`, `/{x:" }`, []string{"9:name:y z"}},
		{"{t:a b}.h/a name=x", "{t:a b}.h/a", []string{"13:name:x"}},
		// What is no path has no options, and behind a brace that never closes is none.
		{"GET name=x", "GET name=x", nil},
		{"/{a name=x", "/{a name=x", nil},
		{"/a=b", "/a=b", nil},
	}
	for _, tt := range tests {
		entries, err := routelist.Parse("list", strings.NewReader(tt.line))
		if tt.pattern == "" {
			if err == nil {
				t.Errorf("Parse(%q) = %+v, want an error", tt.line, entries)
			}
			continue
		}
		if err != nil || len(entries) != 1 {
			t.Errorf("Parse(%q): %d entries, %v", tt.line, len(entries), err)
			continue
		}
		var got []string
		for _, o := range entries[0].Options {
			got = append(got, fmt.Sprintf("%d:%s:%s", o.Column, o.Key, o.Value))
		}
		if e := entries[0]; e.Pattern != tt.pattern || !slices.Equal(got, tt.want) {
			t.Errorf("Parse(%q) = %q with %q, want %q with %q", tt.line, e.Pattern, got, tt.pattern, tt.want)
		}
	}
}

// An error of an option has its column, whoever finds it.
func TestOptionErrors(t *testing.T) {
	keys := "options are " + keyList()
	tests := []struct {
		line   string
		column int
		want   string // how the reason begins
	}{
		{"/a b", 3, "a space in a path; write it as %20"},
		{"/a /b", 3, "a space in a path; "},
		{"/a \t name", 3, "a space in a path; "},
		{"/a =b", 3, "a space in a path; "},
		{"/a x?y=b", 3, "a space in a path; "},
		{"/a é=b", 3, "a space in a path; "},
		{"/a name=x y # z", 11, `"y" is not an option, which is written as in name=user; `},
		{`/a name=x "y z"`, 11, `"\"y" is not an option`},
		{"/a  b=c", 5, `unknown option "b"; the ` + keys},
		{"/a Name=x", 4, `unknown option "Name"; did you mean name? The ` + keys},
		{"/a headers=x", 4, `unknown option "headers"; did you mean header? The`},
		{"/a header_regex=x", 4, `unknown option "header_regex"; did you mean header-regexp? The`},
		{"/a CONTENT_TYPE=x", 4, `unknown option "CONTENT_TYPE"; did you mean content-type? The`},
		{"/a sheme=x", 4, `unknown option "sheme"; did you mean scheme? The`},
		{"/a name=x methods=GET", 11, `unknown option "methods"; the`},
		{"/a " + strings.Repeat("x", 1000) + "=", 4, `unknown option "` + strings.Repeat("x", 60) + `…"; the`},
		{"/a name=", 4, "name has no value; write name=NAME"},
		{`/a scheme=""`, 4, "scheme has no value; write scheme=SCHEME,SCHEME"},
		{"/a name= x", 4, "name has no value"},
		// Quotes.
		{`/a name=x meta="k:b # c`, 11, `the quote is never closed; add the '"'`},
		{`/a meta="`, 4, `the quote is never closed`},
		{`/a meta="k:\"`, 4, `the quote is never closed`},
		{`/a meta="k:b"c`, 4, "text after the closing quote"},
		{`/a meta="k:b"name=x`, 4, "text after the closing quote"},
		{`/a meta=k:"b"`, 4, `a quote within a value; quote the whole value, and write this quote as \"`},
		{`/a meta="k:\d"`, 4, `not a valid Go string; write \\ for a backslash`},
		{"/a meta=k:\u00a0", 11, `U+00A0 looks like a space but is not; write a plain space, or in quotes write \u00a0`},
		{"/a meta=k:\x1b", 11, `control character U+001B; in quotes write \x1b`},
		{"/a meta=\"k:\u202e\"", 12, `U+202E is invisible and changes the direction of text; in quotes write \u202e`},
		// Twice.
		{"/a name=x name=y", 11, "the line has name twice; remove one of them"},
		{"/a scheme=http header=A scheme=https", 25, "the line has scheme twice; write one, scheme=SCHEME,SCHEME"},
		{"/a accept=a/b accept=c/d", 15, "the line has accept twice; write one, accept=TYPE,TYPE"},
		{"/a content-type=a/b content-type=c/d", 21, "the line has content-type twice"},
		{"/a client=::1 client=::2", 15, "the line has client twice"},
		{"/a client=::1 trusted=::1 trusted=::2", 27, "the line has trusted twice"},
		{"/a meta=k:a meta=l:a meta=k:b", 22, `the line has meta="k" twice; remove one of them`},
		{"/a query=q={q} query=q={r}", 16, `the route requires the key "q" twice`},
		// Values.
		{"/a header=X:", 4, `the header has no value; for any value write header="X"`},
		{"/a header=:x", 4, "a header's name is empty"},
		{"/a scheme=https header=X/Y:1", 17, `"X/Y" cannot be a header's name`},
		{"/a header=X:1 header=Host:h", 15, "the host is not among the headers of a request"},
		{`/a header="X:a\nb"`, 4, `header "X": no value of a header has a control character`},
		{"/a header-regexp=X", 4, `the header has no expression; write header-regexp=NAME:EXPR, or for any value header="X"`},
		{"/a header=A:( header-regexp=X:( header-regexp=X:(", 15, `header "X": invalid regular expression`},
		{"/a query=q=", 4, `the key has no template; for any value, even none, write query="q"`},
		{"/a query==x", 4, "a key is empty"},
		{"/{id} query=p={p} query=q={id}", 19, `template "{id}": at offset 1: duplicate parameter name "id"`},
		{"/a query=q={p query=r", 4, `template "{p": at offset 0: '{' is never closed`},
		{"/a name=x scheme=http,ftp", 11, `unknown scheme "ftp"`},
		{"/a scheme=https,", 4, `unknown scheme ""`},
		{"/a query=q accept=text/*", 12, `"text/*" is a range`},
		{"/a accept=json", 4, `"json" is not a media type`},
		{"/a content-type=a/b;q=1", 4, `"a/b;q=1" has a weight`},
		{"/a query=q client=10.0.0.0/8,x", 12, `"x" is not a prefix of addresses; write 192.0.2.0/24`},
		{"/a client=10.0.0.0/33", 4, `"10.0.0.0/33" is not a prefix`},
		{"/a client=fe80::1%eth0", 4, `"fe80::1%eth0" is not a prefix`},
		{"/a client=::ffff:1.2.3.4", 4, `"::ffff:1.2.3.4" is IPv4 within IPv6`},
		{"/a trusted=, client=::1", 4, `"" is not a prefix of addresses`},
		{"/a name=x trusted=::1", 11, "trusted names the proxies that client trusts; add client=PREFIX"},
		{"/a meta=k", 4, "a key and a string are needed; write meta=KEY:VALUE"},
		{"/a meta=:k", 4, "a key and a string are needed"},
		// The pattern's fault keeps its place.
		{" /{a name=x", 3, "'{' is never closed"},
		{"/{}/{a} name=x", 3, "the parameter has no name"},
	}
	for _, tt := range tests {
		err := routelist.Load(muxwell.New(), "list", strings.NewReader(tt.line), noops)
		errs, _ := err.(routelist.Errors)
		if len(errs) != 1 || errs[0].Column != tt.column || !strings.HasPrefix(errs[0].Reason, tt.want) || errs[0].Text != tt.line {
			t.Errorf("Load(%.100q): %v\nwant column %d, %s", tt.line, err, tt.column, tt.want)
		}
	}
}

// What is refused because of another line shows both.
func TestOptionErrorsOfTwoLines(t *testing.T) {
	tests := []struct{ list, want string }{
		{"GET /a name=x\n\nGET /b scheme=https name=x # c\n", `list:3: line 1 already has the name "x"; choose another
	1 | GET /a name=x
	3 | GET /b scheme=https name=x # c
	  |                     ^`},
		{"/a meta=k:1\n/a meta=k:2\n", `list:2: conflicts with line 1: both match the same requests like "/a". Remove one of them
	1 | /a meta=k:1
	2 | /a meta=k:2
	  | ^`},
	}
	for _, tt := range tests {
		err := routelist.Load(muxwell.New(), "list", strings.NewReader(tt.list), noops)
		if err == nil || err.Error() != tt.want {
			t.Errorf("Load(%q):\ngot:\n%v\nwant:\n%s", tt.list, err, tt.want)
		}
	}
	// The other may be of Go code.
	m := muxwell.New()
	if _, err := m.Add("/", noop, muxwell.Name("x")); err != nil {
		t.Fatal(err)
	}
	err := routelist.Load(m, "list", strings.NewReader("/a name=x"), noops)
	if err == nil || !strings.HasPrefix(err.Error(), `list:1: pattern "/", registered at `) || !strings.Contains(err.Error(), "option_test.go:") {
		t.Errorf("Load: %v, want the pattern and the Go source of the other", err)
	}
}

// A line that is refused leaves nothing behind, whatever was tried to find out why.
func TestRefusedOptionsLeaveNothing(t *testing.T) {
	m := muxwell.New()
	err := routelist.Load(m, "list", strings.NewReader("/a name=x header=A scheme=ftp\n/b name=x\n"), noops)
	var got []string
	for rt := range m.Routes() {
		got = append(got, rt.Source()+" "+rt.Pattern()+" "+rt.Name())
	}
	if want := []string{"list:2 /b x"}; !slices.Equal(got, want) {
		t.Errorf("routes %q, want %q; the error is %v", got, want, err)
	}
}

// An option is what it says: the routes of a list take the requests that they
// should.
func TestOptionsMatch(t *testing.T) {
	const list = `
/h        header=X-A:1 header=X-B
/spaces   header="X-A:  a b "
/re       header-regexp=X-A:v[0-9]+|w
/q        query=q={q} query=on query="r=a {b}"
/https    scheme=https
/either   scheme="http, HTTPS"
/json     accept=application/json,text/json
/body     content-type=application/json
/client   client=10.0.0.0/8,::1
/proxied  client=10.0.0.0/8 trusted=192.0.2.0/24,192.0.3.1
/named    name=n meta=owner:a:b meta=x:
`
	m := muxwell.New()
	if err := routelist.Load(m, "list", strings.NewReader(list), noops); err != nil {
		t.Fatal(err)
	}
	for rt := range m.Routes() {
		if owner, _ := rt.Meta("owner"); rt.Path() == "/named" && (rt.Name() != "n" || owner != "a:b") {
			t.Errorf("/named is called %q and has the owner %v, want n and a:b", rt.Name(), owner)
		}
	}
	tests := []struct {
		target string
		setup  func(r *http.Request)
		status int
	}{
		{"/h", header("X-A", "1", "X-B", ""), 200},
		{"/h", header("X-A", "1"), 404},
		{"/h", header("X-A", "2", "X-B", ""), 404},
		{"/spaces", header("X-A", "a b"), 200},
		{"/re", header("X-A", "v12"), 200},
		{"/re", header("X-A", "v12 "), 404},
		{"/q?q=1&on&r=a+c", nil, 200},
		{"/q?q=1&on&r=c", nil, 404},
		{"/q?q=1&r=a+c", nil, 404},
		{"/q?q=&on&r=a+c", nil, 404},
		{"/https", nil, 404},
		{"/https", func(r *http.Request) { r.TLS = new(tls.ConnectionState) }, 200},
		{"/either", nil, 200},
		{"/either", func(r *http.Request) { r.TLS = new(tls.ConnectionState) }, 200},
		{"/json", header("Accept", "text/json"), 200},
		{"/json", header("Accept", "text/html"), 406},
		{"/body", header("Content-Type", "application/json"), 200},
		{"/body", header("Content-Type", "text/plain"), 415},
		{"/client", from("10.1.2.3:4"), 200},
		{"/client", from("[::1]:4"), 200},
		{"/client", from("11.1.2.3:4"), 404},
		{"/proxied", from("10.1.2.3:4"), 200},
		{"/proxied", from("192.0.3.1:4", "X-Forwarded-For", "10.1.2.3"), 200},
		{"/proxied", from("192.0.3.2:4", "X-Forwarded-For", "10.1.2.3"), 404},
		{"/named", nil, 200},
	}
	for _, tt := range tests {
		r := httptest.NewRequest("GET", tt.target, nil)
		if tt.setup != nil {
			tt.setup(r)
		}
		w := httptest.NewRecorder()
		m.ServeHTTP(w, r)
		if w.Code != tt.status {
			t.Errorf("GET %s from %s, TLS %v, with %v: %d, want %d", tt.target, r.RemoteAddr, r.TLS != nil, r.Header, w.Code, tt.status)
		}
	}
}

// header returns what gives a request these headers.
func header(pairs ...string) func(*http.Request) {
	return func(r *http.Request) {
		for pair := range slices.Chunk(pairs, 2) {
			r.Header.Add(pair[0], pair[1])
		}
	}
}

// from returns what makes a request come from a peer, with these headers.
func from(remoteAddr string, pairs ...string) func(*http.Request) {
	return func(r *http.Request) {
		r.RemoteAddr = remoteAddr
		header(pairs...)(r)
	}
}

// keyList returns the keys of options as an error lists them.
func keyList() string {
	var keys []string
	for line := range strings.Lines(routelist.Usage()) {
		key, _, _ := strings.Cut(strings.TrimSpace(line), "=")
		keys = append(keys, key)
	}
	last := len(keys) - 1
	return strings.Join(keys[:last], ", ") + " and " + keys[last]
}
