package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/muxwell/muxwell/internal/routelist"
)

// The whole of what check prints, and its status.
func TestCheck(t *testing.T) {
	tests := []struct {
		list   string
		flags  string
		status int
		stdout string
		stderr string
	}{
		{"GET /a\nGET /b/{x}\n", "", 0, "<standard input>: 2 routes, 0 errors, 0 crossing overlaps and 0 others, 0 unreachable routes, 0 unknown\n", ""},
		{"GET /a/{x}\nGET /a/me\n\nGET /{y}/me # four\n", "", 0, `<standard input>:1: GET /a/{x} crosses GET /{y}/me (<standard input>:4) and wins
	literal beats parameter at segment 1; both match GET /a/me
2 overlaps not shown, in which one route is more specific; -all prints all
<standard input>: 3 routes, 0 errors, 1 crossing overlap and 2 others, 0 unreachable routes, 0 unknown
`, ""},
		{"GET /a/{x}\nGET /a/me\n\nGET /{y}/me # four\n", "-all", 0, `<standard input>:2: GET /a/me wins over GET /a/{x} (<standard input>:1)
	literal beats parameter at segment 2; both match GET /a/me
<standard input>:1: GET /a/{x} crosses GET /{y}/me (<standard input>:4) and wins
	literal beats parameter at segment 1; both match GET /a/me
<standard input>:2: GET /a/me wins over GET /{y}/me (<standard input>:4)
	literal beats parameter at segment 1; both match GET /a/me
<standard input>: 3 routes, 0 errors, 1 crossing overlap and 2 others, 0 unreachable routes, 0 unknown
`, ""},
		{"{t}.h/a/{x}\n{t}.h/a/me\n", "-all", 0, `<standard input>:2: {t}.h/a/me wins over {t}.h/a/{x} (<standard input>:1)
	literal beats parameter at segment 2; both match GET t.h/a/me
<standard input>: 2 routes, 0 errors, 0 crossing overlaps and 1 other, 0 unreachable routes, 0 unknown
`, ""},
		// A route that never wins is an error; one that may win is not.
		{"/{x:[7]}\n/7\n", "", 1, `1 overlap not shown, in which one route is more specific; -all prints all
<standard input>:1: /{x:[7]} is unreachable: /7 (<standard input>:2) matches all of its requests
<standard input>: 2 routes, 0 errors, 0 crossing overlaps and 1 other, 1 unreachable route, 0 unknown
`, ""},
		{"/{c:[ab]}\n/a\n/b", "", 1, `2 overlaps not shown, in which one route is more specific; -all prints all
<standard input>:1: /{c:[ab]} is unreachable: 2 routes together match all that {c:[ab]} does, such as /a (<standard input>:2)
<standard input>: 3 routes, 0 errors, 0 crossing overlaps and 2 others, 1 unreachable route, 0 unknown
`, ""},
		{"/{c:[ab]}/{d:[ab]}\n/a/a\n/a/b\n/b/a\n/b/b", "", 0, `4 overlaps not shown, in which one route is more specific; -all prints all
<standard input>:1: /{c:[ab]}/{d:[ab]} may be unreachable: no request was found that it matches
<standard input>: 5 routes, 0 errors, 0 crossing overlaps and 4 others, 0 unreachable routes, 1 unknown
`, ""},
		// The routes of other lines are compared whatever is wrong with some.
		{"GET /u/{id}\nGET /{\nGET /u/{name}\nGET /{x}/me\nGET /a b\n", "", 1, `<standard input>:1: GET /u/{id} crosses GET /{x}/me (<standard input>:4) and wins
	literal beats parameter at segment 1; both match GET /u/me
<standard input>: 2 routes, 3 errors, 1 crossing overlap and 0 others, 0 unreachable routes, 0 unknown
`, `<standard input>:2: '{' is never closed; add the '}', or for the character itself write %7B
	2 | GET /{
	  |      ^
<standard input>:3: conflicts with line 1: both match the same GET requests like "/u/id". Names of parameters and escapes are ignored. Remove one of them
	1 | GET /u/{id}
	3 | GET /u/{name}
	  | ^
<standard input>:5: a space in a path; write it as %20, begin a comment with '#', put each route on its own line, or write options after the path, as in name=user; options are ` + keyList() + `
	5 | GET /a b
	  |       ^
`},
		{
			"", "", 1, "<standard input>: 0 routes, 1 error, 0 crossing overlaps and 0 others, 0 unreachable routes, 0 unknown\n",
			"<standard input>: the list has no routes; a route is a line METHOD PATTERN, such as GET /users/{id}\n",
		},
		// What does not print is escaped: here a text that a pattern has unescaped.
		{"/%1B[2J%C2%9B{a:int}\n/%1B[2J%C2%9B{b:hex}/{c}\n/%1B[2J%C2%9B{b:hex}\n", "", 0, `<standard input>:1: /%1B[2J%C2%9B{a:int} crosses /%1B[2J%C2%9B{b:hex} (<standard input>:3) and wins
	\x1b[2J\u009b{a:int} was registered before \x1b[2J\u009b{b:hex} at segment 1; both match GET /%1B%5B2J%C2%9B0
<standard input>: 3 routes, 0 errors, 1 crossing overlap and 0 others, 0 unreachable routes, 0 unknown
`, ""},
	}
	for _, tt := range tests {
		status, stdout, stderr := call(t, tt.list, append([]string{"check", "-"}, strings.Fields(tt.flags)...)...)
		if status != tt.status || stdout != tt.stdout || stderr != tt.stderr {
			t.Errorf("check %s of %q: status %d, stdout:\n%s\nstderr:\n%s\nwant %d:\n%s\nand:\n%s", tt.flags, tt.list, status, stdout, stderr, tt.status, tt.stdout, tt.stderr)
		}
	}
}

// All faults are told, not the first ones only.
func TestCheckTellsAllFaults(t *testing.T) {
	status, _, stderr := call(t, strings.Repeat("/{\n", 25), "check", "-")
	if n := strings.Count(stderr, "is never closed"); status != 1 || n != 25 {
		t.Errorf("status %d, %d faults, want 1 and 25", status, n)
	}
}

func TestCheckJSON(t *testing.T) {
	const list = "GET /{x:[7]}\nGET /7\n\nGET /{\nGET /{y}/b/é\nGET /7/{z}/é\nGET /7 # again\n/{c:[ab]}/x\n/a/x\n/b/x\n"
	status, stdout, stderr := call(t, list, "check", "-json", "-")
	var got checkJSON
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatalf("%v:\n%s", err, stdout)
	}
	ref := func(line int, pattern string) *routeRef {
		return &routeRef{Pattern: pattern, Source: fmt.Sprintf("<standard input>:%d", line)}
	}
	want := checkJSON{
		File: "<standard input>", Routes: 7,
		Errors: []faultJSON{
			{4, 6, "GET /{", "'{' is never closed; add the '}', or for the character itself write %7B", 0},
			{7, 1, "GET /7 # again", `conflicts with line 2: both match the same GET requests like "/7". Remove one of them`, 2},
		},
		Overlaps: []overlapJSON{
			{ref(2, "GET /7"), ref(1, "GET /{x:[7]}"), "literal beats constrained parameter at segment 1", false, "GET", "", "/7"},
			{ref(6, "GET /7/{z}/é"), ref(5, "GET /{y}/b/é"), "literal beats parameter at segment 1", true, "GET", "", "/7/b/%C3%A9"},
			{ref(9, "/a/x"), ref(8, "/{c:[ab]}/x"), "literal beats constrained parameter at segment 1", false, "GET", "", "/a/x"},
			{ref(10, "/b/x"), ref(8, "/{c:[ab]}/x"), "literal beats constrained parameter at segment 1", false, "GET", "", "/b/x"},
		},
		Unreachable: []unreachableJSON{
			{ref(1, "GET /{x:[7]}"), ref(2, "GET /7"), "GET /7 (<standard input>:2) matches all of its requests"},
			{ref(8, "/{c:[ab]}/x"), nil, "2 routes together match all that {c:[ab]} does, such as /a/x (<standard input>:9)"},
		},
		Suspicious: []suspiciousJSON{},
	}
	if status != 1 || stderr != "" || !reflect.DeepEqual(got, want) {
		t.Errorf("status %d, stderr %q, stdout:\n%s", status, stderr, stdout)
	}

	// The members are always there.
	_, stdout, _ = call(t, "/a\n", "check", "-json", "-")
	if want := "{\n  \"file\": \"\\u003cstandard input\\u003e\",\n  \"routes\": 1,\n  \"errors\": [],\n  \"overlaps\": [],\n  \"unreachable\": [],\n  \"suspicious\": []\n}\n"; stdout != want {
		t.Errorf("stdout:\n%s\nwant:\n%s", stdout, want)
	}
}

// What is written as for another router is a warning: the list is right all the same.
func TestCheckWarnings(t *testing.T) {
	const list = `GET /users/:id
get  /x
/files/*   # chi
	/files/v2/*path name=files
PUT /<int:id>
/jobs/{id}:cancel
/v1/users:batchGet
/*.example
*.example.com/
/:a/:a
`
	const want = `<standard input>:1: warning: ":id" is literal text; for a parameter write "GET /users/{id}"
	1 | GET /users/:id
	  |            ^
<standard input>:2: warning: "get" is a method of its own, since methods are case-sensitive; write "GET  /x"
	2 | get  /x
	  | ^
<standard input>:3: warning: "*" is literal text; for the rest of the path write "/files/{path...}"
	3 | /files/*   # chi
	  |        ^
<standard input>:4: warning: "*path" is literal text; for the rest of the path write "/files/v2/{path...}"
	4 |  /files/v2/*path name=files
	  |            ^
<standard input>:5: warning: "<int:id>" is literal text; for a parameter write "PUT /{id:int}"
	5 | PUT /<int:id>
	  |      ^
<standard input>:10: warning: ":a" is literal text; for a parameter write "{a}"
	10 | /:a/:a
	   |  ^
<standard input>: 10 routes, 0 errors, 0 crossing overlaps and 0 others, 0 unreachable routes, 0 unknown, 6 warnings
`
	status, stdout, stderr := call(t, list, "check", "-")
	if status != 0 || stdout != want || stderr != "" {
		t.Errorf("status %d, stderr %q, stdout:\n%s\nwant 0, nothing and:\n%s", status, stderr, stdout, want)
	}

	status, stdout, _ = call(t, list, "check", "-json", "-")
	var got checkJSON
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	wantJSON := []suspiciousJSON{
		{1, 12, &routeRef{"GET /users/:id", "<standard input>:1"}, `":id" is literal text; for a parameter write "GET /users/{id}"`, "GET /users/{id}"},
		{4, 12, &routeRef{"/files/v2/*path", "<standard input>:4"}, `"*path" is literal text; for the rest of the path write "/files/v2/{path...}"`, "/files/v2/{path...}"},
		{10, 2, &routeRef{"/:a/:a", "<standard input>:10"}, `":a" is literal text; for a parameter write "{a}"`, ""},
	}
	if status != 0 || len(got.Suspicious) != 6 || !reflect.DeepEqual([]suspiciousJSON{got.Suspicious[0], got.Suspicious[3], got.Suspicious[5]}, wantJSON) {
		t.Errorf("status %d, stdout:\n%s", status, stdout)
	}

	// A fault is one, with warnings or without.
	if status, _, _ := call(t, "/:a\n/{\n", "check", "-"); status != 1 {
		t.Errorf("a warning and an error: status %d, want 1", status)
	}
}

func TestCheckMissingFile(t *testing.T) {
	for _, flag := range []string{"-json", "-all"} {
		status, stdout, stderr := call(t, "", "check", flag, filepath.Join(t.TempDir(), "missing.txt"))
		if status != 1 || stdout != "" || !strings.HasPrefix(stderr, "muxwell check: open ") {
			t.Errorf("check %s: status %d, stdout %q, stderr %q, want 1, nothing and the reason", flag, status, stdout, stderr)
		}
	}
}

func TestCheckGitHub(t *testing.T) {
	status, stdout, stderr := call(t, "", "check", filepath.Join("..", "..", "routes", "github-rest.txt"))
	if status != 0 || stderr != "" || !strings.Contains(stdout, "github-rest.txt: 1223 routes, 0 errors, ") || !strings.Contains(stdout, " 0 unreachable routes, 0 unknown\n") {
		t.Errorf("status %d, stderr %q, stdout ends:\n%s", status, stderr, stdout[max(0, len(stdout)-300):])
	}
}

// Ctrl-C ends printing too, of which there may be much.
func TestCheckInterruptedWhilePrinting(t *testing.T) {
	l, err := loadChecked("list", strings.NewReader("/a/{x}\n/{y}/b\n"))
	if err != nil {
		t.Fatal(err)
	}
	l.report = l.mux.Check()
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	var out bytes.Buffer
	if err := l.print(ctx, &out, true); err == nil || err.Error() != "interrupted while printing the overlaps" || out.Len() > 0 {
		t.Errorf("print: %v, %q", err, out.String())
	}
}

func TestCheckTenThousandRoutes(t *testing.T) {
	for _, pattern := range []string{"GET /service%d/list\n", "GET /service%d/{tenant}/items/{id:int}\n", "GET /{tenant}/service%d/{id}\n"} {
		var list strings.Builder
		for i := range 10_000 {
			fmt.Fprintf(&list, pattern, i)
		}
		status, stdout, stderr := call(t, list.String(), "check", "-")
		if want := "<standard input>: 10000 routes, 0 errors, 0 crossing overlaps and 0 others, 0 unreachable routes, 0 unknown\n"; status != 0 || stdout != want || stderr != "" && !strings.HasPrefix(stderr, "muxwell: still ") {
			t.Errorf("check of 10000 %q: status %d, stderr %q, stdout:\n%s", pattern, status, stderr, stdout)
		}
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
