package generate

import "strings"

// A piece is a part of a template, with texts that it matches and texts that it almost
// matches.
type piece struct {
	template string
	hits     []string
	near     []string
}

// exact returns a piece that is plain text.
func exact(text string) piece {
	return piece{text, []string{text}, []string{text + "x", strings.ToUpper(text), ""}}
}

var plain = []piece{
	exact("a"), exact("b"), exact("foo"), exact("foobar"), exact("foo"), exact("x.y"),
	exact("é"), exact("A"), exact("v1"), exact("a b"), exact("a+b"), exact("~u"), exact("$"),
}

var variables = []piece{
	{"{id}", []string{"7", "foo", "a", "x.y", "é"}, []string{""}},
	{"{v}", []string{"a", "42", "b-c", "%20"}, []string{"a/b", ""}},
	{"{id:[0-9]+}", []string{"1", "42", "007"}, []string{"a", "4a", "-2", ""}},
	{"{w:[a-z]+}", []string{"a", "foo"}, []string{"A", "foo1", "7"}},
	{`{d:\d{2}}`, []string{"12"}, []string{"1", "123"}},
	{"{n:a{2,3}}", []string{"aa", "aaa"}, []string{"a", "aaaa"}},
	{"{c:a|b}", []string{"a", "b"}, []string{"ab", "c"}},
	{"{c:a|b/c}", []string{"a", "b/c"}, []string{"b", "c"}},
	{"{l:(?:foo|b/c)}", []string{"foo", "b/c"}, []string{"fo", "b"}},
	{"{i:(?i:daily|mini)}", []string{"daily", "MINI", "Daily"}, []string{"dail"}},
	{"{u:[à-ü]+}", []string{"é", "éü"}, []string{"e", "É"}},
	{"{p:.*}", []string{"", "a", "a/b", "a/b/c/"}, nil},
	{"{p:.+}", []string{"a", "a/b"}, []string{""}},
	{"{q:[a-z]*}", []string{"", "abc"}, []string{"7"}},
	{"{z:b?}", []string{"", "b"}, []string{"bb"}},
	{"{r:.*?}", []string{"", "x/y"}, nil},
	{"{g:[^a]+}", []string{"b", "b/c"}, []string{"a", "ba"}},
	{"{h:^a$}", []string{"a"}, []string{"b"}},
	{`{j:\bfoo\b}`, []string{"foo"}, []string{"fooa"}},
	{"{a}-{b}", []string{"1-2", "a-b-c", "x-y"}, []string{"a", "-", "a-"}},
	{"{name}.{ext}", []string{"f.txt", "a.b.c"}, []string{"f", ".txt"}},
	{"v{major}", []string{"v1", "v12"}, []string{"v", "w1"}},
	{"v{major:[0-9]+}.{minor:[0-9]+}", []string{"v1.2", "v10.0"}, []string{"v1", "v1."}},
	{"{file:[a-z]+}.json", []string{"a.json"}, []string{"a.jso", "7.json"}},
	{"{long-name}", []string{"a", "zz"}, []string{""}},
	{"{s p}", []string{"a", "zz"}, []string{""}},
	{"{name:[a-z]+}{number:[0-9]*}", []string{"ab12", "ab"}, []string{"12"}},
	{"@{user}", []string{"@me"}, []string{"me", "@"}},
	{"{x:[^/]{2}}", []string{"ab", "é1"}, []string{"a", "abc"}},
	{"{y:(?s:.)}", []string{"a", "/"}, []string{"ab"}},
	{"{id}", []string{"a", "7"}, []string{""}},
}

// Templates that are errors, that panic, or that build invalid URLs.
var odd = []string{
	"/{", "/}", "/{}", "/{:x}", "/{a:}", "/{a:[}", "/a{b", "/{a:{}", "a", "//", "/a//b", "/%2F",
	"/a%20b", "/{a:(x)}", "/{a:(b)(?:c)}", "/a.b(c)", "/{a:(?P<n>b)}", "/a/../b", "/./", "/a?b", "/\\",
	"/{a:*}", "/{a:x{1001}}",
}

var hosts = []piece{
	{"example.com", []string{"example.com", "example.com:8080"}, []string{"example.org", "www.example.com"}},
	{"{sub}.example.com", []string{"www.example.com", "a.example.com:80"}, []string{"example.com", "a.b.example.com"}},
	{"{sub:[a-z]+}.example.com", []string{"www.example.com"}, []string{"w1.example.com", "WWW.example.com"}},
	{"example.com:8080", []string{"example.com:8080"}, []string{"example.com", "example.com:80"}},
	{"{h:.*}", []string{"example.com", "", "a:1"}, nil},
	{"{sub}.{domain}.com", []string{"a.b.com", "www.example.com"}, []string{"b.com"}},
	{"{h}.com:{port:[0-9]+}", []string{"a.com:80"}, []string{"a.com", "a.com:x"}},
	{"{host:example.(?:com|org)}", []string{"example.com", "example.org:1"}, []string{"example.net"}},
	{"[::1]", []string{"[::1]"}, []string{"::1", "[::1]:80"}},
	{"EXAMPLE.com", []string{"EXAMPLE.com"}, []string{"example.com"}},
}

// Query pairs: the two parts of a template, and raw queries.
var queries = []struct {
	key, value string
	piece
}{
	{"k", "1", piece{hits: []string{"k=1", "x&k=1", "k=1&k=2"}, near: []string{"k=2", "k=2&k=1", "K=1", "k", "k=11"}}},
	{"k", "{kv}", piece{hits: []string{"k=abc", "k=", "k", "k=%20a", "k=a+b"}, near: []string{"kk=1", "k=%zz", "k=%0A"}}},
	{"k", "", piece{hits: []string{"k=", "k=1", "k"}, near: []string{"j=1"}}},
	{"k", "{kn:[0-9]+}", piece{hits: []string{"k=42"}, near: []string{"k=a", "k=", "k=4;j=2"}}},
	{"a b", "{ab}", piece{hits: []string{"a+b=1", "a%20b=2"}, near: []string{"ab=1", "a b=1"}}},
	{"é", "1", piece{hits: []string{"%C3%A9=1"}, near: []string{"%c3=1", "e=1"}}},
	{"j", "{ja}.{jb}", piece{hits: []string{"j=1.2", "j=."}, near: []string{"j=12"}}},
	{"j", "x{jx:y?}", piece{hits: []string{"j=x", "j=xy"}, near: []string{"j=xyy"}}},
	{"k[]", "1", piece{hits: []string{"k[]=1", "k%5B%5D=1"}, near: []string{"k=1"}}},
	{"k", "a&b=c", piece{hits: []string{"k=a%26b%3Dc"}, near: []string{"k=a&b=c"}}},
	{"", "{none}", piece{hits: []string{"=1"}, near: []string{"", "&"}}},
	{"q", "{qv:.*}", piece{hits: []string{"q=a/b", "q=1;q=2"}, near: []string{"Q=1"}}},
	{"k", "{bad:(}", piece{hits: []string{"k=1"}, near: nil}},
}

var (
	methods = []string{"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "CONNECT", "TRACE", "get", "QUERY"}
	headers = [][3]string{ // name and value of the matcher, value that matches
		{"X-A", "1", "1"}, {"x-a", "2", "2"}, {"X-B", "", "any"}, {"Accept", "text/html", "text/html"},
	}
	headerRegexps = [][3]string{
		{"X-A", "^[0-9]+$", "42"}, {"X-B", "html", "xhtml"}, {"x-b", "", "any"}, {"X-A", "(1|2)", "12"},
	}
	names = []string{"n1", "n2", "n3", "n4", "home"}
)
