package muxwell

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestBadPatterns holds every way to write a pattern wrong, with the whole of
// what the error says.
func TestBadPatterns(t *testing.T) {
	const (
		noPath       = "no path: a pattern is [METHOD ][HOST]/PATH; for a path write "
		noPathAfter  = "no path after the method; to match every path write "
		noneBefore   = "a method is missing before the comma"
		noneAfter    = "a method is missing after the comma"
		blankBefore  = "no blank may stand before a comma; write "
		notInMethod  = " cannot stand in a method"
		blankInHost  = "blank or comma in a host; a pattern is [METHOD ][HOST]/PATH, and methods are listed as GET,POST without blanks"
		starInHost   = "a host is literal text, '*' cannot stand at its beginning"
		unclosed     = "'{' is never closed; for the character itself write %7B"
		slashBefore  = "a parameter is a whole segment: put a '/' before it; for the character itself write %7B"
		slashAfter   = "a parameter is a whole segment: a '/' or the end must follow its '}'"
		nameless     = "the parameter has no name; write {id}, or {path...} for a catch-all"
		notInName    = " cannot stand in a parameter's name"
		standsOnce   = "; a name stands once in a pattern"
		afterEnd     = "{$} is the end of a path; nothing can follow it"
		afterRest    = "a catch-all takes the rest of a path; nothing can follow it"
		neverReaches = " request reaches this path, since paths are cleaned first; write "
	)
	for _, row := range []struct {
		pattern string
		offset  int
		reason  string
		caret   string // the last two lines, without their tabs
	}{
		// No path.
		{"", 0, `the pattern is empty; to match every path write "/"`, "\n^"},
		{"a", 1, noPath + `"/a"`, "a\n ^"},
		{"GET", 3, noPathAfter + `"GET /"`, "GET\n   ^"},
		{"GET ", 4, noPathAfter + `"GET /"`, "GET \n    ^"},
		{"M-SEARCH", 8, noPathAfter + `"M-SEARCH /"`, "M-SEARCH\n        ^"},
		{"GET,POST", 8, noPathAfter + `"GET,POST /"`, "GET,POST\n        ^"},
		{"get", 3, noPath + `"/get"`, "get\n   ^"},
		{"localhost", 9, noPath + `"/localhost"`, "localhost\n         ^"},
		{"example.com", 11, `no path; for this host write "example.com/", for a path "/example.com"`, "example.com\n           ^"},
		{"GET a", 5, noPath + `"GET /a"`, "GET a\n     ^"},
		{"GET\ta", 5, noPath + `"GET\t/a"`, "GET\\ta\n      ^"},
		{"GET example.com", 15, `no path; for this host write "GET example.com/", for a path "GET /example.com"`, "GET example.com\n               ^"},
		{"h:80", 4, `no path; for this host write "h:80/", for a path "/h:80"`, "h:80\n    ^"},
		{"\x00", 1, noPath + `"/\x00"`, "\\x00\n    ^"},
		{",", 1, noPath + `"/,"`, ",\n ^"},

		// Methods.
		{", /a", 0, noneBefore, ", /a\n^"},
		{",GET /a", 0, noneBefore, ",GET /a\n^"},
		{"GET,,POST /a", 4, noneBefore, "GET,,POST /a\n    ^"},
		{"GET, /a", 4, noneAfter, "GET, /a\n    ^"},
		{"GET, POST /a", 4, `no blank may follow a comma; write "GET,POST /a"`, "GET, POST /a\n    ^"},
		{"GET,\tPOST,PUT /a", 4, `no blank may follow a comma; write "GET,POST,PUT /a"`, "GET,\\tPOST,PUT /a\n    ^"},
		{"GET, b/a", 4, noneAfter, "GET, b/a\n    ^"},
		{"GET ,POST /a", 3, blankBefore + `"GET,POST /a"`, "GET ,POST /a\n   ^"},
		{"GET , POST /a", 3, blankBefore + `"GET,POST /a"`, "GET , POST /a\n   ^"},
		{"GET,GET /a", 4, "method GET is listed twice", "GET,GET /a\n    ^"},
		{"GET,POST,GET /a", 9, "method GET is listed twice", "GET,POST,GET /a\n         ^"},
		{"G@T /a", 1, "'@'" + notInMethod, "G@T /a\n ^"},
		{"GET,P@ST /a", 5, "'@'" + notInMethod, "GET,P@ST /a\n     ^"},
		{"GÉT /a", 1, "'É'" + notInMethod, "GÉT /a\n ^"},
		{"G\xffT /a", 1, "byte 0xff" + notInMethod, "G\\xffT /a\n ^"},
		{"G\x00T /a", 1, `'\x00'` + notInMethod, "G\\x00T /a\n ^"},
		{"GET: /a", 3, "':'" + notInMethod, "GET: /a\n   ^"},
		{"(GET) /a", 0, "'('" + notInMethod, "(GET) /a\n^"},
		{"example.com: /a", 11, "':'" + notInMethod, "example.com: /a\n           ^"},

		// Hosts.
		{"GET POST /a", 8, blankInHost, "GET POST /a\n        ^"},
		{"GET,POST/a", 3, blankInHost, "GET,POST/a\n   ^"},
		{"*.example.com/", 0, starInHost, "*.example.com/\n^"},
		{"GET *.example.com/", 4, starInHost, "GET *.example.com/\n    ^"},
		{"*/", 0, starInHost, "*/\n^"},
		{"{h}/a", 0, `a host is literal text; to begin a path write "/{h}"`, "{h}/a\n^"},
		{"GET {h}.example.com/a", 4, `a host is literal text, '{' cannot stand in it`, "GET {h}.example.com/a\n    ^"},
		{"h{x}/a", 1, `a host is literal text, '{' cannot stand in it`, "h{x}/a\n ^"},
		{"{h}/a{", 0, `a host is literal text; to begin a path write "/{h}"`, "{h}/a{\n^"},

		// Braces.
		{"/{", 1, unclosed, "/{\n ^"},
		{"/{a", 1, unclosed, "/{a\n ^"},
		{"/a{", 2, unclosed, "/a{\n  ^"},
		{"/a/{b", 3, unclosed, "/a/{b\n   ^"},
		{"/{a/b", 1, unclosed, "/{a/b\n ^"},
		{"/{a/{b}", 3, `"/"` + notInName, "/{a/{b}\n   ^"},
		{"/{a/b}", 3, `"/"` + notInName, "/{a/b}\n   ^"},
		{"/{a/b/{c}x", 9, slashAfter, "/{a/b/{c}x\n         ^"},
		{"/a{b}", 2, slashBefore, "/a{b}\n  ^"},
		{"/a{b}c", 2, slashBefore, "/a{b}c\n  ^"},
		{"/é{b}", 3, slashBefore, "/é{b}\n  ^"},
		{"/{a}b", 4, slashAfter, "/{a}b\n    ^"},
		{"/{a}{b}", 4, slashAfter, "/{a}{b}\n    ^"},
		{"/{a}}", 4, slashAfter, "/{a}}\n    ^"},
		{"/{a}.json", 4, slashAfter, "/{a}.json\n    ^"},
		{"/{a}:b", 4, slashAfter, "/{a}:b\n    ^"},
		{"/{a}é", 4, slashAfter, "/{a}é\n    ^"},
		{"/日本{x}", 7, slashBefore, "/日本{x}\n   ^"},

		// Names.
		{"/{}", 2, nameless, "/{}\n  ^"},
		{"/{}/a", 2, nameless, "/{}/a\n  ^"},
		{"/{...}", 2, nameless, "/{...}\n  ^"},
		{"/{$...}", 2, "{$} is the end of a path, not a parameter that can be a catch-all", "/{$...}\n  ^"},
		{"/{a{b}", 3, `"{"` + notInName, "/{a{b}\n   ^"},
		{"/{a:b}", 3, `":"` + notInName, "/{a:b}\n   ^"},
		{"/{a:[0-9]+}", 3, `":"` + notInName, "/{a:[0-9]+}\n   ^"},
		{"/{a:[0-9]{4}}", 12, slashAfter, "/{a:[0-9]{4}}\n            ^"},
		{"/{:}", 2, `":"` + notInName, "/{:}\n  ^"},
		{"/{......}", 2, `"..." cannot end a parameter's name`, "/{......}\n  ^"},
		{"/{a......}", 3, `"..." cannot end a parameter's name`, "/{a......}\n   ^"},
		{"/{a}/{a}", 6, `two parameters are called "a"` + standsOnce, "/{a}/{a}\n      ^"},
		{"/{a}/{b}/{a...}", 10, `two parameters are called "a"` + standsOnce, "/{a}/{b}/{a...}\n          ^"},
		{"/{é}/{é}", 7, `two parameters are called "é"` + standsOnce, "/{é}/{é}\n      ^"},
		{"/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{8}", 34, `two parameters are called "8"` + standsOnce, "/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{8}\n                                  ^"},
		{"/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{1}", 34, `two parameters are called "1"` + standsOnce, "/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{1}\n                                  ^"},
		{"/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{9}/{9}", 38, `two parameters are called "9"` + standsOnce, "/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{9}/{9}\n                                      ^"},
		{"/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{9}/{8...}", 38, `two parameters are called "8"` + standsOnce, "/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{9}/{8...}\n                                      ^"},

		// What ends a path.
		{"/{$}/", 1, afterEnd, "/{$}/\n ^"},
		{"/{$}/a", 1, afterEnd, "/{$}/a\n ^"},
		{"/a/{$}/{b}", 3, afterEnd, "/a/{$}/{b}\n   ^"},
		{"/{$}a", 4, slashAfter, "/{$}a\n    ^"},
		{"/{a...}/", 1, afterRest, "/{a...}/\n ^"},
		{"/{a...}/b", 1, afterRest, "/{a...}/b\n ^"},
		{"/{a...}/{$}", 1, afterRest, "/{a...}/{$}\n ^"},
		{"/{a...}/{a}", 1, afterRest, "/{a...}/{a}\n ^"},
		{"/{...}/", 1, afterRest, "/{...}/\n ^"},

		// Unclean paths, which no request reaches.
		{"GET //a", 5, "no GET" + neverReaches + `"GET /a"`, "GET //a\n     ^"},
		{"GET //", 5, "no GET" + neverReaches + `"GET /"`, "GET //\n     ^"},
		{"GET /a//b", 7, "no GET" + neverReaches + `"GET /a/b"`, "GET /a//b\n       ^"},
		{"GET /a//", 7, "no GET" + neverReaches + `"GET /a/"`, "GET /a//\n       ^"},
		{"GET /./a", 5, "no GET" + neverReaches + `"GET /a"`, "GET /./a\n     ^"},
		{"GET /.", 5, "no GET" + neverReaches + `"GET /"`, "GET /.\n     ^"},
		{"GET /a/.", 7, "no GET" + neverReaches + `"GET /a"`, "GET /a/.\n       ^"},
		{"GET /a/./", 7, "no GET" + neverReaches + `"GET /a/"`, "GET /a/./\n       ^"},
		{"GET /..", 5, "no GET" + neverReaches + `"GET /"`, "GET /..\n     ^"},
		{"GET /a/..", 7, "no GET" + neverReaches + `"GET /"`, "GET /a/..\n       ^"},
		{"GET /a/../b", 7, "no GET" + neverReaches + `"GET /b"`, "GET /a/../b\n       ^"},
		{"GET /a/../", 7, "no GET" + neverReaches + `"GET /"`, "GET /a/../\n       ^"},
		{"GET /a/b/../c", 9, "no GET" + neverReaches + `"GET /a/c"`, "GET /a/b/../c\n         ^"},
		{"GET h/a//b", 8, "no GET" + neverReaches + `"GET h/a/b"`, "GET h/a//b\n        ^"},
		{"GET,POST //a", 10, "no GET,POST" + neverReaches + `"GET,POST /a"`, "GET,POST //a\n          ^"},
		{"GET /é/../è", 8, "no GET" + neverReaches + `"GET /è"`, "GET /é/../è\n       ^"},
		{"GET /{a}/../b", 9, "no GET" + neverReaches + `"GET /b"`, "GET /{a}/../b\n         ^"},
		{"GET /a//{b", 7, "no GET" + neverReaches + `"GET /a/{b"`, "GET /a//{b\n       ^"},

		// What does not print.
		{"/\x01\x02{", 3, unclosed, "/\\x01\\x02{\n         ^"},
		{"/\xff\xfe{a", 3, unclosed, "/\\xff\\xfe{a\n         ^"},
		{"/\t{", 2, unclosed, "/\\t{\n   ^"},
		{"/a\nb{", 4, unclosed, "/a\\nb{\n     ^"},
		{"/\u200b{", 4, unclosed, "/\\u200b{\n       ^"},
		{"/\u202e{", 4, unclosed, "/\\u202e{\n       ^"},
		{`/"{`, 2, unclosed, "/\"{\n  ^"},
		{`/\{`, 2, unclosed, "/\\\\{\n   ^"},
		{"GET /\x00//", 7, "no GET" + neverReaches + `"GET /\x00/"`, "GET /\\x00//\n          ^"},

		// Long ones.
		{"/" + strings.Repeat("a", 49) + "{", 50, unclosed, "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa{\n                                                  ^"},
		{"/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa{", 51, unclosed, "…aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa{\n                                                   ^"},
		{"/{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 1, unclosed, "/{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n ^"},
		{"/{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 1, unclosed, "/{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…\n ^"},
		{"/éééééééééééééééééééééééééééééé{日日日日日日日日日日日日日日日日日日日日日日日日日日日日日日", 61, unclosed, "…ééééééééééééééééééééééééé{日日日日日日日日日日日日日日日日…\n                          ^"},
	} {
		p, err := parsePattern(row.pattern, false)
		var e *PatternError
		if !errors.As(err, &e) {
			t.Errorf("%q: got %+v, error %v, want a *PatternError", row.pattern, p, err)
			continue
		}
		if e.Pattern != row.pattern || e.Offset != row.offset || e.Reason != row.reason || e.Err != nil {
			t.Errorf("%q: got offset %d, reason\n\t%s\nwant %d,\n\t%s\n(pattern %q, cause %v)", row.pattern, e.Offset, e.Reason, row.offset, row.reason, e.Pattern, e.Err)
		}
		want := fmt.Sprintf("muxwell: pattern %q: at offset %d: %s\n\t%s", row.pattern, row.offset, row.reason, strings.ReplaceAll(row.caret, "\n", "\n\t"))
		if got := e.Error(); got != want {
			t.Errorf("%q: got error\n%s\nwant\n%s", row.pattern, got, want)
		}
	}
}

// TestBadPatternForConnectToo: what one of several methods reaches is not said
// to be out of reach for it.
func TestBadPatternForConnectToo(t *testing.T) {
	for _, pattern := range []string{"CONNECT,GET //a", "GET,CONNECT /a/..", "CONNECT,GET,POST /a/./b"} {
		_, err := parsePattern(pattern, false)
		var e *PatternError
		if !errors.As(err, &e) {
			t.Errorf("%q: got error %v, want a *PatternError", pattern, err)
			continue
		}
		if before, _, _ := strings.Cut(e.Reason, " request"); strings.HasPrefix(before, "no ") && strings.Contains(before, "CONNECT") {
			t.Errorf("%q: the reason %q says that CONNECT does not reach the path, but it does", pattern, e.Reason)
		}
	}
}

// TestGoodPatterns holds what may be written, with what it means.
func TestGoodPatterns(t *testing.T) {
	for _, row := range []struct{ pattern, methods, host, segs string }{
		// Paths.
		{"/", "", "", `{...}`},
		{"/a", "", "", `"a"`},
		{"/a/", "", "", `"a" {...}`},
		{"/a/b/c", "", "", `"a" "b" "c"`},
		{"/{x}", "", "", `{x}`},
		{"/{x}/", "", "", `{x} {...}`},
		{"/{x...}", "", "", `{x...}`},
		{"/a/{x}/b/{y...}", "", "", `"a" {x} "b" {y...}`},
		{"/{$}", "", "", `{$}`},
		{"/a/{x}/{$}", "", "", `"a" {x} {$}`},

		// Methods.
		{"GET /", "GET", "", `{...}`},
		{"GET \t  /a", "GET", "", `"a"`},
		{"GET\t/a", "GET", "", `"a"`},
		{"GET,POST /a", "GET,POST", "", `"a"`},
		{"POST,GET,HEAD,M-SEARCH\t \t/a", "POST,GET,HEAD,M-SEARCH", "", `"a"`},
		{"get /a", "get", "", `"a"`},
		{"get,GET /a", "get,GET", "", `"a"`},
		{"!#$%&'*+-.^_`|~09azAZ /a", "!#$%&'*+-.^_`|~09azAZ", "", `"a"`},
		{"* /a", "*", "", `"a"`},
		{"1 /a", "1", "", `"a"`},

		// Blanks at the beginning, as http.ServeMux has it.
		{" /a", "", "", `"a"`},
		{"\t h/{x}", "", "h", `{x}`},
		{" GET/a", "", "get", `"a"`},

		// Hosts.
		{"example.com/", "", "example.com", `{...}`},
		{"EXAMPLE.com./a", "", "example.com", `"a"`},
		{"GET Example.Com/a", "GET", "example.com", `"a"`},
		{"example.com:8080/", "", "example.com:8080", `{...}`},
		{"Example.com.:8080/", "", "example.com:8080", `{...}`},
		{"::1/", "", "::1", `{...}`},
		{"[::1]/", "", "::1", `{...}`},
		{"[::A]/", "", "::a", `{...}`},
		{"[::1]:80/", "", "[::1]:80", `{...}`},
		{"CONNECT [FE80::1]:443/", "CONNECT", "[fe80::1]:443", `{...}`},
		{"h.*/a", "", "h.*", `"a"`},
		{"é.example/a", "", "é.example", `"a"`},
		{"É.example/a", "", "É.example", `"a"`}, // ASCII letters only, as in DNS
		{"a_b/c", "", "a_b", `"c"`},
		{"./a", "", ".", `"a"`},
		{"../a", "", ".", `"a"`},

		// Names.
		{"/{enterprise-team}", "", "", `{enterprise-team}`},
		{"/{日本}", "", "", `{日本}`},
		{"/{a b}", "", "", `{a b}`},
		{"GET /{a b}/{\t}", "GET", "", "{a b} {\t}"},
		{"/{1}/{_}/{-}/{.}/{..}", "", "", `{1} {_} {-} {.} {..}`},
		{"/{a.b}/{a...}", "", "", `{a.b} {a...}`},
		{"/{a..}/{a....}", "", "", `{a..} {a....}`},
		{"/{$x}/{x$}/{$$}", "", "", `{$x} {x$} {$$}`},
		{"/{*}/{?}/{%41}/{&}", "", "", `{*} {?} {%41} {&}`},
		{"/{A}/{a}", "", "", `{A} {a}`},
		{"/{a\x00\xff}", "", "", "{a\x00\xff}"},
		{"/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{9}/{10}", "", "", `{1} {2} {3} {4} {5} {6} {7} {8} {9} {10}`},

		// Characters that mean something elsewhere.
		{"/}/a}/}b", "", "", `"}" "a}" "}b"`},
		{"/?/a?b", "", "", `"?" "a?b"`},
		{"/*/a*/*b", "", "", `"*" "a*" "*b"`},
		{"/:x/a:b/c:", "", "", `":x" "a:b" "c:"`},
		{"/[a-z]+/(x|y)/.+/^$", "", "", `"[a-z]+" "(x|y)" ".+" "^$"`},
		{"/$/...", "", "", `"$" "..."`},
		{"/a b/ c ", "", "", `"a b" " c "`},
		{"/a,b", "", "", `"a,b"`},
		{"/é/日本/\xff/\x00", "", "", `"é" "日本" "\xff" "\x00"`},
		{`/\/a\b`, "", "", `"\\" "a\\b"`},
		{"/a;b=c/@d/~e/#f", "", "", `"a;b=c" "@d" "~e" "#f"`},

		// Escapes.
		{"/%7B/%7Bx%7D", "", "", `"{" "{x}"`},
		{"/a%20b/%61/%C3%A9", "", "", `"a b" "a" "é"`},
		{"/a%2Fb/%2f/%2F", "", "", `"a/b" "/" "/"`},
		{"/%2e/%2E%2e/a%2e", "", "", `"." ".." "a."`},
		{"GET /%2e/%2E%2e", "GET", "", `"." ".."`},
		{"/%zz/%/a%2/%2%41/%%41", "", "", `"%zz" "%" "a%2" "%2%41" "%%41"`},
		{"/%25zz/%2525", "", "", `"%zz" "%25"`},
		{"/+/%2B", "", "", `"+" "+"`},
		{"/%00/%ff", "", "", `"\x00" "\xff"`},

		// Unclean paths that some request reaches.
		{"//", "", "", `"" {...}`},
		{"//a", "", "", `"" "a"`},
		{"/a//b//", "", "", `"a" "" "b" "" {...}`},
		{"/x/../y/.", "", "", `"x" ".." "y" "."`},
		{"h//{x}", "", "h", `"" {x}`},
		{"CONNECT //a/./b/..", "CONNECT", "", `"" "a" "." "b" ".."`},
		{"CONNECT h:80//", "CONNECT", "h:80", `"" {...}`},
		{"//{$}", "", "", `"" {$}`},
	} {
		p, err := parsePattern(row.pattern, false)
		if err != nil {
			t.Errorf("%q: got error %v, want none", row.pattern, err)
			continue
		}
		if got := strings.Join(p.methods, ","); got != row.methods || p.host != row.host || segsText(p.segs) != row.segs {
			t.Errorf("%q: got methods %q, host %q, segments %s\nwant %q, %q, %s", row.pattern, got, p.host, segsText(p.segs), row.methods, row.host, row.segs)
		}
		if fault := patternFault(p, false); fault != "" {
			t.Errorf("%q: %s", row.pattern, fault)
		}
	}
}

// segsText writes segments one after the other: literals quoted, the others as
// in a pattern.
func segsText(segs []segment) string {
	var b []string
	for _, g := range segs {
		switch g.kind {
		case literal:
			b = append(b, fmt.Sprintf("%q", g.text))
		case param:
			b = append(b, "{"+g.text+"}")
		case end:
			b = append(b, "{$}")
		case rest:
			b = append(b, "{"+g.text+"...}")
		}
	}
	return strings.Join(b, " ")
}

// TestPatternsUnclean: a mux that serves paths as they were sent takes unclean
// patterns of every method, and nothing else that it would refuse otherwise.
func TestPatternsUnclean(t *testing.T) {
	for _, path := range []string{"//", "//a", "/a//b", "/a//", "/.", "/./a", "/a/.", "/..", "/a/../b", "/{x}/../{y}", "/a//{x...}", "/a/./{$}"} {
		for _, methods := range []string{"GET ", "POST ", "GET,CONNECT ", "CONNECT,GET ", "M-SEARCH h"} {
			pattern := methods + path
			if _, err := parsePattern(pattern, false); err == nil {
				t.Errorf("%q, paths are cleaned: got no error", pattern)
			}
			p, err := parsePattern(pattern, true)
			if err != nil {
				t.Errorf("%q, paths are served as sent: got error %v", pattern, err)
			} else if fault := patternFault(p, true); fault != "" {
				t.Errorf("%q, paths are served as sent: %s", pattern, fault)
			}
		}
		for _, methods := range []string{"", "CONNECT ", "h", "CONNECT h:80"} {
			clean, err1 := parsePattern(methods+path, false)
			sent, err2 := parsePattern(methods+path, true)
			if err1 != nil || err2 != nil || segsText(clean.segs) != segsText(sent.segs) {
				t.Errorf("%q: got errors %v and %v, want none", methods+path, err1, err2)
			}
		}
	}
	for _, pattern := range []string{"", "GET", "GET //{", "GET //{a}/{a}", "GET, POST //a", "GET h i//a"} {
		if p, err := parsePattern(pattern, true); err == nil {
			t.Errorf("%q, paths are served as sent: got segments %s, want an error", pattern, segsText(p.segs))
		}
	}
}

// TestServeMuxPatterns: what http.ServeMux takes is taken here, with the same
// meaning, but for what doc.go lists.
func TestServeMuxPatterns(t *testing.T) {
	refused := []string{"*/", "GET *.h/a", "GET h i/a", "GET  h \ti/a", "a,b/", "GET a,b/"}
	for _, pattern := range refused {
		if _, err := parsePattern(pattern, false); err == nil || !refusedOnPurpose(pattern) {
			t.Errorf("%q: got no error; doc.go says that it is refused", pattern)
		}
	}
	for _, pattern := range []string{
		"/", "/a", "GET /", "GET  /a", "GET\t/a", "get /a", "h/", "GET h/a/", "h.com:80/", "[::1]/x", "/{x}", "/{x...}", "/{$}", "/a/{x}/{$}", "/a%2Fb", "/a%zz", "//", "/x/../y", "CONNECT //a",
		"/*", "/:x", "/}", "/a}b", "/?", "é/a", "/é", "/{é}", "/\x00", "/\xff", "%41/a", "a:b:c/", "./", "../", "[/a", "]/a", "#/a", "?/a", "a?b/c",
		" /a", "\t/a", " \t h/a", "  CONNECT/a",
	} {
		if v := recovered(func() { http.NewServeMux().HandleFunc(pattern, ok) }); v != nil {
			t.Errorf("%q: ServeMux refuses it: %v", pattern, v)
			continue
		}
		if _, err := parsePattern(pattern, false); err != nil {
			t.Errorf("%q: ServeMux takes it, and doc.go does not name it: %v", pattern, err)
		}
	}
}

// TestHugePatterns: a megabyte of pattern is parsed, or refused with a message
// of a size that can be read.
func TestHugePatterns(t *testing.T) {
	const size = 1 << 20
	a := strings.Repeat("a", size)
	params := numberParams(strings.Repeat("/{@}", 300))
	for _, row := range []struct {
		what, pattern string
		segs          int
	}{
		{"a literal", "/" + a, 1},
		{"a name", "/{" + a + "}", 1},
		{"a host", a + "/", 1},
		{"a method", a + " /", 1},
		{"blanks", "GET" + strings.Repeat(" ", size) + "/", 1},
		{"segments", strings.Repeat("/a", maxSegments), maxSegments},
		{"300 parameters", params, 300},
		{"300 parameters and a catch-all", params + "/{path...}", 301},
		{"escapes", "/" + strings.Repeat("%61", size/3), 1},
	} {
		p, err := parsePattern(row.pattern, false)
		if err != nil || len(p.segs) != row.segs {
			t.Errorf("%s: got %v, error %.200v, want %d segments", row.what, p, err, row.segs)
		}
	}
	for what, pattern := range map[string]string{
		"too many segments":     strings.Repeat("/a", maxSegments+1),
		"no path":               a,
		"no path after methods": strings.Repeat("A", size),
		"a brace in a host":     "h{" + a + "/",
		"a blank after a comma": "GET, POST," + strings.Repeat("A", size) + " /",
		"a method twice":        a + "," + a + " /",
		"an unclean path":       "GET //" + a,
		"unclean for a method":  a + " //",
		"a name twice":          "/{" + a + "}/{" + a + "}",
		"an open brace":         "/" + a + "{" + a,
		"a brace in a name":     "/{" + a + "{" + a + "}",
		"a bad method":          a + "@" + a + " /",
		"a parameter 300 twice": params + "/{pa}",
		"runes that are cut":    "/" + strings.Repeat("é", size/2) + "{" + strings.Repeat("日", size/3),
	} {
		_, err := parsePattern(pattern, false)
		var e *PatternError
		if !errors.As(err, &e) {
			t.Errorf("%s: got error %.200v, want a *PatternError", what, err)
			continue
		}
		if fault := errorFault(e, pattern); fault != "" {
			t.Errorf("%s: %s", what, fault)
		}
	}
}

// TestHugeConflicts: so is the message about two such patterns.
func TestHugeConflicts(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	for _, row := range [][2]string{{"/" + long, "/" + long}, {"/" + long + "/{x}", "/" + long + "/{y}"}, {"/{x}/" + long, "/" + long + "/{y}"}, {long + "/", long + "/"}} {
		m := New(StrictConflicts())
		m.HandleFunc(row[0], ok)
		if _, err := m.Add(row[1], http.HandlerFunc(ok)); err == nil || len(err.Error()) > 4<<10 {
			t.Errorf("%.20q… beside %.20q…: got an error of %d bytes, want one of a few hundred", row[1], row[0], len(fmt.Sprint(err)))
		}
	}
	m := New()
	m.Add("/a", http.HandlerFunc(ok), Name(long))
	if _, err := m.Add("/b", http.HandlerFunc(ok), Name(long)); err == nil || len(err.Error()) > 4<<10 {
		t.Errorf("a long name twice: got an error of %d bytes, want one of a few hundred", len(fmt.Sprint(err)))
	}
}

// TestAbridge: a text that is cut is cut between characters.
func TestAbridge(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"", ""},
		{strings.Repeat("a", 200), strings.Repeat("a", 200)},
		{strings.Repeat("a", 201), strings.Repeat("a", 200) + "…"},
		{strings.Repeat("é", 101), strings.Repeat("é", 100) + "…"},
		{"/" + strings.Repeat("é", 101), "/" + strings.Repeat("é", 99) + "…"},
	} {
		if got := abridge(row.text); got != row.want {
			t.Errorf("abridge of %d bytes: got %q, want %q", len(row.text), got, row.want)
		}
	}
}

// patternFault returns what is wrong with a pattern that was accepted, or "".
func patternFault(p *pattern, unclean bool) string {
	anywhere := unclean || p.methods == nil || slices.Equal(p.methods, []string{"CONNECT"})
	names := make(map[string]bool)
	for i, g := range p.segs {
		final := i == len(p.segs)-1
		switch {
		case g.kind > rest:
			return fmt.Sprintf("segment %d has kind %d", i, g.kind)
		case (g.kind == end || g.kind == rest) && !final:
			return fmt.Sprintf("segment %d of %d ends the path", i, len(p.segs))
		case g.kind == end && g.text != "":
			return fmt.Sprintf("the end has a text, %q", g.text)
		case g.kind == literal && g.text == "" && (final || !anywhere):
			return fmt.Sprintf("segment %d of %d is empty", i, len(p.segs))
		case g.kind == param && g.text == "":
			return fmt.Sprintf("segment %d is a parameter without a name", i)
		}
		if g.kind == literal || g.text == "" {
			continue
		}
		if g.text == "$" || strings.ContainsAny(g.text, "{}:/") || strings.HasSuffix(g.text, "...") {
			return fmt.Sprintf("a parameter is called %q", g.text)
		}
		if names[g.text] {
			return fmt.Sprintf("two parameters are called %q", g.text)
		}
		names[g.text] = true
	}
	if len(p.segs) == 0 || len(p.segs) != strings.Count(p.str[p.path:], "/") {
		return fmt.Sprintf("%d segments in the path %q", len(p.segs), p.str[p.path:])
	}
	if p.methods != nil && len(p.methods) == 0 {
		return "an empty list of methods, which is neither none nor some"
	}
	for i, m := range p.methods {
		if !isToken(m) || slices.Contains(p.methods[:i], m) {
			return fmt.Sprintf("methods %q", p.methods)
		}
	}
	before := strings.Join(p.methods, ",")
	if host := strings.TrimLeft(strings.TrimPrefix(p.str[:p.path], before), " \t"); !strings.HasPrefix(p.str, before) || p.host != foldHost(host) || p.host == "" && host != "" {
		return fmt.Sprintf("methods %q, host %q", p.methods, p.host)
	}
	if again, err := parsePattern(respell(p), unclean); err != nil || !slices.Equal(again.segs, p.segs) {
		return fmt.Sprintf("its segments are %s; spelt as %q they are parsed as %v, error %v", segsText(p.segs), respell(p), again, err)
	}
	return ""
}

// respell writes a pattern from its segments, with every byte of a literal that
// is not a letter escaped; dots too, but where they make the path unclean.
func respell(p *pattern) string {
	b := []byte(p.str[:p.path])
	for i, g := range p.segs {
		b = append(b, '/')
		for _, c := range []byte(g.text) {
			switch {
			case g.kind != literal || 'a' <= c && c <= 'z':
				b = append(b, c)
			default:
				b = fmt.Appendf(b, "%%%02x", c)
			}
		}
		switch start := len(b) - len(g.text); {
		case g.kind == param:
			b = append(slices.Insert(b, start, '{'), '}')
		case g.kind == rest && g.text != "":
			b = append(slices.Insert(b, start, '{'), "...}"...)
		case g.kind == end:
			b = append(b, "{$}"...)
		case g.kind == rest && i != len(p.segs)-1:
			panic("a catch-all that is not the last segment")
		}
	}
	return string(b)
}

// errorFault returns what is wrong with the error for a pattern, or "".
func errorFault(e *PatternError, pattern string) string {
	if e.Pattern != pattern || e.Offset < 0 || e.Offset > len(pattern) || e.Reason == "" || strings.HasSuffix(e.Reason, ".") {
		return fmt.Sprintf("offset %d of %d bytes, reason %.200q", e.Offset, len(pattern), e.Reason)
	}
	if utf8.ValidString(pattern) && e.Offset < len(pattern) && !utf8.RuneStart(pattern[e.Offset]) {
		return fmt.Sprintf("offset %d is inside a character", e.Offset)
	}
	text := e.Error()
	if len(text) > 4<<10 {
		return fmt.Sprintf("the message has %d bytes", len(text))
	}
	if i := strings.IndexFunc(text, func(r rune) bool {
		return r != '\n' && r != '\t' && !unicode.IsPrint(r) || r == utf8.RuneError && !strings.ContainsRune(strings.ToValidUTF8(pattern, ""), r)
	}); i >= 0 {
		return fmt.Sprintf("the message has something at %d that does not print: %q", i, text)
	}
	if strings.ContainsAny(e.Reason, "\n\t") {
		return fmt.Sprintf("the reason has more than a line: %q", e.Reason)
	}
	lines := strings.Split(text, "\n\t")
	if len(lines) != 3 {
		return fmt.Sprintf("the message has %d lines, want 3: %q", len(lines), text)
	}
	shown, caret := lines[1], lines[2]
	column := strings.IndexByte(caret, '^')
	if caret != strings.Repeat(" ", max(column, 0))+"^" || column > utf8.RuneCountInString(shown) {
		return fmt.Sprintf("the caret is at column %d of %q: %q", column, shown, caret)
	}
	// What stands above the caret is what is at the offset.
	_, size := utf8.DecodeRuneInString(pattern[e.Offset:])
	if above := string([]rune(shown)[column:]); !strings.HasPrefix(above, printable(pattern[e.Offset:e.Offset+size])) {
		return fmt.Sprintf("above the caret is %q, at offset %d %q", above, e.Offset, pattern[e.Offset:e.Offset+size])
	}
	return ""
}

// refusedOnPurpose reports whether a pattern that http.ServeMux takes is
// refused, as doc.go says: a host that begins with '*' or has a blank or a comma
// in it.
func refusedOnPurpose(pattern string) bool {
	before, _, _ := strings.Cut(pattern, "/")
	host := strings.TrimLeft(before, " \t")
	if i := strings.IndexAny(before, " \t"); i >= 0 {
		host = strings.TrimLeft(before[i:], " \t")
	}
	return strings.HasPrefix(host, "*") || strings.ContainsAny(host, " \t,")
}

func FuzzPattern(f *testing.F) {
	for _, pattern := range []string{
		"", "GET", "/", "/a/b/", "GET /a/{x}/{y...}", "GET,POST h.example:80/a%20b/{$}", "GET, POST /a", "[::1]:80/{a}/{a}", "/a//../{x", "GET /é/../è", "/{x...}/b", "CONNECT //",
		"/%2e%zz/\xff\x00", "G@T /", "/{日本}/{enterprise-team}/{a b}", "/{$...}", "{h}/", "*.h/a", "/{a......}", "GET /\xc3\xa9/../\xc3\xa8", "/{a:[0-9]{4}}", "/a/{p...}/", "h../x", strings.Repeat("/{a}", 20), "GET //" + strings.Repeat("é", 99),
	} {
		f.Add(pattern)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		p, err := parsePattern(pattern, false)
		sent, errSent := parsePattern(pattern, true)
		for _, err := range []error{err, errSent} {
			var e *PatternError
			if err != nil && !errors.As(err, &e) {
				t.Fatalf("%q: got error %v, want a *PatternError", pattern, err)
			} else if err != nil && errorFault(e, pattern) != "" {
				t.Errorf("%.99q: %s", pattern, errorFault(e, pattern))
			}
		}
		if errSent == nil && patternFault(sent, true) != "" {
			t.Errorf("%q, paths are served as sent: %s", pattern, patternFault(sent, true))
		}
		refused := recovered(func() { http.NewServeMux().HandleFunc(pattern, ok) })
		if err != nil {
			if refused == nil && !refusedOnPurpose(pattern) {
				t.Errorf("%q: ServeMux takes it; got error %v", pattern, err)
			}
			return
		}
		if errSent != nil || !slices.Equal(p.segs, sent.segs) {
			t.Errorf("%q: got segments %s, and where paths are served as sent %v, error %v", pattern, segsText(p.segs), sent, errSent)
		}
		if fault := patternFault(p, false); fault != "" {
			t.Errorf("%q: %s", pattern, fault)
		}
		if refused == nil {
			compareNames(t, p)
		}
	})
}

// compareNames sends a request that matches p through http.ServeMux and a Mux:
// both must give the parameters the same values.
func compareNames(t *testing.T, p *pattern) {
	t.Helper()
	plain, escaped := "", ""
	for i, g := range p.segs {
		text := g.text
		switch {
		case g.kind == param:
			text = fmt.Sprintf("v%d", i)
		case g.kind == rest && g.text != "":
			text = fmt.Sprintf("v%d/w", i)
		}
		if text == "/" {
			return // doc.go, 3
		}
		plain += "/" + text
		if g.kind == literal {
			text = url.PathEscape(text)
		}
		escaped += "/" + text
	}
	host := rawHost(p)
	if cleanPath(escaped) != escaped || strings.Contains(host, ":") {
		return
	}
	method := "GET"
	if p.methods != nil {
		method = p.methods[0]
	}
	var got, want []string
	read := func(values *[]string) func(http.ResponseWriter, *http.Request) {
		return func(_ http.ResponseWriter, r *http.Request) {
			for i, g := range p.segs {
				*values = append(*values, r.PathValue(g.text))
				if v := (*values)[i]; g.kind == param && v != fmt.Sprintf("v%d", i) || g.kind == rest && g.text != "" && v != fmt.Sprintf("v%d/w", i) {
					t.Errorf("%q: parameter %q is %q", p.str, g.text, v)
				}
			}
		}
	}
	serve, ours := http.NewServeMux(), New()
	serve.HandleFunc(p.str, read(&want))
	ours.HandleFunc(p.str, read(&got))
	for _, mux := range []http.Handler{serve, ours} {
		r := newBenchRequest(method, "/")
		r.URL, r.Host = &url.URL{Path: plain, RawPath: escaped}, host
		mux.ServeHTTP(&benchWriter{header: http.Header{}}, r)
	}
	if len(got) != len(p.segs) || !slices.Equal(got, want) {
		t.Errorf("%q: %s %s%s: got values %q, ServeMux gives %q", p.str, method, host, escaped, got, want)
	}
}
