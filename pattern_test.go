package muxwell

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/muxwell/muxwell/internal/excerpt"
	"github.com/muxwell/muxwell/internal/hostname"
	"github.com/muxwell/muxwell/internal/overlap"
	"github.com/muxwell/muxwell/internal/pattern"
	"github.com/muxwell/muxwell/internal/tests/long"
	"github.com/muxwell/muxwell/internal/tests/muxtest"
	"github.com/muxwell/muxwell/internal/urlpath"
)

// withEven are the rules of a mux that has a constraint of its own.
var withEven = pattern.Rules{Constraints: map[string]func(string) bool{"even": func(v string) bool { return len(v)%2 == 0 }}}

// TestBadPatterns holds every way to write a pattern wrong, with the whole of
// what the error says.
func TestBadPatterns(t *testing.T) {
	oneOf := ", give New a Constraint of that name, or use one of " + strings.Join(withEven.ConstraintNames(), ", ")
	const (
		noPath       = "no path: a pattern is [METHOD ][HOST]/PATH; for a path write "
		noPathAfter  = "no path after the method; to match every path write "
		noneBefore   = "a method is missing before the comma"
		noneAfter    = "a method is missing after the comma"
		blankBefore  = "space before a comma; write "
		notInMethod  = " is not allowed in a method"
		blankInHost  = "space or comma in a host; a pattern is [METHOD ][HOST]/PATH, and methods are listed as GET,POST without spaces"
		starInLabel  = "a '*' at the beginning of a host is a whole label, so a '.' must follow it; for a part of a label write {name}"
		starLater    = "a '*' is a label only at the beginning of a host; write {name}"
		emptyLabel   = "a label of the host is empty; write one '.' between two labels"
		noAddress    = " in a host with parameters, which cannot be an address; a port comes last"
		badPort      = "a port must be digits and cannot have parameters"
		unclosed     = "'{' is never closed; add the '}', or for the character itself write %7B"
		unclosedHost = "'{' is never closed; a parameter in a host is written {name}"
		unbalanced   = `'{' is never closed; in a regular expression write \{ and \} for braces that do not belong together`
		textBetween  = "two parameters need text between them, which marks the end of the first one; write "
		nameless     = "the parameter has no name; write "
		namelessAny  = nameless + "{id}, or {path...} for a catch-all"
		notInName    = " is not allowed in a parameter's name"
		dotsAtEnd    = `"..." cannot end a parameter's name`
		dollar       = "{$} is the end of a path, not a parameter; it cannot have dots or a constraint"
		standsOnce   = "; names must be unique in a pattern"
		noStar       = "a regular expression cannot begin with '*'; for the rest of the path write {name...}"
		noArguments  = "this looks like a constraint with arguments, which do not exist; write "
		inFront      = " before it for a regular expression"
		lowerHost    = "hosts are compared in lower case, so this matches nothing; write it in lower case"
		afterEnd     = "{$} is the end of a path; nothing can follow it"
		secondRest   = "a second catch-all: the end of the first one would be ambiguous; write out the segments of one of them"
		slashIsRest  = "a trailing slash is a catch-all, and there is one at offset %d; omit the slash, or write {$} after it"
		restBefore   = "a catch-all must be a whole segment: put a '/' before it"
		restAfter    = "a catch-all must be a whole segment: a '/' or the end must follow its '}'"
		endBefore    = "{$} must be a whole segment: put a '/' before it"
		endAfter     = "{$} must be a whole segment: a '/' or the end must follow its '}'"
		emptyRule    = "nothing follows the colon; omit it, or write a constraint such as int or [0-9]+ after it"
		ruleOfRest   = "a catch-all cannot have a constraint; omit it, and check the value in the handler"
		restOfRule   = "a catch-all cannot have a constraint; write {name...}, or (...) for any three characters"
		notRE2       = "invalid regular expression: "
		notUTF8      = "text that is not valid UTF-8, or has U+FFFD, cannot be next to an expression that needs package regexp; put a '%c' between them, or check the value in the handler"
		noText       = "the regular expression matches no value, since values are not empty"
		functionRule = "a constraint that is a function needs a segment with no other parameter; put a '%c' between them, or check the value in the handler"
		emptyText    = "an expression that matches the empty text needs a segment with no other parameter, since values are not empty; write + instead of *, and omit a ? after the whole"
		aroundRule   = `an expression with ^, $ or \b needs a segment with no other parameter; omit these, since the whole value is matched anyway`
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
		{"GET, POST /a", 4, `space after a comma; write "GET,POST /a"`, "GET, POST /a\n    ^"},
		{"GET,\tPOST,PUT /a", 4, `space after a comma; write "GET,POST,PUT /a"`, "GET,\\tPOST,PUT /a\n    ^"},
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
		{"GET h:80 i/a", 8, blankInHost, "GET h:80 i/a\n        ^"},
		{"GET,{t}/a", 3, blankInHost, "GET,{t}/a\n   ^"},
		{"{t} /a", 3, blankInHost, "{t} /a\n   ^"},
		{"{t}.h GET/a", 5, blankInHost, "{t}.h GET/a\n     ^"},
		{"{t}.h:80 GET/a", 8, blankInHost, "{t}.h:80 GET/a\n        ^"},
		{"*:80,90/a", 4, blankInHost, "*:80,90/a\n    ^"},
		{" * /a", 1, starInLabel, " * /a\n ^"},

		// Hosts with parameters.
		{"{t}", 3, noPath + `"/{t}"`, "{t}\n   ^"},
		{"GET {t}", 7, noPath + `"GET /{t}"`, "GET {t}\n       ^"},
		{"*", 1, noPathAfter + `"* /"`, "*\n ^"},
		{"*.h", 3, `no path; for this host write "*.h/", for a path "/*.h"`, "*.h\n   ^"},
		{"{t:[0-9]+}:80", 13, `no path; for this host write "{t:[0-9]+}:80/", for a path "/{t:[0-9]+}:80"`, "{t:[0-9]+}:80\n             ^"},
		{"*x/", 0, starInLabel, "*x/\n^"},
		{"**/", 0, starInLabel, "**/\n^"},
		{"GET *{t}.h/a", 4, starInLabel, "GET *{t}.h/a\n    ^"},
		{"*.*.h/", 2, starLater, "*.*.h/\n  ^"},
		{"{t}.*/", 4, starLater, "{t}.*/\n    ^"},
		{"{t}.a*b{u}.h/", 5, starLater, "{t}.a*b{u}.h/\n     ^"},
		{".{t}/", 0, emptyLabel, ".{t}/\n^"},
		{"{t}..h/", 4, emptyLabel, "{t}..h/\n    ^"},
		{"GET *..h/", 6, emptyLabel, "GET *..h/\n      ^"},
		{"{t}../", 4, emptyLabel, "{t}../\n    ^"},
		{"{t}.h:80:90/", 5, "':'" + noAddress, "{t}.h:80:90/\n     ^"},
		{"[{t}]/", 0, "'['" + noAddress, "[{t}]/\n^"},
		{"[::{t}]/", 0, "'['" + noAddress, "[::{t}]/\n^"},
		{"{t}]/", 3, "']'" + noAddress, "{t}]/\n   ^"},
		{"*.[::1]/", 2, "'['" + noAddress, "*.[::1]/\n  ^"},
		{"{t}:/", 4, badPort, "{t}:/\n    ^"},
		{"{t}.h:http/", 6, badPort, "{t}.h:http/\n      ^"},
		{"{t}:{port}/", 4, badPort, "{t}:{port}/\n    ^"},
		{"h:{port}/", 2, badPort, "h:{port}/\n  ^"},
		{"h:8{port:uint}/", 2, badPort, "h:8{port:uint}/\n  ^"},
		{"*:8*/", 2, badPort, "*:8*/\n  ^"},
		{"{$}/a", 0, "{$} is the end of a path; a host cannot have it", "{$}/a\n^"},
		{"h.x{$}/a", 3, "{$} is the end of a path; a host cannot have it", "h.x{$}/a\n   ^"},
		{"{t...}.{u...}.h/", 7, "a second {name...} in the host: the end of the first one would be ambiguous; write out the labels of one of them", "{t...}.{u...}.h/\n       ^"},
		{"x{t...}.h/", 1, "a catch-all must be a whole label: put a '.' before it", "x{t...}.h/\n ^"},
		{"{t}{u...}.h/", 3, "a catch-all must be a whole label: put a '.' before it", "{t}{u...}.h/\n   ^"},
		{"{t...}x/", 6, "a catch-all must be a whole label: a '.' or the end of the host must follow its '}'", "{t...}x/\n      ^"},
		{"{t...}{u}.h/", 6, "a catch-all must be a whole label: a '.' or the end of the host must follow its '}'", "{t...}{u}.h/\n      ^"},
		{"{t}{u}.h/", 3, textBetween + `"{t}-{u}" or "{t}.{u}"`, "{t}{u}.h/\n   ^"},
		{"{t:even}-{u}.h/", 3, fmt.Sprintf(functionRule, '.'), "{t:even}-{u}.h/\n   ^"},
		{"{t}-{u:^a}.h/", 7, aroundRule, "{t}-{u:^a}.h/\n       ^"},
		{"{t:nosuch}.h/", 3, "unknown constraint nosuch; write (nosuch) for this exact text" + oneOf, "{t:nosuch}.h/\n   ^"},
		{"{t...:int}/", 5, ruleOfRest, "{t...:int}/\n     ^"},
		{"{}.h/", 1, namelessAny, "{}.h/\n ^"},
		{"{t}.{t}/", 5, `duplicate parameter name "t"` + standsOnce, "{t}.{t}/\n     ^"},
		{"{t}.h/a/{t}", 9, `duplicate parameter name "t"` + standsOnce, "{t}.h/a/{t}\n         ^"},
		{"{t...}.h/{t...}", 10, `duplicate parameter name "t"` + standsOnce, "{t...}.h/{t...}\n          ^"},
		{"{t:int}-{u}.h/v{u:[a-z]}.{v}", 16, `duplicate parameter name "u"` + standsOnce, "{t:int}-{u}.h/v{u:[a-z]}.{v}\n                ^"},

		// Braces.
		{"/{", 1, unclosed, "/{\n ^"},
		{"/{a", 1, unclosed, "/{a\n ^"},
		{"/a{", 2, unclosed, "/a{\n  ^"},
		{"/a/{b", 3, unclosed, "/a/{b\n   ^"},
		{"/{a/b", 1, unclosed, "/{a/b\n ^"},
		{"/{a}.{b", 5, unclosed, "/{a}.{b\n     ^"},
		{"/{a:int", 1, unclosed, "/{a:int\n ^"},
		{"/{a:int/b", 1, unclosed, "/{a:int/b\n ^"},
		{"/{a:[0-9]{4", 1, unclosed, "/{a:[0-9]{4\n ^"},
		{"{h}/a{", 5, unclosed, "{h}/a{\n     ^"},
		{"{", 0, unclosedHost, "{\n^"},
		{"h{a", 1, unclosedHost, "h{a\n ^"},
		{"h{a/b", 1, unclosedHost, "h{a/b\n ^"},
		{"GET {h.example.com/a", 4, unclosedHost, "GET {h.example.com/a\n    ^"},
		{"{t}.{u/a", 4, unclosedHost, "{t}.{u/a\n    ^"},
		{"{t:int.h:80/a", 0, unclosedHost, "{t:int.h:80/a\n^"},
		{"/{a:[0-9]{4}", 1, unbalanced, "/{a:[0-9]{4}\n ^"},
		{"/{a:[0-9]{4}/b", 1, unbalanced, "/{a:[0-9]{4}/b\n ^"},
		{"/x.{a:[{]}", 3, unbalanced, "/x.{a:[{]}\n   ^"},
		{`/{a:\}`, 1, unbalanced, "/{a:\\\\}\n ^"},
		{"{t:[0-9]{4}.h/a", 0, unbalanced, "{t:[0-9]{4}.h/a\n^"},
		{"/{a/{b}", 3, `"/"` + notInName, "/{a/{b}\n   ^"},
		{"/{a/b}", 3, `"/"` + notInName, "/{a/b}\n   ^"},
		{"/{a/b/{c}x", 3, `"/"` + notInName, "/{a/b/{c}x\n   ^"},
		{"{a/b}/c", 2, `"/"` + notInName, "{a/b}/c\n  ^"},
		{"{a.h/{b}", 4, `"/"` + notInName, "{a.h/{b}\n    ^"},

		// Parameters in a segment.
		{"/{a}{b}", 4, textBetween + `"{a}-{b}" or "{a}/{b}"`, "/{a}{b}\n    ^"},
		{"/x{a:int}{b:[0-9]{2}}y", 9, textBetween + `"{a:int}-{b:[0-9]{2}}" or "{a:int}/{b:[0-9]{2}}"`, "/x{a:int}{b:[0-9]{2}}y\n         ^"},
		{"/é{a}-{b}{c}", 10, textBetween + `"{b}-{c}" or "{b}/{c}"`, "/é{a}-{b}{c}\n         ^"},
		{"/a{b...}", 2, restBefore, "/a{b...}\n  ^"},
		{"/a{b...}/c", 2, restBefore, "/a{b...}/c\n  ^"},
		{"/{a}-{b...}", 5, restBefore, "/{a}-{b...}\n     ^"},
		{"/{a}{b...}", 4, restBefore, "/{a}{b...}\n    ^"},
		{"/{a...}b", 7, restAfter, "/{a...}b\n       ^"},
		{"/{a...}{b}", 7, restAfter, "/{a...}{b}\n       ^"},
		{"/{a...}{$}", 7, restAfter, "/{a...}{$}\n       ^"},
		{"/{a...}.json/b", 7, restAfter, "/{a...}.json/b\n       ^"},
		{"/a{$}", 2, endBefore, "/a{$}\n  ^"},
		{"/{a}{$}", 4, endBefore, "/{a}{$}\n    ^"},
		{"/{$}a", 4, endAfter, "/{$}a\n    ^"},
		{"/{$}{a}", 4, endAfter, "/{$}{a}\n    ^"},
		{"/{$}{$}", 4, endAfter, "/{$}{$}\n    ^"},
		{"/{$}.{a}/b", 4, endAfter, "/{$}.{a}/b\n    ^"},

		// Names.
		{"/{}", 2, namelessAny, "/{}\n  ^"},
		{"/{}/a", 2, namelessAny, "/{}/a\n  ^"},
		{"/{...}", 2, namelessAny, "/{...}\n  ^"},
		{"/{...}/", 2, namelessAny, "/{...}/\n  ^"},
		{"/{...:int}", 2, namelessAny, "/{...:int}\n  ^"},
		{"/a{}.b", 3, namelessAny, "/a{}.b\n   ^"},
		{"/{:}", 2, nameless + `"{id:}"`, "/{:}\n  ^"},
		{"/{:int}", 2, nameless + `"{id:int}"`, "/{:int}\n  ^"},
		{"/a-{:[0-9]{2}}/b", 4, nameless + `"{id:[0-9]{2}}"`, "/a-{:[0-9]{2}}/b\n    ^"},
		{"/{$...}", 2, dollar, "/{$...}\n  ^"},
		{"/{$:int}", 2, dollar, "/{$:int}\n  ^"},
		{"/a{$:int}", 3, dollar, "/a{$:int}\n   ^"},
		{"{$...}/a", 1, dollar, "{$...}/a\n ^"},
		{"/{a{b}", 3, `"{"` + notInName, "/{a{b}\n   ^"},
		{"/{{a}}", 2, `"{"` + notInName, "/{{a}}\n  ^"},
		{"/{/a}", 2, `"/"` + notInName, "/{/a}\n  ^"},
		{"/{......}", 2, dotsAtEnd, "/{......}\n  ^"},
		{"/{a......}", 3, dotsAtEnd, "/{a......}\n   ^"},
		{"/{a......:int}", 3, dotsAtEnd, "/{a......:int}\n   ^"},
		{"/{a}/{a}", 6, `duplicate parameter name "a"` + standsOnce, "/{a}/{a}\n      ^"},
		{"/{a}-{a}", 6, `duplicate parameter name "a"` + standsOnce, "/{a}-{a}\n      ^"},
		{"/{a:int}/{a:uint}", 10, `duplicate parameter name "a"` + standsOnce, "/{a:int}/{a:uint}\n          ^"},
		{"/{a}/{b}/{a...}", 10, `duplicate parameter name "a"` + standsOnce, "/{a}/{b}/{a...}\n          ^"},
		{"/{a...}/{a}", 9, `duplicate parameter name "a"` + standsOnce, "/{a...}/{a}\n         ^"},
		{"/{a...}/{a...}", 9, `duplicate parameter name "a"` + standsOnce, "/{a...}/{a...}\n         ^"},
		{"/{é}/{é}", 7, `duplicate parameter name "é"` + standsOnce, "/{é}/{é}\n      ^"},
		{"/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{8}", 34, `duplicate parameter name "8"` + standsOnce, "/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{8}\n                                  ^"},
		{"/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{1}", 34, `duplicate parameter name "1"` + standsOnce, "/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{1}\n                                  ^"},
		{"/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{9}/{9}", 38, `duplicate parameter name "9"` + standsOnce, "/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{9}/{9}\n                                      ^"},
		{"/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{9}/{8...}", 38, `duplicate parameter name "8"` + standsOnce, "/{1}/{2}/{3}/{4}/{5}/{6}/{7}/{8}/{9}/{8...}\n                                      ^"},

		// Constraints.
		{"/{a:}", 4, emptyRule, "/{a:}\n    ^"},
		{"/x{a:}.y", 5, emptyRule, "/x{a:}.y\n     ^"},
		{"{t:}/a", 3, emptyRule, "{t:}/a\n   ^"},
		{"/{a:b}", 4, "unknown constraint b; write (b) for this exact text" + oneOf, "/{a:b}\n    ^"},
		{"/x/{a}.{b:Int}", 10, "unknown constraint Int; names are lower case, write int", "/x/{a}.{b:Int}\n          ^"},
		{"/{a:_9}", 4, "unknown constraint _9; write (_9) for this exact text" + oneOf, "/{a:_9}\n    ^"},
		{"/{a: int}", 4, "space next to the constraint int; remove it, or write \"( int)\" for this exact text", "/{a: int}\n    ^"},
		{"/{a:nosuch\t}", 4, "space next to the constraint nosuch; remove it, or write \"(nosuch\\t)\" for this exact text", "/{a:nosuch\\t}\n    ^"},
		{"/{a...:int}", 6, ruleOfRest, "/{a...:int}\n      ^"},
		{"/{a...:[a-z]+}/b", 6, ruleOfRest, "/{a...:[a-z]+}/b\n      ^"},
		{"/{a...:}", 6, ruleOfRest, "/{a...:}\n      ^"},
		{"/{a:int...}", 7, restOfRule, "/{a:int...}\n       ^"},
		{"/{a:nosuch...}/b", 10, restOfRule, "/{a:nosuch...}/b\n          ^"},
		{"/{a:...}", 4, restOfRule, "/{a:...}\n    ^"},
		{"/{a:even}-{b}", 4, fmt.Sprintf(functionRule, '/'), "/{a:even}-{b}\n    ^"},
		{"/{a:int}-{b:even}.c", 12, fmt.Sprintf(functionRule, '/'), "/{a:int}-{b:even}.c\n            ^"},
		{"/{a:^x}.{b}", 4, aroundRule, "/{a:^x}.{b}\n    ^"},
		{"/{a}.{b:x$}", 8, aroundRule, "/{a}.{b:x$}\n        ^"},
		{`/{a:int}.{b:x\b}`, 12, aroundRule, "/{a:int}.{b:x\\\\b}\n            ^"},
		{`/{a:(x|[a-z]+(?:\Bq)?)}.{b}`, 4, aroundRule, "/{a:(x|[a-z]+(?:\\\\Bq)?)}.{b}\n    ^"},
		{`/{a:\Ax}.{b}`, 4, aroundRule, "/{a:\\\\Ax}.{b}\n    ^"},
		{`/{a:x\z}.{b}`, 4, aroundRule, "/{a:x\\\\z}.{b}\n    ^"},
		{"/{a:x*}.{b}", 4, emptyText, "/{a:x*}.{b}\n    ^"},
		{"/{a:int}.{b:(x|y)?}", 12, emptyText, "/{a:int}.{b:(x|y)?}\n            ^"},
		{"{t}-{u:x|}.h/", 7, emptyText, "{t}-{u:x|}.h/\n       ^"},

		// Regular expressions.
		{"/{a:()}", 4, noText, "/{a:()}\n    ^"},
		{"/{a:^}", 4, noText, "/{a:^}\n    ^"},
		{"/{a:^$}", 4, noText, "/{a:^$}\n    ^"},
		{`/{a:(\b|\B)*}`, 4, noText, "/{a:(\\\\b|\\\\B)*}\n    ^"},
		{"/{a:(?:|(?i))}", 4, noText, "/{a:(?:|(?i))}\n    ^"},
		{"/{a:x{0}}", 4, noText, "/{a:x{0}}\n    ^"},
		{`/{a:[^\x00-\x{10FFFF}]}`, 4, noText, "/{a:[^\\\\x00-\\\\x{10FFFF}]}\n    ^"},
		{"/b.{a:$}", 6, noText, "/b.{a:$}\n      ^"},
		// What other routers write.
		{"/{*}", 2, `for the rest of a path write "{path...}"`, "/{*}\n  ^"},
		{"/{*path}", 2, `for the rest of a path write "{path...}"`, "/{*path}\n  ^"},
		{"/{**path}", 2, `for the rest of a path write "{path...}"`, "/{**path}\n  ^"},
		{"/{path*}", 6, `for the rest of a path write "{path...}"`, "/{path*}\n      ^"},
		{"/a/{path+}", 8, `for the rest of a path write "{path...}"`, "/a/{path+}\n        ^"},
		{"/{id?}", 4, `optional parameters are not supported; write "{id}", and register the path without it too`, "/{id?}\n    ^"},
		{"/{?}", 2, `optional parameters are not supported; write "{id}", and register the path without it too`, "/{?}\n  ^"},
		{"/{id?:int}", 4, `optional parameters are not supported; write "{id}", and register the path without it too`, "/{id?:int}\n    ^"},
		{"/{id=5}", 4, `default values are not supported; write "{id}", and register the path without it too`, "/{id=5}\n    ^"},
		{"/{ id}", 2, "space before a parameter's name; remove it", "/{ id}\n  ^"},
		{"/{id }", 4, "space after a parameter's name; remove it", "/{id }\n    ^"},
		{"/{id :int}", 4, "space after a parameter's name; remove it", "/{id :int}\n    ^"},
		{"/{\t}", 2, "space before a parameter's name; remove it", "/{\\t}\n  ^"},
		{"/{id:int?}", 8, "optional parameters are not supported; write int, and register the path without the parameter too", "/{id:int?}\n        ^"},
		{"/{int:id}", 6, `unknown constraint id; the name of a parameter comes first, write "{id:int}"`, "/{int:id}\n      ^"},
		{"/{id:int=5}", 8, noArguments + "(?:int)" + inFront, "/{id:int=5}\n        ^"},
		{"/{id:int:min(1)}", 8, noArguments + "(?:int)" + inFront, "/{id:int:min(1)}\n        ^"},
		{"/{id:min(1)}", 8, noArguments + "(?:min)" + inFront, "/{id:min(1)}\n        ^"},
		{`/{id:regex(^\d+$)}`, 10, noArguments + "(?:regex)" + inFront, `/{id:regex(^\\d+$)}` + "\n          ^"},
		{"/{id:a^b}", 5, "the regular expression matches no value, since values are not empty", "/{id:a^b}\n     ^"},
		{"{t:[A-Z]+}.h/", 3, lowerHost, "{t:[A-Z]+}.h/\n   ^"},
		{"GET http://h/a", 4, `a pattern has no scheme; write "GET h/a"`, "GET http://h/a\n    ^"},
		{"/{a:*}", 4, noStar, "/{a:*}\n    ^"},
		{`/{a:\*b|*}`, 8, notRE2 + "missing argument to repetition operator", "/{a:\\\\*b|*}\n         ^"},
		{"/{a:b+|(?:c|+)}", 12, notRE2 + "missing argument to repetition operator", "/{a:b+|(?:c|+)}\n            ^"},
		{"/{a:x**}", 5, notRE2 + "invalid nested repetition operator", "/{a:x**}\n     ^"},
		{`/{a:\Q**\E**}`, 10, notRE2 + "invalid nested repetition operator", "/{a:\\\\Q**\\\\E**}\n            ^"},
		{"/{a:x{1001}}", 5, notRE2 + "invalid repeat count", "/{a:x{1001}}\n     ^"},
		{"/{a:x{2,1}}", 5, notRE2 + "invalid repeat count", "/{a:x{2,1}}\n     ^"},
		{"/{a:(x{1000}){1000}}", 13, notRE2 + "invalid repeat count", "/{a:(x{1000}){1000}}\n             ^"},
		{"/{a:x(y}", 4, notRE2 + "missing closing )", "/{a:x(y}\n    ^"},
		{"/{a:(x)y)z)}", 8, notRE2 + "unexpected )", "/{a:(x)y)z)}\n        ^"},
		{`/{a:\)[)])}`, 9, notRE2 + "unexpected )", "/{a:\\\\)[)])}\n          ^"},
		{"/{a:[0-9]+[a-z}", 10, notRE2 + "missing closing ]", "/{a:[0-9]+[a-z}\n          ^"},
		{"/{a:[z-a]}", 5, notRE2 + "invalid character class range", "/{a:[z-a]}\n     ^"},
		{"/{a:[[:foo:]]}", 5, notRE2 + "invalid character class range", "/{a:[[:foo:]]}\n     ^"},
		{`/{a:x-\p{Foo}}`, 6, notRE2 + "invalid character class range", "/{a:x-\\\\p{Foo}}\n      ^"},
		{`/{a:\\1\1}`, 7, notRE2 + "invalid escape sequence", "/{a:\\\\\\\\1\\\\1}\n         ^"},
		{"/{a:x(?=y)}", 5, notRE2 + "invalid or unsupported Perl syntax", "/{a:x(?=y)}\n     ^"},
		{"/{a:(?!new)[a-z]+}", 4, notRE2 + "invalid or unsupported Perl syntax", "/{a:(?!new)[a-z]+}\n    ^"},
		{"/{a:x|(?P<n o>y)}", 6, notRE2 + "invalid named capture", "/{a:x|(?P<n o>y)}\n      ^"},
		{"/{a:x\xff\xff}", 5, notRE2 + "invalid UTF-8", "/{a:x\\xff\\xff}\n     ^"},
		{"/v{a:[0-9]+}.{b:*}", 16, noStar, "/v{a:[0-9]+}.{b:*}\n                ^"},
		{"{t:[}.h/a", 3, notRE2 + "missing closing ]", "{t:[}.h/a\n   ^"},
		{"/\xff{a:.+x?}-{b}", 1, fmt.Sprintf(notUTF8, '/'), "/\\xff{a:.+x?}-{b}\n ^"},
		{"/{a}%FF{b:.+x?}", 4, fmt.Sprintf(notUTF8, '/'), "/{a}%FF{b:.+x?}\n    ^"},
		{"h\uFFFD{a:.+x?}-{b}/", 0, fmt.Sprintf(notUTF8, '.'), "h\uFFFD{a:.+x?}-{b}/\n^"},

		// What ends a path, and catch-alls.
		{"/{$}/", 1, afterEnd, "/{$}/\n ^"},
		{"/{$}/a", 1, afterEnd, "/{$}/a\n ^"},
		{"/a/{$}/{b}", 3, afterEnd, "/a/{$}/{b}\n   ^"},
		{"/{a...}/{$}/b", 8, afterEnd, "/{a...}/{$}/b\n        ^"},
		{"/{a...}/", 8, fmt.Sprintf(slashIsRest, 1), "/{a...}/\n        ^"},
		{"/x/{a...}/b/", 12, fmt.Sprintf(slashIsRest, 3), "/x/{a...}/b/\n            ^"},
		{"/{a...}//", 9, fmt.Sprintf(slashIsRest, 1), "/{a...}//\n         ^"},
		{"/{a...}/{b...}", 8, secondRest, "/{a...}/{b...}\n        ^"},
		{"/{a...}/x/{b...}/y", 10, secondRest, "/{a...}/x/{b...}/y\n          ^"},
		{"{t...}.h/{a...}/{b...}", 16, secondRest, "{t...}.h/{a...}/{b...}\n                ^"},

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
		{"GET /{a:x//y}//{b}", 14, "no GET" + neverReaches + `"GET /{a:x//y}/{b}"`, "GET /{a:x//y}//{b}\n              ^"},
		{"GET /{a:x/../y}/../b", 16, "no GET" + neverReaches + `"GET /b"`, "GET /{a:x/../y}/../b\n                ^"},
		{"GET {t}.h//a", 10, "no GET" + neverReaches + `"GET {t}.h/a"`, "GET {t}.h//a\n          ^"},
		{"GET {t:x//y}/./a", 13, "no GET" + neverReaches + `"GET {t:x//y}/a"`, "GET {t:x//y}/./a\n             ^"},
		{"GET /{p...}//a", 12, "no GET" + neverReaches + `"GET /{p...}/a"`, "GET /{p...}//a\n            ^"},
		{`GET /{a\}//{b}}`, 10, "no GET" + neverReaches + `"GET /{a\\}/{b}}"`, "GET /{a\\\\}//{b}}\n           ^"},

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
		p, err := parse(row.pattern, withEven)
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
		_, err := parse(pattern, noRules)
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

		// Catch-alls in the middle.
		{"/{x...}/a", "", "", `{x...+} "a"`},
		{"/{x...}/{y}", "", "", `{x...+} {y}`},
		{"/{x...}/{$}", "", "", `{x...+} {$}`},
		{"/a/{x...}/b/{y:int}/c{z}/{$}", "", "", `"a" {x...+} "b" {y:int} <c{z}> {$}`},
		{"/{x...}//a", "", "", `{x...+} "" "a"`},
		{"h/{x...}/a", "", "h", `{x...+} "a"`},

		// Several parts in a segment.
		{"/a{b}", "", "", `<a{b}>`},
		{"/{a}b", "", "", `<{a}b>`},
		{"/a{b}c", "", "", `<a{b}c>`},
		{"/{a}}", "", "", `<{a}}>`},
		{"/{a}:b", "", "", `<{a}:b>`},
		{"/{a}é", "", "", `<{a}é>`},
		{"/日本{x}", "", "", `<日本{x}>`},
		{"/{name}.{ext}", "", "", `<{name}.{ext}>`},
		{"/v{a}.{b}.{c}-{d}", "", "", `<v{a}.{b}.{c}-{d}>`},
		{"/{a}.../b", "", "", `<{a}...> "b"`},
		{"/{a} {b}", "", "", `<{a} {b}>`},
		{"/{a}-{b}/{c}", "", "", `<{a}-{b}> {c}`},
		{"/%7B{a}%7D%2F{b}", "", "", `<{{a}}/{b}>`},
		{"/%2{a}F", "", "", `<%2{a}F>`},
		{"/\xff{a}\x00{b}", "", "", "<\xff{a}\x00{b}>"},
		{"/x{a:int}", "", "", `<x{a:int}>`},
		{"/{a:int}-{b}", "", "", `<{a:int}-{b}>`},
		{"/{a:[0-9]+}.{b:[a-z]{2,3}}/", "", "", `<{a:[0-9]+}.{b:[a-z]{2,3}}> {...}`},
		{"/x{a:even}y", "", "", `<x{a:even}y>`},
		{"/x{a:y*}z", "", "", `<x{a:y*}z>`},
		{"/{a:^x$}y", "", "", `<{a:^x$}y>`},
		{"/\xff{a:[a-z]+}-{b:int}", "", "", "<\xff{a:[a-z]+}-{b:int}>"},

		// Constraints.
		{"/{a:int}", "", "", `{a:int}`},
		{"/{a:uint}/{b:alpha}/{c:alnum}/{d:hex}", "", "", `{a:uint} {b:alpha} {c:alnum} {d:hex}`},
		{"/{a:uuid}/{b:date}/{c:ipv4}/{d:slug}/{e:even}", "", "", `{a:uuid} {b:date} {c:ipv4} {d:slug} {e:even}`},
		{"/{a:(b)}", "", "", `{a:(b)}`},
		{"/{a:(...)}", "", "", `{a:(...)}`},
		{"/{a:( int)}", "", "", `{a:( int)}`},
		{"/{a:a b }", "", "", `{a:a b }`},
		{"/{a:[0-9]+}", "", "", `{a:[0-9]+}`},
		{"/{a:[0-9]{4}}", "", "", `{a:[0-9]{4}}`},
		{"/{a:b|c}", "", "", `{a:b|c}`},
		{"/{a:b*}", "", "", `{a:b*}`},
		{"/{a:9}", "", "", `{a:9}`},
		{"/{a:日本}", "", "", `{a:日本}`},
		{"/{a:.}", "", "", `{a:.}`},
		{`/{a:\{\}}`, "", "", `{a:\{\}}`},
		{`/{a:\}}/b`, "", "", `{a:\}} "b"`},
		{`/{a:\\}`, "", "", `{a:\\}`},
		{"/{a:{}}", "", "", `{a:{}}`},
		{"/{a:[^:]:+}", "", "", `{a:[^:]:+}`},
		{`/{a:\Q.*}`, "", "", `{a:\Q.*}`},
		{`/{a:^(?i)x\b}`, "", "", `{a:^(?i)x\b}`},
		{"/{a b:int}/{$x:int}", "", "", `{a b:int} {$x:int}`},

		// Slashes and dots in braces are no segments.
		{"/{a:x/y}", "", "", `{a:x/y}`},
		{"/{a:x/y}/b{c:/+}/d", "", "", `{a:x/y} <b{c:/+}> "d"`},
		{"GET /{a:x//y}", "GET", "", `{a:x//y}`},
		{"GET /{a:/./}", "GET", "", `{a:/./}`},
		{"GET /{a:x/../y}/b", "GET", "", `{a:x/../y} "b"`},
		{"GET /x{a:/../}/{b}", "GET", "", `<x{a:/../}> {b}`},
		{"GET {t:x//y}/a", "GET", "{t:x//y}", `"a"`},
		{"GET /{.}/{..}", "GET", "", `{.} {..}`},

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
		{"a*b.h/a", "", "a*b.h", `"a"`},
		{"h:http/a", "", "h:http", `"a"`},
		{"h:/a", "", "h:", `"a"`},
		{"h..i/a", "", "h..i", `"a"`},
		{"é.example/a", "", "é.example", `"a"`},
		{"É.example/a", "", "É.example", `"a"`}, // ASCII letters only, as in DNS
		{"a_b/c", "", "a_b", `"c"`},
		{"./a", "", ".", `"a"`},
		{"../a", "", ".", `"a"`},

		// Hosts with parameters.
		{"*/", "", "{}", `{...}`},
		{"*/*", "", "{}", `"*"`},
		{"GET */a", "GET", "{}", `"a"`},
		{"*.example.com/", "", `{} "example" "com"`, `{...}`},
		{"GET *.EXAMPLE.com./a", "GET", `{} "example" "com"`, `"a"`},
		{"*.{t}.h/", "", `{} {t} "h"`, `{...}`},
		{"*.{t...}/", "", `{} {t...}`, `{...}`},
		{"*.:80/", "", "{} :80", `{...}`},
		{"*:80/", "", "{} :80", `{...}`},
		{"{h}/a", "", "{h}", `"a"`},
		{"{h}./a", "", "{h}", `"a"`},
		{"GET {h}.Example.Com/a", "GET", `{h} "example" "com"`, `"a"`},
		{"h{x}/a", "", "<h{x}>", `"a"`},
		{"API-{Region}-{n:int}.Example.com:8443/", "", `<api-{Region}-{n:int}> "example" "com" :8443`, `{...}`},
		{"{t...}.h/{u...}", "", `{t...} "h"`, `{u...}`},
		{"{t...}/{u...}/a", "", "{t...}", `{u...+} "a"`},
		{"a.{t...}.{u}.h/", "", `"a" {t...} {u} "h"`, `{...}`},
		{"{t:[a-z]{2}}.h/{u:[a-z]{2}}", "", `{t:[a-z]{2}} "h"`, `{u:[a-z]{2}}`},
		{"{t:a.b|c:d}.h:80/", "", `{t:a.b|c:d} "h" :80`, `{...}`},
		{"{t:even}.h/", "", `{t:even} "h"`, `{...}`},
		{"{a b}.h/", "", `{a b} "h"`, `{...}`},
		{"É{t}.é/", "", `<É{t}> "é"`, `{...}`},

		// Names.
		{"/{enterprise-team}", "", "", `{enterprise-team}`},
		{"/{日本}", "", "", `{日本}`},
		{"/{a b}", "", "", `{a b}`},
		{"GET /{a b}/{a\tb}", "GET", "", "{a b} {a\tb}"},
		{"/{1}/{_}/{-}/{.}/{..}", "", "", `{1} {_} {-} {.} {..}`},
		{"/{a.b}/{a...}", "", "", `{a.b} {a...}`},
		{"/{a..}/{a....}", "", "", `{a..} {a....}`},
		{"/{$x}/{x$}/{$$}", "", "", `{$x} {x$} {$$}`},
		{"/{a*b}/{?x}/{%41}/{&}", "", "", `{a*b} {?x} {%41} {&}`},
		{"/{A}/{a}", "", "", `{A} {a}`},
		{`/{a\}/{\}`, "", "", `{a\} {\}`},
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
		p, err := parse(row.pattern, withEven)
		if err != nil {
			t.Errorf("%q: got error %v, want none", row.pattern, err)
			continue
		}
		if got := strings.Join(p.Methods, ","); got != row.methods || hostText(p) != row.host || segsText(p.Segments) != row.segs {
			t.Errorf("%q: got methods %q, host %s, segments %s\nwant %q, %s, %s", row.pattern, got, hostText(p), segsText(p.Segments), row.methods, row.host, row.segs)
		}
		if fault := patternFault(p, false); fault != "" {
			t.Errorf("%q: %s", row.pattern, fault)
		}
	}
}

// segsText writes segments one after the other: literals quoted, the others as
// in a pattern, mixed ones in <> and catch-alls in the middle with a plus.
func segsText(segs []pattern.Segment) string {
	var b []string
	for _, g := range segs {
		switch g.Kind {
		case pattern.Literal:
			b = append(b, fmt.Sprintf("%q", g.Text))
		case pattern.Param:
			b = append(b, "{"+g.Text+"}")
		case pattern.Dollar:
			b = append(b, "{$}")
		case pattern.InnerCatchAll:
			b = append(b, "{"+g.Text+"...+}")
		case pattern.CatchAll:
			b = append(b, "{"+g.Text+"...}")
		case pattern.Constrained:
			b = append(b, g.String())
		case pattern.Composite:
			b = append(b, "<"+g.String()+">")
		}
	}
	return strings.Join(b, " ")
}

// hostText returns the host of a pattern; one with parameters as segsText writes
// its labels, and the port behind them.
func hostText(p *pattern.Pattern) string {
	f := p.HostPattern()
	if f == nil {
		return p.Host
	}
	return strings.TrimSpace(segsText(f.Labels) + " " + f.Port)
}

// TestOrderOfSegments: behind a catch-all in the middle the segments are matched from the
// end of the path to the left.
func TestOrderOfSegments(t *testing.T) {
	for _, row := range []struct{ pattern, order string }{
		{"/a/{x}/{y...}", `"a" {x} {y...}`},
		{"/{x...}/a", `{x...+} "a"`},
		{"/{x...}/a/b/c", `{x...+} "c" "b" "a"`},
		{"/a/b/{x...}/c{y}/{z:int}", `"a" "b" {x...+} {z:int} <c{y}>`},
		{"/a/{x...}/b/{$}", `"a" {x...+} "" "b"`},
		{"/{x...}/{$}", `{x...+} ""`},
		{"{t}.h/{x...}/a/b", `{x...+} "b" "a"`},
	} {
		p, err := parse(row.pattern, noRules)
		if err != nil {
			t.Errorf("%q: got error %v", row.pattern, err)
		} else if got := segsText(p.Order()); got != row.order {
			t.Errorf("%q: got the order %s, want %s", row.pattern, got, row.order)
		}
	}
}

// TestSameSegments: segments that are spelt differently and match the same text
// are one, all others are not, and so are hosts.
func TestSameSegments(t *testing.T) {
	segments := [][]string{
		{"/{x}", "/{y}", "/{longer name}"},
		{"/{x...}/a", "/{y...}/a"},
		{"/{x...}", "/{y...}", "/"},
		{"/{$}"},
		{"/a", "/%61"},
		{"/A"},
		{"/{x:int}", "/{y:int}"},
		{"/{x:uint}"},
		{"/{x:(int)}"},
		{"/{x:even}", "/{y:even}"},
		{"/{x:[0-9]}", `/{y:\d}`, "/{x:[0123456789]}", "/{x:[[:digit:]]}", "/{x:(?:[0-9])}"},
		{"/{x:[0-9]+}", `/{x:\d+}`, "/{x:[0-9]{1,}}"},
		{"/{x:[0-9]{4}}", `/{x:\d{4}}`},
		{"/{x:(?i)ab}", "/{x:(?i:aB)}", "/{x:(?i)A(?i)b}"},
		{"/{x:ab|ac}", "/{x:a(?:b|c)}", "/{x:a[bc]}"},
		{"/{x:a|b}", "/{x:[ab]}"},
		{"/{x:a.c}"},
		{"/{x:(?s)a.c}", "/{x:(?s:a.)c}"},
		{"/{x:a+}"},
		{"/{x:a+?}", "/{x:(?U)a+}"},
		{"/v{x}", "/v{y}", "/%76{x}"},
		{"/{x}v"},
		{"/vv{x}"},
		{"/v{x}v"},
		{"/{x}.{y}", "/{a}.{b}", "/{y}.{x}", "/{x}%2E{y}"},
		{"/{x}..{y}"},
		{"/{x}.{y}."},
		{"/{x}.{y}.{z}"},
		{"/v{x:int}", "/v{y:int}"},
		{"/{x:int}.{y}", "/{y:int}.{x}"},
		{"/{x}.{y:int}"},
		{`/{x:\d}.{y}`, "/{x:[0-9]}.{y}"},
		{"/1=a{x}"},
		{"/a{x}1=b0:"},
		{"/a{x}1=b{y}"},
	}
	compare := func(classes [][]string, same func(p, q *pattern.Pattern) bool) {
		for i, class := range classes {
			for j, other := range classes {
				for _, s := range class {
					for _, o := range other {
						p, err1 := parse(s, withEven)
						q, err2 := parse(o, withEven)
						if err1 != nil || err2 != nil {
							t.Fatalf("%q next to %q: got errors %v and %v", s, o, err1, err2)
						}
						if got := same(p, q); got != (i == j) {
							t.Errorf("%q next to %q: got same = %t, want %t", s, o, got, i == j)
						}
					}
				}
			}
		}
	}
	compare(segments, func(p, q *pattern.Pattern) bool { return p.Segments[0].Same(q.Segments[0]) })
	compare([][]string{
		{"/"},
		{"h/", "H/", "h./"},
		{"{t}/", "*/", "{u}./"},
		{"{t...}/", "{u...}/"},
		{"{t}.h/", "*.h/", "{u}.H./"},
		{"{t}.h:80/", "*.h.:80/"},
		{"{t}.h:8/"},
		{"{t...}.h/"},
		{"{t}.{u}/", "*.{t}/"},
		{"{t}.{u...}/"},
		{"{t...}.{u}/"},
		{"h{t}/", "H{u}/"},
		{"{t}h/"},
		{"h.{t}/"},
		{"{t:int}/", "{u:int}/"},
		{"{t:[0-9]}/", `{t:\d}/`},
		{"0h.{t}/"},
	}, func(p, q *pattern.Pattern) bool { return p.Host == q.Host })
}

// TestPatternsUnclean: a mux that serves paths as they were sent takes unclean
// patterns of every method, and nothing else that it would refuse otherwise.
func TestPatternsUnclean(t *testing.T) {
	for _, path := range []string{"//", "//a", "/a//b", "/a//", "/.", "/./a", "/a/.", "/..", "/a/../b", "/{x}/../{y}", "/a//{x...}", "/a/./{$}", "/{x...}//a", "/a{x}//{y:int}", "/{x:a//b}/./{y}"} {
		for _, methods := range []string{"GET ", "POST ", "GET,CONNECT ", "CONNECT,GET ", "M-SEARCH h", "GET {t}.h"} {
			pattern := methods + path
			if _, err := parse(pattern, noRules); err == nil {
				t.Errorf("%q, paths are cleaned: got no error", pattern)
			}
			p, err := parse(pattern, uncleanRules)
			if err != nil {
				t.Errorf("%q, paths are served as sent: got error %v", pattern, err)
			} else if fault := patternFault(p, true); fault != "" {
				t.Errorf("%q, paths are served as sent: %s", pattern, fault)
			}
		}
		for _, methods := range []string{"", "CONNECT ", "h", "CONNECT h:80", "{t:[a-z]+}.h", "CONNECT *.h:80"} {
			clean, err1 := parse(methods+path, noRules)
			sent, err2 := parse(methods+path, uncleanRules)
			if err1 != nil || err2 != nil || !slices.EqualFunc(clean.Segments, sent.Segments, equalSegments) {
				t.Errorf("%q: got errors %v and %v, want none", methods+path, err1, err2)
			}
		}
	}
	for _, pattern := range []string{"", "GET", "GET //{", "GET //{a}/{a}", "GET, POST //a", "GET h i//a"} {
		if p, err := parse(pattern, uncleanRules); err == nil {
			t.Errorf("%q, paths are served as sent: got segments %s, want an error", pattern, segsText(p.Segments))
		}
	}
}

// TestServeMuxPatterns: what http.ServeMux takes is taken here, with the same
// meaning, but for what doc.go lists: a '*' that is the first label of a host
// matches any, and other hosts that begin with one are refused.
func TestServeMuxPatterns(t *testing.T) {
	serveMux := func(pattern string) any {
		return recovered(func() { http.NewServeMux().HandleFunc(pattern, ok) })
	}
	for _, pattern := range []string{
		"*a/", "GET *h/a", "**/", "*..h/", "*.*/", "*.h.*/", "*.[::1]/", "*:http/", "*:/", "*:80:90/",
		"GET h i/a", "GET  h \ti/a", "a,b/", "GET a,b/",
	} {
		if _, err := parse(pattern, noRules); err == nil || !refusedOnPurpose(pattern) {
			t.Errorf("%q: got no error; doc.go says that it is refused", pattern)
		}
		if v := serveMux(pattern); v != nil {
			t.Errorf("%q: ServeMux refuses it as well: %v", pattern, v)
		}
	}
	for _, pattern := range []string{
		"/", "/a", "GET /", "GET  /a", "GET\t/a", "get /a", "h/", "GET h/a/", "h.com:80/", "[::1]/x", "/{x}", "/{x...}", "/{$}", "/a/{x}/{$}", "/a%2Fb", "/a%zz", "//", "/x/../y", "CONNECT //a",
		"/*", "/:x", "/}", "/a}b", "/?", "é/a", "/é", "/{é}", "/\x00", "/\xff", "%41/a", "a:b:c/", "./", "../", "[/a", "]/a", "#/a", "?/a", "a?b/c", "h:http/", "h:/", "h..i/", "a*/", "a.*/", "}/a", "a}.b/", "h:}/",
		" /a", "\t/a", " \t h/a", "  CONNECT/a",
		"*/", "GET *.h/a", "*.h:80/", " *./", "*:80/{x}",
	} {
		if v := serveMux(pattern); v != nil {
			t.Errorf("%q: ServeMux refuses it: %v", pattern, v)
			continue
		}
		p, err := parse(pattern, noRules)
		if err != nil || refusedOnPurpose(pattern) {
			t.Errorf("%q: ServeMux takes it, and doc.go does not name it: %v", pattern, err)
		} else if fault := meaningFault(p); fault != "" {
			t.Errorf("%q: %s", pattern, fault)
		}
	}
	// What means more here than literal text means nothing to ServeMux.
	for _, pattern := range []string{
		"{h}/a", "h{x}/a", "{h}.h/a", "*.{h}/", "{h...}/", "{h}:80/", "/{x}.{y}", "/a{x}", "/{x}b", "/{x...}/a", "/{x...}/{$}", "/{x:int}", "/{x:[0-9]+}", "/{a b}", "/{a-b}", "GET,POST /",
	} {
		if _, err := parse(pattern, noRules); err != nil {
			t.Errorf("%q: got error %v", pattern, err)
		}
		if serveMux(pattern) == nil {
			t.Errorf("%q: ServeMux takes it, so that it means something else there", pattern)
		}
	}
}

// meaningFault returns what a pattern that ServeMux takes has that no such
// pattern means there, or "".
func meaningFault(p *pattern.Pattern) string {
	if f := p.HostPattern(); f != nil && (!strings.HasPrefix(overlap.RawHost(p), "*") || f.Names > 0) {
		return "its host has parameters: " + f.Text
	}
	for i, g := range p.Segments {
		if g.Kind == pattern.Composite || g.Kind == pattern.Constrained || g.Kind == pattern.InnerCatchAll {
			return fmt.Sprintf("segment %d is %s", i, g)
		}
	}
	return ""
}

// TestHugePatterns: a megabyte of pattern is parsed, or refused with a message
// of a size that can be read.
func TestHugePatterns(t *testing.T) {
	skipUnderRace(t)
	size := long.Rounds(t, "bytes", 1<<18, 1<<18, 1<<20)
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
		{"segments", strings.Repeat("/a", pattern.MaxSegments), pattern.MaxSegments},
		{"300 parameters", params, 300},
		{"300 parameters and a catch-all", params + "/{path...}", 301},
		{"escapes", "/" + strings.Repeat("%61", size/3), 1},
		{"a catch-all in the middle", strings.Repeat("/a", pattern.MaxSegments/2) + "/{x...}" + strings.Repeat("/a", pattern.MaxSegments/2-1), pattern.MaxSegments},
		{"parameters in a segment", "/" + distinctParams(size/8, "-"), 1},
		{"300 parameters in a segment, of which one has a constraint", "/{x:int}-" + distinctParams(300, "-"), 1},
		{"text next to a parameter", "/" + a + "{x}" + a, 1},
		{"slashes in braces", "/{x:[" + strings.Repeat("/", pattern.MaxSegments-2) + "]+}", 1},
		{"labels", "{t}" + strings.Repeat(".a", 127) + "/", 1},
		{"labels with parameters", "{t}." + distinctParams(127, ".") + "/", 1},
		{"a long name", "{t}." + strings.Repeat("x", hostname.MaxLen-2) + "/", 1},
		{"closing braces", "/{x" + strings.Repeat("}", size), 1},
		{"an expression that begins like a name", "/{x:" + strings.Repeat("a", 1<<16) + "-}", 1},
	} {
		p, err := parse(row.pattern, noRules)
		if err != nil || len(p.Segments) != row.segs {
			t.Errorf("%s: got %v, error %.200v, want %d segments", row.what, p, err, row.segs)
		}
	}
	for what, pattern := range map[string]string{
		"too many segments":         strings.Repeat("/a", pattern.MaxSegments+1),
		"no path":                   a,
		"no path after methods":     strings.Repeat("A", size),
		"a brace in a host":         "h{" + a + "/",
		"a space after a comma":     "GET, POST," + strings.Repeat("A", size) + " /",
		"a method twice":            a + "," + a + " /",
		"an unclean path":           "GET //" + a,
		"unclean for a method":      a + " //",
		"a name twice":              "/{" + a + "}/{" + a + "}",
		"an open brace":             "/" + a + "{" + a,
		"a brace in a name":         "/{" + a + "{" + a + "}",
		"a bad method":              a + "@" + a + " /",
		"a parameter 300 twice":     params + "/{pa}",
		"braces without end":        "GET //" + strings.Repeat("{", size),
		"labels":                    "{t}" + strings.Repeat(".a", size/2) + "/",
		"labels with parameters":    "{t}." + distinctParams(size/8, ".") + "/",
		"a longer name":             "{t}." + strings.Repeat("x", hostname.MaxLen-1) + "/",
		"braces in a host":          "h" + strings.Repeat("{", size) + "/",
		"an unclosed expression":    "/{x:" + strings.Repeat("{", size) + "}",
		"parameters without end":    strings.Repeat("/{x:{", size/5) + "//",
		"a bad expression":          "/{x:" + strings.Repeat(`\*`, size/2) + "|*}",
		"a deep expression":         "/{x:" + strings.Repeat("(", 1001) + strings.Repeat(")", 1001) + "}",
		"too deep with anchors":     "/{x:" + strings.Repeat("(", 998) + "a" + strings.Repeat(")", 998) + "}",
		"a huge expression":         "/{x:(" + a + "){1000}}",
		"an unknown constraint":     "/{x:" + a + "}",
		"a constraint with a space": "/{x: " + a + "}",
		"no name":                   "/{:" + a + "}",
		"two next to each other":    "/{x:[" + a + "]}{y}",
		"text that is no text":      "/\xff" + a + "\xff{x:.*a?}-{y}",
		"empty labels":              "{t}" + strings.Repeat(".", size) + "/",
		"colons":                    "{t}" + strings.Repeat(":", size) + "/",
		"a port":                    "{t}:" + a + "/",
		"runes that are cut":        "/" + strings.Repeat("é", size/2) + "{" + strings.Repeat("日", size/3),
	} {
		_, err := parse(pattern, noRules)
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

// distinctParams returns n parameters, with text between each two.
func distinctParams(n int, between string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteString(between)
		}
		fmt.Fprintf(&b, "{p%d}", i)
	}
	return b.String()
}

// TestHugeConflicts: so is the message about two such patterns.
func TestHugeConflicts(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	for _, row := range [][2]string{{"/" + long, "/" + long}, {"/" + long + "/{x}", "/" + long + "/{y}"}, {"/{x}/" + long, "/" + long + "/{y}"}, {long + "/", long + "/"}} {
		m := New(StrictConflicts())
		m.HandleFunc(row[0], ok)
		if _, err := m.Add(row[1], http.HandlerFunc(ok)); err == nil || len(err.Error()) > 4<<10 {
			t.Errorf("%.20q… next to %.20q…: got an error of %d bytes, want one of a few hundred", row[1], row[0], len(fmt.Sprint(err)))
		}
	}
	m := New()
	m.Add("/a", http.HandlerFunc(ok), Name(long))
	if _, err := m.Add("/b", http.HandlerFunc(ok), Name(long)); err == nil || len(err.Error()) > 4<<10 {
		t.Errorf("a long name twice: got an error of %d bytes, want one of a few hundred", len(fmt.Sprint(err)))
	}
}

// patternFault returns what is wrong with a pattern that was accepted, or "".
func patternFault(p *pattern.Pattern, unclean bool) string {
	anywhere := unclean || p.Methods == nil || slices.Equal(p.Methods, []string{"CONNECT"})
	names := nameFaults{seen: make(map[string]bool)}
	if f := p.HostPattern(); f != nil {
		if fault := hostFault(p, f, &names); fault != "" {
			return fmt.Sprintf("host %q: %s", f.Text, fault)
		}
	}
	catchAlls, slashes := 0, len(p.Segments)
	for i, g := range p.Segments {
		final := i == len(p.Segments)-1
		switch {
		case g.Kind > pattern.CatchAll:
			return fmt.Sprintf("segment %d has kind %d", i, g.Kind)
		case (g.Kind == pattern.Dollar || g.Kind == pattern.CatchAll) && !final:
			return fmt.Sprintf("segment %d of %d ends the path", i, len(p.Segments))
		case g.Kind == pattern.InnerCatchAll && (final || g.Text == ""):
			return fmt.Sprintf("segment %d of %d is a catch-all in the middle called %q", i, len(p.Segments), g.Text)
		case g.Kind == pattern.Dollar && g.Text != "":
			return fmt.Sprintf("the end has a text, %q", g.Text)
		case g.Kind == pattern.Literal && g.Text == "" && (final || !anywhere):
			return fmt.Sprintf("segment %d of %d is empty", i, len(p.Segments))
		case g.Kind == pattern.Param && g.Text == "":
			return fmt.Sprintf("segment %d is a parameter without a name", i)
		}
		if g.Kind == pattern.InnerCatchAll || g.Kind == pattern.CatchAll {
			catchAlls++
		}
		if fault := names.of(g); fault != "" {
			return fmt.Sprintf("segment %d: %s", i, fault)
		}
		if g.Matcher != nil {
			for _, c := range g.Matcher.Constraints {
				slashes += strings.Count(c.Text, "/")
			}
		}
	}
	if catchAlls > 1 {
		return fmt.Sprintf("%d catch-alls", catchAlls)
	}
	if len(p.Segments) == 0 || slashes != strings.Count(p.Text[p.PathAt:], "/") {
		return fmt.Sprintf("%d segments in the path %q", len(p.Segments), p.Text[p.PathAt:])
	}
	if fault := orderFault(p); fault != "" {
		return fault
	}
	if p.Methods != nil && len(p.Methods) == 0 {
		return "an empty list of methods, which is neither none nor some"
	}
	for i, m := range p.Methods {
		if !pattern.IsToken(m) || slices.Contains(p.Methods[:i], m) {
			return fmt.Sprintf("methods %q", p.Methods)
		}
	}
	before := strings.Join(p.Methods, ",")
	host := strings.TrimLeft(strings.TrimPrefix(p.Text[:p.PathAt], before), " \t")
	if !strings.HasPrefix(p.Text, before) || p.HostPattern() == nil && p.Host != hostname.Fold(host) || p.Host == "" && host != "" {
		return fmt.Sprintf("methods %q, host %q", p.Methods, p.Host)
	}
	// The same pattern, spelt otherwise, and with other names.
	r := pattern.Rules{Unclean: unclean, Constraints: withEven.Constraints}
	again, err := parse(respell(p, func(name string) string { return name }), r)
	if err != nil || hostText(again) != hostText(p) || again.Host != p.Host || !slices.EqualFunc(again.Segments, p.Segments, equalSegments) {
		return fmt.Sprintf("its segments are %s; spelt as %q they are parsed as %v, error %v", segsText(p.Segments), respell(p, func(name string) string { return name }), again, err)
	}
	renamed := respell(p, func(name string) string { return name + "'" })
	again, err = parse(renamed, r)
	if err != nil || again.Host != p.Host || !slices.EqualFunc(again.Segments, p.Segments, pattern.Segment.Same) {
		return fmt.Sprintf("it is not the same as %q, which is parsed as %v, error %v", renamed, again, err)
	}
	return ""
}

// A nameFaults finds names that no parameter may bear, over host and path.
type nameFaults struct{ seen map[string]bool }

// of returns what is wrong with a segment's names and with its form, or "".
func (n *nameFaults) of(g pattern.Segment) string {
	var names []string
	switch {
	case (g.Kind == pattern.Composite || g.Kind == pattern.Constrained) != (g.Matcher != nil):
		return fmt.Sprintf("kind %d and form %v", g.Kind, g.Matcher)
	case g.Matcher != nil:
		if fault := formFault(g); fault != "" {
			return fault
		}
		names = g.Matcher.Names
	case g.Kind != pattern.Literal && g.Text != "":
		names = []string{g.Text}
	}
	for _, name := range names {
		if name == "" || name == "$" || strings.ContainsAny(name, "{}:/") || strings.HasSuffix(name, "...") {
			return fmt.Sprintf("a parameter is called %q", name)
		}
		if n.seen[name] {
			return fmt.Sprintf("duplicate parameter name %q", name)
		}
		n.seen[name] = true
	}
	return ""
}

// formFault returns what is wrong with the form of a mixed or constrained
// segment, or "".
func formFault(g pattern.Segment) string {
	f, rules := g.Matcher, 0
	for _, c := range f.Constraints {
		if c.Text != "" {
			rules++
		}
		if (c.Text == "") != (c.Check == nil) || c.Text == "" && c.Key != "" || c.Text != "" && c.Key == "" {
			return fmt.Sprintf("constraint %q has the key %q, and a function: %t", c.Text, c.Key, c.Check != nil)
		}
	}
	literals := len(f.Prefix) + len(strings.Join(f.Between, "")) + len(f.Suffix)
	switch {
	case len(f.Names) == 0 || len(f.Constraints) != len(f.Names) || len(f.Between) != len(f.Names)-1:
		return fmt.Sprintf("%d names, %d constraints and %d texts between them", len(f.Names), len(f.Constraints), len(f.Between))
	case slices.Contains(f.Between, ""):
		return fmt.Sprintf("no text between two parameters: %q", f.Between)
	case f.Literals != literals:
		return fmt.Sprintf("%d bytes of text, want %d", f.Literals, literals)
	case f.ConstraintCount() != rules:
		return fmt.Sprintf("constraintCount says %d, want %d", f.ConstraintCount(), rules)
	case (f.Program != nil) != (len(f.Names) > 1 && rules > 0):
		return fmt.Sprintf("%d names and %d constraints, and a program: %t", len(f.Names), rules, f.Program != nil)
	case (f.Check != nil) != (len(f.Names) == 1 && rules > 0):
		return fmt.Sprintf("%d names and %d constraints, and a function: %t", len(f.Names), rules, f.Check != nil)
	case g.Kind == pattern.Constrained && (literals > 0 || rules != 1 || len(f.Names) != 1 || f.Names[0] != g.Text):
		return fmt.Sprintf("a constrained segment of form %s called %q", f, g.Text)
	case g.Kind == pattern.Composite && (literals == 0 || g.Text != ""):
		return fmt.Sprintf("a mixed segment of form %s called %q", f, g.Text)
	case f.Key == "":
		return "no key"
	}
	return ""
}

// hostFault returns what is wrong with the form of a host, or "".
func hostFault(p *pattern.Pattern, f *pattern.HostPattern, names *nameFaults) string {
	catchAll, count, literals, rules := -1, 0, 0, 0
	for i, g := range f.Labels {
		if fault := names.of(g); fault != "" {
			return fmt.Sprintf("label %d: %s", i, fault)
		}
		switch {
		case g.Kind == pattern.Dollar || g.Kind == pattern.InnerCatchAll || g.Kind > pattern.CatchAll || g.Kind == pattern.CatchAll && (catchAll >= 0 || g.Text == ""):
			return fmt.Sprintf("label %d has kind %d", i, g.Kind)
		case g.Kind == pattern.Literal && (g.Text == "" || strings.ContainsAny(g.Text, ".:*[] \t,")), g.Kind == pattern.Param && g.Text == "" && i > 0:
			return fmt.Sprintf("label %d is %q", i, g.Text)
		case g.Kind == pattern.Literal:
			literals += len(g.Text)
		case g.Kind == pattern.CatchAll:
			catchAll = i
		case g.Matcher != nil:
			literals += g.Matcher.Literals
			rules += g.Matcher.ConstraintCount()
		}
		count += g.Params()
	}
	if len(f.Labels) == 0 || f.CatchAll != catchAll || f.Names != count || f.Literals != literals || f.Constraints != rules {
		return fmt.Sprintf("catch-all %d, %d names, %d bytes, %d constraints, want %d, %d, %d, %d", f.CatchAll, f.Names, f.Literals, f.Constraints, catchAll, count, literals, rules)
	}
	if before, ok := strings.CutSuffix(f.Text, f.Tail+f.Port); !ok || f.Varied == 0 || !strings.HasSuffix(before, f.Labels[f.Varied-1].String()) {
		return fmt.Sprintf("%d labels and the tail %q, the port %q", f.Varied, f.Tail, f.Port)
	}
	if p.Host == "" || p.Host != f.Key() {
		return fmt.Sprintf("the key is %q", p.Host)
	}
	again, err := parse(f.Text+"/", withEven)
	if err != nil || again.Host != p.Host || again.HostPattern().Text != f.Text {
		return fmt.Sprintf("it is parsed as %v, error %v", again, err)
	}
	return ""
}

// orderFault returns what is wrong with the order of a pattern's segments, or "".
func orderFault(p *pattern.Pattern) string {
	order, at := slices.Clone(p.Order()), slices.IndexFunc(p.Segments, func(g pattern.Segment) bool { return g.Kind == pattern.InnerCatchAll })
	if at >= 0 {
		slices.Reverse(order[at+1:])
		if n := len(order) - 1; p.Segments[n].Kind == pattern.Dollar && order[n].Kind == pattern.Literal && order[n].Text == "" {
			order[n] = p.Segments[n]
		}
	}
	switch {
	case !slices.Equal(order, p.Segments):
		return fmt.Sprintf("segments %s are matched in the order %s", segsText(p.Segments), segsText(p.Order()))
	case (p.Extra != nil) != (at >= 0 || p.HostPattern() != nil):
		return fmt.Sprintf("it is rare: %t", p.Extra != nil)
	}
	return ""
}

// equalSegments reports whether two segments of different patterns are alike,
// names and spelling of constraints included.
func equalSegments(g, h pattern.Segment) bool {
	return g.Kind == h.Kind && g.Text == h.Text && g.String() == h.String() && g.Same(h)
}

// respell writes a pattern from its segments, with every byte of a literal that
// is not a letter escaped, and with other names.
func respell(p *pattern.Pattern, rename func(string) string) string {
	var b []byte
	escape := func(text string) {
		for _, c := range []byte(text) {
			if 'a' <= c && c <= 'z' {
				b = append(b, c)
			} else {
				b = fmt.Appendf(b, "%%%02x", c)
			}
		}
	}
	write := func(g pattern.Segment, literally func(string)) {
		switch f := g.Matcher; {
		case g.Kind == pattern.Literal:
			literally(g.Text)
		case f != nil:
			literally(f.Prefix)
			for i, name := range f.Names {
				if i > 0 {
					literally(f.Between[i-1])
				}
				b = append(b, "{"+rename(name)...)
				if c := f.Constraints[i].Text; c != "" {
					b = append(b, ":"+c...)
				}
				b = append(b, '}')
			}
			literally(f.Suffix)
		case g.Text == "":
			b = append(b, g.String()...)
		case g.Kind == pattern.Param:
			b = append(b, "{"+rename(g.Text)+"}"...)
		default:
			b = append(b, "{"+rename(g.Text)+"...}"...)
		}
	}
	if f := p.HostPattern(); f == nil {
		b = append(b, p.Text[:p.PathAt]...)
	} else {
		if p.Methods != nil {
			b = append(b, strings.Join(p.Methods, ",")+" "...)
		}
		for i, g := range f.Labels {
			if i > 0 {
				b = append(b, '.')
			}
			write(g, func(text string) { b = append(b, text...) })
		}
		b = append(b, f.Port...)
	}
	for _, g := range p.Segments {
		b = append(b, '/')
		write(g, escape)
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
	if above := string([]rune(shown)[column:]); !strings.HasPrefix(above, excerpt.Printable(pattern[e.Offset:e.Offset+size])) {
		return fmt.Sprintf("above the caret is %q, at offset %d %q", above, e.Offset, pattern[e.Offset:e.Offset+size])
	}
	return ""
}

// starHost are the hosts with a '*' in front that are taken.
var starHost = regexp.MustCompile(`^\*(\.[^.:*\[\]]+)*\.?(:[0-9]+)?$`)

// refusedOnPurpose reports whether a pattern that http.ServeMux takes is
// refused, as doc.go says: a host that begins with '*' and is not a pattern, or
// that has a space or a comma in it.
func refusedOnPurpose(pattern string) bool {
	before, _, _ := strings.Cut(pattern, "/")
	host := strings.TrimLeft(before, " \t")
	if i := strings.IndexAny(before, " \t"); i >= 0 {
		host = strings.TrimLeft(before[i:], " \t")
	}
	return strings.HasPrefix(host, "*") && (!starHost.MatchString(host) || len(host) > hostname.MaxLen) || strings.ContainsAny(host, " \t,")
}

func FuzzPattern(f *testing.F) {
	for _, pattern := range []string{
		"", "GET", "/", "/a/b/", "GET /a/{x}/{y...}", "GET,POST h.example:80/a%20b/{$}", "GET, POST /a", "[::1]:80/{a}/{a}", "/a//../{x", "GET /é/../è", "/{x...}/b", "CONNECT //",
		"/%2e%zz/\xff\x00", "G@T /", "/{日本}/{enterprise-team}/{a b}", "/{$...}", "{h}/", "*.h/a", "/{a......}", "GET /\xc3\xa9/../\xc3\xa8", "/{a:[0-9]{4}}", "/a/{p...}/", "h../x", strings.Repeat("/{a}", 20), "GET //" + strings.Repeat("é", 99),
		"/{name}.{ext}", "/v{a:int}.{b}-{c}/{d:uuid}", "/{a}{b}", "/a{b...}", "/{$}a", "/{x...}/a/{y}/{$}", "/{x...}/{y...}", "/{x...:int}", "/{x:int...}", "/{x:}", "/{x: int}", "/{x:nosuch\n\n}", "/{:int}", "/{x:nosuch}", "/{x:even}/y{z:even}", "/{x:even}.{y}",
		`GET /{x:\}/\{}/b`, "/{x:(a|b)*}.{y:.+?}", "/{x:^a$}", `/{x:a\b}.{y}`, "/{x:*}", "/{x:\\*|*}", "/{x:()}", "GET /{x:a//b}//c", `GET /{a\}//{b}}`, "/\xff{x:.+y?}-{z}", "/%2F{x}%2f{y}",
		"GET {t}.Example.com:8080/a/{x}", "{t...}.h/{u...}", "*.{t:[a-z]+}-{u}.H./", "*:80/", "*x/", "{t}.*/", "{t}..h/", "{t}:{p}/", "[{t}]/", "{t}/{t}", "{t", "h{t/a", "{t:[a-z]{2}}.{u}", "{$}.h/", "{t...}.{u...}/", "{t} h/",
	} {
		f.Add(pattern)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		p, err := parse(pattern, withEven)
		sent, errSent := parse(pattern, uncleanEven)
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
		if errSent != nil || sent.Host != p.Host || !slices.EqualFunc(p.Segments, sent.Segments, equalSegments) {
			t.Errorf("%q: got segments %s, and where paths are served as sent %v, error %v", pattern, segsText(p.Segments), sent, errSent)
		}
		if fault := patternFault(p, false); fault != "" {
			t.Errorf("%q: %s", pattern, fault)
		}
		if refused != nil {
			return
		}
		if fault := meaningFault(p); fault != "" {
			t.Errorf("%q: ServeMux takes it; %s", pattern, fault)
		}
		compareNames(t, p)
	})
}

// compareNames sends a request that matches p, which ServeMux takes, through
// http.ServeMux and a Mux: both must give the parameters the same values. A '*'
// in front of the host, which is literal text in ServeMux, is sent as it is.
func compareNames(t *testing.T, p *pattern.Pattern) {
	t.Helper()
	plain, escaped := "", ""
	for i, g := range p.Segments {
		text := g.Text
		switch {
		case g.Kind == pattern.Param:
			text = fmt.Sprintf("v%d", i)
		case g.Kind == pattern.CatchAll && g.Text != "":
			text = fmt.Sprintf("v%d/w", i)
		}
		if text == "/" {
			return // doc.go, 3
		}
		plain += "/" + text
		if g.Kind == pattern.Literal {
			text = url.PathEscape(text)
		}
		escaped += "/" + text
	}
	host := overlap.RawHost(p)
	if urlpath.Clean(escaped) != escaped || strings.Contains(host, ":") {
		return
	}
	method := "GET"
	if p.Methods != nil {
		method = p.Methods[0]
	}
	var got, want []string
	read := func(values *[]string) func(http.ResponseWriter, *http.Request) {
		return func(_ http.ResponseWriter, r *http.Request) {
			for i, g := range p.Segments {
				*values = append(*values, r.PathValue(g.Text))
				if v := (*values)[i]; g.Kind == pattern.Param && v != fmt.Sprintf("v%d", i) || g.Kind == pattern.CatchAll && g.Text != "" && v != fmt.Sprintf("v%d/w", i) {
					t.Errorf("%q: parameter %q is %q", p.Text, g.Text, v)
				}
			}
		}
	}
	serve, ours := http.NewServeMux(), New()
	serve.HandleFunc(p.Text, read(&want))
	ours.HandleFunc(p.Text, read(&got))
	for _, mux := range []http.Handler{serve, ours} {
		r := newBenchRequest(method, "/")
		r.URL, r.Host = &url.URL{Path: plain, RawPath: escaped}, host
		mux.ServeHTTP(muxtest.NewWriter(), r)
	}
	if len(got) != len(p.Segments) || !slices.Equal(got, want) {
		t.Errorf("%q: %s %s%s: got values %q, ServeMux gives %q", p.Text, method, host, escaped, got, want)
	}
}

var (
	noRules      pattern.Rules
	uncleanRules = pattern.Rules{Unclean: true}
	evenRules    = pattern.Rules{Constraints: map[string]func(string) bool{"even": isEven}}
	uncleanEven  = pattern.Rules{Unclean: true, Constraints: withEven.Constraints}
)
